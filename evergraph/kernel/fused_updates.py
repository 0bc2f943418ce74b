"""Makes an optimizer's updates of variables at the end of a compiled step, all of them in place.

Made one by one, each update would select between the old and the new value by itself when a check may fail, two loops
would read each slot, and later gradients would read updated variables. The live ranges of old and new values would
overlap, and XLA would copy the variables first. `ops/nn/deferred_updates.py` defers them.

The common rules have kernels in C (native/updates.c). One call of a kernel makes all updates of a step that have the
same hyperparameters: XLA would run three or four loops for each variable, and starting a loop takes as long as updating
a thousand numbers. Where the gradient is that of rows, as of an embedding, XLA would run a dozen: to gather the rows of
the variable and of each slot, to compute, and to scatter the results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.kernel.fence import computed_together
from evergraph.kernel.foreign import available, call_in_place

ROW_NUMBERS = {np.dtype(np.int32): 2, np.dtype(np.int64): 4}  # the option that tells a kernel the dtype of row numbers


class Packed:
    """Slots side by side in one array, during a trace.

    Args:
        pack: says where each starts, by its key.
        array: the array.
        values: the slots by their keys, as parts of the array.
    """

    def __init__(self, pack, array, values):
        self.array, self.values, self.key = array, values, pack
        self._starts = pack.starts
        self._keys = {id(value): key for key, value in values.items()}
        self._updated = set()

    def has(self, slots):
        """Whether there are slots, and all of them are in the array."""
        return bool(slots) and all(id(slot) in self._keys for slot in slots)

    def starts(self, slots):
        """Where slots are in the array."""
        return [self._starts[self._keys[id(slot)]] for slot in slots]

    def note(self, slots):
        """Notes that the array has the new values of slots."""
        self._updated.update(self._keys[id(slot)] for slot in slots)

    def left(self):
        """The keys of the slots whose new values may not be in the array yet."""
        return [key for key in self.values if key not in self._updated]

    def put(self, key, value):
        """Puts a new value of a slot into the array."""
        from jax import lax

        if value is not self.values[key]:
            self.array = lax.dynamic_update_slice(self.array, value.reshape(-1), (self._starts[key],))


class Part:
    """The deferred change of one of the update's cells, in the form that `Cell.update` takes."""

    def __init__(self, together, place):
        self.together, self.place = together, place

    def __call__(self, value, wanted):
        settled = self.together.new
        return self.together.made()[self.place] if settled is None else settled[self.place]


def are_in_c():
    """Whether programs that are compiled now have the kernels in C."""
    return available("updates.adam")


def settle(cells, wanted, reuses, packed=None):
    """Makes all deferred updates of `cells`, if `wanted`, after every gradient has been computed.

    Args:
        cells: the cells.
        wanted: a traced boolean, or True.
        reuses: whether the program may replace their values in place.
        packed: a `Packed` of slots; its array gets their new values.
    """
    updates = list(dict.fromkeys(each.together for cell in cells for each in cell.waiting if isinstance(each, Part)))
    if not updates:
        return
    alike: dict[Any, list[tuple[Any, Any]]] = {}
    for each, gradient in zip(updates, computed_together([each.gradient for each in updates]), strict=True):
        if each.in_c is None:
            each.new = _updated(each, gradient, wanted)
        else:
            is_packed = packed is not None and packed.has(each.old[1:])
            alike.setdefault((each.in_c.key, _options(each), is_packed), []).append((each, gradient))
    for (*_, is_packed), group in alike.items():
        _update_in_c(group, wanted, reuses, packed if is_packed else None)


def _update_in_c(group, wanted, reuses, packed):
    """Makes updates that have one key by one call of their kernel; `packed` has their slots, or is None."""
    how, operands = group[0][0].in_c, _first_operands(group, wanted)
    numbers, changed = [_options(group[0][0])], []
    if packed is not None:
        changed.append(len(operands))
        operands.append(packed.array)
    for update, gradient in group:
        given = update.old if packed is None else update.old[:1]
        changed += range(len(operands), len(operands) + len(given))
        operands += [*given, *_rows(update), gradient]
        numbers += [] if packed is None else packed.starts(update.old[1:])
    new = iter(call_in_place(how.kernel, operands, numbers, changed, reuses))
    if packed is not None:
        packed.array = next(new)
    for update, _ in group:
        if packed is None:
            update.new = [next(new) for _ in update.old]
        else:
            update.new = [next(new), *update.old[1:]]
            packed.note(update.old[1:])


def _rows(update):
    """The numbers of the rows that are updated, if not all are, as an operand of the kernel."""
    return [] if update.indices is None else [update.indices]


def _options(update):
    """The flag of the rule, and the dtype of row numbers, as one number."""
    return update.in_c.flag + (0 if update.indices is None else ROW_NUMBERS[np.dtype(update.indices.dtype)])


def _first_operands(group, wanted):
    """What a kernel takes before the arrays of updates: numbers that all of them have in common, and `wanted`."""
    from jax import numpy

    how = group[0][0].in_c
    scalars = [numpy.asarray(value, np.float32) for value in how.scalars(numpy, *how.hyperparameters)]
    return [numpy.stack(scalars), numpy.asarray(wanted)]


def _updated(update, gradient, wanted):
    """The new values, or the old ones if they are not wanted.

    Each update is a conditional of its own: XLA runs the few loops of one in turn, and hands the loops of a large one
    to its threads one by one, which took longer than the loops of a small model.
    """
    if wanted is True:
        return update.formula.new(update.old, gradient, update.given)
    return update.formula.new_if(wanted, update.old, gradient, update.given)
