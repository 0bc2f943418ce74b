"""`tensorflow.tools.graph_transforms`: GraphDefs changed by named transforms, one after another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes, errors, logging
from evergraph.formats import tensor_messages
from evergraph.frontend.graph_util import extract_sub_graph, source_of
from evergraph.frontend.importer import import_graph_def
from evergraph.graph.graph import Graph
from evergraph.graph.registry import find
from evergraph.graph.traits import Kind
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.later import mul
from evergraph.ops.math import matmul
from evergraph.ops.math.quantize import dequantize
from evergraph.ops.nn import conv, depthwise
from evergraph.run.session import Session
from evergraph.save.inference_graphs import Nodes, constant, fold_batch_norms, fuse_resize_and_conv, rebuilt
from evergraph.save.saved_model_loader import with_defaults

_CONST, _PLACEHOLDER = basic.const.name, basic.placeholder.name
_LAYERS = {conv.conv2d.name, depthwise.depthwise_conv2d_native.name, matmul.mat_mul.name}


@dataclass(frozen=True)
class Task:
    """What a transform is asked for.

    Attributes:
        inputs, outputs: the names of nodes.
        parameters: name -> the values that were given for it, in order.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    parameters: Mapping[str, tuple[str, ...]]

    def text(self, name: str, default: str | None = None) -> str:
        """The value of a parameter that is given once at most.

        Raises:
            ValueError: it is missing and has no default, or is given twice.
        """
        values = self.parameters.get(name, () if default is None else (default,))
        if len(values) != 1:
            raise ValueError(f"the parameter {name} must be given once, not {len(values)} times")
        return values[0]

    def flag(self, name: str, default: str = "false") -> bool:
        return self.text(name, default).lower() in ("true", "1", "yes")


def TransformGraph(  # noqa: N802 - TensorFlow's name
    input_graph_def: Any, inputs: Sequence[str], outputs: Sequence[str], transforms: Sequence[str]
) -> Any:
    """Applies transforms to a GraphDef, one after another; returns the result.

    Args:
        input_graph_def: the GraphDef.
        inputs: the names of the nodes to be fed.
        outputs: the names of the nodes to be fetched.
        transforms: names of transforms with parameters, such as "remove_nodes(op=Identity, op=CheckNumerics)".

    Raises:
        ValueError: a transform is unknown, or is written or used in a wrong way.
        UnimplementedError: it is one of TensorFlow's that evergraph does not have.
    """
    message = proto.graph_pb2.GraphDef()
    message.CopyFrom(input_graph_def)
    places = tuple(source_of(name) for name in inputs), tuple(source_of(name) for name in outputs)
    for text in transforms:
        for name, parameters in parsed(text):
            if name in _NOT_HERE:
                raise errors.UnimplementedError(None, None, f"the transform {name} is not supported")
            if name not in TRANSFORMS:
                raise ValueError(f"there is no transform {name!r}; there are {', '.join(sorted(TRANSFORMS))}")
            message = _applied(name, message, Task(*places, parameters))
    return message


_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*")
_PARAMETER = re.compile(r"""\s*([A-Za-z_]\w*)\s*=\s*("[^"]*"|'[^']*'|[^,\s]+)\s*(?:,|$)""")


def parsed(text: str) -> list[tuple[str, dict[str, tuple[str, ...]]]]:
    """Transforms with their parameters, from "name(parameter=value, ...) name ...".

    Raises:
        ValueError: the text is no such list.
    """
    found, place = [], 0
    while place < len(text):
        call = _CALL.match(text, place)
        if call is None:
            raise ValueError(f"a transform was expected at {text[place:]!r}")
        found.append((call[1], _parameters(call[2] or "")))
        place = call.end()
    return found


def _parameters(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    place = 0
    while text[place:].strip():
        pair = _PARAMETER.match(text, place)
        if pair is None:
            raise ValueError(f"name=value was expected at {text[place:]!r}")
        found[pair[1]] = (*found.get(pair[1], ()), pair[2].strip("\"'"))
        place = pair.end()
    return found


TRANSFORMS: dict[str, Callable[[Any, Task], Any]] = {}
"""Name -> the function from GraphDef to GraphDef."""

_PARAMETERS = {
    "strip_unused_nodes": {"type", "shape", "name", "type_for_name", "shape_for_name"},
    "remove_nodes": {"op", "max_inputs"}, "fold_constants": {"clear_output_shapes"},
    "quantize_weights": {"minimum_size"}, "round_weights": {"num_steps"},
    "remove_attribute": {"attribute_name", "op_name"}, "rename_op": {"old_op_name", "new_op_name"},
    "rename_attribute": {"old_attribute_name", "new_attribute_name", "op_name"}, "set_device": {"device", "if_default"},
}  # fmt: skip
"""Transform -> the parameters that it takes, besides `ignore_errors`."""


def _applied(name: str, message: Any, task: Task) -> Any:
    unknown = task.parameters.keys() - _PARAMETERS.get(name, set()) - {"ignore_errors"}
    if unknown:
        raise ValueError(f"the transform {name} has no parameters {sorted(unknown)}")
    try:
        return TRANSFORMS[name](message, task)
    except (errors.OpError, ValueError) as error:
        if not task.flag("ignore_errors"):
            raise
        logging.warning("%s is left out: %s", name, error)
        return message

_NOT_HERE = {"quantize_nodes", "freeze_requantization_ranges", "flatten_atrous_conv", "insert_logging",
             "sparsify_gather", "backport_concatv2", "backport_tensor_array_v3", "fuse_remote_graph",
             "place_remote_graph_arguments",
             "remove_ema", "fuse_quantized_convolution", "merge_consecutive_nodes", "hoist_fake_quants",
             "fold_fake_quants"}  # fmt: skip


def _transform(function: Callable[[Any, Task], Any]) -> Callable[[Any, Task], Any]:
    TRANSFORMS[function.__name__] = function
    return function


# ---- fewer nodes


@_transform
def strip_unused_nodes(message: Any, task: Task) -> Any:
    """Keeps what lies between inputs and outputs.

    Inputs become placeholders of the type `type` and the shape `shape`, or of `type_for_name` and `shape_for_name`,
    which are given once for each `name`.
    """
    names = task.parameters.get("name", ())
    types = dict(zip(names, task.parameters.get("type_for_name", ())))
    shapes = dict(zip(names, task.parameters.get("shape_for_name", ())))
    changed = []
    for node in message.node:
        if node.name in task.inputs and node.op != _PLACEHOLDER:
            node = _placeholder(node.name, types.get(node.name, task.text("type", "float32")),
                                shapes.get(node.name, task.text("shape", "")))
        changed.append(node)
    return extract_sub_graph(rebuilt(message, changed), list(task.outputs))


def _placeholder(name: str, kind: str, sizes: str) -> Any:
    node = proto.node_def_pb2.NodeDef(name=name, op=_PLACEHOLDER)
    node.attr["dtype"].type = dtypes.as_dtype(kind).enum
    if sizes:
        node.attr["shape"].shape.CopyFrom(tensor_messages.shape_to_proto(
            tuple(None if int(size) < 0 else int(size) for size in sizes.split(","))))
    else:
        node.attr["shape"].shape.unknown_rank = True
    return node


@_transform
def remove_nodes(message: Any, task: Task) -> Any:
    """Removes nodes of the ops in `op` with `max_inputs` inputs at most; their users take the first input."""
    ops, most = set(task.parameters.get("op", ())), int(task.text("max_inputs", "1"))
    protected = {*task.inputs, *task.outputs}
    instead = {node.name: node.input[0] for node in message.node if node.op in ops and node.name not in protected
               and 1 <= sum(not text.startswith("^") for text in node.input) <= most}  # fmt: skip
    return _with_inputs(message, [node for node in message.node if node.name not in instead], instead)


def _with_inputs(message: Any, nodes: Iterable[Any], instead: Mapping[str, str]) -> Any:
    """A GraphDef of these nodes, in which inputs that are gone are replaced."""

    def followed(text: str) -> str:
        seen = set()
        while source_of(text) in instead and source_of(text) not in seen:
            seen.add(source_of(text))
            new = instead[source_of(text)]
            text = f"^{source_of(new)}" if text.startswith("^") else new
        return text

    changed = rebuilt(message, nodes)
    for node in changed.node:
        node.input[:] = [followed(text) for text in node.input]
    return changed


@_transform
def merge_duplicate_nodes(message: Any, task: Task) -> Any:
    """Keeps one of several nodes with the same op, inputs and attrs, unless the op has state."""
    kept = {*task.inputs, *task.outputs}
    while True:
        first: dict[bytes, str] = {}
        instead = {}
        for node in message.node:
            opdef = find(node.op)
            if opdef is None or opdef.stateful or opdef.kind is Kind.PLACEHOLDER:
                continue
            plain = proto.node_def_pb2.NodeDef()
            plain.CopyFrom(node)
            plain.name = ""
            other = first.setdefault(plain.SerializeToString(deterministic=True), node.name)
            if other != node.name and node.name not in kept:
                instead[node.name] = other
        if not instead:
            return message
        gone = [node for node in message.node if node.name not in instead]
        message = _renamed(rebuilt(message, gone), instead)


@_transform
def fold_constants(message: Any, task: Task) -> Any:
    """Computes what follows from constants alone; removes attrs with shapes, unless `clear_output_shapes` is false."""
    graph = Graph()
    with graph.as_default():
        import_graph_def(message, name="")
    known: dict[str, bool] = {}
    for node in graph.get_operations():
        follows = node.opdef.is_pure and bool(node.inputs) and not node.control_inputs and bool(node.outputs)
        known[node.name] = node.opdef.kind is Kind.CONSTANT or follows and node.name not in task.inputs and all(
            known.get(tensor.op.name, False) for tensor in node.inputs)
    wanted = {tensor for node in graph.get_operations() if not known[node.name] for tensor in node.inputs}
    wanted |= {tensor for name in task.outputs for tensor in graph.get_operation_by_name(name).outputs[:1]}
    border = [t for t in wanted if known[t.op.name] and t.op.opdef.kind is not Kind.CONSTANT and t.value_index == 0
              and len(t.op.outputs) == 1 and not t.dtype.is_ref and t.dtype not in (dtypes.variant, dtypes.resource)]
    with Session(graph=graph) as session:
        values = session.run(border)
    instead = {tensor.op.name: constant(tensor.op.name, np.asarray(value)) for tensor, value in zip(border, values)}
    changed = rebuilt(message, [instead.get(node.name, node) for node in message.node])
    needed = {node.name for node in extract_sub_graph(changed, list(task.outputs)).node}
    folded = rebuilt(changed, [node for node in changed.node if node.name in needed])
    for node in folded.node if task.flag("clear_output_shapes", "true") else ():
        node.attr.pop("_output_shapes", None)
    return folded


# ---- layers


@_transform
def fold_old_batch_norms(message: Any, task: Task) -> Any:
    """Folds batch normalization nodes into the convolutions before them."""
    return fold_batch_norms(message)


def _fold_products(message: Any, task: Task) -> Any:
    """Folds products with constants into the weights of the layers before them."""
    nodes = Nodes(message, task.outputs)
    instead: dict[str, list[Any]] = {}
    for node in message.node:
        layer = nodes.behind(node.input[0]) if node.op == mul.name and len(node.input) == 2 else None
        if layer is None or layer.op not in _LAYERS or not nodes.is_used_once(layer):
            continue
        weights, factor = nodes.value(layer.input[1]), nodes.value(node.input[1])
        if weights is None or factor is None or layer.attr["transpose_b"].b or factor.ndim > 1:
            continue
        if layer.op == depthwise.depthwise_conv2d_native.name:
            factor = factor.reshape(weights.shape[2:]) if factor.size > 1 else factor
        scaled = constant(f"{layer.name}/scaled_weights", (weights * factor).astype(weights.dtype))
        new = proto.node_def_pb2.NodeDef()
        new.CopyFrom(layer)
        new.name, new.input[1] = node.name, scaled.name
        instead[layer.name], instead[node.name] = [], [scaled, new]
    return rebuilt(message, [new for node in message.node for new in instead.get(node.name, [node])])


TRANSFORMS["fold_batch_norms"] = _fold_products


def _fuse_with_convolutions(message: Any, task: Task) -> Any:
    return fuse_resize_and_conv(message, task.outputs)


for _name in ("fuse_pad_and_conv", "fuse_resize_and_conv", "fuse_resize_pad_and_conv"):
    TRANSFORMS[_name] = _fuse_with_convolutions


# ---- weights


def _weights(message: Any, fewest: int) -> list[tuple[Any, np.ndarray[Any, Any]]]:
    """The constants of real numbers with at least so many elements."""
    found = []
    for node in message.node:
        if node.op == _CONST and node.attr["dtype"].type == dtypes.float32.enum:
            value = tensor_messages.proto_to_array(node.attr["value"].tensor)
            if value.size >= fewest:
                found.append((node, value))
    return found


@_transform
def quantize_weights(message: Any, task: Task) -> Any:
    """Stores constants of `minimum_size` or more elements as 8-bit integers, which a node of their name turns back."""
    instead = {}
    for node, value in _weights(message, int(task.text("minimum_size", "1024"))):
        low, high = min(float(value.min()), 0.0), max(float(value.max()), 0.0)
        high = high if high > low else low + 1
        integers = np.clip(np.round((value - low) * (255 / (high - low))), 0, 255).astype(np.uint8)
        held = proto.node_def_pb2.NodeDef(name=f"{node.name}_quantized_const", op=_CONST)
        held.attr["dtype"].type = dtypes.quint8.enum
        tensor = held.attr["value"].tensor
        tensor.dtype, tensor.tensor_content = dtypes.quint8.enum, integers.tobytes()
        tensor.tensor_shape.CopyFrom(tensor_messages.shape_to_proto(value.shape))
        limits = [constant(f"{node.name}_quantized_{which}", np.float32(limit))
                  for which, limit in (("min", low), ("max", high))]
        back = proto.node_def_pb2.NodeDef(
            name=node.name, op=dequantize.name, input=[held.name, *(limit.name for limit in limits)])
        back.attr["T"].type, back.attr["mode"].s = dtypes.quint8.enum, b"MIN_FIRST"
        instead[node.name] = [held, *limits, back]
    return rebuilt(message, [new for node in message.node for new in instead.get(node.name, [node])])


@_transform
def round_weights(message: Any, task: Task) -> Any:
    """Rounds constants to `num_steps` values, so that the file compresses well."""
    steps = int(task.text("num_steps", "256"))
    instead = {}
    for node, value in _weights(message, 16):
        low, high = float(value.min()), float(value.max())
        if high > low:
            width = (high - low) / (steps - 1)
            instead[node.name] = constant(node.name, (low + np.round((value - low) / width) * width).astype(np.float32))
    return rebuilt(message, [instead.get(node.name, node) for node in message.node])


# ---- order, attrs and names


@_transform
def sort_by_execution_order(message: Any, task: Task) -> Any:
    """Puts every node behind those that it takes.

    Raises:
        ValueError: the nodes depend on each other in a circle, as those of loops do.
    """
    names = {node.name for node in message.node}
    waits = {node.name: {source_of(text) for text in node.input} & names for node in message.node}
    users: dict[str, list[Any]] = {}
    for node in message.node:
        for name in waits[node.name]:
            users.setdefault(name, []).append(node)
    ready, ordered = [node for node in message.node if not waits[node.name]], []
    for node in ready:  # grows while it is gone through
        ordered.append(node)
        for user in users.get(node.name, ()):
            waits[user.name].discard(node.name)
            if not waits[user.name]:
                ready.append(user)
    if len(ordered) < len(names):
        raise ValueError("the graph has a circle of nodes, which have no order")
    return rebuilt(message, ordered)


def _edited(message: Any, change: Callable[[Any], None]) -> Any:
    changed = rebuilt(message, message.node)
    for node in changed.node:
        change(node)
    return changed


def _applies(task: Task, node: Any) -> bool:
    return task.text("op_name", "*") in ("*", node.op)


@_transform
def remove_attribute(message: Any, task: Task) -> Any:
    """Removes the attr `attribute_name` from nodes of the op `op_name`, or of all."""
    name = task.text("attribute_name")
    return _edited(message, lambda node: node.attr.pop(name, None) if _applies(task, node) else None)


@_transform
def rename_attribute(message: Any, task: Task) -> Any:
    """Gives the attr `old_attribute_name` the name `new_attribute_name`."""
    old, new = task.text("old_attribute_name"), task.text("new_attribute_name")

    def change(node: Any) -> None:
        if _applies(task, node) and old in node.attr:
            node.attr[new].CopyFrom(node.attr[old])
            del node.attr[old]

    return _edited(message, change)


@_transform
def rename_op(message: Any, task: Task) -> Any:
    """Makes nodes of the op `old_op_name` ones of `new_op_name`."""
    old, new = task.text("old_op_name"), task.text("new_op_name")

    def change(node: Any) -> None:
        if node.op == old:
            node.op = new

    return _edited(message, change)


@_transform
def remove_device(message: Any, task: Task) -> Any:
    """Removes the devices of all nodes."""
    return _edited(message, lambda node: node.ClearField("device"))


@_transform
def set_device(message: Any, task: Task) -> Any:
    """Gives nodes the device `device`; with `if_default`, those alone that have none."""
    device, absent_alone = task.text("device", ""), task.flag("if_default")

    def change(node: Any) -> None:
        if not absent_alone or not node.device:
            node.device = device

    return _edited(message, change)


@_transform
def remove_control_dependencies(message: Any, task: Task) -> Any:
    """Removes the control inputs of all nodes."""

    def change(node: Any) -> None:
        node.input[:] = [text for text in node.input if not text.startswith("^")]

    return _edited(message, change)


@_transform
def add_default_attributes(message: Any, task: Task) -> Any:
    """Adds the default attrs that nodes lack."""
    return with_defaults(proto.meta_graph_pb2.MetaGraphDef(graph_def=message)).graph_def


@_transform
def obfuscate_names(message: Any, task: Task) -> Any:
    """Gives nodes other than inputs and outputs short names without a meaning."""
    kept = {*task.inputs, *task.outputs}
    names, number = {}, 0
    taken = kept.copy()
    for node in message.node:
        if node.name in kept:
            continue
        while (name := _short(number)) in taken:
            number += 1
        taken.add(name)
        names[node.name] = name
    changed = _renamed(rebuilt(message, message.node), names)
    for node in changed.node:
        node.name = names.get(node.name, node.name)
    return changed


def _renamed(message: Any, names: Mapping[str, str]) -> Any:
    """The GraphDef with other names in the inputs; which output is meant stays."""

    def new(text: str) -> str:
        name = source_of(text)
        if name not in names:
            return text
        mark, rest = "^" if text.startswith("^") else "", text.partition(":")[1:]
        return f"{mark}{names[name]}{''.join(rest)}"

    for node in message.node:
        node.input[:] = [new(text) for text in node.input]
    return message


def _short(number: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = letters[digit] + text
    return text
