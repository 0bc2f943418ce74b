"""Tools around models: clones, drawings, matrices in files, several devices, scikit-learn, estimators, policies."""

import sys
import types

import numpy as np
import pytest

import evergraph as tf
from tests.keras.file_models import compiled, predicted, shared

K, L = tf.keras.backend, tf.keras.layers


# ---- configurations

def test_a_clone_has_variables_of_its_own():
    model = shared(tf)
    clone = tf.keras.models.clone_model(model)
    assert not set(clone.weights) & set(model.weights) and [each.name for each in clone.layers] == [
        each.name for each in model.layers]
    clone.set_weights(model.get_weights())
    for one, other in zip(predicted(clone, "shared"), predicted(model, "shared")):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    stack = tf.keras.Sequential([L.Dense(2, input_shape=(3,)), L.Dense(1)])
    assert tf.keras.models.clone_model(stack).input_shape == (None, 3)
    given = tf.keras.models.clone_model(stack, tf.ones([4, 3]))
    assert K.get_value(given.output).shape == (4, 1)
    wider = tf.keras.models.clone_model(stack, clone_function=lambda layer: L.Dense(layer.units + 1))
    assert wider.output_shape == (None, 2)
    with pytest.raises(ValueError, match="subclassed"):
        tf.keras.models.clone_model(tf.keras.experimental.LinearModel())


def test_arguments_of_calls_are_kept():
    x, state = tf.keras.Input([3, 2]), tf.keras.Input([4])
    model = tf.keras.Model([x, state], L.GRU(4)(x, initial_state=state))
    again = tf.keras.Model.from_config(model.get_config())
    again.set_weights(model.get_weights())
    values = [np.ones([2, 3, 2]), np.full([2, 4], 0.5)]
    np.testing.assert_allclose(again.predict(values), model.predict(values), rtol=1e-6)
    with pytest.raises(ValueError, match="does not have"):
        broken = model.get_config()
        broken["output_layers"] = [["gru", 3, 0]]
        tf.keras.Model.from_config(broken)


def test_sources():
    model = shared(tf)
    assert {each.op.name for each in tf.keras.utils.get_source_inputs(model.outputs[0])} == {"first", "second"}


def test_kernels_are_turned_around():
    model = tf.keras.Sequential([L.Conv2D(1, 2, input_shape=(4, 4, 1), use_bias=False)])
    [before] = model.get_weights()
    tf.keras.utils.convert_all_kernels_in_model(model)
    np.testing.assert_array_equal(model.get_weights()[0], before[::-1, ::-1])


def test_weights_of_cudnn_become_plain_ones():
    from evergraph.keras.recurrent_weights import converted

    for fast, plain, gates in ((L.CuDNNLSTM(3), L.LSTM(3, recurrent_activation="sigmoid"), 4),
                               (L.CuDNNGRU(3), L.GRU(3, recurrent_activation="sigmoid", reset_after=True), 3)):
        numbers = np.random.RandomState(0)
        values = [numbers.rand(2, 3 * gates), numbers.rand(3, 3 * gates), numbers.rand(6 * gates)]
        as_plain = converted(plain, values)
        # The first kernel of cuDNN holds the rows of a matrix [units, inputs].
        np.testing.assert_array_equal(as_plain[0][:, :3], values[0][:, :3].reshape(3, 2).T)
        back = converted(fast, as_plain)
        np.testing.assert_allclose(back[0], values[0])
        np.testing.assert_allclose(back[1], values[1])
        np.testing.assert_allclose(converted(plain, back)[2], as_plain[2])
    with pytest.raises(ValueError, match="not compatible"):
        converted(L.GRU(3), values)


# ---- utilities

def test_a_matrix_in_a_file(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "m.h5", "w") as file:
        file["x"] = np.arange(20.0).reshape(10, 2)
    matrix = tf.keras.utils.HDF5Matrix(str(tmp_path / "m.h5"), "x", start=2, end=8, normalizer=lambda rows: rows * 2)
    assert matrix.shape == (6, 2) and len(matrix) == 6 and matrix.ndim == 2 and matrix.size == 12
    assert matrix[0].tolist() == [8.0, 10.0] and matrix[-1].tolist() == [28.0, 30.0]
    assert matrix[[3, 0, 3]].tolist() == [[20.0, 22.0], [8.0, 10.0], [20.0, 22.0]]
    assert matrix[1:3].shape == (2, 2)
    with pytest.raises(IndexError):
        matrix[6]


def test_a_model_for_several_devices_needs_them():
    model = tf.keras.Sequential([L.Dense(2, input_shape=(3,))])
    with pytest.raises(ValueError, match="two accelerators"):
        tf.keras.utils.multi_gpu_model(model, 1)
    with pytest.raises(ValueError, match="/gpu:9"):
        tf.keras.utils.multi_gpu_model(model, [8, 9])


def test_parts_of_a_batch_on_several_devices(monkeypatch):
    monkeypatch.setattr("evergraph.keras.multi_gpu.available_devices", lambda: ["/gpu:0", "/gpu:1"])
    model = tf.keras.Sequential([L.Dense(2, input_shape=(3,), name="d")])
    parallel = tf.keras.utils.multi_gpu_model(model, 2)
    K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
    x = np.random.RandomState(0).rand(5, 3)
    assert parallel.output_names == ["d"] and parallel.weights == model.weights
    np.testing.assert_allclose(parallel.predict(x, batch_size=5), model.predict(x), rtol=1e-6)


class _Drawing:
    """What stands for pydot's classes, which is not installed with the tests."""

    def __init__(self, *args, **kwargs):
        self.args, self.kwargs, self.items = args, kwargs, []

    def create(self):
        return b""

    def add(self, item):
        self.items.append(item)

    add_node = add_edge = add_subgraph = add

    def set(self, *args, **kwargs):
        pass

    set_node_defaults = set

    def write(self, path, format):
        with open(path, "w") as file:
            file.write(format)


def test_drawings(tmp_path, monkeypatch):
    classes = {name: type(name, (_Drawing,), {}) for name in ("Dot", "Cluster", "Node", "Edge")}
    monkeypatch.setitem(sys.modules, "pydot", types.SimpleNamespace(**classes))
    monkeypatch.setitem(sys.modules, "IPython", None)  # which would look into the picture
    drawing = tf.keras.utils.model_to_dot(shared(tf), show_shapes=True)
    labels = [item.kwargs["label"] for item in drawing.items if type(item).__name__ == "Node"]
    assert "steps: Bidirectional(LSTM)\n|{input:|output:}|{{(None, 2, 2)}|{(None, 2, 6)}}" in labels
    assert sum(type(item).__name__ == "Edge" for item in drawing.items) == 9
    inside = tf.keras.utils.model_to_dot(shared(tf), expand_nested=True)
    assert [type(item).__name__ for item in inside.items].count("Cluster") == 1
    tf.keras.utils.plot_model(shared(tf), str(tmp_path / "m.svg"))
    assert (tmp_path / "m.svg").read_text() == "svg"


def test_drawings_say_what_they_need(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydot", None)
    with pytest.raises(ImportError, match="pip install pydot"):
        tf.keras.utils.plot_model(shared(tf))


def test_what_is_not_installed_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match="pip install h5py"):
        tf.keras.models.load_model(tmp_path / "m.h5")
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(ImportError, match="pip install pyyaml"):
        shared(tf).to_yaml()


# ---- other packages' models

def test_estimators_of_scikit_learn():
    def build(hidden=4):
        model = tf.keras.Sequential([L.Dense(hidden, activation="relu", input_shape=(3,)), L.Dense(2, "softmax")])
        model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
        return model

    x, y = np.random.RandomState(0).rand(20, 3), np.array(["no", "yes"] * 10)
    classifier = tf.keras.wrappers.scikit_learn.KerasClassifier(build, hidden=5, epochs=2, verbose=0)
    classifier.fit(x, y)
    assert set(classifier.predict(x)) <= {"no", "yes"} and classifier.predict_proba(x).shape == (20, 2)
    assert 0 <= classifier.score(x, y) <= 1 and classifier.get_params()["hidden"] == 5
    assert classifier.set_params(hidden=3).sk_params["hidden"] == 3
    with pytest.raises(ValueError, match="colour is not a legal parameter"):
        tf.keras.wrappers.scikit_learn.KerasClassifier(build, colour=1)

    def line():
        model = tf.keras.Sequential([L.Dense(1, input_shape=(3,))])
        model.compile("sgd", "mse")
        return model

    regressor = tf.keras.wrappers.scikit_learn.KerasRegressor(line, verbose=0)
    regressor.fit(x, x.sum(1))
    assert regressor.predict(x).shape == (20,) and regressor.score(x, x.sum(1)) < 0


def test_an_estimator_trains_as_the_model_does(tmp_path):
    model = tf.keras.Sequential([L.Dense(4, "relu", input_shape=(3,), name="d"), L.BatchNormalization(),
                                 L.Dense(2, "softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["acc"])
    x, y = np.random.RandomState(0).rand(16, 3).astype("float32"), np.arange(16) % 2
    estimator = tf.keras.estimator.model_to_estimator(model, model_dir=str(tmp_path / "e"))
    feeds = lambda epochs=1, labels=y: tf.estimator.inputs.numpy_input_fn(
        {"d_input": x}, labels, batch_size=16, shuffle=False, num_epochs=epochs)
    first = estimator.evaluate(feeds())
    loss, accuracy = model.evaluate(x, y, verbose=0)
    assert first["loss"] == pytest.approx(loss, rel=1e-5) and first["acc"] == pytest.approx(accuracy)
    for _ in range(3):
        model.train_on_batch(x, y)
    estimator.train(feeds(3))
    then = estimator.evaluate(feeds())
    assert then["global_step"] == 3 and then["loss"] == pytest.approx(model.evaluate(x, y, verbose=0)[0], rel=1e-4)
    found = np.array([next(iter(each.values())) for each in estimator.predict(feeds(labels=None))])
    np.testing.assert_allclose(found, model.predict(x), atol=1e-5)
    for arguments, error in (({}, "not both"), ({"keras_model": shared(tf)}, "not compiled")):
        with pytest.raises(ValueError, match=error):
            tf.keras.estimator.model_to_estimator(**arguments)


def test_an_estimator_of_a_file(tmp_path):
    compiled(tf, "shared").save(tmp_path / "m.h5")
    estimator = tf.keras.estimator.model_to_estimator(keras_model_path=tmp_path / "m.h5",
                                                      model_dir=str(tmp_path / "e"))
    numbers = np.ones([4, 4], "float32")
    feeds = tf.estimator.inputs.numpy_input_fn({"first": numbers, "second": numbers}, {
        "end": numbers[:, :1], "joined": numbers}, batch_size=4, shuffle=False)
    estimator.train(feeds)
    assert estimator.evaluate(feeds)["global_step"] == 1
    with pytest.raises(KeyError, match="second"):
        estimator.train(tf.estimator.inputs.numpy_input_fn({"first": numbers}, numbers, shuffle=False))


def test_premade_models():
    linear = tf.keras.experimental.LinearModel(units=1, kernel_initializer="ones")
    assert linear.predict([np.ones([2, 3]), np.full([2, 1], 4.0)]).tolist() == [[7.0], [7.0]]
    deep = tf.keras.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    both = tf.keras.experimental.WideDeepModel(linear, deep, activation="relu")
    wide = [np.ones([1, 3], "float32"), np.ones([1, 1], "float32")]
    assert K.get_value(both([[tf.constant(each) for each in wide], tf.ones([1, 2])])).tolist() == [[6.0]]
    again = tf.keras.experimental.WideDeepModel.from_config(both.get_config())
    assert again.linear_model.units == 1 and again.activation is both.activation


# ---- dtypes

def test_policies():
    Policy = tf.keras.mixed_precision.experimental.Policy
    mixed, inferred = Policy("mixed_float16"), Policy("infer_with_float32_vars")
    assert (mixed.compute_dtype, mixed.variable_dtype) == ("float16", "float32")
    assert isinstance(mixed.loss_scale, tf.train.experimental.DynamicLossScale)
    assert (inferred.compute_dtype, inferred.variable_dtype) == (None, "float32")
    assert repr(Policy("float16", loss_scale=2)) == '<Policy "float16", loss_scale=FixedLossScale(2.0)>'
    assert Policy.from_config(Policy("float16", loss_scale=2).get_config()).loss_scale.get_config() == {
        "loss_scale_value": 2.0}
    assert L.Dense(2, dtype=Policy("float64"))(tf.ones([1, 2], "float64")).dtype == tf.float64
    assert tf.keras.mixed_precision.experimental.global_policy().name == "infer"
    for wrong, error in ((tf.float16, TypeError), (5, TypeError), ("float17", ValueError)):
        with pytest.raises(error):
            Policy(wrong)
    with pytest.raises(ValueError, match="TensorFlow 2"):
        tf.keras.mixed_precision.experimental.set_policy("float32")


def test_a_scaled_loss_trains_the_same():
    def losses(wrap):
        with tf.Graph().as_default():
            model = tf.keras.Sequential([L.Dense(2, input_shape=(3,), kernel_initializer="ones")])
            model.compile(wrap(tf.keras.optimizers.SGD(0.1, momentum=0.5)), "mse")
            x, y = np.ones([4, 3]), np.zeros([4, 2])
            return [model.train_on_batch(x, y) for _ in range(4)]

    scaled = tf.keras.mixed_precision.experimental.LossScaleOptimizer
    wanted = losses(lambda optimizer: optimizer)
    np.testing.assert_allclose(losses(lambda optimizer: scaled(optimizer, 8.0)), wanted, rtol=1e-5)
    np.testing.assert_allclose(losses(lambda optimizer: scaled(optimizer, "dynamic")), wanted, rtol=1e-5)
    made = scaled(tf.keras.optimizers.Adam(0.5), 4.0)
    again = scaled.from_config(made.get_config())
    assert again.get_config() == made.get_config() and K.get_value(again.lr) == 0.5
    with pytest.raises(ValueError, match="clipnorm"):
        scaled(tf.keras.optimizers.SGD(clipnorm=1.0), 2.0)
