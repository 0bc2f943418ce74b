"""Python's builtins for tensors: each is the builtin itself for other values."""

from __future__ import annotations

import builtins
import functools
import sys
from collections.abc import Callable
from typing import Any

from evergraph.autograph.operators.conditional import choose
from evergraph.autograph.operators.forms import form_for
from evergraph.autograph.operators.loop import Rows, row_count
from evergraph.autograph.operators.staging import is_staged
from evergraph.base import dtypes, nest
from evergraph.frontend import math, printing, reduce
from evergraph.frontend.ordering import sort
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math import elementwise
from evergraph.ops.strings.numbers import string_to_number

TABLE: dict[Any, Callable[..., Any]] = {}
"""A builtin -> the function that stands for it in converted code."""


def _stands_for(builtin: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: makes a function stand for a builtin; it is used for types with a form, or else for tensors."""

    def register(staged: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(builtin, assigned=("__name__", "__doc__"), updated=())
        def choice(*args: Any, **kwargs: Any) -> Any:
            own = form_for(builtin.__name__, *args)
            if own is not None:
                return own(*args, **kwargs)
            is_for_tensors = any(is_staged(each) or isinstance(each, TensorArray) for each in args)
            return (staged if is_for_tensors else builtin)(*args, **kwargs)

        TABLE[builtin] = choice
        return choice

    return register


@_stands_for(builtins.len)
def len_(value: Any) -> Any:
    """The number of rows: an int if it is static."""
    if isinstance(value, TensorArray):
        return value.size()
    if getattr(value, "shape", None) is not None and value.shape.ndims == 0:
        raise TypeError(f"a scalar tensor has no len(): {value}")
    return row_count(value)


@_stands_for(builtins.range)
def range_(*args: Any) -> Any:
    """A tensor of numbers, without any if the limit lies before the start."""
    start, limit, step = (0, *args, 1) if len(args) == 1 else (*args, 1)[:3]
    forward, backward = elementwise.maximum(start, limit), elementwise.minimum(start, limit)
    return math.range(start, choose(step > 0, lambda: forward, lambda: backward), step)


@_stands_for(builtins.enumerate)
def enumerate_(value: Any, start: Any = 0) -> Any:
    """The rows with their numbers."""
    count = row_count(value)
    return Rows((math.range(start, start + count), value), tuple)


@_stands_for(builtins.zip)
def zip_(*values: Any, strict: bool = False) -> Any:
    """The rows of several tensors at a time."""
    if strict:
        raise ValueError("zip of tensors takes no `strict`: their lengths are known when the graph runs")
    return Rows(tuple(convert_to_tensor(each) for each in values), tuple)


@_stands_for(builtins.map)
def map_(function: Callable[..., Any], *values: Any) -> Any:
    """What a function gives of each row."""
    return Rows(tuple(convert_to_tensor(each) for each in values), lambda rows: function(*rows))


@_stands_for(builtins.any)
def any_(value: Any) -> Any:
    """Whether a row is true."""
    return reduce.reduce_any(value, axis=0)


@_stands_for(builtins.all)
def all_(value: Any) -> Any:
    """Whether all rows are true."""
    return reduce.reduce_all(value, axis=0)


@_stands_for(builtins.int)
def int_(value: Any = 0, base: Any = None) -> Any:
    """The number as tf.int32."""
    if base not in (None, 10):
        raise ValueError(f"int of a tensor takes numbers of base 10, got base {base}")
    return _cast(value, dtypes.int32)


@_stands_for(builtins.float)
def float_(value: Any = 0) -> Any:
    """The number as tf.float32."""
    return _cast(value, dtypes.float32)


@_stands_for(builtins.bool)
def bool_(value: Any = False) -> Any:
    """The value as tf.bool."""
    return math.cast(value, dtypes.bool)


def _cast(value: Any, dtype: dtypes.DType) -> Any:
    tensor = convert_to_tensor(value)
    if tensor.dtype.base_dtype is dtypes.string:
        return string_to_number(tensor, out_type=dtype)
    return math.cast(tensor, dtype)


@_stands_for(builtins.abs)
def abs_(value: Any) -> Any:
    """The absolute value."""
    return math.abs(value)


@_stands_for(builtins.max)
def max_(*values: Any) -> Any:
    """The largest of several tensors, element by element, or of the rows of one."""
    return functools.reduce(elementwise.maximum, values) if len(values) > 1 else reduce.reduce_max(values[0], axis=0)


@_stands_for(builtins.min)
def min_(*values: Any) -> Any:
    """The smallest of several tensors, element by element, or of the rows of one."""
    return functools.reduce(elementwise.minimum, values) if len(values) > 1 else reduce.reduce_min(values[0], axis=0)


@_stands_for(builtins.sum)
def sum_(value: Any, start: Any = 0) -> Any:
    """The sum of the rows."""
    return reduce.reduce_sum(value, axis=0) + start


@_stands_for(builtins.sorted)
def sorted_(value: Any, reverse: bool = False) -> Any:
    """The elements of a vector in order."""
    return sort(value, direction="DESCENDING" if reverse else "ASCENDING")


@_stands_for(builtins.filter)
def filter_(function: Callable[..., Any], value: Any) -> Any:
    """Has no form for tensors."""
    raise TypeError("filter() of a tensor has a length that only the run tells: use tf.boolean_mask")


def print_(*values: Any, sep: str = " ", end: str = "\n", file: Any = None, flush: bool = False) -> None:
    """`print`, when the graph runs if one of the values is a tensor: the feature BUILTIN_FUNCTIONS."""
    if any(is_staged(leaf) for leaf in nest.flatten(list(values))):
        printing.print_v2(*values, sep=sep, end=end, output_stream=file or sys.stdout)
    else:
        print(*values, sep=sep, end=end, file=file, flush=flush)

