"""Quantile accumulators of contrib's boosted trees: streams of values that become the boundaries of buckets."""

from __future__ import annotations

import numpy as np

from evergraph import proto
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar, unchanged
from evergraph.ops.contrib.stamped import Stamped
from evergraph.ops.trees import sketch
from evergraph.proto.wire import from_bytes

_HANDLE = "quantile_accumulator_handle: resource"
_FEATURES = ("dense_float_features: num_dense_features * float, "
             "sparse_float_feature_indices: num_sparse_features * int64, "
             "sparse_float_feature_values: num_sparse_features * float, "
             "sparse_float_feature_shapes: num_sparse_features * int64, example_weights: float")


class Accumulator(Stamped):
    """A stream, and the boundaries that it had when it was last flushed."""

    what = "quantile accumulator"

    def create(self, stamp, epsilon, count, max_elements, are_even):
        if not self.is_initialized:
            self.count, self._are_even = count, are_even
            self.stream = sketch.Stream(epsilon, max_elements)
            self.are_ready, self.buckets = False, np.zeros(0, np.float32)
            self.stamp = stamp

    def flush(self):
        """Makes boundaries of the stream, which starts anew."""
        self.buckets = _boundaries(self.stream.finished(), self.count, self._are_even)
        self.are_ready = True


def _boundaries(summary, count, are_even=False):
    if not len(summary):
        return np.zeros(0, np.float32)
    if are_even:
        return sketch.quantiles(summary, count).astype(np.float32)
    return np.unique(sketch.boundaries(summary, count).astype(np.float32))


def _message(summary):
    message = proto.contrib_trees_pb2.QuantileSummaryState()
    for value, weight, low, high in summary.tolist():
        message.entries.add(value=value, weight=weight, min_rank=low, max_rank=high)
    return message


def _summary(message):
    rows = [(each.value, each.weight, each.min_rank, each.max_rank) for each in message.entries]
    return np.array(rows, np.float64).reshape(-1, 4)


def _of_values(values, weights, epsilon):
    stream = sketch.Stream(epsilon, len(values) + 1)
    stream.push(values, weights)
    return stream.finished()


def _columns(dense, indices, values, weights):
    """(values, weights) of every feature: of the dense ones, of the sparse ones."""
    weights = np.ravel(weights)
    given = [(np.ravel(each), np.broadcast_to(weights, np.size(each)) if len(weights) == 1 else weights)
             for each in dense]
    return given, [(each, weights[rows[:, 0]] if len(rows) else weights[:0]) for rows, each in zip(indices, values)]


@op("QuantileStreamResourceHandleOp(*, container: string = '', shared_name: string = '') -> resource: resource",
    stateful=True, on="host", grad=STOP, shape=scalar)
def quantile_stream_resource_handle_op(shared, node):
    """Creates a handle of a quantile accumulator."""
    return shared(lambda: Accumulator(node.attrs["shared_name"] or node.name))


@op(f"QuantileAccumulatorIsInitialized({_HANDLE}) -> is_initialized: bool", on="host", grad=STOP, shape=scalar)
def quantile_accumulator_is_initialized(quantile_accumulator_handle):
    """Whether a quantile accumulator has been created."""
    return np.bool_(quantile_accumulator_handle.is_initialized)


@op(f"CreateQuantileAccumulator({_HANDLE}, stamp_token: int64, *, container: string = '', shared_name: string = '', "
    "max_elements: int = 1099511627776, epsilon: float, num_quantiles: int, generate_quantiles: bool = False) -> ()",
    on="host", grad=STOP)
def create_quantile_accumulator(quantile_accumulator_handle, stamp_token, max_elements, epsilon, num_quantiles,
                                generate_quantiles):
    """Creates a quantile accumulator, unless it exists."""
    with quantile_accumulator_handle.lock:
        quantile_accumulator_handle.create(int(stamp_token), epsilon, num_quantiles, max_elements, generate_quantiles)


@op("QuantileAccumulatorAddSummaries(quantile_accumulator_handles: num_resource_handles * resource, "
    "stamp_token: int64, summaries: num_resource_handles * string, *, num_resource_handles: int >= 1) -> ()",
    on="host", grad=STOP)
def quantile_accumulator_add_summaries(quantile_accumulator_handles, stamp_token, summaries):
    """Adds a summary to each accumulator whose stamp is this one."""
    for handle, summary in zip(quantile_accumulator_handles, summaries):
        with handle.lock:
            if handle.require().stamp == int(stamp_token):
                message = from_bytes(np.asarray(summary).item(), proto.contrib_trees_pb2.QuantileSummaryState())
                handle.stream.add(_summary(message))


@op("QuantileAccumulatorGetBuckets(quantile_accumulator_handles: num_resource_handles * resource, "
    "stamp_token: int64, *, num_resource_handles: int >= 1) -> are_buckets_ready: num_resource_handles * bool, "
    "buckets: num_resource_handles * float", on="host", grad=STOP,
    shape=lambda quantile_accumulator_handles: [()] * len(quantile_accumulator_handles)
    + [(None,)] * len(quantile_accumulator_handles))
def quantile_accumulator_get_buckets(quantile_accumulator_handles, stamp_token):
    """The boundaries of the last flush, if they are of this stamp."""
    ready, buckets = [], []
    for handle in quantile_accumulator_handles:
        with handle.lock:
            is_now = handle.require().stamp == int(stamp_token) and handle.are_ready
            ready.append(np.bool_(is_now))
            buckets.append(handle.buckets if is_now else np.zeros(0, np.float32))
    return ready, buckets


@op(f"QuantileAccumulatorFlush({_HANDLE}, stamp_token: int64, next_stamp_token: int64) -> ()", on="host", grad=STOP)
def quantile_accumulator_flush(quantile_accumulator_handle, stamp_token, next_stamp_token):
    """Makes boundaries of what came in, and goes on to the next stamp."""
    with quantile_accumulator_handle.lock:
        quantile_accumulator_handle.advance(stamp_token, next_stamp_token)
        quantile_accumulator_handle.flush()


@op(f"QuantileAccumulatorFlushSummary({_HANDLE}, stamp_token: int64, next_stamp_token: int64) -> output: string",
    on="host", grad=STOP, shape=scalar)
def quantile_accumulator_flush_summary(quantile_accumulator_handle, stamp_token, next_stamp_token):
    """The summary of what came in; goes on to the next stamp."""
    with quantile_accumulator_handle.lock:
        quantile_accumulator_handle.advance(stamp_token, next_stamp_token)
        return np.array(_message(quantile_accumulator_handle.stream.finished()).SerializeToString(), object)


@op(f"QuantileAccumulatorSerialize({_HANDLE}) -> stamp_token: int64, stream_state: string, are_buckets_ready: bool, "
    "buckets: float", on="host", grad=STOP, shape=lambda: [(), (), (), (None,)])
def quantile_accumulator_serialize(quantile_accumulator_handle):
    """The stamp, the stream, and the boundaries."""
    with quantile_accumulator_handle.lock:
        state = quantile_accumulator_handle.require()
        message = proto.contrib_trees_pb2.QuantileStreamState(summaries=map(_message, state.stream.levels))
        return (np.int64(state.stamp), np.array(message.SerializeToString(), object), np.bool_(state.are_ready),
                state.buckets)


@op(f"QuantileAccumulatorDeserialize({_HANDLE}, stamp_token: int64, stream_state: string, are_buckets_ready: bool, "
    "buckets: float) -> ()", on="host", grad=STOP)
def quantile_accumulator_deserialize(quantile_accumulator_handle, stamp_token, stream_state, are_buckets_ready,
                                     buckets):
    """Replaces the state of an accumulator."""
    with quantile_accumulator_handle.lock:
        state = quantile_accumulator_handle.require()
        message = from_bytes(np.asarray(stream_state).item(), proto.contrib_trees_pb2.QuantileStreamState())
        state.stream.levels = [_summary(each) for each in message.summaries]
        state.stamp, state.are_ready = int(stamp_token), bool(are_buckets_ready)
        state.buckets = np.array(buckets, np.float32)


def _one_each(dense_float_features, sparse_float_feature_values):
    return len(dense_float_features) + len(sparse_float_feature_values)


@op(f"MakeQuantileSummaries({_FEATURES}, *, num_dense_features: int >= 0, num_sparse_features: int >= 0, "
    "epsilon: float) -> dense_summaries: num_dense_features * string, sparse_summaries: num_sparse_features * string",
    on="host", grad=STOP, shape=lambda dense_float_features, sparse_float_feature_values:
    [()] * _one_each(dense_float_features, sparse_float_feature_values))
def make_quantile_summaries(dense_float_features, sparse_float_feature_indices, sparse_float_feature_values,
                            example_weights, epsilon):
    """The summary of every feature of a batch, serialized."""
    return tuple([np.array(_message(_of_values(values, weights, epsilon)).SerializeToString(), object)
                  for values, weights in part]
                 for part in _columns(dense_float_features, sparse_float_feature_indices, sparse_float_feature_values,
                                      example_weights))


@op(f"QuantileBuckets({_FEATURES}, *, num_dense_features: int >= 0, num_sparse_features: int >= 0, "
    "dense_config: list(string), sparse_config: list(string)) -> dense_buckets: num_dense_features * float, "
    "sparse_buckets: num_sparse_features * float", on="host", grad=STOP,
    shape=lambda dense_float_features, sparse_float_feature_values:
    [(None,)] * _one_each(dense_float_features, sparse_float_feature_values))
def quantile_buckets(dense_float_features, sparse_float_feature_indices, sparse_float_feature_values, example_weights,
                     dense_config, sparse_config):
    """The boundaries of every feature of a batch."""
    parts = _columns(dense_float_features, sparse_float_feature_indices, sparse_float_feature_values, example_weights)
    found = []
    for part, configs in zip(parts, (dense_config, sparse_config)):
        settings = [from_bytes(each.encode("utf-8", "surrogateescape") if isinstance(each, str) else bytes(each),
                               proto.contrib_trees_pb2.QuantileConfig()) for each in configs]
        found.append([_boundaries(_of_values(values, weights, each.eps), each.num_quantiles)
                      for (values, weights), each in zip(part, settings, strict=True)])
    return tuple(found)


def _places(values, boundaries):
    return np.minimum(np.searchsorted(boundaries, values), max(len(boundaries) - 1, 0)).astype(np.int32)


@op("Quantiles(dense_values: num_dense_features * float, sparse_values: num_sparse_features * float, "
    "dense_buckets: num_dense_features * float, sparse_buckets: num_sparse_features * float, "
    "sparse_indices: num_sparse_features * int64, *, num_dense_features: int >= 0, num_sparse_features: int >= 0) -> "
    "dense_quantiles: num_dense_features * int32, sparse_quantiles: num_sparse_features * int32", on="host", grad=STOP,
    shape=lambda dense_values, sparse_values: [(None, 2)] * (len(dense_values) + len(sparse_values)))
def quantiles(dense_values, sparse_values, dense_buckets, sparse_buckets, sparse_indices):
    """(bucket, dimension) of every value; the last bucket takes in what is above it."""
    dense = []
    for values, boundaries in zip(dense_values, dense_buckets):
        places = _places(np.ravel(values), boundaries)
        dense.append(np.stack([places, np.zeros_like(places)], axis=1))
    sparse = [np.stack([_places(values, boundaries), rows[:, 1].astype(np.int32)], axis=1) if len(values)
              else np.zeros((0, 2), np.int32)
              for values, boundaries, rows in zip(sparse_values, sparse_buckets, sparse_indices)]
    return dense, sparse


@op("BucketizeWithInputBoundaries(input: T, boundaries: float, *, T: {int32, int64, float, double}) -> output: int32",
    on="host", grad=STOP, shape=lambda input: unchanged(input))
def bucketize_with_input_boundaries(input, boundaries):
    """For every element, how many boundaries are not above it."""
    return np.searchsorted(boundaries, input, side="right").astype(np.int32)
