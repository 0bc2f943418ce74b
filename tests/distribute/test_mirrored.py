"""MirroredStrategy with two replicas: names, variables, meetings, input, checkpoints, and what is refused.

Sessions here place `/cpu:1` softly, where XLA has started with one CPU; tests/distribute/test_losses.py has real ones.
"""

import numpy as np
import pytest

import evergraph as tf

MEAN, SUM = tf.distribute.ReduceOp.MEAN, tf.distribute.ReduceOp.SUM


@pytest.fixture
def strategy():
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


@pytest.fixture
def run():
    session = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))

    def run(fetches, *before, **options):
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for each in before:
            session.run(each)
        return session.run(fetches, **options)

    run.session = session
    return run


def number():
    """The number of the replica, as a float."""
    return tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)


def test_names_and_devices(strategy):
    def replica():
        v = tf.get_variable("v", [2])
        u = tf.Variable(1.0, name="u")
        return v, u, tf.add(v, u, name="sum")

    with strategy.scope():
        v, u, total = strategy.experimental_run_v2(replica)
    assert [part.name for part in strategy.unwrap(v)] == ["v:0", "v/replica_1:0"]
    assert [part.name for part in strategy.unwrap(u)] == ["u:0", "u/replica_1:0"]
    assert [part.device[-5:] for part in v.values] == ["CPU:0", "CPU:1"]
    assert [part.name for part in total.values] == ["sum:0", "replica_1/sum:0"]
    assert [part.device[-5:] for part in total.values] == ["CPU:0", "CPU:1"]
    assert tf.global_variables() == tf.trainable_variables() == [v, u] and isinstance(v, tf.Variable)
    assert strategy.extended.value_container(v.values[1]) is v


def test_copies_start_equal_and_are_assigned_together(strategy, run):
    with strategy.scope():
        v = tf.get_variable("v", [3], initializer=tf.random_normal_initializer())
    first, second = run([*v.values])
    assert first.tolist() == second.tolist() != [0.0, 0.0, 0.0]
    run(tf.no_op(), v.assign([1.0, 2.0, 3.0]))
    assert [part.tolist() for part in run.session.run([*v.values])] == [[1.0, 2.0, 3.0]] * 2
    v.load([4.0, 5.0, 6.0], run.session)
    assert run.session.run(v.values[1]).tolist() == [4.0, 5.0, 6.0]


@pytest.mark.parametrize("aggregation, expected", [("SUM", 4.0), ("MEAN", 2.5), ("ONLY_FIRST_REPLICA", 2.0)])
def test_what_replicas_assign_is_aggregated(aggregation, expected, strategy, run):
    with strategy.scope():
        v = tf.get_variable("v", [], initializer=tf.ones_initializer(), aggregation=tf.VariableAggregation[aggregation])
        added = strategy.experimental_run_v2(lambda: v.assign_add(number() + 1.0))
    assert run(added).values == (expected,) * 2
    assert run([*v.values], added) == [expected] * 2


def test_without_an_aggregation_replicas_cannot_assign(strategy):
    with strategy.scope():
        v = tf.get_variable("v", [])
        with pytest.raises(ValueError, match="specify an aggregation method.*Replica Context.* v:0"):
            strategy.experimental_run_v2(lambda: v.assign(number()))


def test_a_variable_that_is_synchronized_on_read(strategy, run):
    with strategy.scope():
        kinds = {how: tf.get_variable(f"{how}", [], initializer=tf.zeros_initializer(),
                                      synchronization=tf.VariableSynchronization.ON_READ,
                                      aggregation=tf.VariableAggregation[how]) for how in ("SUM", "MEAN")}
        updates = strategy.experimental_run_v2(lambda: [v.assign_add(number() + 1.0) for v in kinds.values()])
    assert not any(v.trainable for v in kinds.values())
    assert run([kinds["SUM"].read_value(), kinds["MEAN"].read_value(), *kinds["SUM"].values],
               [strategy.unwrap(update) for update in updates]) == [3.0, 1.5, 1.0, 2.0]
    with strategy.scope(), pytest.raises(ValueError, match="assign_add.*cross-replica.*SUM"):
        kinds["SUM"].assign_add(1.0)
    assert run([*kinds["SUM"].values], kinds["SUM"].assign(8.0)) == [4.0, 4.0]


def test_replicas_meet(strategy, run):
    def merged(found, x, word):
        assert found is strategy and tf.distribute.in_cross_replica_context() and word == "same"
        return strategy.reduce(SUM, x)

    def replica():
        context = tf.distribute.get_replica_context()
        total = context.merge_call(merged, (number() + 1.0,), {"word": "same"})
        return total * 10.0 + number(), context.all_reduce(MEAN, {"x": number()}), context.devices[0][-5:]

    values, mean, devices = strategy.experimental_run_v2(replica)
    assert run(values).values == (30.0, 31.0)
    assert run([*mean["x"].values]) == [0.5, 0.5] and devices.values == ("CPU:0", "CPU:1")


def test_a_meeting_inside_of_a_condition_is_refused(strategy):
    def replica():
        context = tf.distribute.get_replica_context()
        return tf.cond(number() > 0.0, lambda: context.all_reduce(SUM, number()), lambda: 0.0)

    with pytest.raises(RuntimeError, match="merge_call.*defining a new graph.*condition"):
        strategy.experimental_run_v2(replica)


def test_replicas_that_do_not_come_to_a_meeting(strategy):
    def replica():
        context = tf.distribute.get_replica_context()
        if context.devices[0].endswith("CPU:1"):
            context.merge_call(lambda strategy: None)

    with pytest.raises(RuntimeError, match=r"replicas \[1\] wait for all in merge_call"):
        strategy.experimental_run_v2(replica)


def test_an_exception_of_a_replica_is_raised_once_and_ends_the_others(strategy):
    seen = []

    def replica():
        context = tf.distribute.get_replica_context()
        seen.append(context.devices[0][-1])
        if seen[-1] == "1":
            raise ZeroDivisionError("in replica 1")
        context.merge_call(lambda strategy: seen.append("merged"))

    with pytest.raises(ZeroDivisionError, match="in replica 1"):
        strategy.experimental_run_v2(replica)
    assert seen == ["0", "1"] and tf.distribute.get_replica_context().num_replicas_in_sync == 1


def test_reductions(strategy, run):
    values = strategy.experimental_run_v2(lambda: tf.stack([number(), number() + 2.0]))
    found = run([strategy.reduce(SUM, values), strategy.reduce("mean", values), strategy.reduce(SUM, values, axis=0),
                 strategy.reduce(MEAN, values, axis=0)])
    assert [each.tolist() for each in found] == [[1.0, 5.0], [0.5, 2.5], 6.0, 1.5]
    with strategy.scope(), pytest.raises(ValueError, match="non-DistributedValues value 5.0 cannot be reduced.*SUM"):
        strategy.reduce(SUM, 5.0)
    assert strategy.reduce(MEAN, 5.0) == 5.0


@pytest.mark.parametrize("cross_device_ops", [
    tf.distribute.NcclAllReduce(2), tf.distribute.HierarchicalCopyAllReduce(),
    tf.distribute.ReductionToOneDevice("/cpu:1", accumulation_fn=tf.add_n)])
def test_cross_device_ops_have_one_meaning(cross_device_ops, run):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"], cross_device_ops)
    mean = strategy.experimental_run_v2(
        lambda: tf.distribute.get_replica_context().all_reduce(MEAN, tf.stack([number(), 1.0])))
    assert [each.tolist() for each in run([*mean.values])] == [[0.5, 1.0]] * 2


def test_rows_of_gradients_are_added_up(strategy, run):
    with strategy.scope():
        table = tf.get_variable("table", [4, 1], initializer=tf.zeros_initializer())

        def replica():
            rows = tf.gather(table, [1 + tf.cast(number(), tf.int32), 1])
            return tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(rows))

        train = strategy.experimental_run_v2(replica)
    assert run([*table.values], strategy.group(train))[1].ravel().tolist() == [0.0, -3.0, -1.0, 0.0]


def test_input_is_divided(strategy, run):
    batches = strategy.make_dataset_iterator(tf.data.Dataset.range(7).batch(4))
    parts = strategy.experimental_run(tf.identity, batches)
    run(tf.no_op(), batches.initialize())
    assert [part.tolist() for part in run.session.run([*parts.values])] == [[0, 1], [2, 3]]
    assert [part.tolist() for part in run.session.run([*parts.values])] == [[4, 5], [6]]
    with pytest.raises(tf.errors.OutOfRangeError):
        run.session.run(parts)
    with pytest.raises(ValueError, match="first axis.*batch the dataset"):
        strategy.make_dataset_iterator(tf.data.Dataset.range(4)).get_next()


def test_each_replica_gets_an_element_of_an_input_function(strategy, run):
    def input_fn(context):
        assert context.num_replicas_in_sync == 2
        with pytest.raises(ValueError, match="5 examples cannot be shared by 2 replicas"):
            context.get_per_replica_batch_size(5)
        return tf.data.Dataset.range(4)

    batches = strategy.make_input_fn_iterator(input_fn)
    parts = strategy.experimental_run(lambda x: x * 10, batches)
    run(tf.no_op(), batches.initialize())
    assert run.session.run([*parts.values]) == [0, 10] and run.session.run([*parts.values]) == [20, 30]


def test_one_value_of_a_checkpoint_for_all_copies(strategy, run, tmp_path):
    with strategy.scope():
        v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        mean = tf.get_variable("mean", [], initializer=tf.zeros_initializer(), trainable=False,
                               synchronization=tf.VariableSynchronization.ON_READ,
                               aggregation=tf.VariableAggregation.MEAN)
        update = strategy.experimental_run_v2(lambda: mean.assign(number()))
    saver = tf.train.Saver()
    run(tf.no_op(), strategy.unwrap(update), v.assign(7.0))
    path = saver.save(run.session, str(tmp_path / "model"))
    assert dict(tf.train.list_variables(path)) == {"v": [], "mean": []}
    run(tf.no_op())
    saver.restore(run.session, path)
    assert run.session.run([*v.values, *mean.values]) == [7.0, 7.0, 0.5, 0.5]
    with tf.Graph().as_default(), tf.Session() as plain:
        single = tf.get_variable("v", [])
        tf.train.Saver().restore(plain, path)
        assert plain.run(single) == 7.0


def test_metrics_are_those_of_all_replicas(strategy, run):
    with strategy.scope():
        value, update = strategy.experimental_run_v2(lambda: tf.metrics.mean(tf.stack([number(), 4.0 * number()])))
    assert run([*value.values], strategy.unwrap(update)) == [1.25, 1.25]


def test_a_failed_step_changes_no_copy(strategy, run):
    bad = tf.placeholder(tf.float32, [])
    with strategy.scope():
        w = tf.get_variable("w", [], initializer=tf.ones_initializer())

        def replica():
            loss = tf.square(tf.check_numerics(w * (bad if number_of() else 1.0), "the loss of a replica"))
            return tf.train.AdamOptimizer(0.5).minimize(loss)

        def number_of():
            return tf.distribute.get_replica_context().devices[0].endswith("1")

        train = strategy.group(strategy.experimental_run_v2(replica))
    before = run(tf.global_variables() + [*w.values])
    with pytest.raises(tf.errors.InvalidArgumentError, match="the loss of a replica"):
        run.session.run(train, {bad: np.nan})
    assert run.session.run(tf.global_variables() + [*w.values]) == before
    run.session.run(train, {bad: 1.0})
    first, second = run.session.run([*w.values])
    assert first == second == pytest.approx(0.5, abs=1e-4)


def test_what_is_refused(strategy):
    with pytest.raises(ValueError, match="duplicates"):
        tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:0"])
    with pytest.raises(ValueError, match="empty"):
        tf.distribute.MirroredStrategy([])
    with strategy.scope(), pytest.raises(RuntimeError, match="Mixing different"):
        with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
            pass
    with strategy.scope(), pytest.raises(RuntimeError, match="replica context"):
        tf.train.GradientDescentOptimizer(1.0).apply_gradients([(1.0, tf.get_variable("v", []))])
    with strategy.scope(), pytest.raises(ValueError, match="NONE.*synchronization.* w"):
        tf.get_variable("w", [], synchronization=tf.VariableSynchronization.NONE)
    outside = tf.get_variable("outside", [])
    with strategy.scope(), pytest.raises(ValueError, match="created in this.*scope"):
        strategy.extended.colocate_vars_with(outside)


def test_a_device_that_does_not_exist():
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/gpu:5"])
    with strategy.scope():
        v = tf.get_variable("v", [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="v/replica_1"):
        tf.Session().run(v.initializer)
