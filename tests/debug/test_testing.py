"""tf.test.TestCase: what the tests of programs begin with."""

import random

import numpy as np
import pytest

import evergraph as tf


@pytest.fixture(autouse=True)
def graph():
    """None, unlike elsewhere: a TestCase resets the default graph, which nothing may do inside another graph."""


def test_tests_begin_as_tensorflows_do():
    class Example(tf.test.TestCase):
        def runTest(self):
            self.drawn = random.random(), np.random.rand()
            with tf.device("/device:GPU:3"), self.session() as session:
                self.found = session.run(tf.constant(2.0) * 3.0)
            with tf.device("/device:GPU:3"), self.test_session():
                self.again = self.evaluate(tf.constant(1.0) + 1.0)

    test = Example()
    assert test.run().wasSuccessful()
    assert (test.found, test.again) == (6.0, 2.0)  # on the device that there is
    assert test.drawn == (random.Random(87654321).random(), np.random.RandomState(87654321).rand())


def test_evaluate_needs_no_session_around_and_lists_are_arrays():
    class Example(tf.test.TestCase):
        def runTest(self):
            with tf.Graph().as_default():
                self.assertAllClose([[2.0], [3.0]], self.evaluate(tf.constant([[1.0], [2.0]]) + 1.0))
            self.assertAllClose([[1.0], [2.0, 3.0]], [[1.0], [2.0, 3.0]])
            self.assertAllEqual(["a", ("b", 1)], ["a", ("b", 1)])
            with self.assertRaises(AssertionError):
                self.assertAllClose([[1.0], [2.0]], np.array([[1.0], [2.5]]))

    assert Example().run().wasSuccessful()
