"""tf.function: what its objects have, and what they refuse."""

import gc
import weakref

import pytest

import evergraph as tf


def test_the_function_is_wrapped():
    @tf.function
    def doubled(x):
        """Twice x."""
        return x * 2.0

    assert doubled.__name__ == "doubled" and doubled.__doc__ == "Twice x."
    assert doubled.python_function(3.0) == 6.0 and doubled.input_signature is None
    assert doubled(tf.constant(3.0)).numpy() == 6.0


def test_sizes_that_differ_become_unknown():
    shapes = []

    @tf.function(experimental_relax_shapes=True)
    def f(x):
        shapes.append(x.shape.as_list())
        return tf.reduce_sum(x)

    assert [float(f(tf.ones([n]))) for n in (1, 2, 3, 4, 1)] == [1.0, 2.0, 3.0, 4.0, 1.0]
    assert shapes == [[1], [2], [None]]


def test_results():
    @tf.function
    def f(x):
        return {"none": None, "list": [x, (x + 1.0,)], "sparse": tf.SparseTensor([[0]], [x], [2]), "number": 3}

    found = f(tf.constant(1.0))
    assert found["none"] is None and found["list"][1][0].numpy() == 2.0 and found["number"].numpy() == 3
    assert tf.sparse.to_dense(found["sparse"]).numpy().tolist() == [1.0, 0.0]
    with pytest.raises(TypeError, match="must return zero or more Tensors"):
        tf.function(lambda: object())()


@pytest.mark.parametrize("argument", [{1, 2}, [object()] and bytearray(b"a")], ids=["set", "bytearray"])
def test_arguments_must_be_hashable(argument):
    with pytest.raises(ValueError, match="hashable"):
        tf.function(lambda x: tf.constant(1))(argument)


def test_python_conditions_refuse_tensors():
    @tf.function
    def f(x):
        return x if x > 0.0 else -x

    with pytest.raises(TypeError, match="bool"):
        f(tf.constant(1.0))


def test_an_argument_cannot_initialize_a_variable():
    @tf.function
    def f(x):
        return tf.Variable(x)

    with pytest.raises(TypeError, match="Graph"):
        f(tf.constant(1.0))


def test_functions_in_graphs_are_nodes():
    @tf.function
    def f(x):
        return x * 2.0

    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.constant(3.0)
        y = f(f(x))
        assert y.op.type == "PartitionedCall" and len(graph.as_graph_def().library.function) == 1
        assert session.run([y, *tf.gradients(y, x)]) == [12.0, 4.0]


def test_functions_run_eagerly_when_told_to():
    calls = []

    @tf.function
    def f(x):
        calls.append(float(x))
        return x

    tf.config.experimental_run_functions_eagerly(True)
    try:
        f(tf.constant(1.0)), f(tf.constant(2.0))
    finally:
        tf.config.experimental_run_functions_eagerly(False)
    assert calls == [1.0, 2.0]


def test_methods_let_go_of_their_objects():
    class Model:
        @tf.function
        def __call__(self, x):
            return x + 1.0

    model = Model()
    assert model(tf.constant(1.0)).numpy() == 2.0
    seen = weakref.ref(model)
    del model
    gc.collect()
    assert seen() is None


def test_too_high_a_derivative_is_refused():
    f, x = tf.function(lambda x: x * x * x), tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
        dy = tape.gradient(y, x)
    with pytest.raises(tf.errors.UnimplementedError, match="order"):
        tape.gradient(dy, x)


def test_devices():
    (cpu,) = tf.config.experimental.list_physical_devices("CPU")
    assert cpu.name == "/physical_device:CPU:0" and cpu in tf.config.experimental.get_visible_devices()
    assert tf.config.experimental_list_devices()[0] == "/job:localhost/replica:0/task:0/device:CPU:0"
    with pytest.raises(ValueError, match="Unrecognized"):
        tf.config.experimental.get_memory_growth("GPU:7")
    with pytest.raises(ValueError, match="non-GPU"):
        tf.config.experimental.set_memory_growth(cpu, True)
    with pytest.raises(tf.errors.UnimplementedError, match="worker"):
        tf.config.experimental_connect_to_host("somewhere")
    with pytest.raises(ValueError, match="policy"):
        tf.config.experimental.set_device_policy("loud")
