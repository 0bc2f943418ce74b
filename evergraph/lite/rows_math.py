"""Rows of the table: arithmetic, comparisons, reductions and matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.graph.opdef import OpDef
from evergraph.lite.model import Shape, Value
from evergraph.lite.site import TABLE, Row, Site, Unmapped, row
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.later import add_v2, batch_mat_mul_v2
from evergraph.ops.math import elementwise as e
from evergraph.ops.math import matmul, reduce
from evergraph.ops.nn import activations


def same(code: str, *ops: OpDef) -> None:
    """Rows of ops that are one operator with the same operands."""
    for op in ops:
        TABLE[op] = Row((code,), lambda site, code=code: site.give(code, site.inputs))  # type: ignore[misc]


# ---- one operand

same("ABS", e.abs_)
same("CEIL", e.ceil)
same("COS", e.cos)
same("EXP", e.exp)
same("FLOOR", e.floor)
same("LOG", e.log)
same("LOGICAL_NOT", e.logical_not)
same("NEG", e.neg)
same("ROUND", e.round_, e.rint)
same("RSQRT", e.rsqrt)
same("LOGISTIC", e.sigmoid)
same("SIGN", e.sign)
same("SIN", e.sin)
same("SQRT", e.sqrt)
same("SQUARE", e.square)
same("TANH", e.tanh)
same("ELU", activations.elu)
same("RELU", activations.relu)
same("RELU6", activations.relu6)
same("ZEROS_LIKE", basic.zeros_like)
same("REAL", e.real)
same("IMAG", e.imag)
same("COMPLEX_ABS", e.complex_abs)

# ---- two operands

same("FLOOR_DIV", e.floor_div)
same("FLOOR_MOD", e.floor_mod)
same("MAXIMUM", e.maximum)
same("MINIMUM", e.minimum)
same("POW", e.pow_)
same("SQUARED_DIFFERENCE", e.squared_difference)
same("EQUAL", e.equal)
same("NOT_EQUAL", e.not_equal)
same("GREATER", e.greater)
same("GREATER_EQUAL", e.greater_equal)
same("LESS", e.less)
same("LESS_EQUAL", e.less_equal)
same("LOGICAL_AND", e.logical_and)
same("LOGICAL_OR", e.logical_or)
same("ATAN2", e.atan2)
same("BITWISE_XOR", e.bitwise_xor)
same("RIGHT_SHIFT", e.right_shift)
same("ADD", e.add, add_v2)
same("SUB", e.sub)
same("MUL", e.mul)
same("DIV", e.real_div)


@row(e.div, "DIV")
def div(site: Site) -> None:
    if site.inputs[0].dtype.is_integer:
        raise Unmapped("TensorFlow Lite's DIV of integers does not round like Div; use FloorDiv")
    site.give("DIV", site.inputs)


@row(e.add_n, "ADD_N")
@row(e.accumulate_n_v2, "ADD_N")
def add_n(site: Site) -> None:
    if len(site.inputs) == 1:
        site.forward(site.inputs[0])
    else:
        site.give("ADD_N", site.inputs)


@row(activations.bias_add, "ADD")
@row(activations.bias_add_v1, "ADD")
def bias_add(site: Site) -> None:
    value, bias = site.inputs
    if site.node.attrs.get("data_format") == "NCHW":
        bias = site.reshaped(bias, [bias.shape[0] if bias.shape else None] + [1] * (len(site.shape(0)) - 2))
    site.give("ADD", [value, bias])


# ---- ops that become several operators


def _like(site: Site) -> tuple[Value, Shape | None]:
    return site.inputs[0], site.outputs[0].shape


@row(e.log1p, "ADD", "LOG")
def log1p(site: Site) -> None:
    x, shape = _like(site)
    site.give("LOG", [site.make("ADD", [x, site.scalar(1, x)], shape)])


@row(e.expm1, "EXP", "SUB")
def expm1(site: Site) -> None:
    x, shape = _like(site)
    site.give("SUB", [site.make("EXP", [x], shape), site.scalar(1, x)])


@row(e.reciprocal, "DIV")
@row(e.inv, "DIV")
def reciprocal(site: Site) -> None:
    site.give("DIV", [site.scalar(1, site.inputs[0]), site.inputs[0]])


@row(e.tan, "SIN", "COS", "DIV")
def tan(site: Site) -> None:
    x, shape = _like(site)
    site.give("DIV", [site.make("SIN", [x], shape), site.make("COS", [x], shape)])


def _half_of_exponentials(site: Site, code: str) -> None:
    x, shape = _like(site)
    up, down = site.make("EXP", [x], shape), site.make("EXP", [site.make("NEG", [x], shape)], shape)
    site.give("MUL", [site.make(code, [up, down], shape), site.scalar(0.5, x)])


@row(e.sinh, "EXP", "NEG", "SUB", "MUL")
def sinh(site: Site) -> None:
    _half_of_exponentials(site, "SUB")


@row(e.cosh, "EXP", "NEG", "ADD", "MUL")
def cosh(site: Site) -> None:
    _half_of_exponentials(site, "ADD")


@row(activations.softplus, "ABS", "NEG", "EXP", "ADD", "LOG", "RELU")
def softplus(site: Site) -> None:
    """relu(x) + log(1 + exp(-|x|)), whose exponential does not overflow."""
    x, shape = _like(site)
    small = site.make("EXP", [site.make("NEG", [site.make("ABS", [x], shape)], shape)], shape)
    rest = site.make("LOG", [site.make("ADD", [small, site.scalar(1, x)], shape)], shape)
    site.give("ADD", [site.make("RELU", [x], shape), rest])


@row(activations.softsign, "ABS", "ADD", "DIV")
def softsign(site: Site) -> None:
    x, shape = _like(site)
    site.give("DIV", [x, site.make("ADD", [site.make("ABS", [x], shape), site.scalar(1, x)], shape)])


_SELU_SCALE, _SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


@row(activations.selu, "ELU", "RELU", "MINIMUM", "MUL", "ADD")
def selu(site: Site) -> None:
    """scale * (relu(x) + alpha * elu(min(x, 0)))."""
    x, shape = _like(site)
    low = site.make("ELU", [site.make("MINIMUM", [x, site.scalar(0, x)], shape)], shape)
    low = site.make("MUL", [low, site.scalar(_SELU_SCALE * _SELU_ALPHA, x)], shape)
    high = site.make("MUL", [site.make("RELU", [x], shape), site.scalar(_SELU_SCALE, x)], shape)
    site.give("ADD", [high, low])


@row(e.is_nan, "NOT_EQUAL")
def is_nan(site: Site) -> None:
    site.give("NOT_EQUAL", [site.inputs[0], site.inputs[0]])


@row(e.is_inf, "ABS", "EQUAL")
def is_inf(site: Site) -> None:
    x, shape = _like(site)
    site.give("EQUAL", [site.make("ABS", [x], shape), site.scalar(np.inf, x)])


@row(e.is_finite, "ABS", "LESS")
def is_finite(site: Site) -> None:
    x, shape = _like(site)
    site.give("LESS", [site.make("ABS", [x], shape), site.scalar(np.inf, x)])


@row(e.div_no_nan, "DIV", "EQUAL", "ZEROS_LIKE", "SELECT_V2")
def div_no_nan(site: Site) -> None:
    x, y = site.inputs
    shape = site.outputs[0].shape
    quotient = site.make("DIV", [x, y], shape)
    is_zero = site.make("EQUAL", [y, site.scalar(0, y)], y.shape, dtypes.bool)
    site.give("SELECT_V2", [is_zero, site.make("ZEROS_LIKE", [quotient], shape), quotient])


@row(e.clip_by_value, "MAXIMUM", "MINIMUM")
def clip_by_value(site: Site) -> None:
    x, low, high = site.inputs
    site.give("MAXIMUM", [site.make("MINIMUM", [x, high], site.outputs[0].shape), low])


# ---- reductions


def _axes(site: Site) -> Value:
    """The axes as a vector, which all kernels take."""
    axes = site.known(1)
    return site.integers([int(axis) for axis in np.ravel(axes)], "axes")


def reduction(code: str, op: OpDef) -> None:
    TABLE[op] = Row((code,), lambda site: site.give(
        code, [site.inputs[0], _axes(site)], keepDims=bool(site.attr("keep_dims"))))


reduction("SUM", reduce.sum_)
reduction("MEAN", reduce.mean)
reduction("REDUCE_MAX", reduce.max_)
reduction("REDUCE_MIN", reduce.min_)
reduction("REDUCE_PROD", reduce.prod)
reduction("REDUCE_ANY", reduce.any_)
reduction("REDUCE_ALL", reduce.all_)


@row(reduce.euclidean_norm, "SQUARE", "SUM", "SQRT")
def euclidean_norm(site: Site) -> None:
    x, shape = _like(site)
    squares = site.make("SQUARE", [x], x.shape)
    total = site.make("SUM", [squares, _axes(site)], shape, keepDims=bool(site.attr("keep_dims")))
    site.give("SQRT", [total])


@row(activations.l2_loss, "SQUARE", "SUM", "MUL")
def l2_loss(site: Site) -> None:
    x = site.inputs[0]
    axes = site.integers(range(len(site.shape(0))), "axes")
    total = site.make("SUM", [site.make("SQUARE", [x], x.shape), axes], (), keepDims=False)
    site.give("MUL", [total, site.scalar(0.5, x)])


def _arg(code: str) -> Any:
    def convert(site: Site) -> None:
        kind = site.outputs[0].dtype
        if kind not in (dtypes.int32, dtypes.int64):
            raise Unmapped(f"the type of its output is {kind.name}")
        axis = site.constant(np.int32(site.known(1)), "axis")
        site.give(code, [site.inputs[0], axis], outputType=2 if kind is dtypes.int32 else 4)

    return convert


row(reduce.arg_max, "ARG_MAX")(_arg("ARG_MAX"))
row(reduce.arg_min, "ARG_MIN")(_arg("ARG_MIN"))


@row(reduce.cumsum, "CUMSUM")
def cumsum(site: Site) -> None:
    axis = site.constant(np.int32(site.known(1)), "axis")
    site.give("CUMSUM", [site.inputs[0], axis],
              **{name: bool(site.attr(name)) for name in ("exclusive", "reverse")})


# ---- matrix products


@row(matmul.mat_mul, "FULLY_CONNECTED", "BATCH_MATMUL")
def mat_mul(site: Site) -> None:
    """A product with a constant is a layer with these weights, which have one row for each output."""
    a, b = site.inputs
    if b.data is None or not a.dtype.is_floating:
        site.give("BATCH_MATMUL", [a, b], adjX=bool(site.attr("transpose_a")), adjY=bool(site.attr("transpose_b")))
        return
    if site.attr("transpose_a"):
        a = site.transposed(a, (1, 0))
    weights = b if site.attr("transpose_b") else site.transposed(b, (1, 0))
    site.give("FULLY_CONNECTED", [a, weights, None], fusedActivationFunction=0, keepNumDims=False)


@row(matmul.batch_mat_mul, "BATCH_MATMUL")
@row(batch_mat_mul_v2, "BATCH_MATMUL")
def batch_mat_mul(site: Site) -> None:
    site.give("BATCH_MATMUL", site.inputs, adjX=bool(site.attr("adj_x")), adjY=bool(site.attr("adj_y")))
