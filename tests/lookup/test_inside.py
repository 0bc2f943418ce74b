"""Static shapes of lookups inside functions, which capture the table."""

import pytest

import evergraph as tf

WORDS = ["a", "b"]


def mutable():
    return tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)


def of_vectors():
    return tf.contrib.lookup.MutableHashTable(tf.string, tf.float32, [0.0, 0.0])


@pytest.mark.parametrize("make, end", [
    (lambda: tf.contrib.lookup.index_table_from_tensor(WORDS), []), (mutable, []), (of_vectors, [2])])
def test_shapes_are_those_outside(make, end):
    table = make()
    words = tf.constant(WORDS)
    assert table.lookup(words).shape.as_list() == [2, *end]
    found = tf.data.Dataset.from_tensors(words).map(table.lookup)
    assert found.output_shapes.as_list() == [2, *end]
    assert tf.cond(tf.placeholder(tf.bool, []), lambda: table.lookup(words), lambda: table.lookup(words)).shape \
        .as_list() == [2, *end]
    dtype = tf.int64 if not end else tf.float32
    assert tf.map_fn(table.lookup, tf.stack([words] * 3), dtype).shape.as_list() == [3, 2, *end]
    inside = []
    tf.map_fn(lambda row: tf.map_fn(lambda w: inside.append(table.lookup(w).shape.as_list()) or table.lookup(w), row,
                                    dtype), tf.stack([words]), dtype)
    assert inside == [end]
