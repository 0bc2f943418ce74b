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


def test_templates_in_checkpoints(tmp_path):
    def inner():
        with tf.variable_scope("deep"):
            return tf.get_variable("v", [1])

    def outer():
        first, second = tf.make_template("i1", inner), tf.make_template("i2", inner)
        return first(), second(), second(), tf.get_variable("own", [1])

    with tf.Session() as session:
        saved = tf.make_template("saved", outer)
        one, two, again, own = saved()
        assert two is again
        for number, variable in enumerate((one, two, own)):
            session.run(variable.assign([20.0 + number]))
        path = tf.train.Checkpoint(template=saved).save(tmp_path / "objects", session=session)
        names = [name for name, _ in tf.train.list_variables(path)]
        assert [name.partition("/.ATTRIBUTES")[0] for name in names] == [
            "_CHECKPOINTABLE_OBJECT_GRAPH", "save_counter", "template/i1/deep.Sv", "template/i2/deep.Sv",
            "template/own"]
        loaded = tf.make_template("loaded", outer)
        status = tf.train.Checkpoint(template=loaded).restore(path)
        values = loaded()
        status.assert_consumed().run_restore_ops(session)
        assert [session.run(value)[0] for value in values] == [20.0, 21.0, 21.0, 22.0]
