# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.reduce_slice_ops."""

from evergraph.raw_ops import ReduceSliceMax, ReduceSliceMin, ReduceSliceProd, ReduceSliceSum

reduce_slice_max = ReduceSliceMax
reduce_slice_min = ReduceSliceMin
reduce_slice_prod = ReduceSliceProd
reduce_slice_sum = ReduceSliceSum
