"""The older columns of tf.contrib.layers, and tf.contrib.feature_column."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import started

layers = tf.contrib.layers
WORDS = [["a", "b"], ["b", ""], ["", ""]]


def run(fetches):
    with started() as session:
        session.run(tf.tables_initializer())
        return session.run(fetches)


def test_the_input_of_a_network():
    word = layers.sparse_column_with_keys("word", ["a", "b"])
    hashed = layers.sparse_column_with_hash_bucket("word", 100)
    columns = [layers.real_valued_column("x", dimension=2, normalizer=lambda x: x * 10.0),
               layers.bucketized_column(layers.real_valued_column("y"), [0.0, 1.0]), layers.one_hot_column(word),
               layers.embedding_column(hashed, 2, combiner="sum", initializer=tf.ones_initializer())]
    outs = {}
    features = {"x": [[1.0, 2.0]] * 3, "y": [-1.0, 0.5, 1.0], "word": tf.constant(WORDS)}
    result = layers.input_from_feature_columns(features, columns, cols_to_outs=outs)
    assert [v.op.name for v in tf.model_variables()] == ["input_from_feature_columns/word_embedding/weights"]
    result, outs = run([result, [outs[column] for column in columns]])
    assert result.shape == (3, 9)
    assert outs[0].tolist() == [[10.0, 20.0]] * 3
    assert outs[1].tolist() == np.eye(3).tolist()
    assert outs[2].tolist() == [[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]]
    assert outs[3].tolist() == [[2.0, 2.0], [1.0, 1.0], [0.0, 0.0]]


def test_a_linear_model():
    word = layers.sparse_column_with_keys("word", ["a", "b"])
    x = layers.real_valued_column("x")
    cross = layers.crossed_column([word, layers.bucketized_column(x, [0.0])], 50)
    logits, variables, bias = layers.weighted_sum_from_feature_columns(
        {"x": [[1.0], [2.0], [3.0]], "word": tf.constant(WORDS)}, [word, x, cross], num_outputs=1)
    scope = "weighted_sum_from_feature_columns"
    assert sorted(v.op.name for v in tf.model_variables()) == [
        f"{scope}/bias_weight", f"{scope}/word/weights", f"{scope}/word_X_x_bucketized/weights", f"{scope}/x/weight"]
    with started() as session:
        session.run(tf.tables_initializer())
        session.run([variables[word][0].assign([[1.0], [10.0]]), variables[x][0].assign([[0.5]]), bias.assign([100.0])])
        assert session.run(logits).tolist() == [[111.5], [111.0], [101.5]]


@pytest.mark.parametrize("key, wanted", [(None, 74), (956888297470, 83)])
def test_hashes_of_combinations(key, wanted):
    # The buckets are those that TensorFlow's own test of the op expects.
    columns = [layers.sparse_column_with_hash_bucket(name, 5) for name in "abc"]
    features = {name: tf.constant([[f"batch1-FC{number}-F1"]]) for number, name in enumerate("abc", 1)}
    cross = layers.crossed_column(columns, 100, hash_key=key)
    assert run(layers.transform_features(features, [cross])[cross]).values.tolist() == [wanted]


def test_columns_of_both_kinds_mix():
    word = layers.sparse_column_with_keys("word", ["a", "b"])
    features = {"x": [[1.0], [2.0], [3.0]], "word": tf.constant(WORDS)}
    older = [layers.real_valued_column("x"), layers.one_hot_column(word)]
    one, two = run([tf.feature_column.input_layer(features, older), layers.input_from_feature_columns(features, older)])
    assert sorted(one[0]) == sorted(two[0])
    assert run(tf.feature_column.linear_model(features, [word, older[0]])).shape == (3, 1)


def test_specs_and_examples():
    columns = [layers.real_valued_column("x", 2, default_value=3.0),
               layers.weighted_sparse_column(layers.sparse_column_with_integerized_feature("i", 4), "w")]
    assert layers.create_feature_spec_for_parsing(columns) == {
        "x": tf.FixedLenFeature([2], tf.float32, [3.0, 3.0]), "i": tf.VarLenFeature(tf.int64),
        "w": tf.VarLenFeature(tf.float32)}
    example = tf.train.Example(features=tf.train.Features(feature={
        "i": tf.train.Feature(int64_list=tf.train.Int64List(value=[5])),
        "w": tf.train.Feature(float_list=tf.train.FloatList(value=[0.5]))}))
    found = layers.parse_feature_columns_from_examples([example.SerializeToString()], columns)
    numbers, (ids, weights) = run([found[columns[0]], found[columns[1]]])
    assert numbers.tolist() == [[3.0, 3.0]] and ids.values.tolist() == [1] and weights.values.tolist() == [0.5]
    assert layers.infer_real_valued_columns({"x": tf.zeros([2, 3])})[0].dimension == 3


@pytest.mark.parametrize("make, error, text", [
    (lambda: layers.real_valued_column("x", 1.5), TypeError, "must be an integer"),
    (lambda: layers.real_valued_column("x", 2, default_value=[1.0]), ValueError, "length of default_value"),
    (lambda: layers.bucketized_column("x", [0.0]), TypeError, "_RealValuedColumn"),
    (lambda: layers.crossed_column(["a", "b"], 5), TypeError, "columns must be a set"),
    (lambda: layers.sparse_column_with_hash_bucket("a", 5, hash_keys=[]), ValueError, "non-empty list"),
    (lambda: layers.input_from_feature_columns({"a": [["x"]]}, [layers.sparse_column_with_hash_bucket("a", 5)]),
     ValueError, "Error creating input layer for column: a"),
    (lambda: layers.weighted_sum_from_feature_columns(
        {"a": [["x"]]}, [layers.embedding_column(layers.sparse_column_with_hash_bucket("a", 5), 2)], 1),
     ValueError, "Error creating weighted sum"),
])
def test_errors(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_sequences():
    fc = tf.contrib.feature_column
    columns = [fc.sequence_numeric_column("x"), tf.feature_column.embedding_column(
        fc.sequence_categorical_column_with_identity("i", 3), 2, initializer=tf.ones_initializer())]
    features = {"x": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1.0, 2.0, 3.0], [2, 2]),
                "i": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([0, 1, 2], tf.int64), [2, 2])}
    layer, lengths = fc.sequence_input_layer(features, columns)
    both = fc.concatenate_context_input(tf.constant([[7.0], [8.0]]), layer)
    assert [v.op.name for v in tf.model_variables()] == ["sequence_input_layer/i_embedding/embedding_weights"]
    both, lengths = run([both, lengths])
    assert lengths.tolist() == [2, 1]
    assert both.tolist() == [[[1, 1, 1, 7], [1, 1, 2, 7]], [[1, 1, 3, 8], [0, 0, 0, 8]]]
