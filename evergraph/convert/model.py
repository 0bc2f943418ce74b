"""A model to convert: a frozen graph, whose inputs and outputs have names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evergraph import proto
from evergraph.base import dtypes
from evergraph.formats import tensor_messages
from evergraph.frontend.graph_util import extract_sub_graph, source_of
from evergraph.ops.arrays.basic import placeholder, placeholder_v2, placeholder_with_default

Shape = tuple[int | None, ...]

_PLACEHOLDERS = (placeholder, placeholder_v2, placeholder_with_default)


class Inconvertible(Exception):
    """A model cannot be converted; the message says why, and what could help."""


@dataclass(frozen=True)
class Input:
    """An input: its placeholder in the graph, by name, with the sizes that are known."""

    node: str
    dtype: dtypes.DType
    shape: Shape

    @property
    def tensor(self) -> str:
        return f"{self.node}:0"


@dataclass(frozen=True)
class Model:
    """A frozen graph.

    Attributes:
        message: its GraphDef, in which every input is a placeholder.
        inputs: what the model's users call an input -> the input.
        outputs: what they call an output -> the name of its tensor.
    """

    message: Any
    inputs: Mapping[str, Input]
    outputs: Mapping[str, str]


def model_of(message: Any, inputs: Mapping[str, Any], outputs: Mapping[str, str],
             shapes: Mapping[str, Shape]) -> Model:
    """The model between some tensors of a frozen graph.

    Args:
        message: the frozen GraphDef.
        inputs: name of an input -> its tensor, of the graph that was frozen; it need not be a placeholder.
        outputs: name of an output -> the name of its tensor.
        shapes: name of an input -> its shape, in place of the graph's own.

    Raises:
        Inconvertible: an input has no known rank, or a shape is given for none of the inputs.
    """
    unknown = shapes.keys() - inputs.keys()
    if unknown:
        raise Inconvertible(f"the model has no input {min(unknown)!r}, only {', '.join(inputs)}")
    taken = {node.name for node in message.node}
    found, renamed = {}, {}
    for name, tensor in inputs.items():
        shape = shapes.get(name, tensor._shape)
        if shape is None:
            raise Inconvertible(f"the rank of the input {name!r} is unknown: say --shape {name}=SIZE,SIZE")
        found[name] = Input(_placeholder_name(tensor, taken), tensor.dtype.base_dtype, shape)
        renamed[tensor.name] = found[name].tensor
    wanted = {name: renamed.get(tensor, tensor) for name, tensor in outputs.items()}
    return Model(_cut(message, found.values(), renamed, wanted.values()), found, wanted)


def _placeholder_name(tensor: Any, taken: set[str]) -> str:
    """The name of the node itself where that is a placeholder, or else a new one."""
    if tensor.op.opdef in _PLACEHOLDERS:
        return tensor.op.name
    name = f"{tensor.op.name}_{tensor.value_index}_input"
    while name in taken:
        name += "_"
    return name


def _cut(message: Any, inputs: Iterable[Input], renamed: Mapping[str, str], outputs: Iterable[str]) -> Any:
    """The part of a GraphDef between placeholders, which take the place of some tensors, and the outputs."""
    given = {each.node: placeholder_node(each) for each in inputs}
    cut = proto.graph_pb2.GraphDef(library=message.library, versions=message.versions)
    cut.node.extend([*given.values(), *(node for node in message.node if node.name not in given)])
    for node in cut.node[len(given):]:
        node.input[:] = [text if text.startswith("^") else _followed(text, renamed) for text in node.input]
    kept = extract_sub_graph(cut, [source_of(name) for name in outputs])
    there = {node.name for node in kept.node}
    kept.node.extend(node for name, node in given.items() if name not in there)
    return kept


def with_batch(model: Model, batch: int) -> Model:
    """The model with this first size of all inputs that leave it open."""
    inputs = {name: replace(each, shape=(batch, *each.shape[1:])) if each.shape[:1] == (None,) else each
              for name, each in model.inputs.items()}  # fmt: skip
    cut = _cut(model.message, inputs.values(), {}, model.outputs.values())
    return Model(cut, inputs, model.outputs)


def _followed(text: str, renamed: Mapping[str, str]) -> str:
    new = renamed.get(text if ":" in text else f"{text}:0")
    return text if new is None else new.removesuffix(":0")


def placeholder_node(given: Input) -> Any:
    """The NodeDef of an input."""
    node = proto.node_def_pb2.NodeDef(name=given.node, op=placeholder.name)
    node.attr["dtype"].type = given.dtype.enum
    node.attr["shape"].shape.CopyFrom(tensor_messages.shape_to_proto(given.shape))
    return node


def node_names(tensors: Iterable[str]) -> list[str]:
    """The nodes of tensors, each once."""
    return list(dict.fromkeys(source_of(name) for name in tensors))


def told(names: Sequence[str]) -> str:
    """Up to ten names in a sentence."""
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
