"""Updates of whole variables that wait for the end of a compiled step, where they are all made in place.

Made one by one, each new value would be chosen or dropped by itself when a check may fail, slots would be read by two
loops and variables by gradients still to come, and XLA would copy them first.
"""

from __future__ import annotations

from evergraph.kernel.fence import computed_together, on_cpu
from evergraph.kernel.values import is_traced


class Together:
    """What an optimizer makes of a variable, its slots and a gradient.

    Attributes:
        old: the values from before.
        gradient: the gradient.
        new: the values afterwards, once they are settled.
    """

    def __init__(self, compute, old, gradient):
        self.compute, self.old, self.gradient = compute, old, gradient
        self.new = None


class Part:
    """The change of one of the cells, as `Cell.update` takes it."""

    def __init__(self, together, place, new):
        self.together, self.place, self.new = together, place, new

    def __call__(self, value, wanted):
        settled = self.together.new
        return self.new if settled is None else settled[self.place]


def put_together(cells, compute, old, gradient, new):
    """Changes cells to `new`, which is `compute(old, gradient)`: later, unless something reads them before."""
    if not on_cpu() or not all(map(is_traced, (*old, gradient))):
        return False
    together = Together(compute, old, gradient)
    for place, (cell, before, after) in enumerate(zip(cells, old, new, strict=True)):
        if after is not before:
            cell.update(Part(together, place, after))
    return True


def settle(cells, wanted):
    """Makes all the updates that wait in `cells` at once, if `wanted`, when every gradient has been computed."""
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
    else:  # which waits for all of them as well
        news = lax.cond(wanted, computed, lambda olds, gradients: olds, olds, gradients)
    for each, new in zip(updates, news, strict=True):
        each.new = new
