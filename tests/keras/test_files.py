"""Files of models: what TensorFlow and Keras wrote is read, what is written here is read again, damage is told."""

import json
import os

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from evergraph.keras import bytecode
from tests.keras.file_models import compiled, inputs, predicted, read, written
from tests.keras.record_files import FILES

L = tf.keras.layers
ANSWERS = np.load(FILES / "answers.npz")
FORMS = ("h5", "weights", "checkpoint", "saved")


def answers(name):
    return [ANSWERS[key] for key in sorted(ANSWERS.files) if key.startswith(f"{name}_output")]


def same(found, wanted):
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted):
        np.testing.assert_allclose(one, other, atol=1e-5)


# ---- what others wrote

@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["shared", "pictures"])
def test_files_of_tensorflow(name, form):
    if (name, form) == ("shared", "saved"):
        pytest.skip("not recorded: it is large")
    outputs, losses = read(tf, name, str(FILES), form)
    same(outputs, answers(name))
    if losses is not None:  # the optimizer goes on where it was
        np.testing.assert_allclose(losses, ANSWERS[f"{name}_losses"], rtol=2e-4)


@pytest.mark.parametrize("version", ["2.2.4", "2.3.1"])
def test_files_of_keras(version):
    model = tf.keras.models.load_model(str(FILES / f"keras_{version}.h5"))
    same(predicted(model, "pictures"), list(np.load(FILES / f"keras_{version}.npz").values()))
    assert type(model.optimizer).__name__ == "SGD" and model.optimizer.get_config()["momentum"] == pytest.approx(0.9)


# ---- round trips

@pytest.mark.parametrize("name", ["shared", "pictures"])
def test_files_of_our_own(tmp_path, name):
    outputs, losses = written(tf, name, str(tmp_path))
    for form in FORMS:
        with tf.Graph().as_default():
            found, later = read(tf, name, str(tmp_path), form)
        same(found, outputs)
        if later is not None:
            np.testing.assert_allclose(later, losses, rtol=2e-5)


def test_weights_by_name(tmp_path):
    model = tf.keras.Sequential([L.Dense(3, input_shape=(2,), name="kept"), L.Dense(2, name="last")])
    model.save_weights(tmp_path / "w.h5")
    other = tf.keras.Sequential([L.Dense(3, input_shape=(2,), name="kept"), L.Dense(4, name="new")])
    before = other.get_weights()
    other.load_weights(tmp_path / "w.h5", by_name=True)
    after = other.get_weights()
    np.testing.assert_array_equal(after[0], model.get_weights()[0])
    np.testing.assert_array_equal(after[2], before[2])
    narrow = tf.keras.Sequential([L.Dense(4, input_shape=(2,), name="kept")])
    with pytest.raises(ValueError, match=r"has shape \(2, 4\), but the saved weight has shape \(2, 3\)"):
        narrow.load_weights(tmp_path / "w.h5", by_name=True)
    with pytest.raises(ValueError, match="1 \\(kept\\)"):
        narrow.load_weights(tmp_path / "w.h5")


def test_a_checkpoint_waits_for_variables(tmp_path):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = L.Dense(2)

        def call(self, inputs):
            return self.dense(inputs)

    first, x = Net(), np.ones([1, 3], "float32")
    wanted = first.predict(x)
    first.save_weights(tmp_path / "w")
    second = Net()
    second.load_weights(tmp_path / "w")
    np.testing.assert_allclose(second.predict(x), wanted, rtol=1e-6)


def test_a_checkpoint_that_is_not_there(tmp_path):
    model = tf.keras.Sequential([L.Dense(2, input_shape=(3,))])
    with pytest.raises(tf.errors.NotFoundError, match="nowhere"):
        model.load_weights(str(tmp_path / "nowhere"))
    with pytest.raises(OSError, match="nowhere.h5"):
        model.load_weights(str(tmp_path / "nowhere.h5"))


def test_long_names_take_several_attributes(tmp_path):
    name = "x" * 2**14
    model = tf.keras.Sequential([L.Dense(2, input_shape=(2,), name=f"{name}{place}") for place in range(5)])
    model.save(tmp_path / "m.h5")
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "m.h5") as file:
        assert "layer_names" not in file["model_weights"].attrs and "layer_names0" in file["model_weights"].attrs
    loaded = tf.keras.models.load_model(tmp_path / "m.h5")
    np.testing.assert_array_equal(loaded.get_weights()[-2], model.get_weights()[-2])


def test_open_files_and_replaced_ones(tmp_path):
    h5py = pytest.importorskip("h5py")
    model = compiled(tf, "pictures")
    with h5py.File(tmp_path / "open.h5", "w") as file:
        model.save(file)
    with h5py.File(tmp_path / "open.h5") as file:
        same(predicted(tf.keras.models.load_model(file), "pictures"), predicted(model, "pictures"))
    model.save(tmp_path / "m.h5")
    model.save(tmp_path / "m.h5")
    assert sorted(os.listdir(tmp_path)) == ["m.h5", "open.h5"]


def test_the_old_file_stays_if_the_new_one_cannot_be_written(tmp_path):
    model = compiled(tf, "pictures")
    model.save(tmp_path / "m.h5")
    before = (tmp_path / "m.h5").read_bytes()
    model.loss = object()  # JSON has no form for it
    with pytest.raises(TypeError):
        model.save(tmp_path / "m.h5")
    assert (tmp_path / "m.h5").read_bytes() == before and os.listdir(tmp_path) == ["m.h5"]


def test_asks_before_it_replaces(tmp_path, monkeypatch):
    model = compiled(tf, "pictures")
    model.save_weights(tmp_path / "w.h5")
    (tmp_path / "w.h5").write_bytes(b"kept")
    said = iter(["perhaps", "n"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(said))
    model.save_weights(tmp_path / "w.h5", overwrite=False)
    assert (tmp_path / "w.h5").read_bytes() == b"kept"


# ---- damage

def test_damaged_and_foreign_files(tmp_path):
    model = compiled(tf, "pictures")
    model.save(tmp_path / "m.h5")
    content = (tmp_path / "m.h5").read_bytes()
    (tmp_path / "cut.h5").write_bytes(content[: len(content) // 2])
    (tmp_path / "text.h5").write_text("no model")
    for name in ("cut.h5", "text.h5", "absent.h5"):
        with pytest.raises(OSError, match=name):
            tf.keras.models.load_model(tmp_path / name)
        with pytest.raises(OSError, match=name):
            model.load_weights(tmp_path / name)
    model.save_weights(tmp_path / "w.h5")
    with pytest.raises(ValueError, match="No model found"):
        tf.keras.models.load_model(tmp_path / "w.h5")
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["numbers"] = [1, 2]
    with pytest.raises(ValueError, match="no weights of Keras layers"):
        model.load_weights(tmp_path / "other.h5")
    (tmp_path / "folder").mkdir()
    with pytest.raises((OSError, tf.errors.NotFoundError)):
        tf.keras.models.load_model(tmp_path / "folder")


def test_bytes_that_changed_are_told(tmp_path):
    whole = (FILES / "pictures.h5").read_bytes()
    for seed in range(30):
        numbers, content = np.random.RandomState(seed), bytearray(whole)
        for place in numbers.randint(0, len(content), 40):
            content[place] = numbers.randint(256)
        (tmp_path / f"{seed}.h5").write_bytes(bytes(content))
        # The last is of a text that is whole, but names an argument that no layer has.
        with pytest.raises((OSError, ValueError, TypeError), match=rf"{seed}\.h5|config|not understood"):
            tf.keras.models.load_model(tmp_path / f"{seed}.h5")


def test_an_error_of_a_layer_is_not_taken_for_damage(tmp_path):
    class Missing(L.Layer):
        def call(self, inputs):
            raise NotImplementedError("later")

    model = tf.keras.Sequential([L.Dense(1, input_shape=(2,), name="d")])
    model.save(tmp_path / "m.h5")
    with pytest.raises(NotImplementedError, match="later"):
        tf.keras.models.load_model(tmp_path / "m.h5", {"Dense": lambda **config: Missing(input_shape=(2,))})


# ---- functions

def test_code_of_strangers_does_not_run(tmp_path):
    model = tf.keras.Sequential([L.Lambda(lambda x: x * 3.0, input_shape=(2,), name="triple")])
    model.save(tmp_path / "m.h5")
    x = np.ones([1, 2], "float32")
    assert tf.keras.models.load_model(tmp_path / "m.h5").predict(x).tolist() == [[3.0, 3.0]]  # this process wrote it
    bytecode._Trust.own.clear()
    with pytest.raises(ValueError, match="triple.*is not run"):
        tf.keras.models.load_model(tmp_path / "m.h5")
    given = tf.keras.models.load_model(tmp_path / "m.h5", {"triple": lambda x: x * 5.0})
    assert given.predict(x).tolist() == [[5.0, 5.0]]
    bytecode._Trust.everyone = True
    try:
        assert tf.keras.models.load_model(tmp_path / "m.h5").predict(x).tolist() == [[3.0, 3.0]]
    finally:
        bytecode._Trust.everyone = False


def test_own_classes_by_name(tmp_path):
    class Twice(L.Layer):
        def call(self, inputs):
            return inputs * 2.0

    model = tf.keras.Sequential([Twice(input_shape=(2,))])
    model.save(tmp_path / "m.h5")
    with pytest.raises(ValueError, match="Unknown layer: Twice"):
        tf.keras.models.load_model(tmp_path / "m.h5")
    with tf.keras.utils.custom_object_scope({"Twice": Twice}):
        loaded = tf.keras.models.load_model(tmp_path / "m.h5")
    assert loaded.predict(np.ones([1, 2])).tolist() == [[2.0, 2.0]]


def test_what_other_versions_say_by_default_is_understood():
    config = {"class_name": "Functional", "config": {
        "name": "m", "layers": [
            {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
             "config": {"batch_input_shape": [None, 4, 4, 1], "dtype": "float32", "ragged": False, "name": "x"}},
            {"class_name": "Conv2D", "name": "c", "inbound_nodes": [[["x", 0, 0, {}]]], "config": {
                "name": "c", "filters": 2, "kernel_size": {"class_name": "__tuple__", "items": [2, 2]}, "groups": 1,
                "dtype": {"class_name": "Policy", "config": {"name": "float32"}}}}],
        "input_layers": [["x", 0, 0]], "output_layers": [["c", 0, 0]]}}
    assert tf.keras.models.model_from_config(config).output_shape == (None, 3, 3, 2)
    config["config"]["layers"][1]["config"]["groups"] = 2
    with pytest.raises(tf.errors.UnimplementedError, match="groups=2"):
        tf.keras.models.model_from_config(config)


def test_optimizers_of_other_versions_are_understood():
    config = {"name": "Adam", "weight_decay": None, "clipnorm": None, "global_clipnorm": None, "clipvalue": None,
              "use_ema": False, "ema_momentum": 0.99, "ema_overwrite_frequency": None, "jit_compile": False,
              "is_legacy_optimizer": False, "learning_rate": 0.5, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-07,
              "amsgrad": False}
    made = tf.keras.optimizers.deserialize({"class_name": "Custom>Adam", "config": config})
    assert type(made).__name__ == "Adam" and made.get_config()["learning_rate"] == 0.5
    with pytest.raises(tf.errors.UnimplementedError, match="weight_decay=0.1"):
        tf.keras.optimizers.deserialize({"class_name": "Custom>Adam", "config": {**config, "weight_decay": 0.1}})


def test_models_as_text():
    model = compiled(tf, "shared")
    for text, make in ((model.to_json(), tf.keras.models.model_from_json),
                       (model.to_yaml(), tf.keras.models.model_from_yaml)):
        other = make(text)
        other.set_weights(model.get_weights())
        same(predicted(other, "shared"), predicted(model, "shared"))
    assert json.loads(model.to_json())["keras_version"] == tf.keras.__version__
    with pytest.raises(TypeError, match="list"):
        tf.keras.models.model_from_config([])


def test_exported_models(tmp_path):
    model = compiled(tf, "pictures")
    tf.keras.experimental.export_saved_model(model, tmp_path / "m")
    loaded = tf.keras.experimental.load_from_saved_model(tmp_path / "m")
    same(predicted(loaded, "pictures"), predicted(model, "pictures"))
    with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
        signature = tf.saved_model.load(session, ["serve"], str(tmp_path / "m")).signature_def["serving_default"]
        [given], [output] = signature.inputs.values(), signature.outputs.values()
        found = session.run(output.name, {given.name: inputs("pictures")[0]})
    same([found], predicted(model, "pictures"))
    with pytest.raises(ValueError, match="not yet been created"):
        tf.keras.experimental.export_saved_model(tf.keras.Sequential([L.Dense(2)]), tmp_path / "none")


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_subclassed_models_are_revived(tmp_path, mode):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first, self.drop, self.norm = L.Dense(3), L.Dropout(0.5), L.BatchNormalization()

        def call(self, inputs, training=None):
            return self.norm(self.drop(self.first(inputs[0]), training=training)), inputs[1] * 2.0

    x = [np.ones([2, 3], "float32"), np.full([2, 1], 5.0, "float32")]
    with EAGER.as_default() if mode == "eager" else tf.Graph().as_default():
        net = Net()
        wanted = net.predict(x)
        net.save(tmp_path / "m", save_format="tf")
    with EAGER.as_default() if mode == "eager" else tf.Graph().as_default():
        model = tf.keras.models.load_model(tmp_path / "m")
        same(model.predict(x), wanted)
        assert len(model.trainable_weights) == 4 and len(model.weights) == 6
        model.compile("sgd", "mse")
        before = model.get_weights()[0]
        assert np.isfinite(model.train_on_batch(x, [np.ones([2, 3]), np.ones([2, 1])])).all()
        assert not np.array_equal(model.get_weights()[0], before)


def test_checkpoints_hold_the_variables_of_feature_columns(tmp_path):
    def made():
        column = tf.feature_column.embedding_column(
            tf.feature_column.categorical_column_with_identity("kind", 4), dimension=2)
        return tf.keras.Sequential([L.DenseFeatures([column]), L.Dense(1)])

    first, given = made(), {"kind": np.array([[0], [3]])}
    wanted = first.predict(given)
    first.save_weights(tmp_path / "w")
    first.save(tmp_path / "m", save_format="tf")
    second = made()
    second.load_weights(tmp_path / "w")
    np.testing.assert_allclose(second.predict(given), wanted, rtol=1e-6)
    np.testing.assert_array_equal(second.get_weights()[0], first.get_weights()[0])


@pytest.mark.parametrize("by_element", [False, True])
def test_a_saved_model_is_called_as_its_layers_are(tmp_path, by_element):
    if by_element:
        tf.enable_tensor_equality()
    try:
        with EAGER.as_default():
            x = tf.constant([[1.0, 2.0]] * 4)
            model = tf.keras.Sequential([
                L.Dense(3, kernel_regularizer="l2", input_shape=(2,)), L.Dropout(0.5), L.Dense(1, trainable=False)])
            tf.saved_model.save(model, str(tmp_path / "m"))
            loaded = tf.saved_model.load_v2(str(tmp_path / "m"))
            np.testing.assert_allclose(loaded(x), model(x), atol=1e-6)
            assert np.ptp(loaded(tf.ones([200, 2]), training=True)) > 0 == np.ptp(loaded(tf.ones([200, 2])))
            assert [v.shape for v in loaded.variables] == [v.shape for v in model.variables]
            assert len(loaded.trainable_variables) == 2
            np.testing.assert_allclose([loss() for loss in loaded.regularization_losses], model.losses, atol=1e-6)
    finally:
        tf.disable_tensor_equality()
