"""Sessions: what can be fetched and fed, what happens when a step fails, threads, memory."""

import collections
import threading

import numpy as np
import pytest

import evergraph as tf
from evergraph import proto
from tests.harness.session import KINDS, TIERS


def test_fetches_keep_their_structure():
    a, b = tf.constant(1.0, name="a"), tf.constant([2, 3], name="b")
    Pair = collections.namedtuple("Pair", "x y")
    with tf.Session() as session:
        assert session.run(a) == 1.0 and type(session.run(a)) is np.float32
        assert session.run("a:0") == 1.0 and session.run("a") is None and session.run(a.op) is None
        first, rest = session.run([a, (b, {"k": a})])
        assert first == 1.0 and isinstance(rest, tuple) and rest[0].tolist() == [2, 3] and rest[1] == {"k": 1.0}
        assert session.run(Pair(a, [b]))._fields == ("x", "y")
        assert session.run([]) == []
        ordered = session.run(collections.OrderedDict([("z", a), ("a", b)]))
        assert list(ordered) == ["z", "a"]


def test_sparse_tensors_are_fetched_and_fed_by_their_parts():
    sparse = tf.SparseTensor(tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.float32), [3, 3])
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([2.0], np.float32), np.array([3, 3]))
    with tf.Session() as session:
        got = session.run(sparse, {sparse: value})
        assert isinstance(got, tf.SparseTensorValue) and got.values.tolist() == [2.0]


@pytest.mark.parametrize("fetch, error", [(None, TypeError), (3, TypeError), ("nothing:0", ValueError),
                                          ([None], TypeError), (object(), TypeError)])
def test_bad_fetches(fetch, error):
    tf.constant(1)
    with tf.Session() as session, pytest.raises(error):
        session.run(fetch)


@pytest.mark.parametrize("wrap", [lambda x: [x], lambda x: (x,), lambda x: {"a": x}])
def test_fetches_that_are_nested_too_deeply(wrap):
    fetch = tf.constant(1.0)
    for _ in range(100):
        fetch = wrap(fetch)
    with tf.Session() as session:
        assert str(session.run(fetch)).count("1.0") == 1
        for _ in range(3000):
            fetch = wrap(fetch)
        for call in (session.run, session.make_callable, session.partial_run_setup):
            with pytest.raises(ValueError, match="nested too deeply"):
                call(fetch)


def test_fetch_from_another_graph():
    with tf.Graph().as_default():
        stranger = tf.constant(1)
    tf.constant(1)
    with tf.Session() as session, pytest.raises(ValueError, match="not an element of this graph"):
        session.run(stranger)


def test_any_tensor_can_be_fed():
    a = tf.constant(2.0)
    with tf.Session() as session:
        assert session.run(a * 10.0, {a: 5.0}) == 50.0
        assert session.run(a, {a: 7.0}) == 7.0


@pytest.mark.parametrize("value, error, match", [
    (np.ones((2, 4)), ValueError, r"shape \(2, 4\) to 'x:0', which has shape '\(\?, 3\)'"),
    (np.ones(3), ValueError, "which has shape"),
    ("text", ValueError, "Cannot feed"),
    ([[1, 2, 3], [4]], ValueError, "Cannot feed"),
])  # fmt: skip
def test_bad_feeds_leave_the_session_usable(value, error, match):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.reduce_sum(x)
    with tf.Session() as session:
        with pytest.raises(error, match=match):
            session.run(y, {x: value})
        assert session.run(y, {x: np.ones((2, 3))}) == 6.0


@pytest.mark.parametrize("value", [["a", "é"], np.array(["a", "é"]), np.array(["a", "é".encode()], object)])
def test_text_is_fed_as_bytes(value):
    words = tf.placeholder(tf.string, [None])
    with tf.Session() as session:
        assert session.run(words, {words: value}).tolist() == [b"a", "é".encode()]


@pytest.mark.parametrize("value", [[1, None], ["a", None], [b"a", 1], [1.5], [True], None, np.array([1, 2]),
                                   [["a"], ["b", "c"]], [bytearray(b"y")], ["\ud800"]])  # fmt: skip
def test_strings_are_fed_with_bytes_and_text_alone(value):
    text = tf.placeholder(tf.string)
    with tf.Session() as session:
        with pytest.raises(tf.errors.InternalError):
            session.run(tf.identity(text), {text: value})
        assert session.run(tf.identity(text), {text: ["é", b"b"]}).tolist() == ["é".encode(), b"b"]
        assert session.run(tf.identity(text), {text: np.array([])}).tolist() == []
        with pytest.raises(TypeError, match="is not text"):
            session.run(tf.identity(text), {text: 1})


def test_a_tensor_cannot_be_a_feed():
    x = tf.placeholder(tf.float32)
    with tf.Session() as session, pytest.raises(TypeError, match="cannot be a tf.Tensor"):
        session.run(x + 1.0, {x: tf.constant(1.0)})


def test_too_large_an_int_is_refused():
    x = tf.placeholder(tf.int32)
    with tf.Session() as session, pytest.raises(TypeError, match="not compatible with Tensor type"):
        session.run(x + 1, {x: 123456789012})


@TIERS
def test_unfed_placeholder_names_itself_and_its_line(tier):
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.Session(tier=tier) as session, pytest.raises(tf.errors.InvalidArgumentError) as error:
        session.run(x * 2.0)
    assert "must feed a value for placeholder tensor 'x'" in str(error.value) and "test_session.py:" in str(error.value)
    assert error.value.op.name == "x"


@TIERS
def test_uninitialized_variable(tier):
    v = tf.Variable(1.0, name="v")
    with tf.Session(tier=tier) as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value v"):
            session.run(v + 1.0)
        session.run(v.initializer)
        assert session.run(v + 1.0) == 2.0


def test_bad_axis():
    with pytest.raises(ValueError, match="for 'Sum' .*test_session.py:"):
        tf.reduce_sum(tf.zeros([2, 2]), axis=5)
    x, axis = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    total = tf.reduce_sum(x, axis=axis)
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(total, {x: np.ones((2, 2)), axis: 5})
        assert session.run(total, {x: np.ones((2, 2)), axis: 1}).tolist() == [2, 2]


@TIERS
def test_a_failed_assertion_changes_nothing(tier):
    limit = tf.placeholder(tf.float32)
    w, steps = tf.Variable([1.0, 2.0]), tf.Variable(0)
    update = tf.assign_add(w, [1.0, 1.0])
    check = tf.Assert(tf.reduce_all(w < limit), [w])
    with tf.control_dependencies([check]):
        count = tf.assign_add(steps, 1)
    step = tf.group(update, count)
    with tf.Session(tier=tier) as session:
        session.run(tf.global_variables_initializer())
        session.run(step, {limit: 10.0})
        before = session.run([w, steps])
        with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
            session.run(step, {limit: 0.0})
        after = session.run([w, steps])
        assert before[0].tolist() == after[0].tolist() == [2.0, 3.0] and before[1] == after[1] == 1
        session.run(step, {limit: 10.0})
        assert session.run(steps) == 2


def test_a_failed_host_op_changes_nothing():
    def fail(x):
        raise ValueError("no")

    w = tf.Variable(1.0)
    update = tf.assign(w, 5.0)
    with tf.control_dependencies([update]):
        bad = tf.py_func(fail, [w], tf.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.OpError):
            session.run(bad)
        assert session.run(w) == 1.0


@TIERS
def test_a_feed_changed_after_the_run_changes_nothing(tier):
    x = tf.placeholder(tf.float32, [1 << 16])
    v = tf.Variable(tf.zeros([1 << 16]))
    keep, same = tf.assign(v, x), tf.identity(x)
    raw = np.zeros((1 << 16) + 16, np.float32)
    feed = raw[(-raw.ctypes.data // 4) % 16:][:1 << 16]  # aligned as XLA likes it, so that it may be shared
    with tf.Session(tier=tier) as session:
        session.run(v.initializer)
        session.run(keep.op, {x: feed})
        got = session.run(same, {x: feed})
        feed[:] = 7
        assert not session.run(v).any() and not got.any()


@TIERS
def test_results_are_the_callers_own(tier):
    v = tf.Variable([1.0, 2.0])
    c = tf.constant([3.0, 4.0])
    with tf.Session(tier=tier) as session:
        session.run(v.initializer)
        for tensor, value in ((v, [1.0, 2.0]), (c, [3.0, 4.0])):
            session.run(tensor)[:] = 0
            assert session.run(tensor).tolist() == value


@TIERS
def test_threads_agree_with_a_serial_run(tier):
    x = tf.placeholder(tf.float32, [64])
    total = tf.Variable(tf.zeros([64]))
    add = tf.assign_add(total, x)
    square = tf.reduce_sum(x * x)
    failures = []
    with tf.Session(tier=tier) as session:
        session.run(total.initializer)

        def work(seed):
            rng = np.random.RandomState(seed)
            for _ in range(25):
                value = rng.randint(0, 8, 64).astype(np.float32)
                session.run(add.op, {x: value})
                if session.run(square, {x: value}) != (value * value).sum():
                    failures.append(seed)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wanted = sum(np.random.RandomState(i).randint(0, 8, (25, 64)).sum(0) for i in range(8))
        assert not failures and session.run(total).tolist() == wanted.tolist()


def test_closed_and_empty_sessions():
    with tf.Session() as session, pytest.raises(RuntimeError, match="is empty"):
        session.run([])
    tf.constant(1)
    with pytest.raises(RuntimeError, match="closed"):
        session.run([])


def test_default_sessions():
    a = tf.constant(4)
    with pytest.raises(ValueError, match="No default session"):
        a.eval()
    with tf.Session() as session:
        assert tf.get_default_session() is session and a.eval() == 4
    interactive = tf.InteractiveSession()
    try:
        assert a.eval() == 4
    finally:
        interactive.close()
    assert tf.get_default_session() is None


def test_make_callable():
    x = tf.placeholder(tf.float32)
    with tf.Session() as session:
        double = session.make_callable(x * 2.0, [x])
        assert double(3.0) == 6.0
        with pytest.raises(TypeError):
            double()
    with pytest.raises(RuntimeError, match="closed"):
        double(3.0)


def test_a_callable_is_planned_once_and_notices_changes_of_the_graph(monkeypatch):
    x, y = tf.placeholder(tf.float32, [], "x"), tf.constant(10.0)
    product = tf.multiply(x, 2.0)
    with tf.Session() as session:
        call = session.make_callable(product, ["x:0"])
        assert call(3.0) == 6.0
        plans = []
        plan = session._plan
        monkeypatch.setattr(session, "_plan", lambda *args: plans.append(args) or plan(*args))
        assert call(4.0) == 8.0 and plans == []
        product.op._update_input(1, y)
        assert call(4.0) == 40.0 and len(plans) == 1
        with pytest.raises(ValueError, match="shape"):
            call([1.0, 2.0])


def test_partial_run():
    a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    s = a + 1.0
    p = s * b
    with tf.Session() as session:
        handle = session.partial_run_setup([s, p], [a, b])
        assert session.partial_run(handle, s, {a: 1.0}) == 2.0
        assert session.partial_run(handle, p, {b: 5.0}) == 10.0
        for fetch, feeds, wrong in ((p, {}, "already been fetched"), (p, {b: 5.0}, "already been fed"),
                                    (p + 1.0, {}, "not specified"), (p, {s: 1.0}, "not specified")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=wrong):
                session.partial_run(handle, fetch, feeds)


@TIERS
@KINDS
def test_parts_of_a_run_change_variables_once(tier, resource):
    """An operation that was set up runs as soon as it can, as in TensorFlow, which does not let parts fetch it."""
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    w, count = tf.Variable(2.0, use_resource=resource), tf.Variable(0.0, use_resource=resource)
    with tf.control_dependencies([tf.assign_add(count, 1.0)]):
        guess, other = w * a, b * 2.0
    train = tf.train.GradientDescentOptimizer(0.1).minimize((guess - b) ** 2, var_list=[w])
    with tf.Session(tier=tier) as session:
        session.run(tf.global_variables_initializer())
        for step, (wanted, after) in enumerate(((2.0, 2.4), (4.8, 4.32), (12.96, 12.096)), 1):
            handle = session.partial_run_setup([guess, other, train], [a, b])
            assert session.partial_run(handle, guess, {a: step}) == pytest.approx(wanted)
            assert session.run(count) == step
            assert session.partial_run(handle, other, {b: 2 * wanted}) == pytest.approx(4 * wanted)
            assert session.run([count, w]) == pytest.approx([step, after])


def test_placement():
    with tf.device("/device:GPU:7"):
        a = tf.constant(1) + 1
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="Cannot assign a device"):
        session.run(a)
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        assert session.run(a) == 2


@TIERS
def test_values_that_must_be_known_are_cut_out(tier):
    n = tf.placeholder(tf.int32, [])
    x = tf.placeholder(tf.float32, [None])
    tiled = tf.tile(x, [n]) + tf.cast(tf.reduce_sum(tf.range(n)), tf.float32)
    by_value = tf.reshape(x, tf.cast(tf.stack([tf.reduce_sum(x), -1]), tf.int32))
    with tf.Session(tier=tier) as session:
        assert session.run(tiled, {x: [1.0], n: 3}).tolist() == [4.0, 4.0, 4.0]
        assert session.run(tiled, {x: [1.0], n: 1}).tolist() == [1.0]
        assert session.run(by_value, {x: [1.0, 0.0, 1.0, 0.0]}).shape == (2, 2)


def test_a_second_run_compiles_nothing():
    from evergraph.compile.policy import compilations

    x = tf.placeholder(tf.float32, [None])
    y = tf.reduce_sum(tf.exp(x))
    with tf.Session(tier="xla") as session:
        session.run(y, {x: [1.0]})
        before = compilations.count
        session.run(y, {x: [2.0]})
        assert compilations.count == before
        session.run(y, {x: [1.0, 2.0]})
        assert compilations.count == before + 1


def test_order_of_reads_and_writes():
    v = tf.Variable(1.0)
    before = tf.identity(v)
    first, second = tf.assign(v, 2.0), tf.assign(v, 3.0)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run([before, first.op, second.op])[0] == 1.0 and session.run(v) == 3.0


def test_fetches_that_differ_in_form_alone(session):
    """Structures are remembered from run to run, each as the form it has."""
    one, two = tf.constant(1), tf.constant(2)
    Pair = collections.namedtuple("Pair", "a b")
    forms = [{"a": one, "b": two}, {"b": two, "a": one}, {"a": one, "c": two}, {"a": [one, two]}, {"a": (one, two)},
             Pair(one, two), (one, two), [one, two], [[one], two], [one, [two]], {"a": {"b": one}}, {0: one, "b": two},
             {"a": one, "b": one}]  # fmt: skip
    wanted = [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "c": 2}, {"a": [1, 2]}, {"a": (1, 2)}, Pair(1, 2), (1, 2),
              [1, 2], [[1], 2], [1, [2]], {"a": {"b": 1}}, {0: 1, "b": 2}, {"a": 1, "b": 1}]  # fmt: skip
    for _ in range(2):
        found = [session.run(form) for form in forms]
        assert found == wanted and list(map(type, found)) == list(map(type, wanted))


@TIERS
@pytest.mark.parametrize("make, text", [
    (lambda a, b: a + b, r"Incompatible shapes: \[3\] vs\. \[2\]"),
    (lambda a, b: tf.add_n([a, b]), "must have the same size and shape"),
    (lambda a, b: tf.concat([tf.expand_dims(a, 1), tf.expand_dims(b, 1)], 1), "Dimensions of inputs should match"),
])
def test_errors_about_shapes_speak_tensorflows_language(tier, make, text):
    a, b = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    with tf.Session(tier=tier) as session, pytest.raises(tf.errors.InvalidArgumentError, match=text):
        session.run(make(a, b), {a: [1.0, 2.0, 3.0], b: [1.0, 2.0]})


def test_fetched_arrays_belong_to_the_program():
    """Those that nothing else refers to are handed over, all others are copies."""
    fed, kept = np.arange(3.0), tf.data.Dataset.from_tensors(np.arange(3.0)).repeat()
    batches = tf.data.Dataset.from_tensor_slices(np.arange(8.0)).batch(4).repeat()
    batch, whole = (tf.data.make_one_shot_iterator(each).get_next() for each in (batches, kept))
    x, variable = tf.placeholder(tf.float64, [3]), tf.Variable(np.arange(3.0))
    fetches = [tf.constant([0.0, 1.0, 2.0], tf.float64), variable, whole, x, tf.reshape(x, [3])]
    with tf.Session() as session:
        session.run(variable.initializer)
        for _ in range(5):
            for value in session.run(fetches, {x: fed}):
                assert value.tolist() == [0, 1, 2]
                value += 1
        assert fed.tolist() == [0, 1, 2]
        first, flat = session.run([batch, tf.reshape(batch, [2, 2])])
        first += 1
        assert flat.tolist() == [[0, 1], [2, 3]]
        second = session.run(batch)
        assert second.tolist() == [4, 5, 6, 7] and second.flags.writeable


def test_callables_from_options():
    x = tf.placeholder(tf.float32, name="x")
    y = tf.add(x, 1.0, name="y")
    count = tf.Variable(0)
    counted = count.assign_add(1)
    with tf.Session() as session:
        session.run(count.initializer)
        options = proto.config_pb2.CallableOptions(feed=["x:0"], fetch=["y:0"], target=[counted.op.name])
        call = session._make_callable_from_options(options)
        assert [call(1.0), call(2.0)] == [[2.0], [3.0]] and session.run(count) == 2
        options.run_options.output_partition_graphs = True
        call, metadata = session._make_callable_from_options(options), tf.RunMetadata()
        assert call(1.0, run_metadata=metadata) == [2.0] and len(metadata.partition_graphs) == 1
        session.run(y, {x: 1.0}, run_metadata=metadata)
        assert not metadata.partition_graphs


def test_callables_that_connect_tensors():
    a, x = tf.placeholder(tf.float32, name="a"), tf.placeholder(tf.float32, name="x")
    tf.multiply(a, 2.0, name="double")
    tf.add(x, a, name="y")
    options = proto.config_pb2.CallableOptions(feed=["a:0"], fetch=["y:0"])
    options.tensor_connection.add(from_tensor="double:0", to_tensor="x:0")
    with tf.Session() as session:
        assert session._make_callable_from_options(options)(3.0) == [9.0]
        options.feed_devices["a:0"] = "/cpu:0"
        with pytest.raises(tf.errors.UnimplementedError, match="feed_devices"):
            session._make_callable_from_options(options)


def test_partial_runs_that_cannot_be():
    x = tf.placeholder(tf.float32, [])
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="at least one target"):
            session.partial_run_setup([], [x])
        with pytest.raises(tf.errors.InvalidArgumentError, match="no such handle"):
            session.partial_run("other", x + 1.0, {x: 1.0})


def test_a_session_is_entered_once():
    session = tf.Session()
    with session, pytest.raises(RuntimeError, match="re-entrant"):
        with session:
            pass
    with tf.Session() as session, session.as_default():
        assert session.run(tf.constant(3, name=b"three")) == 3


def test_graphs_with_inferred_shapes():
    tf.constant([1, 2])
    config = proto.config_pb2.ConfigProto(graph_options=proto.config_pb2.GraphOptions(infer_shapes=True))
    assert "_output_shapes" in tf.Session(config=config).graph_def.node[0].attr
    assert "_output_shapes" not in tf.Session().graph_def.node[0].attr


@pytest.mark.parametrize("dtype, value, wanted", [
    ("float32", 16777216, 16777216.0), ("float32", 2**70, 2.0**70), ("float64", 2**53 + 1, 2.0**53), ("bool", 1, True),
    ("int32", True, 1), ("float32", [16777217], [16777216.0]), ("uint64", 2**64 - 1, 2**64 - 1)])
def test_whole_numbers_are_fed_as_they_are(dtype, value, wanted):
    x = tf.placeholder(dtype)
    with tf.Session() as session:
        assert np.array_equal(session.run(tf.identity(x), {x: value}), wanted)


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("dtype, value", [
    ("float32", 16777217), ("complex64", 16777217), ("bfloat16", 257), ("float16", 100_000), ("bool", 2), ("int8", 300),
    ("uint8", -1)])
def test_a_whole_number_that_a_dtype_has_not(dtype, value):
    x = tf.placeholder(dtype)
    with tf.Session() as session, pytest.raises(TypeError, match="is not compatible with Tensor type"):
        session.run(tf.identity(x), {x: value})


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_what_is_fed_stands_for_a_node_that_runs_nevertheless(tier):
    """Because others wait for it, as in TensorFlow: only placeholders that are fed do not run."""
    v = tf.Variable(2)
    before = tf.assign_sub(v, 1) + 0
    doubled, equal = before * 2 + 1, tf.constant(7) + 0
    fed = tf.constant(7) + 0
    with tf.control_dependencies([before, fed]):
        start = tf.zeros([], tf.int32)
        both = start + fed, start + equal
    rounds = tf.while_loop(lambda n: n < before, lambda n: n + 1, [start])
    tf.summary.scalar("before", before * 3)     # what a later list may ask for
    with tf.Session(tier=tier) as session:
        session.run(v.initializer)
        for wanted in (1, 0, -1):
            values = session.run([rounds, before, doubled, *both], {before: 5, fed: 1})
            assert values == [5, 5, 11, 1, 7] and session.run(v) == wanted
        assert session.run([start, before], {before: 9}) == [0, 9] and session.run(v) == -2
