"""tf.keras.Input, Model and Sequential in graphs."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.base.no_dependency import no_automatic_dependency_tracking_scope
from tests.harness.session import evaluated

L = tf.keras.layers
X = np.sin(np.arange(12) * 1.3).reshape(3, 4).astype(np.float32)


def test_inputs():
    first, second = tf.keras.Input([3, 2]), tf.keras.Input([4], batch_size=5, name="mine", dtype="int32")
    assert first.op.name == "input_1" and first.op.type == "Placeholder" and first.shape.as_list() == [None, 3, 2]
    assert second.name == "mine:0" and second.shape.as_list() == [5, 4] and second.dtype == tf.int32
    assert tf.keras.Model(second, second).get_config()["layers"][0]["config"] == {
        "batch_input_shape": (5, 4), "dtype": "int32", "sparse": False, "ragged": False, "name": "mine"}
    given = tf.ones([2, 3])
    assert tf.keras.Input(tensor=given) is given
    assert tf.keras.Input(batch_shape=[2, None]).shape.as_list() == [2, None]
    for bad in ({}, {"shape": [1], "batch_shape": [1, 1]}, {"shape": [1], "whatever": 1}):
        with pytest.raises(ValueError):
            tf.keras.Input(**bad)


def branching():
    a, b = tf.keras.Input([4], name="a"), tf.keras.Input([4], name="b")
    shared = L.Dense(3, name="shared")
    left = L.Dense(3, name="left")(shared(a))
    right = shared(b)
    return tf.keras.Model(inputs=[a, b], outputs={"sum": L.add([left, right]), "right": right}, name="both")


def test_functional():
    model = branching()
    assert model.name == "both" and model.input_names == ["a", "b"]
    assert {layer.name for layer in model.layers} == {"a", "b", "shared", "left", "add"}
    assert [w.op.name for w in model.weights] == ["shared/kernel", "shared/bias", "left/kernel", "left/bias"]
    results = model([tf.constant(X), tf.constant(X + 1)])
    own = evaluated([results, model.output["sum"]], {model.inputs[0]: X, model.inputs[1]: X + 1})
    np.testing.assert_allclose(own[0]["sum"], own[1], rtol=1e-5)
    assert results["sum"].op.name == "both/add/add"
    assert model.get_layer(index=0) is model.layers[0] and model.get_layer("left").units == 3
    assert model.count_params() == 4 * 3 + 3 + 3 * 3 + 3
    shapes = model.compute_output_shape([(5, 4), (5, 4)])
    assert shapes["sum"].as_list() == [5, 3]
    with pytest.raises(ValueError):
        model.get_layer("nobody")
    with pytest.raises(ValueError):
        model(tf.constant(X))


def test_operations_between_layers():
    x = tf.keras.Input([4])
    hidden = tf.concat([x, tf.square(x) * 2.0], axis=1)[:, 1:]
    model = tf.keras.Model(x, tf.reduce_sum(L.Lambda(lambda y: y + 1.0)(hidden), axis=1))
    wanted = (np.concatenate([X, X ** 2 * 2], 1)[:, 1:] + 1).sum(1)
    np.testing.assert_allclose(evaluated(model(tf.constant(X))), wanted, rtol=1e-5)


def test_models_in_models():
    x = tf.keras.Input([4])
    inner = tf.keras.Sequential([L.Dense(3, name="one"), L.BatchNormalization(name="norm")], name="inner")
    outer = tf.keras.Model(x, L.Dense(2, name="two")(inner(x)))
    assert [layer.name for layer in outer.layers] == ["input_1", "inner", "two"]
    assert [w.op.name for w in outer.weights] == [
        "inner/one/kernel", "inner/one/bias", "inner/norm/gamma", "inner/norm/beta", "inner/norm/moving_mean",
        "inner/norm/moving_variance", "two/kernel", "two/bias"]
    outer(tf.constant(X), training=True)
    assert len(outer.updates) == 4 and len(outer.trainable_weights) == 6
    inner.trainable = False
    assert len(outer.trainable_weights) == 2
    headed = tf.keras.Sequential([outer, L.Dense(1)])
    assert headed(tf.constant(X)).shape.as_list() == [3, 1]


def test_recurrent_states_in_models():
    x = tf.keras.Input([None, 3])
    _, *states = L.LSTM(2, return_state=True)(x)
    y = L.LSTM(2)(x, initial_state=states)
    model = tf.keras.Model(x, y)
    assert model(tf.zeros([2, 4, 3])).shape.as_list() == [2, 2] and len(model.weights) == 6


def test_model_on_estimator_terms():
    """As in a model function: a model, its loss, its updates, tf.train."""
    tf.set_random_seed(1)
    model = tf.keras.Sequential([L.Dense(8, activation="relu"), L.BatchNormalization(), L.Dropout(0.2), L.Dense(1)])
    loss = tf.losses.mean_squared_error(X.sum(1, keepdims=True), model(tf.constant(X), training=True))
    with tf.control_dependencies(model.updates):
        train = tf.train.AdamOptimizer(0.1).minimize(loss, var_list=model.trainable_variables)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(loss)
        for _ in range(60):
            session.run(train)
        assert session.run(loss) < before / 2
        assert np.abs(session.run(model.layers[1].moving_mean)).max() > 0


def test_sequential():
    model = tf.keras.Sequential(name="s")
    model.add(L.Dense(3, input_shape=(4,)))
    model.add(tf.layers.Dense(2))
    assert model.output_shape == (None, 2) and model.input_shape == (None, 4) and len(model.layers) == 2
    assert model.inputs[0].op.name == "dense_input"
    model.pop()
    assert model.output_shape == (None, 3) and len(model.weights) == 2
    lines = []
    model.summary(print_fn=lines.append)
    assert "Total params: 15" in lines and any(line.startswith("dense (Dense)") for line in lines)
    with pytest.raises(TypeError):
        model.add(3)
    begun = tf.keras.Sequential([L.InputLayer((4,)), L.Dense(2)])
    assert begun(tf.constant(X)).shape.as_list() == [3, 2] and len(begun.layers) == 1


@pytest.mark.parametrize("wrap", [lambda x: {"dense_input": x}, lambda x: [x], lambda x: (x,)])
def test_sequential_takes_a_structure_of_one_tensor(wrap):
    model = tf.keras.Sequential([L.Dense(3, input_shape=(4,))])
    assert model(wrap(tf.constant(X))).shape.as_list() == [3, 3]


def test_the_summary_of_branches_names_connections():
    def lines_of(model, **options):
        lines = []
        model.summary(print_fn=lines.append, **options)
        return lines

    shared = tf.keras.Sequential([L.Dense(2, input_shape=(6,))], name="shared")
    first, second = tf.keras.Input((6,), name="first"), tf.keras.Input((6,), name="second")
    both = tf.keras.Model([first, second], L.concatenate([shared(first), shared(second)], name="both") * 2.0)
    lines = lines_of(both)
    assert {len(line) for line in lines[1:-4]} == {98}
    assert [line.split() for line in lines[2:-5] if not line.startswith(("_", "="))] == [
        ["Layer", "(type)", "Output", "Shape", "Param", "#", "Connected", "to"],
        ["first", "(InputLayer)", "[(None,", "6)]", "0"], ["second", "(InputLayer)", "[(None,", "6)]", "0"],
        ["shared", "(Sequential)", "(None,", "2)", "14", "first[0][0]"], ["second[0][0]"],
        ["both", "(Concatenate)", "(None,", "4)", "0", "shared[1][0]"], ["shared[2][0]"],
        ["tf_op_layer_mul", "(TensorFlowOpLa", "(None,", "4)", "0", "both[0][0]"]]
    assert {len(line) for line in lines_of(both, line_length=60)[1:-4]} == {60}
    chain = tf.keras.Model(first, L.Dense(1)(first))
    assert len(lines_of(chain)[1]) == 65 and "Connected" not in lines_of(chain)[2]
    layer = L.Dense(6)
    assert len(lines_of(tf.keras.Model(first, layer(layer(first))))[1]) == 98  # a layer that is called twice


def test_the_summary_of_a_subclass_knows_no_shapes():
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = L.Dense(3)

        def call(self, inputs):
            return self.dense(inputs)

    net, lines = Net(), []
    net.build((None, 4))
    net.summary(print_fn=lines.append)
    assert lines[4].split() == ["dense", "(Dense)", "multiple", "15"]


def test_sequential_that_waits():
    model = tf.keras.Sequential([L.Dense(3), L.Dense(2)])
    with pytest.raises(ValueError, match="have not yet been created"):
        assert not model.weights
    with pytest.raises(ValueError):
        model.summary()
    with pytest.raises(ValueError):
        model.build()
    model.build((None, 4))
    assert [w.op.name for w in model.weights] == ["dense/kernel", "dense/bias", "dense_1/kernel", "dense_1/bias"]
    assert model.compute_output_shape((5, 4)).as_list() == [5, 2]
    copy = tf.keras.Sequential.from_config(model.get_config())
    assert copy(tf.constant(X)).shape.as_list() == [3, 2]


def test_subclass():
    class Net(tf.keras.Model):
        def __init__(self, units):
            super().__init__(name="net")
            self.parts = [L.Dense(units), L.Dense(1)]
            self.table = {"a": L.Dropout(0.5)}
            self.scale = tf.Variable(2.0, name="scale")

        def call(self, inputs, training=None):
            for part in self.parts:
                inputs = part(inputs)
            return self.table["a"](inputs) * self.scale

    net = Net(3)
    net(tf.constant(X), training=True)
    assert [layer.name for layer in net.layers] == ["dense", "dense_1", "dropout"]
    assert [w.op.name for w in net.weights] == ["net/dense/kernel", "net/dense/bias", "net/dense_1/kernel",
                                                "net/dense_1/bias", "scale"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [np.shape(w) for w in net.get_weights()] == [(4, 3), (3,), (3, 1), (1,), ()]
    built = Net(2)
    built.build((None, 4))
    assert len(built.weights) == 5
    with pytest.raises(NotImplementedError):
        tf.keras.Model(name="none")(tf.constant(X))


def test_what_models_refuse():
    x = tf.keras.Input([4])
    for inputs, outputs in ((tf.zeros([2, 4]), x), (x, tf.zeros([2]))):
        with pytest.raises(ValueError):
            tf.keras.Model(inputs, outputs)
    with pytest.raises(ValueError, match="does not follow"):
        tf.keras.Model(tf.keras.Input([4]), L.Dense(2)(x))
    with pytest.raises(TypeError):
        tf.keras.Model(x)


def saved_names(model, tmp_path):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = tf.train.Checkpoint(model=model).save(str(tmp_path / "model"), session=session)
    names = [name for name, _ in tf.train.list_variables(path) if name.startswith("model/")]
    return [name.removeprefix("model/").removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") for name in names]


def test_names_in_checkpoints(tmp_path):
    """Recorded from TensorFlow: layers by their places, or by the attributes that hold them."""
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first, self.parts, self.table = L.Dense(2), [L.Dense(3), L.LSTM(2)], {"a": L.BatchNormalization()}

        def call(self, inputs):
            steps = tf.reshape(self.parts[0](inputs), [3, 1, 3])
            return self.table["a"](self.first(self.parts[1](steps)))

    stack = tf.keras.Sequential([L.Dense(3), L.Dropout(0.5), L.Dense(2)])
    both = L.Bidirectional(L.GRU(2))
    net, shape = Net(), {"bias", "kernel"}
    stack(tf.constant(X)), net(tf.constant(X)), both(tf.ones([1, 2, 3]))
    assert set(saved_names(stack, tmp_path)) == {f"layer_with_weights-{n}/{part}" for n in (0, 1) for part in shape}
    cell = {"bias", "kernel", "recurrent_kernel"}
    assert set(saved_names(net, tmp_path)) == {
        *(f"{place}/{part}" for place in ("first", "parts/0") for part in shape), *(f"parts/1/cell/{p}" for p in cell),
        *(f"table/a/{part}" for part in ("beta", "gamma", "moving_mean", "moving_variance"))}
    assert set(saved_names(both, tmp_path)) == {
        f"{way}_layer/cell/{part}" for way in ("forward", "backward") for part in cell}


def test_restored_from_a_checkpoint(tmp_path):
    model, other = (tf.keras.Sequential([L.Dense(3), L.Dense(2)]) for _ in range(2))
    one, two = model(tf.constant(X)), other(tf.constant(X))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = tf.train.Checkpoint(model=model).save(str(tmp_path / "model"), session=session)
        tf.train.Checkpoint(model=other).restore(path).run_restore_ops(session)
        np.testing.assert_array_equal(*session.run([one, two]))


def test_integers_of_wrapped_layers_and_a_model_of_one_layer():
    x = np.array([[[1], [1]], [[0], [0]]])
    model = tf.keras.Sequential([L.Masking(0), L.TimeDistributed(L.Dense(1, kernel_initializer="ones"))])
    model.compile("sgd", "mse")
    assert model.train_on_batch(x, np.ones([2, 2, 1])) == 0.0
    assert tf.keras.Sequential(L.Dense(2))(tf.ones([1, 3])).shape == (1, 2)


def test_a_class_that_forgets_its_base_is_told():
    class Forgetful(tf.keras.Model):
        def __init__(self):
            self.dense = L.Dense(2)

    with pytest.raises(RuntimeError, match="forgot to call"):
        Forgetful()


def test_what_input_gives_begins_a_sequential_model():
    for words in ([], [tf.keras.Input([3], dtype="int32")]):
        model = tf.keras.Sequential(words)
        if not words:
            model.add(tf.keras.Input([3], dtype="int32"))
        model.add(tf.keras.layers.Embedding(5, 2))
        assert model.output_shape == (None, 3, 2) and len(model.layers) == 1
    with pytest.raises(TypeError, match="holds layers"):
        model.add(tf.zeros([1, 3]))


def test_layers_that_a_class_appends_by_the_private_name():
    class Net(tf.keras.Model):
        def __init__(self, layers=None):
            super().__init__()
            if layers is not None:
                self._layers = layers
            self._layers.append(tf.keras.layers.Dense(2, name="appended"))
            self.last = tf.keras.layers.Dense(1, name="last")
            with no_automatic_dependency_tracking_scope(self):
                self.unknown = [tf.keras.layers.Dense(1, name="unknown"), tf.Variable(1.0)]

        def call(self, x):
            return self.last(self._layers[-2](x))

    net = Net()
    net(tf.zeros([1, 3]))
    assert [layer.name for layer in net._layers] == [layer.name for layer in net.layers] == ["appended", "last"]
    assert len(net.weights) == 4 and "unknown" not in net._checkpoint_children()
    net.unknown = net.unknown  # outside of the block it is tracked
    assert [layer.name for layer in net.layers] == ["appended", "last", "unknown"]
    given = Net([tf.keras.layers.Dense(1, name="given")])
    assert [layer.name for layer in given.layers] == ["given", "appended", "last"]
