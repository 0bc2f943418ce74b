"""The sorts of random programs: name -> the function that gives the statements of a seed."""

from tests.random_programs import (
    columns,
    control,
    eager,
    extremes,
    pipelines,
    saving,
    shapes,
    slopes,
    sparse,
    steps,
    training,
    windows,
)

MODULES = (pipelines, training, shapes, sparse, columns, control, eager, saving, steps, windows, slopes, extremes)
KINDS = {each.__name__.split(".")[-1]: each.generate for each in MODULES}
EXCHANGED = ("saving",)  # those whose files the other package continues with
