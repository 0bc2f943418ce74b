"""Elementwise functions of ragged tensors, and the operators that stand for them."""
from __future__ import annotations

import functools
import inspect
from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import dimension_value
from evergraph.frontend import array, clip, indexing, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_equal
from evergraph.frontend.ragged.tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor
from evergraph.frontend.ragged.value import RaggedTensorValue
from evergraph.graph.node import Tensor
from evergraph.graph.overloads import overload
from evergraph.ops.arrays.basic import check_numerics
from evergraph.ops.arrays.gather import gather_v2
from evergraph.ops.math import elementwise, special

KINDS = (RaggedTensor, RaggedTensorValue)
_LISTS = (list, tuple)


# ---- functions of the values

@export("ragged.map_flat_values")
def map_flat_values(op: Any, *args: Any, **kwargs: Any) -> Any:
    """What `op` makes of the innermost values of ragged tensors, in the same rows.

    >>> rows = tf.ragged.constant([[1, 2], [3]])
    >>> tf.Session().run(tf.ragged.map_flat_values(tf.square, rows)).to_list()
    [[1, 4], [9]]

    Args:
        op: a function; it must give as many values as it gets.
        *args: its arguments; ragged ones must have the same rows, which is checked when they are computed.
        **kwargs: more of them.

    Raises:
        ValueError: the ragged arguments have different numbers of ragged axes.
    """
    given = [a for a in [*_leaves(args), *_leaves(kwargs)] if isinstance(a, RaggedTensor)]
    if not given:
        return op(*args, **kwargs)
    first = given[0]
    if len({a.ragged_rank for a in given}) > 1:
        raise ValueError("ragged arguments of one op need one and the same ragged_rank.")
    checks = [check for a in given[1:] for check in same_rows(first, a)]
    with control_dependencies(checks):
        return first.with_flat_values(op(*_flat(args), **_flat(kwargs)))


def same_rows(a: RaggedTensor, b: RaggedTensor) -> list[Any]:
    """Operations that fail when two ragged tensors have rows of other lengths."""
    return [assert_equal(mine, other, message="Inputs must have identical ragged splits")
            for mine, other in zip(a.nested_row_splits, b.nested_row_splits) if mine is not other]


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    return [leaf for item in value for leaf in _leaves(item)] if isinstance(value, _LISTS) else [value]


def _flat(value: Any) -> Any:
    """The arguments with ragged tensors replaced by their values."""
    if isinstance(value, RaggedTensor):
        return value.flat_values
    if isinstance(value, dict):
        return {key: _flat(item) for key, item in value.items()}
    return type(value)(_flat(item) for item in value) if type(value) in _LISTS else value


def _as_tensors(value: Any) -> Any:
    """The arguments with the values of ragged tensors made tensors."""
    if isinstance(value, RaggedTensorValue):
        return convert_to_tensor_or_ragged_tensor(value)
    return [_as_tensors(item) for item in value] if type(value) in _LISTS else value


# ---- of one tensor, or of a list of them

_OF_ONE = (
    array.identity, array.ones_like, array.zeros_like, clip.clip_by_value, check_numerics,
    elementwise.invert, elementwise.acos, elementwise.acosh, elementwise.asin, elementwise.asinh, elementwise.atan,
    elementwise.atanh, elementwise.ceil, elementwise.cos, elementwise.cosh, elementwise.exp, elementwise.expm1,
    elementwise.floor, elementwise.is_finite, elementwise.is_inf, elementwise.is_nan, elementwise.log,
    elementwise.log1p, elementwise.logical_not, elementwise.neg, elementwise.reciprocal, elementwise.rint,
    elementwise.rsqrt, elementwise.sign, elementwise.sin, elementwise.sinh, elementwise.sqrt, elementwise.square,
    elementwise.tan, elementwise.tanh, special.digamma, special.erf, special.erfc, special.lgamma,
    math.abs, math.angle, math.cast, math.conj, math.imag, math.log_sigmoid, math.real, math.round, math.saturate_cast,
    math.add_n, indexing.one_hot,
)


def _over_values(function: Any, *args: Any, **kwargs: Any) -> Any:
    return map_flat_values(function, *map(_as_tensors, args), **{k: _as_tensors(v) for k, v in kwargs.items()})


for _function in _OF_ONE:
    overload(_function, *KINDS)(functools.partial(_over_values, _function))


# ---- of two tensors

_OF_TWO = (
    elementwise.bitwise_and, elementwise.bitwise_or, elementwise.bitwise_xor, elementwise.left_shift,
    elementwise.right_shift, elementwise.add, elementwise.add_v2, elementwise.atan2, elementwise.equal,
    elementwise.floor_div, elementwise.floor_mod, elementwise.greater, elementwise.greater_equal, elementwise.less,
    elementwise.less_equal, elementwise.logical_and, elementwise.logical_or, elementwise.maximum, elementwise.minimum,
    elementwise.mul, elementwise.not_equal, elementwise.pow_, elementwise.real_div, elementwise.squared_difference,
    elementwise.sub, elementwise.truncate_div, elementwise.truncate_mod,
    math.complex, math.div, math.div_no_nan, math.divide, math.floordiv, math.truediv,
)


def _over_pairs(function: Any, *args: Any, **kwargs: Any) -> Any:
    names = list(inspect.signature(function).parameters)
    given = {**dict(zip(names, args)), **kwargs}
    pair = broadcast(given.pop(names[0]), given.pop(names[1]))
    return map_flat_values(function, *pair, **given)


for _function in _OF_TWO:
    overload(_function, *KINDS)(functools.partial(_over_pairs, _function))


def broadcast(x: Any, y: Any) -> tuple[Any, Any]:
    """Two operands, of which one is ragged, such that they can be put together value by value.

    A tensor may have one element, or one for each row, or the shape of what is inside of the ragged axes.
    """
    if isinstance(x, KINDS):
        x = convert_to_tensor_or_ragged_tensor(x)
        y = convert_to_tensor_or_ragged_tensor(y, preferred_dtype=x.dtype)
    else:
        y = convert_to_tensor_or_ragged_tensor(y)
        x = convert_to_tensor_or_ragged_tensor(x, preferred_dtype=y.dtype)
    if isinstance(x, RaggedTensor) and isinstance(y, RaggedTensor):
        return x, y
    return (x, _spread(y, x)) if isinstance(x, RaggedTensor) else (_spread(x, y), y)


def _spread(tensor: Tensor, rows: RaggedTensor) -> Tensor:
    """The element of `tensor` for each of the innermost values of `rows`."""
    rank, inner = tensor.shape.rank, rows.flat_values.shape.rank
    if rank is None or inner is None:
        raise ValueError("a tensor of unknown rank cannot be broadcast to the rows of a RaggedTensor")
    if rank < inner:
        return tensor
    missing = rows.ragged_rank + inner - rank
    if missing < 0:
        raise ValueError(f"a tensor of shape {tensor.shape} has more axes than the RaggedTensor of shape {rows.shape}")
    if missing:  # nothing is said about the rows, so the sizes of the ragged axes that are given must be 1
        return array.squeeze(tensor, axis=list(range(rows.ragged_rank + 1 - missing)))
    by_row = array.squeeze(tensor, axis=list(range(1, rows.ragged_rank + 1)))
    row = rows.value_rowids()
    for level in rows._levels()[1:]:
        row = gather_v2(row, level.value_rowids(), 0)
    count = array.shape_of(by_row, None, row.dtype)[0]
    with control_dependencies([] if dimension_value(by_row.shape[0]) == 1 else [_fits(count, rows.nrows())]):
        shared = math.cast(elementwise.not_equal(count, 1), row.dtype)  # a single element is that of all rows
    return gather_v2(by_row, row * shared, 0)


def _fits(count: Tensor, rows: Tensor) -> Any:
    wanted = elementwise.select(elementwise.equal(count, 1), count, rows)
    return assert_equal(count, wanted, message="the tensor has another number of rows than the RaggedTensor")


# ---- operators

def _install(symbol: str, function: Any) -> None:
    setattr(RaggedTensor, f"__{symbol}__", lambda x, y: function(x, y))
    setattr(RaggedTensor, f"__r{symbol}__", lambda y, x: function(x, y))


for _symbol, _function in {
    "add": elementwise.add, "sub": elementwise.sub, "mul": elementwise.mul, "div": math.div, "truediv": math.truediv,
    "floordiv": math.floordiv, "mod": elementwise.floor_mod, "pow": elementwise.pow_, "and": elementwise.logical_and,
    "or": elementwise.logical_or, "xor": math.logical_xor,
}.items():
    _install(_symbol, _function)

for _symbol, _function in {
    "lt": elementwise.less, "le": elementwise.less_equal, "gt": elementwise.greater, "ge": elementwise.greater_equal,
}.items():
    setattr(RaggedTensor, f"__{_symbol}__", lambda x, y, function=_function: function(x, y))

for _symbol, _function in {"neg": elementwise.neg, "abs": math.abs, "invert": elementwise.logical_not}.items():
    setattr(RaggedTensor, f"__{_symbol}__", lambda x, function=_function: function(x))


# ---- which have their own arguments

@overload(array.rank, *KINDS)
def _(input: Any, name: str | None = None) -> Tensor:
    rows = convert_to_tensor_or_ragged_tensor(input)
    with name_scope(name, "RaggedRank", rows._components()):
        inner = rows.flat_values.shape.rank
        return rows.ragged_rank + (array.rank(rows.flat_values) if inner is None else array.constant(inner, "int32"))


@overload(array.size, *KINDS)
def _(input: Any, name: str | None = None, out_type: Any = "int32") -> Tensor:
    return array.size(convert_to_tensor_or_ragged_tensor(input).flat_values, name=name, out_type=out_type)
