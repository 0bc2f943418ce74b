"""Programs for a session of any server, which TensorFlow and evergraph run alike: what a server and its client say.

`outcomes(tf, target)` runs them all; each is a function of `tf` and the target, and gives numbers, strings and lists,
or raises. The name of the class stands for an error.
"""

import threading

import numpy as np

STEPS = 20


def constants(tf, target):
    with tf.Session(target) as session:
        return session.run([tf.constant(2.0) * 3 + 1, tf.constant("abc"), tf.range(3), tf.constant(True)])


def shared_variables(tf, target):
    v = tf.get_variable("wire_v", [3], initializer=tf.ones_initializer())
    with tf.Session(target) as session:
        session.run(v.initializer)
        session.run(tf.assign_add(v, [1.0, 2.0, 3.0]))
    with tf.Session(target) as session:
        return session.run(v)


def isolated(tf, target):
    v = tf.get_variable("wire_v", [3])
    with tf.Session(target, config=tf.ConfigProto(isolate_session_state=True)) as session:
        session.run(v)


def training(tf, target, optimizer="AdamOptimizer"):
    rng = np.random.RandomState(0)
    inputs, labels = rng.randn(64, 8).astype("f"), rng.randn(64, 1).astype("f")
    x, y = tf.placeholder(tf.float32, [None, 8]), tf.placeholder(tf.float32, [None, 1])
    w = tf.get_variable(f"wire_w_{optimizer}", initializer=rng.randn(8, 4).astype("f"))
    u = tf.get_variable(f"wire_u_{optimizer}", initializer=rng.randn(4, 1).astype("f"))
    loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.matmul(x, w)), u) - y))
    step = tf.get_variable(f"wire_step_{optimizer}", initializer=0, trainable=False)
    train = getattr(tf.train, optimizer)(0.05).minimize(loss, step)
    with tf.Session(target) as session:
        session.run(tf.global_variables_initializer())
        losses = [session.run([train, loss], {x: inputs, y: labels})[1] for _ in range(STEPS)]
        return [losses, session.run(step)]


def momentum(tf, target):
    return training(tf, target, "GradientDescentOptimizer")


def control_flow(tf, target):
    fed = tf.placeholder(tf.float32, [])
    count, doubled = tf.while_loop(lambda i, a: i < 10, lambda i, a: (i + 1, a * 2), [0, fed])
    chosen = tf.cond(doubled > 5, lambda: doubled, lambda: -doubled)
    gradient = tf.gradients(chosen, fed)[0]
    with tf.Session(target) as session:
        return session.run([count, chosen, gradient], {fed: 1.5})


def growing_graph(tf, target):
    """Nodes come between steps; one waits for an older one that has no outputs."""
    v = tf.get_variable("wire_grown", initializer=1.0)
    with tf.Session(target) as session:
        session.run(v.initializer)
        add = tf.group(tf.assign_add(v, 1.0))
        session.run(add)
        with tf.control_dependencies([add]):
            later = tf.identity(v.value() if hasattr(v, "value") else v)
        return session.run(later)


def queues(tf, target):
    queue = tf.FIFOQueue(10, tf.int32, shapes=[()], shared_name="wire_queue")
    with tf.Session(target) as one, tf.Session(target) as two:
        one.run(queue.enqueue_many([[1, 2, 3]]))
        return [two.run(queue.dequeue_many(2)), one.run(queue.size())]


def waiting(tf, target):
    """A step waits for what another session does."""
    queue = tf.FIFOQueue(10, tf.int32, shapes=[()], shared_name="wire_waiting")
    take, put = queue.dequeue(), queue.enqueue(7)
    with tf.Session(target) as one, tf.Session(target) as two:
        two.run(queue.size())
        found = []
        thread = threading.Thread(target=lambda: found.append(one.run(take)))
        thread.start()
        two.run(put)
        thread.join()
        return found


def partial_runs(tf, target):
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    first = a + 1.0
    second = first * b
    with tf.Session(target) as session:
        handle = session.partial_run_setup([first, second], [a, b])
        got = session.partial_run(handle, first, {a: 2.0})
        return [got, session.partial_run(handle, second, {b: 10.0})]


def callables(tf, target):
    a = tf.placeholder(tf.float32, [2])
    with tf.Session(target) as session:
        call = session.make_callable(tf.reduce_sum(a * 2.0), [a])
        return [call([1.0, 2.0]), call([3.0, 4.0])]


def devices(tf, target):
    with tf.Session(target) as session:
        return sorted({device.device_type for device in session.list_devices() if device.device_type == "CPU"})


def metadata(tf, target):
    x = tf.constant([1.0, 2.0], name="wire_x")
    run_metadata = tf.RunMetadata()
    with tf.Session(target) as session:
        session.run(tf.reduce_sum(x * x), options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE),
                    run_metadata=run_metadata)
    return len(run_metadata.step_stats.dev_stats) > 0


def resetting(tf, target):
    with tf.container("wire.container"):
        v = tf.Variable(1.0, name="wire_contained")
    with tf.Session(target) as session:
        session.run(v.initializer)
    tf.Session.reset(target, ["wire.container"])
    try:
        with tf.Session(target) as session:
            session.run(v)
    except (tf.errors.FailedPreconditionError, tf.errors.InvalidArgumentError):  # TensorFlow raises one or the other
        return "gone"


def aborted(tf, target):
    session = tf.Session(target)
    one = tf.constant(1.0)
    session.run(one)
    tf.Session.reset(target)
    session.run(one)


def out_of_range(tf, target):
    value = tf.data.make_one_shot_iterator(tf.data.Dataset.range(1)).get_next()
    with tf.Session(target) as session:
        session.run(value)
        session.run(value)


def wrong_shapes(tf, target):
    x = tf.placeholder(tf.float32, [None, 2])
    with tf.Session(target) as session:
        session.run(tf.matmul(x, x), {x: np.ones([3, 2])})


def without_value(tf, target):
    v = tf.get_variable("wire_nothing", [2])
    with tf.Session(target) as session:
        session.run(v)


def no_time(tf, target):
    queue = tf.FIFOQueue(1, tf.int32, shapes=[()], shared_name="wire_empty")
    with tf.Session(target) as session:
        session.run(queue.dequeue(), options=tf.RunOptions(timeout_in_ms=100))


def no_time_of_the_session(tf, target):
    queue = tf.FIFOQueue(1, tf.int32, shapes=[()], shared_name="wire_empty")
    with tf.Session(target, config=tf.ConfigProto(operation_timeout_in_ms=100)) as session:
        session.run(queue.dequeue())


def asserted(tf, target):
    fed = tf.placeholder(tf.int32, [])
    with tf.control_dependencies([tf.assert_positive(fed)]):
        checked = tf.identity(fed)
    with tf.Session(target) as session:
        session.run(checked, {fed: -1})


def no_such_task(tf, target):
    with tf.device("/job:moon/task:0"):
        v = tf.Variable(1.0)
    with tf.Session(target) as session:
        session.run(v.initializer)


def monitored(tf, target):
    step = tf.train.get_or_create_global_step()
    add = tf.assign_add(step, 1)
    with tf.train.MonitoredTrainingSession(target, hooks=[tf.train.StopAtStepHook(last_step=5)]) as session:
        while not session.should_stop():
            last = session.run(add)
    return last


PROGRAMS = [resetting, constants, shared_variables, isolated, training, momentum, control_flow, growing_graph, queues,
            waiting, partial_runs, callables, devices, metadata, out_of_range, wrong_shapes, without_value, no_time,
            no_time_of_the_session, asserted, no_such_task, monitored, aborted]  # fmt: skip


def outcomes(tf, target):
    """Name of a program -> what it gives, or the name of the class that it raises."""
    found = {}
    for program in PROGRAMS:
        with tf.Graph().as_default():
            try:
                found[program.__name__] = program(tf, target)
            except Exception as error:
                found[program.__name__] = type(error).__name__ if isinstance(error, tf.errors.OpError) \
                    else f"{type(error).__name__}: {error}"
    return found
