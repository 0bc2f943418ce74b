"""Steps that work element by element.

Arguments of roots, logarithms and quotients are made positive by squares, so that no value is undefined or at a kink.
"""

import math

from tests.random_graphs.maker import COMPLEX, FLOATS, INEXACT, INTS, NUMBERS, SIGNED, TOP, WIDE

# text, dtypes, bound of the result by the bound of the argument
SMOOTH = [
    ("tf.tanh({0})", FLOATS, lambda b: 1),
    ("tf.sigmoid({0})", FLOATS, lambda b: 1),
    ("tf.sin({0})", FLOATS, lambda b: 1),
    ("tf.cos({0})", FLOATS, lambda b: 1),
    ("tf.erf({0})", FLOATS, lambda b: 1),
    ("tf.erfc({0})", FLOATS, lambda b: 2),
    ("tf.atan({0})", FLOATS, lambda b: 2),
    ("tf.asinh({0})", WIDE, lambda b: math.asinh(b)),
    ("tf.sinh(tf.tanh({0}))", WIDE, lambda b: 2),
    ("tf.cosh(tf.tanh({0}))", WIDE, lambda b: 2),
    ("tf.exp(tf.tanh({0}))", FLOATS, lambda b: 3),
    ("tf.expm1(tf.tanh({0}))", FLOATS, lambda b: 3),
    ("tf.tan(tf.tanh({0}))", WIDE, lambda b: 2),
    ("tf.asin(tf.tanh({0}) * 0.5)", WIDE, lambda b: 1),
    ("tf.acos(tf.tanh({0}) * 0.5)", WIDE, lambda b: 3),
    ("tf.atanh(tf.tanh({0}) * 0.5)", WIDE, lambda b: 1),
    ("tf.acosh(tf.square({0}) + 1.5)", WIDE, lambda b: math.acosh(b * b + 1.5)),
    ("tf.log(tf.square({0}) + 1.5)", FLOATS, lambda b: math.log(b * b + 1.5)),
    ("tf.log1p(tf.square({0}))", FLOATS, lambda b: math.log1p(b * b)),
    ("tf.sqrt(tf.square({0}) + 0.5)", FLOATS, lambda b: b + 1),
    ("tf.rsqrt(tf.square({0}) + 0.5)", FLOATS, lambda b: 1.5),
    ("tf.reciprocal(tf.square({0}) + 1.0)", FLOATS, lambda b: 1),
    ("tf.lgamma(tf.square({0}) + 1.5)", WIDE, lambda b: math.lgamma(b * b + 2.5) + 1),
    ("tf.digamma(tf.square({0}) + 1.5)", WIDE, lambda b: math.log(b * b + 2.5) + 1),
    ("tf.math.bessel_i0e({0})", WIDE, lambda b: 1),
    ("tf.math.bessel_i1e({0})", WIDE, lambda b: 1),
    ("tf.nn.softplus({0})", FLOATS, lambda b: b + 1),
    ("tf.log_sigmoid({0})", FLOATS, lambda b: b + 1),
    ("tf.nn.swish({0})", ("float32", "float64"), lambda b: b),
    ("tf.pow(tf.square({0}) + 0.5, 1.5)", WIDE, lambda b: (b * b + 0.5) ** 1.5),
    ("tf.nn.l2_loss({0}) + {0}", FLOATS, lambda b: b * b * 6 + b),
    ("tf.exp({0} * 0.1)", COMPLEX, lambda b: math.exp(b / 10)),
    ("tf.sin({0} * 0.1)", COMPLEX, lambda b: math.cosh(b / 10)),
    ("tf.cos({0} * 0.1)", COMPLEX, lambda b: math.cosh(b / 10)),
    ("tf.sqrt({0} * 0.1 + 60.0)", COMPLEX, lambda b: 11),
    ("tf.log({0} * 0.1 + 60.0)", COMPLEX, lambda b: 6),
    ("tf.reciprocal({0} * 0.1 + 60.0)", COMPLEX, lambda b: 0.2),
]

# text, dtypes, bound, grain of the result by the grain of the argument
PLAIN = [
    ("tf.negative({0})", INEXACT + ("int32", "int64"), lambda b: b, lambda g: g),
    ("tf.square({0})", INEXACT + ("int32", "int64"), lambda b: b * b, lambda g: 2 * g),
    ("tf.identity({0})", NUMBERS, lambda b: b, lambda g: g),
    ("tf.stop_gradient({0})", FLOATS, lambda b: b, lambda g: g),
    ("tf.zeros_like({0})", NUMBERS, lambda b: 0, lambda g: 0),
    ("tf.ones_like({0})", NUMBERS, lambda b: 1, lambda g: 0),
    ("tf.conj({0})", COMPLEX, lambda b: b, lambda g: g),
    ("{0} * 2", INEXACT + ("int32", "int64"), lambda b: 2 * b, lambda g: g),
    ("{0} * 0.5", INEXACT, lambda b: b, lambda g: g + 1),
    ("1 - {0}", NUMBERS, lambda b: b + 1, lambda g: g),
    ("tf.check_numerics({0}, 'x')", FLOATS, lambda b: b, lambda g: g),
]

# the same, for exact arguments alone
SHARP = [
    ("tf.abs({0})", FLOATS + ("int32", "int64"), lambda b: b, lambda g: g),
    ("tf.sign({0})", FLOATS + ("int32", "int64"), lambda b: 1, lambda g: 0),
    ("tf.floor({0})", FLOATS, lambda b: b + 1, lambda g: 0),
    ("tf.ceil({0})", FLOATS, lambda b: b + 1, lambda g: 0),
    ("tf.round({0})", FLOATS, lambda b: b + 1, lambda g: 0),
    ("tf.rint({0})", FLOATS, lambda b: b + 1, lambda g: 0),
    ("tf.nn.relu({0})", FLOATS + SIGNED, lambda b: b, lambda g: g),
    ("tf.nn.relu6({0})", FLOATS, lambda b: 6, lambda g: g),
    ("tf.nn.leaky_relu({0}, 0.25)", FLOATS, lambda b: b, lambda g: g + 2),
    ("tf.nn.elu({0})", FLOATS, lambda b: b + 1, lambda g: None),
    ("tf.nn.selu({0})", FLOATS, lambda b: 2 * b + 2, lambda g: None),
    ("tf.nn.softsign({0})", FLOATS, lambda b: 1, lambda g: None),
    ("tf.clip_by_value({0}, -1.0, 1.5)", FLOATS, lambda b: 1.5, lambda g: max(g, 1)),
    ("tf.floormod({0}, 1.5)", WIDE, lambda b: 2, lambda g: max(g, 1)),
    ("tf.floordiv({0}, 0.5)", WIDE, lambda b: 2 * b + 1, lambda g: 0),
    ("tf.floordiv({0}, 3)", (*SIGNED, "uint8"), lambda b: b, lambda g: 0),
    ("tf.floormod({0}, 4)", ("int32", "int64"), lambda b: 4, lambda g: 0),
    ("tf.truncatediv({0}, 3)", ("int32", "int64"), lambda b: b, lambda g: 0),
    ("tf.truncatemod({0}, 3)", ("int32", "int64"), lambda b: 3, lambda g: 0),
    ("tf.bitwise.invert({0})", INTS, lambda b: 2**31, lambda g: 0),
    ("tf.bitwise.left_shift({0}, tf.constant(2, {0}.dtype))", INTS, lambda b: 4 * b, lambda g: 0),
    ("tf.bitwise.right_shift({0}, tf.constant(1, {0}.dtype))", INTS, lambda b: b, lambda g: 0),
]

# text, dtypes, bound by both bounds, grain by both grains
PAIRS = [
    ("tf.add({0}, {1})", NUMBERS, lambda a, b: a + b, max),
    ("tf.subtract({0}, {1})", NUMBERS, lambda a, b: a + b, max),
    ("tf.multiply({0}, {1})", NUMBERS, lambda a, b: a * b, lambda g, h: g + h),
    ("{0} + {1} * {1}", NUMBERS, lambda a, b: a + b * b, lambda g, h: max(g, 2 * h)),
    ("tf.add_n([{0}, {1}, {0}])", NUMBERS, lambda a, b: 2 * a + b, max),
    ("tf.squared_difference({0}, {1})", FLOATS + ("int32", "int64"), lambda a, b: (a + b) ** 2,
     lambda g, h: 2 * max(g, h)),
    ("tf.divide({0}, tf.square({1}) + 1.0)", FLOATS, lambda a, b: a, None),
    ("{0} / ({1} * 0.1 + 60.0)", COMPLEX, lambda a, b: a, None),
    ("{0} * tf.conj({1})", COMPLEX, lambda a, b: a * b, lambda g, h: g + h),
    ("tf.atan2({0}, tf.square({1}) + 0.5)", WIDE, lambda a, b: 2, None),
    ("tf.pow(tf.square({0}) + 0.5, tf.tanh({1}))", WIDE, lambda a, b: a * a + 2, None),
    ("tf.math.xlogy({0}, tf.square({1}) + 0.5)", WIDE, lambda a, b: a * (b + 1), None),
    ("tf.math.xdivy({0}, tf.square({1}) + 0.5)", WIDE, lambda a, b: 2 * a, None),
    ("tf.igamma(tf.square(tf.tanh({0})) + 0.5, tf.square(tf.tanh({1})) + 0.5)", WIDE, lambda a, b: 1, None),
    ("tf.igammac(tf.square(tf.tanh({0})) + 0.5, tf.square(tf.tanh({1})) + 0.5)", WIDE, lambda a, b: 1, None),
    ("tf.nn.sigmoid_cross_entropy_with_logits(labels={0}, logits={1})", WIDE, lambda a, b: a * b + b + 1, None),
]

SHARP_PAIRS = [
    ("tf.maximum({0}, {1})", FLOATS + ("int32", "int64"), max, max),
    ("tf.minimum({0}, {1})", FLOATS + ("int32", "int64"), max, max),
    ("tf.math.divide_no_nan({0}, {1})", WIDE, lambda a, b: a * 1024, None),
    ("tf.floordiv({0}, tf.square({1}) + 1)", ("int32", "int64"), lambda a, b: a + 1, None),
    ("tf.floormod({0}, tf.square({1}) + 1)", ("int32", "int64"), lambda a, b: b * b + 1, None),
    ("tf.bitwise.bitwise_and({0}, {1})", INTS, lambda a, b: 2**31, None),
    ("tf.bitwise.bitwise_or({0}, {1})", INTS, lambda a, b: 2**31, None),
    ("tf.bitwise.bitwise_xor({0}, {1})", INTS, lambda a, b: 2**31, None),
]

COMPARISONS = ["tf.less({0}, {1})", "tf.less_equal({0}, {1})", "tf.greater({0}, {1})", "tf.greater_equal({0}, {1})",
               "tf.equal({0}, {1})", "tf.not_equal({0}, {1})"]  # fmt: skip
LOGIC = ["tf.logical_and({0}, {1})", "tf.logical_or({0}, {1})", "tf.math.logical_xor({0}, {1})"]


def unary(maker, table, exact):
    text, dtypes, bound, grain = maker.dice.pick(table)
    value = maker.find(dtypes, exact=exact)
    if value is None:
        return None
    kept = grain(value.grain) if value.exact else None
    return maker.emit(text, [value], value.dtype, value.shape, bound(value.bound), kept)


def smooth(maker):
    text, dtypes, bound = maker.dice.pick(SMOOTH)
    value = maker.find(dtypes, where=lambda each: each.bound < 40)
    if value is None:
        return None
    return maker.emit(text, [value], value.dtype, value.shape, bound(value.bound))


def plain(maker):
    return unary(maker, PLAIN, exact=False)


def sharp(maker):
    return unary(maker, SHARP, exact=True)


def partner(maker, value, exact=False):
    """A value of the same dtype whose shape broadcasts with it, and the shape of the two."""
    other = maker.find((value.dtype,), exact=exact, where=lambda each: together(value.shape, each.shape) is not None)
    return other, together(value.shape, other.shape)


def together(first, second):
    """The shape of both broadcast; None if they do not fit."""
    length = max(len(first), len(second))
    pairs = list(zip((1,) * (length - len(first)) + first, (1,) * (length - len(second)) + second))
    if any(a != b and 1 not in (a, b) for a, b in pairs):
        return None
    return tuple(max(pair) for pair in pairs)


def binary(maker, table, exact):
    text, dtypes, bound, grain = maker.dice.pick(table)
    first = maker.find(dtypes, exact=exact)
    if first is None:
        return None
    second, shape = partner(maker, first, exact)
    if ("add_n" in text or "entropy" in text) and first.shape != second.shape:
        second, shape = first, first.shape
    known = grain is not None and first.exact and second.exact
    return maker.emit(text, [first, second], first.dtype, shape, bound(first.bound, second.bound),
                      grain(first.grain, second.grain) if known else None)


def pair(maker):
    return binary(maker, PAIRS, exact=False)


def sharp_pair(maker):
    return binary(maker, SHARP_PAIRS, exact=True)


def compare(maker):
    first = maker.find((*FLOATS, *SIGNED, "uint8"), exact=True)
    if first is None:
        return None
    second, shape = partner(maker, first, exact=True)
    return maker.emit(maker.dice.pick(COMPARISONS), [first, second], "bool", shape)


def logic(maker):
    first = maker.find(("bool",))
    if first is None:
        return None
    second, shape = partner(maker, first)
    if maker.dice.chance(0.2):
        return maker.emit("tf.logical_not({0})", [first], "bool", first.shape)
    return maker.emit(maker.dice.pick(LOGIC), [first, second], "bool", shape)


def choose(maker):
    chooser = maker.find(("bool",))
    if chooser is None:
        return None
    first = maker.find(where=lambda each: each.shape == chooser.shape)
    second = maker.like(first)
    grain = max(first.grain, second.grain) if first.exact and second.exact else None
    return maker.emit("tf.where({0}, {1}, {2})", [chooser, first, second], first.dtype, first.shape,
                      max(first.bound, second.bound), grain)


def cast(maker):
    target = maker.dice.pick(INEXACT + INTS + ("bool",))
    value = maker.find(INEXACT + INTS + ("bool",), where=lambda each: castable(each, target))
    if value is None:
        return None
    bound = min(value.bound, TOP.get(target, value.bound)) if value.dtype not in INTS else value.bound
    if target in INTS and value.dtype in INTS and (value.bound > TOP[target] or target[0] != value.dtype[0]):
        bound = TOP[target]
    return maker.emit(f"tf.cast({{0}}, tf.{target})", [value], target, value.shape, bound, value.grain)


def castable(value, target):
    """Whether the cast is defined and both sides agree on it."""
    if target in INTS:
        fits = value.bound < TOP[target] and target in SIGNED
        return value.dtype in INTS or value.dtype == "bool" or value.dtype in FLOATS and value.exact and fits
    if target == "bool":
        return value.exact and value.dtype not in COMPLEX
    return target in COMPLEX or value.dtype not in COMPLEX


def parts(maker):
    """Between complex numbers and their parts."""
    if maker.dice.chance(0.4):
        first = maker.find(WIDE)
        if first is None:
            return None
        dtype = {"float32": "complex64", "float64": "complex128"}[first.dtype]
        return maker.emit("tf.complex({0}, {1})", [first, maker.like(first)], dtype, first.shape, 2 * first.bound + 6)
    value = maker.find(COMPLEX, where=lambda each: each.bound < 300)
    if value is None:
        return None
    dtype = {"complex64": "float32", "complex128": "float64"}[value.dtype]
    text, keeps = maker.dice.pick([("tf.real({0})", True), ("tf.imag({0})", True), ("tf.abs({0} * 0.1 + 60.0)", False),
                                   ("tf.angle({0} * 0.1 + 60.0)", False)])
    return maker.emit(text, [value], dtype, value.shape, max(value.bound, 100), value.grain if keeps else None)


OPS = [(7, smooth), (3, plain), (4, sharp), (7, pair), (3, sharp_pair), (3, compare), (1, logic), (2, choose),
       (3, cast), (2, parts)]
