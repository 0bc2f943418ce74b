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


def test_tests_in_graphs():
    util = tf.python.framework.test_util

    class Checks(util.TensorFlowTestCase):
        @util.run_in_graph_and_eager_modes(use_gpu=False)
        def test_sum(self):
            self.assertEqual(self.evaluate(tf.constant(1) + 2), 3)

        @util.run_deprecated_v1
        def test_graph(self):
            self.assertIs(tf.constant(1).graph, tf.get_default_graph())

        @util.run_v1_only("graphs")
        def test_v1(self):
            raise AssertionError("runs")

    for name in ("test_sum", "test_graph"):
        assert Checks(name).run().wasSuccessful()
    assert "runs" in Checks("test_v1").run().failures[0][1]

    @util.run_all_in_graph_and_eager_modes
    class All(util.TensorFlowTestCase):
        def test_default(self):
            self.assertEqual(tf.get_default_session().run(tf.constant(4)), 4)

    assert All("test_default").run().wasSuccessful()
    with pytest.raises(ValueError, match="run_all_in_graph_and_eager_modes on a class"):
        util.run_in_graph_and_eager_modes(All)
