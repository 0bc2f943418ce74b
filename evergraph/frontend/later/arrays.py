"""Arrays, mathematics, control flow and strings of tf.compat.v2."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import (
    array,
    blocks,
    checks,
    confusion,
    control_flow,
    gradients,
    indexing,
    numerics,
    ordering,
    random,
    reduce,
    segment,
    strings,
)
from evergraph.frontend.image import boxes
from evergraph.frontend.input import parsing
from evergraph.frontend.later.reordered import functions
from evergraph.frontend.sparse import serial
from evergraph.frontend.sparse import shape as sparse_shapes
from evergraph.frontend.variables import initializers
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor

_TABLE = """
argmax,math.argmax: input axis output_type name
argmin,math.argmin: input axis output_type name
batch_to_space: input block_shape! crops! name
boolean_mask: tensor mask axis name
cond: pred true_fn false_fn name
convert_to_tensor: value dtype dtype_hint name
device: device_name=device_name_or_function
gather: params indices validate_indices axis batch_dims name
gather_nd: params indices batch_dims name
gradients: ys xs grad_ys name gate_gradients aggregation_method stop_gradients unconnected_gradients
hessians: ys xs gate_gradients aggregation_method name
ones_like: input=tensor dtype name
zeros_like: input=tensor dtype name
pad: tensor paddings mode constant_values name
shape: input out_type name
size: input out_type name
space_to_batch,nn.space_to_batch: input block_shape! paddings! name
transpose: a perm conjugate name
tuple: tensors control_inputs name
while_loop: cond body loop_vars shape_invariants parallel_iterations back_prop swap_memory maximum_iterations name
where: condition x y name
expand_dims: input axis! name
reduce_all,math.reduce_all: input_tensor axis keepdims~False name
reduce_any,math.reduce_any: input_tensor axis keepdims~False name
reduce_logsumexp,math.reduce_logsumexp: input_tensor axis keepdims~False name
reduce_max,math.reduce_max: input_tensor axis keepdims~False name
reduce_mean,math.reduce_mean: input_tensor axis keepdims~False name
reduce_min,math.reduce_min: input_tensor axis keepdims~False name
reduce_prod,math.reduce_prod: input_tensor axis keepdims~False name
reduce_sum,math.reduce_sum: input_tensor axis keepdims~False name
math.confusion_matrix: labels predictions num_classes weights dtype name
math.count_nonzero: input! axis keepdims dtype name
math.in_top_k,nn.in_top_k: targets predictions k name
random.poisson: shape! lam dtype seed name
image.crop_and_resize: image boxes box_indices! crop_size! method extrapolation_value name
image.draw_bounding_boxes: images boxes colors! name
io.decode_csv: records record_defaults field_delim use_quote_delim na_value select_cols name
io.parse_example: serialized features example_names name
io.parse_single_example: serialized features example_names name
io.serialize_many_sparse: sp_input out_type name
io.serialize_sparse: sp_input out_type name
sparse.segment_mean: data indices segment_ids num_segments name
sparse.segment_sqrt_n: data indices segment_ids num_segments name
sparse.segment_sum: data indices segment_ids num_segments name
sparse.concat: axis sp_inputs expand_nonconcat_dims name
sparse.split: sp_input! num_split! axis! name
strings.length: input unit name
strings.reduce_join: inputs axis keepdims separator name
strings.split: input! sep maxsplit result_type:RaggedTensor name
strings.substr: input pos len unit name
strings.to_hash_bucket: input! num_buckets! name
strings.to_number: input! out_type name
debugging.assert_all_finite: x! message! name
debugging.assert_equal,assert_equal: x y message summarize name
debugging.assert_greater,assert_greater: x y message summarize name
debugging.assert_greater_equal: x y message summarize name
debugging.assert_less,assert_less: x y message summarize name
debugging.assert_less_equal: x y message summarize name
debugging.assert_near: x y rtol atol message summarize name
debugging.assert_negative: x message summarize name
debugging.assert_non_negative: x message summarize name
debugging.assert_non_positive: x message summarize name
debugging.assert_none_equal: x y summarize message name
debugging.assert_positive: x message summarize name
debugging.assert_rank,assert_rank: x rank message name
debugging.assert_rank_at_least: x rank message name
debugging.assert_rank_in: x ranks message name
debugging.assert_scalar: tensor message name
constant_initializer: value
ones_initializer:
zeros_initializer:
random_normal_initializer: mean stddev~0.05 seed
random_uniform_initializer: minval~-0.05 maxval~0.05 seed
"""

_TARGETS = {
    "argmax": reduce.argmax, "argmin": reduce.argmin, "batch_to_space": array.batch_to_space,
    "boolean_mask": indexing.boolean_mask, "cond": control_flow.cond, "convert_to_tensor": convert_to_tensor,
    "device": blocks.device, "gather": indexing.gather, "gather_nd": indexing.gather_nd,
    "gradients": gradients.gradients, "hessians": gradients.hessians, "ones_like": array.ones_like,
    "zeros_like": array.zeros_like, "pad": array.pad, "shape": array.shape, "size": array.size,
    "space_to_batch": array.space_to_batch, "transpose": array.transpose, "tuple": control_flow.tuple_,
    "while_loop": control_flow.while_loop, "where": indexing.where_v2,
    "expand_dims": array.expand_dims,
    **{name: getattr(reduce, name) for name in (
        "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod",
        "reduce_sum")},
    "math.confusion_matrix": confusion.confusion_matrix, "math.count_nonzero": reduce.count_nonzero,
    "math.in_top_k": ordering.in_top_k, "random.poisson": random.random_poisson,
    "image.crop_and_resize": boxes.crop_and_resize, "image.draw_bounding_boxes": boxes.draw_bounding_boxes,
    "io.decode_csv": parsing.decode_csv, "io.parse_example": parsing.parse_example,
    "io.parse_single_example": parsing.parse_single_example,
    "io.serialize_many_sparse": serial.serialize_many_sparse, "io.serialize_sparse": serial.serialize_sparse,
    "sparse.segment_mean": segment.sparse_segment_mean, "sparse.segment_sqrt_n": segment.sparse_segment_sqrt_n,
    "sparse.segment_sum": segment.sparse_segment_sum, "sparse.concat": sparse_shapes.sparse_concat,
    "sparse.split": sparse_shapes.sparse_split, "strings.length": strings.length,
    "strings.reduce_join": strings.reduce_join, "strings.split": strings.split, "strings.substr": strings.substr,
    "strings.to_hash_bucket": strings.to_hash_bucket, "strings.to_number": strings.to_number,
    "debugging.assert_all_finite": numerics.verify_tensor_all_finite,
    **{f"debugging.{name}": getattr(checks, name) for name in (
        "assert_equal", "assert_greater", "assert_greater_equal", "assert_less", "assert_less_equal", "assert_near",
        "assert_negative", "assert_non_negative", "assert_non_positive", "assert_none_equal", "assert_positive",
        "assert_rank", "assert_rank_at_least", "assert_rank_in", "assert_scalar")},
    "constant_initializer": initializers.constant_initializer, "ones_initializer": initializers.ones_initializer,
    "zeros_initializer": initializers.zeros_initializer,
    "random_normal_initializer": initializers.random_normal_initializer,
    "random_uniform_initializer": initializers.random_uniform_initializer,
}

for _names, _function in functions(_TABLE, _TARGETS):
    _function.__module__ = __name__
    globals()[_names[0].replace(".", "_")] = export(*_names)(_function)


@export("compat.v2.constant")
def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = "Const") -> Tensor:
    """A tensor whose value is fixed when it is made: `tf.constant`, but only a single value is repeated.

    Args:
        value: a number, text, a nested list of those, or a NumPy array.
        dtype: the dtype; by default int32, float32, bool or string as the value suggests, a NumPy array's own.
        shape: the shape, which `value` fills, or a single value everywhere.
        name: a name for the operation.

    Raises:
        TypeError: the value does not fit the dtype or `shape`.
    """
    if shape is not None:
        array.require_fit(value, dtype, shape)
    return array.constant(value, dtype, shape, name)
