"""Programs under the profiler and the debugger, as people write them."""

import builtins
import importlib
import os

import numpy as np
import pytest

import evergraph as tf
from evergraph.debug.debugger import grpc_server

debug = importlib.import_module("evergraph.python.debug")
BUILDER = tf.profiler.ProfileOptionBuilder


def model_fn(features, labels, mode):
    logits = tf.layers.dense(tf.layers.dense(features["x"], 8, tf.nn.relu, name="hidden"), 3, name="logits")
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


def batches():
    generator = np.random.RandomState(0)
    data = {"x": generator.rand(64, 4).astype(np.float32)}, generator.randint(0, 3, 64)
    return tf.data.Dataset.from_tensor_slices(data).repeat().batch(16)


def train_estimator(folder, steps, hooks=()):
    tf.estimator.Estimator(model_fn, str(folder / "model")).train(batches, hooks=list(hooks), steps=steps)


def train_monitored(folder, steps, hooks=()):
    features, labels = batches().make_one_shot_iterator().get_next()
    tf.train.get_or_create_global_step()
    train = model_fn(features, labels, tf.estimator.ModeKeys.TRAIN).train_op
    hooks = [tf.train.StopAtStepHook(steps), *hooks]
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(folder / "model"), hooks=hooks) as session:
        while not session.should_stop():
            session.run(train)


both = pytest.mark.parametrize("train", [train_estimator, train_monitored])


# ---- the profiler


@both
def test_a_profile_context_around_training(train, tmp_path):
    folder = tmp_path / "profile"  # steps are all runs, also those that initialize
    with tf.contrib.tfprof.ProfileContext(str(folder), trace_steps=range(10, 15), dump_steps=[14]) as context:
        context.add_auto_profiling("op", BUILDER(BUILDER.time_and_memory()).with_empty_output().build(), [14])
        train(tmp_path, 20)
    assert os.listdir(folder) == ["profile_14"]
    (found,) = context.get_profiles("op").values()
    assert found.total_exec_micros > 0 and found.children
    timed = BUILDER(BUILDER.time_and_memory(min_bytes=0)).with_empty_output().build()
    scopes = {child.name for child in context.profiler.profile_name_scope(timed).children}
    assert {"hidden", "logits", "gradients"} <= scopes


@both
def test_a_profiler_hook(train, tmp_path):
    train(tmp_path, 4, [tf.train.ProfilerHook(save_steps=2, output_dir=str(tmp_path / "timelines"))])
    assert any(name.startswith("timeline-") for name in os.listdir(tmp_path / "timelines"))


def test_steps_are_traced_by_hand(tmp_path):
    options = BUILDER(BUILDER.time_and_memory()).order_by("micros").with_empty_output().build()
    with tf.contrib.tfprof.ProfileContext(str(tmp_path), trace_steps=[], dump_steps=[]) as context:
        x = tf.random_normal([16, 8], name="x")
        product = tf.matmul(x, tf.get_variable("w", [8, 8]), name="product")
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            context.trace_next_step()
            context.dump_next_step()
            session.run(product)
            found = context.profiler.profile_operations(options=options)
    (name,) = os.listdir(tmp_path)
    assert name.startswith("profile_") and found.total_exec_micros > 0


def test_chains_of_options(tmp_path):
    """What the tables of tutorials ask for, in one chain each."""
    with tf.name_scope("net"):
        loss = tf.reduce_sum(tf.matmul(tf.ones([2, 4]), tf.get_variable("w", [4, 5]), name="product"))
    tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    options = (BUILDER(BUILDER.trainable_variables_parameter()).with_max_depth(6).select(["params", "float_ops"])
               .with_file_output(str(tmp_path / "chosen")).order_by("params")
               .with_accounted_types(["_trainable_variables"]).with_node_names(hide_name_regexes=["Adam.*"]).build())
    assert tf.profiler.profile(tf.get_default_graph(), cmd="scope", options=options).total_parameters == 20
    assert "w (4x5, 20/20 params" in (tmp_path / "chosen").read_text()
    code = (BUILDER(BUILDER.float_operation()).with_max_depth(1000).with_min_float_operations(1)
            .with_node_names(show_name_regexes=["test_programs.*"]).account_displayed_op_only(False)
            .with_step(-1).with_empty_output().build())
    assert tf.profiler.profile(cmd="code", options=code).total_float_ops >= 80


def test_operations_of_a_keras_model():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(4, 3, input_shape=(8, 8, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(5)])
    graph = tf.keras.backend.get_session().graph
    metadata, options = tf.RunMetadata(), BUILDER(BUILDER.float_operation()).with_empty_output().build()
    with graph.as_default():
        model(tf.placeholder(tf.float32, [1, 8, 8, 3]))
        flops = tf.profiler.profile(graph=graph, run_meta=metadata, cmd="op", options=options)
        params = tf.profiler.profile(graph=graph, run_meta=metadata, cmd="op", options=BUILDER(
            BUILDER.trainable_variables_parameter()).with_empty_output().build())
    convolution, product = 2 * 36 * 4 * 27, 2 * 144 * 5
    assert flops.total_float_ops >= convolution + product and params.total_parameters == model.count_params() == 837


# ---- the debugger


@both
def test_dumps(train, tmp_path):
    train(tmp_path, 2, [debug.DumpingDebugHook(str(tmp_path / "dumps"))])
    runs = sorted(os.listdir(tmp_path / "dumps"))
    dump = debug.DebugDumpDir(str(tmp_path / "dumps" / runs[-1]))
    assert len(runs) == 2 and dump.get_tensors("hidden/MatMul", 0, "DebugIdentity")[0].shape == (16, 8)


@both
def test_the_prompt(train, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    commands = iter(["run", "lt -n hidden/MatMul", "run -n"] + ["run -n"] * 5)
    monkeypatch.setattr(builtins, "input", lambda text: next(commands))
    train(tmp_path, 2, [debug.LocalCLIDebugHook(ui_type="readline")])
    assert "hidden/MatMul:0" in capsys.readouterr().out


@both
def test_a_server(train, tmp_path):
    port, _, _, thread, server = grpc_server.start_server_on_separate_thread(False, poll_server=True)
    train(tmp_path, 2, [debug.GrpcDebugHook(f"localhost:{port}")])
    assert [value.shape for value in server.debug_tensor_values["logits/MatMul:0:DebugIdentity"]] == [(16, 3)] * 2
    server.stop_server().wait()
    thread.join()
