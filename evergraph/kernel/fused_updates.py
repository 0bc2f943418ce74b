"""Defers an optimizer's updates of whole variables to the end of a compiled step, where all are made in place.

Made one by one, each update would select between the old and the new value by itself when a check may fail, two loops
would read each slot, and later gradients would read updated variables. The live ranges of old and new values would
overlap, and XLA would copy the variables first.
"""

from __future__ import annotations

from evergraph.kernel.fence import computed_together, on_cpu
from evergraph.kernel.values import is_traced


class Together:
    """One optimizer update: of a variable and its slots, by a gradient.

    Attributes:
        compute: `compute(old, gradient)` returns the new values.
        old: the values of the variable and its slots before the update.
        gradient: the gradient.
        new: their values after it, once `settle` has made the update.
    """

    def __init__(self, compute, old, gradient):
        self.compute, self.old, self.gradient = compute, old, gradient
        self.new = None


class Part:
    """The deferred change of one of the update's cells, in the form that `Cell.update` takes."""

    def __init__(self, together, place, new):
        self.together, self.place, self.new = together, place, new

    def __call__(self, value, wanted):
        settled = self.together.new
        return self.new if settled is None else settled[self.place]


def put_together(cells, compute, old, gradient, new):
    """Defers the update of cells to `new`, which is `compute(old, gradient)`; a read of a cell makes it at once.

    Returns:
        Whether it was deferred: programs for CPUs gain by it, other platforms and NumPy do not.
    """
    if not all(map(is_traced, (*old, gradient))) or not on_cpu():  # a step on NumPy must not load JAX to be told
        return False
    together = Together(compute, old, gradient)
    for place, (cell, before, after) in enumerate(zip(cells, old, new, strict=True)):
        if after is not before:
            cell.update(Part(together, place, after))
    return True


def settle(cells, wanted):
    """Makes all deferred updates of `cells`, if `wanted`, after every gradient has been computed."""
    updates = list(dict.fromkeys(each.together for cell in cells for each in cell.waiting if isinstance(each, Part)))
    if updates:
        gradients = computed_together([each.gradient for each in updates])
        for each, gradient in zip(updates, gradients, strict=True):
            each.new = _updated(each, gradient, wanted)


def _updated(update, gradient, wanted):
    """The new values, or the old ones if they are not wanted.

    Each update is a conditional of its own: XLA runs the few loops of one in turn, and hands the loops of a large one
    to its threads one by one, which took longer than the loops of a small model.
    """
    from jax import lax

    compute = lambda old, gradient: list(update.compute(old, gradient))
    if wanted is True:
        return compute(update.old, gradient)
    return lax.cond(wanted, compute, lambda old, gradient: list(old), update.old, gradient)
