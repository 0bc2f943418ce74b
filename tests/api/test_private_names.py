"""What the names inside TensorFlow do, for those that programs use most."""

import functools
import importlib
import inspect

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import logging
from tests.harness.session import run


def inside(path):
    """The object at `python.`path."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(f"evergraph.python.{module}"), name)


def call(path, *args, **kwargs):
    return lambda: inside(path)(*args, **kwargs)


ONES = np.ones((1, 4, 4, 1), np.float32)

# What a session computes from the tensor that a function gives.
COMPUTED = {
    "gen_nn_ops.max_pool_grad": (call("ops.gen_nn_ops.max_pool_grad", [[[[1.], [2.]]]], [[[[2.]]]], [[[[5.]]]],
                                      ksize=[1, 1, 2, 1], strides=[1, 1, 2, 1], padding="VALID"), [[[[0], [5]]]]),
    "gen_nn_ops.bias_add_grad": (call("ops.gen_nn_ops.bias_add_grad", [[1., 2.], [3., 4.]]), [4, 6]),
    "gen_nn_ops.relu_grad": (call("ops.gen_nn_ops.relu_grad", [1., 1.], [-1., 1.]), [0, 1]),
    "gen_nn_ops.top_kv2": (lambda: inside("ops.gen_nn_ops.top_kv2")([1., 3., 2.], 2)[1], [1, 2]),
    "gen_math_ops._sum": (call("ops.gen_math_ops._sum", [[1, 2], [3, 4]], 0, keep_dims=True), [[4, 6]]),
    "gen_math_ops.sigmoid_grad": (call("ops.gen_math_ops.sigmoid_grad", 0.5, 2.0), 0.5),
    "gen_array_ops.concat_v2": (call("ops.gen_array_ops.concat_v2", [[1], [2]], 0), [1, 2]),
    "gen_array_ops._slice": (call("ops.gen_array_ops._slice", [1, 2, 3], [1], [2]), [2, 3]),
    "gen_array_ops.batch_to_space_nd": (call("ops.gen_array_ops.batch_to_space_nd", [[[1]], [[2]]], [2], [[0, 0]]),
                                        [[[1], [2]]]),
    "gen_control_flow_ops.no_op": (lambda: tf.group(inside("ops.gen_control_flow_ops.no_op")()), None),
    "math_ops.add": (call("ops.math_ops.add", 1, 2), 3),
    "math_ops.exp": (call("ops.math_ops.exp", 0.0), 1),
    "math_ops.sqrt": (call("ops.math_ops.sqrt", 4.0), 2),
    "math_ops.floor": (call("ops.math_ops.floor", 1.5), 1),
    "math_ops.mod": (call("ops.math_ops.mod", -3, 2), 1),
    "array_ops.stop_gradient": (call("ops.array_ops.stop_gradient", [1, 2]), [1, 2]),
    "standard_ops.reduce_sum": (call("ops.standard_ops.reduce_sum", [1, 2]), 3),
    "standard_ops.while_loop": (call("ops.standard_ops.while_loop", lambda i: i < 3, lambda i: i + 1, [0]), 3),
    "state_ops.scatter_add": (lambda: inside("ops.state_ops.scatter_add")(started(), [0], [[2.0]]), [[3], [1]]),
    "training_ops.apply_gradient_descent": (
        lambda: inside("training.training_ops.apply_gradient_descent")(started(), 0.5, [[1.0], [2.0]]), [[0.5], [0]]),
    "ops.convert_n_to_tensor": (lambda: tf.stack(inside("framework.ops.convert_n_to_tensor")([1, 2.0], tf.float32)),
                                [1, 2]),
    "string_ops.string_to_hash_bucket": (call("ops.string_ops.string_to_hash_bucket", ["a"], 1), [0]),
    "rnn._transpose_batch_time": (lambda: inside("ops.rnn._transpose_batch_time")(tf.constant([[1, 2]])), [[1], [2]]),
    "rnn_cell_impl._zero_state_tensors": (call("ops.rnn_cell_impl._zero_state_tensors", 2, 1, tf.int32), [[0, 0]]),
    "weights_broadcast_ops.broadcast_weights": (
        call("ops.weights_broadcast_ops.broadcast_weights", [[2.0]], [[1.0], [1.0]]), [[2], [2]]),
}  # fmt: skip


def started():
    """A variable [[1], [1]] that the run of the test initializes."""
    return tf.get_variable("v", [2, 1], initializer=tf.ones_initializer(), use_resource=False)


@pytest.mark.parametrize("what", COMPUTED)
def test_tensor(what):
    build, wanted = COMPUTED[what]
    tensor = build()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        value = session.run(tensor)
    assert value is None if wanted is None else np.allclose(value, wanted)


# What a function gives at once.
KNOWN = {
    "framework.device.canonical_name": (["/CPU:0"], "/device:CPU:0"),
    "framework.ops.name_from_scope_name": (["a/b/"], "a/b"),
    "framework.ops.strip_name_scope": (["a/b:0", "a"], "b:0"),
    "framework.ops.prepend_name_scope": (["b:0", "a"], "a/b:0"),
    "framework.tensor_shape.scalar": ([], tf.TensorShape([])),
    "framework.tensor_shape.vector": ([3], tf.TensorShape([3])),
    "framework.tensor_shape.matrix": ([3, None], tf.TensorShape([3, None])),
    "tf2.enabled": ([], False),
    "layers.utils.convert_data_format": (["channels_first", 4], "NCHW"),
    "layers.utils.normalize_tuple": ([2, 3, "strides"], (2, 2, 2)),
    "layers.utils.normalize_data_format": (["Channels_Last"], "channels_last"),
    "layers.utils.normalize_padding": (["SAME"], "same"),
    "layers.utils.conv_output_length": ([7, 3, "valid", 2], 3),
    "layers.utils.deconv_output_length": ([3, 3, "valid", 2], 7),
    "util.deprecation.deprecated_argument_lookup": (["axis", None, "dim", 1], 1),
    "util.function_utils.fn_args": ([functools.partial(lambda a, b, c=1: None, 1)], ("b", "c")),
    "framework.common_shapes.broadcast_shape": ([tf.TensorShape([2, 1]), tf.TensorShape([3])], tf.TensorShape([2, 3])),
    "framework.ops.get_name_scope": ([], ""),
    "ops.init_ops._compute_fans": ([[3, 3, 2, 4]], (18, 36)),
    "util.function_utils.has_kwargs": ([lambda **kwargs: None], True),
}


@pytest.mark.parametrize("path", KNOWN)
def test_value(path):
    args, wanted = KNOWN[path]
    found = inside(path)(*args)
    assert found == wanted and type(found) is type(wanted)


@pytest.mark.parametrize("padding, after, before", [("valid", 2, 15), ("same", 4, 14), ("full", 6, 11)])
def test_lengths_of_convolutions(padding, after, before):
    assert inside("layers.utils.conv_output_length")(7, filter_size=3, padding=padding, stride=2, dilation=2) == after
    assert inside("layers.utils.deconv_output_length")(7, filter_size=3, padding=padding, stride=2) == before


def test_constant_values():
    assert inside("framework.tensor_util.constant_value")(tf.range(1, 3)).tolist() == [1, 2]
    assert inside("framework.tensor_util.constant_value")(tf.placeholder(tf.int32)) is None
    assert inside("framework.tensor_util.constant_value_as_shape")(tf.constant([1, 2])) == tf.TensorShape([1, 2])


def test_devices_merge():
    with tf.device(inside("framework.device.merge_device")("/GPU:1")), tf.device("/job:worker"):
        assert tf.constant(1).device == "/job:worker/device:GPU:1"


def test_kinds_of_variables():
    handle = inside("ops.resource_variable_ops.ResourceVariable")(1.0)
    plain = inside("ops.variables.RefVariable")(1.0)
    assert [inside("ops.resource_variable_ops.is_resource_variable")(v) for v in (handle, plain)] == [True, False]
    assert run(inside("ops.gen_resource_variable_ops.var_is_initialized_op")(handle.handle)) is np.False_
    parts = tf.get_variable("w", [4, 2], partitioner=tf.fixed_size_partitioner(2))
    assert isinstance(parts, inside("ops.variables.PartitionedVariable"))


def test_initializers_share_a_base():
    class Sevens(inside("ops.init_ops.Initializer")):
        def __call__(self, shape, dtype=None, partition_info=None):
            return tf.fill(shape, 7.0)

    assert isinstance(tf.zeros_initializer(), inside("ops.init_ops.Initializer"))
    v = tf.get_variable("v", [2], initializer=Sevens())
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(v).tolist() == [7, 7]


def test_tables_of_vocabularies():
    table = inside("ops.lookup_ops.index_table_from_tensor")(tf.constant(["a", "b"]), default_value=-7)
    back = inside("ops.lookup_ops.index_to_string_table_from_tensor")(tf.constant(["a", "b"]))
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        assert session.run(table.lookup(tf.constant(["b", "x"]))).tolist() == [1, -7]
        assert session.run(back.lookup(tf.constant([1], tf.int64))).tolist() == [b"b"]


def test_collections_of_messages():
    ops = importlib.import_module("evergraph.python.framework.ops")
    there = lambda item, export_scope=None: tf.train.Int64List(value=[item])
    back = lambda message, import_scope=None: message.value[0]
    ops.register_proto_function("counts", tf.train.Int64List, there, back)
    tf.add_to_collection("counts", 3)
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(message)
        assert tf.get_collection("counts") == [3]
    assert (ops.get_to_proto_function("counts"), ops.get_from_proto_function("counts")) == (there, back)
    assert ops.get_collection_proto_type("counts") is tf.train.Int64List
    assert ops.get_from_proto_function("others") is None


def test_registered_gradients():
    ops = importlib.import_module("evergraph.python.framework.ops")
    assert "Tripled" not in ops._gradient_registry._registry
    rule = tf.RegisterGradient("Tripled")(lambda op, dy: 3 * dy)
    assert "Tripled" in ops._gradient_registry._registry and ops._gradient_registry.lookup("Tripled") is rule
    x = tf.constant(1.0)
    with tf.get_default_graph().gradient_override_map({"Identity": "Tripled"}):
        y = tf.identity(x)
    assert ops.get_gradient_function(y.op) is rule and ops.get_gradient_function(x.op) is None
    assert run(tf.gradients(y, x)[0]) == 3
    with pytest.raises(LookupError, match="no entry for: Quadrupled"):
        ops._gradient_registry.lookup("Quadrupled")


def test_nodes_of_frames():
    util = importlib.import_module("evergraph.python.ops.control_flow_util")
    merge = tf.raw_ops.Merge(inputs=[tf.raw_ops.Switch(data=1, pred=True)[0]]).output.op
    enter = tf.raw_ops.Enter(data=1, frame_name="loop").op
    nodes = [merge.inputs[0].op, merge, enter, tf.raw_ops.Exit(data=enter.outputs[0]).op]
    checks = [util.IsSwitch, util.IsMerge, util.IsLoopEnter, util.IsLoopExit]
    assert [[check(node) for node in nodes] for check in checks] == np.eye(4, dtype=bool).tolist()
    assert util.EnableControlFlowV2(tf.get_default_graph()) is False
    assert util.GetContainingXLAContext(tf.get_default_graph()._get_control_flow_context()) is None


def test_slots():
    creator = importlib.import_module("evergraph.python.training.slot_creator")
    v = started()
    slot = creator.create_slot(v, val=tf.constant([5.0]), name="five")
    zeros = creator.create_zeros_slot(v, "nothing")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([slot, zeros])[0].tolist() == [5] and zeros.shape == v.shape
    assert slot.op.name == "v/five"


def test_hooks_around_a_session():
    class Counting(tf.train.SessionRunHook):
        seen = 0

        def after_run(self, run_context, run_values):
            self.seen += run_values.results

        def before_run(self, run_context):
            return tf.train.SessionRunArgs(two)

    two, hook = tf.constant(2), Counting()
    with tf.Session() as session:
        hooked = inside("training.monitored_session._HookedSession")(session, [hook])
        assert hooked.run(tf.constant(1)) == 1 and hook.seen == 2


def test_counted_classes():
    matrix, update = inside("ops.metrics_impl._streaming_confusion_matrix")([0, 1, 1], [0, 1, 0], 2)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        assert session.run(update).tolist() == [[1, 0], [1, 1]]
        assert session.run([update, matrix])[1].tolist() == [[2, 0], [2, 2]]
    kept = inside("ops.metrics_impl.metric_variable")([2], tf.float32, True, "kept")
    assert kept in tf.get_collection(tf.GraphKeys.METRIC_VARIABLES) and kept.op.name == "kept"


def test_sampled_logits_by_their_logarithms():
    drawn = tf.constant([2], tf.int64), tf.constant([[0.5]]), tf.constant([0.25])
    build = functools.partial(inside("ops.nn_impl._compute_sampled_logits"), tf.constant([[1.0], [2.0], [3.0]]),
                              tf.zeros([3]), [[1]], tf.constant([[1.0]]), 1, 3, sampled_values=drawn)
    plain, shifted = run([build(subtract_log_q=False), build()])
    np.testing.assert_allclose(plain, ([[2, 3]], [[1, 0]]))
    np.testing.assert_allclose(shifted[0], [[2 - np.log(0.5), 3 - np.log(0.25)]], rtol=1e-6)
    assert run(inside("ops.nn_impl._sum_rows")(tf.constant([[1.0, 2.0]]))).tolist() == [3]


def test_stores_of_variables():
    v = started()
    assert inside("ops.variable_scope._get_default_variable_store")()._vars == {"v": v}


def test_cells_are_recognized():
    check = inside("ops.rnn_cell_impl.assert_like_rnncell")
    check("cell", tf.nn.rnn_cell.GRUCell(2))
    with pytest.raises(TypeError, match="'cell'.*'output_size' property is missing.*is not callable"):
        check("cell", 3)
    assert inside("ops.rnn_cell_impl._WEIGHTS_VARIABLE_NAME") == "kernel"
    assert inside("ops.rnn.rnn_cell_impl.GRUCell") is tf.nn.rnn_cell.GRUCell


def test_sessions_fetch_registered_types(session):
    class Pair:
        def __init__(self, left, right):
            self.parts = [left, right]

    assert isinstance(session, inside("client.session.BaseSession"))
    inside("client.session.register_session_run_conversion_functions")(Pair, lambda pair: (pair.parts, sum))
    assert session.run(Pair(tf.constant(1), tf.constant(2))) == 3


def test_classes_can_count_as_tensors():
    class Boxed:
        name, dtype = property(lambda self: "boxed"), property(lambda self: tf.float32)

    register = inside("framework.ops.register_dense_tensor_like_type")
    is_dense = inside("framework.ops.is_dense_tensor_like")
    assert not is_dense(Boxed())
    register(Boxed)
    assert is_dense(Boxed()) and tf.is_tensor(Boxed())
    with pytest.raises(TypeError, match="object must have the property name"):
        register(object)


def test_types_of_references():
    assert inside("framework.dtypes.float16_ref") == tf.Variable(1, dtype=tf.float16).dtype
    assert inside("framework.dtypes.string_ref").base_dtype is tf.string


def test_missing_by_name():
    for module, name in (("ops.control_flow_ops", "CondContext"), ("framework.ops", "RegisterShape")):
        path = ".".join(filter(None, ("python", module, name)))
        with pytest.raises(ModuleNotFoundError, match=f"TensorFlow 1.15 has tensorflow.{path}, evergraph does not"):
            exec(f"from evergraph.{path.rpartition('.')[0]} import {name}")


# ---- python.util


@pytest.fixture
def warnings(monkeypatch):
    """What is logged as a warning."""
    logged = []
    monkeypatch.setattr(logging, "warning", lambda msg, *args: logged.append(msg % args))
    return logged


def test_deprecated_functions_warn_once(warnings):
    deprecation = importlib.import_module("evergraph.python.util.deprecation")

    @deprecation.deprecated("2030-01-01", "Use g.")
    def f(x):
        """Doubles."""
        return 2 * x

    @deprecation.deprecated(None, "Use D.")
    class C:
        """A class."""

    with deprecation.silence():
        assert f(1) == 2
    assert warnings == [] and (f(2), f(3)) == (4, 6) and isinstance(C(), C)
    assert len(warnings) == 2
    assert "test_private_names.py" in warnings[0] and "after 2030-01-01. Use g." in warnings[0]
    assert "C is deprecated and will be removed in a future version. Use D." in warnings[1]
    assert f.__name__ == "f" and f.__doc__.startswith("Doubles.\n\nDeprecated: ") and "Use D." in C.__doc__
    for date, instructions in (("soon", "Use g."), (None, "")):
        with pytest.raises(ValueError, match="date must be|instructions"):
            deprecation.deprecated(date, instructions)


def test_deprecated_arguments_warn(warnings):
    deprecation = importlib.import_module("evergraph.python.util.deprecation")

    @deprecation.deprecated_args(None, "Use axis.", "dim", ("keep", False), warn_once=False)
    def f(x, axis=None, dim=None, keep=False):
        return x, axis, dim, keep

    @deprecation.deprecated_arg_values(None, "Use 2.", version=1)
    def g(version=2):
        return version

    assert (f(1, 2), f(1, keep=False), g(), g(2)) == ((1, 2, None, False), (1, None, None, False), 2, 2)
    assert warnings == []
    assert f(1, dim=0)[2] == 0 and f(1, None, 0, True)[3] is True and (g(1), g(1)) == (1, 1)
    assert [text.partition("the argument ")[2].split()[0] for text in warnings] == ["dim", "dim", "keep", "version"]
    with pytest.raises(ValueError, match="has no arguments"):
        deprecation.deprecated_args(None, "Use g.", "nothing")(g)
    with pytest.raises(ValueError, match="Cannot specify both 'dim' and 'axis'"):
        deprecation.deprecated_argument_lookup("axis", 1, "dim", 2)


def test_decorators_remember_their_targets():
    decorator = importlib.import_module("evergraph.python.util.tf_decorator")
    tf_inspect = importlib.import_module("evergraph.python.util.tf_inspect")

    def plain(a, b=2, *rest, **more):
        """Plain."""
        return a + b

    def doubled(target):
        return decorator.make_decorator(target, lambda *args: 2 * target(*args), decorator_doc="twice")

    made = doubled(doubled(plain))
    found, target = decorator.unwrap(made)
    assert made(1) == 12 and target is plain and made.__name__ == "plain"
    assert [(each.decorator_name, each.decorator_doc) for each in found] == [("doubled", "twice")] * 2
    assert tf_inspect.getargspec(made) == (["a", "b"], "rest", "more", (2,))
    assert tf_inspect.getfullargspec(made) == inspect.getfullargspec(plain)
    assert tf_inspect.getcallargs(made, 1) == {"a": 1, "b": 2}
    assert tf_inspect.isfunction(made) and not tf_inspect.isclass(made) and tf_inspect.getdoc(made) == "Plain."
    assert "def plain" in tf_inspect.getsource(made)
    other = lambda a: a
    decorator.rewrap(made, plain, other)
    assert decorator.unwrap(made)[1] is other
    with pytest.raises(ValueError, match="keyword-only"):
        tf_inspect.getargspec(lambda *, a: a)


def test_decorators_that_call_what_they_wrap():
    decorator = importlib.import_module("evergraph.python.util.tf_decorator")

    def squared(target):
        def wrapper(x):
            return wrapper.__wrapped__(x) ** 2

        wrapper.own, target.own, target.other = 1, 2, 3
        return decorator.make_decorator(target, wrapper)

    @squared
    @squared
    def doubled(x):
        """Doubled."""
        return 2 * x

    assert doubled(1) == 16 and (doubled.own, doubled.other) == (1, 3)
    decorator.rewrap(doubled, None, lambda x: 3 * x)  # the innermost, where the target is not found
    assert doubled(1) == 81
    plain = decorator.TFDecorator("plain", doubled)
    assert (plain.__name__, plain.__doc__) == ("doubled", "Doubled.")

    class Holder:
        attribute = decorator.TFDecorator("property", property(lambda self: 5))

    assert Holder().attribute == 5


def test_argspecs_of_evergraphs_functions_equal_those_of_plain_functions():
    tf_inspect = importlib.import_module("evergraph.python.util.tf_inspect")

    def concat(values, axis, name="concat"):
        return values, axis, name

    assert tf_inspect.getfullargspec(tf.concat) == inspect.getfullargspec(concat)
    assert tf_inspect.getfullargspec(tf.compat.v2.reduce_sum) == inspect.getfullargspec(
        lambda input_tensor, axis=None, keepdims=False, name=None: None)


def test_other_decorators():
    @inside("util.tf_contextlib.contextmanager")
    def block(value):
        yield value

    with block(3) as value:
        assert value == 3 and inside("util.tf_decorator.unwrap")(block)[1] is not block
    named = inside("util.keyword_args.keyword_args_only")(lambda a, b: a - b)
    assert named(b=1, a=3) == 2
    with pytest.raises(ValueError, match="keyword arguments only"):
        named(3, 1)
    exported = inside("util.tf_export.tf_export")("mine.f", v1=["f"])(lambda: 4)
    assert exported() == 4 and exported._tf_api_names == ("mine.f",) and exported._tf_api_names_v1 == ("f",)


def test_variables_inside_tensorflow_are_of_its_second_version():
    make = inside("ops.variables.Variable")
    old = inside("ops.variables.VariableV1")(1.0)
    assert isinstance(make(1.0), tf.contrib.eager.Variable) and not isinstance(old, tf.contrib.eager.Variable)
    assert isinstance(old, make) and issubclass(inside("ops.variables.RefVariable"), make)
    assert make.SaveSliceInfo is tf.Variable.SaveSliceInfo


def test_names_of_tensorflow_2_that_keras_and_others_share():
    v2 = tf.compat.v2
    assert v2.keras.models.load_model is tf.keras.models.load_model and v2.math.bincount is tf.math.bincount
    assert v2.optimizers.schedules.ExponentialDecay is tf.keras.optimizers.schedules.ExponentialDecay
    assert v2.random.set_seed is tf.set_random_seed and v2.metrics.MeanIoU is tf.keras.metrics.MeanIoU
    assert v2.initializers.GlorotNormal is tf.glorot_normal_initializer
