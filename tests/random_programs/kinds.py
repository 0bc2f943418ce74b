"""The sorts of random programs: name -> the function that gives the statements of a seed."""

from tests.random_programs import columns, pipelines, shapes, sparse, training

KINDS = {each.__name__.split(".")[-1]: each.generate for each in (pipelines, training, shapes, sparse, columns)}
