"""Variables with eager execution, and what keeps them."""

import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest

import evergraph as tf

tfe = tf.contrib.eager


def test_a_variable():
    v = tf.Variable([1.0, 2.0], name="v")
    assert v.name == "v:0" and v.dtype is tf.float32 and v.shape.as_list() == [2] and v.trainable
    assert repr(v) == "<tf.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    assert np.asarray(v).tolist() == [1.0, 2.0] and (v * 2.0).numpy().tolist() == [2.0, 4.0]
    assert tf.Variable(3).numpy() == 3 and int(tf.Variable(3)) == 3 and bool(tf.Variable(True))
    assert isinstance(v, tfe.Variable) and v.is_initialized().numpy()


def test_names_are_not_unique():
    with tf.name_scope("scope"):
        assert [tf.Variable(1.0, name="v").name for _ in range(2)] == ["scope/v:0", "scope/v:0"]


def test_updates_return_the_variable():
    v = tf.Variable(1.0)
    assert v.assign_add(1.0).numpy() == 2.0 and v.assign_sub(0.5).assign_add(1.0).numpy() == 2.5
    assert v.assign(7.0, read_value=False) is None and v.numpy() == 7.0
    with pytest.raises(ValueError):
        v.assign([1.0, 2.0])
    assert v.count_up_to is not None and tf.Variable(1).count_up_to(5).numpy() == 1


def test_reads_are_snapshots():
    v = tf.Variable([1.0, 2.0])
    before = v.read_value()
    v.assign_add([1.0, 1.0])
    v.scatter_update(tf.IndexedSlices(tf.constant([9.0]), tf.constant([0])))
    assert before.numpy().tolist() == [1.0, 2.0] and v.numpy().tolist() == [9.0, 3.0]


@pytest.mark.parametrize("use", [lambda v: v.initial_value, lambda v: v.eval(), lambda v: v.to_proto(),
                                 lambda v: v.create], ids=["initial_value", "eval", "to_proto", "create"])
def test_what_graphs_alone_have(use):
    with pytest.raises(RuntimeError, match="EAGER|eager"):
        use(tf.Variable(1.0))


def test_a_variable_lives_as_long_as_the_program_holds_it():
    v = tf.Variable(np.ones(10))
    cell = weakref.ref(v.handle.held)
    del v
    gc.collect()
    assert cell() is None
    assert tf.global_variables() == [] == tf.trainable_variables()


def test_copies_change_on_their_own():
    v = tf.Variable(1.0, name="v")
    other = copy.deepcopy(v)
    other.assign(2.0)
    assert v.numpy() == 1.0 and other.name == "v:0"


def test_get_variable_makes_a_new_one_each_time():
    with tf.variable_scope("a", reuse=tf.AUTO_REUSE):
        assert tf.get_variable("w", []) is not tf.get_variable("w", [])


def test_a_store_shares():
    store = tfe.EagerVariableStore()
    with store.as_default():
        first, bias = tf.get_variable("w", [2]), tf.get_variable("b", [], trainable=False)
        assert tf.get_variable("w", [2]) is first
    assert store.variables() == [bias, first] and store.trainable_variables() == [first]
    assert store.non_trainable_variables() == [bias]
    copied = store.copy()
    copied.trainable_variables()[0].assign([7.0, 7.0])
    assert first.numpy().tolist() != [7.0, 7.0]


def test_templates_share():
    scaled = tf.make_template("scaled", lambda x: x * tf.get_variable("by", [], initializer=tf.ones_initializer()))
    scaled(1.0)
    scaled.variables[0].assign(5.0)
    assert scaled(2.0).numpy() == 10.0 and [v.name for v in scaled.trainable_variables] == ["scaled/by:0"]


def test_the_global_step():
    step = tf.train.get_or_create_global_step()
    assert tf.train.get_global_step() is step and tf.train.global_step(None, step) == 0
    tf.train.GradientDescentOptimizer(0.1).minimize(lambda: tf.Variable(1.0) * 1.0, global_step=step)
    assert step.numpy() == 1


def test_penalties_are_computed_when_asked_for():
    layer = tf.layers.Dense(1, kernel_initializer=tf.ones_initializer(),
                            kernel_regularizer=lambda w: tf.reduce_sum(w ** 2.0))
    layer(tf.ones([1, 2]))
    layer.kernel.assign([[3.0], [0.0]])
    with tf.GradientTape() as tape:
        (loss,) = layer.losses
    assert loss.numpy() == 9.0 and tape.gradient(loss, layer.kernel).numpy().tolist() == [[6.0], [0.0]]


def test_layers_keep_no_calls():
    layer = tf.keras.layers.Dense(2)
    x = tf.ones([1, 2])
    y = layer(x)
    seen = weakref.ref(y)
    del y
    gc.collect()
    assert seen() is None and [w.shape for w in layer.get_weights()] == [(2, 2), (2,)]
    layer.set_weights([np.zeros([2, 2]), np.ones(2)])
    assert layer(x).numpy().tolist() == [[1.0, 1.0]]


def test_checkpoints_restore_what_is_made_later(tmp_path):
    def trained(model, optimizer, steps):
        for _ in range(steps):
            optimizer.minimize(lambda: tf.reduce_sum(model(tf.ones([1, 2])) ** 2.0))

    first, adam = tf.layers.Dense(2), tf.train.AdamOptimizer(0.1)
    trained(first, adam, 2)
    path = tf.train.Checkpoint(model=first, adam=adam).save(str(tmp_path / "model"))
    second, other = tf.layers.Dense(2), tf.train.AdamOptimizer(0.1)
    status = tf.train.Checkpoint(model=second, adam=other).restore(path)
    for model, optimizer in ((first, adam), (second, other)):
        trained(model, optimizer, 1)
    status.assert_consumed()
    np.testing.assert_array_equal(first.kernel.numpy(), second.kernel.numpy())
    assert tf.train.latest_checkpoint(str(tmp_path)) == path


def test_savers(tmp_path):
    v, w = tf.Variable(1.0, name="v"), tf.Variable([2, 3], name="w")
    saver = tf.train.Saver([v, w])
    path = saver.save(None, str(tmp_path / "model"), global_step=tf.constant(7))
    v.assign(9.0)
    saver.restore(None, path)
    assert v.numpy() == 1.0 and path.endswith("model-7") and tf.train.list_variables(path) == [("v", []), ("w", [2])]


def test_where_a_variable_is():
    assert tf.Variable(1.0).device == tf.constant(1.0).device


def test_dtypes_of_reads_and_writes():
    v = tf.Variable([1, 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="read .* with wrong dtype. Expected float got int32"):
        tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="assign variable with wrong dtype. Expected int32 got"):
        tf.raw_ops.AssignVariableOp(resource=v.handle, value=[1.0, 2.0])


def test_critical_sections(eagerly):
    section, same = tf.CriticalSection(shared_name="section"), tf.CriticalSection(shared_name="section")
    other, v = tf.CriticalSection(), tf.Variable(0)
    inside = []

    def add():
        inside.append(1)
        assert len(inside) == 1
        v.assign_add(1)
        return inside.pop()

    def work(each):
        with eagerly.as_default():
            for _ in range(20):
                each.execute(add)

    threads = [threading.Thread(target=work, args=[each]) for each in (section, same)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert v.numpy() == 40 and other.execute(lambda: (v.read_value(), tf.no_op()))[0].numpy() == 40

    with pytest.raises(ZeroDivisionError):
        section.execute(lambda: 1 / 0)
    assert section.execute(lambda: v.assign_add(1)).numpy() == 41


def test_variables_are_pickled():
    v = tf.Variable([1.0, 2.0], trainable=False, name="v")
    copied = pickle.loads(pickle.dumps(v))
    assert copied is not v and (copied.name, copied.trainable) == (v.name, False)
    assert copied.numpy().tolist() == [1.0, 2.0] and copied.dtype is tf.float32
