"""Distribution strategies of one device: Estimators train on it."""

import subprocess
import sys

import numpy as np
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
    assert DEVICES["train"] == "/replica:0/task:0/device:CPU:0"
    estimator.evaluate(input_fn, steps=1)
    assert DEVICES["eval"] == ""


def test_a_strategy_has_one_replica():
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
        assert tf.constant(1).device == "/replica:0/task:0/device:CPU:0"
    assert strategy.experimental_run_v2(lambda a, b: a - b, (5,), {"b": 2}) == 3
    assert (strategy.num_replicas_in_sync, strategy.experimental_local_results(7)) == (1, (7,))


def test_programs_find_the_strategy_around_them():
    inside = tf.distribute.in_cross_replica_context
    assert not tf.distribute.has_strategy() and not inside()
    assert tf.distribute.get_strategy().num_replicas_in_sync == 1
    assert tf.distribute.get_strategy().experimental_run(lambda: tf.distribute.get_replica_context().strategy) \
        is tf.distribute.get_strategy()
    with tf.distribute.MirroredStrategy(["/cpu:0"]).scope() as strategy:
        assert tf.distribute.get_strategy() is strategy and tf.distribute.has_strategy()
        assert inside() and tf.distribute.get_replica_context() is None

        def replica(x):
            found = tf.distribute.get_replica_context()
            assert found.strategy is strategy and not inside()
            assert tf.contrib.util.constant_value(found.replica_id_in_sync_group) == 0
            merged = found.merge_call(lambda given, y, more: (given is strategy, inside(), y + more), (x,), {"more": 1})
            return (*merged, found.all_reduce(tf.distribute.ReduceOp.SUM, x))

        assert strategy.experimental_run_v2(replica, (2,)) == (True, True, 3, 2)
    assert tf.distribute.get_replica_context().num_replicas_in_sync == 1


def test_one_gpu_of_contrib_is_one_device():
    assert tf.contrib.distribute.MirroredStrategy(num_gpus=1).num_replicas_in_sync == 1
    assert tf.estimator.RunConfig(eval_distribute=tf.contrib.distribute.MirroredStrategy()).eval_distribute is not None


def test_one_replica_gets_all_the_input_and_its_value_is_the_result():
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    made = strategy.experimental_make_numpy_dataset(np.arange(6.0))
    batches = strategy.make_input_fn_iterator(lambda context: made.batch(context.get_per_replica_batch_size(2)))
    total = strategy.experimental_run(lambda batch: tf.stack([batch, batch]), batches)
    results = [strategy.reduce(tf.distribute.ReduceOp.SUM, total), strategy.reduce("MEAN", total, axis=0),
               *strategy.unwrap(total)]
    with tf.Session() as session:
        session.run([batches.initialize(), strategy.group(tf.no_op())])
        for rows in ([0.0, 1.0], [2.0, 3.0]):
            whole, mean, same = session.run(results)
            assert whole.tolist() == same.tolist() == [rows, rows] and mean.tolist() == rows
    assert strategy.experimental_distribute_dataset(made) is made
    with pytest.raises(ValueError):
        strategy.reduce("product", total)
    with pytest.raises(ValueError, match="3 replicas"):
        tf.distribute.InputContext(num_replicas_in_sync=3).get_per_replica_batch_size(10)
    with pytest.raises(tf.errors.UnimplementedError, match="cluster"):
        strategy.configure(cluster_spec={"worker": ["a:1"]})
    config = tf.ConfigProto(allow_soft_placement=True)
    assert strategy.update_config_proto(config) == config


def test_what_libraries_ask_of_a_strategy():
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    extended = strategy.extended
    assert extended.worker_devices == extended.parameter_devices == ("/replica:0/task:0/device:CPU:0",)
    assert extended.should_checkpoint and not extended.experimental_between_graph
    with strategy.scope():
        inside = tf.get_variable("inside", initializer=[1.0, 2.0])
        update = extended.update(inside, lambda variable, by: variable.assign_add(by), ([1.0, 1.0],))
        assert len(extended.update_non_slot(extended.non_slot_devices([inside]), lambda: update, group=False)) == 1
    outside = tf.get_variable("outside", [])
    assert extended.variable_created_in_scope(inside) and not extended.variable_created_in_scope(outside)
    assert tf.distribute.get_strategy().extended.variable_created_in_scope(outside)
    assert extended.value_container(inside) is inside
    assert extended.call_for_each_replica(lambda a, b: a - b, (5,), {"b": 2}) == 3
    mean = tf.distribute.ReduceOp.MEAN
    assert extended.batch_reduce_to("sum", [(4, inside)]) == [extended.reduce_to(mean, 4, "/cpu:0")] == [4]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(update)
        assert session.run(extended.read_var(inside)).tolist() == [2.0, 3.0]


def test_steps_on_an_iterator(session):
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    batches = strategy.make_dataset_iterator(tf.data.Dataset.range(10))
    total = tf.get_variable("total", initializer=tf.constant(0, tf.int64), use_resource=True)

    def step(context, number):
        context.set_last_step_output("last", number * 2, tf.distribute.ReduceOp.MEAN)
        context.set_non_tensor_output("name", "step")
        return total.assign_add(number)

    context = strategy.extended.experimental_run_steps_on_iterator(
        step, batches, iterations=3, initial_loop_values={"last": tf.constant(-1, tf.int64)})
    session.run([total.initializer, batches.initialize()])
    assert session.run([context.last_step_outputs, context.run_op])[0] == {"last": 4}
    assert session.run(total) == 3 and context.non_tensor_outputs == {"name": "step"}
    session.run(context.run_op)
    assert session.run(total) == 15


def test_the_strategy_of_programs_that_name_none():
    """In a process in which nothing else has made strategies yet."""
    program = "import evergraph as tf; print(type(tf.distribute.get_strategy()).__name__, tf.distribute.has_strategy())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["DefaultStrategy", "False"]
