"""Stats accumulators of contrib's boosted trees: sums of gradients and hessians by partition and feature."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.ops.contrib.stamped import Stamped

_STATS = "partition_ids: int32, feature_ids: int64, gradients: float, hessians: float"
_OUTPUTS = ("num_updates: int64, output_partition_ids: int32, output_feature_ids: int64, output_gradients: float, "
            "output_hessians: float")


class Accumulator(Stamped):
    """Sums by (partition, feature, dimension), and how many updates they are of."""

    what = "stats accumulator"

    def create(self, stamp, gradient_shape=(), hessian_shape=()):
        if not self.is_initialized:
            self.shapes = tuple(gradient_shape), tuple(hessian_shape)
            self.clear()
            self.stamp = stamp

    def clear(self):
        self.updates, self.sums = 0, {}

    def add(self, partitions, features, gradients, hessians):
        """Adds the statistics of examples."""
        _add(self.sums, partitions, features, gradients, hessians)
        self.updates += 1

    def listed(self):
        """(updates, partitions, features, gradients, hessians), in order."""
        return (np.int64(self.updates), *_listed(self.sums, *self.shapes))


def _add(sums, partitions, features, gradients, hessians):
    if not len(partitions) == len(features) == len(gradients) == len(hessians):
        raise invalid(f"there are {len(partitions)} partitions, {len(features)} features, {len(gradients)} gradients "
                      f"and {len(hessians)} hessians")
    features = features if features.ndim == 2 else np.stack([features, np.zeros_like(features)], axis=1)
    for partition, feature, gradient, hessian in zip(partitions.tolist(), features.tolist(), gradients, hessians):
        key = (partition, *feature)
        have = sums.get(key)
        sums[key] = (gradient, hessian) if have is None else (have[0] + gradient, have[1] + hessian)


def _listed(sums, gradient_shape, hessian_shape):
    keys = sorted(sums)
    return (np.array([key[0] for key in keys], np.int32), np.array([key[1:] for key in keys], np.int64).reshape(-1, 2),
            np.array([sums[key][0] for key in keys], np.float32).reshape(-1, *gradient_shape),
            np.array([sums[key][1] for key in keys], np.float32).reshape(-1, *hessian_shape))


def _handle(name):
    return op(f"{name}(*, container: string = '', shared_name: string = '') -> resource: resource", stateful=True,
              on="host", grad=STOP, shape=scalar)


@_handle("StatsAccumulatorScalarResourceHandleOp")
def stats_accumulator_scalar_resource_handle_op(shared, node):
    """Creates a handle of an accumulator of numbers."""
    return shared(lambda: Accumulator(node.attrs["shared_name"] or node.name))


@_handle("StatsAccumulatorTensorResourceHandleOp")
def stats_accumulator_tensor_resource_handle_op(shared, node):
    """Creates a handle of an accumulator of vectors and matrices."""
    return shared(lambda: Accumulator(node.attrs["shared_name"] or node.name))


@op("CreateStatsAccumulatorScalar(stats_accumulator_handle: resource, stamp_token: int64) -> ()", on="host", grad=STOP)
def create_stats_accumulator_scalar(stats_accumulator_handle, stamp_token):
    """Creates an accumulator, unless it exists."""
    with stats_accumulator_handle.lock:
        stats_accumulator_handle.create(int(stamp_token))


@op("CreateStatsAccumulatorTensor(stats_accumulator_handle: resource, stamp_token: int64, "
    "per_slot_gradient_shape: int64, per_slot_hessian_shape: int64) -> ()", on="host", grad=STOP)
def create_stats_accumulator_tensor(stats_accumulator_handle, stamp_token, per_slot_gradient_shape,
                                    per_slot_hessian_shape):
    """Creates an accumulator of gradients and hessians of some shapes, unless it exists."""
    with stats_accumulator_handle.lock:
        stats_accumulator_handle.create(int(stamp_token), per_slot_gradient_shape.tolist(),
                                        per_slot_hessian_shape.tolist())


def _shapes_of(rank):
    stats = [(None,), (None, 2), (None,) if rank == 0 else None, (None,) if rank == 0 else None]
    return stats


def _declared(kind, rank):
    """The ops that both kinds of accumulators have."""
    name = f"StatsAccumulator{kind}"

    @op(f"{name}IsInitialized(stats_accumulator_handle: resource) -> is_initialized: bool", on="host", grad=STOP,
        shape=scalar)
    def is_initialized(stats_accumulator_handle):
        """Whether an accumulator has been created."""
        return np.bool_(stats_accumulator_handle.is_initialized)

    @op(f"{name}Add(stats_accumulator_handles: num_resource_handles * resource, stamp_token: int64, "
        "partition_ids: num_resource_handles * int32, feature_ids: num_resource_handles * int64, "
        "gradients: num_resource_handles * float, hessians: num_resource_handles * float, *, "
        "num_resource_handles: int >= 1) -> ()", on="host", grad=STOP)
    def add(stats_accumulator_handles, stamp_token, partition_ids, feature_ids, gradients, hessians):
        """Adds statistics to each accumulator whose stamp is this one."""
        for handle, *stats in zip(stats_accumulator_handles, partition_ids, feature_ids, gradients, hessians):
            with handle.lock:
                if handle.require().stamp == int(stamp_token):
                    handle.add(*stats)

    @op(f"{name}Flush(stats_accumulator_handle: resource, stamp_token: int64, next_stamp_token: int64) -> {_OUTPUTS}",
        on="host", grad=STOP, shape=lambda: [(), *_shapes_of(rank)])
    def flush(stats_accumulator_handle, stamp_token, next_stamp_token):
        """What an accumulator has; it starts anew with the next stamp."""
        with stats_accumulator_handle.lock:
            stats_accumulator_handle.advance(stamp_token, next_stamp_token)
            found = stats_accumulator_handle.listed()
            stats_accumulator_handle.clear()
            return found

    @op(f"{name}Deserialize(stats_accumulator_handle: resource, stamp_token: int64, num_updates: int64, {_STATS}) -> "
        "()", on="host", grad=STOP)
    def deserialize(stats_accumulator_handle, stamp_token, num_updates, partition_ids, feature_ids, gradients,
                    hessians):
        """Replaces what an accumulator has."""
        with stats_accumulator_handle.lock:
            state = stats_accumulator_handle.require()
            state.clear()
            state.add(partition_ids, feature_ids, gradients, hessians)
            state.stamp, state.updates = int(stamp_token), int(num_updates)

    @op(f"{name}Serialize(stats_accumulator_handle: resource) -> stamp_token: int64, {_OUTPUTS}", on="host", grad=STOP,
        shape=lambda: [(), (), *_shapes_of(rank)])
    def serialize(stats_accumulator_handle):
        """The stamp of an accumulator and what it has."""
        with stats_accumulator_handle.lock:
            return np.int64(stats_accumulator_handle.require().stamp), *stats_accumulator_handle.listed()

    @op(f"{name}MakeSummary({_STATS}) -> {_OUTPUTS.removeprefix('num_updates: int64, ')}", on="host", grad=STOP,
        shape=lambda: _shapes_of(rank))
    def make_summary(partition_ids, feature_ids, gradients, hessians):
        """The sums of a batch."""
        sums = {}
        _add(sums, partition_ids, feature_ids, gradients, hessians)
        return _listed(sums, gradients.shape[1:], hessians.shape[1:])

    return is_initialized, add, flush, deserialize, serialize, make_summary


(stats_accumulator_scalar_is_initialized, stats_accumulator_scalar_add, stats_accumulator_scalar_flush,
 stats_accumulator_scalar_deserialize, stats_accumulator_scalar_serialize,
 stats_accumulator_scalar_make_summary) = _declared("Scalar", 0)
(stats_accumulator_tensor_is_initialized, stats_accumulator_tensor_add, stats_accumulator_tensor_flush,
 stats_accumulator_tensor_deserialize, stats_accumulator_tensor_serialize,
 stats_accumulator_tensor_make_summary) = _declared("Tensor", 1)
