"""Estimators of TensorFlow and evergraph go on with each other's model directories and serve each other's exports."""
import inspect
import shutil

import numpy as np
import pytest

import evergraph as eg
from tests.interop.judge import ask


def work(tf, folder, steps, served=None):
    """Trains a custom Estimator; gives its losses, metrics, predictions, and those of an exported model."""

    def model_fn(features, labels, mode, params):
        with tf.variable_scope("hidden"):
            kernel = tf.get_variable("kernel", [3, params["units"]])
            bias = tf.get_variable("bias", [params["units"]], initializer=tf.zeros_initializer())
            hidden = tf.tanh(tf.matmul(features["x"], kernel) + bias)
        out = tf.matmul(hidden, tf.get_variable("out", [params["units"], 1]))
        if mode == tf.estimator.ModeKeys.PREDICT:
            outputs = {"regression": tf.estimator.export.RegressionOutput(out)}
            predict = {"predict": tf.estimator.export.PredictOutput({"out": out}), **outputs}
            predict["serving_default"] = predict["predict"]
            return tf.estimator.EstimatorSpec(mode, predictions={"out": out}, export_outputs=predict)
        loss = tf.losses.mean_squared_error(labels, out)
        train_op = tf.train.AdamOptimizer(0.05).minimize(loss, tf.train.get_global_step())
        metrics = {"mae": tf.metrics.mean_absolute_error(labels, out), "mean": tf.metrics.mean(out)}
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)

    random = np.random.RandomState(0)
    x = random.randn(32, 3).astype(np.float32)
    y = np.sin(x.sum(1, keepdims=True)).astype(np.float32)
    losses = []

    class Losses(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs(tf.get_collection(tf.GraphKeys.LOSSES)[0])

        def after_run(self, run_context, run_values):
            losses.append(float(run_values.results))

    def input_fn():
        return tf.data.Dataset.from_tensor_slices(({"x": x}, y)).batch(8)

    def serving():
        feed = tf.placeholder(tf.float32, [None, 3], name="feed")
        return tf.estimator.export.ServingInputReceiver({"x": feed}, {"x": feed})

    config = tf.estimator.RunConfig(tf_random_seed=7, save_checkpoints_steps=10)
    estimator = tf.estimator.Estimator(model_fn, folder, config, {"units": 4})
    estimator.train(lambda: input_fn().repeat(), steps=steps, hooks=[Losses()])
    results = {key: float(value) for key, value in estimator.evaluate(input_fn).items()}
    predictions = np.stack([row["out"] for row in estimator.predict(input_fn)])
    exported = estimator.export_saved_model(folder + "/export", serving).decode()
    answer = None
    if served is not None:
        with tf.Graph().as_default(), tf.Session() as session:
            model = tf.saved_model.load(session, ["serve"], served)
            signature = model.signature_def["serving_default"]
            answer = session.run(signature.outputs["out"].name, {signature.inputs["x"].name: x})
    return {"losses": losses, "results": results, "predictions": predictions, "exported": exported, "answer": answer,
            "names": estimator.get_variable_names()}


def in_tensorflow(tf, source, model_dir, steps, served=None):
    space = {"np": np}
    exec(source, space)
    return space["work"](tf, model_dir, steps, served)


def judged(tmp_path, folder, steps, served=None):
    return ask(in_tensorflow, tmp_path, source=inspect.getsource(work), model_dir=folder, steps=steps, served=served)


def close(ours, theirs, tolerance=1e-4):
    assert ours["names"] == theirs["names"]
    np.testing.assert_allclose(ours["losses"], theirs["losses"], rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(ours["predictions"], theirs["predictions"], rtol=tolerance, atol=tolerance)
    assert ours["results"] == pytest.approx(theirs["results"], abs=tolerance)


def test_either_goes_on_where_the_other_stopped(tmp_path):
    first = judged(tmp_path, str(tmp_path / "theirs"), 20)
    shutil.copytree(tmp_path / "theirs", tmp_path / "copy")
    ours = work(eg, str(tmp_path / "theirs"), 10, first["exported"])
    np.testing.assert_allclose(ours["answer"], first["predictions"], rtol=1e-5, atol=1e-6)
    theirs = judged(tmp_path, str(tmp_path / "copy"), 10)
    assert ours["results"]["global_step"] == 30
    close(ours, theirs)
    back = judged(tmp_path, str(tmp_path / "theirs"), 10, ours["exported"])
    np.testing.assert_allclose(back["answer"], ours["predictions"], rtol=1e-5, atol=1e-6)
    close(work(eg, str(tmp_path / "copy"), 10), back)
    assert back["results"]["global_step"] == 40
