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
    if not on_cpu() or not all(map(is_traced, (*old, gradient))):
        return False
    together = Together(compute, old, gradient)
    for place, (cell, before, after) in enumerate(zip(cells, old, new, strict=True)):
        if after is not before:
            cell.update(Part(together, place, after))
    return True


def settle(cells, wanted):
    """Makes all deferred updates of `cells` together, if `wanted`, after every gradient has been computed."""
    found = dict.fromkeys(each.together for cell in cells for each in cell.waiting if isinstance(each, Part))
    if found:
        _settle(list(found), wanted)


def _settle(updates, wanted):
    from jax import lax

    olds, gradients = [each.old for each in updates], [each.gradient for each in updates]
    computed = lambda olds, gradients: [
        list(each.compute(old, gradient)) for each, old, gradient in zip(updates, olds, gradients, strict=True)]
    if wanted is True:
        news = computed(olds, computed_together(gradients))
    else:  # a conditional depends on all of its operands as well
        news = lax.cond(wanted, computed, lambda olds, gradients: olds, olds, gradients)
    for each, new in zip(updates, news, strict=True):
        each.new = new
