"""tf.function: arguments of all kinds, concrete functions, and what is said about them."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import logging


def test_variables_are_arguments():
    @tf.function
    def grow(v, by):
        v.assign_add(by)
        return v * 2.0

    first, second = tf.Variable(1.0), tf.Variable(5.0)
    assert grow(first, tf.constant(2.0)).numpy() == 6.0 and grow(second, tf.constant(1.0)).numpy() == 12.0
    assert (first.numpy(), second.numpy()) == (3.0, 6.0)


def test_tapes_watch_variables_that_are_arguments():
    @tf.function
    def cube(v):
        return v * v * v

    for v in (tf.Variable(2.0), tf.Variable(3.0)):
        with tf.GradientTape() as tape:
            y = cube(v)
        assert tape.gradient(y, v).numpy() == 3.0 * v.numpy() ** 2 and tape.watched_variables() == (v,)
    with tf.GradientTape() as tape:
        y = cube(tf.Variable(2.0, trainable=False))
    assert tape.watched_variables() == ()


def test_gradients_by_an_argument_inside():
    @tf.function
    def step(v, rate):
        with tf.GradientTape() as tape:
            loss = v * v
        v.assign_sub(rate * tape.gradient(loss, v))
        return loss

    v = tf.Variable(2.0)
    assert step(v, tf.constant(0.25)).numpy() == 4.0 and v.numpy() == 1.0


def test_a_variable_given_twice_is_one():
    @tf.function
    def both(a, b):
        a.assign_add(1.0)
        return a + b

    v, w = tf.Variable(1.0), tf.Variable(10.0)
    assert both(v, v).numpy() == 4.0 and both(v, w).numpy() == 13.0


@pytest.mark.parametrize("spec, values", [
    (lambda: tf.SparseTensorSpec([None, 2]), lambda: [tf.SparseTensor([[0, 1]], [3.0], [n, 2]) for n in (1, 2)]),
    (lambda: tf.RaggedTensorSpec([None, None], tf.float32),
     lambda: [tf.ragged.constant(rows) for rows in ([[1.0], [2.0, 3.0]], [[4.0]])]),
], ids=["sparse", "ragged"])
def test_composite_input_signatures(spec, values):
    traces = []

    @tf.function(input_signature=[spec()])
    def total(x):
        traces.append(x)
        dense = tf.sparse.to_dense(x) if isinstance(x, tf.SparseTensor) else x.to_tensor()
        return tf.reduce_sum(dense), x

    sums = [total(value) for value in values()]
    assert len(traces) == 1 and type(sums[0][1]) is type(values()[0])
    assert all(float(s) == float(np.sum(tf.sparse.to_dense(v) if isinstance(v, tf.SparseTensor) else v.to_tensor()))
               for (s, _), v in zip(sums, values()))
    with pytest.raises(ValueError, match="input_signature"):
        total(tf.constant(1.0))


def test_datasets_and_iterators_are_arguments():
    @tf.function
    def total(dataset):
        return dataset.reduce(tf.constant(0, tf.int64), lambda a, b: a + b)

    assert [int(total(tf.data.Dataset.range(n))) for n in (3, 5)] == [3, 10]

    @tf.function
    def two(iterator):
        return next(iterator), next(iterator)

    iterator = iter(tf.data.Dataset.range(5))
    assert [int(x) for x in (*two(iterator), *two(iterator))] == [0, 1, 2, 3]


# ---- concrete functions


def concrete(*args, **kwargs):
    @tf.function
    def weighed(x, parts, scale=2.0, *, bias=0.0):
        return {"y": x * parts["a"] * scale + bias, "rest": [parts["b"][0]]}

    return weighed.get_concrete_function(*args, **kwargs)


def test_concrete_functions_take_structures():
    vector = tf.TensorSpec([None], tf.float32)
    function = concrete(vector, {"a": vector, "b": [tf.TensorSpec([], tf.int32)]}, bias=tf.TensorSpec([]))
    args, kwargs = function.structured_input_signature
    assert args == (tf.TensorSpec([None], name="x"), {"a": tf.TensorSpec([None], name="parts_a"),
                                                      "b": [tf.TensorSpec([], tf.int32, name="parts_b_0")]}, 2.0)
    assert kwargs == {"bias": tf.TensorSpec([], name="bias")}
    assert function.output_dtypes == {"y": tf.float32, "rest": [tf.int32]}
    assert function.output_shapes["y"].as_list() == [None]
    x, parts = tf.constant([1.0, 2.0]), {"a": tf.constant([3.0, 4.0]), "b": [tf.constant(7)]}
    calls = [function(x, parts, bias=tf.constant(1.0)), function(x, parts, 2.0, bias=1.0),
             function(x=x, parts=parts, bias=1.0, scale=2.0), function(x, parts["a"], parts["b"][0], 1.0),
             function(x, parts_a=parts["a"], parts_b_0=parts["b"][0], bias=1.0)]
    for found in calls:
        assert found["y"].numpy().tolist() == [7.0, 17.0] and found["rest"][0].numpy() == 7


@pytest.mark.parametrize("args, kwargs, error", [
    ((), {}, TypeError), (([1.0],), {}, TypeError), (([1.0], {"a": [1.0]}), {}, TypeError),
    (([1.0], {"a": [1.0], "b": [1]}, 3.0), {}, TypeError), (([1.0], {"a": [1.0], "b": [1]}), {"more": 1}, TypeError),
], ids=["none", "missing", "part", "value", "more"])
def test_concrete_functions_refuse(args, kwargs, error):
    vector = tf.TensorSpec([None], tf.float32)
    with pytest.raises(error):
        concrete(vector, {"a": vector, "b": [tf.TensorSpec([], tf.int32)]})(*args, **kwargs)


def test_specs_are_no_values():
    with pytest.raises(ValueError, match="get_concrete_function"):
        tf.function(lambda x: x)(tf.TensorSpec([None]))


def test_signatures_in_words():
    v = tf.Variable(1.0)

    @tf.function
    def f(x, y, z=None):
        return {"a": x, "b": [x, (x,)], "n": None, "s": z}

    f(tf.constant([1.0]), v, 3)
    assert f.pretty_printed_concrete_signatures() == (
        "Input Parameters:\n"
        "  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(1,), dtype=tf.float32, name=None)\n"
        "  y (POSITIONAL_OR_KEYWORD): VariableSpec(shape=(), dtype=tf.float32, trainable=True, alias_id=0)\n"
        "  z (POSITIONAL_OR_KEYWORD): Literal[3]\n"
        "Output Type:\n"
        "  Dict[['a', TensorSpec(shape=(1,), dtype=tf.float32, name=None)], ['b', List[TensorSpec(shape=(1,), "
        "dtype=tf.float32, name=None), Tuple[TensorSpec(shape=(1,), dtype=tf.float32, name=None)]]], ['n', "
        "Literal[None]], ['s', TensorSpec(shape=(), dtype=tf.int32, name=None)]]\n"
        "Captures:\n"
        "  None")


def test_a_warning_names_the_argument_that_retraces(monkeypatch):
    said = []
    monkeypatch.setattr(logging, "warning", lambda text, *_: said.append(text))

    @tf.function
    def f(x, count):
        return x * count

    for count in range(5):
        f(tf.constant(1.0), float(count))
    assert len(said) == 1 and "argument 'count' changed from 3.0 to 4.0" in said[0] and "'x'" not in said[0]
    said.clear()
    for _ in range(30):
        f(tf.constant(1.0), 0.0)
    f(tf.constant(1.0), 99.0)
    assert not said


# ---- methods, recursion


def test_methods_of_two_objects_have_traces_of_their_own():
    traces = []

    class Scale(tf.Module):
        def __init__(self, by):
            super().__init__()
            self.by = tf.Variable(by)

        @tf.function
        def __call__(self, x):
            traces.append(self)
            return x * self.by

    two, three = Scale(2.0), Scale(3.0)
    assert [float(f(tf.constant(5.0))) for f in (two, three, two, three)] == [10.0, 15.0, 10.0, 15.0]
    assert traces == [two, three]


def test_recursion_by_values_of_python():
    @tf.function
    def power(x, n):
        return x * power(x, n - 1) if n else tf.ones_like(x)

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = power(x, 5)
    assert y.numpy() == 32.0 and tape.gradient(y, x).numpy() == 80.0


def test_optionals_are_arguments_of_one_kind():
    traces = []

    @tf.function
    def value(optional):
        traces.append(optional)
        return optional.get_value()

    optional = tf.data.experimental.Optional
    assert [value(optional.from_value(tf.constant(x))).numpy() for x in (1.0, 2.0)] == [1.0, 2.0]
    assert len(traces) == 1
