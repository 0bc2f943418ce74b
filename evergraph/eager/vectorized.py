"""tf.vectorized_map: a function of rows, applied to all rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.eager.function import function
from evergraph.frontend.functional import map_fn
from evergraph.frontend.specs import TensorSpec
from evergraph.graph.convert import convert_to_tensor


@export("vectorized_map")
def vectorized_map(fn: Callable[[Any], Any], elems: Any) -> Any:
    """Applies a function to the rows (slices along the first axis) of tensors and stacks the results.

    The result is that of `tf.map_fn`, whose dtypes it finds out: the function is traced once, and a loop calls it for
    each row.

    >>> tf.vectorized_map(lambda row: tf.reduce_sum(row), tf.ones([3, 2])).shape.as_list()
    [3]

    Args:
        fn: a function of one row, or of the structure of rows when `elems` is a structure.
        elems: a tensor, or a structure of tensors with the same number of rows.

    Returns:
        The stacked results, in the structure that `fn` returns.
    """
    tensors = nest.map_structure(convert_to_tensor, elems)
    rows = nest.map_structure(lambda tensor: TensorSpec(tensor.shape.with_rank_at_least(1)[1:], tensor.dtype), tensors)
    traced = function(fn, autograph=False).get_concrete_function(rows)
    kinds = nest.map_structure(lambda result: result.dtype, traced.structured_outputs)
    return map_fn(lambda row: traced(*nest.flatten(row)), tensors, dtype=kinds)
