"""tf.contrib.learn.Estimator: over tf.estimator, with the modes, results and inputs of its own."""

import numpy as np
import pytest

import evergraph as tf
from tests.estimator.models import X, batches, serving

learn = tf.contrib.learn


def model_fn(features, labels, mode, params):
    """Fits y = w * x + b. The names of features and labels do not matter."""
    x = features["x"] if isinstance(features, dict) else features
    w, b = (tf.get_variable(name, [], initializer=tf.zeros_initializer()) for name in "wb")
    y = w * tf.to_float(x) + b
    if mode == learn.ModeKeys.INFER:
        assert labels is None or labels.op.type == "Placeholder"
        return learn.ModelFnOps(mode, predictions={"y": y})
    loss = tf.losses.mean_squared_error(labels, y)
    step = tf.train.GradientDescentOptimizer(params["rate"]).minimize(loss, tf.train.get_global_step())
    return learn.ModelFnOps(mode, {"y": y}, loss, step)


def made(folder, fn=model_fn, **options):
    return learn.Estimator(fn, str(folder), params={"rate": 0.01}, **options)


def test_fit_evaluate_predict_export(tmp_path):
    estimator = made(tmp_path)
    assert estimator.fit(input_fn=batches, steps=40) is estimator
    metrics = estimator.evaluate(input_fn=lambda: batches(1), metrics={
        "mae": learn.MetricSpec(tf.metrics.mean_absolute_error, prediction_key="y"),
        ("largest", "y"): lambda predictions, labels: tf.reduce_max(tf.abs(predictions - labels))})
    rows = [row["y"] for row in estimator.predict(input_fn=lambda: batches(1))]
    errors = np.abs(np.array(rows) - (2 * X + 1))
    assert metrics["global_step"] == 40 and metrics["mae"] == pytest.approx(errors.mean(), rel=1e-4)
    assert metrics["largest"] == pytest.approx(errors.reshape(2, 4).max(axis=1).mean(), rel=1e-4)
    exported = estimator.export_savedmodel(str(tmp_path / "export"), serving)
    predict = tf.contrib.predictor.from_saved_model(exported.decode())
    np.testing.assert_allclose(predict({"x": X})["y"], rows, rtol=1e-5)


def test_arrays_as_input_and_scikit_learns_methods(tmp_path):
    estimator = learn.SKCompat(made(tmp_path))
    assert estimator.fit(X, 2 * X + 1, batch_size=4, steps=60) is estimator
    found = estimator.predict(X)["y"]
    assert found.shape == X.shape and estimator.score(X, 2 * X + 1)["loss"] == pytest.approx(
        np.mean((found - 2 * X - 1) ** 2), rel=1e-4)


def test_tuples_engineered_features_and_the_directory(tmp_path):
    def tuple_fn(features, labels, model_dir):
        assert model_dir == str(tmp_path)
        w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        return w * features["x"], tf.reduce_mean(features["x"]) + 0.0 * w, tf.train.get_global_step().assign_add(1).op

    estimator = learn.Estimator(tuple_fn, str(tmp_path),
                                feature_engineering_fn=lambda f, labels: ({"x": f["x"] * 0.0 + 3.0}, labels))
    assert estimator.fit(input_fn=batches, steps=2).evaluate(input_fn=lambda: batches(1))["loss"] == 3.0
    with pytest.raises(ValueError, match="Missing train_op"):
        learn.Estimator(lambda f, l: (None, tf.constant(1.0), None)).fit(input_fn=batches, steps=1)


def test_a_served_model_may_read_other_dtypes_than_training(tmp_path):
    columns = [tf.contrib.layers.real_valued_column("x")]
    made = tf.contrib.learn.LinearRegressor(columns, model_dir=str(tmp_path / "model"))
    made.fit(input_fn=lambda: ({"x": tf.constant([[1.0], [2.0]], tf.float64)}, tf.constant([[1.0], [2.0]])), steps=2)
    path = made.export_savedmodel(str(tmp_path / "export"), tf.contrib.learn.build_parsing_serving_input_fn(
        tf.contrib.layers.create_feature_spec_for_parsing(columns)))
    assert tf.saved_model.contains_saved_model(path)
    with pytest.raises(ValueError, match="features are incompatible with given information"):
        made.predict(input_fn=lambda: {"x": tf.constant([[1.0]])}, as_iterable=False)


def test_an_experiment_with_metrics_and_exports(tmp_path):
    experiment = learn.Experiment(
        made(tmp_path, config=learn.RunConfig(save_checkpoints_steps=5)), batches, lambda: batches(1), train_steps=5,
        eval_steps=None, eval_metrics={"mae": learn.MetricSpec(tf.metrics.mean_absolute_error)},
        export_strategies=learn.make_export_strategy(
            lambda: learn.InputFnOps(serving().features, None, serving().receiver_tensors)))
    metrics, exports = experiment.train_and_evaluate()
    assert metrics["global_step"] == 5 and "mae" in metrics and len(exports) == 1
    assert isinstance(experiment.estimator, learn.Estimator)


def test_wrong_inputs_are_refused(tmp_path):
    estimator = made(tmp_path)
    for options, message in (({}, "Either x or input_fn"), ({"x": X, "input_fn": batches}, "both input_fn and x or y"),
                             ({"input_fn": batches, "batch_size": 3}, "both input_fn and batch_size"),
                             ({"x": tf.constant(X)}, "cannot be tensors")):
        with pytest.raises(ValueError, match=message):
            estimator.fit(steps=1, **options)
    spec = learn.MetricSpec(tf.metrics.accuracy, label_key="a")
    with pytest.raises(ValueError, match="requires labels dict"):
        spec.create_metric_ops(None, tf.constant([1]), tf.constant([1]))
    with pytest.raises(ValueError, match="without specified prediction_key"):
        learn.MetricSpec(tf.metrics.accuracy).create_metric_ops(None, [1], {"a": 1, "b": 2})


def test_runs_of_tensors(tmp_path):
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    x = tf.placeholder(tf.float32, [])
    with tf.Session() as session:
        session.run(w.assign(5.0))
        saved = tf.train.Saver().save(session, str(tmp_path / "model"))
    assert learn.run_n({"y": w * x, "w": w}, {x: 2.0}, n=2) == [{"y": 2.0, "w": 1.0}] * 2
    assert learn.run_n({"y": w * x}, {x: 2.0}, saved) == [{"y": 10.0}]


def test_a_file_is_downloaded_once(tmp_path):
    source = tmp_path / "source.txt"
    source.write_text("words")
    folder = tmp_path / "new"
    path = learn.datasets.base.maybe_download("kept.txt", str(folder), source.as_uri())
    source.unlink()
    assert learn.datasets.base.maybe_download("kept.txt", str(folder), source.as_uri()) == path
    assert (folder / "kept.txt").read_text() == "words"


def test_hooks_stay_and_monitors_become_one(tmp_path):
    hook, estimator = tf.train.StopAtStepHook(3), made(tmp_path)
    replace = learn.monitors.replace_monitors_with_hooks
    assert replace([hook], None) == [hook] and replace(None, None) == []
    with pytest.raises(ValueError, match="neither"):
        replace([hook, object()], None)
    capture = learn.monitors.CaptureVariable("w:0", every_n=2, first_n=1)
    estimator.fit(input_fn=batches, steps=4, monitors=[hook, capture, learn.monitors.StopAtStep(last_step=3)])
    assert estimator.get_variable_value("global_step") == 3 and list(capture.values) == [1, 3]
