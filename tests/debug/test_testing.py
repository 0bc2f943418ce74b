"""tf.test.TestCase: what the tests of programs begin with."""

import collections
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


def succeeds(body):
    """Runs a function as the body of a test."""
    case = type("Example", (tf.test.TestCase,), {"runTest": body})()
    result = case.run()
    return result.wasSuccessful() or [text for _, text in result.failures + result.errors]


def fails(test, method, *args, **kwargs):
    with pytest.raises(AssertionError):
        getattr(test, method)(*args, **kwargs)


def test_a_session_of_another_graph():
    def body(test):
        other = tf.Graph()
        with other.as_default():
            y = tf.constant(2.0, name="y")
        with test.test_session(graph=other) as session:
            test.assertIs(tf.constant(1.0).graph, other)
            test.assertEqual(session.run(y), 2.0)
        with test.test_session() as one, test.cached_session() as two:
            test.assertIs(one, two)
            with test.assertRaisesRegex(ValueError, "another graph"), test.cached_session(graph=other):
                raise RuntimeError("not reached")

    assert succeeds(body) is True


def test_structures_are_compared_by_their_parts():
    Pair = collections.namedtuple("Pair", "x y")

    def body(test):
        test.assertAllClose({"x": 1, "y": (2.0, 3.0)}, Pair(1, (2.0, 3.0)))
        test.assertAllClose([Pair(np.ones([1, 2]), [1.0])], [Pair([[1.0, 1.0]], np.ones(1))])
        test.assertAllClose([tf.constant([1, 2]), [3]], [[1, 2], tf.constant([3])])
        test.assertAllClose([np.ones([2, 3]), np.ones([2, 3, 3])], [np.ones([2, 3]), np.ones([2, 3, 3])])
        with test.assertRaisesRegex(AssertionError, r"a\[1\] and b\[1\]"):
            test.assertAllClose([np.ones(2), np.ones([2, 3])], [np.ones(2), np.zeros([2, 3])])
        nested = {"y": (2, [{"n": 4.0}])}
        with test.assertRaisesRegex(AssertionError, r"\[y\]\[1\]\[0\]\[n\]"):
            test.assertAllClose(nested, {"y": (2, [{"n": 4.2}])})
        with test.assertRaisesRegex(AssertionError, "mismatched keys"):
            test.assertAllClose({"a": 1}, {"b": 1})
        with test.assertRaisesRegex(ValueError, "Can't compare dict to non-dict"):
            test.assertAllClose({"a": 1}, 1)

    assert succeeds(body) is True


def test_comparisons_with_numbers():
    def body(test):
        x = tf.constant([10.0, 15.0])
        rows = [("Greater", 9, 10), ("GreaterEqual", 10, 11), ("Less", 16, 15), ("LessEqual", 15, 14)]
        for method, good, bad in rows:
            getattr(test, f"assertAll{method}")(x, good)
            fails(test, f"assertAll{method}", x, bad)
        test.assertAllInRange(x, 10, 15)
        fails(test, "assertAllInRange", x, 10, 15, open_lower_bound=True)
        fails(test, "assertAllInRange", x, 10, 15, open_upper_bound=True)
        fails(test, "assertAllInRange", tf.constant([float("nan")]), 0, 1)
        fails(test, "assertAllInRange", [True], 0, 1)
        test.assertAllInSet(tf.constant([1, 2]), {1, 2, 3})
        fails(test, "assertAllInSet", [1, 4], [1, 2])
        test.assertDTypeEqual(x, np.float32)
        fails(test, "assertDTypeEqual", x, tf.int32)
        test.assertNotAllEqual(x, [10.0, 16.0])
        fails(test, "assertNotAllEqual", x, [10.0, 15.0])
        test.assertArrayNear([1.0, 2.0], [1.0005, 2.0], 1e-3)
        fails(test, "assertArrayNear", [1.0], [1.1], 1e-3)
        test.assertNDArrayNear(np.ones(2), np.ones(2), 1e-3)
        fails(test, "assertNDArrayNear", np.ones(2), np.zeros(2), 1e-3)
        test.assertDeviceEqual("/cpu:0", "/device:CPU:0")
        fails(test, "assertDeviceEqual", "/cpu:0", "/device:CPU:1")

    assert succeeds(body) is True


def test_messages_and_errors():
    def body(test):
        graph = tf.GraphDef(node=[tf.NodeDef(name="a", op="B")])
        test.assertProtoEquals("node { name: 'a' op: 'B' }", graph)
        fails(test, "assertProtoEquals", "", graph)
        graph.versions.producer = 134
        test.assertProtoEqualsVersion("node { name: 'a' op: 'B' }", graph)
        fails(test, "assertProtoEqualsVersion", "", graph)
        with test.assertRaisesOpError("limit"), test.session() as session:
            session.run(tf.Assert(tf.constant(False), ["limit"]))
        with test.assertRaisesWithPredicateMatch(ValueError, lambda error: "a" in str(error)):
            raise ValueError("a")
        with pytest.raises(AssertionError), test.assertRaisesWithPredicateMatch(ValueError, lambda error: False):
            raise ValueError("a")

    assert succeeds(body) is True


def test_checked_threads():
    def body(test):
        found = []
        thread = test.checkedThread(found.append, args=(1,))
        thread.start()
        thread.join()
        test.assertEqual(found, [1])
        thread = test.checkedThread(lambda: 1 // 0)
        thread.start()
        with test.assertRaisesRegex(test.failureException, "division"):
            thread.join()

    assert succeeds(body) is True


def test_evaluate_of_structures_and_functions():
    def body(test):
        test.assertEqual(test.evaluate({"a": tf.constant(1), "b": [tf.constant(2)]}), {"a": 1, "b": [2]})
        test.assertEqual(test.evaluate(lambda: tf.constant(3)), 3)

    assert succeeds(body) is True
