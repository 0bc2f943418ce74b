"""Programs on several devices: `python -m tests.run.two_devices` prints what fails."""

import contextlib
import inspect
import itertools
import json
import sys
import tempfile
import threading
import traceback

import numpy as np

import evergraph as tf
from evergraph.base import logging
from evergraph.compile import backend
from evergraph.compile.stage import StageRunner
from evergraph.run.device_lib import list_local_devices

X = np.random.RandomState(0).randn(32, 64).astype(np.float32)
Y = np.random.RandomState(1).randn(32, 1).astype(np.float32)


def programs():
    """The programs of this module, by name."""
    return {name: function for name, function in globals().items()
            if name.startswith("program_") and inspect.isfunction(function)}


def session(tier="xla", **options):
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": 3}, **options), tier=tier)


def devices(sess, *variables):
    """The numbers of the devices that have the values of variables."""
    return [{device.id for device in sess._store.get_all([v.op.name])[0].devices()} for v in variables]


def on(*numbers):
    """What `devices` finds where variables are on CPUs of these numbers, which may share devices of JAX's."""
    count = len(backend.jax().devices())
    return [{number % count} for number in numbers]


def ran(sess, fetches, feed_dict=None):
    """(the results of a run, the device of each node that ran)."""
    metadata = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    found = sess.run(fetches, feed_dict, options=options, run_metadata=metadata)
    return found, {node.node_name: each.device.rpartition(":")[2]
                   for each in metadata.step_stats.dev_stats for node in each.node_stats}


def stages(sess, fetches, feeds=()):
    """(whether it is on the host, its place) of each stage of a run."""
    executor = sess._find(fetches, [(feed, None) for feed in feeds])[0]
    return [(runner.stage.on_host, runner.stage.place.name[-5:]) for runner in executor.plan.runners]


def variable(name, shape, device, **options):
    with tf.device(device):
        return tf.get_variable(name, shape, initializer=tf.random_normal_initializer(stddev=0.1, seed=len(name)),
                               **options)


def layers(first, second, **options):
    x, y = tf.placeholder(tf.float32, [None, 64], name="x"), tf.placeholder(tf.float32, [None, 1], name="y")
    weights = [variable("w", [64, 128], first, **options), variable("v2", [128, 1], second, **options)]
    with tf.device(first):
        hidden = tf.nn.relu(tf.matmul(x, weights[0]), name="hidden")
    with tf.device(second):
        loss = tf.reduce_mean(tf.square(tf.matmul(hidden, weights[1]) - y), name="loss")
    return x, y, weights, loss


def trained(first, second, tier="xla", colocate=True, steps=5, **options):
    """(the losses of some steps, the devices of the variables, the devices of nodes)."""
    with tf.Graph().as_default(), session(tier) as sess:
        x, y, weights, loss = layers(first, second, **options)
        train = tf.train.AdamOptimizer(0.01).minimize(loss, colocate_gradients_with_ops=colocate)
        sess.run(tf.global_variables_initializer())
        losses = [sess.run([loss, train], {x: X, y: Y})[0] for _ in range(steps)]
        where = ran(sess, [loss, train], {x: X, y: Y})[1]
        slots = [v for v in tf.global_variables() if "Adam" in v.name]
        return losses, devices(sess, *weights, *slots) if tier == "xla" else None, where


def program_training_on_two_devices_gives_the_numbers_of_one():
    wanted = trained("/cpu:0", "/cpu:0")[0]
    for options in ({}, {"colocate": False}, {"use_resource": True}):
        losses, where, nodes = trained("/cpu:0", "/cpu:1", **options)
        np.testing.assert_allclose(losses, wanted, rtol=1e-5)
        assert where == on(0, 1, 0, 0, 1, 1), where
        assert nodes["hidden"] == "0" and nodes["loss"] == "1", nodes
        kind = "ResourceApplyAdam" if options.get("use_resource") else "ApplyAdam"
        assert nodes[f"Adam/update_w/{kind}"] == "0" and nodes[f"Adam/update_v2/{kind}"] == "1", nodes


def program_numpy_runs_on_the_host_wherever_a_stage_is():
    wanted = trained("/cpu:0", "/cpu:0", "numpy")[0]
    losses, _, nodes = trained("/cpu:1", "/cpu:2", "numpy")
    assert losses == wanted
    assert nodes["hidden"] == "1" and nodes["loss"] == "2"


def program_the_policy_decides_for_each_stage():
    np.testing.assert_allclose(trained("/cpu:1", "/cpu:2", None, steps=40)[0], trained("/cpu:0", "/cpu:0", steps=40)[0],
                               rtol=1e-4)


def program_values_move_between_devices():
    x = tf.placeholder(tf.float32, [4])
    with tf.device("/cpu:1"):
        first = tf.exp(x)
    with tf.device("/cpu:2"):
        second = first * 2.0
    third = second + first
    with session() as sess:
        for _ in range(3):
            found, where = ran(sess, third, {x: np.arange(4.0)})
            np.testing.assert_allclose(found, 3 * np.exp(np.arange(4.0)), rtol=1e-6)
        assert (where[first.op.name], where[second.op.name], where[third.op.name]) == ("1", "2", "0")
        assert stages(sess, third, [x]) == [(False, "CPU:1"), (False, "CPU:2"), (False, "CPU:0")]


def program_one_device_alone_is_one_stage():
    x = tf.placeholder(tf.float32, [4])
    with tf.device("/cpu:1"):
        y = tf.exp(x) + 1.0
    with session() as sess:
        sess.run(y, {x: np.ones(4)})
        assert stages(sess, y, [x]) == [(False, "CPU:1")]
        done = tf.group(y, tf.no_op())
        sess.run(done, {x: np.ones(4)})
        assert stages(sess, done, [x]) == [(False, "CPU:1")]


def program_devices_that_are_the_best_one_cut_nothing():
    x = tf.placeholder(tf.float32, [4])
    with tf.device("/cpu:0"):
        y = tf.exp(x)
    with tf.device("/device:XLA_CPU:0"):
        z = y + 1.0
    with session() as sess:
        sess.run(z * 2.0, {x: np.ones(4)})
        assert stages(sess, z * 2.0, [x]) == [(False, "CPU:0")]


def program_a_group_adds_no_stage():
    ups = [tf.assign_add(variable(name, [8], device), tf.ones([8]))
           for name, device in (("w", "/cpu:1"), ("v", "/cpu:2"))]
    both = tf.group(*ups)
    with tf.control_dependencies([both]):
        last = tf.group(both)
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(last)
        assert stages(sess, last) == [(False, "CPU:1"), (False, "CPU:2")], stages(sess, last)


def program_what_follows_from_constants_is_where_it_is_used():
    x = tf.placeholder(tf.float32, [4])
    ones = tf.fill([4], 1.0) * 2.0
    with tf.device("/cpu:1"):
        y = tf.exp(x) * ones
    with tf.device("/cpu:2"):
        z = y + 1.0
    with session() as sess:
        assert sess.run(z, {x: np.zeros(4)}).tolist() == [3.0] * 4
        assert stages(sess, z, [x]) == [(False, "CPU:1"), (False, "CPU:2")]


def program_towers_with_averaged_gradients():
    def losses(where):
        with tf.Graph().as_default(), session() as sess:
            w = variable("w", [64, 1], "/cpu:0")
            x, y = tf.placeholder(tf.float32, [32, 64]), tf.placeholder(tf.float32, [32, 1])
            optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
            towers = []
            for number, device in enumerate(where):
                with tf.device(device), tf.name_scope(f"tower_{number}"):
                    part = slice(number * 16, number * 16 + 16)
                    loss = tf.reduce_mean(tf.square(tf.matmul(x[part], w) - y[part]))
                    towers.append((loss, optimizer.compute_gradients(loss)[0][0]))
            train = optimizer.apply_gradients([(tf.add_n([g for _, g in towers]) / 2.0, w)])
            total = tf.add_n([loss for loss, _ in towers])
            sess.run(tf.global_variables_initializer())
            found = [sess.run([total, train], {x: X, y: Y})[0] for _ in range(5)]
            assert devices(sess, w) == on(0)
            return found

    np.testing.assert_allclose(losses(["/cpu:1", "/cpu:2"]), losses(["/cpu:0", "/cpu:0"]), rtol=1e-5)


@contextlib.contextmanager
def around_stages(before, after=lambda place: None):
    """A with-block in which `before` and `after` are called with the place of each stage that runs."""
    original = StageRunner.run

    def run(self, *args):
        place = self.stage.place.name[-5:]
        before(place)
        found = original(self, *args)
        after(place)
        return found

    StageRunner.run = run
    try:
        yield
    finally:
        StageRunner.run = original


def program_stages_that_do_not_depend_on_each_other_run_at_the_same_time():
    x = tf.placeholder(tf.float32, [32, 64])
    towers = []
    for device in ("/cpu:0", "/cpu:1", "/cpu:2"):
        with tf.device(device):
            towers.append(tf.reduce_sum(tf.nn.relu(x)))
    with tf.device("/cpu:0"):
        total = tf.add_n(towers) + 1.0
    with session() as sess:
        wanted = sess.run(total, {x: X})
        meeting, seen = threading.Barrier(3, timeout=60), []

        def before(place):
            seen.append(place)
            if len(seen) <= 3:
                meeting.wait()

        with around_stages(before):
            assert sess.run(total, {x: X}) == wanted
        assert sorted(seen[:3]) == ["CPU:0", "CPU:1", "CPU:2"] and seen[3:] == ["CPU:0"]


def program_an_interrupt_of_one_stage_changes_no_device():
    weights = [variable(name, [8], device) for name, device in (("w", "/cpu:1"), ("v", "/cpu:2"))]
    step = tf.group(*(tf.assign_add(w, tf.ones([8])) for w in weights))
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(step)
        values, stored = sess.run(weights), threading.Event()

        def interrupt(place):
            if place == "CPU:1":
                stored.wait(60)
                raise KeyboardInterrupt

        with around_stages(interrupt, lambda place: stored.set()):
            try:
                sess.run(step)
            except KeyboardInterrupt:
                assert stored.is_set()
            else:
                raise AssertionError("there was no interrupt")
        np.testing.assert_array_equal(sess.run(weights), values)
        sess.run(step)
        np.testing.assert_allclose(sess.run(weights), np.add(values, 1.0))


def program_stages_side_by_side_are_planned_again_together():
    lengths = tf.placeholder(tf.int32, [2])
    weights = [variable(name, [1], device) for name, device in (("w", "/cpu:1"), ("v", "/cpu:2"))]
    ups = []
    for number, weight in enumerate(weights):
        with tf.device(weight.device):
            ups.append(tf.assign_add(weight, [tf.reduce_sum(tf.ones([lengths[number]]))]))
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        values = sess.run(weights)
        for size in (2, 3, 2, 5):
            sess.run(ups, {lengths: [size, 2 * size]})
        np.testing.assert_allclose(sess.run(weights), np.add(values, [[12.0], [24.0]]), rtol=1e-6)


def program_a_failed_step_changes_no_device():
    ok = tf.placeholder(tf.bool, [])
    weights = [variable(name, [8], device) for name, device in (("w", "/cpu:1"), ("v", "/cpu:2"), ("u", None))]
    for failing in range(3):
        with tf.device(weights[failing].device or "/cpu:0"):
            check = tf.Assert(ok, [weights[failing]])
            with tf.control_dependencies([check]):
                checked = tf.assign_add(weights[failing], tf.ones([8]))
        others = [tf.assign_add(w, tf.ones([8])) for w in weights if w is not weights[failing]]
        step = tf.group(checked, *others)
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(step, {ok: True})
            before = sess.run(weights)
            for _ in range(3):
                try:
                    sess.run(step, {ok: False})
                except tf.errors.InvalidArgumentError:
                    pass
                else:
                    raise AssertionError("the check has not failed")
                np.testing.assert_array_equal(sess.run(weights), before)
            sess.run(step, {ok: True})
            np.testing.assert_allclose(sess.run(weights), np.add(before, 1.0))
            assert devices(sess, *weights) == on(1, 2, 0)


def _mirrored(breaks):
    """(variables with their slots and copies, a step of three replicas, with `breaks(gradient, number)` in each)."""
    strategy, numbers = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1", "/cpu:2"]), itertools.count()
    with strategy.scope():
        w = tf.get_variable("w", [64, 1], initializer=tf.ones_initializer())

        def replica():
            number = next(numbers)
            loss = tf.reduce_mean(tf.square(tf.matmul(tf.constant(X), w) - float(number)))
            optimizer = tf.train.AdamOptimizer(0.1)
            [(gradient, variable)] = optimizer.compute_gradients(loss, [w])
            return optimizer.apply_gradients([(breaks(gradient, number), variable)])

        train = strategy.group(strategy.experimental_run_v2(replica))
    return [copy for v in tf.global_variables() for copy in strategy.unwrap(v)], train


def _unchanged_by(sess, state, kind, step, feeds=None, during=None):
    """Runs a step that fails, in a with-block, and looks at the state."""
    before = sess.run(state)
    try:
        with during or contextlib.nullcontext():
            sess.run(step, feeds)
    except kind:
        pass
    else:
        raise AssertionError("nothing has failed")
    for old, new in zip(before, sess.run(state)):
        np.testing.assert_array_equal(old, new)


def program_an_exception_or_a_failed_check_in_one_replica_changes_no_device():
    for fails_in in ("python", "check"):
        with tf.Graph().as_default(), session() as sess:
            broken = tf.placeholder_with_default(False, [])

            def raising(value, is_broken):
                if is_broken:
                    raise ValueError("broken")
                return value

            def breaks(gradient, number, fails_in=fails_in, broken=broken, raising=raising):
                if number != 1:
                    return gradient
                if fails_in == "python":
                    found = tf.py_func(raising, [gradient, broken], tf.float32)
                    found.set_shape(gradient.shape)
                    return found
                return tf.check_numerics(tf.where(broken, gradient / 0.0, gradient), "bad gradient")

            state, train = _mirrored(breaks)
            assert len(state) == 15, state  # w, two slots and two powers, on three devices
            sess.run(tf.global_variables_initializer())
            for _ in range(2):
                sess.run(train)
                _unchanged_by(sess, state, tf.errors.InvalidArgumentError, train, {broken: True})
            sess.run(train)


def program_an_interrupt_of_one_replica_changes_no_device():
    state, train = _mirrored(lambda gradient, number: gradient)
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)

        for stage in (1, 2):  # of the gradients, and of the updates
            places = []

            def interrupt(place, places=places, stage=stage):
                places.append(place)
                if place == "CPU:2" and places.count(place) == stage:
                    raise KeyboardInterrupt

            _unchanged_by(sess, state, KeyboardInterrupt, train, during=around_stages(interrupt))
            sess.run(train)


def program_control_dependencies_hold_between_devices():
    w = variable("w", [8], "/cpu:1")
    with tf.device("/cpu:1"):
        up = tf.assign(w, tf.fill([8], 5.0))
    with tf.device("/cpu:2"), tf.control_dependencies([up]):
        after = tf.identity(w.read_value()) * 2.0
    with tf.device("/cpu:0"), tf.control_dependencies([after]):
        last = tf.assign(variable("v", [8], "/cpu:2"), tf.ones([8]))
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            found = sess.run([last, after])[1]
            np.testing.assert_array_equal(found, np.full(8, 10.0))


def program_a_late_read_of_a_variable_elsewhere():
    w = variable("w", [8], "/cpu:1")
    up = tf.assign_add(w, tf.ones([8]))
    with tf.device("/cpu:2"), tf.control_dependencies([up]):
        after = w * 2.0
    with session() as sess:
        sess.run(w.initializer)
        before = sess.run(w)
        for number in range(1, 4):
            np.testing.assert_allclose(sess.run([after, up.op])[0], 2.0 * (before + number), rtol=1e-6)
        assert devices(sess, w) == on(1)


def program_loops_and_conditions():
    x = tf.placeholder(tf.float32, [8])
    w = variable("w", [8], "/cpu:1")
    with tf.device("/cpu:1"):
        looped = tf.while_loop(lambda i, _: i < 5, lambda i, a: (i + 1, a * w + x), [0, x])[1]
        chosen = tf.cond(tf.reduce_sum(x) > 0.0, lambda: looped * 2.0, lambda: looped - 1.0)
    gradient, = tf.gradients(chosen, w, colocate_gradients_with_ops=True)
    with session() as sess:
        sess.run(w.initializer)
        value, feed = sess.run(w), np.linspace(1, 2, 8).astype(np.float32)
        wanted = feed
        for _ in range(5):
            wanted = wanted * value + feed
        (found, slope), where = ran(sess, [chosen, gradient], {x: feed})
        np.testing.assert_allclose(found, 2 * wanted, rtol=1e-5)
        assert np.isfinite(slope).all() and where[w.op.name] == "1"
        assert all(number == "1" for name, number in where.items() if "while" in name or "cond" in name), where
        assert devices(sess, w) == on(1)


def program_queues_and_iterators_stay_on_the_host():
    with tf.device("/cpu:1"):
        queue = tf.FIFOQueue(10, [tf.float32], shapes=[[8]])
        put, taken = queue.enqueue([tf.ones([8])]), queue.dequeue()
        element = tf.data.Dataset.range(3).repeat().make_one_shot_iterator().get_next()
        text = tf.as_string(element)
    with tf.device("/cpu:2"):
        result = taken * tf.cast(element, tf.float32)
    with session() as sess:
        for number in range(3):
            sess.run(put)
            assert sess.run([result, text])[0].tolist() == [float(number)] * 8
        assert stages(sess, [result, text]) == [(True, "CPU:0"), (False, "CPU:2")]


def program_soft_placement():
    x = tf.placeholder(tf.float32, [4])
    with tf.device("/gpu:1"):
        y = tf.exp(x)
    with tf.device("/gpu:7"):
        z = y + 1.0
    with session(allow_soft_placement=True) as sess:
        found, where = ran(sess, z, {x: np.zeros(4)})
        assert found.tolist() == [2.0] * 4
        assert (where[y.op.name], where[z.op.name]) == ("1", "0"), where
    try:
        session().run(z, {x: np.zeros(4)})
    except tf.errors.InvalidArgumentError as error:
        assert "Cannot assign a device for operation" in error.message
    else:
        raise AssertionError("there is no GPU")


def program_the_log_tells_real_devices():
    x = tf.placeholder(tf.float32, [4])
    with tf.device("/cpu:2"):
        y = tf.exp(x, name="placed")
    lines, original = [], logging.info
    logging.info = lambda text, *_: lines.append(text)
    try:
        with session(log_device_placement=True) as sess:
            sess.run(y + 1.0, {x: np.zeros(4)})
    finally:
        logging.info = original
    assert "placed: (Exp): /job:localhost/replica:0/task:0/device:CPU:2" in lines, lines


def program_listed_devices():
    names = [device.name[-5:] for device in session().list_devices()]
    assert names == ["CPU:0", "CPU:1", "CPU:2"]
    assert [device.name[-5:] for device in tf.Session().list_devices()] == ["CPU:0"]
    config = tf.ConfigProto(device_count={"CPU": 2})
    assert [d.name for d in list_local_devices(config)] == ["/device:CPU:0", "/device:CPU:1"]


def program_saving_and_restoring():
    weights = [variable("w", [8], "/cpu:1"), variable("v", [8], "/cpu:2")]
    ups = [tf.assign_add(w, tf.ones([8])) for w in weights]
    saver = tf.train.Saver()
    with session() as sess, tempfile.TemporaryDirectory() as folder:
        sess.run(tf.global_variables_initializer())
        sess.run(ups)
        values = sess.run(weights)
        path = saver.save(sess, f"{folder}/model")
        sess.run(ups)
        saver.restore(sess, path)
        np.testing.assert_array_equal(sess.run(weights), values)
        sess.run(ups)
        np.testing.assert_allclose(sess.run(weights), np.add(values, 1.0))
        assert devices(sess, *weights) == on(1, 2)


def program_colocation():
    w = variable("w", [8], "/cpu:1")
    with tf.colocate_with(w):
        near = tf.exp(tf.ones([8]), name="near")
    with session() as sess:
        sess.run(w.initializer)
        found, where = ran(sess, near + w)
        assert where["near"] == "1" and np.isfinite(found).all()


def program_fetched_variables_of_several_devices():
    weights = [variable(name, [8], device) for name, device in (("w", "/cpu:1"), ("v", "/cpu:2"), ("u", "/cpu:0"))]
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        ups = [tf.assign_add(w, tf.ones([8])).op for w in weights]
        before = sess.run(weights)
        found = sess.run([*weights, *ups])[:3]
        np.testing.assert_allclose(found, np.add(before, 1.0), rtol=1e-6)
        assert devices(sess, *weights) == on(1, 2, 0)


def program_a_loop_that_uses_variables_of_two_devices():
    w, v = variable("w", [8], "/cpu:1", use_resource=True), variable("v", [8], "/cpu:2", use_resource=True)
    with tf.device("/cpu:0"):
        total = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a + w * v), [0, tf.zeros([8])])[1]
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            np.testing.assert_allclose(sess.run(total), 3 * np.multiply(*sess.run([w, v])), rtol=1e-5)
        sess.run([w.assign_add(tf.ones([8])), v.assign_add(tf.ones([8]))])
        assert devices(sess, w, v) == on(1, 2)
        np.testing.assert_allclose(sess.run(total), 3 * np.multiply(*sess.run([w, v])), rtol=1e-5)
        assert devices(sess, w, v) == on(1, 2)


def program_embeddings_with_sparse_updates():
    def losses(first, second):
        with tf.Graph().as_default(), session() as sess:
            ids, y = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.float32, [None, 1])
            table, w = variable("table", [100, 16], first), variable("w", [16, 1], second)
            with tf.device(first):
                rows = tf.nn.embedding_lookup(table, ids)
            with tf.device(second):
                loss = tf.reduce_mean(tf.square(tf.matmul(rows, w) - y))
            train = tf.train.AdagradOptimizer(0.1).minimize(loss)
            sess.run(tf.global_variables_initializer())
            feeds = [{ids: np.random.RandomState(n).randint(0, 20, 8 + n), y: Y[:8 + n]} for n in range(4)]
            return [sess.run([loss, train], feed)[0] for feed in feeds]

    np.testing.assert_allclose(losses("/cpu:1", "/cpu:2"), losses("/cpu:0", "/cpu:0"), rtol=1e-5)


def program_initializers_of_one_shape_on_two_devices():
    weights = [variable(f"w{n}", [64, 64], f"/cpu:{n % 3}") for n in range(6)]
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run([tf.assign_add(w, tf.ones([64, 64])) for w in weights])
        assert devices(sess, *weights) == on(0, 1, 2, 0, 1, 2)


def program_other_fetch_lists_share_the_step():
    x, y, weights, loss = layers("/cpu:1", "/cpu:2")
    train = tf.train.GradientDescentOptimizer(0.001).minimize(loss, colocate_gradients_with_ops=True)
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        first = sess.run([train, loss], {x: X, y: Y})[1]
        sess.run(train, {x: X, y: Y})
        third = sess.run([loss, train, tf.reduce_sum(weights[0])], {x: X, y: Y})[0]
        assert third < first and devices(sess, *weights) == on(1, 2)


def run(function):
    """The text of the error that a program ends with, or ""."""
    try:
        with tf.Graph().as_default():
            function()
    except Exception:
        return traceback.format_exc()
    return ""


if __name__ == "__main__":
    wanted = sys.argv[1:] or programs()
    found = {name: run(programs()[name]) for name in wanted}
    for name, error in found.items() if sys.argv[1:] else ():
        print(name, error or "ok", sep="\n")
    print(json.dumps(found))
