"""Defers an optimizer's updates of whole variables to the end of a compiled step, where all are made in place.

Made one by one, each update would select between the old and the new value by itself when a check may fail, two loops
would read each slot, and later gradients would read updated variables. The live ranges of old and new values would
overlap, and XLA would copy the variables first.
"""

from __future__ import annotations

import functools

from evergraph.kernel.fence import computed_together, on_cpu
from evergraph.kernel.outline import known_form, with_known
from evergraph.kernel.values import array_module, is_traced

_MOST_FORMULAS = 256  # that stay traced


class Formula:
    """An update rule with its known hyperparameters, which JAX traces once for all variables of one shape.

    A network has hundreds of variables of few shapes. Tracing and lowering Adam for each of them took a third of the
    time until the first step of a convolutional network. XLA inlines the calls.

    Args:
        compute: `compute(xp, old, gradient, others)` returns the new values of a variable and its slots.
        forms: the form of each of `others`, as `known_form` gives it.
    """

    def __init__(self, compute, forms):
        import jax

        self._compute, self._forms = compute, forms
        self._changes = None
        self.new = jax.jit(self._traced)
        self.new_if = jax.jit(self._chosen)

    def _traced(self, old, gradient, given):
        import jax

        new = self._compute(jax.numpy, old, gradient, with_known(self._forms, given))
        self._changes = [after is not before for before, after in zip(old, new, strict=True)]
        return new

    def _chosen(self, wanted, old, gradient, given):
        import jax

        return jax.lax.cond(wanted, self._traced, lambda old, gradient, given: old, old, gradient, given)

    def changes(self, old, gradient, given):
        """Which of the values the update changes; a rule may leave a slot as it is."""
        if self._changes is None:
            self.new.eval_shape(old, gradient, given)
        return self._changes


_formula = functools.lru_cache(_MOST_FORMULAS)(Formula)


class Together:
    """One optimizer update: of a variable and its slots, by a gradient.

    Attributes:
        formula: how it computes the new values.
        old: the values of the variable and its slots before the update.
        gradient: the gradient.
        given: the hyperparameters that the program computes.
        new: their values after it, once `settle` has made the update.
    """

    def __init__(self, formula, old, gradient, given):
        self.formula, self.old, self.gradient, self.given = formula, old, gradient, given
        self.new = None

    def made(self):
        """The new values, unless they were computed at the end of the step."""
        return self.formula.new(self.old, self.gradient, self.given)


class Part:
    """The deferred change of one of the update's cells, in the form that `Cell.update` takes."""

    def __init__(self, together, place):
        self.together, self.place = together, place

    def __call__(self, value, wanted):
        settled = self.together.new
        return self.together.made()[self.place] if settled is None else settled[self.place]


def update_together(cells, compute, old, gradient, others):
    """Updates cells with the values `old` to `compute(xp, old, gradient, others)`.

    Programs for CPUs make the update at their end, or as soon as a cell is read; other platforms and NumPy make it now.
    """
    if not all(map(is_traced, (*old, gradient))):
        new = compute(array_module(*old, gradient, *others), old, gradient, others)
        return _assign(cells, [after is not before for before, after in zip(old, new, strict=True)], new)
    given = [value for value in others if is_traced(value)]
    update = Together(_formula(compute, tuple(map(known_form, others))), old, gradient, given)
    changes = update.formula.changes(old, gradient, given)
    if not on_cpu():
        return _assign(cells, changes, update.made())
    for place, (cell, is_changed) in enumerate(zip(cells, changes, strict=True)):
        if is_changed:
            cell.update(Part(update, place))


def _assign(cells, changes, new):
    for cell, is_changed, value in zip(cells, changes, new, strict=True):
        if is_changed:
            cell.assign(value)


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
    if wanted is True:
        return update.formula.new(update.old, gradient, update.given)
    return update.formula.new_if(wanted, update.old, gradient, update.given)
