"""Distribution strategies of one device: Estimators train on it, several devices are refused."""

import pytest

import evergraph as tf


def model_fn(features, labels, mode):
    w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(w * features - labels))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_or_create_global_step())
    DEVICES[mode] = w.device
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


DEVICES = {}


def input_fn():
    return tf.data.Dataset.from_tensors(([1.0, 2.0], [3.0, 6.0])).repeat(20)


def test_an_estimator_trains_on_the_device_of_its_strategy(tmp_path):
    config = tf.estimator.RunConfig(train_distribute=tf.contrib.distribute.OneDeviceStrategy("/device:CPU:0"))
    estimator = tf.estimator.Estimator(model_fn, str(tmp_path / "placed"), config)
    estimator.train(input_fn)
    plain = tf.estimator.Estimator(model_fn, str(tmp_path / "plain")).train(input_fn)
    assert estimator.get_variable_value("w") == plain.get_variable_value("w") == pytest.approx(3.0, abs=1e-3)
    estimator.train(input_fn, steps=1)
    assert DEVICES["train"] == "/device:CPU:0"
    estimator.evaluate(input_fn, steps=1)
    assert DEVICES["eval"] == ""


def test_a_strategy_has_one_replica():
    strategy = tf.contrib.distribute.MirroredStrategy(["/cpu:0"])
    with strategy.scope():
        assert tf.constant(1).device == "/device:CPU:0"
    assert strategy.experimental_run_v2(lambda a, b: a - b, (5,), {"b": 2}) == 3
    assert (strategy.num_replicas_in_sync, strategy.experimental_local_results(7)) == (1, (7,))


@pytest.mark.parametrize("make", [
    lambda: tf.contrib.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"]),
    lambda: tf.contrib.distribute.MirroredStrategy(num_gpus=2)])
def test_several_devices_are_refused(make):
    with pytest.raises(tf.errors.UnimplementedError, match="one device.* are 2"):
        make()


def test_one_gpu_of_contrib_is_one_device():
    assert tf.contrib.distribute.MirroredStrategy(num_gpus=1).num_replicas_in_sync == 1
    assert tf.estimator.RunConfig(eval_distribute=tf.contrib.distribute.MirroredStrategy()).eval_distribute is not None
