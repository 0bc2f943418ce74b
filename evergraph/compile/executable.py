"""A stage compiled into one XLA program, with the state that it reads, updates and creates."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from functools import partial
from typing import Any

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.base.pick import pick
from evergraph.compile import backend
from evergraph.compile.aside import aside
from evergraph.compile.contexts import NumpyContext, TraceContext
from evergraph.compile.early import Pending
from evergraph.compile.footprint import Footprint
from evergraph.compile.generated import Lowered
from evergraph.compile.lower import lower
from evergraph.compile.packing import packing
from evergraph.compile.packs import Pack, pack_of
from evergraph.compile.policy import compilations
from evergraph.compile.shared_programs import Program, Tracer, programs
from evergraph.compile.undo import Undo
from evergraph.compile.values import Values
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel import fused_updates, precision
from evergraph.kernel.cells import Cell
from evergraph.kernel.context import ErrorClass, message_with
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.lists.stacked import Stacked
from evergraph.kernel.reasons import CAPACITY_EXCEEDED, SIZE_ASSUMED, NeedCapacity, OtherSizes
from evergraph.kernel.storage import put
from evergraph.kernel.values import is_host_dtype, is_traced
from evergraph.passes.description import description
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.partition import Stage
from evergraph.passes.state import with_inner

LARGE_CONSTANT = 1 << 16  # bytes
_HOST_ARRAYS = frozenset((np.ndarray,))
_SMALL_STATE = 1 << 18  # bytes of a stored value that may stay on the host ...
_MOVES = 4  # ... after it has been moved to the device so many times


class Executable:
    """A stage compiled for one signature: shapes of inputs, values of static inputs, layout of the store.

    The program takes the stored values that the stage writes, those that it only reads, and the dynamic inputs. Small
    slots of optimizers are packed: on CPUs their pack is one of the values that it writes. The
    last device stage of a run donates the values that it writes. The program returns one flat tuple: the values of the
    cells written, of the cells set for the first time, 0 or 1 + the number of the check that failed, and the outputs.

    Args:
        stage: the stage.
        lowered: its code.
        footprint: what it stores.
        capacity: the room for lists that grow in loops of unknown length.
        store: the values that it is compiled for.
        args: the inputs that it is compiled for.
        bounds: what the host knows about ids among the inputs.
        assumes_sizes: whether it may rely on sizes that it checks.
        mixed: how it computes in mixed precision, if it does.

    Attributes:
        write_keys: stored values that the program replaces.
        read_keys: stored values that it only reads.
        new_keys: cells that it sets for the first time.
        checks: the node of each check, the error class and the message for its failure.
        fitting, other: how many steps had the sizes that it assumes, and how many had others; counted if it has checks.
    """

    def __init__(
        self,
        stage: Stage,
        lowered: Lowered,
        footprint: Footprint,
        capacity: int,
        store: Values,
        args: Sequence[Any],
        bounds: Mapping[Tensor, int] | None = None,
        assumes_sizes: bool = True,
        mixed: MixedPrecision | None = None,
    ) -> None:
        self.stage, self.lowered, self.capacity, self._bounds = stage, lowered, capacity, bounds
        self._assumes_sizes, self._mixed = assumes_sizes, mixed
        self.fitting, self.other = 0, 0
        if created := _new_streams(stage, store):
            put(store, created)
        present = [k for k, form in zip(footprint.keys, store.forms(footprint.keys)) if form is not None]
        self._pack = self._new_pack(store, footprint.slots)
        packed = () if self._pack is None else self._pack.shapes
        self.write_keys = [k for k in present if k in footprint.written and k not in packed]
        self.read_keys = [k for k in present if k not in footprint.written]
        if self._pack is not None:
            self.write_keys.append(self._pack)
        self._all_keys = footprint.keys
        self._state_keys = (*self.write_keys, *self.read_keys)
        self.new_keys: list[str] = []
        self.checks: list[tuple[Operation, ErrorClass, str]] = []
        self._is_small = footprint.makes_few_elements(args)
        self._static = {i: args[i] for i in stage.static_positions}
        self._dynamic = pick(stage.dynamic_positions) if self._static else _all  # the inputs that the program takes
        self._packing = packing(self._dynamic(args), backend.platform() == "cpu")
        self._outputs: list[Callable[[Sequence[Any]], Any]] = []  # each finds one output in what the program returns
        self.jitted: Any = None  # made by the first run
        self._constants: list[Any] = []  # large ones, which are arguments of the program
        self._keys: tuple[str, ...] = ()  # of the stored values among the results
        # Where steps may return early, a program takes the code of the step before, and does nothing if that failed.
        self._first_code = backend.jax().device_put(np.int32(0)) if store.early.is_allowed else None
        self._kind: type | None = None  # that all stored values that the program takes had last time
        self._changes_layout = False  # whether it gives a stored value another shape or dtype; the first run tells
        self._forms: set[Any] = set()  # of the inputs that JAX runs the program for without calling Python
        # Key of a value that the program only reads -> (how often it was on the host, the last one that stayed there).
        self._on_host: dict[str, tuple[int, Any]] = {}

    def _new_pack(self, store: Values, slots: Sequence[str]) -> Pack | None:
        """How slots that are set are packed; None if they are not."""
        if not (slots and store.packs and self.stage.donates):
            return None
        backend.jax()  # which kernels ask for their platform has to be set up
        if not fused_updates.are_in_c():
            return None
        return pack_of(dict(zip(slots, store.forms(slots))))

    def copies(self, store: Values, args: Sequence[Any]) -> list[Any] | None:
        """Copies on the host of what the program would take now; None if that cannot be told without the run."""
        values = [*store.get_all(self._state_keys), *self._packing.packed(self._dynamic(args))]
        if any(is_list(value) and not isinstance(value, Stacked) for value in values):
            return None
        code = [] if self._first_code is None else [self._first_code]
        return [*map(_on_host_alone, values), *code]

    def find(self, copies: Sequence[Any]) -> None:
        """Traces the program, or takes that of an equal stage, without a run."""
        with backend.uncollected():
            self._find_program(copies)

    def compile(self, copies: Sequence[Any]) -> None:
        """Compiles the program by a run on copies of state and inputs, and drops its results. Any thread may do so."""
        count = len(self._state_keys)
        self._first_run([*map(_copy, copies[:count]), *copies[count:]], True)

    def run(self, store: Values, args: Sequence[Any], undo: Undo) -> Sequence[Any]:
        """The outputs of the stage, whose new values are stored.

        The first run of a program, which JAX does in Python and which may run out of memory, gets copies to donate,
        where there is room for them: until the results are stored, nothing has changed. Later runs donate the stored
        buffers themselves, in one C call that stores the results too, out of reach of interrupts.
        """
        if self.jitted is None:
            backend.jax()  # knows the lists that may be among the arguments of the process's first program
        inputs, on_host = self._state(store)
        dynamic = self._dynamic(args)
        if self._packing.parcels:
            dynamic = self._packing.packed(dynamic)
        inputs += dynamic
        form: Any = (on_host, *map(type, dynamic))
        if form not in self._forms:
            form = _form(on_host, dynamic)
        in_place = form in self._forms and not (self.checks and self.new_keys)
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
            and not any(message is CAPACITY_EXCEEDED or message is SIZE_ASSUMED for *_, message in self.checks)

    def share(self, other: Executable) -> None:
        """Uses the program of another stage that is alike, and of the same layout: it takes and returns the same."""
        key, node = dict(zip(other._all_keys, self._all_keys)), dict(zip(other.stage.nodes, self.stage.nodes))
        self.jitted, self._constants, self._outputs = other.jitted, other._constants, other._outputs
        self._packing = other._packing
        self.new_keys = [key[k] for k in other.new_keys]
        self.checks = [(node[each], kind, message) for each, kind, message in other.checks]
        self._keys = (*self.write_keys, *self.new_keys)
        self._forms, self._changes_layout = other._forms, other._changes_layout

    def _state(self, store: Values) -> tuple[list[Any], tuple[int, ...]]:
        """(the stored values that the program takes, each in a buffer of its own; the places of those on the host)."""
        state = store.get_all(self._state_keys)
        if self._kind is not None and _are_alike(state, self._kind):
            return state, ()
        on_host: tuple[int, ...] = ()
        if not _HOST_ARRAYS.isdisjoint(map(type, state)):
            read = zip(self.read_keys, state[len(self.write_keys) :], strict=True)
            state = [*(_on_device(store, key, value) for key, value in zip(self.write_keys, state)),
                     *(self._read(store, key, value) for key, value in read)]
            on_host = tuple(place for place, value in enumerate(state) if type(value) is np.ndarray)
        if state and not on_host:
            self._kind = type(state[0])
        return (_unshared(state) if len(set(map(id, state))) < len(state) else state), on_host

    def _read(self, store: Values, key: str, value: Any) -> Any:
        """A stored value that the program only reads: on the device, where it stays until it is replaced.

        A small one that a stage on NumPy replaces in every step stays on the host, and JAX takes it like an input.
        """
        if type(value) is not np.ndarray:
            return value
        times, last = self._on_host.get(key, (0, None))
        if times < _MOVES or value is last or value.nbytes > _SMALL_STATE or backend.platform() != "cpu":
            self._on_host[key] = (times + 1, None)
            return _on_device(store, key, value)
        self._on_host[key] = (times, value)
        return value

    def _run_on_copies(self, store: Values, inputs: Sequence[Any], undo: Undo) -> Sequence[Any]:
        found = aside(self._first_run, inputs, not undo.is_last_stage)
        taken = inputs[: len(self.write_keys)]
        self._changes_layout |= bool(self.new_keys) or any(map(_have_other_forms, taken, found))
        if any(map(_is_deleted, taken)):  # there was no room for copies
            store.commit(self.write_keys, iter((found,)), {})
        self._check(found, inputs)
        undo.prepare(store, self._keys, self._changes_layout)
        store.commit(self._keys, iter((found,)), undo.awaited())
        return self._finish(found)

    def _run_in_place(self, store: Values, inputs: list[Any], undo: Undo, returns_early: bool) -> Sequence[Any]:
        ran = undo.awaited(len(self._keys) if self.checks else None)
        changed, pending = len(self.write_keys), None
        if returns_early:
            inputs[changed:] = [np.array(v) if type(v) is np.ndarray else v for v in inputs[changed:]]
            pending = Pending(self.stage, ran, len(self._keys), partial(self._fail, store, inputs[changed:]))
            store.early.defer(pending)  # before the program runs, so that an interrupt cannot hide its failure
        if self._changes_layout or not undo.is_last_stage:
            undo.prepare(store, self._keys, self._changes_layout, self.stage.donates)
        store.commit(self._keys, itertools.starmap(self.jitted, ((*inputs, *self._constants),)), ran)
        found = ran["found"]
        # Nobody needs the old values any more. Freeing hundreds of them takes a while, and devices compute meanwhile.
        inputs[:changed] = found[:changed]
        if pending is not None:
            store.early.settle_before(pending)
            return [output(found) for output in self._outputs]
        self._check(found, inputs)
        return self._finish(found)

    def _finish(self, found: Sequence[Any]) -> Sequence[Any]:
        if self.write_keys and not self.checks:  # the results of a program are ready at the same time
            found[0].block_until_ready()  # the caller may change a fed array as soon as this returns
        return [output(found) for output in self._outputs]

    def _first_run(self, inputs: Sequence[Any], keeps_old: bool) -> Sequence[Any]:
        """Runs on copies of the donated values; traces and compiles first, unless a run of another form did that."""
        with backend.uncollected():  # in this thread, where no interrupt can leave the collector off
            if self.jitted is None:
                self._find_program(inputs)
            arguments = [*inputs, *self._constants]
            donated = len(self.write_keys) if self.stage.donates else 0
            if donated and (keeps_old or self._may_copy(arguments, donated)):
                arguments[:donated] = [_copy(value) for value in inputs[:donated]]
            found = self.jitted(*arguments)
        return backend.jax().block_until_ready(found)  # results of a program that failed raise here, not when stored

    def _find_program(self, inputs: Sequence[Any]) -> None:
        self._take_or_trace(inputs)
        self._keys = (*self.write_keys, *self.new_keys)

    def _take_or_trace(self, inputs: Sequence[Any]) -> None:
        """Takes the program of an equal stage, or else traces one of its own, which later stages may take."""
        key = self._signature(inputs)
        found = None if key is None else programs.get(key)
        if found is not None:
            found.tracer.users.add(self)
            nodes = list(with_inner(self.stage.nodes))
            self.jitted, self.new_keys, self._outputs = found.jitted, list(found.new_keys), list(found.outputs)
            self.checks = [(nodes[place], kind, message) for place, kind, message in found.checks]
            return
        tracer = Tracer()
        tracer.users.add(self)
        self.jitted, self._constants = _without_large_constants(self._jit(), tracer, inputs)
        if key is None or self._constants:
            return
        places = {node: place for place, node in enumerate(with_inner(self.stage.nodes))}
        if all(node in places for node, *_ in self.checks):  # not in bodies of loops that were cut to what is used
            checks = tuple((places[node], kind, message) for node, kind, message in self.checks)
            programs.put(key, Program(self.jitted, tracer, tuple(self.new_keys), checks, tuple(self._outputs)))

    def _signature(self, inputs: Sequence[Any]) -> Hashable | None:
        """What programs of equal stages have in common; None if nobody can tell."""
        stage = None if any(map(is_list, inputs)) else description(self.stage)
        if stage is None:
            return None
        bounds = frozenset((t.name, bound) for t, bound in (self._bounds or {}).items())
        known = tuple((i, value.dtype, value.shape, value.tobytes()) for i, value in self._static.items())
        forms = tuple((value.shape, value.dtype) for value in inputs)
        mixed = None if self._mixed is None else (self._mixed.dtype, frozenset(self._mixed.lists.items()))
        return (stage, tuple(self.write_keys), tuple(self.read_keys), self.capacity, bounds, self._assumes_sizes, known,
                forms, self._packing, precision.setting.uses_tf32, mixed)

    def _jit(self) -> Any:
        """`jax.jit`, with what this program needs."""
        donated = tuple(range(len(self.write_keys))) if self.stage.donates else ()
        return partial(backend.jax().jit, donate_argnums=donated,
                                 compiler_options=backend.compiler_options(self._is_small))

    def _may_copy(self, arguments: Sequence[Any], donated: int) -> bool:
        """Whether the first run should get copies of the donated values; yes if the device does not tell its memory.

        A program that fits only in place gets none. One that does not fit at all does: it fails, and loses the copies.
        """
        (device,) = arguments[0].devices()
        free = free_bytes(device.memory_stats())
        if free is None:
            return True
        needs = self.jitted.lower(*arguments).compile().memory_analysis()
        program = needs.temp_size_in_bytes + needs.output_size_in_bytes - needs.alias_size_in_bytes
        copies = sum(value.nbytes for value in arguments[:donated])
        return free >= program + copies or copies <= free < program

    def _check(self, found: Sequence[Any], inputs: Sequence[Any]) -> None:
        """Raises the error of the check that failed, if one did. The program has kept the values of all variables."""
        if not self.checks:
            return
        self.fitting += 1
        # NumPy looks into the array at once; `int` of an array of JAX's takes as long as starting a program.
        if code := int(np.asarray(found[len(self._keys)])):
            changed = len(self.write_keys)
            self._raise(code - 1, [*found[:changed], *inputs[changed:]])

    def _fail(self, store: Values, inputs: Sequence[Any], number: int) -> None:
        """Raises the error of a check that failed in a step that has returned: its variables have their old values."""
        self._raise(number, [*store.get_all(self.write_keys), *inputs])

    def _raise(self, number: int, inputs: Sequence[Any]) -> None:
        """Raises the error of a check that failed in a step with these inputs."""
        node, kind, message = self.checks[number]
        if message is CAPACITY_EXCEEDED:
            raise NeedCapacity
        if message is SIZE_ASSUMED:
            self.fitting, self.other = self.fitting - 1, self.other + 1
            raise OtherSizes
        error = kind(None, None, message_with(message, self._shown(number, inputs)))
        error.failed_node = node
        raise error

    def _shown(self, number: int, inputs: Sequence[Any]) -> list[Any]:
        """The values in the message of a check: computed only after it has failed, by a program of their own."""
        jax = backend.jax()
        items: list[Any] = []

        def compute(*values: Any) -> list[Any]:
            context = self._run_traced(values)[0]
            items[:] = context.messages[number][-1]
            return [item for item in items if is_traced(item)]

        computed = iter(aside(jax.jit(compute), *inputs))
        return [next(computed) if is_traced(item) else item for item in items]

    def _out_of_memory(self, error: Exception, inputs: Sequence[Any]) -> errors.ResourceExhaustedError:
        """The error of a program that got no memory: it names the largest tensor, because XLA names none."""
        jax = backend.jax()
        wanted = [t for n in self.stage.nodes if n.opdef.kind is not Kind.CONSTANT for t in n.outputs
                  if not t._dtype.is_ref and not is_host_dtype(t._dtype)]
        lowered = lower(self.stage.nodes, self.stage.inputs, wanted, self.stage.fixed, self.stage.late)
        specs = jax.tree_util.tree_map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), list(inputs))
        found = aside(jax.eval_shape, lambda *values: self._run_traced(values, lowered)[-1], *specs)
        sizes = [math.prod(spec.shape) * spec.dtype.itemsize for spec in found]
        size, shape, node = max(zip(sizes, [spec.shape for spec in found], [t.op for t in wanted]),
                                key=operator.itemgetter(0), default=(0, (), None))
        lost = any(map(_is_lost, inputs))
        result = errors.ResourceExhaustedError(
            None, None, f"{error} The largest tensor of the step has shape {list(shape)}, which takes {size:,} bytes."
            + lost * " The values of the variables that the step updates are lost: restore a checkpoint.")
        result.failed_node = node
        return result

    # ---- trace time

    def trace(self, *values: Any) -> tuple[Any, ...]:
        """The function that XLA compiles."""
        numpy = backend.jax().numpy
        compilations.count += 1
        context, given, packed, outputs = self._run_traced(values)
        self.checks = [check[:-1] for check in context.messages]
        if self.checks and self._first_code is not None:
            context.failed = numpy.where(values[-1] == 0, context.failed, np.int32(-1))
        wanted = context.failed == 0 if self.checks else True
        fused_updates.settle(context.cells.values(), wanted, self.stage.donates, packed)
        arguments = set(map(id, given.values()))
        if packed is not None:
            for key in packed.left():
                packed.put(key, self._after(context, given[key], key, wanted, arguments))
            given[packed.key] = packed.array
        state = [self._after(context, given[key], key, wanted, arguments) for key in self.write_keys]
        self.new_keys = [c.key for c in context.cells.values() if c.changed and c.key not in given]
        state += [numpy.asarray(context.cells[k].peek()) for k in self.new_keys]
        leaves = self._flattened(outputs, values, len(state) + 1)
        return tuple(map(_strong, (*state, context.failed, *leaves)))

    def _run_traced(
        self, values: Sequence[Any], lowered: Lowered | None = None
    ) -> tuple[TraceContext, dict[str, Any], fused_updates.Packed | None, Sequence[Any]]:
        """(the context after the step, the stored values before it, the pack among them, the outputs), traced."""
        keys = self._state_keys
        given = dict(zip(keys, values[: len(keys)], strict=True))
        packed = None
        if self._pack is not None:
            array = given[self._pack]
            packed = fused_updates.Packed(self._pack, array, dict(self._pack.parts(array)))
            given |= packed.values
        context = TraceContext(given.get, self.capacity, self.stage.lengths, self._bounds, self._assumes_sizes,
                               self._mixed)
        call = (lowered or self.lowered).call
        return context, given, packed, call(context, *self._arguments(values[len(keys) :]))

    def _arguments(self, taken: Sequence[Any]) -> list[Any]:
        given = self._static | dict(zip(self.stage.dynamic_positions, self._packing.unpacked(taken)))
        return [given[position] for position in range(len(self.stage.inputs))]

    def _flattened(self, outputs: Sequence[Any], values: Sequence[Any], start: int) -> list[Any]:
        """The arrays that the outputs consist of; notes how each output is made of what the program returns.

        An output that is known at trace time is no part of the program.
        """
        jax = backend.jax()
        arguments = {id(v) for v in values}
        leaves: list[Any] = []
        self._outputs = []
        for output in outputs:
            place = start + len(leaves)
            if not is_traced(output) and not is_list(output):
                self._outputs.append(partial(_known, output))
                continue
            parts, tree = jax.tree_util.tree_flatten(output)
            leaves += [jax.numpy.copy(leaf) if id(leaf) in arguments else leaf for leaf in parts]
            if is_list(output):
                self._outputs.append(partial(_rebuilt, tree, slice(place, start + len(leaves))))
            else:
                self._outputs.append(operator.itemgetter(place))
        return leaves

    def _after(self, context: TraceContext, old: Any, key: str, wanted: Any, arguments: Set[int]) -> Any:
        """The value of a cell after the step: the old one if a check failed. `arguments` has the ids of these."""
        numpy = backend.jax().numpy
        cell: Cell | None = context.cells.get(key)
        if cell is None or not cell.changed:
            return old
        in_part = cell.outcome(wanted)
        if in_part is not None:
            return in_part
        new = numpy.asarray(cell.peek())
        if new is not old and id(new) in arguments:
            new = numpy.copy(new)  # two variables must not share one buffer: each is donated
        if wanted is not True and new.shape == old.shape:
            new = numpy.where(wanted, new, old)
        return new


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


def _form(on_host: tuple[int, ...], dynamic: Sequence[Any]) -> Any:
    """What JAX's own cache of programs distinguishes, of inputs that have the same shapes and dtypes.

    Args:
        on_host: the places of stored values that are NumPy arrays.
        dynamic: the other inputs.
    """
    if not any(map(is_list, dynamic)):
        return (on_host, *map(type, dynamic))
    leaves, tree = backend.jax().tree_util.tree_flatten(dynamic)
    return on_host, tree, tuple(map(type, leaves))


def _strong(value: Any) -> Any:
    """The value with a dtype that is no longer weak: as an input it would be another signature for JAX."""
    return backend.jax().lax.convert_element_type(value, value.dtype) if getattr(value, "weak_type", False) else value


def _all(args: Sequence[Any]) -> Sequence[Any]:
    return args


def _known(output: Any, found: Sequence[Any]) -> Any:
    return output


def _rebuilt(tree: Any, places: slice, found: Sequence[Any]) -> Any:
    return backend.jax().tree_util.tree_unflatten(tree, found[places])


def _without_large_constants(jit: Any, function: Any, inputs: Sequence[Any]) -> tuple[Any, list[Any]]:
    """(the jitted function, the constants that it takes after such inputs).

    XLA would fold computations on a constant and embed the result in the program, which takes long for large ones, and
    keep it on disk with the program.
    """
    jax = backend.jax()
    jitted = jit(function)
    traced = jitted.trace(*inputs)
    constants = traced.jaxpr.consts
    large = [place for place, value in enumerate(constants) if getattr(value, "nbytes", 0) >= LARGE_CONSTANT]
    if not large:
        return jitted, []
    known = [None if place in large else value for place, value in enumerate(constants)]
    tree = jax.tree_util.tree_structure(traced.out_info)

    def with_constants(*values: Any) -> Any:
        taken = iter(values[len(inputs) :])
        flat = jax.tree_util.tree_leaves(values[: len(inputs)])
        all_of_them = [next(taken) if place in large else value for place, value in enumerate(known)]
        results = jax.core.eval_jaxpr(traced.jaxpr.jaxpr, all_of_them, *flat)
        return jax.tree_util.tree_unflatten(tree, results)

    return jit(with_constants), [jax.numpy.asarray(np.asarray(constants[place])) for place in large]


def _new_streams(stage: Stage, store: Values) -> dict[str, Any]:
    """Initial states of random streams that no step has used yet: they enter the program as state."""
    context = NumpyContext(lambda key: store.get_all((key,))[0], store.shared)
    created = {}
    for node in with_inner(stage.nodes):
        if "rng" in node.opdef.wants:
            context.rng(node)
            cell = context.cell(node)
            if cell.changed:
                created[cell.key] = cell.peek()
    return created


def _on_device(store: Values, key: str, value: Any) -> Any:
    if type(value) is np.ndarray:
        # A copy in memory of its own, so that it can be donated; jax.numpy.array would compile one for each shape.
        value = _copy(value).block_until_ready()
        store.commit((key,), iter(((value,),)), {})
    return value


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
