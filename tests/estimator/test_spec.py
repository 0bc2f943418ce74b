"""EstimatorSpec checks its parts, and export outputs become signatures."""
import pytest

import evergraph as tf
from evergraph.estimator.export.outputs import TrainOutput

KEYS = tf.estimator.ModeKeys


def _spec(mode, **parts):
    return tf.estimator.EstimatorSpec(mode, **parts)


@pytest.mark.parametrize(("mode", "wanted"), [(KEYS.TRAIN, "train_op"), (KEYS.EVAL, "loss"), (KEYS.PREDICT, "pred")])
def test_a_mode_needs_its_parts(mode, wanted):
    with pytest.raises(ValueError, match=wanted):
        _spec(mode)


@pytest.mark.parametrize(("parts", "error", "told"), [
    ({"loss": 1.0}, TypeError, "loss must be Tensor"),
    ({"loss": [1.0, 2.0]}, TypeError, "loss must be Tensor"),
    ({"train_op": "no"}, TypeError, "train_op must be Operation or Tensor"),
    ({"predictions": {"p": 1.0}}, TypeError, r"predictions\[p\] must be Tensor"),
    ({"eval_metric_ops": []}, TypeError, "must be a dict"),
    ({"eval_metric_ops": {"m": [1, 2]}}, TypeError, "tuples"),
    ({"training_hooks": [1]}, TypeError, "SessionRunHook"),
    ({"evaluation_hooks": [1]}, TypeError, "SessionRunHook"),
    ({"prediction_hooks": [1]}, TypeError, "SessionRunHook"),
    ({"scaffold": 1}, TypeError, "Scaffold"),
])
def test_wrong_parts(parts, error, told):
    with pytest.raises(error, match=told):
        _spec(KEYS.TRAIN, **{"loss": tf.constant(1.0), "train_op": tf.no_op(), **parts})


def test_the_loss_is_a_scalar():
    assert _spec(KEYS.EVAL, loss=tf.constant([1.0])).loss.shape == ()
    with pytest.raises(ValueError, match="scalar"):
        _spec(KEYS.EVAL, loss=tf.constant([1.0, 2.0]))


def test_tensors_are_of_this_graph():
    with tf.Graph().as_default():
        other = tf.constant(1.0)
    for parts in ({"loss": other}, {"predictions": other}, {"eval_metric_ops": {"m": (other, other)}}):
        with pytest.raises(ValueError, match="default graph"):
            _spec(KEYS.EVAL, **{"loss": tf.constant(1.0), **parts})


def test_defaults():
    spec = _spec(KEYS.TRAIN, loss=tf.constant(1.0), train_op=tf.no_op())
    assert spec.predictions == {} and spec.eval_metric_ops == {} and spec.training_hooks == ()
    assert isinstance(spec.scaffold, tf.train.Scaffold) and spec.export_outputs is None


def test_replacing_checks_again():
    spec = _spec(KEYS.EVAL, loss=tf.constant(1.0))
    assert spec._replace(predictions={"p": tf.constant(2.0)}).predictions.keys() == {"p"}
    with pytest.raises(ValueError, match="scalar"):
        spec._replace(loss=tf.constant([1.0, 2.0]))
    with pytest.raises(ValueError, match="mode"):
        spec._replace(mode=KEYS.TRAIN)


def test_one_export_is_the_default():
    output = tf.estimator.export.RegressionOutput(tf.constant([1.0]))
    spec = _spec(KEYS.PREDICT, predictions=tf.constant(1.0), export_outputs={"mine": output})
    assert spec.export_outputs == {"mine": output, "serving_default": output}
    with pytest.raises(ValueError, match="DEFAULT_SERVING_SIGNATURE_DEF_KEY"):
        _spec(KEYS.PREDICT, predictions=tf.constant(1.0), export_outputs={"a": output, "b": output})
    with pytest.raises(TypeError, match="ExportOutput"):
        _spec(KEYS.PREDICT, predictions=tf.constant(1.0), export_outputs={"a": 1})


def test_predictions_are_exported_by_default():
    spec = _spec(KEYS.PREDICT, predictions={"p": tf.constant(1.0)})
    assert spec.export_outputs["serving_default"].outputs.keys() == {"p"}
    spec = _spec(KEYS.PREDICT, predictions=tf.constant(1.0))
    assert spec.export_outputs["serving_default"].outputs.keys() == {"output"}


def test_signatures_of_outputs():
    examples = {"examples": tf.placeholder(tf.string, [None])}
    scores = tf.constant([1.0])
    made = tf.estimator.export.ClassificationOutput(scores, tf.constant(["a"])).as_signature_def(examples)
    assert made.method_name == "tensorflow/serving/classify" and set(made.outputs) == {"scores", "classes"}
    made = tf.estimator.export.RegressionOutput(scores).as_signature_def(examples)
    assert made.method_name == "tensorflow/serving/regress" and set(made.outputs) == {"outputs"}
    with pytest.raises(ValueError, match="single tensor"):
        tf.estimator.export.RegressionOutput(scores).as_signature_def({"x": scores})


def test_outputs_of_training_have_prefixes():
    made = TrainOutput(tf.constant(1.0), {"p": tf.constant(1.0)}, {("m", "1"): (tf.constant(1.0), tf.no_op())})
    signature = made.as_signature_def({"x": tf.placeholder(tf.float32)})
    assert set(signature.outputs) == {"loss", "predictions/p", "metrics/m/1/value", "metrics/m/1/update_op"}


def test_logit_functions_get_what_they_declare():
    def logits(features, mode):
        return features["x"] if mode == KEYS.EVAL else None

    x = tf.constant(1.0)
    assert tf.estimator.experimental.call_logit_fn(logits, {"x": x}, KEYS.EVAL, {}, None) is x
    with pytest.raises(ValueError, match="logit_fn should return"):
        tf.estimator.experimental.call_logit_fn(logits, {"x": x}, KEYS.TRAIN, {}, None)
