"""Stochastic dual coordinate ascent: the model, its checkpoints, and what LinearSDCA refuses."""

import numpy as np
import pytest

import evergraph as tf

LOSSES = {"logistic_loss": 0.0, "squared_loss": 0.0, "hinge_loss": 1e-2, "poisson_loss": 0.0}  # -> the gap that stays


def model(loss_type, weights, shards=None, ids=None, **options):
    """Twelve examples with a sparse feature out of four and two dense ones."""
    rng = np.random.RandomState(3)
    column = tf.contrib.linear_optimizer.SparseFeatureColumn(np.arange(12), np.arange(12) % 4, None)
    dense = rng.normal(size=(12, 2)).astype(np.float32)
    labels = (dense[:, 0] + (np.arange(12) % 4 == 1) > 0.2).astype(np.float32)
    examples = {"sparse_features": [column], "dense_features": [tf.constant(dense)], "example_labels": labels,
                "example_weights": np.linspace(0.5, 1.5, 12, dtype=np.float32),
                "example_ids": [str(i) for i in range(12)] if ids is None else ids}
    variables = {"sparse_features_weights": [weights], "dense_features_weights": [tf.Variable(tf.zeros([2]))]}
    return examples, tf.contrib.linear_optimizer.SdcaModel(examples, variables, {
        "loss_type": loss_type, "symmetric_l1_regularization": 0.1, "symmetric_l2_regularization": 1.0,
        "num_table_shards": shards, **options})


def trained(session, made, examples, passes):
    step = made.minimize()
    update = made.update_weights(step)
    session.run([tf.global_variables_initializer()])
    for _ in range(passes):
        session.run(update)
    return session.run([made.regularized_loss(examples), made.approximate_duality_gap(), made.examples_seen()])


@pytest.mark.parametrize("loss_type", LOSSES)
def test_closes_the_duality_gap(loss_type, session):
    examples, made = model(loss_type, tf.Variable(tf.zeros([4])))
    loss, gap, seen = trained(session, made, examples, 30)
    assert loss < session.run(made.unregularized_loss(examples)) + 1 and seen == 12
    assert gap == pytest.approx(0, abs=LOSSES[loss_type] + 1e-5)


def test_parts_shards_and_adaptive_orders_find_the_same_optimum(session):
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
        parts = tf.get_variable("w", [4], initializer=tf.zeros_initializer())
    losses = []
    for weights, options in ((tf.Variable(tf.zeros([4])), {}), (parts, {"shards": 3}),
                             (tf.Variable(tf.zeros([4, 1])), {"adaptive": True})):
        examples, made = model("logistic_loss", weights, **options)
        losses.append(trained(session, made, examples, 30)[0])
    assert losses == pytest.approx([losses[0]] * 3, rel=1e-6)


def test_a_wrong_option_is_refused():
    weights = tf.Variable(tf.zeros([4]))
    with pytest.raises(ValueError, match="symmetric_l2_regularization is"):
        model("logistic_loss", weights, symmetric_l2_regularization=0.0)
    with pytest.raises(ValueError, match="Unsupported loss_type: cubic"):
        model("cubic", weights)
    with pytest.raises(ValueError, match="num_table_shards must be positive"):
        model("hinge_loss", weights, shards=-1)


def sdca(**options):
    return tf.estimator.experimental.LinearSDCA("id", **options)


def test_only_for_one_logit_and_sums():
    size = [tf.feature_column.numeric_column("size")]
    for make, message in (
            (lambda: tf.estimator.LinearClassifier(size, n_classes=3, optimizer=sdca()), "two classes"),
            (lambda: tf.estimator.LinearRegressor(size, label_dimension=2, optimizer=sdca()), "one number"),
            (lambda: tf.estimator.LinearEstimator(tf.estimator.MultiLabelHead(2), size, optimizer=sdca()), "head type"),
            (lambda: tf.estimator.LinearRegressor(size, sparse_combiner="mean", optimizer=sdca()), "sparse_combiner")):
        with pytest.raises(ValueError, match=message):
            make()


def test_columns_with_variables_of_their_own_and_repeated_ids(tmp_path):
    column = tf.feature_column
    kind = column.categorical_column_with_vocabulary_list("kind", ["a", "b", "c"])
    columns = [column.embedding_column(kind, 2), kind,
               column.bucketized_column(column.numeric_column("size"), [0.5])]

    def input_fn():
        # The first example has a kind twice, and one that is not in the vocabulary.
        kinds = tf.SparseTensor([[0, 0], [0, 1], [0, 2], [1, 0]], ["b", "b", "unknown", "c"], [2, 3])
        return {"kind": kinds, "size": [[0.2], [0.9]], "id": ["a", "b"]}, [[1], [0]]

    estimator = tf.estimator.LinearClassifier(columns, optimizer=sdca(symmetric_l2_regularization=0.1),
                                              model_dir=str(tmp_path))
    estimator.train(input_fn, steps=30)
    assert estimator.evaluate(input_fn, steps=1)["average_loss"] < 0.3
    names = estimator.get_variable_names()
    assert {"ShardedMutableHashTable-1-of-1-keys", "linear/linear_model/kind_embedding/embedding_weights",
            "linear/linear/linear_model/size_bucketized/weights/part_0_unshrunk"} <= set(names)
    assert not any("embedding_weights/part_0_unshrunk" in name for name in names)
