"""Structures of values and specs as messages, the form in which a SavedModel has signatures of functions."""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from typing import Any

from evergraph import proto
from evergraph.base import dtypes, errors
from evergraph.base.shapes import TensorShape
from evergraph.data.specs import DatasetSpec
from evergraph.eager.parts import VariableSpec, tensor_specs
from evergraph.formats.tensor_messages import proto_to_array, proto_to_shape, shape_to_proto, tensor_to_proto
from evergraph.frontend.array import constant, get_static_value
from evergraph.frontend.ragged.tensor import RaggedTensorSpec
from evergraph.frontend.specs import IndexedSlicesSpec, SparseTensorSpec, TensorSpec, TypeSpec
from evergraph.frontend.tensor_array import TensorArraySpec
from evergraph.graph.node import Tensor

# The numbers that TensorFlow gives to the classes of specs.
_CLASSES: dict[int, Callable[..., TypeSpec]] = {
    1: SparseTensorSpec, 2: IndexedSlicesSpec, 3: RaggedTensorSpec, 4: TensorArraySpec, 5: DatasetSpec, 9: VariableSpec,
}  # fmt: skip
_NUMBERS = {kind: number for number, kind in _CLASSES.items()}


class CannotEncodeError(ValueError):
    """A value of Python that has no place in a file."""


def encoded(value: Any) -> Any:
    """The message of a structure.

    Raises:
        CannotEncodeError: it holds something other than numbers, texts, specs, shapes, dtypes, tensors of known value
            and structures of these.
    """
    message = proto.struct_pb2.StructuredValue()
    for kind, fill in _KINDS:
        if isinstance(value, kind):
            fill(message, value)
            return message
    raise CannotEncodeError(f"{value!r} has no form in a file")


def _fill_none(message: Any, value: None) -> None:
    message.none_value.SetInParent()


def _fill_bool(message: Any, value: bool) -> None:
    message.bool_value = value


def _fill_int(message: Any, value: int) -> None:
    if not -(2**63) <= value < 2**63:
        raise CannotEncodeError(f"{value} is too large for a file")
    message.int64_value = value


def _fill_float(message: Any, value: float) -> None:
    message.float64_value = value


def _fill_text(message: Any, value: str) -> None:
    message.string_value = value


def _fill_shape(message: Any, value: TensorShape) -> None:
    message.tensor_shape_value.CopyFrom(shape_to_proto(value.tuple))


def _fill_dtype(message: Any, value: dtypes.DType) -> None:
    message.tensor_dtype_value = value.enum


def _fill_tensor(message: Any, value: TensorSpec) -> None:
    held = message.tensor_spec_value
    held.name, held.dtype = value.name or "", value.dtype.enum
    held.shape.CopyFrom(shape_to_proto(value.shape.tuple))


def _fill_spec(message: Any, value: TypeSpec) -> None:
    held = message.type_spec_value
    if type(value) not in _NUMBERS:
        raise CannotEncodeError(f"{value!r} has no form in a file")
    held.type_spec_class, held.type_spec_class_name = _NUMBERS[type(value)], type(value).__name__
    held.type_state.CopyFrom(encoded(value._parts()))
    held.num_flat_components = len(tensor_specs(value))


def _fill_named(message: Any, value: Any) -> None:
    message.named_tuple_value.name = type(value).__name__
    for key, item in value._asdict().items():
        message.named_tuple_value.values.add(key=key).value.CopyFrom(encoded(item))


def _fill_tuple(message: Any, value: tuple[Any, ...]) -> None:
    if hasattr(value, "_fields"):
        _fill_named(message, value)
        return
    message.tuple_value.SetInParent()
    message.tuple_value.values.extend(map(encoded, value))


def _fill_list(message: Any, value: list[Any]) -> None:
    message.list_value.SetInParent()
    message.list_value.values.extend(map(encoded, value))


def _fill_dict(message: Any, value: Mapping[Any, Any]) -> None:
    message.dict_value.SetInParent()
    for key, item in value.items():
        if not isinstance(key, str):
            raise CannotEncodeError(f"the key {key!r} of a dictionary is no text")
        message.dict_value.fields[key].CopyFrom(encoded(item))


def _fill_value(message: Any, value: Tensor) -> None:
    known = get_static_value(value)
    if known is None:
        raise CannotEncodeError(f"the value of {value!r} is not known before a run")
    message.tensor_value.CopyFrom(tensor_to_proto(known, value.dtype))


_KINDS: list[tuple[type, Callable[[Any, Any], None]]] = [
    (type(None), _fill_none), (bool, _fill_bool), (int, _fill_int), (float, _fill_float), (str, _fill_text),
    (TensorShape, _fill_shape), (dtypes.DType, _fill_dtype), (TensorSpec, _fill_tensor), (TypeSpec, _fill_spec),
    (Tensor, _fill_value), (tuple, _fill_tuple), (list, _fill_list), (Mapping, _fill_dict),
]  # fmt: skip


# ---- reading


def decoded(message: Any) -> Any:
    """The structure of a message.

    Raises:
        UnimplementedError: it holds the spec of something that evergraph does not have.
        ValueError: it holds nothing.
    """
    kind = message.WhichOneof("kind")
    if kind not in _READERS:
        raise ValueError(f"a structure of a SavedModel holds {kind}")
    return _READERS[kind](getattr(message, kind))


def _named_tuple(held: Any) -> Any:
    kind = collections.namedtuple(held.name, [pair.key for pair in held.values])  # type: ignore[misc]
    return kind(*(decoded(pair.value) for pair in held.values))


def _tensor_spec(held: Any) -> TensorSpec:
    return TensorSpec(proto_to_shape(held.shape), dtypes.as_dtype(held.dtype), held.name or None)


def _type_spec(held: Any) -> TypeSpec:
    if held.type_spec_class not in _CLASSES:
        raise errors.UnimplementedError(None, None, f"a {held.type_spec_class_name} in a signature of a SavedModel")
    return _CLASSES[held.type_spec_class](*decoded(held.type_state))


_READERS: dict[str | None, Callable[[Any], Any]] = {
    "none_value": lambda held: None,
    "bool_value": bool, "int64_value": int, "float64_value": float, "string_value": str,
    "tensor_shape_value": lambda held: TensorShape(proto_to_shape(held)),
    "tensor_dtype_value": dtypes.as_dtype,
    "tensor_spec_value": _tensor_spec, "bounded_tensor_spec_value": _tensor_spec, "type_spec_value": _type_spec,
    "tuple_value": lambda held: tuple(map(decoded, held.values)),
    "list_value": lambda held: list(map(decoded, held.values)),
    "dict_value": lambda held: {key: decoded(held.fields[key]) for key in sorted(held.fields)},
    "named_tuple_value": _named_tuple,
    "tensor_value": lambda held: constant(proto_to_array(held), dtypes.as_dtype(held.dtype)),
    "numpy_value": proto_to_array,
}  # fmt: skip


class StructureCoder:
    """What programs import from tensorflow.python.saved_model.nested_structure_coder."""

    def can_encode(self, nested: Any) -> bool:
        """Whether the structure has a form in a file."""
        try:
            encoded(nested)
        except CannotEncodeError:
            return False
        return True

    def encode_structure(self, nested: Any) -> Any:
        """The structure as a StructuredValue message.

        Raises:
            CannotEncodeError: something in it has no form in a file.
        """
        return encoded(nested)

    def decode_proto(self, proto: Any) -> Any:
        """The structure of a StructuredValue message."""
        return decoded(proto)
