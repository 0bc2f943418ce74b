"""Runs the compiled program of a stage on the values of a store."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.base.aside import aside
from evergraph.compile import backend
from evergraph.compile.early import Pending
from evergraph.compile.footprint import Footprint
from evergraph.compile.generated import Lowered
from evergraph.compile.program import StageProgram, state_of
from evergraph.compile.undo import Undo
from evergraph.compile.values import Values
from evergraph.graph.node import Tensor
from evergraph.kernel.context import message_with
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.lists.stacked import Stacked
from evergraph.kernel.reasons import CAPACITY_EXCEEDED, SIZE_ASSUMED, NeedCapacity, OtherSizes
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.partition import Stage
from evergraph.passes.state import cell_key

_HOST_ARRAYS = frozenset((np.ndarray,))


class Executable:
    """A stage compiled for one signature: shapes of inputs, values of static inputs, layout of the store.

    The last device stage of a run donates the values that it writes.

    Args:
        stage: the stage.
        lowered: returns its code, if there is no program of an equal stage.
        footprint: what it stores.
        capacity: the room for lists that grow in loops of unknown length.
        store: the values that it is compiled for.
        args: the inputs that it is compiled for.
        bounds: what the host knows about ids among the inputs.
        assumes_sizes: whether it may rely on sizes that it checks.
        mixed: how it computes in mixed precision, if it does.

    Attributes:
        program: what it runs.
        reshapes: whether it gives a stored value another shape or dtype.
        fitting, other: how many steps had the sizes that it assumes, and how many had others; counted if it has checks.
    """

    def __init__(
        self,
        stage: Stage,
        lowered: Callable[[], Lowered],
        footprint: Footprint,
        capacity: int,
        store: Values,
        args: Sequence[Any],
        bounds: Mapping[Tensor, int] | None = None,
        assumes_sizes: bool = True,
        mixed: MixedPrecision | None = None,
    ) -> None:
        self._device, self._guests = backend.device(stage.place), frozenset(map(cell_key, stage.guests))
        # On another device than JAX's own the code, which is with the step before, would move in every step.
        state, takes_code = state_of(stage, footprint, store), self._device is None and store.early.allows(stage.place)
        self.stage, self._state_keys = stage, (*state.written, *state.read)
        self.program = StageProgram(stage, lowered, state, capacity, args, bounds, assumes_sizes, mixed, takes_code,
                                    footprint.makes_few_elements(args))
        self.fitting, self.other = 0, 0
        self._first_code = backend.jax().device_put(np.int32(0)) if takes_code else None
        self._kind: type | None = None  # that all stored values that the program takes had last time
        self.reshapes = self._changes_layout = False  # the first run tells
        self._forms: set[Any] = set()  # of the inputs that JAX runs the program for without calling Python

    def copies(self, store: Values, args: Sequence[Any]) -> list[Any] | None:
        """Copies on the host of what the program would take now; None if that cannot be told without the run."""
        program = self.program
        values = [*store.get_all(self._state_keys), *program.packing.packed(program.dynamic(args))]
        if any(is_list(value) and not isinstance(value, Stacked) for value in values):
            return None
        code = [] if self._first_code is None else [self._first_code]
        return [*map(_on_host_alone, values), *code]

    def find(self, copies: Sequence[Any]) -> None:
        """Traces the program, or takes that of an equal stage, without a run."""
        with backend.uncollected(), backend.at(self._device):
            self.program.find(copies)

    def compile(self, copies: Sequence[Any]) -> None:
        """Compiles the program by a run on copies of state and inputs, and drops its results. Any thread may do so."""
        count = len(self._state_keys)
        with backend.at(self._device):
            self._first_run([*map(_copy, copies[:count]), *copies[count:]], True)

    def run(self, store: Values, args: Sequence[Any], undo: Undo) -> Sequence[Any]:
        """The outputs of the stage, whose new values are stored. All happens on its device; inputs move there."""
        if self._device is None:
            return self._run(store, args, undo)
        with backend.at(self._device):
            return self._run(store, args, undo)

    def _run(self, store: Values, args: Sequence[Any], undo: Undo) -> Sequence[Any]:
        """Runs on the device that JAX uses now.

        The first run of a program, which JAX does in Python and which may run out of memory, gets copies to donate,
        where there is room for them: until the results are stored, nothing has changed. Later runs donate the stored
        buffers themselves, in one C call that stores the results too, out of reach of interrupts.
        """
        program = self.program
        if program.jitted is None:
            backend.jax()  # knows the lists that may be among the arguments of the process's first program
        inputs = self._state(store)
        dynamic = program.dynamic(args)
        if program.packing.parcels:
            dynamic = program.packing.packed(dynamic)
        inputs += dynamic
        form: Any = tuple(map(type, dynamic))
        if form not in self._forms:
            form = _form(dynamic)
        in_place = form in self._forms and not (program.checks and self._changes_layout)
        returns_early = in_place and undo.returns_early and self._may_return_early
        if self._first_code is not None:
            inputs.append(self._code_before(store, returns_early))
        try:
            if in_place:
                return self._run_in_place(store, inputs, undo, returns_early)
            outputs = self._run_on_copies(store, inputs, undo)
        except backend.jax().errors.JaxRuntimeError as error:
            if "RESOURCE_EXHAUSTED" not in str(error):
                raise
            raise self._out_of_memory(error, inputs) from error
        self._forms.add(form)
        return outputs

    def _code_before(self, store: Values, returns_early: bool) -> Any:
        """The code of the check that failed in the step before, which the device may still compute; 0 if it is over."""
        pending = store.early.pending
        if pending is not None and not (returns_early and pending.stage is self.stage):
            store.early.settle()
            pending = None
        code = None if pending is None else pending.code
        return self._first_code if code is None else code

    @property
    def _may_return_early(self) -> bool:
        """Whether a step may return before it is known to have succeeded; one that may have to run again may not."""
        return self._first_code is not None and not self._changes_layout \
            and not any(message is CAPACITY_EXCEEDED or message is SIZE_ASSUMED for *_, message in self.program.checks)

    def _state(self, store: Values) -> list[Any]:
        """The stored values that the program takes, each in a buffer of its own."""
        state = store.get_all(self._state_keys)
        if self._kind is not None and _are_alike(state, self._kind):
            return state
        if not _HOST_ARRAYS.isdisjoint(map(type, state)):
            state = [self._moved(store, key, value) for key, value in zip(self._state_keys, state, strict=True)]
        if state:
            self._kind = type(state[0])
        return _unshared(state) if len(set(map(id, state))) < len(state) else state

    def _moved(self, store: Values, key: str, value: Any) -> Any:
        """A stored value on the device, where it stays unless it lives elsewhere."""
        if type(value) is np.ndarray:
            # A copy in memory of its own, so that it can be donated; jax.numpy.array would compile one for each shape.
            value = _copy(value).block_until_ready()
            if key not in self._guests:
                store.commit((key,), iter(((value,),)), {})
        return value

    def _run_on_copies(self, store: Values, inputs: Sequence[Any], undo: Undo) -> Sequence[Any]:
        program = self.program
        found = aside(self._first_run, inputs, not undo.is_last_stage)
        taken = inputs[: len(program.state.written)]
        self.reshapes |= any(map(_have_other_forms, taken, found))
        self._changes_layout = self.reshapes or bool(program.new_keys)
        if any(map(_is_deleted, taken)):  # there was no room for copies
            store.commit(program.state.written, iter((found,)), {})
        self._check(found, inputs)
        undo.prepare(store, program.keys, self._changes_layout)
        store.commit(program.keys, iter((found,)), undo.awaited())
        return self._finish(found)

    def _run_in_place(self, store: Values, inputs: list[Any], undo: Undo, returns_early: bool) -> Sequence[Any]:
        program = self.program
        ran = undo.awaited(len(program.keys) if program.checks else None)
        changed, pending = len(program.state.written), None
        if returns_early:
            inputs[changed:] = [np.array(v) if type(v) is np.ndarray else v for v in inputs[changed:]]
            pending = Pending(self.stage, ran, len(program.keys), partial(self._fail, store, inputs[changed:]))
            store.early.defer(pending)  # before the program runs, so that an interrupt cannot hide its failure
        if self._changes_layout or not undo.is_last_stage:
            undo.prepare(store, program.keys, self._changes_layout, self.stage.donates)
        store.commit(program.keys, itertools.starmap(program.jitted, ((*inputs, *program.constants),)), ran)
        found = ran["found"]
        # Nobody needs the old values any more. Freeing hundreds of them takes a while, and devices compute meanwhile.
        inputs[:changed] = found[:changed]
        if pending is not None:
            store.early.settle_before(pending)
            return [output(found) for output in program.outputs]
        self._check(found, inputs)
        return self._finish(found)

    def _finish(self, found: Sequence[Any]) -> Sequence[Any]:
        program = self.program
        if program.state.written and not program.checks:  # the results of a program are ready at the same time
            found[0].block_until_ready()  # the caller may change a fed array as soon as this returns
        return [output(found) for output in program.outputs]

    def _first_run(self, inputs: Sequence[Any], keeps_old: bool) -> Sequence[Any]:
        """Runs on copies of the donated values; traces and compiles first, unless a run of another form did that."""
        program = self.program
        # In this thread, where no interrupt can leave the collector off, and which has a default device of its own.
        with backend.uncollected(), backend.at(self._device):
            if program.jitted is None:
                program.find(inputs)
            arguments = [*inputs, *program.constants]
            donated = len(program.state.written) if self.stage.donates else 0
            if donated and (keeps_old or self._may_copy(arguments, donated)):
                arguments[:donated] = [_copy(value) for value in inputs[:donated]]
            found = program.jitted(*arguments)
        return backend.jax().block_until_ready(found)  # results of a program that failed raise here, not when stored

    def _may_copy(self, arguments: Sequence[Any], donated: int) -> bool:
        """Whether the first run should get copies of the donated values; yes if the device does not tell its memory.

        A program that fits only in place gets none. One that does not fit at all does: it fails, and loses the copies.
        """
        (device,) = arguments[0].devices()
        free = free_bytes(device.memory_stats())
        if free is None:
            return True
        needs = self.program.jitted.lower(*arguments).compile().memory_analysis()
        program = needs.temp_size_in_bytes + needs.output_size_in_bytes - needs.alias_size_in_bytes
        copies = sum(value.nbytes for value in arguments[:donated])
        return free >= program + copies or copies <= free < program

    def _check(self, found: Sequence[Any], inputs: Sequence[Any]) -> None:
        """Raises the error of the check that failed, if one did. The program has kept the values of all variables."""
        program = self.program
        if not program.checks:
            return
        self.fitting += 1
        # NumPy looks into the array at once; `int` of an array of JAX's takes as long as starting a program.
        if code := int(np.asarray(found[len(program.keys)])):
            changed = len(program.state.written)
            self._raise(code - 1, [*found[:changed], *inputs[changed:]])

    def _fail(self, store: Values, inputs: Sequence[Any], number: int) -> None:
        """Raises the error of a check that failed in a step that has returned: its variables have their old values."""
        self._raise(number, [*store.get_all(self.program.state.written), *inputs])

    def _raise(self, number: int, inputs: Sequence[Any]) -> None:
        """Raises the error of a check that failed in a step with these inputs."""
        node, kind, message = self.program.checks[number]
        if message is CAPACITY_EXCEEDED:
            raise NeedCapacity
        if message is SIZE_ASSUMED:
            self.fitting, self.other = self.fitting - 1, self.other + 1
            raise OtherSizes
        error = kind(None, None, message_with(message, self.program.shown(number, inputs)))
        error.failed_node = node
        raise error

    def _out_of_memory(self, error: Exception, inputs: Sequence[Any]) -> errors.ResourceExhaustedError:
        """The error of a program that got no memory: it names the largest tensor, because XLA names none."""
        size, shape, node = self.program.largest(inputs)
        lost = any(map(_is_lost, inputs))
        result = errors.ResourceExhaustedError(
            None, None, f"{error} The largest tensor of the step has shape {list(shape)}, which takes {size:,} bytes."
            + lost * " The values of the variables that the step updates are lost: restore a checkpoint.")
        result.failed_node = node
        return result


def _on_host_alone(value: Any) -> Any:
    """A copy on the host of an array or a list, which nobody else has."""
    return value._with([np.array(leaf) for leaf in value.leaves]) if isinstance(value, Stacked) else np.array(value)


def _copy(value: Any) -> Any:
    return backend.jax().device_put(value, may_alias=False)


def _have_other_forms(before: Any, after: Any) -> bool:
    return bool(before.shape != after.shape or before.dtype != after.dtype)


def _is_deleted(value: Any) -> bool:
    return isinstance(value, backend.jax().Array) and value.is_deleted()


def _is_lost(value: Any) -> bool:
    """Whether a buffer was donated, or is the result of a program that failed."""
    if not isinstance(value, backend.jax().Array):
        return False
    try:
        value.block_until_ready()
    except RuntimeError:
        return True
    return False


def free_bytes(stats: Mapping[str, int] | None) -> int | None:
    """The free memory of a device by its statistics; None when these do not tell."""
    if not stats or "bytes_limit" not in stats:
        return None
    return stats["bytes_limit"] - stats.get("bytes_in_use", 0)


def _form(dynamic: Sequence[Any]) -> Any:
    """What JAX's own cache of programs distinguishes, of inputs that have the same shapes and dtypes."""
    if not any(map(is_list, dynamic)):
        return tuple(map(type, dynamic))
    leaves, tree = backend.jax().tree_util.tree_flatten(dynamic)
    return tree, tuple(map(type, leaves))


def _are_alike(values: list[Any], kind: type) -> bool:
    """Whether all values are of one type, and no two the same object."""
    if native.steps is not None:
        return native.steps.are_alike(values, kind)
    return {kind}.issuperset(map(type, values)) and len(set(map(id, values))) == len(values)


def _unshared(state: list[Any]) -> list[Any]:
    """Copies of values that occur twice: one buffer can be donated only once."""
    seen: set[int] = set()
    result = []
    for value in state:
        result.append(backend.jax().numpy.copy(value) if id(value) in seen else value)
        seen.add(id(value))
    return result
