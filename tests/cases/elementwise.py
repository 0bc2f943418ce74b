"""Functions of numbers, arithmetic, comparisons, logic, bits, complex numbers, choices."""

import numpy as np

from tests.harness import bf16, bools, case, f16, f64, floats, i32, i64, ints, program, strings

x34 = floats(3, 4)
positive = floats(3, 4, low=0.3, high=3.0)
inside = floats(3, 4, low=-0.9, high=0.9)
outside = floats(3, 4, low=1.2, high=3.0)
away = x34 + np.sign(x34) * np.float32(0.2)                     # clear of zero
z = (floats(4, seed=1) + 1j * floats(4, seed=2)).astype(np.complex64)
w = (floats(4, seed=3) + 1j * floats(4, seed=4)).astype(np.complex64)
whole = i32([-7, -3, -1, 1, 2, 7])
divisor = i32([2, -2, 3, -3, 2, -2])
row = floats(4, seed=5, low=0.3, high=2.0)
column = floats(3, 1, seed=6, low=0.3, high=2.0)
nan = np.float32(np.nan)
inf = np.float32(np.inf)
odd_ones = np.array([nan, inf, -inf, 0.0, -0.0, 1.5], np.float32)


def everywhere(op, *domain):
    """An op of one number on a fine range in every floating point dtype."""
    x = domain[0] if domain else x34
    return [case(op, x), case(op, x.astype(np.float64)), case(op, x[0].astype(np.float16)), case(op, bf16(x[0]))]


CASES = [
    *[c for op in ("Neg", "Square", "Exp", "Expm1", "Sigmoid", "Tanh", "Sin", "Cos", "Sinh", "Cosh", "Asinh", "Atan")
      for c in everywhere(op)],
    *[c for op in ("Sqrt", "Rsqrt", "Log", "Log1p") for c in everywhere(op, positive)],
    *[c for op in ("Asin", "Acos", "Atanh", "Tan") for c in everywhere(op, inside)],
    *[c for op in ("Abs", "Sign", "Reciprocal", "Inv") for c in everywhere(op, away)],
    *everywhere("Acosh", outside),
    *[case(op, z) for op in ("Neg", "Square", "Exp", "Expm1", "Sigmoid", "Tanh", "Sin", "Cos", "Tan", "Sqrt", "Rsqrt",
                             "Log", "Log1p", "Reciprocal", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh", "Conj", "Real",
                             "Imag", "Angle", "ComplexAbs")],
    case("Sign", z).no_grad("TensorFlow gives zeros, which complex numbers do not have"),
    *[case(op, whole) for op in ("Abs", "Neg", "Sign", "Square", "Round")],
    *[case(op, np.array([[-3, 0, 4]], dtype)) for op in ("Abs", "Neg", "Sign", "Square")
      for dtype in (np.int64, np.int16, np.int8)],
    case("Exp", odd_ones).no_grad("limits"),
    case("Log", odd_ones).no_grad("limits"),
    case("Sigmoid", np.array([-30, 0, 30], np.float32)).no_differences("flat"),
    case("Real", z.astype(np.complex128), Tout="float64"),
    case("Angle", z.astype(np.complex128), Tout="float64"),
    case("ComplexAbs", np.array([0, 3 + 4j], np.complex64)).no_differences("a kink at 0"),

    *[case(op, np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.6, -2.6], kind)).no_differences("steps")
      for op in ("Floor", "Ceil", "Rint", "Round") for kind in (np.float32, np.float64)],
    *[case(op, make([-2.5, 0.5, 1.5])).no_differences("steps")
      for op in ("Floor", "Ceil", "Round") for make in (f16, bf16)],
    *[case(op, odd_ones) for op in ("IsNan", "IsInf", "IsFinite")],
    *[case(op, odd_ones.astype(np.float64)) for op in ("IsNan", "IsInf", "IsFinite")],

    *[case(op, inside, floats(3, 4, seed=7)) for op in ("TanhGrad", "SigmoidGrad")],
    *[case(op, positive, floats(3, 4, seed=7)) for op in ("SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad")],
    *[case(op, z, w) for op in ("TanhGrad", "SigmoidGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad")],
    case("TanhGrad", f64([0.5]), f64([2])),

    *[case(op, x34, row) for op in ("Add", "AddV2", "Sub", "Mul", "Div", "RealDiv", "SquaredDifference", "Maximum",
                                    "Minimum", "DivNoNan", "MulNoNan", "Xdivy", "FloorMod")],
    *[case(op, column, row) for op in ("Add", "AddV2", "Sub", "Mul", "Div", "RealDiv", "SquaredDifference", "Maximum",
                                       "Minimum", "Pow", "Atan2", "Xdivy", "Xlogy", "DivNoNan", "MulNoNan")],
    *[case(op, f64([1.5, -2.5]), f64([0.5, 2.0])) for op in ("Add", "Sub", "Mul", "RealDiv", "Maximum", "Atan2")],
    *[case(op, bf16([1.5, -2.5]), bf16([0.5, 2.0])) for op in ("Add", "Sub", "Mul", "RealDiv", "Maximum")],
    *[case(op, f16([1.5, -2.5]), f16([0.5, 2.0])) for op in ("Add", "Sub", "Mul", "RealDiv", "Minimum")],
    *[case(op, z, w) for op in ("Add", "AddV2", "Sub", "Mul", "Div", "RealDiv", "Pow", "SquaredDifference", "Equal",
                                "NotEqual", "DivNoNan", "Xdivy", "Xlogy")],
    *[case(op, whole, divisor) for op in ("Add", "Sub", "Mul", "Div", "TruncateDiv", "FloorDiv", "FloorMod",
                                          "TruncateMod", "Mod", "Maximum", "Minimum", "SquaredDifference")],
    *[case(op, i64([2 ** 40 + 1, -5]), i64(3)) for op in ("Div", "TruncateDiv", "FloorDiv", "FloorMod", "TruncateMod")],
    *[case(op, np.array([200, 7], np.uint8), np.array([7, 200], np.uint8))
      for op in ("Add", "Sub", "Mul", "Div", "TruncateDiv", "FloorDiv")],
    *[case(op, np.array([-100, 7], np.int8), np.array([7, -100], np.int8)) for op in ("Add", "Sub", "Div", "FloorDiv")],
    *[case(op, whole, i32([1, 0, 1, 1, 1, 1])).fails("InvalidArgumentError")
      for op in ("Div", "FloorDiv", "FloorMod")],
    *[case(op, floats(5, low=-5, high=5), np.float32(1.5)).no_differences("steps")
      for op in ("FloorDiv", "FloorMod", "TruncateMod", "Mod")],
    *[case(op, floats(5, low=-5, high=5), np.float32(-1.5)).no_differences("steps")
      for op in ("FloorDiv", "FloorMod", "TruncateMod")],
    case("Add", floats(3), floats(4)).fails("ValueError"),
    case("Add", strings(["a", "b"]), strings([["x"], ["y"]])),
    case("Add", floats(0, 3), floats(1, 3)),
    case("Maximum", i32([1, 5]), i32([3, 2])),
    case("Maximum", np.array([1.0, 2.0], np.float32), np.array([1.0, 3.0], np.float32)).no_differences("a tie"),
    case("Minimum", np.array([1.0, 2.0], np.float32), np.array([1.0, 3.0], np.float32)).no_differences("a tie"),
    case("DivNoNan", np.array([1, 0, 3], np.float32), np.array([0, 0, 2], np.float32)).no_differences("a pole"),
    case("MulNoNan", np.array([inf, nan, 3], np.float32), np.array([0, 0, 2], np.float32)).no_grad("infinite"),
    case("Xlogy", np.array([0, 0, 2], np.float32), np.array([0, 3, 2], np.float32)).no_differences("a pole"),
    case("Xdivy", np.array([0, 0, 2], np.float32), np.array([0, 3, 2], np.float32)).no_differences("a pole"),
    case("Pow", positive, row),
    case("Pow", x34, 2.0),
    case("Pow", x34, 3.0),
    case("Pow", np.array([0, 2, -2], np.float32), np.array([2, 0, 3], np.float32)).no_differences("log of 0"),
    case("Pow", i32([2, -3, 0]), i32([10, 3, 0])),
    case("Pow", i64([2, -3]), i64([40, 3])),
    case("Pow", i32([2, 3]), i32([1, -1])).fails("InvalidArgumentError"),
    case("Atan2", floats(3, 4, seed=8), row),
    case("NextAfter", f64([1, -1, 0]), f64([2, 2, -1])).no_differences("a step of one bit"),
    case("NextAfter", np.array([1.0], np.float32), np.array([0.0], np.float32)).no_differences("a step of one bit"),

    *[case(op, x34, row) for op in ("Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual")],
    *[case(op, i32([1, 2, 3]), 2) for op in ("Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual")],
    *[case(op, odd_ones, odd_ones) for op in ("Less", "GreaterEqual", "Equal", "NotEqual")],
    case("Equal", strings(["a", "b"]), strings(["a", "c"])),
    case("NotEqual", strings(["a", "b"]), "a"),
    case("Equal", bools(4), bools(4, seed=1)),
    case("ApproximateEqual", x34, x34 + np.float32(1e-6)),
    case("ApproximateEqual", x34, x34 + np.float32(0.1), tolerance=0.2),
    *[case(op, bools(3, 4), bools(4)) for op in ("LogicalAnd", "LogicalOr")],
    case("LogicalNot", bools(3, 4)),

    *[case(op, ints(6, low=-20, high=20, dtype=kind), ints(6, low=0, high=9, dtype=kind))
      for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor", "LeftShift", "RightShift") for kind in (np.int32, np.int64)],
    *[case(op, ints(6, high=255, dtype=np.uint8), ints(6, high=12, dtype=np.uint8))
      for op in ("BitwiseAnd", "LeftShift", "RightShift")],
    case("RightShift", i32([-8, 8, -1]), i32([40, -1, 31])),
    *[case(op, ints(6, low=-20, high=20, dtype=kind)) for op in ("Invert", "PopulationCount")
      for kind in (np.int8, np.int32, np.int64)],
    case("Invert", ints(6, high=255, dtype=np.uint8)),

    case("Complex", floats(3), floats(3, seed=1)),
    case("Complex", floats(3, 1), floats(4, seed=1)),
    case("Complex", f64([1.5]), f64([2.5]), Tout="complex128"),

    case("Select", bools(3, 4), x34, floats(3, 4, seed=1)),
    case("Select", bools(3), x34, floats(3, 4, seed=1)),
    case("Select", True, x34, floats(3, 4, seed=1)),
    case("Select", bools(2), strings(["a", "b"]), strings(["c", "d"])),
    case("Select", bools(4), x34, floats(3, 4, seed=1)).fails("ValueError"),
    case("Select", bools(3, 4), x34, floats(3)).fails("ValueError"),
    case("SelectV2", bools(3, 1), x34, floats(4, seed=1)),
    case("SelectV2", bools(4), 1.0, x34),
    case("SelectV2", bools(3, 4), ints(3, 4), ints(4)),
    case("AddN", [x34, floats(3, 4, seed=1), floats(3, 4, seed=2)]),
    case("AddN", [i32([1, 2])]),
    case("AddN", [floats(3), floats(4)]).fails("ValueError"),
    case("AccumulateNV2", [x34, floats(3, 4, seed=1)], shape=[3, 4]),
    case("ClipByValue", x34, -0.5, 1.0).no_differences("kinks"),
    case("ClipByValue", x34, floats(3, 4, low=-2, high=-1), floats(3, 4, low=0, high=1)).no_differences("kinks"),
    case("ClipByValue", i32([-5, 0, 5]), -1, 3),
]


@program(away, row)
def operators(tf, x, y):
    return [x + y, 1.0 + x, x - y, 2 - x, x * y, x / y, 3 / x, x // y, x % y, x ** 2, y ** x, -x, abs(x), x < y,
            x >= 0.5, x @ tf.transpose(x)]


@program(whole, divisor)
def integer_operators(tf, x, y):
    return [x / y, x // y, x % y, x.__div__(y), x / 2, 7 // x, x ** 2, abs(x), tf.div(x, y), tf.truediv(x, 2),
            tf.floordiv(x, y), tf.divide(x, y), tf.truncatediv(x, y)]


@program(bools(6), bools(6, seed=1))
def boolean_operators(tf, x, y):
    return x & y, x | y, x ^ y, ~x, True & x, tf.logical_xor(x, y)


@program(x34)
def second_derivatives(tf, x):
    found = []
    for function in (tf.tanh, tf.sigmoid, tf.square, tf.exp, lambda t: tf.sqrt(t + 3), lambda t: tf.rsqrt(t + 3),
                     lambda t: tf.reciprocal(t + 3)):
        first = tf.gradients(function(x), x)[0]
        found += [first, tf.gradients(first, x)[0]]
    return found


@program(positive)
def power_rules(tf, x):
    return tf.gradients(x ** 3.0, x)[0], tf.gradients(2.0 ** x, x)[0], tf.gradients(x ** x, x)[0]


@program(x34, f64([1.5, -2.5]), i32([1, 300, -5]))
def casts(tf, x, y, i):
    return [tf.to_float(i), tf.to_int32(x), tf.to_double(x), tf.to_int64(y), tf.to_complex64(x), tf.to_complex128(y),
            tf.saturate_cast(i, tf.uint8), tf.saturate_cast(x * 200, tf.int8), tf.cast(x, "int32"),
            tf.cast(x, tf.bool), tf.round(x), tf.round(i)]


@program(x34, z)
def parts(tf, x, c):
    return [tf.real(x), tf.imag(x), tf.conj(x), tf.abs(c), tf.real(c), tf.conj(c), tf.complex(x, x * 2), abs(c)]


@program(x34)
def sums_of_many(tf, x):
    return [tf.add_n([x, x * 2, x * 3]), tf.accumulate_n([x, x]), tf.scalar_mul(3.0, x), tf.add_n([x]),
            tf.math.polyval([1.0, 2.0, 3.0], x), tf.log_sigmoid(x), tf.math.reciprocal_no_nan(x),
            tf.div_no_nan(x, 0.0), tf.math.multiply_no_nan(x, 0.0)]


@program(x34)
def sparse_functions(tf, x):
    sparse = tf.SparseTensor([[0, 1], [2, 3]], [-4.0, 9.0], [3, 4])
    results = [tf.abs(sparse), tf.negative(sparse), tf.square(sparse), tf.sign(sparse), tf.tanh(sparse), sparse * x,
               sparse / (x + 5), x * sparse]
    return [each.values for each in results]


@program(x34)
def clips(tf, x):
    clipped, norm = tf.clip_by_global_norm([x, None, x * 2], 1.0)
    return [tf.clip_by_value(x, -0.5, 1.0), tf.clip_by_norm(x, 1.0), tf.clip_by_norm(x, 1.0, axes=[1]),
            tf.clip_by_average_norm(x, 0.1), tf.global_norm([x, x]), clipped[0], clipped[2], norm]


@program(x34)
def ranges(tf, x):
    count = tf.shape(x)[1]
    return [tf.range(5), tf.range(1, count), tf.range(10, 0, -3), tf.range(0.0, 1.0, 0.25), tf.range(3, dtype=tf.int64),
            tf.range(1, 3.0), tf.linspace(0.0, 1.0, 4)]


@program(x34)
def orders(tf, x):
    return [tf.is_non_decreasing(x), tf.is_non_decreasing([1, 2, 2]), tf.is_strictly_increasing([1, 2, 2]),
            tf.is_strictly_increasing([1.0])]
