"""A few ops of every kind: proves the recorder and the checks."""

from tests.harness import bf16, case, f16, f64, floats, i32, i64, ints, program, ref, resource, strings, typed

x34 = floats(3, 4)

CASES = [
    case("MatMul", x34, floats(4, 2)),
    case("MatMul", x34, floats(3, 2), transpose_a=True),
    case("MatMul", x34, floats(3, 2)).fails("ValueError"),
    case("Sum", x34, [0], keep_dims=True),
    case("Sum", x34, i64([1])),
    case("Exp", x34),
    case("Exp", f64([0.5, 1.5])),
    case("Exp", f16([0.5, 1.5])),
    case("Exp", bf16([0.5, 1.5])),
    case("Add", x34, floats(4, seed=1)),
    case("AddV2", floats(3, 1), floats(1, 4)),
    case("StridedSlice", x34, [0, 1], [3, 4], [1, 2], shrink_axis_mask=1),
    case("GatherV2", x34, [2, 0, 2], 0),
    case("GatherV2", x34, i32([7]), 0).fails("InvalidArgumentError"),
    case("ConcatV2", [x34, floats(3, 2)], 1),
    case("Cast", x34, DstT="int32"),
    case("ArgMax", x34, 1),
    case("Where", ints(3, 4, high=2).astype(bool)),
    case("Unique", i32([3, 1, 3, 2])),
    case("RandomUniform", [2, 3], seed=1, seed2=2, dtype="float32").repeated(2),
    case("ApplyAdagrad", ref(x34), ref(x34 ** 2), 0.1, x34).repeated(2),
    case("ResourceApplyGradientDescent", resource(x34), 0.5, x34),
    case("ResourceGather", resource(x34), [0, 2], dtype="float32"),
    case("ReadVariableOp", resource(x34), dtype="float32"),
    case("Floor", x34),
    case("StringJoin", ["a", strings(["x", "y"])], separator="-"),
    case("Const", value=x34, dtype="float32"),
    case("Dequantize", typed(ints(4, high=255, dtype="uint8"), "quint8"), 0.0, 6.0),
    case("Assert", True, [i32(1)]),
    case("NonMaxSuppression", floats(3, 4), floats(3), 2),
]


@program(x34)
def list_stack(tf, x):
    handle = tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=[4])
    return tf.raw_ops.TensorListStack(input_handle=handle, element_shape=[4], element_dtype=tf.float32)
