"""Elementwise ops: arithmetic, functions of one number, comparisons, logic, bitwise operations, selection."""
from __future__ import annotations

import math
import operator

import numpy as np

from evergraph.base import errors
from evergraph.graph import shaping
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import broadcast, same_as, unchanged
from evergraph.graph.traits import ANY, Kind
from evergraph.kernel.rows import Rows, even, one_by_one, spread
from evergraph.kernel.values import is_traced
from evergraph.ops.arrays.basic import cast, ones_like, zeros_like
from evergraph.ops.math import elements
from evergraph.ops.math.softmax_gradients import softmax_gradient_of
from evergraph.ops.math.waves import arccosine, arcsine, arctangent, arctangent_of_point, sine


def unary(name, domain, kernel, doc, grad=STOP, public="", result="T"):
    """Declares an op of one tensor `x`; `public` lists the names under which programs know it."""
    kernel.__doc__ = doc
    return op(f"{name}(x: T, *, T: {domain}) -> y: {result}", shape=unchanged, grad=grad, by_row=True,
              export=public.split())(kernel)


def binary(name, domain, kernel, doc, grad=STOP, public="", result="T", by_row=True, **traits):
    """Declares an op of two tensors `x` and `y` that broadcast; `by_row` is false where the kernel checks values."""
    kernel.__doc__ = doc
    return op(f"{name}(x: T, y: T, *, T: {domain}) -> z: {result}", shape=broadcast, grad=grad, broadcasts=True,
              by_row=by_row, export=public.split(), **traits)(kernel)


def conj_if_complex(x):
    """The complex conjugate, by which gradients of complex functions are multiplied; real tensors unchanged."""
    return conj(x) if x.dtype.is_complex else x


def _x(op):
    return conj_if_complex(op.inputs[0])


def _y(op):
    return conj_if_complex(op.outputs[0])


def _one_minus(x):
    return sub(np.ones((), x.dtype.base_dtype.np), x)


# ---- functions of one number

def _abs_grad(op, dy):
    return mul(dy, sign(op.inputs[0]))


def _square_grad(op, dy):
    return mul(dy, mul(_x(op), 2.0 if dy.dtype.is_floating or dy.dtype.is_complex else 2))


def _round(xp, x):
    return x if np.dtype(x.dtype).kind in "iu" else xp.round(x)


def _sigmoid(xp, x):
    return 1 / (1 + xp.exp(-x))


_no_slope = lambda op, dy: None
_real_or_int = "{floating, index}"
_any_number = "{inexact, index}"
_real_or_any_int = "{floating, index, int8, int16}"  # TensorFlow 1.15 had no small integers here
_any_number_or_int = "{inexact, index, int8, int16}"

abs_ = unary("Abs", _real_or_any_int, lambda xp, x: xp.abs(x), "The absolute value.", _abs_grad)
neg = unary("Neg", _any_number_or_int, lambda x: -x, "The negative -x.", lambda op, dy: neg(dy))
sign = unary("Sign", _any_number_or_int, lambda xp, x: xp.sign(x),
             "The sign: -1, 0 or 1; for complex numbers x / |x|.",
             lambda op, dy: zeros_like(op.inputs[0]))
square = unary("Square", _any_number_or_int, lambda x: x * x, "The square x ** 2.", _square_grad)
sqrt = unary("Sqrt", "inexact", lambda xp, x: xp.sqrt(x), "The square root.",
             lambda op, dy: sqrt_grad(op.outputs[0], dy))
rsqrt = unary("Rsqrt", "inexact", lambda xp, x: 1 / xp.sqrt(x), "The reciprocal square root.",
              lambda op, dy: rsqrt_grad(op.outputs[0], dy), "rsqrt math.rsqrt")
reciprocal = unary("Reciprocal", _any_number, lambda x: 1 / x, "The reciprocal 1 / x.",
                   lambda op, dy: reciprocal_grad(op.outputs[0], dy), "reciprocal math.reciprocal")
inv = unary("Inv", _any_number, lambda x: 1 / x, "The reciprocal 1 / x.",
            lambda op, dy: reciprocal_grad(op.outputs[0], dy))

exp = unary("Exp", "inexact", lambda xp, x: xp.exp(x),
            "The exponential e ** x of each element.", lambda op, dy: mul(dy, _y(op)),
            "exp math.exp")
expm1 = unary("Expm1", "inexact", lambda xp, x: xp.expm1(x), "exp(x) - 1, accurate near zero.",
              lambda op, dy: mul(dy, exp(_x(op))), "expm1 math.expm1")
log = unary("Log", "inexact", lambda xp, x: xp.log(x), "The natural logarithm of each element.",
            lambda op, dy: mul(dy, reciprocal(_x(op))), "log math.log")
log1p = unary("Log1p", "inexact", lambda xp, x: xp.log1p(x), "log(1 + x), accurate near zero.",
              lambda op, dy: mul(dy, reciprocal(add_v2(_x(op), 1.0))), "log1p math.log1p")
sigmoid = unary("Sigmoid", "inexact", _sigmoid, "Sigmoid: 1 / (1 + exp(-x)).", lambda op, dy: sigmoid_grad(_y(op), dy),
                "sigmoid math.sigmoid nn.sigmoid")
tanh = unary("Tanh", "inexact", lambda xp, x: xp.tanh(x), "The hyperbolic tangent.",
             lambda op, dy: tanh_grad(_y(op), dy))

sin = unary("Sin", "inexact", lambda xp, x: sine(xp, x, 0),
            "The sine of each angle in radians.", lambda op, dy: mul(dy, cos(_x(op))),
            "sin math.sin")
cos = unary("Cos", "inexact", lambda xp, x: sine(xp, x, 1),
            "The cosine of each angle in radians.", lambda op, dy: neg(mul(dy, sin(_x(op)))),
            "cos math.cos")
tan = unary("Tan", _any_number, lambda xp, x: xp.tan(x), "The tangent of each angle in radians.",
            lambda op, dy: mul(dy, square(reciprocal(cos(_x(op))))), "tan math.tan")
asin = unary("Asin", _any_number, lambda xp, x: arcsine(xp, x), "The angle between -pi / 2 and pi / 2 whose sine is x.",
             lambda op, dy: mul(dy, reciprocal(sqrt(_one_minus(square(_x(op)))))), "asin math.asin")
acos = unary("Acos", _any_number, lambda xp, x: arccosine(xp, x), "The angle between 0 and pi whose cosine is x.",
             lambda op, dy: neg(mul(dy, reciprocal(sqrt(_one_minus(square(_x(op))))))), "acos math.acos")
atan = unary("Atan", _any_number, lambda xp, x: arctangent(xp, x),
             "The angle between -pi / 2 and pi / 2 whose tangent is x.",
             lambda op, dy: mul(dy, reciprocal(add_v2(square(_x(op)), 1.0))), "atan math.atan")
sinh = unary("Sinh", "inexact", lambda xp, x: xp.sinh(x), "The hyperbolic sine of each element.",
             lambda op, dy: mul(dy, cosh(_x(op))), "sinh math.sinh")
cosh = unary("Cosh", "inexact", lambda xp, x: xp.cosh(x), "The hyperbolic cosine of each element.",
             lambda op, dy: mul(dy, sinh(_x(op))), "cosh math.cosh")
asinh = unary("Asinh", "inexact", lambda xp, x: xp.arcsinh(x), "The inverse hyperbolic sine.",
              lambda op, dy: real_div(dy, cosh(_y(op))), "asinh math.asinh")
acosh = unary("Acosh", "inexact", lambda xp, x: xp.arccosh(x), "The inverse hyperbolic cosine.",
              lambda op, dy: real_div(dy, sinh(_y(op))), "acosh math.acosh")
atanh = unary("Atanh", "inexact", lambda xp, x: xp.arctanh(x), "The inverse hyperbolic tangent.",
              lambda op, dy: mul(dy, reciprocal(_one_minus(square(_x(op))))), "atanh math.atanh")

floor = unary("Floor", "floating", lambda xp, x: xp.floor(x), "Rounds down to an integer.",
              _no_slope, "floor math.floor")
ceil = unary("Ceil", "floating", lambda xp, x: xp.ceil(x), "Rounds up to an integer.",
             _no_slope, "ceil math.ceil")
rint = unary("Rint", "floating", lambda xp, x: xp.rint(x), "Rounds half to even.",
             _no_slope, "rint math.rint")
round_ = unary("Round", _any_number, _round, "Rounds half to even.", _no_slope)

is_nan = unary("IsNan", "floating", lambda xp, x: xp.isnan(x), "Whether the number is NaN.", None,
               "is_nan math.is_nan debugging.is_nan", "bool")
is_inf = unary("IsInf", "floating", lambda xp, x: xp.isinf(x), "Whether the number is infinite.", None,
               "is_inf math.is_inf debugging.is_inf", "bool")
is_finite = unary("IsFinite", "floating", lambda xp, x: xp.isfinite(x), "Whether the number is finite.",
                  None, "is_finite math.is_finite debugging.is_finite", "bool")


# ---- gradient ops: functions of the result `y` and the incoming gradient `dy`

def _grad_op(name, kernel, doc):
    kernel.__doc__ = doc
    return op(f"{name}(y: T, dy: T, *, T: inexact) -> z: T", shape=lambda y, dy: shaping.merge(y, dy))(kernel)


tanh_grad = _grad_op("TanhGrad", lambda y, dy: dy * (1 - y * y), "The gradient of Tanh from its result.")
sigmoid_grad = _grad_op("SigmoidGrad", lambda y, dy: dy * y * (1 - y), "The gradient of Sigmoid from its result.")
sqrt_grad = _grad_op("SqrtGrad", lambda xp, y, dy: dy * y.dtype.type(0.5) / xp.conj(y),
                     "The gradient of Sqrt from its result.")
rsqrt_grad = _grad_op("RsqrtGrad", lambda xp, y, dy: dy * y.dtype.type(-0.5) * xp.conj(y * y * y),
                      "The gradient of Rsqrt from its result.")
reciprocal_grad = _grad_op("ReciprocalGrad", lambda xp, y, dy: -dy * xp.conj(y * y),
                           "The gradient of Reciprocal from its result.")
inv_grad = _grad_op("InvGrad", lambda xp, y, dy: -dy * xp.conj(y * y), "The gradient of Inv from its result.")


@tanh_grad.grad
def _(op, dz):
    y, dy = (conj_if_complex(t) for t in op.inputs)
    return mul(mul(mul(dz, -2.0), dy), y), tanh_grad(y, dz)


@sigmoid_grad.grad
def _(op, dz):
    y, dy = (conj_if_complex(t) for t in op.inputs)
    slope = mul(dz, dy)
    return sub(slope, mul(mul(slope, 2.0), y)), sigmoid_grad(y, dz)


@sqrt_grad.grad
def _(op, dz):
    scaled = real_div(dz, op.inputs[0])
    return neg(mul(conj_if_complex(scaled), op.outputs[0])), mul(scaled, 0.5)


@rsqrt_grad.grad
def _(op, dz):
    y = conj_if_complex(op.inputs[0])
    return mul(mul(mul(conj_if_complex(dz), -1.5), op.inputs[1]), square(y)), rsqrt_grad(y, dz)


def _reciprocal_grad_grad(op, dz):
    y = conj_if_complex(op.inputs[0])
    return mul(mul(mul(conj_if_complex(dz), -2.0), op.inputs[1]), y), reciprocal_grad(y, dz)


reciprocal_grad.grad(_reciprocal_grad_grad)
inv_grad.grad(_reciprocal_grad_grad)


# ---- binary arithmetic

def _is_int(x):
    return np.dtype(x.dtype).kind in "iu"


def _check_divisor(check, x, y):
    """Fails on integer division by zero, unless there is nothing to divide. Static divisors are checked at once."""
    if 0 not in np.broadcast_shapes(np.shape(x), np.shape(y)):
        check((y != 0).all(), "Integer division by zero")


def _truncated(x, y):
    """The integer quotient rounded towards zero, as in C."""
    down = x // y
    return down + ((down * y != x) & ((x < 0) != (y < 0))).astype(down.dtype)


def _divide(xp, x, y, check):
    if not _is_int(x):
        return x / y
    _check_divisor(check, x, y)
    return _truncated(x, y)


def _truncate_div(xp, x, y, check):
    return _divide(xp, x, y, check) if _is_int(x) else xp.trunc(x / y)


def _floor_div(xp, x, y, check):
    if not _is_int(x):
        return xp.floor(x / y)
    _check_divisor(check, x, y)
    return x // y


def _floor_mod(xp, x, y, check):
    if _is_int(x):
        _check_divisor(check, x, y)
    return xp.remainder(x, y)


def _truncate_mod(xp, x, y, check):
    if _is_int(x):
        _check_divisor(check, x, y)
    return xp.fmod(x, y)


def _power(xp, x, y, check):
    if _is_int(x):
        check((y >= 0).all(), "Integers to negative integer powers are not allowed")
        return np.power(x, np.maximum(y, 0)) if xp is np else _whole_power(xp, x, y)
    if xp is np and type(y) is np.ndarray and y.ndim == 0 and (product := _PRODUCTS.get(y.item())):
        return product(x)
    return xp.power(x, y)


_PRODUCTS = {2.0: lambda x: x * x, 3.0: lambda x: x * x * x}
"""Powers that XLA computes as products: NumPy takes ten times as long for a number, as in GPT-2's and BERT's gelu."""


def _whole_power(xp, x, y):
    """Powers of integers by repeated squaring, for exponents of any size: JAX's own stop at 64. None is negative."""
    from jax import lax

    if not is_traced(y) and np.size(y) == 1:
        shape = np.broadcast_shapes(x.shape, np.shape(y))
        return lax.integer_pow(xp.broadcast_to(x, shape), max(int(np.ravel(y)[0]), 0))

    def square(state):
        result, base, left = state
        return xp.where(left & 1, result * base, result), base * base, left >> 1

    x, y = xp.broadcast_arrays(x, xp.maximum(y, 0))
    return lax.while_loop(lambda state: (state[2] > 0).any(), square, (xp.ones_like(x), x, y))[0]


def _squared_difference(xp, x, y):
    return (x - y) * xp.conj(x - y)


def _zero_where(xp, mask, value):
    return xp.where(mask, np.zeros((), value.dtype), value)


def _both(op):
    return conj_if_complex(op.inputs[0]), conj_if_complex(op.inputs[1])


def _add_grad(op, dz):
    return dz, dz


def _mul_grad(op, dz):
    x, y = _both(op)
    return mul(dz, y), mul(x, dz)


def _quotient_grad(divide):
    def grad(op, dz):
        x, y = _both(op)
        return divide(dz, y), mul(dz, divide(divide(neg(x), y), y))
    return grad


def _squared_difference_grad(op, dz):
    x, y = op.inputs
    slope = mul(mul(dz, 2.0 if dz.dtype.is_floating or dz.dtype.is_complex else 2), sub(x, y))
    return slope, neg(slope)


def _chosen_grad(compare):
    """The gradient of Maximum and Minimum: it goes to the selected number, to the first if they are equal."""
    def grad(op, dz):
        first = compare(*op.inputs)
        nothing = zeros_like(dz)
        return select(first, dz, nothing), select(first, nothing, dz)
    return grad


def _floor_mod_grad(op, dz):
    return dz, mul(dz, neg(floor_div(*op.inputs)))


def _pow_grad(op, dz):
    x, y = _both(op)
    z = _y(op)
    one = 1.0 if x.dtype.is_floating or x.dtype.is_complex else 1
    mask = not_equal(x, 0.0) if x.dtype.is_complex else greater(x, zeros_like(x))
    log_x = select(mask, log(select(mask, x, ones_like(x))), zeros_like(x))
    return mul(mul(dz, y), pow_(x, sub(y, one))), mul(mul(dz, z), log_x)


def _xlogy_grad(op, dz):
    x, y = op.inputs
    counts = cast(not_equal(x, zeros_like(x)), x.dtype.base_dtype)
    return mul(xlogy(counts, y), dz), mul(xdivy(x, y), dz)


def _xdivy_grad(op, dz):
    x, y = op.inputs
    counts = cast(not_equal(x, zeros_like(x)), x.dtype.base_dtype)
    return mul(xdivy(counts, y), dz), mul(xdivy(neg(x), square(y)), dz)


_small_ints = "uint8, int8, int16"
_dividable = "{inexact, index, uint8, int8, uint16, int16}"
_no_bfloat16 = "{half, float, double, complex64, complex128}"
_no_slopes = lambda op, dz: (None, None)

add = binary("Add", f"{{inexact, index, {_small_ints}, string}}", lambda x, y: x + y,
             "x + y, elementwise; strings are concatenated.", _add_grad, "add math.add")
add_v2 = binary("AddV2", f"{{inexact, index, {_small_ints}}}", lambda x, y: x + y, "x + y, elementwise.", _add_grad)
sub = binary("Sub", _dividable, lambda x, y: x - y,
             "The difference x - y, element by element.", lambda op, dz: (dz, neg(dz)),
             "subtract math.subtract")
mul = binary("Mul", _dividable, lambda x, y: x * y,
             "The product x * y, element by element.", _mul_grad, "multiply math.multiply",
             fusion=softmax_gradient_of)
real_div = binary("RealDiv", _dividable, _divide, "The ratio x / y.", lambda op, dz: _real_div_grad(op, dz), "realdiv")
div = binary("Div", _dividable, _divide, "x / y; integers are rounded towards zero.",
             lambda op, dz: _real_div_grad(op, dz), by_row=False)
truncate_div = binary("TruncateDiv", _dividable, _truncate_div, "x / y rounded towards zero.", _no_slopes,
                      "truncatediv", by_row=False)
floor_div = binary("FloorDiv", _dividable, _floor_div, "x / y rounded down.", _no_slopes, "floor_div",
                   by_row=False)
mod = binary("Mod", _real_or_int, _truncate_mod, "The remainder, with the sign of `x`.", None, by_row=False)
truncate_mod = binary("TruncateMod", _real_or_int, _truncate_mod, "The remainder, with the sign of `x`.", None,
                      "truncatemod", by_row=False)
floor_mod = binary("FloorMod", _real_or_int, _floor_mod, "The remainder, with the sign of `y`.", _floor_mod_grad,
                   "floormod math.floormod mod math.mod", by_row=False)
div_no_nan = binary("DivNoNan", _no_bfloat16, lambda xp, x, y: _zero_where(xp, y == 0, x / xp.where(y == 0, 1, y)),
                    "x / y, or 0 where `y` is 0.", lambda op, dz: _div_no_nan_grad(op, dz))
mul_no_nan = binary("MulNoNan", _no_bfloat16, lambda xp, x, y: _zero_where(xp, y == 0, x * y),
                    "x * y, or 0 where `y` is 0.",
                    lambda op, dz: (mul_no_nan(dz, op.inputs[1]), mul_no_nan(op.inputs[0], dz)))
xdivy = binary("Xdivy", _no_bfloat16, lambda xp, x, y: _zero_where(xp, x == 0, x / y),
               "x / y, or 0 where `x` is 0.", _xdivy_grad, "math.xdivy")
xlogy = binary("Xlogy", _no_bfloat16, lambda xp, x, y: _zero_where(xp, x == 0, x * xp.log(y)),
               "x * log(y), or 0 where `x` is 0.", _xlogy_grad, "math.xlogy")
squared_difference = binary("SquaredDifference", _any_number, _squared_difference,
                            "(x - y) ** 2, elementwise.", _squared_difference_grad,
                            "squared_difference math.squared_difference")


def _in_threads(declared, function, on_numpy):
    """Has code for NumPy compute an op on large arrays by a function of ops/math/elements.py, and others as before."""
    @declared.bind
    def _(node, known):
        result = node.outputs[0]
        if result.dtype.base_dtype.np.char not in "fd" or _is_small(result._shape):
            return None

        def computed(x, y):
            if x.size >= elements.LARGE or y.size >= elements.LARGE:
                found = elements.combined(function, x, y)
                if found is not None:
                    return found
            return on_numpy(x, y)
        return computed


def _is_small(shape):
    """Whether a static shape is known, and has few elements."""
    return shape is not None and None not in shape and math.prod(shape) < elements.LARGE


for _each in (add, add_v2):
    _in_threads(_each, "add", operator.add)
_in_threads(sub, "subtract", operator.sub)
_in_threads(mul, "multiply", operator.mul)
_in_threads(real_div, "divide", operator.truediv)
_in_threads(squared_difference, "squared_difference", lambda x, y: _squared_difference(np, x, y))

maximum = binary("Maximum", _real_or_int, lambda xp, x, y: xp.maximum(x, y), "The maximum of x and y.",
                 _chosen_grad(lambda x, y: greater_equal(x, y)), "maximum math.maximum")
minimum = binary("Minimum", _real_or_int, lambda xp, x, y: xp.minimum(x, y), "The minimum of x and y.",
                 _chosen_grad(lambda x, y: less_equal(x, y)), "minimum math.minimum")
pow_ = binary("Pow", _any_number, _power, "The power x ** y.", _pow_grad, "pow math.pow", by_row=False)

_real_div_grad = _quotient_grad(real_div)
_div_no_nan_grad = _quotient_grad(div_no_nan)


@op("Atan2(y: T, x: T, *, T: floating) -> z: T", shape=broadcast, broadcasts=True, export=("atan2", "math.atan2"))
def atan2(xp, y, x):
    """The angle of the point (x, y) in [-pi, pi]."""
    return arctangent_of_point(xp, y, x)


atan2.shape(lambda y, x: broadcast(y, x))


@atan2.grad
def _(op, dz):
    y, x = op.inputs
    scaled = real_div(dz, add_v2(square(x), square(y)))
    return mul(x, scaled), neg(mul(y, scaled))


@op("NextAfter(x1: T, x2: T, *, T: {double, float} = float) -> output: T", broadcasts=True,
    shape=lambda x1, x2: broadcast(x1, x2), grad=lambda op, dz: (dz, mul(dz, zeros_like(dz))),
    export=("math.nextafter",))
def next_after(xp, x1, x2):
    """The next representable number after `x1` in the direction of `x2`."""
    return xp.nextafter(x1, x2)


# ---- comparisons and logic

def _comparison(name, domain, kernel, doc, public="", **traits):
    return binary(name, domain, kernel, doc, STOP, public, "bool", **traits)


_comparable = f"{{inexact, index, {_small_ints}, quint8, qint8, qint32, string, bool}}"

equal = _comparison("Equal", _comparable, lambda x, y: x == y, "Whether the elements are equal.", "equal math.equal",
                    exact=True, later={"incompatible_shape_error": ANY})
not_equal = _comparison("NotEqual", _comparable, lambda x, y: x != y, "Whether the elements differ.",
                        "not_equal math.not_equal", exact=True, later={"incompatible_shape_error": ANY})
less = _comparison("Less", "real", lambda x, y: x < y, "Whether x < y, element by element.", "less math.less")
less_equal = _comparison("LessEqual", "real", lambda x, y: x <= y,
                         "Whether x <= y, element by element.", "less_equal math.less_equal")
greater = _comparison("Greater", "real", lambda x, y: x > y,
                      "Whether x > y, element by element.", "greater math.greater")
greater_equal = _comparison("GreaterEqual", "real", lambda x, y: x >= y, "Whether x >= y, element by element.",
                            "greater_equal math.greater_equal")


@op("ApproximateEqual(x: T, y: T, *, T: number, tolerance: float = 1e-05) -> z: bool", grad=STOP,
    shape=lambda x, y: shaping.merge(x, y))
def approximate_equal(xp, x, y, tolerance):
    """Whether |x - y| < tolerance, elementwise."""
    return xp.abs(x - y) < tolerance


@op("LogicalAnd(x: bool, y: bool) -> z: bool", shape=broadcast, broadcasts=True, grad=STOP,
    export=("logical_and", "math.logical_and"), kind=Kind.AND)
def logical_and(x, y):
    """Whether both x and y are true, element by element."""
    return x & y


@op("LogicalOr(x: bool, y: bool) -> z: bool", shape=broadcast, broadcasts=True, grad=STOP,
    export=("logical_or", "math.logical_or"))
def logical_or(x, y):
    """Whether x or y or both are true, element by element."""
    return x | y


@op("LogicalNot(x: bool) -> y: bool", shape=unchanged, grad=STOP, export=("logical_not", "math.logical_not"))
def logical_not(xp, x):
    """Whether x is false, element by element."""
    return xp.logical_not(x)


# ---- bitwise operations

def _shifts(x, y, xp):
    """The shift amounts, clamped to the width of the dtype where C leaves the result undefined."""
    return xp.clip(y, 0, 8 * x.dtype.itemsize - 1).astype(x.dtype)


def _ones_in(xp, x):
    return xp.bitwise_count(x.astype(np.dtype(f"u{x.dtype.itemsize}")))


invert = unary("Invert", "integer", lambda xp, x: xp.invert(x),
               "All bits of each integer inverted.", STOP, "bitwise.invert")
bitwise_and = binary("BitwiseAnd", "integer", lambda x, y: x & y,
                     "The bits that are set in both integers.", STOP, "bitwise.bitwise_and")
bitwise_or = binary("BitwiseOr", "integer", lambda x, y: x | y,
                    "The bits that are set in either integer.", STOP, "bitwise.bitwise_or")
bitwise_xor = binary("BitwiseXor", "integer", lambda x, y: x ^ y,
                     "The bits that are set in one of the integers alone.", STOP,
                     "bitwise.bitwise_xor")
left_shift = binary("LeftShift", "integer", lambda xp, x, y: x << _shifts(x, y, xp), "Left shift by `y` bits.", STOP,
                    "bitwise.left_shift")
right_shift = binary("RightShift", "integer", lambda xp, x, y: x >> _shifts(x, y, xp),
                     "Arithmetic right shift by `y` bits.", STOP, "bitwise.right_shift")
population_count = unary("PopulationCount", "integer", _ones_in, "The number of set bits.", STOP,
                         result="uint8")


@op("CompareAndBitpack(input: T, threshold: T, *, T: {bool, half, float, double, int8, int16, int32, int64}) "
    "-> output: uint8")
def compare_and_bitpack(xp, input, threshold):
    """Packs the comparisons input > threshold into bits: eight per byte, the first in the highest bit."""
    if input.ndim < 1 or input.shape[-1] % 8:
        raise errors.InvalidArgumentError(None, None, f"The last size must be divisible by 8: {list(input.shape)}")
    return xp.packbits(input > threshold, axis=-1)


@compare_and_bitpack.shape
def _(input, threshold):
    shaping.require_rank(threshold, 0)
    shaping.at_least_rank(input, 1)
    if input is None:
        return None
    last = input[-1]
    if last is not None and last % 8:
        raise ValueError(f"Dimension size must be evenly divisible by 8 but is {last}")
    return (*input[:-1], None if last is None else last // 8)


# ---- complex numbers

_part = "T: {complex64, complex128} = complex64, Tout: {float, double} = float"


@op("Complex(real: T, imag: T, *, T: {float, double} = float, Tout: {complex64, complex128} = complex64) -> out: Tout",
    shape=lambda real, imag: broadcast(real, imag), broadcasts=True)
def complex_(xp, real, imag, Tout):
    """Complex numbers from real and imaginary parts."""
    if xp is not np:
        import jax
        return jax.lax.complex(*xp.broadcast_arrays(real, imag))
    result = np.empty(np.broadcast_shapes(real.shape, imag.shape), Tout)
    result.real, result.imag = real, imag  # not real + 1j * imag: an infinity times 1j has NaN beside it
    return result


@complex_.grad
def _(op, dz):
    part = op.inputs[0].dtype.base_dtype
    return real(dz, Tout=part), imag(dz, Tout=part)


@op(f"Real(input: T, *, {_part}) -> output: Tout", shape=same_as("input"))
def real(xp, input):
    """The real part, elementwise."""
    return xp.real(input)


@real.grad
def _(op, dy):
    return complex_(dy, 0.0, Tout=op.inputs[0].dtype.base_dtype)


@op(f"Imag(input: T, *, {_part}) -> output: Tout", shape=same_as("input"))
def imag(xp, input):
    """The imaginary part, elementwise."""
    return xp.imag(input)


@imag.grad
def _(op, dy):
    return complex_(zeros_like(dy), dy, Tout=op.inputs[0].dtype.base_dtype)


@op(f"Angle(input: T, *, {_part}) -> output: Tout", shape=same_as("input"))
def angle(xp, input):
    """The argument (phase angle) of complex numbers."""
    return xp.angle(input)


@angle.grad
def _(op, dy):
    z, part = op.inputs[0], dy.dtype.base_dtype
    turned = reciprocal(complex_(imag(z, Tout=part), real(z, Tout=part), Tout=z.dtype.base_dtype))
    return mul(neg(complex_(dy, 0.0, Tout=z.dtype.base_dtype)), turned)


@op(f"ComplexAbs(x: T, *, {_part}) -> y: Tout", shape=unchanged)
def complex_abs(xp, x):
    """The absolute value of complex numbers."""
    return xp.abs(x)


@complex_abs.grad
def _(op, dy):
    kind = op.inputs[0].dtype.base_dtype
    scale = div_no_nan(complex_(dy, 0.0, Tout=kind), complex_(op.outputs[0], 0.0, Tout=kind))
    return mul(scale, op.inputs[0])


@op("Conj(input: T, *, T: {complex64, complex128, variant} = complex64) -> output: T", shape=same_as("input"),
    grad=lambda op, dy: conj(dy))
def conj(xp, input):
    """The complex conjugate."""
    return xp.conj(input)


# ---- selection and sums

@even
def _selected_rows(call, node, values, count):
    """Whole rows by a condition that is a scalar for each, or element by element."""
    condition, t, e = (spread(value, count) for value in values)
    if condition.ndim > 1 and condition.shape != t.shape:
        return one_by_one(call, node, values, count)
    return [Rows(output) for output in call(condition, t, e)]


@op("Select(condition: bool, t: T, e: T, *, T: type) -> output: T", called={"t": "x", "e": "y"},
    in_batches=_selected_rows)
def select(xp, condition, t, e):
    """`t` where the condition is true, else `e`; a vector condition selects whole rows."""
    is_column = condition.ndim == 1 and t.ndim > 1 and condition.shape[0] == t.shape[0]
    if is_column:
        condition = condition.reshape(condition.shape + (1,) * (t.ndim - 1))
    if t.shape != e.shape:
        raise errors.InvalidArgumentError(None, None, f"'then' and 'else' need one shape: "
                                                      f"{list(np.shape(t))} and {list(np.shape(e))}")
    if condition.ndim and condition.shape != t.shape and not is_column:
        raise errors.InvalidArgumentError(None, None, f"The condition {list(condition.shape)} does not fit the values "
                                                      f"{list(t.shape)}")
    return _chosen(xp, condition, t, e)


def _chosen(xp, condition, t, e):
    found = elements.chosen(condition, t, e) if xp is np else None
    return xp.where(condition, t, e) if found is None else found


@select.shape
def _(condition, t, e):
    both = shaping.merge(t, e)
    if condition is None or both is None:
        return both
    if len(condition) == 1 and both:
        shaping.merge_size(condition[0], both[0])
        return both
    return shaping.merge(condition, both) if condition else both


@select.grad
def _(op, dy):
    condition = op.inputs[0]
    nothing = zeros_like(dy)
    return None, select(condition, dy, nothing), select(condition, nothing, dy)


@op("SelectV2(condition: bool, t: T, e: T, *, T: type) -> output: T", broadcasts=True,
    shape=lambda condition, t, e: broadcast(condition, broadcast(t, e)))
def select_v2(xp, condition, t, e):
    """`t` where the condition is true, else `e`; all three broadcast."""
    return _chosen(xp, condition, t, e)


@select_v2.grad
def _(op, dy):
    condition = op.inputs[0]
    nothing = zeros_like(dy)
    return None, select_v2(condition, dy, nothing), select_v2(condition, nothing, dy)


def _total(inputs):
    result = inputs[0]
    for each in inputs[1:]:
        if each.shape != result.shape:
            raise errors.InvalidArgumentError(None, None, f"Inputs to operation must have the same size and shape: "
                                                          f"{list(np.shape(result))} != {list(np.shape(each))}")
        result = result + each
    return result


@op("AddN(inputs: N * T, *, N: int >= 1, T: {number, variant}) -> sum: T",
    shape=lambda inputs: shaping.merge_all(inputs), grad=lambda op, dy: [dy] * len(op.inputs))
def add_n(inputs):
    """The sum of a list of tensors of one shape."""
    return _total(inputs)


@add_n.bind
def _(node, known):
    if node.outputs[0].dtype.base_dtype.np.char not in "fd" or _is_small(node.outputs[0]._shape):
        return None

    def added(*inputs):
        found = elements.total(inputs)
        return _total(inputs) if found is None else found
    return added


@op("AccumulateNV2(inputs: N * T, *, N: int >= 1, T: number, shape: shape) -> sum: T",
    shape=lambda inputs, shape: shaping.merge(shape, shaping.merge_all(inputs)),
    grad=lambda op, dy: [dy] * len(op.inputs))
def accumulate_n_v2(inputs):
    """The sum of a list of tensors of one given shape."""
    return _total(inputs)


@op("ClipByValue(t: T, clip_value_min: T, clip_value_max: T, *, T: number) -> output: T", broadcasts=True,
    shape=lambda t, clip_value_min, clip_value_max: t)
def clip_by_value(xp, t, clip_value_min, clip_value_max):
    """Clips numbers to the range [clip_value_min, clip_value_max]; a bound of NaN is ignored."""
    lowered = xp.where(t > clip_value_max, clip_value_max, t)
    return xp.where(lowered < clip_value_min, clip_value_min, lowered)


@clip_by_value.grad
def _(op, dy):
    t, low, high = op.inputs
    nothing = zeros_like(dy)
    below, above = less(t, low), greater(t, high)
    return (select(logical_or(below, above), nothing, dy), select(below, dy, nothing), select(above, dy, nothing))


