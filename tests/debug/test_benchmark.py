"""tf.test.Benchmark, StubOutForTesting and the decorators of tests."""

import types
import unittest.mock

import pytest

import evergraph as tf
from evergraph.debug import test_util


@pytest.fixture(autouse=True)
def graph():
    """None, unlike elsewhere: a TestCase resets the default graph, which nothing may do inside another graph."""


def test_a_benchmark_reports(capsys):
    class Sums(tf.test.Benchmark):
        def benchmark_sum(self):
            with tf.Session(config=tf.test.benchmark_config()) as session:
                return self.run_op_benchmark(session, tf.reduce_sum(tf.ones([3])), burn_iters=1, min_iters=3, mbs=1,
                                             store_trace=True, extras={"size": 3})

    found = Sums().benchmark_sum()
    assert found["iters"] == 3 and found["wall_time"] > 0 and found["throughput"] == 1 / found["wall_time"]
    assert "traceEvents" in found["extras"]["full_trace_chrome_format"] and found["extras"]["size"] == 3
    assert capsys.readouterr().out.startswith("Sums.benchmark_sum: {'iters': 3")
    assert tf.test.Benchmark.is_abstract() and not Sums.is_abstract()


def test_stubs_are_put_back():
    module = types.ModuleType("m")
    module.f = old = lambda: 1
    with tf.test.StubOutForTesting() as stubs:
        stubs.Set(module, "f", lambda: 2)
        stubs.SmartSet(module, "f", lambda: 3)
        assert module.f() == 3
        stubs.SmartUnsetAll()
        assert module.f() == 2
    assert module.f is old
    assert tf.test.mock is unittest.mock


def test_both_modes():
    modes = []

    class Case(tf.test.TestCase):
        @test_util.run_in_graph_and_eager_modes
        def test_it(self):
            modes.append(tf.executing_eagerly())
            self.assertEqual(self.evaluate(tf.constant(1) + 1) if not tf.executing_eagerly() else 2, 2)

        @test_util.deprecated_graph_mode_only
        def test_graph(self):
            modes.append(tf.executing_eagerly())

        @test_util.run_v2_only
        def test_later(self):
            modes.append("later")

        @test_util.run_v1_only("a reason")
        def test_now(self):
            modes.append("now")

    outcome = tf.test.TestCase.defaultTestResult(Case())
    for name in ("test_it", "test_graph", "test_later", "test_now"):
        Case(name).run(outcome)
    assert outcome.wasSuccessful() and len(outcome.skipped) == 1 and modes == [False, True, False, "now"]
