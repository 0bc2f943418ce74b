"""Converted functions give what they give in Python: called with numbers, and traced by tf.function with tensors."""

import copy

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import nest
from tests.autograph.cases import branches, definitions, loops, values
from tests.autograph.cases.case import CASES

assert branches and definitions and loops and values  # they fill the list


def as_tensors(arguments):
    return [tf.constant(value, tf.as_dtype(np.asarray(value).dtype) if np.asarray(value).dtype == bool else
                        tf.float32 if np.asarray(value).dtype == float else tf.int32) for value in arguments]


def assert_same(found, wanted):
    nest.assert_same_structure(found, wanted)
    for a, b in zip(nest.flatten(found), nest.flatten(wanted), strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-5)


def gradients(function, arguments):
    tensors = as_tensors(arguments)
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        results = nest.flatten(function(*tensors))
        total = tf.add_n([tf.cast(tf.reduce_sum(each), tf.float32) for each in results])
    return tape.gradient(total, tensors, unconnected_gradients=tf.UnconnectedGradients.ZERO)


def is_differentiable(calls):
    return all(np.asarray(value).dtype == float for arguments in calls for value in arguments)


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(name):
    """The gradients are those of the function as it runs in Python on tensors that have values."""
    function, calls = CASES[name]
    converted, traced = tf.autograph.to_graph(function), tf.function(function)
    for arguments in calls:
        wanted = function(*copy.deepcopy(arguments))
        assert_same(converted(*copy.deepcopy(arguments)), wanted)
        assert_same(traced(*as_tensors(arguments)), wanted)
    if is_differentiable(calls):
        assert_same(gradients(traced, calls[-1]), gradients(function, calls[-1]))


def test_there_are_many():
    assert len(CASES) >= 150 and sum(is_differentiable(calls) for _, calls in CASES.values()) >= 50
