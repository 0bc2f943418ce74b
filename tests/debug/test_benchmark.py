"""tf.test.Benchmark and StubOutForTesting."""

import types
import unittest.mock

import pytest

import evergraph as tf


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
