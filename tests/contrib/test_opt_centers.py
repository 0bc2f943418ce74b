"""Optimizers of workers that share variables in the middle."""

import threading

import pytest

import evergraph as tf

opt = tf.contrib.opt


def _built(getter, make, value=1.0):
    """(a worker's variable, the shared one, a step with the gradient -1, the global step)."""
    with tf.variable_scope("", custom_getter=getter):
        w = tf.get_variable("w", initializer=value)
    step = tf.train.get_or_create_global_step()
    optimizer = make(getter)
    train = optimizer.apply_gradients([(tf.constant(-1.0), w)], step)
    return w, getter.center_of(w), train, step, optimizer


def _initialized(session):
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])


def test_elastic_averaging(session, tmp_path):
    make = lambda getter: opt.ElasticAverageOptimizer(tf.train.GradientDescentOptimizer(1.0), 1, getter,
                                                      communication_period=2, moving_rate=0.25)
    w, center, train, step, optimizer = _built(opt.ElasticAverageCustomGetter(""), make)
    saver = optimizer.swapping_saver()
    _initialized(session)
    found = []
    for _ in range(3):
        session.run(train)
        found.append([float(each) for each in session.run([w, center, step])])
    assert found == [[2, 1, 0], [2.5, 1.5, 1], [3.5, 1.5, 1]]
    assert tf.train.load_checkpoint(saver.save(session, str(tmp_path / "c"))).get_tensor("w") == 1.5


def test_elastic_differences_are_added_to_the_loss(session):
    getter = opt.ElasticAverageCustomGetter("")
    with tf.variable_scope("", custom_getter=getter):
        w = tf.get_variable("w", initializer=3.0)
    optimizer = opt.ElasticAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), 2, getter, rho=0.5)
    ((gradient, variable),) = optimizer.compute_gradients(4 * w)
    _initialized(session)
    session.run(w.assign(5.0))
    assert variable is w and session.run(gradient) == 4 + 0.5 * (5 - 3)


def test_accumulated_gradients(session):
    make = lambda getter: opt.AGNOptimizer(tf.train.GradientDescentOptimizer(0.5), 1, getter, communication_period=3)
    w, center, train, step, _ = _built(opt.AGNCustomGetter(""), make)
    _initialized(session)
    found = []
    for _ in range(4):
        session.run(train)
        found.append([float(each) for each in session.run([w, center, step])])
    assert found == [[1.5, 1, 0], [2, 1, 0], [1.5, 1.5, 1], [2, 1.5, 1]]


def test_slots_of_workers_are_local():
    make = lambda getter: opt.AGNOptimizer(tf.train.AdamOptimizer(0.5), 1, getter, communication_period=3)
    _built(opt.AGNCustomGetter(""), make)
    names = [v.op.name for v in tf.global_variables() if "global_center_variable" not in v.op.name]
    assert names == ["global_step"]


def test_models_are_averaged(session):
    """Two workers of one session, in threads that wait for each other."""
    getters = [opt.ModelAverageCustomGetter(""), opt.ModelAverageCustomGetter("")]
    step, trains, owns = tf.train.get_or_create_global_step(), [], []
    for number, getter in enumerate(getters):
        with tf.variable_scope(f"worker_{number}", custom_getter=getter):
            owns.append(tf.get_variable("w", initializer=4.0 * number))
    center = getters[1]._global_map[owns[1]] = getters[0].center_of(owns[0])
    for number, (getter, own) in enumerate(zip(getters, owns)):
        optimizer = opt.ModelAverageOptimizer(tf.train.GradientDescentOptimizer(1.0), 2, number == 0, getter, 2)
        trains.append(optimizer.apply_gradients([(tf.constant(-1.0), own)], step))
    _initialized(session)
    found = []
    for _ in range(2):
        threads = [threading.Thread(target=session.run, args=(train,)) for train in trains]
        for each in threads:
            each.start()
        for each in threads:
            each.join(60)
        found.append([float(each) for each in session.run([*owns, center, step])])
    assert found == [[1, 5, 0, 0], [4, 4, 4, 1]]


def test_variables_without_copies_are_refused():
    getter = opt.AGNCustomGetter("")
    with pytest.raises(ValueError, match="no copy"):
        getter.center_of(tf.get_variable("v", initializer=1.0))
