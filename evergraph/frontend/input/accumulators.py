"""tf.ConditionalAccumulator and tf.SparseConditionalAccumulator."""

from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import math
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.state import accumulators as ops


def _as_step(step):
    return math.cast(convert_to_tensor(step), dtypes.int64)


@export("ConditionalAccumulatorBase")
class ConditionalAccumulatorBase:
    """Aggregates gradients between steps, until enough have arrived: the base of accumulators.

    Args:
        dtype: the dtype of gradients.
        shape: the known part of their shape.
        accumulator_ref: the tensor that holds the accumulator.
    """

    def __init__(self, dtype, shape, accumulator_ref):
        self._dtype, self._shape = dtype, TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.rpartition("/")[2]

    accumulator_ref = property(lambda self: self._accumulator_ref)
    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)

    def num_accumulated(self, name=None):
        """The number of gradients since the last `take_grad`."""
        return ops.resource_accumulator_num_accumulated(self._accumulator_ref,
                                                        name=name or f"{self._name}_NumAccumulated")

    def set_global_step(self, new_global_step, name=None):
        """An operation that sets the accumulator's step: gradients of older steps are then dropped as stale."""
        return ops.resource_accumulator_set_global_step(self._accumulator_ref, _as_step(new_global_step), name=name)


@export("ConditionalAccumulator")
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Aggregates dense gradients, for synchronous training with several workers.

    Args:
        dtype: the dtype of gradients.
        shape: the known part of their shape.
        shared_name: accumulators with the same shared name in a session share their state.
        name: a name for the operation.
        reduction_type: "MEAN" or "SUM".
    """

    def __init__(self, dtype, shape=None, shared_name=None, name="conditional_accumulator", reduction_type="MEAN"):
        ref = ops.resource_conditional_accumulator(dtype=dtype, shape=TensorShape(shape).tuple,
                                                   shared_name=shared_name or "", name=name,
                                                   reduction_type=reduction_type)
        super().__init__(dtype, shape, ref)

    def apply_grad(self, grad, local_step=0, name=None):
        """An operation that adds a gradient, unless it is stale.

        Args:
            grad: the gradient.
            local_step: the step it was computed for; dropped if older than the accumulator's step.
            name: a name for the operation.

        Raises:
            ValueError: the gradient's shape is incompatible.
        """
        grad = convert_to_tensor(grad, self._dtype)
        grad.get_shape().assert_is_compatible_with(self._shape)
        return ops.resource_accumulator_apply_gradient(self._accumulator_ref, _as_step(local_step), grad, name=name)

    def take_grad(self, num_required, name=None):
        """The mean (or sum) of the gradients; blocks until `num_required` have arrived.

        Taking resets the accumulator and advances its step.
        """
        taken = ops.resource_accumulator_take_gradient(self._accumulator_ref, num_required, dtype=self._dtype,
                                                       name=name)
        taken.set_shape(self._shape)
        return taken


@export("SparseConditionalAccumulator", "sparse.SparseConditionalAccumulator")
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Aggregates sparse gradients (IndexedSlices); the mean of a row is over the gradients that contain it.

    Args:
        dtype: the dtype of gradients.
        shape: the known part of the dense shape.
        shared_name: accumulators with the same shared name in a session share their state.
        name: a name for the operation.
        reduction_type: "MEAN" or "SUM".
    """

    def __init__(self, dtype, shape=None, shared_name=None, name="sparse_conditional_accumulator",
                 reduction_type="MEAN"):
        ref = ops.sparse_conditional_accumulator(dtype=dtype, shape=TensorShape(shape).tuple,
                                                 shared_name=shared_name or "", name=name,
                                                 reduction_type=reduction_type)
        super().__init__(dtype, shape, ref)

    def apply_indexed_slices_grad(self, grad, local_step=0, name=None):
        """An operation that adds IndexedSlices; see `apply_grad`."""
        return self.apply_grad(grad.indices, grad.values, grad.dense_shape, local_step, name)

    def apply_grad(self, grad_indices, grad_values, grad_shape=None, local_step=0, name=None):
        """An operation that adds a sparse gradient, unless it is stale.

        Args:
            grad_indices: the row numbers, sorted.
            grad_values: the rows.
            grad_shape: the dense shape, if known.
            local_step: the step it was computed for; dropped if older than the accumulator's step.
            name: a name for the operation.
        """
        shape = math.cast([] if grad_shape is None else grad_shape, dtypes.int64)
        return ops.sparse_accumulator_apply_gradient(
            self._accumulator_ref, _as_step(local_step), math.cast(grad_indices, dtypes.int64), grad_values, shape,
            has_known_shape=grad_shape is not None, name=name)

    def take_grad(self, num_required, name=None):
        """(indices, rows, shape) of the aggregate; blocks until `num_required` gradients have arrived."""
        return ops.sparse_accumulator_take_gradient(self._accumulator_ref, num_required, dtype=self._dtype, name=name)

    def take_indexed_slices_grad(self, num_required, name=None):
        """As `take_grad`, as IndexedSlices."""
        indices, values, shape = self.take_grad(num_required, name)
        return IndexedSlices(values, indices, shape)

    def num_accumulated(self, name=None):
        """The number of gradients since the last `take_grad`."""
        return ops.accumulator_num_accumulated(self._accumulator_ref, name=name or f"{self._name}_NumAccumulated")

    def set_global_step(self, new_global_step, name=None):
        """An operation that sets the accumulator's step: gradients of older steps are then dropped as stale."""
        return ops.accumulator_set_global_step(self._accumulator_ref, _as_step(new_global_step), name=name)
