"""tf.get_variable under variable scopes: sharing, defaults, getters, partitions."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.frontend.variables.open_counts import OpenCounts
from evergraph.frontend.variables.scope import pure_variable_scope


def test_sharing():
    with tf.variable_scope("a") as scope:
        w = tf.get_variable("w", [2])
        with pytest.raises(ValueError, match="already exists.*test_scopes"):
            tf.get_variable("w", [2])
        scope.reuse_variables()
        assert tf.get_variable("w", [2]) is w
    with tf.variable_scope("a", reuse=True):
        assert tf.get_variable("w") is w
        with pytest.raises(ValueError, match="does not exist"):
            tf.get_variable("x", [2])
        with pytest.raises(ValueError, match="get_variable asks for shape"):
            tf.get_variable("w", [3])
        with pytest.raises(ValueError, match="get_variable asks for dtype"):
            tf.get_variable("w", [2], tf.float64)
    with tf.variable_scope("a", reuse=tf.AUTO_REUSE):
        assert tf.get_variable("w", [2]) is w
        assert tf.get_variable("x", [2]).name == "a/x:0"


def test_reuse_is_inherited_and_ends_with_the_block():
    with tf.variable_scope("a"):
        w = tf.get_variable("b/w", [2])
    with tf.variable_scope("a", reuse=True):
        with tf.variable_scope("b", reuse=False) as scope:
            assert scope.reuse is True
            assert tf.get_variable("w", [2]) is w
    assert not tf.get_variable_scope().reuse


def test_defaults_of_a_scope():
    ones, halved = tf.ones_initializer(), lambda v: tf.reduce_sum(v) * 0.5
    with tf.variable_scope("a", initializer=ones, regularizer=halved, dtype=tf.float64):
        w = tf.get_variable("w", [2])
        tf.get_variable("free", [2], regularizer=tf.no_regularizer)
        with tf.variable_scope("b") as inner:
            assert inner.initializer is ones and inner.dtype == tf.float64
            inner.set_initializer(tf.zeros_initializer())
            inner.set_regularizer(None)
            zeros = tf.get_variable("w", [2])
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(w).tolist() == [1.0, 1.0] and session.run(w).dtype == np.float64
        assert session.run(zeros).tolist() == [0.0, 0.0]
        assert session.run(losses) == [1.0]


def test_scope_collections():
    with tf.variable_scope("a") as a:
        v = tf.get_variable("v", [2])
        u = tf.get_variable("u", [2], trainable=False)
        x = tf.get_local_variable("x", [2])
    tf.get_variable("a2", [2])
    assert a.global_variables() == [v, u] and a.trainable_variables() == [v] and a.local_variables() == [x]
    assert tf.global_variables("a/v") == [v] == tf.trainable_variables(scope="a/")


def test_custom_getters_hear_whether_a_variable_will_be_trainable():
    heard = []

    def listening(getter, name, trainable, **options):
        heard.append(trainable)
        return getter(name, trainable=trainable, **options)

    with tf.variable_scope("a", custom_getter=listening):
        tf.get_variable("default", [2])
        tf.get_variable("fixed", [2], trainable=False)
        tf.get_variable("read", [2], synchronization=tf.VariableSynchronization.ON_READ,
                        aggregation=tf.VariableAggregation.MEAN)
    assert heard == [True, False, False]


def test_custom_getters_nest():
    calls = []

    def outer(getter, name, *args, **kwargs):
        calls.append(("outer", name))
        return getter(name, *args, **kwargs)

    def inner(getter, name, *args, **kwargs):
        calls.append(("inner", name))
        return getter(name + "_x", *args, **kwargs)

    with tf.variable_scope("a", custom_getter=outer), tf.variable_scope("b", custom_getter=inner):
        assert tf.get_variable("w", [2]).name == "a/b/w_x:0"
    assert calls == [("inner", "a/b/w"), ("outer", "a/b/w_x")]


def test_reentering_a_scope():
    with tf.variable_scope("a") as a:
        pass
    with tf.variable_scope("elsewhere"):
        with tf.variable_scope(a) as again:
            assert again.name == "a" and again.original_name_scope == "a/"
            assert tf.get_variable("w", [2]).name == "a/w:0"
            assert tf.constant(1.0).name == "elsewhere/a/Const:0"
    with tf.variable_scope(tf.get_variable_scope(), reuse=tf.AUTO_REUSE):
        assert tf.get_variable("root", []).name == "root:0"


def test_initializers_that_are_values():
    with pytest.raises(ValueError, match="leave `shape` out"):
        tf.get_variable("w", [2], initializer=tf.zeros([2]))
    with pytest.raises(ValueError, match="don't match"):
        tf.get_variable("x", dtype=tf.int32, initializer=[1.0])
    assert tf.get_variable("y", initializer=[1, 2]).dtype.base_dtype == tf.int32
    assert tf.get_variable("z", initializer=lambda: tf.zeros([3])).shape == [3]
    with pytest.raises(ValueError, match="initializer"):
        tf.get_variable("c", [2], dtype=tf.complex64)
    with pytest.raises(ValueError, match="fully known"):
        tf.get_variable("u", [None, 2])


def test_wrong_arguments():
    with pytest.raises(TypeError, match="needs name_or_scope"):
        tf.variable_scope(None)
    with pytest.raises(TypeError, match="string or VariableScope"):
        tf.variable_scope(3)
    with pytest.raises(ValueError, match="reuse=True"):
        tf.variable_scope(None, "x", reuse=True)
    with pytest.raises(TypeError, match="auxiliary_name_scope"):
        tf.variable_scope("x", auxiliary_name_scope="yes")


def test_scopes_close_after_errors():
    with pytest.raises(RuntimeError):
        with tf.variable_scope("a", reuse=True):
            raise RuntimeError
    assert tf.get_variable_scope().name == "" and tf.get_variable("w", [2]).name == "w:0"


def test_scopes_in_functions_are_those_of_the_graph():
    with tf.variable_scope("a"):
        result = tf.cond(tf.constant(True), lambda: tf.get_variable("w", [], initializer=tf.ones_initializer()) + 0.0,
                         lambda: tf.constant(2.0))
    assert [v.name for v in tf.global_variables()] == ["a/w:0"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(result) == 1.0


# ---- partitions

def test_partitioned_variable():
    p = tf.get_variable("p", [5, 2], initializer=tf.constant_initializer(3.0),
                        partitioner=tf.fixed_size_partitioner(2))
    assert [v.name for v in p] == ["p/part_0:0", "p/part_1:0"] and len(p) == 2
    assert [v.shape.as_list() for v in p] == [[3, 2], [2, 2]]
    assert p.shape.as_list() == [5, 2] and p.name == "p" and p.dtype == tf.float32
    info = list(p)[1]._get_save_slice_info()
    assert (info.full_name, info.spec) == ("p", "5 2 3,2:0,2")
    assert tf.Variable.SaveSliceInfo(save_slice_info_def=info.to_proto()).spec == info.spec
    whole = p.as_tensor()
    assign = p.assign(np.arange(10.0).reshape(5, 2))
    looked_up = tf.convert_to_tensor(p) + 1.0
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(assign)
        assert session.run(whole).ravel().tolist() == list(range(10))
        assert session.run(looked_up)[4].tolist() == [9.0, 10.0]


def test_sharing_partitioned_variables():
    partitioner = tf.fixed_size_partitioner(2)
    with tf.variable_scope("a", partitioner=partitioner):
        p = tf.get_variable("p", [4, 2])
        assert not hasattr(tf.get_variable("scalar", []), "_get_variable_list")
    with tf.variable_scope("a", partitioner=partitioner, reuse=True):
        assert tf.get_variable("p", [4, 2]) is p
    with tf.variable_scope("a", reuse=True):
        assert tf.get_variable("p", [4, 2]) is p
    with tf.variable_scope("a"):
        with pytest.raises(ValueError, match="without one"):
            tf.get_variable("p", [4, 2])
    with tf.variable_scope("a", partitioner=partitioner):
        with pytest.raises(ValueError, match="already exists"):
            tf.get_variable("p", [4, 2])


def test_partitioners():
    shape = tf.TensorShape([1000, 4])
    ask = lambda partitioner: partitioner(shape=shape, dtype=tf.float32)
    assert ask(tf.fixed_size_partitioner(3, axis=1)) == [1, 3]
    assert ask(tf.variable_axis_size_partitioner(1600)) == [10, 1]
    assert ask(tf.variable_axis_size_partitioner(1600, max_shards=4)) == [4, 1]
    assert ask(tf.min_max_variable_partitioner(max_partitions=10, min_slice_size=4000)) == [4, 1]
    assert ask(tf.min_max_variable_partitioner(max_partitions=0)) == [1, 1]
    with pytest.raises(ValueError):
        tf.variable_axis_size_partitioner(0)
    with pytest.raises(ValueError, match="one axis only"):
        tf.get_variable("p", [4, 4], partitioner=lambda **_: [2, 2])


def test_name_scopes():
    with tf.name_scope("a") as a:
        assert a == "a/"
        with tf.name_scope(None):
            assert tf.constant(1.0, name="top").name == "top:0"
        with tf.name_scope(None, "default", [tf.constant(1.0)]) as scope:
            assert scope == "a/default/"
    with tf.name_scope(a):
        assert tf.constant(1.0, name="c").name == "a/c:0"
    with tf.op_scope([], None, "old") as scope:
        assert scope == "old/"
    with pytest.raises(TypeError):
        tf.name_scope(3)


def test_init_scope_forgets_control_dependencies():
    first = tf.no_op()
    with tf.control_dependencies([first]), tf.name_scope("a"):
        with tf.init_scope():
            free = tf.constant(1.0, name="free")
        bound = tf.constant(1.0)
    assert free.op.control_inputs == [] and free.name == "a/free:0" and bound.op.control_inputs == [first]


def test_counts_of_a_scope_that_is_entered_again():
    counts = OpenCounts()
    with counts.opened("a", undone=False):
        with counts.opened("a/b", undone=False), counts.opened("a/b/c", undone=False):
            assert (counts.get("a/b"), counts.get("a/b/c")) == (1, 1)
        assert (counts.get("a/b"), counts.get("a/b/c")) == (1, 0)
        with counts.opened("a", undone=True):
            with counts.opened("a/b", undone=False), counts.opened("other", undone=False):
                assert (counts.get("a/b"), counts.get("other")) == (2, 1)
        assert (counts.get("a"), counts.get("a/b"), counts.get("other")) == (2, 1, 0)
    assert (counts.get("a"), counts.get("a/b")) == (2, 0)


def test_an_initializer_that_requires_partition_info_gets_none_for_a_whole_variable():
    def initializer(shape, dtype, partition_info):
        return tf.fill(shape, tf.constant(0.0 if partition_info is None else 1.0, dtype))

    whole = tf.get_variable("whole", [2], initializer=initializer)
    parts = tf.get_variable("parts", [2], initializer=initializer, partitioner=tf.fixed_size_partitioner(2))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([whole, parts.as_tensor()])[0].tolist() == [0.0, 0.0]
        assert session.run(parts.as_tensor()).tolist() == [1.0, 1.0]


def test_a_pure_scope_leaves_the_names_of_operations_unchanged():
    with tf.variable_scope("layer", dtype=tf.float64) as layer:
        pass
    with tf.name_scope("outer"):
        with pure_variable_scope(layer, reuse=tf.AUTO_REUSE, old_name_scope="old/") as again:
            v = tf.get_variable("v", [1])
            assert (tf.constant(1).name, v.name, again.original_name_scope) == ("outer/Const:0", "layer/v:0", "layer/")
            assert v.dtype.base_dtype is tf.float32 and tf.get_variable("v", [1]) is v
        with pure_variable_scope("new") as new, pure_variable_scope("inner", old_name_scope="old/") as inner:
            assert (new.original_name_scope, inner.name, inner.original_name_scope) == ("new", "new/inner", "old/")
    with tf.variable_scope(None, "new") as numbered:
        assert numbered.name == "new_1"


def test_a_getter_shares_a_variable_by_reuse_none():
    """None, which only a custom getter can pass, asks nothing: the variable is made if it is not there."""
    def suffixed(getter, name, **options):
        return getter(f"{name}_more", **{**options, "reuse": None})

    with tf.variable_scope("a", custom_getter=suffixed):
        assert tf.get_variable("w", [2]) is tf.get_variable("w", [2])
        parts = lambda: list(tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2)))
        assert all(one is other for one, other in zip(parts(), parts(), strict=True))


def test_scopes_close_in_the_reverse_order_of_opening(graph):
    with tf.variable_scope("outer"):
        scope = tf.variable_scope("inner")
        scope.__enter__()
        with tf.variable_scope("innermost"), pytest.raises(RuntimeError, match="nesting"):
            scope.__exit__(None, None, None)
        assert tf.get_variable_scope().name == "outer/inner"
        scope.__exit__(None, None, None)
    device = graph.device("/cpu:0")
    device.__enter__()
    with graph.device("/gpu:0"), pytest.raises(RuntimeError, match="nesting"):
        device.__exit__(None, None, None)
    assert tf.constant(1).device == "/device:CPU:0"
