"""A stage as one XLA program: the stored values and inputs that it takes, how it is traced, and what tracing tells."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evergraph.base.aside import aside
from evergraph.base.pick import pick
from evergraph.compile import backend
from evergraph.compile.contexts import NumpyContext, TraceContext
from evergraph.compile.footprint import Footprint
from evergraph.compile.generated import Lowered
from evergraph.compile.lower import lower
from evergraph.compile.packing import packing
from evergraph.compile.packs import Pack, pack_of
from evergraph.compile.policy import compilations
from evergraph.compile.shared_programs import MOST_CONSTANTS, Program, Tracer, programs
from evergraph.compile.values import Values
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel import fused_updates, precision
from evergraph.kernel.cells import Cell
from evergraph.kernel.context import ErrorClass
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.storage import put
from evergraph.kernel.values import is_host_dtype, is_traced
from evergraph.passes.description import Names, description
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.partition import Stage
from evergraph.passes.state import with_inner

LARGE_CONSTANT = 1 << 16  # bytes
_GLANCE = 64  # elements, most of which differ if those of a constant do


@dataclass(frozen=True)
class State:
    """The stored values that a program takes. Small slots of optimizers are packed, on CPUs.

    Attributes:
        written: keys of those that it replaces, with the pack.
        read: keys of those that it only reads.
        pack: what is packed.
        all: all keys that the stage uses, also of values that are not set.
    """

    written: tuple[str, ...]
    read: tuple[str, ...]
    pack: Pack | None
    all: tuple[str, ...]


def state_of(stage: Stage, footprint: Footprint, store: Values) -> State:
    """The state of a stage's program for the layout that a store has now. Sets random streams that no step has used."""
    if created := _new_streams(stage, store):
        put(store, created)
    present = [k for k, form in zip(footprint.keys, store.forms(footprint.keys)) if form is not None]
    pack = _pack(stage, store, footprint.slots)
    packed = () if pack is None else pack.shapes
    written = [k for k in present if k in footprint.written and k not in packed]
    read = [k for k in present if k not in footprint.written]
    return State((*written, *(() if pack is None else (pack,))), tuple(read), pack, tuple(footprint.keys))


def _pack(stage: Stage, store: Values, slots: Sequence[str]) -> Pack | None:
    """How slots that are set are packed; None if they are not."""
    if not (slots and store.packs and stage.donates):
        return None
    backend.jax()  # which kernels ask for their platform has to be set up
    return pack_of(dict(zip(slots, store.forms(slots)))) if fused_updates.are_in_c() else None


class StageProgram:
    """The program of a stage for one signature.

    It takes the stored values that the stage writes, those that it only reads, the dynamic inputs, and, where steps may
    return early, the code of the step before: if that failed, it does nothing. It returns one flat tuple: the values of
    cells written, of cells set for the first time, 0 or 1 + the number of the check that failed, and the outputs.

    Args:
        stage, lowered, capacity, args, bounds, assumes_sizes, mixed: as for `Executable`.
        state: the stored values that it takes.
        takes_code: whether it takes the code of the step before.
        is_small: whether it makes few numbers.

    Attributes:
        dynamic: picks the inputs that it takes.
        packing: how these travel.
        jitted: what `jax.jit` returns, once it is found.
        module: what XLA calls it.
        constants: large ones, which are its last arguments.
        new_keys: cells that it sets for the first time.
        keys: of the stored values among the results.
        checks: the node of each check, the error class and the message for its failure.
        traced_names: what its nodes are called in the stage that was traced, by their own names.
        outputs: each finds one output in what the program returns.
    """

    def __init__(
        self, stage: Stage, lowered: Callable[[], Lowered], state: State, capacity: int, args: Sequence[Any],
        bounds: Mapping[Tensor, int] | None, assumes_sizes: bool, mixed: MixedPrecision | None, takes_code: bool,
        is_small: bool,
    ) -> None:
        self.stage, self._lowered, self.state, self.capacity = stage, lowered, state, capacity
        self._bounds, self._assumes_sizes, self._mixed = bounds, assumes_sizes, mixed
        self._takes_code, self._is_small = takes_code, is_small
        self._static = {i: args[i] for i in stage.static_positions}
        self.dynamic = pick(stage.dynamic_positions) if self._static else _all
        self.packing = packing(self.dynamic(args), stage.place.platform == "cpu")
        self.jitted: Any = None
        self.module = ""
        self.constants: list[Any] = []
        self.new_keys: list[str] = []
        self.keys: tuple[str, ...] = ()
        self.checks: list[tuple[Operation, ErrorClass, str]] = []
        self.traced_names: Mapping[str, str] = {}
        self.outputs: list[Callable[[Sequence[Any]], Any]] = []

    def find(self, inputs: Sequence[Any]) -> None:
        """Takes the program of an equal stage, or else traces one for such inputs."""
        self._take_or_trace(inputs)
        self.keys = (*self.state.written, *self.new_keys)

    def _take_or_trace(self, inputs: Sequence[Any]) -> None:
        """Takes the program of an equal stage, or else traces one of its own, which later stages may take."""
        names = Names()
        key = self._signature(inputs, names)
        found = None if key is None else programs.get(key)
        if found is not None:
            found.tracer.users.add(self)
            nodes, own = self._nodes(), list(names)
            self.jitted, self.constants, self.outputs = found.jitted, list(found.constants), list(found.outputs)
            self.module = found.tracer.module
            self.new_keys = [own[number] for number in found.new_keys]
            self.checks = [(nodes[place], kind, message) for place, kind, message in found.checks]
            self.traced_names = dict(zip(own, found.names, strict=True))
            return
        tracer = Tracer([node.name for node in with_inner(self.stage.nodes)])
        self.module = tracer.module
        tracer.users.add(self)
        self.jitted, self.constants = _without_large_constants(self._jit(), tracer, inputs)
        if key is None or sum(constant.nbytes for constant in self.constants) > MOST_CONSTANTS:
            return
        places = {node: place for place, node in enumerate(self._nodes())}
        if all(node in places for node, *_ in self.checks):  # not in bodies of loops that were cut to what is used
            checks = tuple((places[node], kind, message) for node, kind, message in self.checks)
            new_keys = tuple(names[new] for new in self.new_keys)
            programs.put(key, Program(self.jitted, tracer, tuple(self.constants), tuple(names), new_keys, checks,
                                      tuple(self.outputs)))

    def _nodes(self) -> list[Operation]:
        """The nodes that equal stages have too."""
        return [node for node in with_inner(self.stage.nodes) if node.opdef.kind is not Kind.NO_OP]

    def _signature(self, inputs: Sequence[Any], names: Names) -> Hashable | None:
        """What programs of equal stages have in common; None if nobody can tell. `names` gets those that they have."""
        stage = None if any(map(is_list, inputs)) else description(self.stage, names)
        if stage is None:
            return None
        bounds = frozenset((names[t.op.name], t.value_index, bound) for t, bound in (self._bounds or {}).items())
        known = tuple((i, value.dtype, value.shape, value.tobytes()) for i, value in self._static.items())
        forms = tuple((value.shape, value.dtype) for value in inputs)
        mixed = None if self._mixed is None else (self._mixed.dtype, frozenset(self._mixed.lists.items()))
        pack = self.state.pack
        packed = None if pack is None else tuple((names[key], shape) for key, shape in pack.shapes.items())
        state = tuple(tuple(names[k] for k in keys if k is not pack) for keys in (self.state.written, self.state.read))
        return (stage, self.stage.place.platform, packed, state, self.capacity, bounds, self._assumes_sizes, known,
                forms, self.packing, self._takes_code, precision.setting.uses_tf32, mixed)

    def _jit(self) -> Any:
        """`jax.jit`, with what this program needs."""
        donated = tuple(range(len(self.state.written))) if self.stage.donates else ()
        return partial(backend.jax().jit, donate_argnums=donated,
                       compiler_options=backend.compiler_options(self._is_small, self.stage.place.platform))

    def shown(self, number: int, inputs: Sequence[Any]) -> list[Any]:
        """The values in the message of a check: computed only after it has failed, by a program of their own."""
        jax = backend.jax()
        items: list[Any] = []

        def compute(*values: Any) -> list[Any]:
            context = self._run(values)[0]
            items[:] = context.messages[number][-1]
            return [item for item in items if is_traced(item)]

        computed = iter(aside(jax.jit(compute), *inputs))
        return [next(computed) if is_traced(item) else item for item in items]

    def largest(self, inputs: Sequence[Any]) -> tuple[int, tuple[int, ...], Operation | None]:
        """(bytes, shape, node) of the largest tensor of the stage, with these inputs."""
        jax, stage = backend.jax(), self.stage
        wanted = [t for n in stage.nodes if n.opdef.kind is not Kind.CONSTANT for t in n.outputs
                  if not t._dtype.is_ref and not is_host_dtype(t._dtype)]
        lowered = lower(stage.nodes, stage.inputs, wanted, stage.fixed, stage.late)
        specs = jax.tree_util.tree_map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), list(inputs))
        found = aside(jax.eval_shape, lambda *values: self._run(values, lowered)[-1], *specs)
        sizes = [math.prod(spec.shape) * spec.dtype.itemsize for spec in found]
        return max(zip(sizes, [spec.shape for spec in found], [t.op for t in wanted]),
                   key=operator.itemgetter(0), default=(0, (), None))

    # ---- trace time

    def trace(self, *values: Any) -> tuple[Any, ...]:
        """The function that XLA compiles."""
        numpy = backend.jax().numpy
        compilations.count += 1
        context, given, packed, outputs = self._run(values)
        self.checks = [check[:-1] for check in context.messages]
        if self.checks and self._takes_code:
            context.failed = numpy.where(values[-1] == 0, context.failed, np.int32(-1))
        wanted = context.failed == 0 if self.checks else True
        fused_updates.settle(context.cells.values(), wanted, self.stage.donates, packed)
        arguments = set(map(id, given.values()))
        if packed is not None:
            for key in packed.left():
                packed.put(key, self._after(context, given[key], key, wanted, arguments))
            given[packed.key] = packed.array
        state = [self._after(context, given[key], key, wanted, arguments) for key in self.state.written]
        self.new_keys = [c.key for c in context.cells.values() if c.changed and c.key not in given]
        state += [numpy.asarray(context.cells[k].peek()) for k in self.new_keys]
        leaves = self._flattened(outputs, values, len(state) + 1)
        return tuple(map(_strong, (*state, context.failed, *leaves)))

    def _run(
        self, values: Sequence[Any], lowered: Lowered | None = None
    ) -> tuple[TraceContext, dict[str, Any], fused_updates.Packed | None, Sequence[Any]]:
        """(the context after the step, the stored values before it, the pack among them, the outputs), traced."""
        keys = (*self.state.written, *self.state.read)
        given = dict(zip(keys, values[: len(keys)], strict=True))
        packed = None
        if (pack := self.state.pack) is not None:
            packed = fused_updates.Packed(pack, given[pack], dict(pack.parts(given[pack])))
            given |= packed.values
        context = TraceContext(given.get, self.capacity, self.stage.lengths, self._bounds, self._assumes_sizes,
                               self._mixed)
        call = (lowered or self._lowered()).call
        return context, given, packed, call(context, *self._arguments(values[len(keys) :]))

    def _arguments(self, taken: Sequence[Any]) -> list[Any]:
        given = self._static | dict(zip(self.stage.dynamic_positions, self.packing.unpacked(taken)))
        return [given[position] for position in range(len(self.stage.inputs))]

    def _flattened(self, outputs: Sequence[Any], values: Sequence[Any], start: int) -> list[Any]:
        """The arrays that the outputs consist of; notes how each output is made of what the program returns.

        An output that is known at trace time is no part of the program.
        """
        jax = backend.jax()
        arguments = {id(v) for v in values}
        leaves: list[Any] = []
        self.outputs = []
        for output in outputs:
            place = start + len(leaves)
            if not is_traced(output) and not is_list(output):
                self.outputs.append(partial(_known, output))
                continue
            parts, tree = jax.tree_util.tree_flatten(output)
            leaves += [jax.numpy.copy(leaf) if id(leaf) in arguments else leaf for leaf in parts]
            if is_list(output):
                self.outputs.append(partial(_rebuilt, tree, slice(place, start + len(leaves))))
            else:
                self.outputs.append(operator.itemgetter(place))
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
    keep it on disk with the program. One that is a number over and over, as of tf.zeros, the program makes itself.
    """
    jax = backend.jax()
    jitted = jit(partial(function))  # JAX keeps what it has traced for as long as it is the same object
    traced = jitted.trace(*inputs)
    constants = traced.jaxpr.consts
    large = {place for place, value in enumerate(constants) if getattr(value, "nbytes", 0) >= LARGE_CONSTANT}
    if not large:
        return jitted, []
    filled = {place: number for place in large if (number := _only_number(constants[place])) is not None}
    shapes = {place: constants[place].shape for place in filled}
    given = [np.asarray(constants[place]) for place in sorted(large - filled.keys())]
    known = [None if place in large else value for place, value in enumerate(constants)]
    inner, tree = traced.jaxpr.jaxpr, jax.tree_util.tree_structure(traced.out_info)

    def with_constants(*values: Any) -> Any:
        taken = iter(values[len(inputs) :])
        flat = jax.tree_util.tree_leaves(values[: len(inputs)])
        made = {place: jax.numpy.full(shapes[place], number) for place, number in filled.items()}
        all_of_them = [made[place] if place in made else next(taken) if place in large else value
                       for place, value in enumerate(known)]
        return jax.tree_util.tree_unflatten(tree, jax.core.eval_jaxpr(inner, all_of_them, *flat))

    with_constants.__name__ = function.__name__
    return jit(with_constants), [jax.numpy.asarray(value) for value in given]


def _only_number(constant: Any) -> Any:
    """The number that all elements of a constant are, to the bit; None if there are several."""
    values = np.ascontiguousarray(constant).reshape(-1)
    bits = values.view(f"u{min(values.itemsize, 8)}").reshape(values.size, -1)
    is_one = (bits[:_GLANCE] == bits[0]).all() and (bits == bits[0]).all()
    return values[0] if is_one else None


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
