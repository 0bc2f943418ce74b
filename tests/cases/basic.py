"""Constants, placeholders, identities, shapes, casts, fills and ranges."""

import ml_dtypes
import numpy as np

from tests.harness import array, bf16, bools, case, f16, f64, floats, i32, i64, ints, program, ref, strings

x34 = floats(3, 4)
near = floats(2, 3, low=0.2, high=2.0)
LINES = "TensorFlow 2 differentiates tf.linspace, not the op"

# What no integer type holds, or only some do. Each number is cast as a scalar: of whole vectors TensorFlow clips most
# elements to 8 and 16 bits and wraps the last few.
_floats = f64([0.0, -0.0, 1.7, -1.7, 127.5, 128, -129, 200, 255.9, 300, -1, -300, 32768, 40000, 65536, 70000, -40000,
           2147483648, 3e9, 4294967296, 5e9, -2147483648, -3e9, 9223372036854775808, 1e19, 18446744073709551616, 1e20,
           -1e19, np.inf, -np.inf, np.nan])
_integers = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64")


def _quietly(x, dtype):
    with np.errstate(all="ignore"):
        return x.astype(dtype)


def casts_one_by_one(tf, x):
    return [tf.stack([tf.cast(each, dtype) for each in tf.unstack(x)]) for dtype in _integers]


def saturated(tf, x):
    return [tf.saturate_cast(x, dtype) for dtype in (*_integers, "float16", "bfloat16", "float32")]


CASES = [
    case("Const", value=x34, dtype="float32"),
    case("Const", value=i64(3), dtype="int64"),
    case("PlaceholderWithDefault", x34, shape=[3, 4]),
    case("PlaceholderWithDefault", x34, shape=None),
    case("Placeholder", dtype="float32", shape=[2]).fails("InvalidArgumentError"),
    case("Empty", [2, 3], dtype="float32", init=True),

    case("Identity", x34),
    case("Identity", strings([["a", "b"]])),
    case("IdentityN", [x34, i32([1, 2]), strings(["a"])]),
    case("RefIdentity", ref(x34)),
    case("Snapshot", x34),
    case("StopGradient", x34),
    case("PreventGradient", x34, message="no").no_grad("it has none"),
    case("DeepCopy", x34),
    case("NoOp"),
    case("DebugGradientIdentity", x34).no_grad("TensorFlow wants a debugger for it"),

    case("Shape", x34),
    case("Shape", strings([["a"]]), out_type="int64"),
    case("Shape", f64(1.5)),
    case("ShapeN", [x34, floats(2)]),
    case("ShapeN", [x34, floats(2, 1, 3)], out_type="int64"),
    case("Size", x34),
    case("Size", floats(0, 3), out_type="int64"),
    case("Rank", x34),
    case("Rank", i32(3)),
    case("EnsureShape", x34, shape=[3, None]),
    case("EnsureShape", x34, shape=[3, 5]).fails("ValueError"),
    case("CheckNumerics", x34, message="fine"),
    case("CheckNumerics", np.array([1, np.nan], np.float32), message="nan").fails("InvalidArgumentError"),
    case("CheckNumerics", np.array([1, np.inf], np.float32), message="inf").fails("InvalidArgumentError"),

    case("Cast", x34, DstT="int32"),
    case("Cast", x34, DstT="float64"),
    case("Cast", x34, DstT="float16"),
    case("Cast", x34, DstT="bfloat16"),
    case("Cast", x34, DstT="complex64"),
    case("Cast", x34, DstT="bool"),
    case("Cast", np.array([1 + 2j, -3j], np.complex64), DstT="float32"),
    case("Cast", np.array([1 + 2j, -3j], np.complex64), DstT="complex128"),
    case("Cast", i64([2 ** 40 + 3, -1]), DstT="int32"),
    case("Cast", ints(3, low=-5), DstT="uint8"),
    case("Cast", bools(4), DstT="float32"),
    case("Cast", bf16([1.5, -2.25]), DstT="int32"),
    case("Cast", floats(5), DstT="bfloat16", Truncate=True),
    case("Cast", f64([0.1, 1 / 3]), DstT="float16", Truncate=True).no_differences("steps"),
    case("Bitcast", x34, type="int32"),
    case("Bitcast", x34, type="uint8"),
    case("Bitcast", ints(3, 4, high=255, dtype=np.uint8), type="float32"),
    case("Bitcast", f64([1.5, 2.5]), type="int64"),
    case("Bitcast", ints(3, 3, high=255, dtype=np.uint8), type="float32").fails("ValueError"),

    case("ZerosLike", x34),
    case("ZerosLike", strings(["a", "b"])),
    case("ZerosLike", bools(3)),
    case("OnesLike", x34),
    case("OnesLike", bools(3)),
    case("Fill", [2, 3], np.float32(1.5)),
    case("Fill", i64([2, 0]), i32(7)),
    case("Fill", i32([2, 3]), f16(1.5)),
    case("Fill", [2], "text"),
    case("Fill", [-1], 1.0).fails("ValueError"),
    case("BroadcastTo", floats(3, 1), [2, 3, 4]),
    case("BroadcastTo", floats(4), i64([3, 4])),
    case("BroadcastTo", np.float32(2), i32([2, 2])),
    case("BroadcastTo", floats(3), i32([2, 4])).fails("InvalidArgumentError"),
    case("BroadcastArgs", i32([3, 1]), i32([2, 1, 4])),
    case("BroadcastArgs", [3, 1], [5]),
    case("BroadcastGradientArgs", i32([3, 1]), i32([2, 3, 4])),
    case("BroadcastGradientArgs", i32([3, 1]), i32([3, 1])),
    case("BroadcastGradientArgs", i32([1, 1, 2]), i32([1, 3, 2])),
    case("BroadcastGradientArgs", i64([]), i64([2])),
    case("BroadcastGradientArgs", i32([3]), i32([2])).fails("InvalidArgumentError"),

    case("Cast", i64([2 ** 31, 2 ** 63 - 1, -2 ** 63, 300, -129]), DstT="int8"),
    case("Cast", i64([2 ** 31, 2 ** 63 - 1, -2 ** 63, 300, -129]), DstT="uint32"),
    case("Cast", i64([2 ** 53 + 1, 2 ** 62 + 2 ** 35 + 1, 16777217, 16777219]), DstT="float32"),
    case("Cast", array([2 ** 64 - 1, 2 ** 63, 2 ** 63 + 1025], "uint64"), DstT="float64"),
    case("Cast", array([2 ** 64 - 1, 2 ** 63, 7], "uint64"), DstT="int64"),
    case("Cast", ints(6, low=2040, high=2070), DstT="float16"),
    case("Cast", i32([65504, 65519, 65520, 70000, -70000]), DstT="float16"),
    case("Cast", ints(6, low=250, high=600), DstT="bfloat16"),
    case("Cast", f64([65519.9, 65520, 1e300, np.inf, np.nan, -0.0]), DstT="float16").no_differences("infinite"),
    case("Cast", f64([3.4028235677973366e38, 1e39, -np.inf, 1 + 2 ** -8, 1 + 3 * 2 ** -8]),
         DstT="bfloat16").no_differences("infinite"),
    case("Cast", array([1j, 2 + 3j, complex(np.nan, 0), complex(0, np.inf)], "complex64"), DstT="bool"),
    case("Cast", array([0.5, np.nan, np.inf, -0.0], "float32"), DstT="bool"),
    *(program(_quietly(_floats, dtype))(casts_one_by_one) for dtype in (np.float16, ml_dtypes.bfloat16, np.float32,
                                                                             np.float64, np.complex64, np.complex128)),
    program(_floats)(saturated).no_grad("TensorFlow 2 clips with another op, which lets the gradient of NaN through"),

    case("Range", 0, 10, 3),
    case("Range", i32(10), i32(0), i32(-4)),
    case("Range", np.float32(0), np.float32(1), np.float32(0.1)),
    case("Range", f64(0), f64(1), f64(0.25)),
    case("Range", i64(2 ** 40), i64(2 ** 40 + 2), i64(1)),
    case("Range", 0, 0, 1),
    case("Range", i32(5), i32(1), i32(1)).fails("InvalidArgumentError"),
    case("Range", i32(1), i32(5), i32(0)).fails("InvalidArgumentError"),
    case("Range", 0.0, 0.3, 0.1),
    case("Range", np.float32(0), np.float32(0.3), np.float32(0.1)),
    case("Range", f64(0), f64(0.3), f64(0.1)),
    case("Range", 1.0, 2.0, 0.07).tolerance(0),
    case("Range", f64(3), f64(0), f64(-0.6)).tolerance(0),
    case("Range", 0.0, np.inf, 1.0).fails("ValueError"),
    case("Range", np.float32(0), np.float32(np.inf), np.float32(1)).fails("InvalidArgumentError"),
    case("Range", np.float32(0), np.float32(1), np.float32(np.nan)).fails("InvalidArgumentError"),
    case("LinSpace", np.float32(0), np.float32(np.inf), 4).no_grad(LINES),
    case("LinSpace", f64(-np.inf), f64(0), 4).no_grad(LINES),
    case("LinSpace", np.float32(0), np.float32(1), 5).no_grad(LINES),
    case("LinSpace", f64(3), f64(-1), i32(4)).no_grad(LINES),
    case("LinSpace", 2.0, 3.0, 1).no_grad(LINES),
    case("LinSpace", 2.0, 3.0, 0).fails("ValueError"),
]


@program(near)
def gradient_through_casts(tf, x):
    y = tf.cast(tf.cast(x, tf.float64) * 2.0, tf.float32)
    return tf.gradients(y * 3.0, x)[0]


@program(near)
def stopped_gradient(tf, x):
    return tf.gradients(x * tf.stop_gradient(x), x)[0]


@program(np.float32(0.5), f64(3.0))
def slopes_of_linspace(tf, start, stop):
    return [tf.linspace(start, tf.cast(stop, tf.float32), 5), tf.linspace(tf.cast(start, tf.float64), stop, 1)]


@program(floats(3), floats(3, seed=2))
def second_slopes_inside_of_functions(tf, x, y):
    """They are zero where functions use an argument for something else, or missing, as in TensorFlow."""
    call = tf.function(lambda a, b: a * b, autograph=False)
    found = [call(x, y), tf.switch_case(tf.constant(0), [lambda: tf.sin(x), lambda: y * 1])]
    first = [slope for each in found for slope in tf.gradients(each, [x, y])]
    second = [slope for each in first for slope in tf.gradients(each, [x, y])]
    return tf.constant([slope is None for slope in second])
