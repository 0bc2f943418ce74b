"""Warming up what parses Examples: runs get one with all the features that the model requires."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.serving.blank import blank_example
from evergraph.serving.config import Source
from evergraph.serving.core import Core
from evergraph.serving.outside import nodes_of
from evergraph.serving.page import catalogue
from evergraph.serving.servable import Loading
from tests.harness.session import run
from tests.serving.harness import Client, export, serving

FEATURES = {
    "numbers": tf.FixedLenFeature([2, 3], tf.float32),
    "ids": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
    "name": tf.FixedLenFeature([], tf.string),
    "tags": tf.VarLenFeature(tf.string),
}


def parsers():
    many, one = tf.placeholder(tf.string, [None]), tf.placeholder(tf.string, [])
    return {"ParseExample": (many, tf.io.parse_example(many, FEATURES)),
            "ParseSingleExample": (one, tf.parse_single_example(one, {**FEATURES, "ids": tf.VarLenFeature(tf.int64)})),
            "in a function": (many, tf.map_fn(lambda each: tf.parse_single_example(each, FEATURES)["numbers"], many,
                                              tf.float32))}  # fmt: skip


@pytest.mark.parametrize("kind", ["ParseExample", "ParseSingleExample", "in a function"])
def test_an_example_with_all_required_features(kind, graph):
    given, parsed = parsers()[kind]
    numbers = parsed["numbers"] if isinstance(parsed, dict) else parsed
    example = blank_example(nodes_of([numbers], [given]))
    value = run(numbers, {given: [example] if given.shape.ndims else example})
    np.testing.assert_array_equal(value.reshape(2, 3), np.zeros([2, 3]))


def test_nothing_is_parsed(graph):
    x = tf.placeholder(tf.string, [None])
    assert blank_example(nodes_of([tf.strings.length(x)], [x])) == b""


def estimator_like():
    given = tf.placeholder(tf.string, [None], name="examples")
    return {"inputs": given}, {"y": tf.reduce_sum(tf.io.parse_example(given, FEATURES)["numbers"], [1, 2])}


def test_such_a_signature_is_warmed_up(tmp_path, graph):
    """It is light then, and the page has a request for it that works."""
    core = Core([Source("m", export(tmp_path / "1", estimator_like))], Loading())
    core.models.update()
    assert core.models.find("m").signatures["serving_default"].is_light
    example = catalogue(core)["models"][0]["signatures"][0]["example"]
    core.close()
    with serving(Source("m", str(tmp_path / "1"))) as server:
        client = Client(server)
        assert client.ask("m", **example) == (200, {"outputs": [0.0]})
        client.close()
