# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.debugging."""

from typing import Any

from evergraph import Assert as Assert

def assert_all_finite(x: Any, message: str, name: str | None = None) -> Any:
    """The tensor, which must hold neither NaN nor infinity when it runs."""

from evergraph.compat.v2 import assert_equal as assert_equal
from evergraph.compat.v2 import assert_greater as assert_greater

def assert_greater_equal(
    x: Any, y: Any, message: str | None = None, summarize: Any = None, name: str | None = None,
) -> Any:
    """An operation that fails unless x >= y elementwise, with broadcasting."""

from evergraph import assert_integer as assert_integer
from evergraph.compat.v2 import assert_less as assert_less

def assert_less_equal(
    x: Any, y: Any, message: str | None = None, summarize: Any = None, name: str | None = None,
) -> Any:
    """An operation that fails unless x <= y elementwise, with broadcasting."""

def assert_near(
    x: Any, y: Any, rtol: Any = None, atol: Any = None, message: str | None = None, summarize: Any = None,
    name: str | None = None,
) -> Any:
    """An operation that fails unless |x - y| <= atol + rtol * |y| for all elements."""

def assert_negative(
    x: Any, message: str | None = None, summarize: Any = None, name: str | None = None,
) -> Any:
    """An operation that fails unless all elements of x are less than zero."""

def assert_non_negative(
    x: Any, message: str | None = None, summarize: Any = None, name: str | None = None,
) -> Any:
    """An operation that fails unless all elements of x are zero or greater."""

def assert_non_positive(
    x: Any, message: str | None = None, summarize: Any = None, name: str | None = None,
) -> Any:
    """An operation that fails unless all elements of x are zero or less."""

def assert_none_equal(
    x: Any, y: Any, summarize: Any = None, message: str | None = None, name: str | None = None,
) -> Any:
    """An operation that fails unless x != y elementwise, with broadcasting."""

def assert_positive(
    x: Any, message: str | None = None, summarize: Any = None, name: str | None = None,
) -> Any:
    """An operation that fails unless all elements of x are greater than zero."""

from evergraph import assert_proper_iterable as assert_proper_iterable
from evergraph.compat.v2 import assert_rank as assert_rank

def assert_rank_at_least(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Any:
    """An operation that fails unless x has at least this rank; see `tf.assert_rank`."""

def assert_rank_in(x: Any, ranks: Any, message: str | None = None, name: str | None = None) -> Any:
    """An operation that fails unless x has one of these ranks; see `tf.assert_rank`."""

from evergraph import assert_same_float_dtype as assert_same_float_dtype

def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> Any:
    """Checks that a tensor is statically a scalar, and returns it."""

from evergraph.debugging import assert_shapes as assert_shapes
from evergraph import assert_type as assert_type
from evergraph import check_numerics as check_numerics
from evergraph.debugging import get_log_device_placement as get_log_device_placement
from evergraph import is_numeric_tensor as is_numeric_tensor
from evergraph.debugging import set_log_device_placement as set_log_device_placement
