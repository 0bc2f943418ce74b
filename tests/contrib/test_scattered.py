"""Embeddings by hashes, and columns of numbers of any length, of tf.contrib.layers."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.layers.scattered import sampled_lookup, sampled_lookup_sparse
from evergraph.contrib.layers.variable_length import real_valued_var_len_column
from tests.harness.session import interpreted as evaluated

layers = tf.contrib.layers


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def rows():
    return tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "a", "b"], [4, 2])


def test_hashes_choose_weights():
    weights = tf.range(20.0)
    found = evaluated(layers.scattered_embedding_lookup([weights[:10], weights[10:]], [["a", "b", "a"]], 5))
    assert found.shape == (1, 3, 5) and (found[0, 0] == found[0, 2]).all() and (found[0, 0] != found[0, 1]).any()
    by_key = layers.scattered_embedding_lookup(weights, ["a"], 5, hash_key=3)
    assert (evaluated(by_key) != found[0, :1]).any()
    some = evaluated(sampled_lookup(weights, ["a", "b"], sampled_candidates=[[4, 1], [0, 2]]))
    np.testing.assert_array_equal(some, [found[0, 0][[4, 1]], found[0, 1][[0, 2]]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not match the shape of values"):
        evaluated(sampled_lookup(weights, ["a", "b", "c"], sampled_candidates=[[1], [2]]))


def test_rows_are_combined():
    weights = tf.range(20.0)
    a, b, empty = evaluated(layers.scattered_embedding_lookup(weights, ["a", "b", ""], 5))
    for combiner, both in (("sum", a + b), ("mean", (a + b) / 2), (None, (a + b) / 2), ("sqrtn", (a + b) / 2 ** 0.5)):
        found = evaluated(layers.scattered_embedding_lookup_sparse(weights, rows(), 5, combiner))
        np.testing.assert_allclose(found, [a, both, empty, empty], rtol=1e-6)
    sums = evaluated(sampled_lookup_sparse(weights, rows(), 5))
    np.testing.assert_allclose(sums, [a, a + b, 0 * a, 0 * a], rtol=1e-6)
    signed = evaluated(sampled_lookup_sparse(weights + 1, rows(), 5, with_sign_hash=True))
    np.testing.assert_allclose(np.abs(signed[0]), a + 1)


def test_the_column():
    column = layers.scattered_embedding_column("word", size=10, dimension=3, hash_key=1)
    out = layers.input_from_feature_columns({"word": rows()}, [column])
    assert evaluated(out).shape == (4, 3)
    assert [v.shape.as_list() for v in tf.trainable_variables()] == [[10]]
    assert layers.create_feature_spec_for_parsing([column]) == {"word": tf.VarLenFeature(tf.string)}
    with pytest.raises(ValueError, match="greater than 0"):
        layers.scattered_embedding_column("word", size=0, dimension=3, hash_key=1)


def test_numbers_of_any_length():
    dense = real_valued_var_len_column("x", default_value=2, normalizer=lambda x: x * 10)
    spec = layers.create_feature_spec_for_parsing([dense])
    examples = [tf.train.Example(features=tf.train.Features(feature={"x": tf.train.Feature(
        float_list=tf.train.FloatList(value=values))})).SerializeToString() for values in ([1.0], [3.0, 4.0])]
    features = tf.parse_example(examples, spec)
    np.testing.assert_allclose(evaluated(layers.input_from_feature_columns(features, [dense])), [[10, 20], [30, 40]])
    sparse = real_valued_var_len_column("y", is_sparse=True)
    placeholders = layers.make_place_holder_tensors_for_base_features([sparse, layers.real_valued_column("z", 3)])
    assert isinstance(placeholders["y"], tf.SparseTensor) and placeholders["z"].shape.as_list() == [None, 3]
    with pytest.raises(ValueError, match="Set is_sparse to False"):
        layers.input_from_feature_columns(placeholders, [sparse])
    with pytest.raises(ValueError, match="needs a default_value"):
        real_valued_var_len_column("x")


def test_tables_of_one_dtype():
    ids = tf.SparseTensor([[0, 0]], tf.constant([0], tf.int64), [1, 1])
    with pytest.raises(ValueError, match="one dtype"):
        layers.safe_embedding_lookup_sparse([tf.ones([2, 2]), tf.ones([2, 2], tf.float64)], ids)
