"""tf.make_template: names as TensorFlow gives them, and which calls share variables."""

import pytest

import evergraph as tf


def scaled(x, by=1.0):
    return x * tf.get_variable("w", [], initializer=tf.ones_initializer()) * by


def names(tensors):
    return [t.name for t in tensors]


def test_calls_share_variables_and_templates_do_not():
    one, two = tf.make_template("s", scaled), tf.make_template("s", scaled)
    outputs = [one(1.0), two(2.0), one(3.0)]
    with tf.variable_scope("outer"):
        outputs.append(one(4.0))
    assert names(outputs) == ["s/mul_1:0", "s_1/mul_1:0", "s_2/mul_1:0", "outer/s/mul_1:0"]
    assert names(tf.global_variables()) == ["s/w:0", "s_1/w:0"]
    assert names(one.variables) == names(one.trainable_weights) == ["s/w:0"]
    assert (one.name, one.variable_scope_name, one.variable_scope.name) == ("s", "s/", "s")
    assert one.local_variables == one.non_trainable_variables == []


def test_where_the_scope_is_made():
    early, late = (tf.make_template("s", scaled, create_scope_now_=now) for now in (True, False))
    assert early.variable_scope.name == "s" and late.variable_scope is late.variable_scope_name is None
    assert late.variables == []
    with tf.variable_scope("outer"):
        assert names([early(1.0), late(1.0)]) == ["outer/s/mul_1:0", "outer/s_1/mul_1:0"]
    assert names(tf.global_variables()) == ["s/w:0", "outer/s/w:0"]
    named = tf.make_template("s", scaled, unique_name_="own", by=3.0)
    assert names([named(1.0)]) == ["own/mul_1:0"]


def test_templates_in_templates():
    outer = tf.make_template("o", lambda x: tf.make_template("i", scaled)(x) + tf.make_template("i", scaled)(x))
    outer(1.0), outer(2.0)
    assert names(tf.global_variables()) == ["o/i/w:0", "o/i_1/w:0"]


def test_the_variables_of_later_calls():
    trained = tf.make_template("t", lambda: tf.Variable(1.0))
    trained()
    with pytest.raises(ValueError, match="after its first call"):
        trained()
    counted = tf.make_template("c", lambda: tf.Variable(1.0, trainable=False))
    assert names([counted(), counted()]) == ["c/Variable:0", "c_1/Variable:0"]
    with pytest.raises(ValueError, match="name"):
        tf.make_template(None, scaled)


def test_custom_getter():
    def doubled(getter, *args, **kwargs):
        return 2 * getter(*args, **kwargs)
    assert tf.make_template("d", scaled, custom_getter_=doubled)(1.0).op.inputs[0].op.inputs[1].op.type == "Mul"
