"""Accumulators, which are objects of the session: of quantiles, and of gradients and hessians."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.collections import GraphKeys, add_to_collection
from evergraph.frontend.resources import register_resource
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.contrib import quantile_accumulators as quantile_ops
from evergraph.ops.contrib import stats_accumulators


def _stamp(value: Any) -> Tensor:
    return convert_to_tensor(value, dtypes.int64)


class _State(SaveableObject):
    """What an accumulator has, in a checkpoint: its outputs by name."""

    def __init__(self, handle: Tensor, create: Operation, parts: dict[str, Tensor]) -> None:
        self._create = create
        super().__init__(handle, [SaveSpec(value, "", f"{handle.op.name}_{part}") for part, value in parts.items()],
                         handle.op.name)

    def replaced(self, restored: Any) -> Operation:
        """The operation that takes over restored tensors."""
        raise NotImplementedError

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Operation:
        with control_dependencies([self._create]):
            return self.replaced(restored_tensors)


class _Quantiles(_State):
    def __init__(self, handle: Tensor, create: Operation) -> None:
        names = ("stamp", "state", "are_buckets_ready", "buckets")
        super().__init__(handle, create, dict(zip(names, quantile_ops.quantile_accumulator_serialize(handle))))

    def replaced(self, restored: Any) -> Operation:
        return quantile_ops.quantile_accumulator_deserialize(self.op, *restored)


class QuantileAccumulator:
    """Finds boundaries that divide values into parts of about equal weight.

    Values come in batches with a stamp; a flush makes boundaries of them, which are there at the next stamp.

    Args:
        init_stamp_token: the first stamp.
        epsilon: the greatest error of a rank, as a part of the weight.
        num_quantiles: how many parts.
        max_elements: the most values that there may be.
        name: the name of the handle.
        container: of the handle.
        generate_quantiles: whether there are exactly `num_quantiles` + 1 boundaries, even if some are equal.
    """

    def __init__(self, init_stamp_token: Any, epsilon: float, num_quantiles: int, max_elements: int | None = None,
                 name: str | None = None, container: str | None = None, generate_quantiles: bool = False) -> None:
        self._epsilon = epsilon
        with name_scope(name, "QuantileAccumulator") as scope:
            self._handle = quantile_ops.quantile_stream_resource_handle_op(
                container=container or "", shared_name=name or "", name=scope)
            more = {} if max_elements is None else {"max_elements": max_elements}
            self._create = quantile_ops.create_quantile_accumulator(
                self._handle, _stamp(init_stamp_token), epsilon=epsilon, num_quantiles=num_quantiles,
                generate_quantiles=generate_quantiles, **more)
            self._is_initialized = quantile_ops.quantile_accumulator_is_initialized(self._handle)
            register_resource(self._handle, self._create, self._is_initialized)
            self._saveable = _Quantiles(self._handle, self._create)
            add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    @property
    def initializer(self) -> Operation:
        """The operation that creates it."""
        return self._create

    @property
    def saveable(self) -> SaveableObject:
        """What checkpoints hold."""
        return self._saveable

    def is_initialized(self) -> Tensor:
        """Whether it has been created."""
        return quantile_ops.quantile_accumulator_is_initialized(self._handle)

    def get_buckets(self, stamp_token: Any) -> tuple[Tensor, Tensor]:
        """(whether there are boundaries of this stamp, the boundaries)."""
        ready, buckets = quantile_ops.quantile_accumulator_get_buckets([self._handle], _stamp(stamp_token))
        return ready[0], buckets[0]

    def add_summary(self, stamp_token: Any, column: Any, example_weights: Any) -> Operation:
        """Takes in values, unless they are of another stamp.

        Args:
            stamp_token: the stamp.
            column: a tensor, or a sparse tensor whose rows are examples.
            example_weights: the weights of the examples.
        """
        weights = convert_to_tensor(example_weights, dtypes.float32)
        if isinstance(column, SparseTensor):
            _, made = quantile_ops.make_quantile_summaries(
                [], [column.indices], [column.values], [column.dense_shape], weights, epsilon=self._epsilon)
        else:
            made, _ = quantile_ops.make_quantile_summaries(
                [convert_to_tensor(column, dtypes.float32)], [], [], [], weights, epsilon=self._epsilon)
        return self.add_prebuilt_summary(stamp_token, made[0])

    def add_prebuilt_summary(self, stamp_token: Any, summary: Any) -> Operation:
        """Takes in a summary of another accumulator; see `flush_summary`."""
        return quantile_ops.quantile_accumulator_add_summaries([self._handle], _stamp(stamp_token), [summary])

    def flush(self, stamp_token: Any, next_stamp_token: Any) -> Operation:
        """Makes boundaries of the values, and goes on to the next stamp."""
        return quantile_ops.quantile_accumulator_flush(self._handle, _stamp(stamp_token), _stamp(next_stamp_token))

    def flush_summary(self, stamp_token: Any, next_stamp_token: Any) -> Tensor:
        """The summary of the values; goes on to the next stamp without them."""
        return quantile_ops.quantile_accumulator_flush_summary(
            self._handle, _stamp(stamp_token), _stamp(next_stamp_token))


class _Stats(_State):
    def __init__(self, handle: Tensor, create: Operation, is_scalar: bool) -> None:
        self._is_scalar = is_scalar
        self.op = handle
        names = ("stamp", "num_updates", "partition_ids", "feature_ids", "gradients", "hessians")
        super().__init__(handle, create, dict(zip(names, self.serialize())))

    def serialize(self) -> Any:
        """(stamp, updates, partitions, features, gradients, hessians)."""
        return _stats_op("serialize", self._is_scalar)(self.op)

    def deserialize(self, stamp_token: Any, num_updates: Any, partition_ids: Any, feature_ids: Any, gradients: Any,
                    hessians: Any) -> Operation:
        """Replaces what the accumulator has."""
        return _stats_op("deserialize", self._is_scalar)(
            self.op, _stamp(stamp_token), _stamp(num_updates), partition_ids, _stamp(feature_ids), gradients, hessians)

    def replaced(self, restored: Any) -> Operation:
        return self.deserialize(*restored)


def _stats_op(name: str, is_scalar: bool) -> Any:
    return getattr(stats_accumulators, f"stats_accumulator_{'scalar' if is_scalar else 'tensor'}_{name}")


class StatsAccumulator:
    """Sums of gradients and hessians by partition and feature.

    Updates have a stamp, and do not count with another one. A flush gives the sums, and begins with the next stamp.

    Args:
        stamp_token: the first stamp.
        gradient_shape: that of a gradient: [] or [classes].
        hessian_shape: that of a hessian: [], [classes] or [classes, classes].
        name: the name of the handle.
        container: of the handle.
    """

    def __init__(self, stamp_token: Any, gradient_shape: Any, hessian_shape: Any, name: str | None = None,
                 container: str | None = None) -> None:
        gradient_shape, hessian_shape = TensorShape(gradient_shape), TensorShape(hessian_shape)
        self._is_scalar = gradient_shape.rank == 0 and hessian_shape.rank == 0
        with name_scope(name, "StatsAccumulator") as scope:
            make = _stats_op("resource_handle_op", self._is_scalar)
            self._handle = make(container=container or "", shared_name=name or "", name=scope)
            if self._is_scalar:
                self._create = stats_accumulators.create_stats_accumulator_scalar(self._handle, _stamp(stamp_token))
            else:
                self._create = stats_accumulators.create_stats_accumulator_tensor(
                    self._handle, _stamp(stamp_token), _stamp(gradient_shape.as_list()),
                    _stamp(hessian_shape.as_list()))
            register_resource(self._handle, self._create, self.is_initialized())
            self._saveable = _Stats(self._handle, self._create, self._is_scalar)
            add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    @property
    def initializer(self) -> Operation:
        """The operation that creates it."""
        return self._create

    @property
    def saveable(self) -> Any:
        """What checkpoints hold."""
        return self._saveable

    def is_initialized(self) -> Tensor:
        """Whether it has been created."""
        return _stats_op("is_initialized", self._is_scalar)(self._handle)

    def _make_summary(self, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any) -> Any:
        """The sums of a batch alone: (partitions, features, gradients, hessians)."""
        return _stats_op("make_summary", self._is_scalar)(
            convert_to_tensor(partition_ids, dtypes.int32), _stamp(feature_ids), gradients, hessians)

    def add(self, stamp_token: Any, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any) -> Operation:
        """Adds the statistics of examples.

        Args:
            stamp_token: the stamp.
            partition_ids: the partition of each.
            feature_ids: its feature and the dimension of that: two columns.
            gradients: the gradient of each.
            hessians: the hessian of each.
        """
        summary = self._make_summary(partition_ids, feature_ids, gradients, hessians)
        return _stats_op("add", self._is_scalar)([self._handle], _stamp(stamp_token), *([each] for each in summary))

    def flush(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        """(updates, partitions, features, gradients, hessians); begins anew with the next stamp."""
        return _stats_op("flush", self._is_scalar)(self._handle, _stamp(stamp_token), _stamp(next_stamp_token))
