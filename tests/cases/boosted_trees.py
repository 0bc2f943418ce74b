"""Ops of boosted trees: evergraph/ops/trees.

TensorFlow 2.15 has no kernels for them: these answers come from TensorFlow 2.8. Where 1.15 differs from that, what it
gives stands in tests/trees.
"""

import numpy as np

from tests.harness import case, floats, i32, in_order, ints, program

NODES = i32([0, 1, 1, 2, 0, 2, 2, 1])
GRADIENTS, HESSIANS = floats(8, 1), np.abs(floats(8, 1, seed=2))
BUCKETS = i32([0, 2, 1, 1, 0, 2, 0, 1])
STATS = np.concatenate([floats(3, 2, 4, 1), np.abs(floats(3, 2, 4, 1, seed=3))], axis=3)
STATS[:, 1, 0] += STATS[:, 0].sum(axis=1) - STATS[:, 1].sum(axis=1)  # a node has the same examples in each dimension
CLASSES = np.concatenate([floats(3, 1, 4, 2), np.abs(floats(3, 1, 4, 2, seed=3))], axis=3)
MATRICES = np.concatenate([floats(3, 1, 4, 2), np.tile(np.float32([3, 1, 1, 2]), (3, 1, 4, 1))], axis=3)


def gains(*regularization, nodes=(0, 3)):
    return case("BoostedTreesCalculateBestGainsPerFeature", list(nodes), [STATS[:, 0], STATS[:, 1]], *regularization,
                max_splits=3)


def feature_split(stats, *regularization, nodes=(0, 3), **attrs):
    return case("BoostedTreesCalculateBestFeatureSplit", list(nodes), stats, *regularization,
                **{"logits_dimension": 1, **attrs})


def sparse_split(*regularization):
    has_any = np.repeat(np.abs(STATS[..., :1]) > 0.3, 2, axis=3)
    indices = np.argwhere(has_any).astype("int32")
    return case("BoostedTreesSparseCalculateBestFeatureSplit", [0, 3], indices, STATS[tuple(indices.T)],
                i32(STATS.shape), *regularization, logits_dimension=1)


CASES = [
    case("BoostedTreesBucketize", [np.float32([0.5, 1.0, 1.5, 9.0]), np.float32([-2.0, 0.0, 3.0, 4.0])],
         [np.float32([1, 2]), np.float32([-1, 0, 3])]),
    case("BoostedTreesMakeStatsSummary", NODES, GRADIENTS, HESSIANS, [BUCKETS, BUCKETS[::-1]], max_splits=4,
         num_buckets=3),
    case("BoostedTreesAggregateStats", NODES, floats(8, 2), floats(8, 2, seed=4),
         np.stack([BUCKETS, np.where(BUCKETS == 1, -1, BUCKETS)], axis=1).astype("int32"), max_splits=4, num_buckets=3),
    case("BoostedTreesSparseAggregateStats", NODES, GRADIENTS, HESSIANS, i32([[0, 0], [1, 0], [3, 0], [6, 0]]),
         i32([1, 0, 2, 1]), i32([8, 1]), max_splits=4, num_buckets=3),
    gains(0.0, 0.0, 0.0, 0.0),
    gains(0.1, 0.2, 0.3, 0.0),
    gains(0.0, 0.0, 0.0, 2.0, nodes=(1, 3)),
    feature_split(STATS, 0.0, 0.0, 0.0, 0.0),
    feature_split(STATS, 0.1, 0.2, 0.3, 0.0),
    feature_split(STATS, 0.0, 1.0, 0.0, 2.0, nodes=(1, 3)),
    feature_split(STATS, 0.0, 1.0, 0.0, 0.0, split_type="equality"),
    feature_split(CLASSES, 0.0, 0.5, 0.1, 0.0, logits_dimension=2),
    feature_split(MATRICES, 0.0, 0.5, 0.1, 0.0, logits_dimension=2),
    sparse_split(0.0, 0.0, 0.0, 0.0),
    sparse_split(0.1, 0.2, 0.3, 0.0),
    case("BoostedTreesMakeQuantileSummaries", [floats(40), np.round(floats(40, seed=5), 1)], np.abs(floats(40, seed=6)),
         0.3),
    case("BoostedTreesMakeQuantileSummaries", [np.round(floats(500), 2)], np.ones(500, "float32"), 0.1),
]


def ensemble(tf, stamp=0):
    """A handle, and the step that creates the ensemble; in a second run it empties it."""
    handle = tf.raw_ops.BoostedTreesEnsembleResourceHandleOp()
    start = {"tree_ensemble_handle": handle, "stamp_token": tf.constant(stamp, tf.int64),
             "tree_ensemble_serialized": b""}

    def create():
        with tf.control_dependencies([tf.raw_ops.BoostedTreesCreateEnsemble(**start)]):
            return tf.raw_ops.BoostedTreesDeserializeEnsemble(**start)
    return handle, create


def grown(tf, handle, nodes, gains, depth=2, pruning=0, contributions=(0.5, -0.4)):
    """The step that splits nodes by one feature of two."""
    zeros, count = tf.zeros([0], tf.int32), len(nodes)
    left, right = (tf.constant([[each * (1 + at)] for at in range(count)]) for each in contributions)
    none = tf.zeros([0, 1])
    return lambda: tf.raw_ops.BoostedTreesUpdateEnsemble(
        tree_ensemble_handle=handle, feature_ids=[1, 0], node_ids=[tf.constant(nodes), zeros],
        gains=[tf.constant(gains), tf.zeros([0])], thresholds=[tf.constant([2 + at for at in range(count)]), zeros],
        left_node_contribs=[left, none], right_node_contribs=[right, none], max_depth=depth, learning_rate=0.3,
        pruning_mode=pruning)


def states(tf, handle):
    """The step that asks for the stamp, the counts and the nodes to split next."""
    return lambda: list(tf.raw_ops.BoostedTreesGetEnsembleStates(tree_ensemble_handle=handle))


def serialized(tf, handle):
    return lambda: list(tf.raw_ops.BoostedTreesSerializeEnsemble(tree_ensemble_handle=handle))


def trained(tf, handle, trees, nodes, first, second):
    """The step that predicts from cached nodes."""
    return lambda: list(tf.raw_ops.BoostedTreesTrainingPredict(
        tree_ensemble_handle=handle, cached_tree_ids=trees, cached_node_ids=nodes, bucketized_features=[first, second],
        logits_dimension=1))


FIRST, SECOND = ints(9, high=6), ints(9, high=6, seed=8)


@program()
def initialized_ensemble(tf):
    handle, create = ensemble(tf, stamp=7)
    asked = lambda: tf.raw_ops.IsBoostedTreesEnsembleInitialized(tree_ensemble_handle=handle)
    return in_order(tf, create, asked, states(tf, handle), serialized(tf, handle))


@program(FIRST, SECOND)
def growing_trees(tf, first, second):
    handle, create = ensemble(tf)
    predict = lambda: tf.raw_ops.BoostedTreesPredict(tree_ensemble_handle=handle, bucketized_features=[first, second],
                                                     logits_dimension=1)
    return in_order(tf, create, grown(tf, handle, [0], [1.5]), states(tf, handle), predict,
                    grown(tf, handle, [1, 2], [0.5, 0.7]), states(tf, handle), predict,
                    grown(tf, handle, [0], [0.2]), serialized(tf, handle), predict)


@program(FIRST, SECOND)
def training_predictions(tf, first, second):
    handle, create = ensemble(tf)
    zeros = tf.zeros_like(first)
    return in_order(tf, create, trained(tf, handle, zeros, zeros, first, second), grown(tf, handle, [0], [1.5]),
                    trained(tf, handle, zeros, zeros, first, second), grown(tf, handle, [1], [0.5]),
                    trained(tf, handle, zeros, zeros + 1, first, second), grown(tf, handle, [0], [0.2]),
                    trained(tf, handle, zeros, zeros + 2, first, second))


@program(FIRST, SECOND)
def pruning_afterwards(tf, first, second):
    handle, create = ensemble(tf)
    zeros = tf.zeros_like(first)
    return in_order(tf, create, grown(tf, handle, [0], [1.5], pruning=2),
                    grown(tf, handle, [1, 2], [-0.5, 0.7], pruning=2), serialized(tf, handle),
                    trained(tf, handle, zeros, zeros + 3, first, second),
                    trained(tf, handle, zeros, zeros + 6, first, second))


@program()
def pruning_before(tf):
    handle, create = ensemble(tf)
    return in_order(tf, create, grown(tf, handle, [0], [1.5], pruning=1),
                    grown(tf, handle, [1, 2], [-0.5, 0.7], pruning=1, depth=3),
                    grown(tf, handle, [3], [-0.1], pruning=1, depth=3), serialized(tf, handle))


@program(FIRST, SECOND)
def centered_bias(tf, first, second):
    handle, create = ensemble(tf)
    center = lambda gradient: lambda: tf.raw_ops.BoostedTreesCenterBias(
        tree_ensemble_handle=handle, mean_gradients=[[gradient]], mean_hessians=[[0.25]], l1=0.0, l2=0.1)
    predict = lambda: tf.raw_ops.BoostedTreesPredict(tree_ensemble_handle=handle, bucketized_features=[first, second],
                                                     logits_dimension=1)
    return in_order(tf, create, center(0.5), center(0.1), center(0.0001), serialized(tf, handle),
                    grown(tf, handle, [0], [1.5]), grown(tf, handle, [1], [0.5]), grown(tf, handle, [0], [0.5]),
                    serialized(tf, handle), predict)


@program()
def restored_ensemble(tf):
    first, create_first = ensemble(tf)
    second, create_second = ensemble(tf)
    carry = lambda: tf.raw_ops.BoostedTreesDeserializeEnsemble(
        tree_ensemble_handle=second, stamp_token=tf.constant(9, tf.int64),
        tree_ensemble_serialized=tf.raw_ops.BoostedTreesSerializeEnsemble(
            tree_ensemble_handle=first).tree_ensemble_serialized)
    return in_order(tf, create_first, create_second, grown(tf, first, [0], [1.5]), carry, states(tf, second),
                    serialized(tf, second))


def streams(tf, count=2):
    """A handle of quantile streams, and the step that creates them."""
    handle = tf.raw_ops.BoostedTreesQuantileStreamResourceHandleOp()
    return handle, lambda: tf.raw_ops.BoostedTreesCreateQuantileStreamResource(
        quantile_stream_resource_handle=handle, epsilon=0.1, num_streams=tf.constant(count, tf.int64))


def added(tf, handle, *values):
    def step():
        summaries = tf.raw_ops.BoostedTreesMakeQuantileSummaries(
            float_values=list(values), example_weights=tf.ones_like(values[0]), epsilon=0.1)
        return tf.raw_ops.BoostedTreesQuantileStreamResourceAddSummaries(quantile_stream_resource_handle=handle,
                                                                         summaries=summaries)
    return step


def flushed(tf, handle, buckets):
    return lambda: tf.raw_ops.BoostedTreesQuantileStreamResourceFlush(
        quantile_stream_resource_handle=handle, num_buckets=tf.constant(buckets, tf.int64), generate_quantiles=True)


def boundaries(tf, handle, count=2):
    return lambda: list(tf.raw_ops.BoostedTreesQuantileStreamResourceGetBucketBoundaries(
        quantile_stream_resource_handle=handle, num_features=count))


def growing(*inputs):
    """As @program, for one whose results have a shape that the first run finds out."""
    return lambda build: program(*inputs)(build).repeated(2)


@growing(floats(300), np.round(floats(300, seed=4), 1))
def quantile_boundaries(tf, first, second):
    handle, create = streams(tf)
    asked = lambda: tf.raw_ops.IsBoostedTreesQuantileStreamResourceInitialized(quantile_stream_resource_handle=handle)
    return in_order(tf, create, asked, added(tf, handle, first, second), added(tf, handle, second, first),
                    flushed(tf, handle, 5), boundaries(tf, handle), added(tf, handle, first, second),
                    flushed(tf, handle, 7), boundaries(tf, handle))


@growing(floats(300))
def flushed_summaries(tf, values):
    handle, create = streams(tf, 1)
    summaries = lambda: list(tf.raw_ops.BoostedTreesFlushQuantileSummaries(quantile_stream_resource_handle=handle,
                                                                           num_features=1))
    return in_order(tf, create, added(tf, handle, values), summaries, summaries)


@growing(floats(4), floats(2))
def restored_boundaries(tf, first, second):
    handle, create = streams(tf)
    restore = lambda: tf.raw_ops.BoostedTreesQuantileStreamResourceDeserialize(
        quantile_stream_resource_handle=handle,
        bucket_boundaries=[tf.placeholder_with_default(each, None) for each in (first, second)])
    return in_order(tf, create, restore, boundaries(tf, handle))


def failing(error):
    """As @program, for one that ends in this error."""
    return lambda build: program()(build).fails(error)


@failing("NotFoundError")
def ensemble_that_was_not_created(tf):
    handle, _ = ensemble(tf)
    return states(tf, handle)()


@failing("InvalidArgumentError")
def bytes_that_are_no_ensemble(tf):
    handle, create = ensemble(tf)
    damaged = lambda: tf.raw_ops.BoostedTreesDeserializeEnsemble(
        tree_ensemble_handle=handle, stamp_token=tf.constant(1, tf.int64), tree_ensemble_serialized=b"\xff\xff")
    return in_order(tf, create, damaged, states(tf, handle))
