"""Ops on streams of values, whose quantiles become the boundaries of buckets. Streams are objects of the session."""

from __future__ import annotations

import threading

import numpy as np

from evergraph.base.errors import NotFoundError, invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge_size, require_rank, scalar, with_rank
from evergraph.ops.trees import sketch

_HANDLE = "quantile_stream_resource_handle: resource"


class QuantileStreams:
    """The streams of some features, and the boundaries found so far."""

    def __init__(self, name):
        self.name = name
        self.lock = threading.RLock()
        self._streams = None
        self.boundaries = []

    @property
    def is_initialized(self):
        return self._streams is not None

    def create(self, epsilon, count, max_elements):
        if not self.is_initialized:
            self._streams = [sketch.Stream(epsilon, max_elements) for _ in range(count)]
            self.boundaries = [np.zeros(0, np.float32) for _ in range(count)]

    @property
    def streams(self):
        """The streams, one a feature.

        Raises:
            NotFoundError: they have not been created.
        """
        if self._streams is None:
            raise NotFoundError(None, None, f"the quantile streams {self.name!r} have not been initialized")
        return self._streams


@op("BoostedTreesQuantileStreamResourceHandleOp(*, container: string = '', shared_name: string = '') -> "
    "resource: resource", stateful=True, on="host", grad=STOP, shape=scalar)
def boosted_trees_quantile_stream_resource_handle_op(shared, node):
    """Creates a handle of quantile streams."""
    return shared(lambda: QuantileStreams(node.attrs["shared_name"] or node.name))


@op(f"IsBoostedTreesQuantileStreamResourceInitialized({_HANDLE}) -> is_initialized: bool", stateful=True, on="host",
    grad=STOP, shape=scalar)
def is_boosted_trees_quantile_stream_resource_initialized(quantile_stream_resource_handle):
    """Whether quantile streams have been created."""
    return np.bool_(quantile_stream_resource_handle.is_initialized)


@op(f"BoostedTreesCreateQuantileStreamResource({_HANDLE}, epsilon: float, num_streams: int64, *, "
    "max_elements: int = 1099511627776) -> ()", stateful=True, on="host", grad=STOP)
def boosted_trees_create_quantile_stream_resource(quantile_stream_resource_handle, epsilon, num_streams, max_elements):
    """Creates quantile streams, unless they exist already."""
    if epsilon <= 0:
        raise invalid(f"epsilon must be positive, but is {epsilon}")
    if num_streams < 0:
        raise invalid(f"num_streams must not be negative, but is {num_streams}")
    with quantile_stream_resource_handle.lock:
        quantile_stream_resource_handle.create(float(epsilon), int(num_streams), max_elements)


@boosted_trees_create_quantile_stream_resource.shape
def _(epsilon, num_streams):
    require_rank(epsilon, 0)
    require_rank(num_streams, 0)


@op("BoostedTreesMakeQuantileSummaries(float_values: num_features * float, example_weights: float, epsilon: float, *, "
    "num_features: int >= 0) -> summaries: num_features * float", on="host", grad=STOP)
def boosted_trees_make_quantile_summaries(float_values, example_weights, epsilon):
    """Summaries of the features of a batch: rows of a value, its weight, and its lowest and highest rank."""
    return [_summary(np.asarray(values), example_weights, float(epsilon)) for values in float_values]


def _summary(values, weights, epsilon):
    weights = np.broadcast_to(weights, values.shape) if np.size(weights) == 1 else weights
    stream = sketch.Stream(epsilon, len(values) + 1)
    stream.push(values, weights)
    return stream.finished().astype(np.float32)


@boosted_trees_make_quantile_summaries.shape
def _(float_values, example_weights, epsilon):
    require_rank(epsilon, 0)
    require_rank(example_weights, 1)
    size = None
    for each in float_values:
        size = merge_size(size, with_rank(each, 1)[0])
    return [(None, 4) for _ in float_values]


@op(f"BoostedTreesQuantileStreamResourceAddSummaries({_HANDLE}, summaries: num_features * float, *, "
    "num_features: int >= 0) -> ()", stateful=True, on="host", grad=STOP)
def boosted_trees_quantile_stream_resource_add_summaries(quantile_stream_resource_handle, summaries):
    """Adds the summaries of a batch to the streams."""
    with quantile_stream_resource_handle.lock:
        for stream, summary in zip(quantile_stream_resource_handle.streams, summaries, strict=True):
            stream.add(summary.astype(np.float64))


@boosted_trees_quantile_stream_resource_add_summaries.shape
def _(summaries):
    for each in summaries:
        require_rank(each, 2)


@op(f"BoostedTreesFlushQuantileSummaries({_HANDLE}, *, num_features: int >= 0) -> summaries: num_features * float",
    stateful=True, on="host", grad=STOP, shape=lambda num_features: [(None, 4)] * num_features)
def boosted_trees_flush_quantile_summaries(quantile_stream_resource_handle, num_features):
    """The summaries of the streams, which start anew."""
    with quantile_stream_resource_handle.lock:
        streams = quantile_stream_resource_handle.streams
        return [streams[at].finished().astype(np.float32) for at in range(num_features)]


@op(f"BoostedTreesQuantileStreamResourceFlush({_HANDLE}, num_buckets: int64, *, generate_quantiles: bool = False) -> "
    "()", stateful=True, on="host", grad=STOP, shape=lambda num_buckets: require_rank(num_buckets, 0))
def boosted_trees_quantile_stream_resource_flush(quantile_stream_resource_handle, num_buckets, generate_quantiles):
    """Sets the boundaries by the values that arrived; the streams start anew."""
    with quantile_stream_resource_handle.lock:
        for at, stream in enumerate(quantile_stream_resource_handle.streams):
            summary = stream.finished()
            if generate_quantiles:
                found = sketch.quantiles(summary, int(num_buckets) - 1)
            else:
                found = sketch.boundaries(summary, int(num_buckets))
            quantile_stream_resource_handle.boundaries[at] = found.astype(np.float32)


@op(f"BoostedTreesQuantileStreamResourceDeserialize({_HANDLE}, bucket_boundaries: num_streams * float, *, "
    "num_streams: int >= 1) -> ()", stateful=True, on="host", grad=STOP)
def boosted_trees_quantile_stream_resource_deserialize(quantile_stream_resource_handle, bucket_boundaries):
    """Sets the boundaries."""
    with quantile_stream_resource_handle.lock:
        wanted = len(quantile_stream_resource_handle.streams)
        if wanted != len(bucket_boundaries):
            raise invalid(f"there are {wanted} quantile streams, but boundaries of {len(bucket_boundaries)}")
        quantile_stream_resource_handle.boundaries[:] = [np.array(each) for each in bucket_boundaries]


@boosted_trees_quantile_stream_resource_deserialize.shape
def _(bucket_boundaries):
    for each in bucket_boundaries:
        require_rank(each, 1)


@op(f"BoostedTreesQuantileStreamResourceGetBucketBoundaries({_HANDLE}, *, num_features: int >= 0) -> "
    "bucket_boundaries: num_features * float", stateful=True, on="host", grad=STOP,
    shape=lambda num_features: [(None,)] * num_features)
def boosted_trees_quantile_stream_resource_get_bucket_boundaries(quantile_stream_resource_handle, num_features):
    """The boundaries of the buckets of each feature; none before the streams were flushed."""
    with quantile_stream_resource_handle.lock:
        count = len(quantile_stream_resource_handle.streams)
        if count != num_features:
            raise invalid(f"there are {count} quantile streams, but boundaries of {num_features} are wanted")
        return list(quantile_stream_resource_handle.boundaries)
