"""tf.tpu.experimental's embeddings: off TPUs they are ordinary columns, trained with the model."""

import pytest

import evergraph as tf
from tests.estimator.models import X

tpu = tf.tpu.experimental


def identity(key="kind"):
    return tf.feature_column.categorical_column_with_identity(key, 3)


def test_a_column_is_an_ordinary_embedding():
    column = tpu.embedding_column(identity(), 4)
    assert tf.feature_column.input_layer({"kind": [[1], [2]]}, [column]).shape.as_list() == [2, 4]
    first, second = tpu.shared_embedding_columns([identity("a"), identity("b")], 4)
    tf.feature_column.input_layer({"a": [[1]], "b": [[2]]}, [first, second])
    assert [v.op.name for v in tf.global_variables()] == [
        "input_layer/kind_embedding/embedding_weights",
        "input_layer_1/a_b_shared_embedding/embedding_weights"]


def test_columns_that_do_not_fit_are_refused():
    words = tf.feature_column.sequence_categorical_column_with_identity("word", 3)
    for make, message in (
            (lambda: tpu.embedding_column(identity(), 4, max_sequence_length=3), "must be 0, got 3"),
            (lambda: tpu.embedding_column(words, 4), "max_sequence_length of 1 or more"),
            (lambda: tpu.shared_embedding_columns([identity()], 4, max_sequence_lengths=[1, 2]), "got 2 max"),
            (lambda: tpu.AdagradParameters(0.1, initial_accumulator=0.0), "greater than zero"),
            (lambda: tpu.AdamParameters(0.1, beta2=1.0), "beta2 must be between 0. and 1; got 1.0"),
            (lambda: tpu.AdamParameters(0.1, lazy_adam=False, use_gradient_accumulation=False), "lazy_adam=False")):
        with pytest.raises(ValueError, match=message):
            make()
    with pytest.raises(TypeError, match="must be type CategoricalColumn"):
        tpu.embedding_column("kind", 4)


def test_a_config_names_columns_and_an_optimizer():
    spec = tf.estimator.tpu.experimental.EmbeddingConfigSpec
    columns, rate = [tpu.embedding_column(identity(), 4)], tpu.StochasticGradientDescentParameters(0.1)
    assert spec(columns, rate).partition_strategy == "div" and spec(columns, rate)[0] is columns
    for arguments, options, error in (((), {}, ValueError), ((columns, 3), {}, ValueError),
                                      (([identity()], rate), {}, TypeError),
                                      ((columns, rate), {"partition_strategy": "rows"}, ValueError)):
        with pytest.raises(error):
            spec(*arguments, **options)


def test_an_estimator_takes_it_off_tpus_alone(tmp_path):
    column = tpu.embedding_column(identity(), 1)
    spec = tf.estimator.tpu.experimental.EmbeddingConfigSpec([column], tpu.AdagradParameters(0.1))

    def model_fn(features, labels, mode, params):
        loss = tf.reduce_sum(tf.square(tf.feature_column.input_layer(features, [column]) - labels))
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tf.estimator.tpu.TPUEstimatorSpec(mode, loss=loss, train_op=step)

    def estimator(**options):
        return tf.estimator.tpu.TPUEstimator(model_fn, str(tmp_path), tf.estimator.tpu.RunConfig(),
                                             train_batch_size=8, **options)

    with pytest.raises(tf.errors.UnimplementedError, match="use_tpu=False"):
        estimator(embedding_config_spec=spec)
    with pytest.raises(ValueError, match="partition_strategy"):
        estimator(use_tpu=False, embedding_config_spec=spec._replace(partition_strategy="mod"))
    trained = estimator(use_tpu=False, embedding_config_spec=spec)
    trained.train(lambda params: ({"kind": [[1]] * params["batch_size"]}, X * 0 + 2.0), steps=5)
    assert trained.get_variable_value("input_layer/kind_embedding/embedding_weights")[1] == pytest.approx(2.0, abs=0.6)
