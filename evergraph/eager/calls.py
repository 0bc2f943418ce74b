"""Calls functions of graphs with eager execution: as one op, whose gradient is another function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base import errors, nest
from evergraph.eager.lifting import needed
from evergraph.eager.tensor import EagerTensor, holding
from evergraph.frontend.recording import Recording
from evergraph.graph import scopes
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.differentiate import dense_of, differentiate, trainable
from evergraph.graph.function import FuncGraph, has_effect
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor, share_handle_data
from evergraph.ops.arrays.basic import zeros_like
from evergraph.ops.control.functional import partitioned_call, stateful_partitioned_call
from evergraph.run.functions import run_function


def call_function(function: FuncGraph, inputs: Sequence[Tensor]) -> list[Tensor]:
    """The outputs of a function for these inputs, captures last: added to the default graph, or computed at once."""
    graph = default_graph()
    if not graph.is_eager:
        return called(function, inputs)
    order = _order(inputs) if scopes.tapes.items else 0
    if order:
        return _called_on_tapes(function, inputs, order)
    return called(function, inputs) if graph.scopes.devices else _computed(function, inputs)


def called(function: FuncGraph, inputs: Sequence[Tensor]) -> list[Tensor]:
    """The outputs of a function as those of one op of the default graph, which tapes record like any other."""
    graph = default_graph()
    op = stateful_partitioned_call if any(map(has_effect, function._nodes)) else partitioned_call
    with graph.control_dependencies(function.outer_waits):
        outputs = op(list(inputs), Tout=[t._dtype.base_dtype for t in function.outputs], f=function)
    for inner, outer in zip(function.outputs, outputs or ()):
        share_handle_data(inner, outer)
    return outputs


def _computed(function: FuncGraph, inputs: Sequence[Tensor]) -> list[Tensor]:
    """The outputs of a function with eager execution, on no tape."""
    graph: Any = default_graph()
    if not _WITH_VALUES.issuperset(map(type, inputs)):
        inputs = [t if isinstance(t, EagerTensor) else graph.capture(t) for t in inputs]
    found = run_function(function, graph.context.held, [t._held for t in inputs])  # type: ignore[attr-defined]
    return [holding(t._dtype, value, t._handle_data) for t, value in zip(function.outputs, found)]


_WITH_VALUES = frozenset((EagerTensor,))


def _order(inputs: Sequence[Tensor]) -> int:
    """The number of tapes that watch an input: the order of the derivatives that they can ask for."""
    return sum(isinstance(tape, Recording) and tape.watches(inputs) for tape in scopes.tapes.items)


def _called_on_tapes(function: FuncGraph, inputs: Sequence[Tensor], order: int) -> list[Tensor]:
    """Calls the function with all that its gradients need for further outputs, and records these gradients."""
    pairs = function.memo(_Pairs).up_to(function, order)
    outputs = _computed(pairs[-1].forward, inputs)

    def rule(op: Operation, *dys: Any) -> list[Any]:
        last = max(i for i, dy in enumerate(dys) if dy is not None)
        pair = next((p for p in pairs if last < p.count), None)
        if pair is None:
            return _further(function, order, inputs, dys)
        filled = [zeros_like(t) if dy is None else dense_of(dy)
                  for dy, t in zip(dys[: pair.count], outputs[: pair.count], strict=True) if trainable(t)]
        return pair.gradients([*inputs, *outputs[: len(pair.forward.outputs)], *filled])

    default_graph().record(partitioned_call, inputs, outputs, rule)  # type: ignore[attr-defined]
    return outputs[: len(function.outputs)]


def _further(function: FuncGraph, order: int, inputs: Sequence[Tensor], dys: Sequence[Any]) -> list[Any]:
    """Gradients of an order above that of the call, as a persistent tape may ask for which records them itself.

    The function is computed once more, with what the next order needs.

    Raises:
        UnimplementedError: the function has effects or reads variables, so that it may not be computed once more.
    """
    if any(map(has_effect, function._nodes)):
        raise errors.UnimplementedError(
            None, None, f"a derivative of {function.name}, which has effects or reads variables, of an order above "
            f"{order}, the number of tapes around its call")
    pair = function.memo(_Pairs).up_to(function, order + 1)[-1]
    outputs = _called_on_tapes(pair.forward, inputs, max(_order(inputs), 1))
    filled = [zeros_like(t) if dy is None else dense_of(dy)
              for dy, t in zip(dys, outputs[: pair.count], strict=True) if trainable(t)]
    return pair.gradients([*inputs, *outputs, *filled])


class _Pairs:
    """The forward and backward functions of a function, each made when a tape first needs it.

    Each pair after the first differentiates the forward function of the pair before.
    """

    def __init__(self) -> None:
        self._pairs: list[Pair] = []

    def up_to(self, function: FuncGraph, order: int) -> list[Pair]:
        """The pairs for derivatives up to an order."""
        while len(self._pairs) < order:
            with scopes.unrecorded():
                self._pairs.append(Pair(self._pairs[-1].forward if self._pairs else function))
        return self._pairs[:order]


class Pair:
    """A function with the values that its gradient needs among its outputs, and the gradient function.

    The two are taken from a graph in which a node calls the function and `differentiate` has made its gradient: that
    gives the node the further outputs, and adds the nodes that become the body of the backward function.

    Attributes:
        count: how many outputs the function has.
        forward: the function with further outputs.
        backward: takes the inputs of the function, the outputs of `forward`, the gradients of the differentiable
            outputs, and what gradients of the user's own capture; gives the parts of the gradients there are.
    """

    def __init__(self, function: FuncGraph) -> None:
        self.count = len(function.outputs)
        whole = FuncGraph(f"{function.name}_and_gradient", function.outer_graph)
        with whole.as_default():
            inputs = [_argument(whole, t) for t in function.inputs]
            outputs = called(function, inputs)
            call = outputs[0].op
            ys = [t for t in outputs if trainable(t)]
            dys = [_argument(whole, t) for t in ys]
            found = iter(differentiate(ys, [x for x in inputs if trainable(x)], dys))
        self._gradients = [next(found) if trainable(x) else None for x in inputs]
        self.forward: FuncGraph = whole.function(call.attrs["f"].name)
        parts = [t for g in self._gradients if g is not None for t in nest.flatten(g, expand_composites=True)]
        self._captured = list(whole.captures)
        self.backward = _extracted(whole, [*inputs, *call.outputs, *dys, *whole.captures.values()], parts)

    def gradients(self, values: Sequence[Tensor]) -> list[Any]:
        """The gradients of the inputs, given what `backward` takes."""
        if not self.backward.outputs:
            return [None] * len(self._gradients)
        parts = iter(call_function(self.backward, [*values, *self._captured]))
        return [None if g is None else _packed(g, parts) for g in self._gradients]


def value_outside(tensor: Tensor) -> Tensor | None:
    """The value of a tensor of a function outside of it; None if it follows from arguments that have no value."""
    function = tensor.graph
    captured = {**{inner: outer for outer, inner in function.captures.items()}, **function.arguments}
    known = dict.fromkeys(captured, tensor)
    if any(t in function.inputs and t not in captured for n in needed([tensor], known) for t in n.outputs):
        return None
    part = _extracted(function, list(captured), [tensor])
    return call_function(part, list(captured.values()))[0]


def _packed(like: Any, parts: Any) -> Any:
    """A gradient with these parts, in the form of another one."""
    if not isinstance(like, IndexedSlices):
        return next(parts)
    values, indices = next(parts), next(parts)
    return IndexedSlices(values, indices, None if like.dense_shape is None else next(parts))


def _argument(graph: FuncGraph, like: Tensor) -> Tensor:
    argument = graph.add_input(like._dtype, like._shape, "x")
    share_handle_data(like, argument)
    return argument


def _extracted(whole: FuncGraph, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> FuncGraph:
    """A function from some tensors of a graph to others: a copy of the nodes between them."""
    part = FuncGraph(f"{whole.name}_backward", whole.outer_graph)
    part.is_dataflow = True
    with part.as_default():
        known: dict[Tensor, Tensor] = {t: _argument(part, t) for t in inputs}
        nodes = needed(outputs, known)
        for node in (n for n in whole._nodes if n in nodes):
            copy = part.add_node(node.opdef, node.name, [known[t] for t in node._inputs], dict(node.attrs))
            for old, new in zip(node.outputs, copy.outputs, strict=True):
                new._shape = old._shape
                known.setdefault(old, new)
    part.outputs = [known[t] for t in outputs]
    return part
