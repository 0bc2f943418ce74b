"""SavedModels of modules: those that TensorFlow wrote, and our own."""

import pytest

import evergraph as tf
from tests.eager.saved.modules import MODULES, plain
from tests.harness.goldens import FOLDER
from tests.harness.recorded import assert_as_recorded, numbers


@pytest.fixture(scope="module")
def recorded():
    return numbers("saved_modules")


def check(name, model, recorded):
    values = plain(tf, MODULES[name][1](tf, model))
    values = [value if value.dtype.kind == "S" else value for value in values]
    assert_as_recorded(recorded, name, values, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", MODULES)
def test_modules_of_tensorflow_load(name, recorded):
    check(name, tf.saved_model.load_v2(str(FOLDER / "saved_modules" / name)), recorded)


@pytest.mark.parametrize("name", MODULES)
def test_modules_are_saved_and_loaded(name, recorded, tmp_path):
    made, signatures = MODULES[name][0](tf, tmp_path)
    tf.saved_model.save(made, str(tmp_path / "first"), signatures=signatures)
    check(name, made, recorded)
    loaded = tf.saved_model.load_v2(str(tmp_path / "first"))
    tf.saved_model.save(loaded, str(tmp_path / "second"))
    check(name, loaded, recorded)
    check(name, tf.saved_model.load_v2(str(tmp_path / "second")), recorded)


@pytest.mark.parametrize("name", ["state_in_order", "tables", "composites"])
def test_modules_load_into_graphs(name):
    with tf.Graph().as_default(), tf.Session() as session:
        model = tf.saved_model.load_v2(str(FOLDER / "saved_modules" / name))
        if name == "tables":
            found = model.find(tf.constant(["b", "x", "c"]))
        elif name == "composites":
            found = model.ragged(tf.ragged.constant([[1.0], [], [2.0, 3.0]]))[:1]
        else:
            found = [model.step(tf.constant(2.0))]
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        values = session.run(found)
    wanted = {"tables": [1, -1, 2], "composites": [1.0, 0.0, 5.0], "state_in_order": [1.0, 4.0, 14.0]}
    assert values[0].tolist() == wanted[name]


def test_signatures(tmp_path):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.v = tf.Variable(3.0)

        @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
        def ragged(self, x):
            return x + 1

        @tf.function
        def scaled(self, x):
            return self.v * x

        @tf.function(input_signature=())
        def pair(self):
            return tf.ones([]), tf.zeros([])

    model = Model()
    folder = str(tmp_path / "model")
    tf.saved_model.save(model, folder, signatures={
        "scaled": model.scaled.get_concrete_function(tf.TensorSpec(None)), "pair": model.pair})
    loaded = tf.saved_model.load_v2(folder)
    assert loaded.signatures["scaled"](tf.constant(2.0))["output_0"].numpy() == 6.0
    assert {key: t.numpy() for key, t in loaded.signatures["pair"]().items()} == {"output_0": 1.0, "output_1": 0.0}
    assert loaded.signatures["scaled"].graph.external_captures == [loaded.v.handle]
    with pytest.raises(TypeError, match="do not change"):
        loaded.signatures["other"] = 1


def test_a_function_of_ragged_tensors_is_no_signature(tmp_path):
    module = tf.Module()
    module.f = tf.function(lambda x: x + 1, input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
    tf.saved_model.save(module, str(tmp_path / "model"))
    loaded = tf.saved_model.load_v2(str(tmp_path / "model"))
    assert not loaded.signatures and loaded.f(tf.ragged.constant([[1, 2], [3]])).to_list() == [[2, 3], [4]]


def test_a_graph_does_not_train_what_it_loads(tmp_path):
    module = tf.Module()
    module.v = tf.Variable(1.0)
    tf.saved_model.save(module, str(tmp_path / "model"))
    with tf.Graph().as_default():
        loaded = tf.saved_model.load_v2(str(tmp_path / "model"))
        assert tf.trainable_variables() == [] and tf.global_variables() == [loaded.v] and loaded.v.trainable


def test_functions_that_only_other_functions_called(tmp_path):
    class Trained(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(2.0)

        @tf.function
        def __call__(self, x):
            return self.w * x

        @tf.function
        def train(self, x):
            self.w.assign_add(tf.reduce_sum(self(x)))

    made = Trained()
    made.train(tf.ones([2]))
    tf.saved_model.save(made, str(tmp_path / "model"))
    loaded = tf.saved_model.load_v2(str(tmp_path / "model"))
    assert loaded(tf.ones([2])).numpy().tolist() == [6.0, 6.0]
    concrete, = loaded.train.concrete_functions
    assert concrete.structured_input_signature[0][0].shape == [2]


def test_a_function_without_results_is_no_signature(tmp_path):
    made = tf.Module()
    made.w = tf.Variable(1.0)
    made.set = tf.function(lambda x: made.w.assign(x, read_value=False) and None,
                           input_signature=[tf.TensorSpec([], tf.float32, "x")])
    tf.saved_model.save(made, str(tmp_path / "model"))
    loaded = tf.saved_model.load_v2(str(tmp_path / "model"))
    loaded.set(tf.constant(3.0))
    assert not loaded.signatures and loaded.w.numpy() == 3.0


class Counting(tf.contrib.eager.Checkpointable):
    """A property gives a function, which counts how often it was asked for; another one fails."""

    def __init__(self):
        self.count = 0

    @property
    def counted(self):
        self.count += 1
        return tf.function(lambda: tf.constant(self.count), input_signature=[])

    @property
    def never_ready(self):
        raise RuntimeError("not ready")


def test_functions_that_properties_give(tmp_path):
    model = Counting()
    tf.saved_model.save(model, str(tmp_path))
    assert model.count == 1
    assert tf.compat.v2.saved_model.load(str(tmp_path)).counted().numpy() == 1
