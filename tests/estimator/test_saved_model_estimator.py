"""SavedModelEstimator goes on with a model of which there is a SavedModel alone."""
import pytest

import evergraph as tf
from evergraph.estimator.export.receivers import SupervisedInputReceiver
from tests.estimator.models import X, batches, line, serving


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path)


def supervised():
    x, y = tf.placeholder(tf.float32, [None, 1], name="x"), tf.placeholder(tf.float32, [None, 1], name="y_true")
    return SupervisedInputReceiver({"x": x}, y, {"x": x, "label": y})


def exported(folder, model_fn=line, **receivers):
    estimator = tf.estimator.Estimator(model_fn, f"{folder}/first")
    estimator.train(batches, steps=3)
    return estimator, estimator.experimental_export_all_saved_models(f"{folder}/export", receivers)


def test_all_modes_go_on(folder):
    first, path = exported(folder, train=supervised, eval=supervised, infer=serving)
    second = tf.contrib.estimator.SavedModelEstimator(path, f"{folder}/second")
    wanted, found = first.evaluate(lambda: batches(1)), second.evaluate(lambda: batches(1))
    assert found == pytest.approx({"loss": wanted["loss"], "metrics/mae": wanted["mae"], "global_step": 3})
    first.train(batches, steps=2)
    second.train(batches, steps=2)
    assert second.get_variable_value("global_step") == 5
    assert second.get_variable_value("w") == pytest.approx(first.get_variable_value("w"))
    features = lambda: tf.data.Dataset.from_tensors({"x": X})  # noqa: E731
    assert next(second.predict(features))["y"] == pytest.approx(next(first.predict(features))["y"])
    again = second.experimental_export_all_saved_models(f"{folder}/again", {"train": supervised, "infer": serving})
    third = tf.contrib.estimator.SavedModelEstimator(again, f"{folder}/third")
    assert third.train(batches, steps=1).get_variable_value("global_step") == 6


def test_what_does_not_fit(folder):
    _, path = exported(folder, eval=supervised)
    estimator = tf.contrib.estimator.SavedModelEstimator(path, f"{folder}/second")
    with pytest.raises(RuntimeError, match="train mode is not available"):
        estimator.train(batches, steps=1)
    for features, told in (({"x": X[:, 0]}, "Expected shape"), ({"x": X.astype(int)}, "Expected dtype"),
                           ({"z": X}, r"wants the inputs \['x'\]")):
        with pytest.raises(ValueError, match=told):
            estimator.evaluate(lambda features=features: tf.data.Dataset.from_tensors((features, X)), 1)


def test_custom_local_init_op_initializes_metrics_too(folder):
    def model_fn(features, labels, mode):
        spec = line(features, labels, mode)
        start = tf.group(tf.local_variables_initializer(), tf.tables_initializer())
        return spec._replace(scaffold=tf.train.Scaffold(local_init_op=start))

    first, path = exported(folder, model_fn, eval=supervised)
    second = tf.contrib.estimator.SavedModelEstimator(path, f"{folder}/second")
    assert second.evaluate(batches, 1)["loss"] == pytest.approx(first.evaluate(batches, 1)["loss"])


def test_control_inputs_are_replaced(folder):
    def model_fn(features, labels, mode):
        with tf.control_dependencies([features["x"]]):
            return line(features, labels, mode)

    _, path = exported(folder, model_fn, eval=supervised)
    assert tf.contrib.estimator.SavedModelEstimator(path, f"{folder}/second").evaluate(batches, 1)["global_step"] == 3
