"""tf.contrib.specs.summaries: what a specification's network consists of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.specs.nets import create_net
from evergraph.frontend import array
from evergraph.frontend.collections import global_variables
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation

_SHORT = {"Placeholder": "_", "Const": "_", "Conv2D": "conv", "MatMul": "dot", "Sigmoid": "sig", "AddV2": "add"}
_UNSEEN = ("Identity", "ReadVariableOp")


def _built(spec: str, inputs: Any, input_shape: Any, input_type: Any) -> tuple[Graph, Any]:
    """The network on a placeholder, in a graph of its own."""
    if (inputs is None) == (input_shape is None):
        raise ValueError("a summary takes either inputs or an input_shape")
    with Graph().as_default() as graph:
        shape = input_shape if inputs is None else inputs.shape
        x = array.placeholder(input_type if inputs is None else inputs.dtype, shape)
        return graph, create_net(spec, x)


def _words(node: Operation, seen: set[Operation]) -> Iterator[str]:
    if node in seen:
        yield "<>"
        return
    seen.add(node)
    for each in node.inputs:
        yield from _words(each.op, seen)
    if node.type not in _UNSEEN:
        yield _SHORT.get(node.type, node.type.lower())


@export("contrib.specs.summaries.tf_spec_structure")
def tf_spec_structure(spec: str, inputs: Any = None, input_shape: Any = None, input_type: Any = dtypes.float32) -> str:
    """The types of the network's operations in the order of their computation, in one line.

    `_` stands for inputs and constants, `<>` for what was named before.

    Args:
        spec: the specification.
        inputs: a tensor of the input's shape.
        input_shape, input_type: the input, where `inputs` is None.
    """
    _, output = _built(spec, inputs, input_shape, input_type)
    return " ".join(_words(output.op, set()))


@export("contrib.specs.summaries.tf_spec_summary")
def tf_spec_summary(spec: str, inputs: Any = None, input_shape: Any = None, input_type: Any = dtypes.float32) -> None:
    """Prints a line for each layer: the number of its parameters, its name, and the shape of its output.

    Args:
        spec: the specification.
        inputs: what the network is for; or None.
        input_shape, input_type: of a placeholder that is made where there are no inputs.
    """
    graph, output = _built(spec, inputs, input_shape, input_type)
    with graph.as_default():
        sizes: dict[str, int] = {}
        for variable in global_variables():
            layer = variable.op.name.partition("/")[0]
            sizes[layer] = sizes.get(layer, 0) + variable.shape.num_elements()
    last = {node.name.partition("/")[0]: node for node in _ancestors(output.op)}
    for layer, node in last.items():
        print(f"{sizes.get(layer, 0):10d} {layer:20s} {node.outputs[0].shape.as_list()}")


@export("contrib.specs.summaries.tf_spec_print")
def tf_spec_print(spec: str, inputs: Any = None, input_shape: Any = None, input_type: Any = dtypes.float32) -> None:
    """Prints a line for each operation of the network: its type, its name, and the shape of its output.

    The arguments are those of `tf_spec_summary`.
    """
    _, output = _built(spec, inputs, input_shape, input_type)
    for node in _ancestors(output.op):
        print(f"{node.type:20s} {node.name:40s} {node.outputs[0].shape}")


def _ancestors(node: Operation, seen: dict[Operation, None] | None = None) -> list[Operation]:
    """What a node needs, and the node, in an order of computation."""
    seen = {} if seen is None else seen
    for each in node.inputs:
        if each.op not in seen:
            _ancestors(each.op, seen)
    seen[node] = None
    return list(seen)
