"""Strings that end with a zero byte keep it, where NumPy would drop it from a value that stands for many."""

import pytest

import evergraph as tf
from tests.harness.session import run


def padded_examples():
    example = tf.train.Example()
    example.features.feature["a"].bytes_list.value[:] = [b"v\0", b"w\0"]
    feature = tf.io.FixedLenSequenceFeature([], tf.string, allow_missing=True, default_value="n\0")
    return tf.io.parse_example([example.SerializeToString(), b""], {"a": feature})["a"]


CASES = {
    "constant": (lambda: tf.constant(["a", "b\0"], shape=[3]), [b"a", b"b\0", b"b\0"]),
    "fill": (lambda: tf.fill([2], "b\0"), [b"b\0", b"b\0"]),
    "pad": (lambda: tf.pad(["a"], [[1, 1]], constant_values="z\0"), [b"z\0", b"a", b"z\0"]),
    "parse_example": (padded_examples, [[b"v\0", b"w\0"], [b"n\0", b"n\0"]]),
    "sparse_to_dense": (lambda: tf.sparse_to_dense([1], [2], ["x\0"], "d\0"), [b"d\0", b"x\0"]),
    "ragged": (lambda: tf.ragged.constant([["a"], ["b", "c"]]).to_tensor("k\0"), [[b"a", b"k\0"], [b"b", b"c"]]),
}


@pytest.mark.parametrize("name", CASES)
def test_zeros_at_the_end(name, graph):
    build, wanted = CASES[name]
    assert run(build()).tolist() == wanted
