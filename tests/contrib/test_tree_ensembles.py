"""Contrib's ensembles of trees: how they grow, predict and are saved, against trees worked out by hand."""

import numpy as np
import pytest
from google.protobuf import text_format

import evergraph as tf
from evergraph.contrib.boosted_trees.ensembles import tree_ensemble_variable
from evergraph.proto import contrib_trees_pb2 as messages

raw = tf.raw_ops
Config = messages.LearnerConfig


def parsed(text, kind=messages.DecisionTreeEnsembleConfig):
    return text_format.Parse(text, kind())


def ensemble(text="", stamp=0):
    return tree_ensemble_variable(stamp, parsed(text).SerializeToString(), "trees")


def initialized(session):
    session.run([each.create for each in tf.get_collection(tf.GraphKeys.RESOURCES)])


def trees_of(session, handle):
    return parsed("").FromString(session.run(raw.TreeEnsembleSerialize(tree_ensemble_handle=handle))[1])


def weights(tree):
    """The first number of every leaf."""
    leaves = [node.leaf for node in tree.nodes if node.WhichOneof("node") == "leaf"]
    return [(leaf.vector.value or leaf.sparse_vector.value)[0] for leaf in leaves]


def config(**given):
    found = Config(num_classes=2, pruning_mode=Config.PRE_PRUNE, growing_mode=Config.WHOLE_TREE)
    found.MergeFrom(Config(**given))
    return found


def split(threshold, left, right, column=0):
    return messages.SplitInfo(
        split_node={"dense_float_binary_split": {"feature_column": column, "threshold": threshold}},
        left_child={"vector": {"value": [left]}}, right_child={"vector": {"value": [right]}}).SerializeToString()


def layer(threshold, values, parents):
    return messages.ObliviousSplitInfo(
        split_node={"oblivious_dense_float_binary_split": {"feature_column": 0, "threshold": threshold}},
        children=[{"vector": {"value": [value]}} for value in values],
        children_parent_id=parents).SerializeToString()


def grown(session, handle, learner, *candidates, depth=1, stamp=0, rate=0.5, oblivious=False, center_bias=False):
    """Grows a layer from (partitions, gains, splits) of every handler, and gives the trees."""
    columns = list(zip(*candidates)) or [[], [], []]
    session.run(raw.GrowTreeEnsemble(
        tree_ensemble_handle=handle, stamp_token=stamp, next_stamp_token=stamp + 1, learning_rate=rate,
        dropout_seed=3, max_tree_depth=depth, weak_learner_type=int(oblivious), partition_ids=columns[0],
        gains=columns[1], splits=columns[2], learner_config=learner.SerializeToString(), center_bias=center_bias))
    return trees_of(session, handle)


def predicted(handle, learner, dense, drops=False, averages=False, center_bias=False, sparse=((), (), ()),
              ints=((), (), ())):
    return raw.GradientTreesPredictionVerbose(
        tree_ensemble_handle=handle, seed=5, dense_float_features=dense, sparse_float_feature_indices=sparse[0],
        sparse_float_feature_values=sparse[1], sparse_float_feature_shapes=sparse[2],
        sparse_int_feature_indices=ints[0], sparse_int_feature_values=ints[1], sparse_int_feature_shapes=ints[2],
        learner_config=learner.SerializeToString(), apply_dropout=drops, apply_averaging=averages,
        center_bias=center_bias, reduce_dim=True)


def test_a_node_takes_the_split_that_gains_most_and_of_equals_the_simpler_test(session):
    handle = ensemble()
    initialized(session)
    category = messages.SplitInfo(split_node={"categorical_id_binary_split": {"feature_id": 7}}).SerializeToString()
    found = grown(session, handle, config(), ([0], [2.0], [category]), ([0], [2.0], [split(0.5, -1.0, 3.0)]),
                  ([0], [1.0], [split(0.1, 9.0, 9.0)]))
    assert found.trees[0].nodes[0].dense_float_binary_split.threshold == 0.5
    assert weights(found.trees[0]) == [-1, 3] and list(found.tree_weights) == [0.5]
    assert found.tree_metadata[0].is_finalized
    assert session.run(raw.TreeEnsembleStats(tree_ensemble_handle=handle, stamp_token=1)) == (1, 1, 1, 1, 1, 1)
    assert session.run(raw.TreeEnsembleStats(tree_ensemble_handle=handle, stamp_token=0)) == (0,) * 6
    with pytest.raises(tf.errors.FailedPreconditionError, match="stamp"):
        grown(session, handle, config(), stamp=7)


@pytest.mark.parametrize(("mode", "wanted"), [(Config.WHOLE_TREE, [4, -6, 1.5]), (Config.LAYER_BY_LAYER, [4, -5, 2.5])])
def test_leaves_add_up_where_trees_grow_layer_by_layer(session, mode, wanted):
    handle, learner = ensemble(), config(growing_mode=mode)
    initialized(session)
    grown(session, handle, learner, ([0], [1.0], [split(0.5, 1.0, 4.0)]), depth=2)
    found = grown(session, handle, learner, ([1], [0.25], [split(0.2, -6.0, 1.5)]), depth=2, stamp=1)
    assert weights(found.trees[0]) == wanted
    root = found.trees[0].nodes[0].dense_float_binary_split
    assert (root.left_id, root.right_id) == (1, 2)
    dense = [[[0.1], [0.4], [0.7]]]
    values, _, leaf = session.run(predicted(handle, learner, dense))
    np.testing.assert_allclose(values[:, 0], 0.5 * np.array([wanted[1], wanted[2], wanted[0]]))
    assert leaf.tolist() == [[3], [4], [2]]


def test_splits_that_lose_are_left_out_before_or_taken_back_later(session):
    handle, losing = ensemble(), ([0], [-0.5], [split(0.5, 1.0, 2.0)])
    initialized(session)
    assert not grown(session, handle, config(), losing).trees
    later = config(pruning_mode=Config.POST_PRUNE)
    assert len(grown(session, handle, later, losing, stamp=1, depth=2).trees[0].nodes) == 3
    found = grown(session, handle, later, ([1, 2], [-1.0, 1.0], [split(0.1, 7.0, 8.0), split(0.8, 3.0, 4.0)]), stamp=2,
                  depth=2)
    # The split of node 1 is taken back; the root stays, because of the other one.
    assert weights(found.trees[0]) == [1, 3, 4]
    assert found.trees[0].nodes[2].dense_float_binary_split.left_id == 3
    found = grown(session, handle, later, losing, stamp=3, depth=1)
    assert len(found.trees) == 1 and found.growing_metadata.num_trees_attempted == 3


def test_layers_of_oblivious_trees_share_a_test(session):
    handle, learner = ensemble(), config(growing_mode=Config.LAYER_BY_LAYER)
    initialized(session)
    grown(session, handle, learner, ([0], [1.0], [layer(2.0, [1.0, 5.0], [0])]), oblivious=True, depth=2)
    found = grown(session, handle, learner, ([2], [1.0], [layer(3.0, [0.5, -0.5], [2])]), oblivious=True, depth=2,
                  stamp=1)
    assert weights(found.trees[0]) == [1, 1, 5.5, 4.5]  # no example was at the first leaf
    values, _, leaf = session.run(predicted(handle, learner, [[[1.0], [2.5], [9.0]]]))
    assert values[:, 0].tolist() == [0.5, 2.75, 2.25] and leaf[:, 0].tolist() == [2, 4, 5]


def test_the_bias_is_the_first_tree(session):
    handle, learner = ensemble(), config()
    initialized(session)

    def centered(step, stamp):
        return session.run(raw.CenterTreeEnsembleBias(
            tree_ensemble_handle=handle, stamp_token=stamp, next_stamp_token=stamp + 1, delta_updates=step,
            learner_config=learner.SerializeToString()))
    assert centered([0.5, -1.0], 0) and centered([0.25, 0.0], 1)
    assert not trees_of(session, handle).tree_metadata[0].is_finalized
    assert not centered([0.001, 0.001], 2)
    found = trees_of(session, handle)
    np.testing.assert_allclose(found.trees[0].nodes[0].leaf.vector.value, [0.751, -0.999], rtol=1e-6)
    assert found.tree_metadata[0].is_finalized and list(found.tree_weights) == [1]


BIASES = "\n".join("trees { nodes { leaf { vector { value: 1 } } } } tree_weights: 1 "
                   "tree_metadata { num_tree_weight_updates: 1 is_finalized: true }" for _ in range(4))


def test_trees_are_dropped_in_training_and_weigh_less_afterwards(session):
    handle, learner = ensemble(BIASES), config()
    initialized(session)
    learner.learning_rate_tuner.dropout.dropout_probability = 1.0
    values, gone, _ = session.run(predicted(handle, learner, [[[0.0]]], drops=True, center_bias=True))
    assert values.tolist() == [[1]] and gone.tolist() == [[1, 2, 3], [1, 1, 1]]
    found = grown(session, handle, learner, ([0], [1.0], [split(0.5, 1.0, 4.0)]), center_bias=True)
    np.testing.assert_allclose(found.tree_weights, [1, 0.75, 0.75, 0.75, 0.75])
    assert [each.num_tree_weight_updates for each in found.tree_metadata] == [1, 2, 2, 2, 2]
    learner.learning_rate_tuner.dropout.dropout_probability = 1.5
    with pytest.raises(tf.errors.InvalidArgumentError, match="probabilities"):
        session.run(predicted(handle, learner, [[[0.0]]], drops=True))


@pytest.mark.parametrize(("averaging", "wanted"), [({"average_last_n_trees": 2}, 3.5), ({}, 4),
                                                   ({"average_last_percent_trees": 1.0}, 2.5)])
def test_predictions_are_averaged_over_the_last_trees(session, averaging, wanted):
    handle, learner = ensemble(BIASES), config(averaging_config=averaging)
    initialized(session)
    assert session.run(predicted(handle, learner, [[[0.0]]], averages=True)[0]).tolist() == [[wanted]]


def test_sparse_and_categorical_tests(session):
    handle, learner = ensemble("""
        trees {
          nodes { sparse_float_binary_split_default_right {
            split { threshold: 1 dimension_id: 1 left_id: 1 right_id: 2 } } }
          nodes { categorical_id_set_membership_binary_split { feature_ids: [3, 9] left_id: 3 right_id: 4 } }
          nodes { leaf { sparse_vector { index: 0 value: 10 } } }
          nodes { leaf { vector { value: 20 } } }
          nodes { leaf { vector { value: 30 } } }
        }
        tree_weights: 1"""), config()
    initialized(session)
    # Examples 0 and 1 have a small number in dimension 1; example 0 has category 9. Example 2 has dimension 0 alone.
    sparse = [[[0, 1], [1, 1], [2, 0]]], [[0.5, 1.0, -7.0]], [[3, 2]]
    ints = [[[0, 0], [0, 1], [1, 0]]], [[5, 9, 4]], [[3, 2]]
    assert session.run(predicted(handle, learner, [], sparse=sparse, ints=ints)[0])[:, 0].tolist() == [20, 30, 10]


def test_trees_that_still_grow_part_examples(session):
    text = """trees { nodes { dense_float_binary_split { threshold: 1 left_id: 1 right_id: 2 } }
                      nodes { leaf {} } nodes { leaf {} } } tree_weights: 1 tree_metadata { is_finalized: %s }"""
    handle = ensemble(text % "false")
    initialized(session)
    nothing = {f"sparse_{kind}_feature_{part}": [] for kind in ("float", "int")
               for part in ("indices", "values", "shapes")}
    parts = raw.GradientTreesPartitionExamples(tree_ensemble_handle=handle, dense_float_features=[[[0.0], [2.0]]],
                                               **nothing)
    assert session.run(parts).tolist() == [1, 2]
    session.run(raw.TreeEnsembleDeserialize(tree_ensemble_handle=handle, stamp_token=0,
                                            tree_ensemble_config=parsed(text % "true").SerializeToString()))
    assert session.run(parts).tolist() == [0, 0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="DecisionTreeEnsembleConfig"):
        session.run(raw.TreeEnsembleDeserialize(tree_ensemble_handle=handle, stamp_token=0,
                                                tree_ensemble_config="\xff"))


def test_ensembles_are_saved_and_restored(tmp_path):
    for is_second in (False, True):
        with tf.Graph().as_default(), tf.Session() as session:
            handle = ensemble("" if is_second else BIASES, stamp=0 if is_second else 3)
            if is_second:
                tf.train.Saver().restore(session, str(tmp_path / "saved"))
                assert session.run(raw.TreeEnsembleSerialize(tree_ensemble_handle=handle)) == (
                    3, parsed(BIASES).SerializeToString())
            else:
                initialized(session)
                tf.train.Saver().save(session, str(tmp_path / "saved"), write_meta_graph=False)
    names = [name for name, _ in tf.train.list_variables(str(tmp_path / "saved"))]
    assert names == ["trees:0_config", "trees:0_stamp"]
