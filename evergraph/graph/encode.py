"""Encodes nodes, functions and ops as TensorFlow's messages NodeDef, FunctionDef and OpDef. Graphs: see graphdef.py."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from evergraph import proto
from evergraph.base import errors
from evergraph.base.dtypes import DType
from evergraph.formats import tensor_messages
from evergraph.formats.wire import sized
from evergraph.graph import codec
from evergraph.graph.registry import lookup
from evergraph.graph.signature import REQUIRED
from evergraph.kernel import calling

if TYPE_CHECKING:
    from evergraph.graph.graph import Graph
    from evergraph.graph.node import Operation, Tensor


def versions(producer: int) -> Any:
    return proto.versions_pb2.VersionDef(producer=producer)


def node_def(node: Operation, add_shapes: bool = False) -> Any:
    """Encodes one node as a NodeDef."""
    message = proto.node_def_pb2.NodeDef()
    message.MergeFromString(node_bytes(node, add_shapes))
    return message


def node_bytes(node: Operation, add_shapes: bool = False) -> bytes:
    """Encodes one node as the bytes of a NodeDef."""
    inputs = [t._as_node_def_input() for t in node._inputs]
    if node._control_inputs:
        inputs += sorted([f"^{c.name}" for c in node._control_inputs])
    return _node_bytes(node, inputs, add_shapes)


def _node_bytes(node: Operation, inputs: list[str], add_shapes: bool = False) -> bytes:
    """The bytes of a NodeDef whose inputs have these names. A graph has the same few attrs in many nodes."""
    parts = [sized(1, node.name.encode()), _op_field(node.opdef.name)]
    parts += [sized(3, name.encode()) for name in inputs]
    if node._device:
        parts.append(sized(4, node._device.encode()))
    kinds = node.opdef.signature.attr
    entries = {name: _entry(name, kinds[name].kind, value, node) for name, value in node.attrs.items()}
    for name, value in node.extra.items():
        entries[name] = _map_entry(name, value.SerializeToString())
    if add_shapes and node.outputs:
        shapes = tuple([t._shape for t in node.outputs])
        entries["_output_shapes"] = _known_entry("_output_shapes", "list(shape)", shapes)
    parts += entries.values()
    return b"".join(parts)


def _entry(name: str, kind: str, value: Any, node: Operation) -> bytes:
    """The bytes of an attr in the map of a NodeDef."""
    if kind in _COMPARABLE and not (kind == "string" and len(value) > _LONGEST_KEPT):
        return _known_entry(name, kind, tuple(value) if type(value) is list else value)
    if kind == "tensor" and "dtype" in node.attrs:
        dtype, array = node.attrs["dtype"], np.asarray(value)
        if array.size <= _MOST_KEPT and not array.dtype.hasobject:
            return _known_tensor(name, dtype, array.dtype, array.shape, array.strides, array.tobytes())
        return _tensor_entry(name, dtype, array)
    return _map_entry(name, codec.encode_attr(kind, value).SerializeToString())


# The kinds whose values are encoded alike when they are equal: 0.0 and -0.0 are not.
_COMPARABLE = frozenset(
    ["int", "bool", "type", "shape", "string", "list(int)", "list(bool)", "list(type)", "list(shape)"])
_LONGEST_KEPT = 64  # characters
_MOST_KEPT = 16  # elements


@functools.cache
def _op_field(name: str) -> bytes:
    return sized(2, name.encode())


@functools.lru_cache(maxsize=4096)
def _known_entry(name: str, kind: str, value: Any) -> bytes:
    return _map_entry(name, codec.encode_attr(kind, value).SerializeToString())


@functools.lru_cache(maxsize=4096)
def _known_tensor(
    name: str, dtype: DType, held_as: Any, shape: tuple[int, ...], strides: tuple[int, ...], content: bytes
) -> bytes:
    """The entry of a small array; the strides say whether it repeats one value, of which a message has one."""
    array = np.frombuffer(content, held_as).reshape(shape)
    repeats = array.size > 1 and not any(strides)
    return _tensor_entry(name, dtype, np.broadcast_to(array.reshape(-1)[0], shape) if repeats else array)


def _tensor_entry(name: str, dtype: DType, value: Any) -> bytes:
    return _map_entry(name, sized(8, tensor_messages.tensor_to_proto(value, dtype).SerializeToString()))


def _map_entry(name: str, value: bytes) -> bytes:
    return sized(5, sized(1, name.encode()) + sized(2, value))


def function_def(function: Any) -> Any:
    """Encodes a library function as a FunctionDef; a function that was read from one keeps it unchanged."""
    if function.definition is not None:
        return function.definition
    message = proto.function_pb2.FunctionDef()
    signature = message.signature
    signature.name = function.name
    names: dict[Tensor, str] = {}
    for i, tensor in enumerate(function.inputs):
        names[tensor] = _add_argument(message, tensor, i)
    formal = set(function.inputs)
    order = function.order()
    for node in function._nodes:
        if node.outputs and node.outputs[0] in formal:
            continue
        inputs = [names[t] if t in names else _inner_name(t) for t in node._inputs]
        waits = dict.fromkeys([*node._control_inputs, *order.waits.get(node, ())])
        inputs += [f"^{c.name}" for c in waits if not (c.outputs and c.outputs[0] in formal)]
        message.node_def.add().MergeFromString(_node_bytes(node, inputs))
    for i, tensor in enumerate(function.outputs):
        arg = signature.output_arg.add(name=f"output_{i}", type=tensor.dtype.base_dtype.enum)
        message.ret[arg.name] = names[tensor] if tensor in names else _inner_name(tensor)
    for i, node in enumerate(dict.fromkeys([*function.control_outputs, *order.ends])):
        signature.control_output.append(f"control_output_{i}")
        message.control_ret[f"control_output_{i}"] = node.name
    if any(node.opdef.stateful for node in function._nodes):
        signature.is_stateful = True
    return message


def _add_argument(message: Any, tensor: Tensor, position: int) -> str:
    """Adds an argument to a FunctionDef, with its shape or what the variable behind it holds; returns its name."""
    name = _argument_name(tensor.op.name, position)
    arg = message.signature.input_arg.add(name=name, type=tensor.dtype.base_dtype.enum)
    held = tensor._handle_data
    if held is not None:
        arg.handle_data.add(dtype=held.dtype.enum, shape=tensor_messages.shape_to_proto(held.shape))
    else:
        shapes = codec.encode_attr("list(shape)", [tensor._shape])
        message.arg_attr[position].attr["_output_shapes"].CopyFrom(shapes)
    return name


def _argument_name(name: str, position: int) -> str:
    """Converts to an argument name that FunctionDef allows: lower-case letters, digits and underscores."""
    plain = "".join(c if c.isalnum() else "_" for c in name).lower()
    return f"{plain if plain[:1].isalpha() else 'arg_' + plain}_{position}"


def _inner_name(tensor: Tensor) -> str:
    """The name of a tensor inside a FunctionDef: node:output argument:position in it."""
    node, start = tensor.op, 0
    for arg in node.opdef.plan.outputs:
        count = calling.count_of(arg, node.attrs)
        if tensor.value_index < start + count:
            return f"{node.name}:{arg.name}:{tensor.value_index - start}"
        start += count
    raise errors.InternalError(None, None, f"{tensor.name} is not an output of {node.name}")


def create_op(graph: Graph, op_type: str, inputs: list[Tensor], name: str | None, attrs: dict[str, Any]) -> Operation:
    """Adds a node given as its op's name and AttrValue messages (or the values themselves)."""
    opdef = lookup(op_type)
    kinds = opdef.signature.attr
    given, extra = {}, {}
    for key, value in attrs.items():
        is_message = isinstance(value, proto.attr_value_pb2.AttrValue)
        if key in kinds:
            given[key] = codec.decode_attr(kinds[key].kind, value) if is_message else value
        else:
            extra[key] = value
    infer_attrs(opdef, inputs, given)
    settled = {a.name: given[a.name] if a.name in given else a.default for a in opdef.signature.attrs}
    node = graph.add_node(opdef, graph.claim_name(name or op_type), inputs, settled)
    node.extra.update(extra)
    return node


def infer_attrs(opdef: Any, inputs: list[Tensor], given: dict[str, Any]) -> None:
    """Infers attrs from the dtypes of flat inputs; the attrs of list inputs must be given."""
    position = 0
    for arg in opdef.plan.inputs:
        if arg.list_attr is not None:
            if arg.list_attr not in given:
                given[arg.list_attr] = [t.dtype.base_dtype for t in inputs[position:]]
            position += len(given[arg.list_attr])
            continue
        if arg.number_attr is not None and arg.number_attr not in given:
            rest = sum(not a.is_list for a in opdef.plan.inputs[opdef.plan.inputs.index(arg) + 1 :])
            given[arg.number_attr] = len(inputs) - position - rest
        if arg.type_attr is not None and arg.type_attr not in given and position < len(inputs):
            given[arg.type_attr] = inputs[position].dtype.base_dtype
        position += given[arg.number_attr] if arg.number_attr is not None else 1


def list_of_bytes(values: list[bytes]) -> Any:
    """An AttrValue that holds byte strings, as `_class` does."""
    message = proto.attr_value_pb2.AttrValue()
    message.list.s.extend(values)
    return message


def string_value(value: str) -> Any:
    return proto.attr_value_pb2.AttrValue(s=value.encode())


def public_attr(kind: str, value: Any) -> Any:
    """An attr's value as `Operation.get_attr` returns it: strings as bytes, shapes and tensors as messages."""
    if kind.startswith("list("):
        return [public_attr(kind[5:-1], item) for item in value]
    if kind == "string":
        return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    if kind in ("shape", "tensor", "func"):
        message = codec.encode_attr(kind, value)
        return getattr(message, kind)
    return value


def op_def(opdef: Any) -> Any:
    """An op's declaration as an OpDef message."""
    return proto.op_def_pb2.OpDef.FromString(op_def_bytes(opdef))


@functools.cache
def op_def_bytes(opdef: Any) -> bytes:
    """An op's declaration as the bytes of an OpDef, which every exported graph that uses the op holds."""
    signature = opdef.signature
    message = proto.op_def_pb2.OpDef(name=opdef.name, is_stateful=opdef.stateful)
    for args, field in ((signature.inputs, message.input_arg), (signature.outputs, message.output_arg)):
        for arg in args:
            field.add(name=arg.name, type=arg.type.enum if arg.type is not None else 0, type_attr=arg.type_attr or "",
                      number_attr=arg.number_attr or "", type_list_attr=arg.list_attr or "", is_ref=arg.is_ref)
    for attr in signature.attrs:
        entry = message.attr.add(name=attr.name, type=attr.kind)
        if attr.default is not REQUIRED:
            entry.default_value.CopyFrom(codec.encode_attr(attr.kind, attr.default))
        if attr.minimum is not None:
            entry.has_minimum, entry.minimum = True, attr.minimum
        if attr.allowed:
            kind = "list(string)" if attr.kind.endswith("string)") or attr.kind == "string" else "list(type)"
            entry.allowed_values.CopyFrom(codec.encode_attr(kind, list(attr.allowed)))
    content: bytes = message.SerializeToString()
    return content


def bool_value(value: bool) -> Any:
    return proto.attr_value_pb2.AttrValue(b=value)
