"""tf.contrib.nccl, memory_stats, sparsemax, and helpers that programs import from inside TensorFlow."""

import importlib

import numpy as np
import pytest

import evergraph as tf


def inside(path):
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(f"evergraph.{module}"), name)


def test_reductions_over_copies(session):
    nccl = tf.contrib.nccl
    copies = [tf.constant([1.0, 5.0]), tf.constant([2.0, 3.0])]
    for function, wanted in ((nccl.all_sum, [3, 8]), (nccl.all_prod, [2, 15]), (nccl.all_min, [1, 3]),
                             (nccl.all_max, [2, 5])):
        assert [value.tolist() for value in session.run(function(copies))] == [wanted] * 2
    assert session.run(nccl.reduce_sum(copies)).tolist() == [3, 8]
    assert session.run(tf.gradients(nccl.all_sum(copies), copies[0])[0]).tolist() == [2, 2]
    with pytest.raises(ValueError):
        nccl.all_sum([])


def test_memory(session):
    stats = tf.contrib.memory_stats
    used, peak, limit = session.run([stats.BytesInUse(), stats.MaxBytesInUse(), stats.BytesLimit()])
    assert 10**6 < used <= limit and 10**6 < peak <= limit and peak.dtype == np.int64


def test_sparsemax(session):
    logits = tf.constant([[1.0, 0.9, -2.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    chosen = tf.contrib.sparsemax.sparsemax(logits)
    np.testing.assert_allclose(session.run(chosen), [[0.55, 0.45, 0], [1, 0, 0], [1 / 3] * 3], rtol=1e-6)
    labels = tf.constant([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])
    loss = tf.contrib.sparsemax.sparsemax_loss(logits, chosen, labels)
    gradient = session.run(tf.gradients(loss, logits)[0])
    np.testing.assert_allclose(gradient, session.run(chosen) - session.run(labels), atol=1e-6)


def test_weighted_averages(session):
    average = inside("python.training.moving_averages.weighted_moving_average")
    x = tf.placeholder(tf.float32, [])
    found = average(x, 0.5, tf.constant(2.0))
    session.run(tf.global_variables_initializer())
    assert [session.run(found, {x: value}) for value in (3.0, 6.0)] == [3.0, 5.0]


def test_graphs_for_inference(tmp_path):
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.check_numerics(tf.identity(x * 2.0, name="same"), "bad", name="check")
    tf.identity(y + 1.0, name="out")
    tf.constant(7.0, name="unused")
    definition = tf.get_default_graph().as_graph_def()
    optimize = inside("python.tools.optimize_for_inference_lib.optimize_for_inference")
    found = optimize(definition, ["mul"], ["out"], tf.float32.as_datatype_enum)
    names = {node.name: node.op for node in found.node}
    assert names["mul"] == "Placeholder" and "check" not in names and "unused" not in names and "x" not in names
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(found, name="")
        assert session.run("out:0", {"mul:0": [2.0, 3.0]}).tolist() == [3.0, 4.0]
        assert graph.get_operation_by_name("mul").type == "Placeholder"
    with pytest.raises(KeyError):
        optimize(definition, ["none"], ["out"], 1)


def test_summary_helpers():
    util = importlib.import_module("evergraph.python.ops.summary_op_util")
    with tf.name_scope("outer"), util.summary_scope(None, default_name="a b", family="f") as (tag, scope):
        assert tag == "f/outer/f/a_b" and scope == "outer/f/a_b/"
    value = tf.constant("x")
    util.collect(value, None, ["own"])
    assert tf.get_collection("own") == [value]


def test_event_files(tmp_path):
    writer = inside("python.pywrap_tensorflow.EventsWriter")(str(tmp_path / "logs" / "own").encode())
    event = tf.Event(step=3, summary=tf.Summary(value=[tf.Summary.Value(tag="x", simple_value=2.5)]))
    writer.WriteEvent(event)
    assert writer.Flush()
    path = writer.FileName().decode()
    assert path.startswith(str(tmp_path / "logs" / "own.out.tfevents."))
    first, second = tf.train.summary_iterator(path)
    assert first.file_version == "brain.Event:2" and second.step == 3 and second.summary.value[0].simple_value == 2.5
    assert writer.Close()
    chooses = inside("python.training.device_setter._RoundRobinStrategy")(2)
    assert [chooses(None) for _ in range(3)] == [0, 1, 0]


def test_identity_collections():
    one, two = [1], [1]
    held = inside("python.util.object_identity.ObjectIdentitySet")([one])
    assert one in held and two not in held and len(held) == 1
    mapping = inside("python.util.object_identity.ObjectIdentityDictionary")([(one, "a")])
    mapping[two] = "b"
    assert mapping[one] == "a" and len(mapping) == 2 and list(mapping)[1] is two
    with pytest.raises(KeyError):
        mapping[[1]]
    names = {}
    names["later"] = inside("python.util.lazy_loader.LazyLoader")("later", names, "fractions")
    assert names["later"].Fraction(1, 2).denominator == 2 and type(names["later"]).__name__ == "module"


def test_names_that_moved():
    assert tf.contrib.layers.summaries.summarize_activation is tf.contrib.layers.summarize_activation
    assert inside("contrib.metrics.python.ops.set_ops.set_size") is tf.sets.set_size
    assert inside("python.util.deprecation.deprecated") is tf.contrib.framework.deprecated
