"""Reverse-mode differentiation of graphs: walks from ys back to xs and calls the gradient function of each op."""

from __future__ import annotations

import collections
import contextlib
import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.graph import primitives
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.registry import find
from evergraph.graph.traits import Kind

Gradient = Tensor | IndexedSlices | None

OWN_GRADIENT = "_gradient_function"
"""The key in `extra` under which an operation that has run keeps a gradient function of its own."""

REGISTERED: dict[str, Callable[..., Any]] = {}
"""Gradients that programs register themselves, by the name `gradient_override_map` or an op's type refers to."""


def differentiate(
    ys: Sequence[Tensor], xs: Sequence[Tensor], grad_ys: Sequence[Any] | None = None,
    stop_gradients: Sequence[Tensor] = (), colocate: bool = False, gate: bool = False,
) -> list[Gradient]:
    """The gradient of the sum of `ys` with respect to each of `xs`; None for an x that no y depends on.

    Args:
        ys: the tensors to differentiate.
        xs: the tensors with respect to which to differentiate.
        grad_ys: the initial gradient of each y, or None for ones.
        stop_gradients: tensors to treat as constants.
        colocate: whether to place gradient nodes on the device of the op they belong to.
        gate: whether all gradients of an op must be computed before any of them is used.

    Raises:
        LookupError: an op on a path from xs to ys has no gradient.
    """
    graph = default_graph()
    if isinstance(graph, FuncGraph) and graph.forward is not None and all(y.graph is graph for y in ys):
        # A gradient function inside the gradient of a function differentiates with respect to tensors of the forward
        # function. The walk meets their captures instead.
        local = lambda tensor: graph.capture(tensor) if graph.forward.has(tensor) else tensor
        xs, stop_gradients = [local(x) for x in xs], [local(t) for t in stop_gradients]
    outside = {tensor.op: other for tensor, other in graph.stand_ins.items() if tensor.value_index == 0}
    if any(x.graph is not graph for x in xs):  # inside a function: gradients leave it through its captures
        outside |= _outside(graph)
    elif isinstance(graph, FuncGraph):  # a captured tensor is known by its inner name
        stop_gradients = [graph.captures.get(x, x) for x in stop_gradients]
    stops = set(stop_gradients)
    return _Walk(graph, list(ys), list(xs), grad_ys, stops, colocate, gate, outside).run()


def _outside(graph: Graph) -> dict[Operation, Tensor]:
    """The operations in a function, and in those around it, that represent captured tensors -> these tensors."""
    found: dict[Operation, Tensor] = {}
    while isinstance(graph, FuncGraph):
        for outer, inner in [*graph.captures.items(), *graph.constants.items()]:
            found[inner.op] = outer
        graph = graph.outer_graph
    return found


class _Walk:
    """One backward walk: the gradients accumulated at each tensor so far."""

    def __init__(
        self, graph: Graph, ys: list[Tensor], xs: list[Tensor], grad_ys: Sequence[Any] | None, stops: set[Tensor],
        colocate: bool, gate: bool, outside: dict[Operation, Tensor],
    ) -> None:
        self.outside = outside
        self.graph, self.ys, self.xs, self.stops, self.colocate, self.gate = graph, ys, xs, stops, colocate, gate
        self.arrived: dict[Tensor, list[Gradient]] = {}
        self.total: dict[Tensor, Gradient] = {}
        for i, (y, given) in enumerate(zip(ys, grad_ys or [None] * len(ys), strict=True)):
            self.arrived.setdefault(y, []).append(start(y, given, i))

    def run(self) -> list[Gradient]:
        between = self._between()
        targets = set(self.xs)
        waits = {op: 0 for op in between}
        for op in between:
            for source in {t.op for t in self._sources(op)}:
                if source in waits:
                    waits[source] += 1
        depths = self._depths()
        ready = [(depths[op.graph], -op.age, op.name, op) for op in between if not waits[op]]
        heapq.heapify(ready)
        while ready:
            op = heapq.heappop(ready)[3]
            self._step(op, targets, between)
            for source in {t.op for t in self._sources(op)}:
                if source in waits:
                    waits[source] -= 1
                    if not waits[source]:
                        heapq.heappush(ready, (depths[source.graph], -source.age, source.name, source))
        return [self._sum(x) for x in self.xs]

    def _sources(self, op: Operation) -> Sequence[Tensor]:
        """The sources of an op: its inputs, or the captured tensor that it represents."""
        return [self.outside[op]] if op in self.outside else op._inputs

    def _depths(self) -> dict[Graph, int]:
        """The nesting depth of each graph on a path; inner graphs are visited first."""
        around = self.graph.enclosing() if isinstance(self.graph, FuncGraph) else ()
        return collections.defaultdict(int, {graph: depth for depth, graph in enumerate(around, 1)})

    def _between(self) -> set[Operation]:
        """The operations on a path from some x to some y."""
        reached: set[Operation] = set()
        wanted = set(self.xs)
        stack = [y.op for y in self.ys]
        behind: set[Operation] = set()
        while stack:
            op = stack.pop()
            if op in behind:
                continue
            behind.add(op)
            stack += [t.op for t in self._sources(op) if t not in self.stops]
        users: dict[Operation, list[Operation]] = {}
        for op in behind:
            for t in self._sources(op):
                if t in self.stops and t not in wanted or not trainable(t):
                    continue
                users.setdefault(t.op, []).append(op)
        stopped = wanted & self.stops  # an x may also be a constant for another x: that gives partial derivatives
        stack = [op for op in behind if wanted.intersection(op.outputs) or stopped.intersection(self._sources(op))]
        while stack:
            op = stack.pop()
            if op in reached:
                continue
            reached.add(op)
            stack += users.get(op, [])
        return reached

    def _step(self, op: Operation, targets: set[Tensor], between: set[Operation]) -> None:
        arrived = [None if t in self.stops else self._sum(t) for t in op.outputs]
        if all(a is None for a in arrived):
            return
        sources = self._sources(op)
        useful = {t for t in sources if t in targets or t not in self.stops and t.op in between}
        if not useful:
            return
        if op in self.outside:
            self.arrived.setdefault(sources[0], []).append(arrived[0])
            return
        rule, arrived = rule_for(op), with_zeros(op, arrived)
        with self._scope_of(op):
            found = call_rule(rule, op, arrived)
            if self.gate and sum(g is not None for g in found) > 1:
                for tensor, gradient in zip(sources, found, strict=True):
                    if isinstance(gradient, Tensor) and not op.opdef.broadcasts:
                        _learn_shape(gradient, tensor)
                found = gated(found)
            for position, (tensor, gradient) in enumerate(zip(sources, found, strict=True)):
                if gradient is None or tensor not in useful:
                    continue
                self.arrived.setdefault(tensor, []).append(fitted(op, position, tensor, gradient))

    @contextlib.contextmanager
    def _scope_of(self, op: Operation) -> Iterator[None]:
        """The name scope and device of the gradient nodes of one op."""
        with self.graph.name_scope(f"{op.name}_grad"), self._beside(op):
            yield

    def _beside(self, op: Operation) -> Any:
        return self.graph.colocate_with(op) if self.colocate and op.graph is self.graph else contextlib.nullcontext()

    def _sum(self, tensor: Tensor) -> Gradient:
        if tensor in self.total:
            return self.total[tensor]
        parts = self.arrived.get(tensor)
        if not parts:
            return None
        if len(parts) == 1:
            return parts[0]
        with self._beside(tensor.source):
            self.total[tensor] = total = add_up(parts)
        self.arrived[tensor] = [total]
        return total


# ---- gradient functions


def rule_for(op: Operation) -> Callable[..., Any]:
    """The gradient function of an operation.

    Raises:
        LookupError: the op has none.
    """
    own = op.extra.get(OWN_GRADIENT)
    if own is not None:
        return own
    overridden = op.extra.get("_gradient_op_type")
    if overridden is not None:
        name = overridden.s.decode()
        if name in REGISTERED:
            return REGISTERED[name]
        other = find(name) if name != op.type else None
        found = None if other is None else _declared(other)
        if found is None:
            raise LookupError(f"gradient registry has no entry for: {name} (operation '{op.name}')")
        return found
    if op.type in REGISTERED:
        return REGISTERED[op.type]
    found = _declared(op.opdef)
    if found is None:
        raise LookupError(f"No gradient defined for operation '{op.name}' (op type: {op.type}) ({op.where})")
    return found


def with_zeros(op: Operation, arrived: list[Gradient]) -> list[Gradient]:
    """The gradients of an operation's outputs, zeros for those that none has arrived at."""
    if calls_functions(op):  # their gradient functions handle unused outputs
        return arrived
    return [zeros_like(t) if given is None and trainable(t) else given
            for t, given in zip(op.outputs, arrived, strict=True)]


def call_rule(rule: Callable[..., Any], op: Operation, arrived: Sequence[Gradient]) -> list[Any]:
    """What a gradient function returns, one gradient for each input of its operation.

    Raises:
        ValueError: it returns another number of gradients.
    """
    result = rule(op, *arrived)
    found = list(result) if isinstance(result, (list, tuple)) else [result]
    if len(found) != len(op._inputs):
        raise ValueError(f"the gradient function of '{op.name}' ({op.type}) returned {len(found)} gradients for "
                         f"{len(op._inputs)} inputs: these do not match")
    return found


def _declared(opdef: Any) -> Callable[..., Any] | None:
    return by_vjp if opdef.grad_fn == "vjp" else opdef.grad_fn


def by_vjp(op: Operation, *dys: Any) -> list[Gradient]:
    """Adds one SymbolicGradient node for the op: JAX differentiates its kernel (a vector-Jacobian product)."""
    inputs = list(op._inputs)
    graph = default_graph()
    body = _alone_at_once(graph, op) if graph.is_eager else _alone(op)
    dense = [dense_of(dy) if dy is not None else zeros_like(t) for dy, t in zip(dys, op.outputs, strict=True)]
    gradients = primitives.SYMBOLIC_GRADIENT([*inputs, *dense], Tout=[t._dtype.base_dtype for t in inputs], f=body)
    for gradient, tensor in zip(gradients, inputs, strict=True):
        gradient._shape = tensor._shape
    return [g if trainable(t) and not _is_apart(op, at, dys) else None
            for at, (g, t) in enumerate(zip(gradients, inputs, strict=True))]


def _is_apart(op: Operation, at: int, dys: Sequence[Any]) -> bool:
    """Whether an op that is the gradient of a multilinear one does not depend on an input of that, where it is used."""
    if op.opdef.kind is not Kind.GRADIENT or any(dy is not None for i, dy in enumerate(dys) if i != at):
        return False
    body = op.graph.function(op.attrs["f"].name)
    inner = body.outputs[0].op
    is_alone = all(x is y for x, y in zip(inner._inputs, body.inputs, strict=False))
    return at < len(body.inputs) and inner.opdef.multilinear and is_alone


def _alone(op: Operation) -> FuncGraph:
    """A function that does what the op does."""
    body = FuncGraph(f"{op.type}_alone")
    with body.as_default():
        arguments = [body.add_input(t._dtype.base_dtype, t._shape, "x") for t in op._inputs]
        inner = body.add_node(op.opdef, body.claim_name(op.type), arguments, dict(op.attrs), infer_shapes=False)
    for old, new in zip(op.outputs, inner.outputs, strict=True):
        new._shape = old._shape
    body.outputs = list(inner.outputs)
    return body


class _Alone(dict[Any, FuncGraph]):
    """The functions of single ops by op, attrs, dtypes and shapes, so that the programs of their gradients are kept."""


def _alone_at_once(graph: Graph, op: Operation) -> FuncGraph:
    known = graph.memo(_Alone)
    kinds = tuple((t._dtype, t._shape) for t in (*op._inputs, *op.outputs))
    key = (op.type, repr(sorted(op.attrs.items())), kinds)
    if key not in known:
        known[key] = _alone(op)
    return known[key]


def calls_functions(op: Operation) -> bool:
    return any(a.kind in ("func", "list(func)") for a in op.opdef.plan.attrs)


def trainable(tensor: Tensor) -> bool:
    """Whether gradients can flow through the tensor's dtype."""
    dtype = tensor._dtype.base_dtype
    return dtype.is_floating or dtype.is_complex or dtype in (dtypes.resource, dtypes.variant)


# ---- gradients as tensors


def start(y: Tensor, given: Any, number: int) -> Gradient:
    """The initial gradient of y: the caller's, checked, or ones.

    Raises:
        TypeError: y, or the given gradient, has a dtype without gradients.
    """
    dtype = y._dtype.base_dtype
    if given is None:
        if dtype.is_complex:
            raise TypeError(f"the gradient of a complex tensor ({dtype.name}) needs grad_ys")
        return primitives.FILL(shape_tensor(y), to_tensor(1, dtype, name=f"grad_ys_{number}"))
    if isinstance(given, IndexedSlices):
        return given
    gradient = to_tensor(given, dtype if not isinstance(given, Tensor) else None, name=f"grad_ys_{number}")
    if any(getattr(dtype, kind) and not getattr(gradient.dtype, kind)
           for kind in ("is_floating", "is_integer", "is_complex")):
        raise TypeError(f"Gradient type {gradient.dtype.name} generated for {dtype.name} tensor {y}")
    return gradient


def shape_tensor(tensor: Tensor) -> Tensor:
    """The shape as a tensor: a constant if the static shape is fully known."""
    if tensor._shape is not None and None not in tensor._shape:
        return to_tensor(list(tensor._shape), dtypes.int32, name="Shape")
    return primitives.SHAPE(tensor)


def zeros_like(tensor: Tensor) -> Tensor:
    return primitives.ZEROS_LIKE(tensor)


def dense_of(gradient: Any) -> Tensor:
    """Converts a gradient to a dense tensor: adds the rows of IndexedSlices into zeros."""
    if not isinstance(gradient, IndexedSlices):
        return gradient
    if gradient.dense_shape is None:
        raise ValueError(f"Tensor conversion requested for IndexedSlices without dense_shape: {gradient}")
    rows = primitives.STRIDED_SLICE(gradient.dense_shape, [0], [1], [1], shrink_axis_mask=1)
    dense = primitives.UNSORTED_SEGMENT_SUM(gradient.values, gradient.indices, rows)
    dense.set_shape(gradient.shape)
    return dense


def add_up(parts: Sequence[Any]) -> Gradient:
    """The sum of gradients; IndexedSlices if every part is."""
    if all(isinstance(p, IndexedSlices) for p in parts):
        index_type = dtypes.int64 if any(p.indices.dtype is dtypes.int64 for p in parts) else dtypes.int32
        cast = lambda indices: indices if indices.dtype is index_type else primitives.CAST(indices, index_type)
        indices = [cast(p.indices) for p in parts]
        return IndexedSlices(
            primitives.CONCAT([p.values for p in parts], 0), primitives.CONCAT(indices, 0), parts[0].dense_shape)
    return primitives.ADD_N([dense_of(p) for p in parts])


def gated(gradients: Sequence[Any]) -> list[Gradient]:
    """The gradients behind a gate: each is available only when all are computed."""
    graph = default_graph()
    with graph.name_scope("tuple"):
        with graph.control_dependencies([_values_of(g).source for g in gradients if g is not None]):
            gate = primitives.NO_OP(name="group_deps")
        with graph.control_dependencies([gate]):
            return [None if g is None else _behind_gate(graph, g) for g in gradients]


def _behind_gate(graph: Graph, gradient: Any) -> Gradient:
    """A copy of the gradient that waits for the current control dependencies."""
    values = _values_of(gradient)
    with graph.colocate_with(values.source):
        copy = primitives.IDENTITY(values, name="control_dependency")
    return IndexedSlices(copy, gradient.indices, gradient.dense_shape) if isinstance(gradient, IndexedSlices) else copy


def _values_of(gradient: Any) -> Tensor:
    """The tensor that holds the numbers of a gradient."""
    return gradient.values if isinstance(gradient, IndexedSlices) else gradient


def fitted(op: Operation, position: int, tensor: Tensor, gradient: Any) -> Gradient:
    """Reduces a gradient to the shape of its tensor: axes that were broadcast are summed."""
    if isinstance(gradient, IndexedSlices):
        if not op.opdef.broadcasts or _keeps_shape(op, position):
            return gradient
        gradient = dense_of(gradient)
    dtype = tensor._dtype.base_dtype
    if gradient._dtype.base_dtype is not dtype and trainable(tensor) and dtype is not dtypes.resource:
        raise TypeError(f"Gradient of '{op.name}' ({op.type}) for input {position} has dtype {gradient.dtype.name}, "
                        f"wanted {tensor.dtype.base_dtype.name}")
    if op.opdef.broadcasts:
        gradient = _reduced(op, position, gradient)
    _learn_shape(gradient, tensor)
    return gradient


def _learn_shape(gradient: Tensor, tensor: Tensor) -> None:
    """Adds what the static shape of a tensor says about that of its gradient."""
    known = tensor._shape is not None and gradient._shape is not None
    if known and tensor._dtype not in (dtypes.resource, dtypes.variant):
        gradient.set_shape(tensor._shape)


def _keeps_shape(op: Operation, position: int) -> bool:
    """Whether an input has the shape of the output, so that nothing was broadcast."""
    own, full = op._inputs[position]._shape, op.outputs[0]._shape
    return own is not None and own == full and None not in own


def _reduced(op: Operation, position: int, gradient: Tensor) -> Tensor:
    """Sums a gradient of the broadcast shape over the axes along which the input was repeated."""
    if _keeps_shape(op, position):
        return gradient
    if default_graph().is_eager and op.graph.is_eager:
        return _reduced_now(op._inputs[position]._shape or (), gradient)
    axes, shape = _repeated_axes(op, position)
    return primitives.RESHAPE(primitives.SUM(gradient, axes), shape)


def _reduced_now(own: tuple[Any, ...], gradient: Tensor) -> Tensor:
    """The same where shapes are known, as those of tensors with values are: without ops that compute the axes."""
    full = gradient._shape or ()
    added = len(full) - len(own)
    axes = [i for i, size in enumerate(full) if i < added or own[i - added] == 1 != size]
    total = primitives.SUM(gradient, np.array(axes, np.int32)) if axes else gradient
    return total if total._shape == own else primitives.RESHAPE(total, np.array(own, np.int32))


class _RepeatedAxes(dict[tuple[Operation, str], tuple[Any, list[Tensor]]]):
    """The nodes that the last call of `_repeated_axes` for a binary op added, by op and name scope."""


def _repeated_axes(op: Operation, position: int) -> tuple[Tensor, Tensor]:
    """(the axes to sum over, the shape to reshape to); both inputs of a binary op share the nodes that compute them."""
    graph = default_graph()
    if len(op._inputs) != 2:
        shape = shape_tensor(op._inputs[position])
        return primitives.BROADCAST_GRADIENT_ARGS(shape, primitives.SHAPE(op.outputs[0]))[0], shape
    made = graph.memo(_RepeatedAxes)
    key = (op, graph.get_name_scope())
    found = made.get(key)
    if found is None:
        made.clear()
        shapes = [shape_tensor(t) for t in op._inputs]
        found = (primitives.BROADCAST_GRADIENT_ARGS(*shapes), shapes)
        if not graph.is_eager:  # whose operations nobody should keep
            made[key] = found
    return found[0][position], found[1][position]
