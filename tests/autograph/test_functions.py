"""Converted functions give what they give in Python: called with numbers, and traced by tf.function with tensors."""

import copy

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import nest
from evergraph.eager.graph import EAGER
from tests.autograph.cases import branches, definitions, loops, values
from tests.autograph.cases.case import CASES

assert branches and definitions and loops and values  # they fill the list


@pytest.fixture(autouse=True)
def eagerly(graph):
    with EAGER.as_default():
        yield


def as_tensors(arguments):
    return [tf.constant(value, tf.as_dtype(np.asarray(value).dtype) if np.asarray(value).dtype == bool else
                        tf.float32 if np.asarray(value).dtype == float else tf.int32) for value in arguments]


def assert_same(found, wanted):
    nest.assert_same_structure(found, wanted)
    for a, b in zip(nest.flatten(found), nest.flatten(wanted), strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_values(name):
    function, calls = CASES[name]
    converted, traced = tf.autograph.to_graph(function), tf.function(function)
    for arguments in calls:
        wanted = function(*copy.deepcopy(arguments))
        assert_same(converted(*copy.deepcopy(arguments)), wanted)
        assert_same(traced(*as_tensors(arguments)), wanted)


def gradients(function, arguments):
    tensors = as_tensors(arguments)
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        results = nest.flatten(function(*tensors))
        total = tf.add_n([tf.cast(tf.reduce_sum(each), tf.float32) for each in results])
    return tape.gradient(total, tensors, unconnected_gradients=tf.UnconnectedGradients.ZERO)


DIFFERENTIABLE = [name for name, (_, calls) in CASES.items()
                  if all(np.asarray(value).dtype == float for arguments in calls for value in arguments)]


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients(name):
    """Those of the traced function are those of the function as it runs in Python on tensors with values."""
    function, calls = CASES[name]
    traced = tf.function(function)
    for arguments in calls:
        assert_same(gradients(traced, arguments), gradients(function, arguments))


def test_there_are_many():
    assert len(CASES) >= 150 and len(DIFFERENTIABLE) >= 50
