"""tf.autograph: to_graph, to_code, features, options, and what is converted."""

import ast
import functools
import gc
import json
import weakref

import numpy as np
import pytest

import evergraph as tf
from evergraph.autograph.status import Verbosity
from tests.harness.session import run


def positive(x):
    if x > 0.0:
        return x
    return 0.0 * x


# ---- to_graph


def test_in_a_graph():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        y = tf.autograph.to_graph(positive)(x)
        with tf.Session() as session:
            assert [session.run(y, {x: value}) for value in (3.0, -3.0)] == [3.0, 0.0]


def test_python_values_stay_python():
    assert type(tf.autograph.to_graph(positive)(2.0)) is float


def test_methods_objects_and_partials():
    class Model:
        def __init__(self, scale):
            self.scale = scale

        def apply(self, x):
            return x * self.scale if x > 0.0 else x

        __call__ = apply

    with tf.Graph().as_default():
        x, model = tf.constant(2.0), Model(3.0)
        made = [tf.autograph.to_graph(each)(x) for each in (
            model.apply, model, functools.partial(Model.apply, model), lambda x: x if x > 5.0 else model.apply(x))]
        assert run(made) == [6.0] * 4


def test_a_class():
    class Model:
        """Keeps a scale."""

        def __init__(self, scale):
            self.scale = scale

        def apply(self, x):
            if x > 0.0:
                return x * self.scale
            return x

    made = tf.autograph.to_graph(Model)
    assert made.__name__ == "Model" and made.__doc__ == "Keeps a scale." and issubclass(made, Model)
    with tf.Graph().as_default():
        assert run(made(3.0).apply(tf.constant(2.0))) == 6.0
    with pytest.raises(ValueError, match="no member methods"):
        tf.autograph.to_graph(type("Empty", (), {}))


def test_the_function_keeps_its_face():
    def f(x: int, *, scale: float = 2.0):
        """Scales."""
        return x * scale

    f.mark = 1
    made = tf.autograph.to_graph(f)
    assert (made.__name__, made.__doc__, made.__annotations__, made.mark) == ("f", "Scales.", f.__annotations__, 1)
    assert made(2) == 4.0 and made(2, scale=3.0) == 6.0


def test_closures_are_shared():
    y = 3

    def f():
        return y

    made = tf.autograph.to_graph(f)
    assert made() == 3
    y = 7
    assert made() == 7


def test_nonlocal_reaches_the_outer_function():
    count = 0

    def f(x):
        nonlocal count
        for _ in range(x):
            count += 1

    tf.autograph.to_graph(f)(3)
    assert count == 3


def test_not_recursive():
    def outer(x):
        return positive(x)

    with tf.Graph().as_default():
        assert run(tf.autograph.to_graph(outer)(tf.constant(-1.0))) == 0.0
        with pytest.raises(TypeError, match="bool"):
            tf.autograph.to_graph(outer, recursive=False)(tf.constant(-1.0))


def test_only_functions_are_converted():
    with pytest.raises(TypeError, match="to_graph converts functions"):
        tf.autograph.to_graph(3)


def test_lambdas_on_one_line():
    f, g = (lambda x: 1 if x > 0 else 2), (lambda x: 3 if x > 0 else 4)
    assert [tf.autograph.to_graph(each)(1) for each in (f, g)] == [1, 3]
    assert "choose" in tf.autograph.to_code(g) and "3" in tf.autograph.to_code(g)


def test_objects_are_let_go():
    class Thing:
        x = 1.0

    def scaled():
        thing = Thing()
        return tf.autograph.to_graph(lambda y: y * thing.x)(2.0), weakref.ref(thing)

    value, seen = scaled()
    gc.collect()
    assert value == 2.0 and seen() is None


# ---- to_code


def test_code_is_readable():
    assert tf.autograph.to_code(positive) == """def positive(x):
  ag__result: 'local'

  def then():
    nonlocal ag__result
    ag__result = x

  def otherwise():
    nonlocal ag__result
    ag__result = 0.0 * x
  ag__.if_(x > 0.0, then, otherwise, ('ag__result',))
  return ag__result
"""


def test_code_of_classes_and_indentation():
    class Model:
        def apply(self, x, by=(1, 2)):
            text = """a
    b"""
            return x if x else text

    code = tf.autograph.to_code(Model, indentation="\t")
    assert ast.parse(code).body[0].name == "Model" and "\n\tdef apply(self, x, by=(1, 2)):" in code
    assert "'a\\n    b'" in code
    with pytest.raises(ValueError, match="to_code shows functions"):
        tf.autograph.to_code(3)


# ---- features


def printing(x):
    print("x is", x)
    return x + 1.0


def test_print_when_traced_and_when_run(capfd):
    traced = tf.function(printing)
    traced(tf.constant(1.0)), traced(tf.constant(2.0))
    assert capfd.readouterr().out.count("x is Tensor") == 1
    run_time = tf.function(printing, experimental_autograph_options=tf.autograph.experimental.Feature.BUILTIN_FUNCTIONS)
    run_time(tf.constant(1.0)), run_time(tf.constant(2.0))
    assert capfd.readouterr().out.split("\n")[:2] == ["x is 1", "x is 2"]


def checked(x):
    assert x > 0.0, "not positive"
    return x + 1.0


def test_assertions_of_functions():
    with pytest.raises(tf.errors.InvalidArgumentError, match="not positive"):
        tf.function(checked)(tf.constant(-1.0))
    with pytest.raises(AssertionError, match="not positive"):
        tf.autograph.to_graph(checked)(-1.0)


def test_control_dependencies_and_name_scopes():
    features = tf.autograph.experimental.Feature
    with tf.Graph().as_default():
        y = tf.autograph.to_graph(checked, experimental_optional_features=features.ALL)(tf.constant(-1.0))
        assert y.op.name.startswith("checked/")
        with pytest.raises(tf.errors.InvalidArgumentError, match="not positive"):
            run(y)
    with tf.Graph().as_default():
        assert run(tf.autograph.to_graph(checked)(tf.constant(-1.0))) == 0.0
    with pytest.raises(TypeError, match="Feature"):
        tf.autograph.to_graph(checked, experimental_optional_features=["LISTS"])


# ---- what is converted


def test_libraries_are_not_converted(monkeypatch):
    names = []
    monkeypatch.setattr(Verbosity, "level", 1)
    monkeypatch.setattr("evergraph.base.logging.info", names.append)

    @tf.function
    def f(x):
        json.loads("[1]"), np.mean([1.0, 2.0]), tf.layers.flatten(tf.ones([2, 3]))
        return positive(x)

    assert f(tf.constant(-1.0)).numpy() == 0.0
    assert [text.split()[2] for text in names] == [
        "test_libraries_are_not_converted.<locals>.f", "positive"]


def test_do_not_convert():
    @tf.autograph.experimental.do_not_convert
    def kept(x):
        return positive(x)

    with pytest.raises(TypeError, match="bool"):
        tf.function(lambda x: kept(x))(tf.constant(1.0))
    assert kept(2.0) == 2.0 and kept.__name__ == "kept"
    assert tf.function(tf.autograph.to_graph(kept))(tf.constant(1.0)).numpy() == 1.0


def test_a_decorated_inner_function_is_left_alone():
    @tf.function
    def f(x):
        @tf.autograph.experimental.do_not_convert()
        def kept(y):
            return 1.0 if y > 0.0 else 2.0

        return kept(x)

    with pytest.raises(TypeError, match="bool"):
        f(tf.constant(1.0))


def test_without_autograph():
    with pytest.raises(TypeError, match="bool"):
        tf.function(positive, autograph=False)(tf.constant(1.0))

    @tf.function(autograph=False)
    def mapped():
        return tf.data.Dataset.range(3).map(lambda x: x if x > 1 else -x)

    with pytest.raises(TypeError, match="bool"):
        mapped()


def test_methods_of_tf_function():
    class Model:
        @tf.function
        def apply(self, x):
            if x > 0.0:
                return x
            return -x

    assert Model().apply(tf.constant(-3.0)).numpy() == 3.0


def test_functions_that_call_each_other():
    @tf.function
    def inner(x):
        if x > 10.0:
            return x
        return x * 2.0

    @tf.function
    def outer(x):
        while x < 100.0:
            x = inner(x) + 1.0
        return x

    assert outer(tf.constant(3.0)).numpy() == 100.0


def test_defun():
    assert tf.contrib.eager.defun(positive)(tf.constant(-3.0)).numpy() == 0.0


def test_layers_in_graphs():
    class Positive(tf.layers.Layer):
        def call(self, inputs):
            if tf.reduce_sum(inputs) > 0.0:
                return inputs
            return -inputs

    with tf.Graph().as_default():
        assert run(Positive()(tf.constant([-1.0, -2.0]))).tolist() == [1.0, 2.0]


def test_contrib():
    contrib = tf.contrib.autograph
    full, builtins = contrib.ConversionOptions(recursive=True), contrib.ConversionOptions(
        internal_convert_user_code=False)
    with tf.Graph().as_default():
        x = tf.constant(-2.0)
        assert run(contrib.converted_call(positive, full, (x,), None)) == 0.0
        assert run(contrib.convert(recursive=True)(lambda y: positive(y) + 1.0)(x)) == 1.0
        assert contrib.converted_call(len, builtins, (tf.ones([3]),), {}) == 3
        with pytest.raises(TypeError, match="bool"):
            contrib.converted_call(positive, builtins, (x,), {})
        assert run(contrib.stack([x, 1.0])).tolist() == [-2.0, 1.0] and contrib.stack(x, strict=False) is x
        with pytest.raises(ValueError, match="stack takes"):
            contrib.stack(x)


# ---- verbosity and trace


def test_verbosity(capsys):
    try:
        tf.autograph.set_verbosity(3, alsologtostdout=True)
        tf.autograph.to_graph(positive)
        out = capsys.readouterr().out
    finally:
        tf.autograph.set_verbosity(0)
    assert "AutoGraph converts positive" in out and "ag__.if_" in out


def test_trace(capsys):
    @tf.function
    def f(x):
        tf.autograph.trace("traced", x)
        return x

    f(tf.constant(1.0)), f(tf.constant(2.0))
    assert capsys.readouterr().out.count("traced Tensor") == 1


# ---- loops


def test_loop_options():
    @tf.function
    def f(n):
        i = 0
        while i < n:
            tf.autograph.experimental.set_loop_options(maximum_iterations=3, parallel_iterations=2)
            i += 1
        for _ in tf.range(n):
            tf.autograph.experimental.set_loop_options(maximum_iterations=2)
            i += 10
        return i

    assert f(tf.constant(100)).numpy() == 23
    assert tf.autograph.experimental.set_loop_options(maximum_iterations=3) is None


def test_shapes_that_grow():
    @tf.function
    def f(n):
        x = tf.constant([1])
        for i in tf.range(n):
            x = tf.concat([x, [i]], 0)
        return x

    assert f(tf.constant(3)).numpy().tolist() == [1, 0, 1, 2]


def test_tensor_arrays():
    @tf.function
    def squares(n):
        found = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        for i in tf.range(n):
            found.append(i * i)
        return found.stack(), len(found)

    values, count = squares(tf.constant(4))
    assert values.numpy().tolist() == [0, 1, 4, 9] and int(count) == 4


def test_effects_in_order():
    v = tf.Variable(1, use_resource=True)

    @tf.function
    def f(n):
        for i in tf.range(n):
            if i % 2 == 0:
                v.assign(v * 10)
            else:
                v.assign_add(i)
        return v.read_value()

    assert f(tf.constant(4)).numpy() == 113


def test_a_condition_with_effects_runs_once():
    v = tf.Variable(0, use_resource=True)

    def more():
        v.assign_add(1)
        return v.read_value()

    @tf.function
    def f():
        i = 0
        while more() < 5:
            i += 1
        return i

    assert f().numpy() == 4 and v.numpy() == 5


def test_variables_as_conditions():
    flag = tf.Variable(True, use_resource=True)

    @tf.function
    def f():
        return 1 if flag else 2

    assert f().numpy() == 1
    flag.assign(False)
    assert f().numpy() == 2


# ---- datasets


def test_loops_over_datasets():
    @tf.function
    def f(limit):
        total = tf.constant(0, tf.int64)
        for x in tf.data.Dataset.range(1, 10):
            if x % 2 == 0:
                continue
            if x > limit:
                break
            total += x
        return total

    assert [int(f(tf.constant(n, tf.int64))) for n in (0, 5, 100)] == [0, 9, 25]


def test_loops_over_datasets_without_state():
    v = tf.Variable(np.int64(0), use_resource=True)

    @tf.function
    def f():
        for x in tf.data.Dataset.range(5):
            v.assign(v * 10 + x)

    f()
    assert v.numpy() == 1234


def test_endless_datasets_end_by_break_and_return():
    @tf.function
    def f(n):
        for i, x in enumerate(tf.data.Dataset.range(7).repeat()):
            if i == n:
                return x
        return tf.constant(-1, tf.int64)

    assert f(tf.constant(16, tf.int64)).numpy() == 2


def test_iterators():
    @tf.function
    def f(n):
        numbers = iter(tf.data.Dataset.range(1, 8))
        first, total = next(numbers), tf.constant(0, tf.int64)
        for x in numbers:
            if x > n:
                break
            total = total * 10 + x
        return first, total

    assert [[each.numpy() for each in f(tf.constant(n, tf.int64))] for n in (4, 99)] == [[1, 234], [1, 234567]]
    with pytest.raises(RuntimeError, match="needs eager execution"):
        tf.function(lambda: next(iter(tf.data.Dataset.range(3))), autograph=False)()


def test_builtins_of_datasets():
    @tf.function
    def f():
        numbers = tf.data.Dataset.range(4)
        total = tf.constant(0, tf.int64)
        for a, b in zip(numbers, map(lambda x: x * x, numbers)):
            total += a * b
        for x in filter(lambda x: x > 2, numbers):
            total += 1000 * x
        small, none = numbers.map(lambda x: x < 2), numbers.map(lambda x: x > 9)
        return total, len(numbers), any(small), all(small), any(none)

    assert [each.numpy() for each in f()] == [3036, 4, True, False, False]


def test_maps_are_converted():
    found = tf.data.Dataset.range(-2, 3).map(lambda x: x if x > 0 else -x).filter(lambda x: x == 1 or x == 2)
    assert [int(x) for x in found] == [2, 1, 1, 2]
    with tf.Graph().as_default():
        numbers = tf.data.Dataset.range(-2, 3).map(lambda x: x if x > 0 else -x)
        assert run(numbers.reduce(np.int64(0), lambda a, b: a + b)) == 6
