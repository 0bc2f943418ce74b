"""Signatures of a SavedModel: the named tensors that a caller feeds and fetches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evergraph import proto
from evergraph.base import dtypes, errors
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.formats.tensor_messages import shape_to_proto
from evergraph.frontend.ragged.tensor import RaggedTensor
from evergraph.frontend.specs import type_spec_from_value
from evergraph.graph.composite import IndexedSlices, SparseTensor
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation
from evergraph.save import saved_model_constants as constants

# ---------------------------------------------------------------- one tensor


@export("saved_model.build_tensor_info", "saved_model.utils.build_tensor_info")
def build_tensor_info(tensor: Any) -> Any:
    """The TensorInfo message of a tensor: its name or those of its components, its dtype and its shape.

    >>> tf.saved_model.build_tensor_info(tf.constant([1.0], name="c")).name
    'c:0'

    Args:
        tensor: a tensor, variable, sparse tensor, ragged tensor or indexed slices.
    """
    if isinstance(tensor, SparseTensor):
        info = _typed(tensor)
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
        return info
    if isinstance(tensor, (RaggedTensor, IndexedSlices)):
        return _composite_info(tensor)
    info = _typed(tensor)
    info.name = tensor.name
    return info


def _typed(tensor: Any) -> Any:
    shape = tensor.get_shape() if hasattr(tensor, "get_shape") else tensor.shape
    return proto.meta_graph_pb2.TensorInfo(
        dtype=dtypes.as_dtype(tensor.dtype).enum, tensor_shape=shape_to_proto(TensorShape(shape).tuple))  # fmt: skip


def build_tensor_info_from_op(op: Operation) -> Any:
    """The TensorInfo message of an operation; it has no dtype."""
    return proto.meta_graph_pb2.TensorInfo(name=op.name, tensor_shape=shape_to_proto(None))


# ---- composite tensors

_CLASSES = {"RaggedTensorSpec": "RAGGED_TENSOR_SPEC", "IndexedSlicesSpec": "INDEXED_SLICES_SPEC"}


def _composite_info(tensor: Any) -> Any:
    spec, parts = type_spec_from_value(tensor), tensor._components()
    info = proto.meta_graph_pb2.TensorInfo()
    described = info.composite_tensor.type_spec
    described.type_spec_class_name = type(spec).__name__
    described.type_spec_class = described.TypeSpecClass.Value(_CLASSES[type(spec).__name__])
    described.num_flat_components = len(parts)
    for part in spec._parts():
        _fill_value(described.type_state.tuple_value.values.add(), part)
    info.composite_tensor.components.extend(build_tensor_info(part) for part in parts)
    return info


def _fill_value(message: Any, value: Any) -> None:
    if value is None:
        message.none_value.SetInParent()
    elif isinstance(value, TensorShape):
        message.tensor_shape_value.CopyFrom(shape_to_proto(value.tuple))
    elif isinstance(value, dtypes.DType):
        message.tensor_dtype_value = value.enum
    else:
        message.int64_value = value


def _composed(info: Any, parts: list[Any]) -> Any:
    """The composite tensor of these components."""
    kind = info.composite_tensor.type_spec.type_spec_class
    names = info.composite_tensor.type_spec.TypeSpecClass
    if kind == names.Value("INDEXED_SLICES_SPEC") and len(parts) in (2, 3):
        return IndexedSlices(*parts)
    if kind == names.Value("RAGGED_TENSOR_SPEC") and parts:
        return RaggedTensor.from_nested_row_splits(parts[0], parts[1:], validate=False)
    raise ValueError(f"Invalid TensorInfo: {len(parts)} parts make no {info.composite_tensor.type_spec}")


# ---- decoding


@export("saved_model.get_tensor_from_tensor_info", "saved_model.utils.get_tensor_from_tensor_info")
def get_tensor_from_tensor_info(tensor_info: Any, graph: Graph | None = None, import_scope: str | None = None) -> Any:
    """The tensor, or composite tensor, that a TensorInfo message names.

    Args:
        tensor_info: the message.
        graph: the graph; by default the default graph.
        import_scope: the name scope of the imported graph.

    Raises:
        KeyError: the tensor does not exist.
        ValueError: the message names none.
    """
    graph = graph or default_graph()
    encoding = tensor_info.WhichOneof("encoding")
    if encoding == "name":
        return graph.get_tensor_by_name(_scoped(tensor_info.name, import_scope))
    with graph.as_default():
        if encoding == "coo_sparse":
            parts = tensor_info.coo_sparse
            names = (parts.indices_tensor_name, parts.values_tensor_name, parts.dense_shape_tensor_name)
            return SparseTensor(*(graph.get_tensor_by_name(_scoped(name, import_scope)) for name in names))
        if encoding == "composite_tensor":
            infos = tensor_info.composite_tensor.components
            return _composed(tensor_info, [get_tensor_from_tensor_info(each, graph, import_scope) for each in infos])
    raise ValueError(f"Invalid TensorInfo.encoding: {encoding}")


def get_element_from_tensor_info(tensor_info: Any, graph: Graph | None = None, import_scope: str | None = None) -> Any:
    """The tensor or operation that a TensorInfo message names; see `get_tensor_from_tensor_info`."""
    return (graph or default_graph()).as_graph_element(_scoped(tensor_info.name, import_scope))


def _scoped(name: str, scope: str | None) -> str:
    return f"{scope}/{name}" if scope else name


# ---------------------------------------------------------------- signatures


@export("saved_model.build_signature_def", "saved_model.signature_def_utils.build_signature_def")
def build_signature_def(
    inputs: Mapping[str, Any] | None = None, outputs: Mapping[str, Any] | None = None, method_name: str | None = None
) -> Any:
    """Builds a SignatureDef message.

    Args:
        inputs: name -> TensorInfo of the inputs.
        outputs: name -> TensorInfo of the outputs.
        method_name: the kind of signature, such as `tf.saved_model.PREDICT_METHOD_NAME`.
    """
    signature = proto.meta_graph_pb2.SignatureDef(method_name=method_name)
    for given, field in ((inputs, signature.inputs), (outputs, signature.outputs)):
        for name, info in (given or {}).items():
            field[name].CopyFrom(info)
    return signature


def _infos(tensors: Mapping[str, Any]) -> dict[str, Any]:
    return {name: build_tensor_info(tensor) for name, tensor in tensors.items()}


def _info_of(tensor: Any, dtype: dtypes.DType, what: str) -> Any:
    """The TensorInfo of a tensor with a required dtype.

    Raises:
        ValueError: the dtype differs.
    """
    info = build_tensor_info(tensor)
    if info.dtype != dtype.enum:
        raise ValueError(f"{what} must be of type {dtype.name}, got {dtypes.as_dtype(info.dtype).name}: {tensor}")
    return info


@export("saved_model.predict_signature_def", "saved_model.signature_def_utils.predict_signature_def")
def predict_signature_def(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Any:
    """A prediction signature with arbitrary inputs and outputs.

    >>> x = tf.placeholder(tf.float32, [None], name="x")
    >>> tf.saved_model.predict_signature_def({"x": x}, {"y": x * 2.0}).method_name
    'tensorflow/serving/predict'

    Args:
        inputs: name -> tensor.
        outputs: name -> tensor.

    Raises:
        ValueError: one of them is empty.
    """
    if not inputs or not outputs:
        raise ValueError(f"A predict signature needs inputs and outputs, got {inputs} and {outputs}")
    return build_signature_def(_infos(inputs), _infos(outputs), constants.PREDICT_METHOD_NAME)


@export("saved_model.regression_signature_def", "saved_model.signature_def_utils.regression_signature_def")
def regression_signature_def(examples: Any, predictions: Any) -> Any:
    """A regression signature: serialized examples to one number each.

    Args:
        examples: a string tensor.
        predictions: a float32 tensor.

    Raises:
        ValueError: one of them is missing or has the wrong dtype.
    """
    if examples is None or predictions is None:
        raise ValueError("A regression signature needs examples and predictions")
    inputs = {constants.REGRESS_INPUTS: _info_of(examples, dtypes.string, "Regression examples")}
    outputs = {constants.REGRESS_OUTPUTS: _info_of(predictions, dtypes.float32, "Regression predictions")}
    return build_signature_def(inputs, outputs, constants.REGRESS_METHOD_NAME)


@export("saved_model.classification_signature_def", "saved_model.signature_def_utils.classification_signature_def")
def classification_signature_def(examples: Any, classes: Any, scores: Any) -> Any:
    """A classification signature: serialized examples to class names, scores, or both.

    Args:
        examples: a string tensor.
        classes: a string tensor, or None.
        scores: a float32 tensor, or None.

    Raises:
        ValueError: there are no examples, neither classes nor scores, or a dtype is wrong.
    """
    if examples is None or classes is None and scores is None:
        raise ValueError("A classification signature needs examples, and classes or scores")
    inputs = {constants.CLASSIFY_INPUTS: _info_of(examples, dtypes.string, "Classification examples")}
    outputs = {}
    if classes is not None:
        outputs[constants.CLASSIFY_OUTPUT_CLASSES] = _info_of(classes, dtypes.string, "Classification classes")
    if scores is not None:
        outputs[constants.CLASSIFY_OUTPUT_SCORES] = _info_of(scores, dtypes.float32, "Classification scores")
    return build_signature_def(inputs, outputs, constants.CLASSIFY_METHOD_NAME)


def _supervised(method: str) -> Callable[..., Any]:
    def signature_def(inputs: Mapping[str, Any], loss: Any = None, predictions: Any = None, metrics: Any = None) -> Any:
        """A signature for training or evaluation: named inputs; losses, predictions and metrics as outputs."""
        if not inputs:
            raise ValueError(f"A {method} signature needs inputs")
        outputs = {**(loss or {}), **(predictions or {}), **(metrics or {})}
        return build_signature_def(_infos(inputs), _infos(outputs), method)

    return signature_def


supervised_train_signature_def = _supervised(constants.SUPERVISED_TRAIN_METHOD_NAME)
supervised_eval_signature_def = _supervised(constants.SUPERVISED_EVAL_METHOD_NAME)


def op_signature_def(op: Any, key: str) -> Any:
    """The signature that stores an operation or tensor to run, such as the init op."""
    build = build_tensor_info_from_op if isinstance(op, Operation) else build_tensor_info
    return build_signature_def(outputs={key: build(op)})


def load_op_from_signature_def(signature_def: Any, key: str, import_scope: str | None = None) -> Any:
    """The operation or tensor of a signature that `op_signature_def` made.

    Raises:
        NotFoundError: the graph has no such operation.
    """
    info = signature_def.outputs[key]
    try:
        return get_element_from_tensor_info(info, import_scope=import_scope)
    except (KeyError, ValueError) as error:
        message = f"The model runs {info.name!r}, which its graph lacks: {error}"
        raise errors.NotFoundError(None, None, message) from None


# ---- checks


@export("saved_model.is_valid_signature", "saved_model.signature_def_utils.is_valid_signature")
def is_valid_signature(signature_def: Any) -> bool:
    """Whether a model server can serve a SignatureDef: for its method, the right names and dtypes."""
    if signature_def is None:
        return False
    inputs = {name: info.dtype for name, info in signature_def.inputs.items()}
    outputs = {name: info.dtype for name, info in signature_def.outputs.items()}
    text, number = dtypes.string.enum, dtypes.float32.enum
    method = signature_def.method_name
    if method == constants.PREDICT_METHOD_NAME:
        return bool(inputs) and bool(outputs)
    if method == constants.REGRESS_METHOD_NAME:
        return inputs == {constants.REGRESS_INPUTS: text} and outputs == {constants.REGRESS_OUTPUTS: number}
    if method == constants.CLASSIFY_METHOD_NAME:
        allowed = {constants.CLASSIFY_OUTPUT_CLASSES: text, constants.CLASSIFY_OUTPUT_SCORES: number}
        return inputs == {constants.CLASSIFY_INPUTS: text} and bool(outputs) and outputs.items() <= allowed.items()
    return False


def check_signatures(signature_def_map: Mapping[str, Any] | None) -> None:
    """Raises AssertionError for a signature without tensor names, KeyError for a reserved name."""
    for key, signature in (signature_def_map or {}).items():
        for name, info in [*signature.inputs.items(), *signature.outputs.items()]:
            _check_info(f"signature {key!r}, {name!r}", info)
        if key in constants.RESERVED_SIGNATURE_KEYS:
            raise KeyError(f"SignatureDef map key {key!r} is reserved for the model's own operations")


def _check_info(where: str, info: Any) -> None:
    encoding = info.WhichOneof("encoding")
    if encoding is None:
        raise AssertionError(f"{where}: the TensorInfo names no tensor: {info}")
    if encoding == "composite_tensor":
        for part in info.composite_tensor.components:
            _check_info(where, part)
    elif info.dtype == proto.types_pb2.DT_INVALID:
        raise AssertionError(f"{where}: the TensorInfo has no dtype: {info}")
