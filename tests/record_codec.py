"""Records TensorFlow's own messages for the tests of graph/codec.py and proto/. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.record_codec     writes tests/data/tensors.json and tests/data/messages.json

A recorded tensor is {"dtype", "shape", "values" (numbers, [real, imaginary] or text), "proto" (base64)}, by the name of
the case; a case whose name starts with "read" is a layout that TensorFlow reads but does not write.
"""

import base64
from pathlib import Path

import numpy as np
from keras.protobuf import saved_metadata_pb2
from tensorflow.core.example import example_pb2, feature_pb2
from tensorflow.core.framework import reader_base_pb2, tensor_pb2, tensor_slice_pb2
from tensorflow.core.profiler import tfprof_output_pb2
from tensorflow.core.protobuf import (
    cluster_pb2,
    control_flow_pb2,
    device_filters_pb2,
    queue_runner_pb2,
    saved_model_pb2,
    tensor_bundle_pb2,
    tensorflow_server_pb2,
)  # fmt: skip
from tensorflow.core.util import saved_tensor_slice_pb2
from tensorflow.python.training import checkpoint_state_pb2
from tensorflow.tsl.profiler.protobuf import profile_pb2

from tests.harness.judge import tf
from tests.harness.recorded import as_lines

DATA = Path(__file__).parent / "data"

NUMBERS = ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
           "uint64", "bool", "complex64", "complex128", "qint8", "quint8", "qint16", "quint16", "qint32"]  # fmt: skip
SHAPES = {"scalar": (), "one": (1, 1), "vector": (3,), "matrix": (2, 3), "empty": (0, 2)}


def written_tensors():
    """The messages of make_tensor_proto, for every type and a few shapes."""
    for name in NUMBERS:
        dtype = tf.as_dtype(name)
        for label, shape in SHAPES.items():
            values = np.resize([0, 1, 3, 7, 20, 100], shape)
            if dtype.is_quantized:
                held = np.dtype(dtype.as_numpy_dtype)
                array = values.astype(held[0]).view(held).reshape(shape)
            else:
                array = (values * (1 + 2j) if dtype.is_complex else values).astype(dtype.as_numpy_dtype)
            yield f"{name} {label}", tf.make_tensor_proto(array, dtype)
    extremes = {"float32": [np.inf, -np.inf, np.nan, 1e-45], "int64": [-(2**63), 2**63 - 1], "uint64": [2**64 - 1, 0],
                "float16": [np.inf, -0.0, 6e-8], "int8": [-128, 127]}  # fmt: skip
    for name, values in extremes.items():
        yield f"{name} extremes", tf.make_tensor_proto(np.array(values, name))
    yield "string scalar", tf.make_tensor_proto("text")
    yield "string bytes", tf.make_tensor_proto(np.array([[b"\xff\x00", b""], [b"a", "é".encode()]], object))
    yield "string empty", tf.make_tensor_proto(np.zeros((0, 3), object))


def readable_tensors():
    """Layouts that other writers use."""
    packed = {"float": (1, "float_val", [1.5, 2.5]), "double": (2, "double_val", [1.5]), "int32": (3, "int_val", [7]),
              "uint8 wraps": (4, "int_val", [300, -1]), "string": (7, "string_val", [b"a", b"b"]),
              "complex64": (8, "scomplex_val", [1, 2, 3, 4]), "int64": (9, "int64_val", [5, 6]),
              "bool": (10, "bool_val", [True]), "qint8": (11, "int_val", [3]), "bfloat16": (14, "half_val", [16256]),
              "complex128": (18, "dcomplex_val", [1, 2]), "half": (19, "half_val", [15360, 16384]),
              "uint32": (22, "uint32_val", [2**32 - 1]), "uint64": (23, "uint64_val", [2**64 - 1]),
              "half odd complex": (8, "scomplex_val", [1, 2, 3])}  # fmt: skip
    for label, (dtype, field, values) in packed.items():
        yield f"read repeated {label}", tensor_pb2.TensorProto(
            dtype=dtype, tensor_shape=tf.TensorShape([2, 2]).as_proto(), **{field: values})  # fmt: skip
    for dtype in 1, 3, 7, 10, 18, 19:
        yield f"read no values {dtype}", tensor_pb2.TensorProto(
            dtype=dtype, tensor_shape=tf.TensorShape([2]).as_proto())  # fmt: skip
    content = {"string": (7, b"\x01\x80\x01a" + b"b" * 128), "bool": (10, b"\0\1"), "bfloat16": (14, b"\x80?\0@"),
               "complex64": (8, np.array([1j, 2], np.complex64).tobytes()), "uint16": (17, b"\1\0\0\xff")}  # fmt: skip
    for label, (dtype, data) in content.items():
        yield f"read content {label}", tensor_pb2.TensorProto(
            dtype=dtype, tensor_shape=tf.TensorShape([2]).as_proto(), tensor_content=data)  # fmt: skip


def value_in(proto):
    """What a session makes of the message."""
    with tf.Graph().as_default(), tf.Session() as session:
        node = tf.NodeDef(name="c", op="Const")
        node.attr["dtype"].type = proto.dtype
        node.attr["value"].tensor.CopyFrom(proto)
        return np.asarray(session.run(tf.import_graph_def(tf.GraphDef(node=[node]), return_elements=["c:0"])[0]))


def as_json(proto):
    array, dtype = value_in(proto), tf.as_dtype(proto.dtype)
    flat = array.reshape(-1)
    if dtype == tf.string:
        values = [item.decode("latin-1") for item in flat.tolist()]
    elif dtype.is_complex:
        values = [[float(item.real), float(item.imag)] for item in flat]
    elif dtype.is_floating:
        values = [repr(float(item)) for item in flat]
    else:
        values = flat.tolist()
    return {"dtype": dtype.name, "shape": list(array.shape), "values": values,
            "proto": base64.b64encode(proto.SerializeToString(deterministic=True)).decode()}  # fmt: skip


FILES = {
    "feature_pb2": feature_pb2, "example_pb2": example_pb2, "saved_model_pb2": saved_model_pb2,
    "tensor_slice_pb2": tensor_slice_pb2, "tensor_bundle_pb2": tensor_bundle_pb2,
    "saved_tensor_slice_pb2": saved_tensor_slice_pb2,
    "checkpoint_state_pb2": checkpoint_state_pb2, "queue_runner_pb2": queue_runner_pb2,
    "device_filters_pb2": device_filters_pb2, "tensorflow_server_pb2": tensorflow_server_pb2,
    "control_flow_pb2": control_flow_pb2, "cluster_pb2": cluster_pb2, "reader_base_pb2": reader_base_pb2,
    "profile_pb2": profile_pb2,
    "tfprof_output_pb2": tfprof_output_pb2, "keras_metadata_pb2": saved_metadata_pb2,
}  # fmt: skip


def messages():
    """Every message by module: its fields as [number, type, is repeated, type name, oneof], and nested enums."""
    found = {module: {} for module in FILES}
    for module, file in FILES.items():
        for descriptor in file.DESCRIPTOR.message_types_by_name.values():
            _describe(descriptor, found[module])
    code = queue_runner_pb2.QueueRunnerDef.DESCRIPTOR.fields_by_name["queue_closed_exception_types"].enum_type
    found["error_codes_pb2"] = {"Code": {value.name: value.number for value in code.values if value.number < 20}}
    return found


def _describe(descriptor, found):
    short = lambda kind: kind.full_name.removeprefix("tensorflow.").rpartition("keras.protobuf.")[2] if kind else None
    found[short(descriptor)] = {
        field.name: [field.number, field.type, field.label == field.LABEL_REPEATED,
                     short(field.message_type or field.enum_type),
                     field.containing_oneof and field.containing_oneof.name]
        for field in descriptor.fields
    }  # fmt: skip
    for enum in descriptor.enum_types:
        found[short(enum)] = {value.name: value.number for value in enum.values}
    for nested in descriptor.nested_types:
        _describe(nested, found)


if __name__ == "__main__":
    tensors = {name: as_json(proto) for name, proto in [*written_tensors(), *readable_tensors()]}
    (DATA / "tensors.json").write_text(as_lines(tensors))
    (DATA / "messages.json").write_text(as_lines(messages()))
