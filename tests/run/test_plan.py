"""Plans: values that runs replace, which threads share, and of which a session keeps a bounded number."""

import dataclasses
import gc
import threading
import tracemalloc

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.executable import Executable
from evergraph.compile.stage import StageRunner
from evergraph.kernel.reasons import NeedDynamicLength, NeedHost, NeedStatic
from evergraph.run.executor import Executor
from evergraph.run.plan import first_plan
from evergraph.run.session import MOST_PLANNED

THREADS = 8


def in_threads(function):
    """Calls `function(number)` in several threads at once; gives what they raised."""
    start, failures = threading.Barrier(THREADS), []

    def call(number):
        try:
            start.wait(30)
            function(number)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=call, args=(number,), daemon=True) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    return failures


def written_rows(x, count):
    """Row i of the result is x * i: a list whose length is fed."""
    rows = tf.TensorArray(tf.float32, count, element_shape=[3])
    _, rows = tf.while_loop(lambda i, _: i < count, lambda i, r: (i + 1, r.write(i, x * tf.cast(i, tf.float32))),
                            (0, rows))
    return rows.stack()


def doubled_until(x, count):
    """A loop variable that grows, which no compiled program can do."""
    return tf.while_loop(lambda i, _: i < count, lambda i, v: (i + 1, tf.concat([v, v], 0)), (0, x),
                         shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])))[1]


def doubled_by_python(x, count):
    for _ in range(count):
        x = np.concatenate([x, x])
    return x


PLANS_CHANGE = {
    "lengths of lists": (lambda x, n: tf.reduce_sum(written_rows(x, n)),
                         lambda x, n: x.sum() * n * (n - 1) / 2),
    "static values": (lambda x, n: tf.reduce_sum(tf.tile(x, [n])) + tf.cast(tf.size(tf.range(n)), tf.float32),
                      lambda x, n: x.sum() * n + n),
    "host nodes": (lambda x, n: tf.reduce_sum(doubled_until(tf.exp(x), n)),
                   lambda x, n: doubled_by_python(np.exp(x), n).sum()),
}


@pytest.mark.parametrize("name", PLANS_CHANGE)
def test_threads_share_a_session_while_its_plans_change(name):
    build, wanted = PLANS_CHANGE[name]
    x, n = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.int32, [])
    runs = tf.Variable(0)
    fetches = [build(x, n), tf.assign_add(runs, 1).op]
    rounds = 6
    with tf.Session() as session:
        session.run(runs.initializer)

        def work(number):
            for turn in range(rounds):
                value, count = np.full(3, number, np.float32) / 8, (number + turn) % 4 + 1
                result, _ = session.run(fetches, {x: value, n: count})
                np.testing.assert_allclose(result, wanted(value, count), rtol=1e-5)

        assert in_threads(work) == []
        assert session.run(runs) == THREADS * rounds


def test_threads_that_find_the_same_plan_again():
    """All of them meet a length that differs from the first one while they run the same plan."""
    together = threading.Barrier(1)

    def met(count):
        together.wait(30)
        return count

    n = tf.placeholder(tf.int32, [])
    length = tf.py_func(met, [n], tf.int32)
    length.set_shape([])
    total = tf.reduce_sum(written_rows(tf.ones([3]), length))
    with tf.Session(tier="xla") as session:
        assert session.run(total, {n: 3}) == 9.0
        together = threading.Barrier(THREADS)

        def work(number):
            count = number + 4
            assert session.run(total, {n: count}) == 3 * count * (count - 1) / 2

        assert in_threads(work) == []


def test_a_reason_that_two_runs_find_changes_the_plan_once():
    n = tf.placeholder(tf.int32, [])
    rows = written_rows(tf.ones([3]), n)
    length = next(op for op in rows.graph.get_operations() if op.type == "TensorListReserve").inputs[1]
    executor = Executor([rows], [n])
    first = executor.plan
    watched = executor._replanned(first, NeedStatic(length, rows.op))
    dynamic = executor._replanned(watched, NeedDynamicLength(length))
    assert executor._replanned(watched, NeedDynamicLength(length)) is dynamic is executor.plan
    assert executor._replanned(first, NeedStatic(length, rows.op)) is dynamic  # it may raise again, of this plan


def test_stages_that_ran_do_not_run_again():
    """The first reason to plan again comes up when a Python function has run, and so do the second and the third."""
    calls = []
    taken = tf.py_func(lambda: calls.append(1) or np.int32(len(calls) + 1), [], tf.int32)
    taken.set_shape([])
    x = tf.placeholder(tf.float32, [3])
    total = tf.reduce_sum(tf.tile(x, [taken]))
    for _ in range(2):  # each needs one more static value, computed from the one before
        total += tf.reduce_sum(tf.fill([tf.cast(total, tf.int32) + taken], 1.0))
    with tf.Session(tier="xla") as session:
        for run in range(1, 4):
            count = run + 1
            wanted = first = 3.0 * count
            wanted += first + count
            wanted += wanted + count
            assert session.run(total, {x: [1.0, 1.0, 1.0]}) == wanted
            assert len(calls) == run


def test_a_plan_is_a_value():
    x, n = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.int32, [])
    tiled = tf.tile(x, tf.stack([n]))
    multiples = tiled.op.inputs[1]
    first = first_plan([tiled], [x, n])
    second = first.after(NeedStatic(multiples, tiled.op))
    assert first.findings.static == frozenset() and second.findings.static == {multiples}
    third = second.after(NeedHost(tiled.op))
    assert second.findings.host_nodes == frozenset() and third.findings.host_nodes == {tiled.op}
    with pytest.raises(dataclasses.FrozenInstanceError):
        first.findings = third.findings


def test_one_plan_provides_all_sizes_that_follow_from_values():
    """Sizes that are drawn, as generators of sequences of random lengths draw one for each sequence."""
    n = tf.random_uniform([4], 1, 5, tf.int32)
    rows = [tf.zeros([n[i], 2]) + tf.fill([n[i] * n[0], 1], 1.0)[0] for i in range(4)]
    x = tf.reshape(tf.concat(rows, 0), [-1, tf.shape(rows[0])[1]])
    first = first_plan([x], [])
    shapes = [row.op.inputs[0].op.inputs[0] for row in rows]
    second = first.after(NeedStatic(shapes[0], rows[0].op.inputs[0].op))
    assert second.findings.static.issuperset(shapes) and len(second.findings.static) == 8
    assert x.op.inputs[1] not in second.findings.static  # follows from shapes
    with tf.Session(tier="xla") as session:
        lengths, value = session.run([n, x])
        assert value.shape == (lengths.sum(), 2)


def test_one_plan_provides_sizes_that_the_host_computes_too():
    """The rest of a step in progress is given these as values, though other steps know them from shapes."""
    texts, x = [tf.placeholder(tf.string, [None, 2]) for _ in range(3)], tf.placeholder(tf.float32, [None, None])
    sizes = [tf.shape(text, out_type=tf.int64) for text in texts]
    counts = [tf.string_to_number([texts[0][0, 0]], tf.int32)] + [tf.cast(size, tf.int32)[:1] for size in sizes]
    filled = [tf.fill(tf.concat([count, tf.shape(x * 2.0)[1:]], 0), 1.0) for count in counts]
    first = first_plan([*filled, *map(tf.as_string, sizes)], [*texts, x])
    second = first.after(NeedStatic(filled[0].op.inputs[0], filled[0].op))
    assert second.findings.static == set(counts)
    feeds = {x: np.ones([1, 5])} | {text: np.full([2 + at, 2], b"7") for at, text in enumerate(texts)}
    with tf.Session(tier="xla") as session:
        assert [each.shape for each in session.run(filled, feeds)] == [(7, 5), (2, 5), (3, 5), (4, 5)]


def test_a_new_plan_keeps_the_runners_of_equal_stages():
    x, n = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.int32, [])
    before = tf.py_func(lambda v: v + 1, [x], tf.float32)
    before.set_shape([3])
    after = tf.exp(before)
    first = first_plan([tf.tile(after, [n])], [x, n])
    second = first.after(NeedHost(after.op))
    kept = {runner.stage: runner for runner in first.runners}
    same = [runner for runner in second.runners if runner.stage in kept]
    assert same and all(runner is kept[runner.stage] for runner in same)


def test_a_length_that_varies_is_made_dynamic_once():
    n = tf.placeholder(tf.int32, [])
    rows = written_rows(tf.ones([3]), n)
    length = next(op for op in rows.graph.get_operations() if op.type == "TensorListReserve").inputs[1]
    first = first_plan([rows], [n])
    watched = first.after(NeedStatic(length, rows.op))
    assert watched.findings.watched_lengths == {length}
    dynamic = watched.after(NeedDynamicLength(length))
    assert dynamic.findings.dynamic_lengths == {length: None} and length not in dynamic.findings.static
    needed = dynamic.after(NeedStatic(length, rows.op))  # something else has to know it: it is static for good
    assert needed.findings.static == {length} and not needed.findings.watched_lengths


def test_what_cannot_be_planned_says_so():
    x, n = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.int32, [])
    tiled = tf.tile(x, [n])
    static = first_plan([tiled], [x, n], "xla").after(NeedStatic(n, tiled.op))
    with pytest.raises(tf.errors.UnimplementedError, match="has to be known when the program is compiled"):
        static.after(NeedStatic(n, tiled.op))


def alive(*kinds):
    gc.collect()
    return [sum(type(thing) is kind for thing in gc.get_objects()) for kind in kinds]


def test_thousands_of_graph_versions_hold_memory_flat(session):
    """A program that adds a node in each step: the graph grows, but the session keeps a bounded number of plans."""
    before, total = alive(Executor, StageRunner), tf.constant(0.0)

    def steps(count):
        nonlocal total
        for number in range(count):
            total = tf.identity(total) if number % 4 else tf.constant(0.0)
            session.run(total)

    def planned_bytes():
        gc.collect()
        stats = tracemalloc.take_snapshot().statistics("filename")
        return sum(stat.size for stat in stats
                   if any(f"/evergraph/{room}/" in stat.traceback[0].filename for room in ("run", "compile", "passes")))

    tracemalloc.start()
    try:
        steps(MOST_PLANNED)
        half = planned_bytes()
        steps(2000 - MOST_PLANNED)
        assert planned_bytes() < 1.1 * half
    finally:
        tracemalloc.stop()
    assert len(session._planned) <= MOST_PLANNED
    assert all(now - then <= MOST_PLANNED for now, then in zip(alive(Executor, StageRunner), before))


def test_plans_of_changed_nodes_are_dropped(graph, session):
    before, total = alive(Executor)[0], tf.constant(1.0) + 2.0
    for _ in range(50):
        assert session.run(total) == 3.0
        graph.touch()
    session.run(total)
    assert len(session._planned) == 2
    assert alive(Executor)[0] - before == 1


def test_new_operations_leave_plans_alone(graph):
    v, w = tf.placeholder(tf.float32, []), tf.Variable(1.0)
    doubled, session = 2 * v, tf.Session()
    session.run(doubled, {v: 1.0})
    planned = [executor for executor, *_ in session._planned]
    with tf.device("/cpu:0"), tf.control_dependencies([doubled]):
        later = tf.assign_add(w, 1.0)
    with tf.device(lambda op: "/device:CPU:0"), tf.colocate_with(later):
        tf.identity(doubled)
    assert session.run(doubled, {v: 2.0}) == 4.0
    assert [executor for executor, *_ in session._planned] == planned
    later.op._set_device("/device:CPU:0")
    assert session.run(doubled, {v: 3.0}) == 6.0
    assert planned[0] not in [executor for executor, *_ in session._planned]


def test_programs_go_with_their_plans(graph):
    before, total = alive(Executable)[0], tf.Variable([1.0, 2.0]) * 2.0
    with tf.Session(tier="xla") as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(total)
            graph.touch()
        session.run(total)
        assert alive(Executable)[0] - before <= 2
    del session
    assert alive(Executable)[0] - before == 0
