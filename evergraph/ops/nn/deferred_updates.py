"""An optimizer's update of a variable, deferred to the end of a compiled step: see kernel/fused_updates.py."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from evergraph.kernel.fence import computed_once, on_cpu
from evergraph.kernel.foreign import available, available_now, call_now
from evergraph.kernel.fused_updates import ROW_NUMBERS, Part
from evergraph.kernel.values import array_module, is_traced
from evergraph.ops.arrays.row_access import put_rows, take_rows
from evergraph.ops.nn.outline import known_form, with_known

_MOST_FORMULAS = 256  # that stay traced
_MANY = 4096  # numbers, from which on NumPy's loops over them take longer than a call of a kernel in C
_PRODUCTS = 16  # which take as long as the update of a number
_WANTED, _FLAGS = np.array(True), [np.array([flag], np.int64).tobytes() for flag in (0, 1)]


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


class InC(NamedTuple):
    """How a kernel in C makes an update.

    Attributes:
        kernel: its name.
        scalars: a function from the hyperparameters to the numbers that the kernel takes.
        hyperparameters: those of the update.
        flag: the flag that the kernel takes.
    """

    kernel: str
    scalars: Any
    hyperparameters: tuple[Any, ...]
    flag: int

    @property
    def key(self):
        """Equal for updates that one call can make."""
        same = tuple([id(value) if is_traced(value) else float(value) for value in self.hyperparameters])
        return self.kernel, self.flag, same


class Together:
    """One optimizer update: of a variable and its slots, by a gradient.

    Attributes:
        formula: how it computes the new values.
        old: the values of the variable and its slots before the update.
        gradient: the gradient.
        given: the hyperparameters that the program computes.
        in_c: how a kernel in C makes the update; None if none can.
        new: their values after it, once `settle` has made the update.
    """

    indices = None

    def __init__(self, formula, old, gradient, given):
        self.formula, self.old, self.gradient, self.given = formula, old, gradient, given
        self.in_c = None
        self.new = None

    def made(self):
        """The new values, unless they were computed at the end of the step."""
        return self.formula.new(self.old, self.gradient, self.given)


class InRows:
    """One optimizer update of rows of a variable and its slots, all of them different, by a kernel in C.

    Attributes:
        old: the values of the variable and its slots before the update.
        gradient: the gradient of the rows.
        indices: their numbers; numbers of no row are padding.
        in_c: how the kernel makes the update.
        new: the values after it, once `settle` has made the update.
    """

    def __init__(self, compute, old, gradient, indices, in_c):
        self._compute, self.old, self.gradient, self.indices, self.in_c = compute, old, gradient, indices, in_c
        self.new = None

    def made(self):
        """The new values, unless they were computed at the end of the step."""
        rows = self._compute([computed_once(take_rows(value, self.indices)) for value in self.old], self.gradient)
        return [put_rows(value, self.indices, new) for value, new in zip(self.old, rows, strict=True)]


def update_together(cells, compute, old, gradient, others, in_c=None):
    """Updates cells with the values `old` to `compute(xp, old, gradient, others)`.

    Programs for CPUs make the update at their end, or as soon as a cell is read; other platforms and NumPy make it now.
    At the end of a program, and for large arrays on NumPy, a kernel in C makes it, if `in_c` says how and the arrays
    are of a kind that the kernel takes.
    """
    if not all(map(is_traced, (*old, gradient))):
        xp = array_module(*old, gradient, *others)
        if xp is np and in_c is not None and gradient.size >= _MANY and _are_floats(*old, gradient) \
                and available_now(in_c.kernel):
            now = Now(in_c.kernel, in_c.scalars)
            return _assign(cells, [True] * len(cells), now.make(old, gradient, in_c.hyperparameters, in_c.flag))
        new = compute(xp, old, gradient, others)
        return _assign(cells, [after is not before for before, after in zip(old, new, strict=True)], new)
    given = [value for value in others if is_traced(value)]
    update = Together(_formula(compute, tuple(map(known_form, others))), old, gradient, given)
    changes = update.formula.changes(old, gradient, given)
    if not on_cpu():
        return _assign(cells, changes, update.made())
    if in_c is not None and all(changes) and _are_floats(*old, gradient) and available(in_c.kernel):
        update.in_c = in_c
    for place, (cell, is_changed) in enumerate(zip(cells, changes, strict=True)):
        if is_changed:
            cell.update(Part(update, place))


def update_rows_together(cells, compute, old, gradient, indices, in_c):
    """Whether a kernel in C updates rows, all of them different, at the end of the program.

    Args:
        cells: what is updated, with the values `old`.
        compute: `compute(rows, gradient)` returns the new values of rows of each of them.
        old: the values.
        gradient: the gradient of the rows.
        indices: their numbers; numbers of no row are left out.
        in_c: how the kernel makes the update; None if there is none.
    """
    if in_c is None or not all(map(is_traced, (*old, gradient, indices))) or not _are_floats(*old, gradient) \
            or indices.dtype not in ROW_NUMBERS or not available(in_c.kernel):
        return False
    update = InRows(compute, old, gradient, indices, in_c)
    for place, cell in enumerate(cells):
        cell.update(Part(update, place))
    return True


def _assign(cells, changes, new):
    for cell, is_changed, value in zip(cells, changes, new, strict=True):
        if is_changed:
            cell.assign(value)


class Now:
    """The updates of float32 variables on NumPy that one rule makes, by its kernel in C.

    Args:
        kernel: its name.
        scalars: a function from the hyperparameters to the numbers that the kernel takes.
    """

    def __init__(self, kernel, scalars):
        self._kernel, self._scalars = kernel, scalars
        # Ids of hyperparameters, these themselves, and the numbers for the kernel.
        self._last: tuple[Any, Any, Any] = (), (), None

    def make(self, old, gradient, hyperparameters, flag):
        """The new values of variables that have elements and the shape of the gradient."""
        operands = (self._numbers(hyperparameters), _WANTED, *old, gradient)
        return call_now(self._kernel, [gradient.shape] * len(old), operands, _FLAGS[flag], _PRODUCTS * gradient.size)

    def _numbers(self, hyperparameters):
        """The numbers for the kernel. All variables of a step have the same hyperparameters."""
        ids = tuple(map(id, hyperparameters))
        last, _, numbers = self._last
        if last != ids:
            numbers = np.array(self._scalars(np, *hyperparameters), np.float32)
            self._last = ids, hyperparameters, numbers
        return numbers


def _are_floats(*arrays):
    return all(np.dtype(array.dtype) == np.float32 and array.size for array in arrays)
