# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.debugging."""

from evergraph import verify_tensor_all_finite
from typing import Any
from evergraph.debugging import experimental as experimental

from evergraph import Assert as Assert
assert_all_finite = verify_tensor_all_finite
from evergraph import assert_equal as assert_equal
from evergraph import assert_greater as assert_greater
from evergraph import assert_greater_equal as assert_greater_equal
from evergraph import assert_integer as assert_integer
from evergraph import assert_less as assert_less
from evergraph import assert_less_equal as assert_less_equal
from evergraph import assert_near as assert_near
from evergraph import assert_negative as assert_negative
from evergraph import assert_non_negative as assert_non_negative
from evergraph import assert_non_positive as assert_non_positive
from evergraph import assert_none_equal as assert_none_equal
from evergraph import assert_positive as assert_positive
from evergraph import assert_proper_iterable as assert_proper_iterable
from evergraph import assert_rank as assert_rank
from evergraph import assert_rank_at_least as assert_rank_at_least
from evergraph import assert_rank_in as assert_rank_in
from evergraph import assert_same_float_dtype as assert_same_float_dtype
from evergraph import assert_scalar as assert_scalar

def assert_shapes(
    shapes: Any, data: Any = None, summarize: Any = None, message: str | None = None,
    name: str | None = None,
) -> Any:
    """An operation that fails unless tensors have the given sizes; equal symbols denote equal sizes."""

from evergraph import assert_type as assert_type
from evergraph import check_numerics as check_numerics

def disable_check_numerics() -> None:
    """Takes back `tf.debugging.enable_check_numerics` for this thread."""

def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on, operations of this thread that give an infinity or a NaN raise an error that names
    them."""

def get_log_device_placement() -> bool:
    """Whether `tf.debugging.set_log_device_placement` has turned the log on."""

from evergraph import is_finite as is_finite
from evergraph import is_inf as is_inf
from evergraph import is_nan as is_nan
from evergraph import is_non_decreasing as is_non_decreasing
from evergraph import is_numeric_tensor as is_numeric_tensor
from evergraph import is_strictly_increasing as is_strictly_increasing

def set_log_device_placement(enabled: bool) -> None:
    """Makes sessions log the device of each node before they first run it, as
    ConfigProto.log_device_placement does."""
