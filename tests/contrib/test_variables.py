"""tf.contrib.framework: model variables, searches, argument scopes."""

import pytest

import evergraph as tf

framework = tf.contrib.framework


def test_model_variables():
    with tf.variable_scope("a"):
        w = framework.model_variable("w", [2], regularizer=lambda v: tf.reduce_sum(v), device="/cpu:0")
        u = framework.variable("u", [2], trainable=False, collections="mine")
    assert w.name == "a/w:0" and w.device == "/device:CPU:0"
    assert framework.get_model_variables() == [w] == tf.model_variables()
    assert len(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)) == 1
    assert tf.get_collection("mine") == [u] and u not in tf.global_variables()
    framework.add_model_variable(u)
    framework.add_model_variable(u)
    assert tf.model_variables() == [w, u]
    step = framework.get_or_create_global_step()
    assert framework.get_global_step() is step is tf.train.get_global_step()


def test_local_and_global():
    local, shared = framework.local_variable(1.0), framework.global_variable(2.0)
    assert tf.local_variables() == [local] and tf.global_variables() == [shared] and tf.trainable_variables() == []


def test_searches():
    names = ["a/w", "a/b/w", "a/b/bias", "ab/w"]
    variables = {name: tf.get_variable(name, []) for name in names}
    found = lambda result: [v.op.name for v in result]
    assert found(framework.get_variables("a/")) == ["a/w", "a/b/w", "a/b/bias"]
    assert found(framework.get_variables(suffix="w")) == ["a/w", "a/b/w", "ab/w"]
    assert found(framework.get_variables_by_name("bias")) == ["a/b/bias"]
    assert found(framework.get_variables_by_suffix("b/w")) == ["a/b/w", "ab/w"]
    assert found(framework.get_variables_to_restore(include=["a/"], exclude=["a/b"])) == ["a/w"]
    assert found(framework.filter_variables(tf.global_variables(), ["/b/"], ["bias"])) == ["a/b/w"]
    assert framework.get_unique_variable("a/w") is variables["a/w"]
    with pytest.raises(ValueError, match="Couldn't find"):
        framework.get_unique_variable("c")
    with tf.variable_scope("ab") as scope:
        assert found(framework.get_variables(scope)) == ["ab/w"]
    part = list(tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2)))[1]
    assert framework.get_variable_full_name(part) == "p"


def test_arg_scope():
    @framework.add_arg_scope
    def area(width, height=1, depth=1):
        return width * height * depth

    def plain():
        pass

    assert framework.has_arg_scope(area) and not framework.has_arg_scope(plain)
    assert framework.arg_scoped_arguments(area) == ("height", "depth")
    with framework.arg_scope([area], height=3) as scope:
        assert area(2) == 6 and area(2, height=1) == 2
        with framework.arg_scope([area], depth=2):
            assert area(1) == 6
    assert area(2) == 2
    with framework.arg_scope(scope):
        assert area(2) == 6
    with pytest.raises(ValueError, match="not decorated"):
        with framework.arg_scope([plain], height=3):
            pass
    with pytest.raises(ValueError, match="takes no further arguments"):
        with framework.arg_scope(scope, height=3):
            pass
    with pytest.raises(TypeError):
        with framework.arg_scope(area):
            pass
