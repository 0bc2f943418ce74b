"""The sorts of random programs: name -> the function that gives the statements of a seed."""

from tests.random_programs import pipelines

KINDS = {"pipelines": pipelines.generate}
