"""TPUEstimator, tf.tpu and what configures them: on one device, with and without use_tpu."""

import glob
import json

import numpy as np
import pytest

import evergraph as tf
from evergraph.cli.plots.scalars import lines_of
from evergraph.estimator.tpu.files import StreamingFilesDataset
from tests.estimator.models import X

TPU = tf.contrib.tpu


def model(features, labels, mode, params):
    """Fits y = w * x, and notes what it is told."""
    w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
    y = w * features["x"]
    seen.append((mode, {name: value for name, value in params.items() if name != "context"}))
    assert ("context" in params) == params["use_tpu"]
    if mode == tf.estimator.ModeKeys.PREDICT:
        return TPU.TPUEstimatorSpec(mode, predictions={"y": y})
    loss = tf.losses.mean_squared_error(labels, y)
    optimizer = TPU.CrossShardOptimizer(tf.train.GradientDescentOptimizer(0.01))
    train_op = optimizer.minimize(loss, tf.train.get_global_step())

    def metrics(labels, y):
        return {"mae": tf.metrics.mean_absolute_error(labels, y)}

    def host(step):
        return [tf.assign_add(tf.Variable(0, name="calls", trainable=False), 1), tf.identity(step)]

    return TPU.TPUEstimatorSpec(mode, loss=loss, train_op=train_op, eval_metrics=(metrics, [labels, y]),
                                host_call=(host, [tf.train.get_global_step()]))


def batches(params):
    return tf.data.Dataset.from_tensor_slices(({"x": X}, 2.0 * X)).repeat(4).batch(params["batch_size"])


seen: list = []


@pytest.fixture(autouse=True)
def _nothing_seen():
    seen.clear()


def estimator(folder, **kwargs):
    config = TPU.RunConfig(model_dir=str(folder), tpu_config=TPU.TPUConfig(iterations_per_loop=3), tf_random_seed=1,
                           log_step_count_steps=2)
    return TPU.TPUEstimator(model, config=config, params={"rate": 0.1}, train_batch_size=4, eval_batch_size=8,
                            predict_batch_size=3, **kwargs)


@pytest.mark.parametrize("use_tpu", [False, True])
def test_trains_evaluates_and_predicts_with_batch_sizes_of_its_own(tmp_path, use_tpu):
    trained = estimator(tmp_path, use_tpu=use_tpu)
    trained.train(batches, max_steps=6)
    result = trained.evaluate(batches, steps=1)
    guesses = list(trained.predict(batches))
    assert result["global_step"] == 6 and result["mae"] == pytest.approx(
        np.mean(abs(2.0 - trained.get_variable_value("w")) * X))
    assert len(guesses) == 32  # the last batch is smaller
    np.testing.assert_allclose(guesses[1]["y"], trained.get_variable_value("w") * X[1])
    assert seen == [("train", {"rate": 0.1, "batch_size": 4, "use_tpu": use_tpu}),
                    ("eval", {"rate": 0.1, "batch_size": 8, "use_tpu": use_tpu}),
                    ("infer", {"rate": 0.1, "batch_size": 3, "use_tpu": use_tpu})]
    assert trained.get_variable_value("calls") == 6  # the host call runs beside each step
    assert {"examples/sec", "global_step/sec", "loss"} <= set(lines_of([str(tmp_path)]))


def test_a_host_call_may_run_in_one_of_several_steps(tmp_path):
    config = TPU.RunConfig(tpu_config=TPU.TPUConfig(experimental_host_call_every_n_steps=2))
    trained = TPU.TPUEstimator(model, str(tmp_path), config, {}, use_tpu=False, train_batch_size=4)
    trained.train(batches, steps=5)
    assert trained.get_variable_value("calls") == 3


def test_exports(tmp_path):
    trained = estimator(tmp_path, use_tpu=False)
    trained.train(batches, max_steps=2)
    x = tf.placeholder(tf.float32, [None, 1])
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn({"x": x})
    path = trained.export_savedmodel(str(tmp_path / "export"), receiver).decode()
    assert glob.glob(f"{path}/saved_model.pb")
    served = tf.contrib.predictor.from_saved_model(path)({"x": X})
    np.testing.assert_allclose(list(served.values())[0], trained.get_variable_value("w") * X)


def ignores_params():
    return None


@pytest.mark.parametrize("call, error, told", [
    (lambda: TPU.TPUEstimator(model, config=tf.estimator.RunConfig()), ValueError, "tpu.RunConfig"),
    (lambda: TPU.TPUEstimator(model, config=TPU.RunConfig(), params={"batch_size": 1}), ValueError, "must not hold"),
    (lambda: TPU.TPUEstimator(model, config=TPU.RunConfig(), params={}), ValueError, "train_batch_size"),
    (lambda: TPU.TPUEstimator(model, config=TPU.RunConfig(tpu_config=TPU.TPUConfig(num_shards=8)), params={},
                              train_batch_size=8), tf.errors.UnimplementedError, "num_shards=8"),
    (lambda: estimator("/tmp/never").train(batches), ValueError, "steps"),
    (lambda: estimator("/tmp/never").evaluate(batches), ValueError, "steps"),
    (lambda: estimator("/tmp/never").train(ignores_params, steps=1), ValueError, "params"),
    (lambda: TPU.TPUConfig(num_shards=0), ValueError, "must be positive"),
    (lambda: TPU.TPUConfig(iterations_per_loop="-1h"), ValueError, "must be positive"),
    (lambda: TPU.TPUConfig(iterations_per_loop="soon"), ValueError, "30s"),
    (lambda: TPU.TPUConfig(num_cores_per_replica=7), ValueError, "got 7"),
    (lambda: TPU.TPUEstimatorSpec("eval", loss=0.0, eval_metrics=lambda x: x), ValueError, "eval_metrics"),
    (lambda: TPU.TPUEstimatorSpec("train", host_call=(1, [])), TypeError, "host_call"),
    (lambda: TPU.TPUEstimatorSpec("train", training_hooks=[1]), TypeError, "SessionRunHook"),
    (lambda: TPU.CrossShardOptimizer(tf.train.AdamOptimizer(), reduction="none"), ValueError, "reduction"),
    (lambda: tf.contrib.cluster_resolver.TPUClusterResolver("grpc://host"), tf.errors.UnimplementedError, "machine"),
])
def test_what_cannot_be_is_refused(call, error, told):
    with pytest.raises(error, match=told):
        call()


def test_a_run_config(monkeypatch):
    config = TPU.RunConfig(master="m", save_checkpoints_steps=7)
    assert (config.master, config.evaluation_master, config.save_checkpoints_steps) == ("m", "m", 7)
    assert config.tpu_config == TPU.TPUConfig()
    assert config.tpu_config.per_host_input_for_training == TPU.InputPipelineConfig.PER_HOST_V1
    changed = config.replace(tpu_config=TPU.TPUConfig(num_shards=1), tf_random_seed=3)
    assert changed.tpu_config.num_shards == 1 and changed.tf_random_seed == 3 and config.tpu_config.num_shards is None
    assert TPU.RunConfig(cluster=tf.contrib.cluster_resolver.TPUClusterResolver()).master == ""
    monkeypatch.setenv("TF_CONFIG", json.dumps({"service": {"tpu_worker_job_name": "job"}}))
    assert TPU.TPUConfig().tpu_job_name == "job"


def test_computations_of_one_replica(session):
    v = tf.get_variable("v", initializer=1.0)
    twice, = tf.tpu.rewrite(lambda x: 2.0 * tf.tpu.cross_replica_sum(x), [3.0])
    after = tf.tpu.rewrite(lambda x: (tf.assign_add(v, x).op, x), [4.0])
    only = tf.tpu.rewrite(lambda: tf.assign(v, 9.0).op)
    parts = tf.tpu.shard(lambda a, b: {"sum": a + b}, [1.0, 2.0])
    gradient, = tf.gradients(twice, session.graph.get_tensor_by_name("TPUReplicate/Const:0"))
    session.run(v.initializer)
    assert session.run([twice, parts, gradient]) == [6.0, [3.0], 2.0]
    assert session.run([after, v]) == [(4.0,), 5.0]
    assert session.run([only, v]) == [None, 9.0]
    with pytest.raises(tf.errors.UnimplementedError, match="2 replicas"):
        tf.tpu.replicate(lambda x: x, [[1.0], [2.0]])


def test_variables_of_a_bfloat16_scope_are_kept_as_float32(session):
    with tf.tpu.bfloat16_scope():
        used = tf.get_variable("w", [2], tf.bfloat16, tf.ones_initializer())
    kept, = tf.global_variables()
    assert used.dtype == tf.bfloat16 and kept.dtype.base_dtype == tf.float32 and kept.op.name == "w"


def test_streaming_files(tmp_path, session):
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"{name}1\n{name}2\n")
    pattern, lines = str(tmp_path / "*.txt"), {f"{name}{i}".encode() for name in "abc" for i in (1, 2)}
    once = StreamingFilesDataset(pattern, "textline", num_epochs=2, num_parallel_reads=2).batch(13)
    names = tf.data.Dataset.from_tensor_slices([str(tmp_path / "b.txt"), str(tmp_path / "a.txt")])
    in_order = StreamingFilesDataset(names, tf.data.TextLineDataset, filename_shuffle_buffer_size=False,
                                     num_parallel_reads=2).batch(7)
    found, ordered = session.run([each.make_one_shot_iterator().get_next() for each in (once, in_order)])
    assert len(found) == 12 and set(found) == lines
    assert ordered.tolist() == [b"b1", b"a1", b"b2", b"a2", b"b1", b"a1", b"b2"]
    for files, kind in ((pattern, "foo"), (pattern, 3), (123, "tfrecord")):
        with pytest.raises(ValueError):
            StreamingFilesDataset(files, kind)
