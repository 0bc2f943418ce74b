"""Writes models as TensorFlow Lite's files, and reads the files."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.lite import libraries
from evergraph.lite.model import Quantization, Step, Subgraph, Value

VERSION = 3  # of the schema
_IDENTIFIER = b"TFL3"
_LARGEST_OLD_CODE = 127  # what fits in the byte that files had for an operator's number at first

TYPES: dict[dtypes.DType, str] = {
    dtypes.float32: "FLOAT32", dtypes.float16: "FLOAT16", dtypes.float64: "FLOAT64", dtypes.int8: "INT8",
    dtypes.int16: "INT16", dtypes.int32: "INT32", dtypes.int64: "INT64", dtypes.uint8: "UINT8",
    dtypes.uint16: "UINT16", dtypes.uint32: "UINT32", dtypes.uint64: "UINT64", dtypes.bool: "BOOL",
    dtypes.string: "STRING", dtypes.complex64: "COMPLEX64", dtypes.complex128: "COMPLEX128",
}  # fmt: skip
"""dtype -> its name in the schema."""

# Operator -> the class of its options, where it has any with fields.
_OPTIONS = {
    "ADD": "Add", "SUB": "Sub", "MUL": "Mul", "DIV": "Div", "CONV_2D": "Conv2D", "CONV_3D": "Conv3D",
    "CONV_3D_TRANSPOSE": "Conv3D", "DEPTHWISE_CONV_2D": "DepthwiseConv2D", "TRANSPOSE_CONV": "TransposeConv",
    "FULLY_CONNECTED": "FullyConnected", "BATCH_MATMUL": "BatchMatMul", "AVERAGE_POOL_2D": "Pool2D",
    "MAX_POOL_2D": "Pool2D", "SOFTMAX": "Softmax", "LEAKY_RELU": "LeakyRelu", "CONCATENATION": "Concatenation",
    "LOCAL_RESPONSE_NORMALIZATION": "LocalResponseNormalization", "RESHAPE": "Reshape", "SQUEEZE": "Squeeze",
    "MEAN": "Reducer", "SUM": "Reducer", "REDUCE_MAX": "Reducer", "REDUCE_MIN": "Reducer", "REDUCE_PROD": "Reducer",
    "REDUCE_ANY": "Reducer", "REDUCE_ALL": "Reducer", "ARG_MAX": "ArgMax", "ARG_MIN": "ArgMin", "CUMSUM": "Cumsum",
    "RESIZE_BILINEAR": "ResizeBilinear", "RESIZE_NEAREST_NEIGHBOR": "ResizeNearestNeighbor", "PACK": "Pack",
    "UNPACK": "Unpack", "SPLIT": "Split", "SPLIT_V": "SplitV", "GATHER": "Gather", "STRIDED_SLICE": "StridedSlice",
    "ONE_HOT": "OneHot", "SHAPE": "Shape", "CAST": "Cast", "MIRROR_PAD": "MirrorPad", "UNIQUE": "Unique",
    "REVERSE_SEQUENCE": "ReverseSequence", "SPACE_TO_DEPTH": "SpaceToDepth", "DEPTH_TO_SPACE": "DepthToSpace",
    "SPARSE_TO_DENSE": "SparseToDense", "BUCKETIZE": "Bucketize", "FAKE_QUANT": "FakeQuant", "IF": "If",
    "WHILE": "While", "GELU": "Gelu", "L2_NORMALIZATION": "L2Norm",
    "UNIDIRECTIONAL_SEQUENCE_LSTM": "UnidirectionalSequenceLSTM",
}  # fmt: skip

# The first version of an operator that takes 8-bit integers with a sign, where that is not 2.
_INT8_VERSIONS = {"CONV_2D": 3, "DEPTHWISE_CONV_2D": 3, "FULLY_CONNECTED": 4, "TRANSPOSE_CONV": 2}
_FIRST_VERSIONS = {"BROADCAST_TO": 2}  # where there is no version 1
_FIXED_VERSIONS = {"DEQUANTIZE": {dtypes.float16: 3, dtypes.int8: 2}}


def write(main: Subgraph, description: str = "evergraph") -> bytes:
    """The bytes of a file with this model.

    Raises:
        InvalidArgumentError: the model needs more than the 2 GB that a flatbuffer can hold.
    """
    schema, flatbuffers = libraries.schema(), libraries.flatbuffers()
    message = _Writer(schema).model(main, description)
    builder = flatbuffers.Builder(1 << 16)
    try:
        builder.Finish(message.Pack(builder), _IDENTIFIER)
    except flatbuffers.builder.BuilderSizeError as error:
        raise errors.InvalidArgumentError(None, None, f"The model is too large for a TFLite file: {error}") from None
    return bytes(builder.Output())


def read(content: bytes, what: str = "The model") -> Any:
    """The schema's ModelT of a file.

    Raises:
        ValueError: the bytes are no such file.
    """
    schema = libraries.schema()
    if len(content) < 8 or content[4:8] != _IDENTIFIER:
        raise ValueError(f"{what} is not a TensorFlow Lite file: its identifier is {bytes(content[4:8])!r}, "
                         f"not {_IDENTIFIER!r}")
    try:
        return schema.ModelT.InitFromObj(schema.Model.GetRootAs(content, 0))
    except Exception as error:  # the generated classes check nothing: a damaged offset shows in many ways
        raise ValueError(f"{what} is a damaged TensorFlow Lite file: {error}") from None


class _Writer:
    """Collects buffers, operator codes and subgraphs."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        empty = schema.BufferT()
        self.buffers, self.known_buffers = [empty], {}
        self.codes: list[Any] = []
        self.known_codes: dict[tuple[str, int, bool], int] = {}
        self.subgraphs: list[Any] = []
        self.numbers: dict[Subgraph, int] = {}

    def model(self, main: Subgraph, description: str) -> Any:
        order = [main, *dict.fromkeys(main.inner())]
        self.numbers = {subgraph: number for number, subgraph in enumerate(order)}
        message = self.schema.ModelT()
        message.version, message.description = VERSION, description
        message.subgraphs = [self._subgraph(each) for each in order]
        message.operatorCodes, message.buffers = self.codes, self.buffers
        message.signatureDefs = [self._signature(main)]
        return message

    def _signature(self, main: Subgraph) -> Any:
        """Names for inputs and outputs by which the interpreter's signature runner takes and returns them."""
        numbers = {value: number for number, value in enumerate(main.values())}

        def mapped(values: list[Value]) -> list[Any]:
            found = []
            for value in values:
                entry = self.schema.TensorMapT()
                entry.name, entry.tensorIndex = value.name, numbers[value]
                found.append(entry)
            return found

        signature = self.schema.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = "serving_default", 0
        signature.inputs, signature.outputs = mapped(main.inputs), mapped(main.outputs)
        return signature

    def _subgraph(self, subgraph: Subgraph) -> Any:
        message = self.schema.SubGraphT()
        values = subgraph.values()
        numbers = {value: number for number, value in enumerate(values)}
        message.name, message.tensors = subgraph.name, [self._tensor(value) for value in values]
        message.inputs = [numbers[value] for value in subgraph.inputs]
        message.outputs = [numbers[value] for value in subgraph.outputs]
        message.operators = [self._operator(step, numbers) for step in subgraph.steps]
        return message

    def _tensor(self, value: Value) -> Any:
        message = self.schema.TensorT()
        message.name, message.type = value.name, getattr(self.schema.TensorType, TYPES[value.dtype])
        message.hasRank = value.shape is not None
        message.shape = [1 if size is None else size for size in value.shape or ()]
        if value.shape is not None and None in value.shape:
            message.shapeSignature = [-1 if size is None else size for size in value.shape]
        message.buffer = 0 if value.data is None else self._buffer(value)
        if value.quantization is not None:
            message.quantization = self._quantization(value.quantization)
        return message

    def _quantization(self, given: Quantization) -> Any:
        message = self.schema.QuantizationParametersT()
        message.scale = np.array(given.scale, np.float32)
        message.zeroPoint = np.array(given.zero_point, np.int64)
        message.quantizedDimension = given.axis
        return message

    def _buffer(self, value: Value) -> int:
        content = _content(value)
        if content not in self.known_buffers:
            message = self.schema.BufferT()
            message.data = np.frombuffer(content, np.uint8)
            self.known_buffers[content] = len(self.buffers)
            self.buffers.append(message)
        return self.known_buffers[content]

    def _operator(self, step: Step, numbers: dict[Value, int]) -> Any:
        message = self.schema.OperatorT()
        message.opcodeIndex = self._code(step)
        message.inputs = [-1 if value is None else numbers[value] for value in step.inputs]
        message.outputs = [numbers[value] for value in step.outputs]
        if step.custom is not None:
            message.customOptions = np.frombuffer(step.custom, np.uint8)
        kind = None if step.is_custom else _OPTIONS.get(step.code)
        if kind is not None:
            message.builtinOptionsType = getattr(self.schema.BuiltinOptions, f"{kind}Options")
            message.builtinOptions = options = getattr(self.schema, f"{kind}OptionsT")()
            for name, given in step.options.items():
                setattr(options, name, given)
            for name, subgraph in step.subgraphs.items():
                setattr(options, name, self.numbers[subgraph])
        return message

    def _code(self, step: Step) -> int:
        key = (step.code, _version(step), step.is_custom)
        if key not in self.known_codes:
            message = self.schema.OperatorCodeT()
            message.version = key[1]
            if step.is_custom:
                message.builtinCode = message.deprecatedBuiltinCode = self.schema.BuiltinOperator.CUSTOM
                message.customCode = step.code
            else:
                message.builtinCode = getattr(self.schema.BuiltinOperator, step.code)
                message.deprecatedBuiltinCode = min(message.builtinCode, _LARGEST_OLD_CODE)
            self.known_codes[key] = len(self.codes)
            self.codes.append(message)
        return self.known_codes[key]


def _content(value: Value) -> bytes:
    assert value.data is not None
    if value.dtype is not dtypes.string:
        return np.ascontiguousarray(value.data).tobytes()
    texts = [each if isinstance(each, bytes) else str(each).encode() for each in np.ravel(value.data)]
    ends = np.cumsum([0, *map(len, texts)]) + 4 * (len(texts) + 2)
    return np.array([len(texts), *ends], np.int32).tobytes() + b"".join(texts)


def _version(step: Step) -> int:
    if step.is_custom:
        return 1
    kinds = {value.dtype for value in step.inputs if value is not None}
    if step.code == "TRANSPOSE_CONV" and len(step.inputs) > 3:
        return 3  # the first that takes a bias
    if step.code in _FIXED_VERSIONS:
        return next((v for kind, v in _FIXED_VERSIONS[step.code].items() if kind in kinds), 1)
    if dtypes.int8 in kinds:
        return _INT8_VERSIONS.get(step.code, 2)
    return _FIRST_VERSIONS.get(step.code, 1)
