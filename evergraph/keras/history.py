"""The provenance of tensors in functional models: the layer that produced them, and in which call."""
from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

from evergraph.base import nest
from evergraph.frontend.blocks import root_graph
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.graph.scopes import ThreadState


class KerasHistory(NamedTuple):
    """The layer that produced a tensor, the index of its call, and the index of the output."""

    layer: Any
    node_index: int
    tensor_index: int


def _shapes(structure: Any) -> Any:
    return nest.map_structure(lambda tensor: tuple(tensor.shape.as_list()), structure)


class Node:
    """One call of a layer on tensors that come from `tf.keras.Input`."""

    def __init__(self, layer: Any, inputs: Any, outputs: Any, args: tuple[Any, ...] = (),
                 kwargs: dict[str, Any] | None = None) -> None:
        self.layer = self.outbound_layer = layer
        self.inputs, self.outputs, self.args, self.kwargs = inputs, outputs, args, kwargs or {}

    @property
    def input_tensors(self) -> Any:
        """What the layer was called with: the inputs, with the tensors among other arguments behind them."""
        others = [item for item in nest.flatten([list(self.args), self.kwargs]) if history(item) is not None]
        return [*nest.flatten(self.inputs), *others] if others else self.inputs

    output_tensors = property(lambda self: self.outputs, doc="What the layer gave.")
    input_shapes = property(lambda self: _shapes(self.inputs), doc="The shapes of what the layer was called with.")
    output_shapes = property(lambda self: _shapes(self.outputs), doc="The shapes of what the layer gave.")

    @property
    def flat_inputs(self) -> list[Any]:
        """The input tensors of the call, including other arguments."""
        found = nest.flatten([self.inputs, list(self.args), self.kwargs])
        return [item for item in found if history(item) is not None]

    @property
    def inbound_layers(self) -> Any:
        """The layers that produced the inputs: one, or a list."""
        layers = [history(tensor).layer for tensor in nest.flatten(self.inputs) if history(tensor) is not None]
        return layers[0] if len(layers) == 1 else layers


class InputNode(Node):
    """What stands for a call of a model's input: its tensor, which no layer produced."""

    input_tensors = property(lambda self: [self.inputs], doc="The tensor.")
    output_tensors = property(lambda self: [self.outputs], doc="The tensor.")
    input_shapes = property(lambda self: [_shapes(self.inputs)], doc="The shape of the tensor.")
    output_shapes = property(lambda self: [_shapes(self.outputs)], doc="The shape of the tensor.")
    inbound_layers = property(lambda self: [], doc="None.")


_symbolic_types: list[type] = []


def register_symbolic_tensor_type(cls: type) -> None:
    """Lets objects of a class stand for tensors between the layers of functional models.

    `tf.convert_to_tensor` must take them (`tf.register_tensor_conversion_function`).
    """
    if cls not in _symbolic_types:
        _symbolic_types.append(cls)


def is_symbolic_tensor(tensor: Any) -> bool:
    """Whether it is a tensor of a graph, or an object of a class that stands for one."""
    if isinstance(tensor, Tensor):
        return not tensor.graph.is_eager
    return isinstance(tensor, tuple(_symbolic_types))


def history(tensor: Any) -> KerasHistory | None:
    """The provenance of a tensor; None if no layer of a functional model produced it.

    Programs read the attribute `_keras_history` of tensors, so it is stored there.
    """
    return getattr(tensor, "_keras_history", None)


class _Inputs:
    """Whether a graph has inputs of functional models."""

    exist = False


def mark_graph() -> None:
    """Records that the default graph has inputs of functional models."""
    root_graph().memo(_Inputs).exist = True


def may_have_history() -> bool:
    """Whether the default graph has inputs of functional models."""
    return root_graph().memo(_Inputs).exist


def record(layer: Any, inputs: Any, outputs: Any, args: tuple[Any, ...] = (),
           kwargs: dict[str, Any] | None = None) -> None:
    """Adds a call to the layer's nodes, and records the provenance of its outputs."""
    node = Node(layer, inputs, outputs, args, kwargs)
    layer.keras_nodes.append(node)
    layer._inbound_nodes.append(node)
    for earlier in node.flat_inputs:
        history(earlier).layer.keras_outbound.append(node)
    for place, tensor in enumerate(nest.flatten(outputs)):
        tensor._keras_history = KerasHistory(layer, len(layer.keras_nodes) - 1, place)


def node_of(tensor: Any) -> Node:
    found = history(tensor)
    return found.layer.keras_nodes[found.node_index]


def comes_from_input(tensor: Any, known: dict[Any, bool]) -> bool:
    """Whether a tensor depends on one with a history; `known` memoizes operations."""
    if history(tensor) is not None:
        return True
    if not isinstance(tensor, Tensor):
        return False
    waiting = [tensor.source]
    while waiting:
        op = waiting[-1]
        if op in known:
            waiting.pop()
            continue
        later = [each.source for each in op.inputs if history(each) is None and each.source not in known]
        if later:
            waiting += later
            continue
        known[op] = any(history(each) is not None or known[each.source] for each in op.inputs)
        waiting.pop()
    return known[tensor.source]


# ---- symbolic tensors with eager execution

class _Symbolic:
    """The graph of the symbolic tensors of functional models, where ops run when they are called.

    These tensors hold it, and with it the layers of their models: when none is left, it goes.
    """

    def __init__(self) -> None:
        self._held: Callable[[], FuncGraph | None] = lambda: None

    @property
    def graph(self) -> FuncGraph:
        found = self._held()
        if found is None:
            found = FuncGraph("keras_graph")
            found.is_description = found.root.has_descriptions = True
            self._held = weakref.ref(found)
        return found

    def has(self, graph: Any) -> bool:
        """Whether this is the graph."""
        return self._held() is graph

    def forget(self) -> None:
        """Has models that are described from now on have a graph of their own."""
        self._held = lambda: None


def forget_symbolic() -> None:
    """Forgets the graph of symbolic tensors, with eager execution."""
    graph = default_graph()
    if graph.is_eager:
        graph.memo(_Symbolic).forget()


def symbolic_graph() -> FuncGraph:
    """The graph of symbolic tensors, with eager execution."""
    return root_graph().memo(_Symbolic).graph


def in_symbolic_graph() -> bool:
    """Whether functional models are being described, with eager execution."""
    graph = root_graph()
    return graph.is_eager and graph.memo(_Symbolic).has(default_graph())


def described_around() -> FuncGraph | None:
    """The graph in which a functional model is being described with eager execution, from within its functions, too."""
    graph = default_graph()
    while isinstance(graph, FuncGraph):
        if graph.is_description:
            return graph
        graph = graph.outer_graph
    return None


def symbolic() -> Any:
    """A block in which functional models are described: with eager execution in a graph of their own."""
    graph = default_graph()
    return graph.memo(_Symbolic).graph.as_default() if graph.is_eager else nullcontext()


def symbolic_for(structure: Any) -> Any:
    """The same where a tensor of the structure is symbolic."""
    if default_graph().is_eager:
        for tensor in nest.flatten(structure):
            if isinstance(tensor, Tensor) and not tensor.graph.is_eager:
                return symbolic()
    return nullcontext()


# ---- the current call

class _Calls(ThreadState):
    def __init__(self) -> None:
        self.training: list[Any] = []


_calls = _Calls()


@contextmanager
def calling(training: Any) -> Iterator[None]:
    """Context manager around a layer's call; `training` is the default for the layers inside."""
    _calls.training.append(training)
    try:
        yield
    finally:
        _calls.training.pop()


def training_around() -> Any:
    """The enclosing layer's `training` argument; None if unset."""
    return next((training for training in reversed(_calls.training) if training is not None), None)


def is_outermost() -> bool:
    """Whether the layer that is being called was not called by another."""
    return len(_calls.training) <= 1


def inside_a_layer() -> bool:
    """Whether a layer is being called."""
    return bool(_calls.training)
