"""Ops that apply the ensembles of contrib's boosted trees: predictions, and the leaves that examples are at."""

from __future__ import annotations

import numpy as np

from evergraph import proto
from evergraph.graph.opdef import STOP, op
from evergraph.ops.contrib.tree_dropout import dropped
from evergraph.ops.contrib.tree_ensembles import learner_of
from evergraph.ops.contrib.tree_paths import Columns, leaf_weights, leaves

_FEATURES = ("dense_float_features: num_dense_float_features * float, "
             "sparse_float_feature_indices: num_sparse_float_features * int64, "
             "sparse_float_feature_values: num_sparse_float_features * float, "
             "sparse_float_feature_shapes: num_sparse_float_features * int64, "
             "sparse_int_feature_indices: num_sparse_int_features * int64, "
             "sparse_int_feature_values: num_sparse_int_features * int64, "
             "sparse_int_feature_shapes: num_sparse_int_features * int64")
_COUNTS = ("num_dense_float_features: int >= 0, num_sparse_float_features: int >= 0, "
           "num_sparse_int_features: int >= 0, use_locking: bool = False")
_PREDICTION = (f"(tree_ensemble_handle: resource, seed: int64, {_FEATURES}, *, learner_config: string, {_COUNTS}, "
               "apply_dropout: bool, apply_averaging: bool, center_bias: bool, reduce_dim: bool) -> "
               "predictions: float, drop_out_tree_indices_weights: float")


def _rows(dense_float_features, sparse_float_feature_shapes, sparse_int_feature_shapes):
    """How many examples there are, where a dense column says it."""
    return dense_float_features[0][0] if dense_float_features and dense_float_features[0] is not None else None


def _width(learner_config, reduce_dim):
    learner = learner_of(learner_config)
    return max(learner.num_classes - bool(reduce_dim), 1)


def _shapes(dense_float_features, sparse_float_feature_shapes, sparse_int_feature_shapes, learner_config, reduce_dim):
    rows = _rows(dense_float_features, sparse_float_feature_shapes, sparse_int_feature_shapes)
    return [(rows, _width(learner_config, reduce_dim)), (2, None)]


def _averaged(weights, averaging, trees):
    """The weights of trees with the mean of the predictions of the last of them in view: later ones weigh less."""
    kind = averaging.WhichOneof("config")
    if kind == "average_last_n_trees":
        last = min(int(averaging.average_last_n_trees), trees)
    else:
        last = int(trees * averaging.average_last_percent_trees)
    whole = np.array(weights, np.float64)
    whole[trees - last:trees] *= (last - np.arange(last)) / max(last, 1)
    return whole.astype(np.float32)


def _chosen(ensemble, learner, seed, apply_dropout, apply_averaging, center_bias):
    """(trees, weight of every tree, trees that are dropped) of a prediction."""
    message = ensemble.message
    only_final = learner.growing_mode == proto.contrib_trees_pb2.LearnerConfig.WHOLE_TREE
    trees = [tree for tree in range(len(message.trees)) if not only_final or ensemble.is_final(tree)]
    weights = np.array(message.tree_weights, np.float32)
    without = []
    if apply_dropout and learner.learning_rate_tuner.WhichOneof("tuner") == "dropout":
        # The tree that is being built is the last one, and stays.
        count = len(trees) - (message.growing_metadata.num_trees_attempted > 0)
        without = dropped(learner.learning_rate_tuner.dropout, weights[:max(count, 0)], seed, center_bias)
    if apply_averaging and learner.averaging_config.WhichOneof("config") is not None:
        weights = _averaged(weights, learner.averaging_config, len(trees))
    return trees, weights, without


def _predicted(handle, seed, columns, learner_config, apply_dropout, apply_averaging, center_bias, reduce_dim):
    """(predictions, trees that were dropped and their weights, leaves by tree)."""
    learner, size = learner_of(learner_config), _width(learner_config, reduce_dim)
    with handle.lock:
        ensemble = handle.require()
        trees, weights, without = _chosen(ensemble, learner, int(seed), apply_dropout, apply_averaging, center_bias)
        found, places = np.zeros((columns.count, size), np.float32), []
        for tree in trees:
            config = ensemble.message.trees[tree]
            at = leaves(config, columns)
            places.append(at)
            if tree not in without:
                used = sorted(set(at.tolist()))
                values = np.stack([leaf_weights(config.nodes[leaf].leaf, size)[:size] for leaf in used] or [[]])
                found += weights[tree] * values[np.searchsorted(used, at)] if len(at) else 0
        gone = np.array([without, [ensemble.message.tree_weights[tree] for tree in without]], np.float32)
        return found, gone, np.array(places, np.int32).reshape(len(trees), columns.count).T


def _declared(name, more, shape):
    @op(f"{name}{_PREDICTION}{more}", on="host", grad=STOP, shape=shape)
    def prediction(tree_ensemble_handle, seed, dense_float_features, sparse_float_feature_indices,
                   sparse_float_feature_values, sparse_float_feature_shapes, sparse_int_feature_indices,
                   sparse_int_feature_values, sparse_int_feature_shapes, learner_config, apply_dropout,
                   apply_averaging, center_bias, reduce_dim):
        """The sum of the weighted trees for every example, and the trees that were dropped with their weights."""
        columns = Columns(dense_float_features, sparse_float_feature_indices, sparse_float_feature_values,
                          sparse_float_feature_shapes, sparse_int_feature_indices, sparse_int_feature_values,
                          sparse_int_feature_shapes)
        found = _predicted(tree_ensemble_handle, seed, columns, learner_config, apply_dropout, apply_averaging,
                           center_bias, reduce_dim)
        return found if more else found[:2]
    return prediction


def _shapes_with_leaves(dense_float_features, sparse_float_feature_shapes, sparse_int_feature_shapes, learner_config,
                        reduce_dim):
    shapes = _shapes(dense_float_features, sparse_float_feature_shapes, sparse_int_feature_shapes, learner_config,
                     reduce_dim)
    return [*shapes, (shapes[0][0], None)]


gradient_trees_prediction = _declared("GradientTreesPrediction", "", _shapes)
gradient_trees_prediction_verbose = _declared("GradientTreesPredictionVerbose", ", leaf_index: int32",
                                              _shapes_with_leaves)


@op(f"GradientTreesPartitionExamples(tree_ensemble_handle: resource, {_FEATURES}, *, {_COUNTS}) -> "
    "partition_ids: int32", on="host", grad=STOP,
    shape=lambda dense_float_features, sparse_float_feature_shapes, sparse_int_feature_shapes:
    (_rows(dense_float_features, sparse_float_feature_shapes, sparse_int_feature_shapes),))
def gradient_trees_partition_examples(tree_ensemble_handle, dense_float_features, sparse_float_feature_indices,
                                      sparse_float_feature_values, sparse_float_feature_shapes,
                                      sparse_int_feature_indices, sparse_int_feature_values,
                                      sparse_int_feature_shapes):
    """The leaf of every example in the tree that grows; 0 if none does."""
    columns = Columns(dense_float_features, sparse_float_feature_indices, sparse_float_feature_values,
                      sparse_float_feature_shapes, sparse_int_feature_indices, sparse_int_feature_values,
                      sparse_int_feature_shapes)
    with tree_ensemble_handle.lock:
        growing = tree_ensemble_handle.require().growing
        return np.zeros(columns.count, np.int32) if growing is None else leaves(growing, columns)
