"""What all optimizers have in common: gradients in and out, slots, the global step, constraints, subclasses."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.train import moving_averages
from tests.harness.session import KINDS, started


@KINDS
def test_gradients_may_be_changed_on_the_way(resource):
    v = tf.Variable([3.0, 4.0], use_resource=resource)
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    pairs = optimizer.compute_gradients(tf.reduce_sum(v * v))
    assert [variable for _, variable in pairs] == [v]
    train = optimizer.apply_gradients([(tf.clip_by_norm(gradient, 1.0), variable) for gradient, variable in pairs])
    with started() as session:
        session.run(train)
        np.testing.assert_allclose(session.run(v), [2.4, 3.2], rtol=1e-6)


@KINDS
def test_global_step_and_train_op(resource):
    step = tf.Variable(0, trainable=False, dtype=tf.int64, use_resource=resource)
    v = tf.Variable(1.0, use_resource=resource)
    train = tf.train.GradientDescentOptimizer(0.1, name="Mine").minimize(v * v, global_step=step, name="go")
    assert isinstance(train, tf.Operation) and train.name == "go"
    assert tf.get_collection(tf.GraphKeys.TRAIN_OP) == [train]
    with started() as session:
        for _ in range(3):
            session.run(train)
        assert session.run(step) == 3 == tf.train.global_step(session, step)


def test_global_step_of_the_graph():
    assert tf.train.get_global_step() is None
    step = tf.train.create_global_step()
    assert step.name == "global_step:0" and step.dtype.base_dtype == tf.int64 and not step.trainable
    assert tf.train.get_global_step() is step is tf.train.get_or_create_global_step()
    with pytest.raises(ValueError, match="already exists"):
        tf.train.create_global_step()
    with pytest.raises(TypeError, match="integer"):
        tf.train.assert_global_step(tf.constant(1.0))
    with pytest.raises(TypeError, match="scalar"):
        tf.train.assert_global_step(tf.constant([1]))


def test_slots():
    v, w = tf.Variable([1.0], name="v"), tf.Variable([2.0], name="w")
    optimizer = tf.train.AdamOptimizer()
    optimizer.minimize(tf.reduce_sum(v * w))
    assert optimizer.get_slot_names() == ["m", "v"] and optimizer.get_name() == "Adam"
    assert optimizer.get_slot(v, "m").name == "v/Adam:0" and optimizer.get_slot(w, "v").name == "w/Adam_1:0"
    assert optimizer.get_slot(v, "other") is None
    assert [x.name for x in optimizer.variables()] == [
        "beta1_power:0", "beta2_power:0", "v/Adam:0", "v/Adam_1:0", "w/Adam:0", "w/Adam_1:0"]
    assert optimizer.get_slot(v, "m") not in tf.trainable_variables()
    again = len(tf.global_variables())
    optimizer.minimize(tf.reduce_sum(v))
    assert len(tf.global_variables()) == again


def test_slots_of_parts_know_their_whole():
    p = tf.get_variable("p", [5, 2], partitioner=tf.fixed_size_partitioner(2))
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    optimizer.minimize(tf.reduce_sum(tf.convert_to_tensor(p)))
    info = optimizer.get_slot(list(p)[1], "momentum")._get_save_slice_info()
    assert (info.full_name, info.spec) == ("p/Momentum", "5 2 3,2:0,2")


@KINDS
def test_constraint(resource):
    v = tf.Variable([1.0, -1.0], constraint=lambda x: tf.maximum(x, 0.0), use_resource=resource)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(v))
    with started() as session:
        session.run(train)
        assert session.run(v).tolist() == [0.5, 0.0]
    with pytest.raises(RuntimeError, match="constraint"):
        tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(tf.gather(v, [0])))


@pytest.mark.parametrize("gate", [tf.train.Optimizer.GATE_NONE, tf.train.Optimizer.GATE_OP,
                                  tf.train.Optimizer.GATE_GRAPH])
def test_gates_give_the_same_numbers(gate):
    v, w = tf.Variable(2.0), tf.Variable(3.0)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(v * w, gate_gradients=gate)
    with started() as session:
        session.run(train)
        np.testing.assert_allclose(session.run([v, w]), [1.7, 2.8], rtol=1e-6)


def test_gradients_of_rows_go_through_gates(session):
    v, w = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([0.5, 0.5, 0.5])
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.gather_nd(v + w, [[0], [2]]) ** 2))
    session.run(tf.global_variables_initializer())
    session.run(train)
    np.testing.assert_allclose(session.run([v, w]), [[0.7, 2.0, 2.3], [0.2, 0.5, -0.2]], rtol=1e-6)


def test_learning_rates_may_be_tensors_and_functions():
    rate = tf.placeholder(tf.float32, [])
    v, w = tf.Variable(1.0), tf.Variable(1.0)
    fed = tf.train.GradientDescentOptimizer(rate).minimize(v, var_list=[v])
    called = tf.train.MomentumOptimizer(lambda: 0.25, lambda: 0.0).minimize(w, var_list=[w])
    with started() as session:
        session.run([fed, called], {rate: 0.5})
        assert session.run([v, w]) == [0.5, 0.75]


@pytest.mark.parametrize("dtype", [tf.float16, tf.float64])
def test_other_precisions(dtype):
    v = tf.Variable(np.ones(2, dtype.as_numpy_dtype))
    train = tf.train.AdamOptimizer(0.1, epsilon=1e-3).minimize(tf.reduce_sum(v * v))
    with started() as session:
        session.run(train)
        assert session.run(v).dtype == dtype.as_numpy_dtype
        np.testing.assert_allclose(session.run(v), [0.9, 0.9], rtol=5e-3)


def test_errors():
    v, n = tf.Variable(1.0), tf.Variable(1)
    sgd = tf.train.GradientDescentOptimizer(0.1)
    with pytest.raises(ValueError, match="No gradients provided"):
        sgd.minimize(tf.constant(1.0))
    with pytest.raises(ValueError, match="No variables"):
        sgd.compute_gradients(v, var_list=[])
    with pytest.raises(ValueError, match="No variables provided"):
        sgd.apply_gradients([])
    with pytest.raises(ValueError, match="No gradients provided"):
        sgd.apply_gradients([(None, v)])
    with pytest.raises(ValueError, match="Invalid type"):
        sgd.minimize(n)
    with pytest.raises(ValueError, match="gate_gradients"):
        sgd.minimize(v, gate_gradients=7)
    with pytest.raises(TypeError, match="a gradient is a tensor"):
        sgd.apply_gradients([(object(), v)])
    with pytest.raises(NotImplementedError, match="unsupported type"):
        sgd.compute_gradients(v, var_list=["v"])
    with pytest.raises(ValueError, match="name"):
        tf.train.GradientDescentOptimizer(0.1, name="")
    with pytest.raises(ValueError, match="positive"):
        tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.0)
    with pytest.raises(ValueError, match="learning_rate_power"):
        tf.train.FtrlOptimizer(0.1, learning_rate_power=0.5)


def test_subclass_of_a_program():
    class SignDescent(tf.train.Optimizer):
        def __init__(self, rate):
            super().__init__(False, "SignDescent")
            self._rate = rate

        def _create_slots(self, var_list):
            for v in var_list:
                self._zeros_slot(v, "count", self._name)

        def _prepare(self):
            self._rate_tensor = tf.convert_to_tensor(self._rate, name="rate")

        def _apply_dense(self, grad, var):
            count = tf.assign_add(self.get_slot(var, "count"), tf.ones_like(grad))
            return tf.group(tf.assign_sub(var, self._rate_tensor * tf.sign(grad)), count)

        def _resource_apply_dense(self, grad, var):
            return var.assign_sub(self._rate_tensor * tf.sign(grad))

        def _apply_sparse(self, grad, var):
            return self._apply_dense(tf.convert_to_tensor(grad), var)

    v, r = tf.Variable([3.0, -3.0], name="v"), tf.Variable([1.0], use_resource=True)
    optimizer = SignDescent(0.5)
    train = optimizer.minimize(tf.reduce_sum(v * v) + tf.reduce_sum(r) + tf.reduce_sum(tf.gather(v, [0, 0])))
    assert optimizer.get_slot(v, "count").name == "v/SignDescent:0"
    with started() as session:
        session.run(train)
        assert session.run(v).tolist() == [2.5, -2.5] and session.run(r).tolist() == [0.5]


def test_training_reads_what_the_step_began_with():
    """The loss that is fetched with the train op is the one before the update."""
    v = tf.Variable(3.0)
    loss = v * v
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with started() as session:
        assert session.run([train, loss])[1] == 9.0
        assert session.run(loss) == pytest.approx(5.76)


# ---- moving averages

@KINDS
def test_moving_average_of_variables(resource):
    v = tf.Variable(1.0, name="v", use_resource=resource)
    averages = tf.train.ExponentialMovingAverage(0.75)
    update = averages.apply([v])
    assert averages.average(v).op.name == "v/ExponentialMovingAverage" == averages.average_name(v)
    assert tf.moving_average_variables() == [v] and averages.name == "ExponentialMovingAverage"
    with started() as session:
        session.run(v.assign(5.0))
        session.run(update)
        assert session.run(averages.average(v)) == 2.0
        session.run(update)
        assert session.run(averages.average(v)) == 2.75


def test_moving_average_follows_faster_at_first():
    v = tf.Variable(0.0)
    averages = tf.train.ExponentialMovingAverage(0.99, num_updates=tf.constant(0))
    update = averages.apply()
    with started() as session:
        session.run(v.assign(10.0))
        session.run(update)
        assert session.run(averages.average(v)) == pytest.approx(9.0)


def test_moving_average_of_tensors_without_bias():
    x = tf.placeholder(tf.float32, [])
    t = x * 2.0
    plain, fair = tf.train.ExponentialMovingAverage(0.9), tf.train.ExponentialMovingAverage(0.9, zero_debias=True,
                                                                                            name="F")
    update = tf.group(plain.apply([t]), fair.apply([t]))
    with started() as session:
        session.run(update, {x: 1.0})
        assert session.run(plain.average(t)) == pytest.approx(0.2)
        assert session.run(fair.average(t)) == pytest.approx(2.0)
        session.run(update, {x: 3.0})
        assert session.run(fair.average(t)) == pytest.approx((0.9 * 0.2 + 0.1 * 6.0) / (1 - 0.81))


def test_each_average_without_bias_of_a_variable_counts_for_itself():
    v = tf.Variable(0.0, name="average")
    for _ in range(2):
        moving_averages.assign_moving_average(v, 1.0, 0.9, zero_debias=True)
    with tf.variable_scope("", reuse=tf.AUTO_REUSE):
        moving_averages.assign_moving_average(v, 1.0, 0.9, zero_debias=True)
    assert [each.op.name for each in tf.global_variables()] == [
        "average", "average/biased", "average/local_step", "average/biased_1", "average/local_step_1"]


def test_variables_to_restore():
    v, n = tf.Variable(1.0, name="v"), tf.Variable(1, name="n", trainable=False)
    averages = tf.train.ExponentialMovingAverage(0.9)
    assert averages.variables_to_restore() == {"v/ExponentialMovingAverage": v, "n": n}
    averages.apply()
    assert set(averages.variables_to_restore()) == {"v/ExponentialMovingAverage", "n"}
    with pytest.raises(TypeError, match="half, float, or double"):
        averages.apply([n])


def test_rows_of_a_double_resource_variable():
    table = tf.Variable(np.ones((3, 2)), use_resource=True)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(tf.gather(table, [1, 1])))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        np.testing.assert_array_equal(sess.run(table), [[1, 1], [0, 0], [1, 1]])


def test_ftrl_in_half_precision_rounds_as_tensorflow():
    v = tf.Variable(np.zeros(2, np.float16))
    optimizer = tf.train.FtrlOptimizer(3.0, initial_accumulator_value=0.1)
    train = optimizer.apply_gradients([(tf.constant([0.1, 0.2], tf.float16), v)])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train)
        np.testing.assert_array_equal(sess.run(v), np.array([-2.602, -4.297], np.float16))  # TensorFlow 2.15's


def test_averages_of_raw_variables_stand_beside_them():
    with tf.device("/job:worker"):
        raw = tf.raw_ops.VariableV2(shape=[1], dtype=tf.float32)
    averages = tf.train.ExponentialMovingAverage(0.5)
    averages.apply([raw])
    assert averages.average(raw).device == "/job:worker"


def test_optimizers_are_direct_subclasses_of_the_base_class():
    names = [name for name in dir(tf.train) if name.endswith("Optimizer") and name != "Optimizer"]
    assert len(names) == 11 and all(getattr(tf.train, name).__base__ is tf.train.Optimizer for name in names)
    with pytest.raises(NotImplementedError):
        tf.train.Optimizer(False, "Plain").minimize(tf.Variable(1.0) ** 2)
