"""tensorflow.python.debug: sessions and hooks that keep or show the tensors of a step."""

import builtins
import importlib
import os

import numpy as np
import pytest

import evergraph as tf

debug = importlib.import_module("evergraph.python.debug")


def quotient():
    x = tf.placeholder(tf.float32, [2], name="x")
    return x, tf.reduce_sum(tf.divide(x, x, name="ratio"), name="total")


def typed(monkeypatch, *lines):
    """Types lines at the prompt."""
    waiting = list(lines)
    monkeypatch.setattr(builtins, "input", lambda prompt: waiting.pop(0))
    return waiting


def test_dumps(session, tmp_path):
    x, total = quotient()
    watched = debug.DumpingDebugWrapperSession(session, str(tmp_path / "all"))
    assert watched.run(total, {x: [2.0, 4.0]}) == 2.0
    assert np.isnan(watched.run(total, {x: [0.0, 4.0]}))
    one, two = (debug.DebugDumpDir(str(tmp_path / "all" / run)) for run in sorted(os.listdir(tmp_path / "all")))
    assert one.get_tensors("ratio", 0, "DebugIdentity")[0].tolist() == [1, 1] and one.find(debug.has_inf_or_nan) == []
    assert [datum.tensor_name for datum in two.find(debug.has_inf_or_nan)] == ["ratio:0", "total:0"]
    assert two.find(debug.has_inf_or_nan, first_n=1)[0].watch_key == "ratio:0:DebugIdentity"
    with pytest.raises(KeyError):
        one.get_tensors("none", 0, "DebugIdentity")
    with pytest.raises(ValueError):
        debug.DumpingDebugWrapperSession(session, str(tmp_path / "all"))
    some = debug.DumpingDebugWrapperSession(session, str(tmp_path / "some"), watch_fn=lambda fetches, feeds:
                                            debug.WatchOptions(node_name_regex_whitelist="ratio"))
    some.run(total, {x: [1.0, 1.0]})
    (run,) = os.listdir(tmp_path / "some")
    assert debug.DebugDumpDir(str(tmp_path / "some" / run)).nodes() == ["ratio"]


def test_the_prompt(session, monkeypatch, capsys):
    x, total = quotient()
    watched = debug.LocalCLIDebugWrapperSession(session, ui_type="readline")
    watched.add_tensor_filter("large", lambda datum, value: value.size and np.max(value) > 100)
    left = typed(monkeypatch, "help", "lt", "run", "pt ratio", "run -f has_inf_or_nan", "lt -f large", "run -n")
    for feed in ([2.0, 4.0], [1.0, 1.0], [0.0, 1.0]):  # the second waits for the filter, which finds the third
        watched.run(total, {x: feed})
    said = capsys.readouterr().out
    assert "commands:" in said and "no step has run yet" in said and "[1. 1.]" in said
    assert said.count("ratio:0  float32 [2]") == 2 and left == ["lt -f large", "run -n"]
    assert watched.run(total, {x: [1.0, 1.0]}) == 2.0 and left == []
    typed(monkeypatch, "exit")
    with pytest.raises(SystemExit):
        watched.run(total, {x: [1.0, 1.0]})


def test_steps_that_change_variables_run_once(session, monkeypatch):
    count = tf.Variable(0)
    session.run(count.initializer)
    typed(monkeypatch, "run", "run")
    watched = debug.LocalCLIDebugWrapperSession(session)
    add = tf.assign_add(count, 1)
    watched.run([add.op, {"value": add}])
    assert session.run(count) == 1 and watched.graph is session.graph


def test_hooks(tmp_path, monkeypatch, capsys):
    step = tf.train.get_or_create_global_step()
    train = tf.assign_add(step, 1, name="train")
    typed(monkeypatch, "run", "run -n")
    hooks = [debug.DumpingDebugHook(str(tmp_path / "dumps")), debug.LocalCLIDebugHook()]
    with tf.train.MonitoredSession(hooks=hooks) as session:
        session.run(train)
        assert session.run(train) == 2
    assert len(os.listdir(tmp_path / "dumps")) == 2 and "train" in capsys.readouterr().out
