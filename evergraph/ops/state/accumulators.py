"""Ops on accumulators. They run on the host: a waiting step holds no lock."""

from __future__ import annotations

import numpy as np

from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import require_rank, scalar
from evergraph.ops.state.accumulator import DenseAccumulator, SparseAccumulator

_MADE = ("dtype: number, shape: shape, container: string = '', shared_name: string = '', "
         "reduction_type: {'MEAN', 'SUM'} = 'MEAN'")


def _holder(name, kind, handle, doc, shape):
    def kernel(shared, node, dtype, shape, reduction_type):
        return shared(lambda: kind(node.attrs["shared_name"] or node.name, dtype, shape, reduction_type))
    kernel.__doc__ = doc
    return op(f"{name}(*, {_MADE}) -> handle: {handle}", stateful=True, on="host", grad=STOP, shape=shape)(kernel)


_DENSE, _SPARSE = "Creates an accumulator of gradients.", "Creates an accumulator of sparse gradients."
conditional_accumulator = _holder("ConditionalAccumulator", DenseAccumulator, "Ref(string)", _DENSE, lambda: (2,))
resource_conditional_accumulator = _holder("ResourceConditionalAccumulator", DenseAccumulator, "resource", _DENSE,
                                           lambda: (2,))
sparse_conditional_accumulator = _holder("SparseConditionalAccumulator", SparseAccumulator, "Ref(string)", _SPARSE,
                                         lambda: (2,))


def _pair(line, kernel, shape, result):
    """Declares an accumulator op in both forms: with a reference handle, and with a resource handle."""
    refs = op(f"Accumulator{line.format('Ref(string)')} -> {result}", on="host", grad=STOP, shape=shape)(kernel)
    resources = op(f"ResourceAccumulator{line.format('resource')} -> {result}", stateful=True, on="host", grad=STOP,
                   shape=shape)(kernel)
    return refs, resources


def _apply(handle, local_step, gradient):
    """Adds a gradient, unless its step is older than the accumulator's."""
    handle.apply(int(local_step), gradient)


def _take(handle, num_required):
    """The mean or sum of the gradients, once the required number has arrived."""
    return handle.take(int(num_required))


def _count(handle):
    """The number of gradients aggregated so far."""
    return np.int32(handle.count)


def _set_step(handle, new_global_step):
    """Sets the accumulator's step."""
    handle.set_global_step(int(new_global_step))


accumulator_apply_gradient, resource_accumulator_apply_gradient = _pair(
    "ApplyGradient(handle: {}, local_step: int64, gradient: dtype, *, dtype: number)", _apply,
    lambda local_step: require_rank(local_step, 0), "()")
accumulator_take_gradient, resource_accumulator_take_gradient = _pair(
    "TakeGradient(handle: {}, num_required: int32, *, dtype: number)", _take,
    lambda num_required: require_rank(num_required, 0), "average: dtype")
accumulator_num_accumulated, resource_accumulator_num_accumulated = _pair(
    "NumAccumulated(handle: {})", _count, scalar, "num_accumulated: int32")
accumulator_set_global_step, resource_accumulator_set_global_step = _pair(
    "SetGlobalStep(handle: {}, new_global_step: int64)", _set_step,
    lambda new_global_step: require_rank(new_global_step, 0), "()")


@op("SparseAccumulatorApplyGradient(handle: Ref(string), local_step: int64, gradient_indices: int64, "
    "gradient_values: dtype, gradient_shape: int64, *, dtype: number, has_known_shape: bool) -> ()", on="host",
    grad=STOP, shape=lambda local_step: require_rank(local_step, 0))
def sparse_accumulator_apply_gradient(handle, local_step, gradient_indices, gradient_values, gradient_shape,
                                      has_known_shape):
    """Adds a sparse gradient, unless its step is older than the accumulator's."""
    handle.apply(int(local_step), (gradient_indices, gradient_values, gradient_shape if has_known_shape else None))


@op("SparseAccumulatorTakeGradient(handle: Ref(string), num_required: int32, *, dtype: number) -> indices: int64, "
    "values: dtype, shape: int64", on="host", grad=STOP)
def sparse_accumulator_take_gradient(handle, num_required):
    """The aggregated rows, each divided by its own count, once the required number of gradients has arrived."""
    return handle.take(int(num_required))


@sparse_accumulator_take_gradient.shape
def _(num_required):
    require_rank(num_required, 0)
    return [(None,), None, (None,)]
