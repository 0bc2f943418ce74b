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
    """A place where gradients add up between steps, until enough have come.

    Args:
        dtype: the dtype of gradients.
        shape: what is known of their shape.
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
        """How many gradients have come since the last were taken."""
        return ops.resource_accumulator_num_accumulated(self._accumulator_ref,
                                                        name=name or f"{self._name}_NumAccumulated")

    def set_global_step(self, new_global_step, name=None):
        """An operation that moves the accumulator to a step: gradients of older ones are dropped."""
        return ops.resource_accumulator_set_global_step(self._accumulator_ref, _as_step(new_global_step), name=name)


@export("ConditionalAccumulator")
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """A place where gradients add up.

    Args:
        dtype: the dtype of gradients.
        shape: what is known of their shape.
        shared_name: accumulators of the same shared name in a session are one.
        name: a name for the operation.
        reduction_type: "MEAN" or "SUM": what taking gives.
    """

    def __init__(self, dtype, shape=None, shared_name=None, name="conditional_accumulator", reduction_type="MEAN"):
        ref = ops.resource_conditional_accumulator(dtype=dtype, shape=TensorShape(shape).tuple,
                                                   shared_name=shared_name or "", name=name,
                                                   reduction_type=reduction_type)
        super().__init__(dtype, shape, ref)

    def apply_grad(self, grad, local_step=0, name=None):
        """An operation that adds a gradient.

        Args:
            grad: the gradient.
            local_step: the step it was computed for; where the accumulator has gone on, it is dropped.
            name: a name for the operation.

        Raises:
            ValueError: the gradient's shape does not fit.
        """
        grad = convert_to_tensor(grad, self._dtype)
        grad.get_shape().assert_is_compatible_with(self._shape)
        return ops.resource_accumulator_apply_gradient(self._accumulator_ref, _as_step(local_step), grad, name=name)

    def take_grad(self, num_required, name=None):
        """The mean (or sum) of the gradients; the step waits until there are `num_required`.

        Taking empties the accumulator and moves it to the next step.
        """
        taken = ops.resource_accumulator_take_gradient(self._accumulator_ref, num_required, dtype=self._dtype,
                                                       name=name)
        taken.set_shape(self._shape)
        return taken


@export("SparseConditionalAccumulator", "sparse.SparseConditionalAccumulator")
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """A place where gradients of rows add up; the mean of a row is over the gradients that have it.

    Args:
        dtype: the dtype of gradients.
        shape: what is known of the shape of the whole.
        shared_name: accumulators of the same shared name in a session are one.
        name: a name for the operation.
        reduction_type: "MEAN" or "SUM": what taking gives.
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
        """An operation that adds a gradient of rows.

        Args:
            grad_indices: the numbers of the rows, in order.
            grad_values: the rows.
            grad_shape: the shape of the whole, where it is known.
            local_step: the step it was computed for; where the accumulator has gone on, it is dropped.
            name: a name for the operation.
        """
        shape = math.cast([] if grad_shape is None else grad_shape, dtypes.int64)
        return ops.sparse_accumulator_apply_gradient(
            self._accumulator_ref, _as_step(local_step), math.cast(grad_indices, dtypes.int64), grad_values, shape,
            has_known_shape=grad_shape is not None, name=name)

    def take_grad(self, num_required, name=None):
        """(indices, rows, shape) of what has added up; the step waits until there are `num_required` gradients."""
        return ops.sparse_accumulator_take_gradient(self._accumulator_ref, num_required, dtype=self._dtype, name=name)

    def take_indexed_slices_grad(self, num_required, name=None):
        """The same as IndexedSlices."""
        indices, values, shape = self.take_grad(num_required, name)
        return IndexedSlices(values, indices, shape)

    def num_accumulated(self, name=None):
        """How many gradients have come since the last were taken."""
        return ops.accumulator_num_accumulated(self._accumulator_ref, name=name or f"{self._name}_NumAccumulated")

    def set_global_step(self, new_global_step, name=None):
        """An operation that moves the accumulator to a step: gradients of older ones are dropped."""
        return ops.accumulator_set_global_step(self._accumulator_ref, _as_step(new_global_step), name=name)
