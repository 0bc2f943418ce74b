"""Training under MirroredStrategy goes on from the checkpoints of the other package, with the same losses."""

import numpy as np

import evergraph as eg
from tests.interop.judge import ask


def goes_on(tf, load, save, steps):
    """The losses of steps of an optimizer with slots, on two replicas, from a checkpoint if there is one."""
    if not hasattr(tf.distribute.Strategy, "experimental_run_v2"):
        tf.distribute.Strategy.experimental_run_v2 = tf.distribute.MirroredStrategy.run
        cpu = tf.config.list_physical_devices("CPU")[0]
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    with strategy.scope():
        def replica():
            number = tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)
            w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
            count = tf.get_variable("count", [], initializer=tf.zeros_initializer(), trainable=False,
                                    synchronization=tf.VariableSynchronization.ON_READ,
                                    aggregation=tf.VariableAggregation.SUM)
            loss = tf.reduce_sum(tf.square(w - [1.0, 2.0, 3.0] * (number + 1.0)))
            train = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_or_create_global_step())
            with tf.control_dependencies([train, count.assign_add(number + 1.0)]):
                return tf.identity(loss)

        losses = strategy.experimental_run_v2(replica)
        loss = strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)
        saver = tf.train.Saver()
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2}, allow_soft_placement=True)) as session:
        session.run(tf.global_variables_initializer())
        if load is not None:
            saver.restore(session, load)
        found = [float(session.run(loss)) for _ in range(steps)]
        return found, saver.save(session, save), sorted(name for name, _ in tf.train.list_variables(save))


def test_checkpoints_of_mirrored_variables_go_both_ways(tmp_path):
    path = lambda name: str(tmp_path / name)
    theirs, first, names = ask(goes_on, tmp_path, load=None, save=path("theirs"), steps=3)
    with eg.Graph().as_default():
        ours, second, our_names = goes_on(eg, first, path("ours"), 3)
    last, _, _ = ask(goes_on, tmp_path, load=second, save=path("last"), steps=3)
    whole, _, _ = ask(goes_on, tmp_path, load=None, save=path("whole"), steps=9)
    np.testing.assert_allclose([*theirs, *ours, *last], whole, rtol=1e-5)
    assert our_names == names
    with eg.Graph().as_default():
        np.testing.assert_equal(eg.train.load_variable(second, "count"), 6 * 3.0)
