"""Exports of estimators: receivers, signatures, several modes, assets, and starts from other models."""
import os
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from evergraph.estimator.export.receivers import SupervisedInputReceiver
from evergraph.estimator.export.signatures import build_all_signature_defs
from tests.estimator.models import X, batches, line, serving


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "model")


@pytest.fixture
def trained(folder):
    return tf.estimator.Estimator(line, folder, params={"start": 3.0, "rate": 1e-9}).train(batches, steps=1)


def supervised():
    x, y = tf.placeholder(tf.float32, [None, 1], name="x"), tf.placeholder(tf.float32, [None, 1], name="y_true")
    return SupervisedInputReceiver({"x": x}, y, {"x": x, "label": y})


# ---- receivers


@pytest.mark.parametrize(("features", "receivers", "told"), [
    (None, 1, "features must be defined"), ({"x": [1]}, 1, "feature x must be"), ({1.5: 1}, 1, "strings or ints"),
    ({}, None, "receiver_tensors must be defined"), ({}, {1: 1}, "must be strings"), ({}, {"a": 1}, "must be a Tensor"),
])
def test_wrong_receivers(features, receivers, told):
    with pytest.raises(ValueError, match=told):
        tf.estimator.export.ServingInputReceiver(features, receivers)


def test_single_tensors_have_names():
    x = tf.constant([1.0])
    receiver = tf.estimator.export.ServingInputReceiver(x, x)
    assert (list(receiver.features), list(receiver.receiver_tensors)) == (["feature"], ["input"])
    assert tf.estimator.export.TensorServingInputReceiver(x, x).features is x


def test_built_receivers():
    spec = {"x": tf.FixedLenFeature([1], tf.float32)}
    parsed = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec, default_batch_size=2)()
    assert parsed.receiver_tensors["examples"].name == "input_example_tensor:0" and parsed.features["x"].shape == [2, 1]
    raw = tf.estimator.export.build_raw_serving_input_receiver_fn({"a": tf.ones([3, 2], name="a")})
    with tf.Graph().as_default():
        assert raw().features["a"].name == "a:0" and raw().features["a"].shape.as_list() == [None, 2]
    both = tf.estimator.experimental.build_raw_supervised_input_receiver_fn({"a": tf.ones([3])}, tf.ones([3]))()
    assert set(both.receiver_tensors) == {"a", "label"}
    with pytest.raises(ValueError, match="same key"):
        tf.estimator.experimental.build_raw_supervised_input_receiver_fn({"a": 1}, {"a": 1})


def test_outputs_and_alternative_inputs_become_signatures():
    examples, other = tf.placeholder(tf.string, [None]), tf.placeholder(tf.float32)
    outputs = {"serving_default": tf.estimator.export.RegressionOutput(tf.constant([1.0])),
               "predict": tf.estimator.export.PredictOutput(tf.constant([1.0]))}
    made = build_all_signature_defs(examples, outputs, {"other": other})
    assert set(made) == {"serving_default", "predict", "other:predict"}  # a regression takes examples alone
    assert set(made["other:predict"].inputs) == {"input"}


# ---- SavedModels


def test_an_exported_model_predicts(trained, folder):
    path = trained.export_saved_model(f"{folder}/export", serving)
    assert os.path.dirname(path) == f"{folder}/export".encode() and len(os.listdir(f"{folder}/export")) == 1
    predict = tf.contrib.predictor.from_saved_model(path)
    assert predict({"x": [[2.0]]})["twice"] == pytest.approx(12.0)


def test_parsed_examples(trained, folder):
    spec = {"x": tf.FixedLenFeature([1], tf.float32)}
    path = trained.export_savedmodel(
        f"{folder}/export", tf.estimator.export.build_parsing_serving_input_receiver_fn(spec), as_text=True)
    assert os.path.exists(os.path.join(path, b"saved_model.pbtxt"))
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.append(2.0)
    predict = tf.contrib.predictor.from_saved_model(path)
    assert predict({"examples": [example.SerializeToString()]})["y"] == pytest.approx(6.0)


def test_several_modes_share_the_variables(trained, folder):
    functions = {"train": supervised, "eval": supervised, "infer": serving}
    path = trained.experimental_export_all_saved_models(f"{folder}/export", functions)
    for tag, outputs in (("train", {"loss", "predictions/y", "metrics/mae/value", "metrics/mae/update_op"}),
                         ("serve", {"y", "twice"})):
        with tf.Graph().as_default(), tf.Session() as session:
            model = tf.saved_model.load(session, [tag], path)
            (signature,) = model.signature_def.values()
            assert set(signature.outputs) == outputs
            assert session.run("w:0") == pytest.approx(3.0)
    with tf.Graph().as_default(), tf.Session() as session:
        model = tf.saved_model.load(session, ["eval"], path)
        session.run("mean_absolute_error/update_op:0", {"x:0": X, "y_true:0": 3.0 * X + 2.0})
        assert session.run(model.signature_def["eval"].outputs["metrics/mae/value"].name) == pytest.approx(2.0)


def test_assets(trained, folder, tmp_path):
    (tmp_path / "words").write_text("a\nb\n")

    def model_fn(features, labels, mode):
        table = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(
            str(tmp_path / "words"), tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
            tf.lookup.TextFileIndex.LINE_NUMBER), -1)
        spec = line(features, labels, mode)
        return spec._replace(predictions={"id": table.lookup(tf.constant(["b"]))}, export_outputs=None)

    path = tf.estimator.Estimator(model_fn, folder).export_saved_model(
        f"{folder}/export", serving, assets_extra={"more/words": str(tmp_path / "words")}).decode()
    os.remove(tmp_path / "words")
    for copy in ("assets.extra/more/words", "assets/words"):
        assert Path(path, copy).read_text() == "a\nb\n"
    assert tf.contrib.predictor.from_saved_model(path)({"x": [[0.0]]})["id"].tolist() == [1]


def test_what_cannot_be_exported(folder, trained):
    with pytest.raises(ValueError, match="not find trained model"):
        tf.estimator.Estimator(line, f"{folder}/other").export_saved_model(f"{folder}/export", serving)
    with pytest.raises(ValueError, match="modes"):
        trained.experimental_export_all_saved_models(f"{folder}/export", {})

    def model_fn(features, labels, mode):
        tf.get_variable("new", [])
        return line(features, labels, mode)

    with pytest.raises(ValueError, match="Could not load all requested variables(.|\n)*`infer`(.|\n)*new"):
        tf.estimator.Estimator(model_fn, folder).export_saved_model(f"{folder}/export", serving)
    assert not [name for name in os.listdir(f"{folder}/export") if not name.startswith("temp-")]


# ---- starting from another model


def test_starting_from_a_checkpoint_or_saved_model(trained, folder):
    path = trained.export_saved_model(f"{folder}/export", serving)
    for number, start in enumerate((folder, trained.latest_checkpoint(), path)):
        estimator = tf.estimator.Estimator(line, f"{folder}/{number}", params={"rate": 1e-9}, warm_start_from=start)
        found = [float(each["y"][0]) for each in estimator.predict(lambda: batches(1), "y")]
        assert found == pytest.approx((3.0 * X[:, 0]).tolist(), abs=1e-6)
        assert estimator.evaluate(batches, 1)["global_step"] == 0
        estimator.train(batches, steps=2)
        assert estimator.get_variable_value("w") == pytest.approx(3.0)
        assert estimator.get_variable_value("global_step") == 2


def test_starting_with_some_variables(trained, folder):
    settings = tf.estimator.WarmStartSettings(folder, "b", var_name_to_prev_var_name={"b": "w"})
    estimator = tf.estimator.Estimator(line, f"{folder}/next", params={"rate": 1e-9}, warm_start_from=settings)
    estimator.train(batches, steps=1)
    values = [estimator.get_variable_value(name) for name in ("w", "b")]
    np.testing.assert_allclose(values, [0.0, 3.0], atol=1e-6)
    with pytest.raises(ValueError, match="string or a WarmStartSettings"):
        tf.estimator.Estimator(line, folder, warm_start_from=1)
    with pytest.raises(ValueError, match="needs ckpt_to_initialize_from"):
        tf.estimator.WarmStartSettings("")
