"""Measurements by name, as programs import them from inside TensorFlow."""

import pytest

import evergraph as tf
from evergraph.debug import monitoring


def test_counters_and_gauges():
    counter = monitoring.Counter("/test/counter", "calls", "method", "user")
    counter.get_cell("get", "a").increase_by(2)
    counter.get_cell("get", "a").increase_by(3)
    assert [counter.get_cell("get", user).value() for user in "ab"] == [5, 0]
    with monitoring.MonitoredTimer(counter.get_cell("put", "a")):
        pass
    assert counter.get_cell("put", "a").value() >= 0
    with pytest.raises(ValueError, match="labels"):
        counter.get_cell("get")
    with pytest.raises(ValueError, match="grows"):
        counter.get_cell("get", "a").increase_by(-1)
    with pytest.raises(tf.errors.AlreadyExistsError):
        monitoring.BoolGauge("/test/counter", "another")
    del counter
    for kind, value in ((monitoring.BoolGauge, True), (monitoring.IntGauge, 3), (monitoring.StringGauge, "x")):
        gauge = kind("/test/counter", "its name is free again")
        assert gauge.get_cell().value() == type(value)()
        gauge.get_cell().set(value)
        assert gauge.get_cell().value() == value
        del gauge


def test_samplers_count_in_intervals():
    sampler = monitoring.Sampler("/test/sampler", monitoring.ExponentialBuckets(1.0, 2.0, 3), "seconds")
    for value in (0.5, 1.0, 3.0, 9.0, 1e308):
        sampler.get_cell().add(value)
    found = sampler.get_cell().value()
    assert list(found.bucket_limit)[:3] == [1.0, 2.0, 4.0] and list(found.bucket) == [1, 1, 1, 2]
    assert (found.min, found.max, found.num) == (0.5, 1e308, 5)
