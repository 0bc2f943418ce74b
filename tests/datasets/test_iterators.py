"""Iterators of all kinds, how threads share them, and what closing a session leaves behind."""

import threading
import time

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from tests.datasets.soak import left_threads

R = tf.data.Dataset.range


def all_of(session, element):
    found = []
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        while True:
            found.append(session.run(element))
    return found


OTHERS = set()  # threads of iterators that other tests have made, and something still holds


@pytest.fixture(autouse=True)
def _own_threads():
    OTHERS.clear()
    OTHERS.update(threading.enumerate())


def prefetching():
    """The threads of this test that compute elements ahead."""
    return [t for t in threading.enumerate() if t.name == "evergraph_prefetch" and t not in OTHERS]


def have_ended(seconds=10):
    """Whether all of these threads end: one that is drawing does so when it has drawn."""
    end = time.monotonic() + seconds
    while prefetching() and time.monotonic() < end:
        time.sleep(0.01)
    return not prefetching()


def test_one_shot(session):
    element = R(3).make_one_shot_iterator().get_next()
    assert all_of(session, element) == [0, 1, 2]
    with tf.Session() as other:  # another session begins anew
        assert all_of(other, element) == [0, 1, 2]


@pytest.mark.parametrize("make, what", [
    (lambda: R(tf.placeholder(tf.int64, [])), "placeholder"),
    (lambda: R(3).map(lambda x: x + tf.get_variable("v", [], tf.int64, use_resource=True)), "stateful"),
])
def test_one_shot_needs_no_other_run(make, what):
    with pytest.raises(ValueError, match=f"make_initializable_iterator does(.|\n)*Cannot capture a {what}"):
        tf.data.make_one_shot_iterator(make())


def test_initializable_again_and_again(session):
    stop = tf.placeholder(tf.int64, [])
    iterator = R(stop).make_initializable_iterator()
    element = iterator.get_next()
    with pytest.raises(tf.errors.FailedPreconditionError, match="has not been initialized"):
        session.run(element)
    for count in (3, 1):
        session.run(iterator.initializer, {stop: count})
        assert all_of(session, element) == list(range(count))
    session.run(iterator.initializer, {stop: 5})
    session.run(element)
    session.run(iterator.initializer, {stop: 2})  # in the middle
    assert all_of(session, element) == [0, 1]


def test_one_graph_for_several_datasets(session):
    iterator = tf.data.Iterator.from_structure((tf.int64, tf.string), ([], [None]))
    element = iterator.get_next()
    one = iterator.make_initializer(R(2).map(lambda x: (x, tf.constant(["a"]))))
    two = iterator.make_initializer(R(5, 8).map(lambda x: (x, tf.fill([x], "b"))), name="two")
    assert two.name == "two"
    with pytest.raises(ValueError, match="does not have an initializer"):
        iterator.initializer  # noqa: B018
    session.run(two)
    assert session.run(element)[0] == 5
    session.run(one)
    assert [(int(n), words.tolist()) for n, words in all_of(session, element)] == [(0, [b"a"]), (1, [b"a"])]


@pytest.mark.parametrize("dataset, error", [
    (lambda: R(3), ValueError), (lambda: tf.data.Dataset.from_tensors((1, "a", "b")), ValueError),
    (lambda: tf.data.Dataset.from_tensors(((1,), ("a",))), ValueError),
    (lambda: tf.data.Dataset.from_tensors({"a": 1}), TypeError),
    (lambda: tf.data.Dataset.from_tensors((1.0, "a")), TypeError),
    (lambda: R(3).map(lambda x: (tf.fill([3], x), "a")), TypeError),
])
def test_datasets_of_another_structure(dataset, error):
    iterator = tf.data.Iterator.from_structure((tf.int64, tf.string), ([], []))
    with pytest.raises(error, match="The two structures|The dataset has elements of"):
        iterator.make_initializer(dataset())


def test_switching_by_a_fed_handle(session):
    handle = tf.placeholder(tf.string, [])
    element = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
    one, two = R(0, 10).make_one_shot_iterator(), R(100, 110).make_initializable_iterator()
    session.run(two.initializer)
    handles = session.run([one.string_handle(), two.string_handle()])
    drawn = [session.run(element, {handle: handles[turn]}) for turn in (0, 1, 1, 0, 0, 1)]
    assert drawn == [0, 100, 101, 1, 2, 102]
    other = R(3).map(tf.as_string).make_one_shot_iterator()
    with pytest.raises(tf.errors.InvalidArgumentError, match="component 0 of the iterator is of"):
        session.run(element, {handle: session.run(other.string_handle())})
    with pytest.raises(tf.errors.InvalidArgumentError, match="no iterator"):
        session.run(element, {handle: b"nothing"})


def test_an_iterator_with_a_name_is_shared(session):
    first = R(4).make_initializable_iterator(shared_name="mine")
    second = R(4).make_initializable_iterator(shared_name="mine")
    one, two = first.get_next(), second.get_next()
    session.run(first.initializer)
    assert [session.run(each) for each in (one, two, two, one)] == [0, 1, 2, 3]


def test_structures():
    dataset = tf.data.Dataset.from_tensors({"a": (1, [2.0, 3.0]), "b": tf.SparseTensor([[0]], ["x"], [2])})
    assert dataset.output_types == {"a": (tf.int32, tf.float32), "b": tf.string}
    assert dataset.output_shapes == {"a": (tf.TensorShape([]), tf.TensorShape([2])), "b": tf.TensorShape([2])}
    assert dataset.output_classes == {"a": (tf.Tensor, tf.Tensor), "b": tf.SparseTensor}
    element = dataset.make_one_shot_iterator().get_next()
    assert element["a"][1].shape == [2] and isinstance(element["b"], tf.SparseTensor)
    assert dataset.batch(2).output_shapes["a"] == (tf.TensorShape([None]), tf.TensorShape([None, 2]))
    assert dataset.batch(2, drop_remainder=True).output_shapes["a"][1] == [2, 2]
    assert str(R(3).batch(2)) == "<DatasetV1 shapes: (?,), types: <dtype: 'int64'>>"
    with pytest.raises(RuntimeError, match="__iter__"):
        iter(dataset)


def test_flavours():
    two = tf.compat.v2.data.Dataset.range(3).map(lambda x: x).batch(2)
    assert not isinstance(two, tf.data.Dataset) and not hasattr(two, "make_one_shot_iterator")
    assert isinstance(R(3).shuffle(2), tf.data.Dataset) and issubclass(tf.data.Dataset, tf.compat.v2.data.Dataset)
    assert isinstance(tf.data.TextLineDataset("x").map(lambda line: line), tf.data.Dataset)


@pytest.mark.parametrize("dataset", [lambda: R(1000), lambda: R(1000).map(lambda x: x, 4).prefetch(3)])
def test_threads_share_an_iterator(session, dataset):
    element = dataset().make_one_shot_iterator().get_next()
    found = []

    def draw():
        try:
            while True:
                found.append(int(session.run(element)))
        except tf.errors.OutOfRangeError:
            return

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(1000))


def test_closing_a_session_ends_threads():
    element = R(10**6).map(lambda x: x + 1, num_parallel_calls=2).batch(3).prefetch(2).make_one_shot_iterator()
    element = element.get_next()
    for _ in range(10):
        with tf.Session() as session:
            session.run(element)
            assert prefetching()
        assert have_ended()


def test_initializing_again_ends_threads(session):
    iterator = R(10**6).prefetch(2).make_initializable_iterator()
    element = iterator.get_next()
    for _ in range(3):
        session.run(iterator.initializer)
        session.run(element)
        assert len(prefetching()) == 1


def test_a_session_that_nobody_holds_ends_threads():
    before, session = set(threading.enumerate()), tf.Session()
    session.run(R(10**6).map(lambda x: x + 1, 2).prefetch(2).make_one_shot_iterator().get_next())
    assert prefetching()
    del session
    assert not left_threads(before)


def test_closing_wakes_who_waits():
    release = threading.Event()

    def slow():
        yield 0
        release.wait(30)
        yield 1

    element = tf.data.Dataset.from_generator(slow, tf.int64).prefetch(1).make_one_shot_iterator().get_next()
    session = tf.Session()
    assert session.run(element) == 0
    errors = []

    def draw():
        try:
            session.run(element)
        except tf.errors.CancelledError as error:
            errors.append(error)

    thread = threading.Thread(target=draw)
    thread.start()
    time.sleep(0.1)
    threading.Timer(0.1, release.set).start()
    session.close()
    thread.join(10)
    assert errors and have_ended()


def test_closing_a_session_ends_a_pass_through_an_endless_dataset():
    begun, errors = threading.Event(), []
    endless = tf.data.Dataset.range(1).repeat().map(lambda x: tf.py_func(lambda x: begun.set() or x, [x], tf.int64))
    total = endless.reduce(tf.constant(0, tf.int64), lambda state, x: state + x)
    session = tf.Session()

    def run():
        try:
            session.run(total)
        except tf.errors.CancelledError as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert begun.wait(20)
    session.close()
    thread.join(20)
    assert errors


def test_no_element_in_time():
    release = threading.Event()

    def slow():
        release.wait(30)
        yield 1

    element = tf.data.Dataset.from_generator(slow, tf.int64).prefetch(1).make_one_shot_iterator().get_next()
    with tf.Session() as session:
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(element, options=tf.RunOptions(timeout_in_ms=50))
        release.set()
        assert session.run(element) == 1


def test_many_elements_in_one_run(session):
    iterator = R(4).make_one_shot_iterator()
    assert sorted(session.run([iterator.get_next(), iterator.get_next()])) == [0, 1]


def test_optional_elements(session):
    iterator = R(1).make_one_shot_iterator()
    optional = tf.raw_ops.IteratorGetNextAsOptional(iterator=iterator._iterator_resource, output_types=[tf.int64],
                                                    output_shapes=[[]])
    has = tf.raw_ops.OptionalHasValue(optional=optional)
    assert [bool(session.run(has)) for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize("ahead", [0, 1])
def test_functions_see_variables_as_they_are(session, ahead):
    count = tf.get_variable("count", [], tf.int64, tf.zeros_initializer(), use_resource=True)
    seen = tf.get_variable("seen", [], tf.int64, tf.zeros_initializer(), use_resource=True)

    def counted(x):
        with tf.control_dependencies([seen.assign_add(1)]):
            return x + count

    iterator = R(10).map(counted).prefetch(ahead).make_initializable_iterator()
    element = iterator.get_next()
    session.run(tf.global_variables_initializer())
    session.run(iterator.initializer)
    assert session.run(element) == 0
    session.run(count.assign(100))
    while session.run(seen) < 1 + ahead:
        time.sleep(0.001)
    session.run(element)
    assert session.run(element) == 102
    assert session.run(seen) >= 3


def test_reduce(session):
    total = R(5).reduce(np.int64(10), lambda state, x: state + x)
    assert session.run(total) == 20
    pair = tf.data.Dataset.from_tensor_slices(([1, 2, 3], [1.5, 2.5, 3.5])).reduce(
        {"n": 0, "all": tf.zeros([0])}, lambda state, row: {
            "n": state["n"] + row[0], "all": tf.concat([state["all"], [row[1]]], 0)})
    found = session.run(pair)
    assert found["n"] == 6 and found["all"].tolist() == [1.5, 2.5, 3.5] and pair["all"].shape.as_list() == [None]
    with pytest.raises(TypeError, match="element types for the new state must match"):
        R(5).reduce(0, lambda state, x: x)


def test_a_function_that_is_out_of_range_ends_the_dataset(session):
    def stop(x):
        if x == 2:
            raise StopIteration
        return x

    dataset = R(5).map(lambda x: tf.py_func(stop, [x], tf.int64), 2)
    assert all_of(session, dataset.make_one_shot_iterator().get_next()) == [0, 1]
    later = tf.compat.v2.data.Dataset.range(5).map(lambda x: tf.py_func(stop, [x], tf.int64))
    element = tf.data.make_one_shot_iterator(later).get_next()
    assert [session.run(element) for _ in range(2)] == [0, 1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="produced OutOfRangeError"):
        session.run(element)


def test_orders_without_a_seed(session):
    fixed = R(50).shuffle(50, reshuffle_each_iteration=False).repeat(2).batch(50).make_one_shot_iterator().get_next()
    other = R(50).shuffle(50).repeat(2).batch(50).make_one_shot_iterator().get_next()
    one, two = session.run(fixed).tolist(), session.run(fixed).tolist()
    assert one == two and sorted(one) == list(range(50)) and one != list(range(50))
    assert session.run(other).tolist() != session.run(other).tolist()


@pytest.mark.parametrize("size", [100, 2000, 10**9])
def test_a_shuffle_draws_the_same_one_by_one_and_in_batches(session, size):
    """So many elements that the buffer drops the room of those that have left."""
    dataset = tf.data.Dataset.range(6000).shuffle(size, seed=5)
    element = dataset.make_one_shot_iterator().get_next()
    batch = dataset.batch(1000).make_one_shot_iterator().get_next()
    one_by_one = [session.run(element) for _ in range(6000)]
    assert np.concatenate([session.run(batch) for _ in range(6)]).tolist() == one_by_one
    assert sorted(one_by_one) == list(range(6000))


def test_options():
    options = tf.data.Options()
    options.experimental_deterministic = False
    options.experimental_threading.private_threadpool_size = 4
    dataset = R(3).with_options(options).map(lambda x: x).batch(2)
    assert dataset.options().experimental_deterministic is False
    assert tf.data.Dataset.zip((R(1), dataset)).options().experimental_threading.private_threadpool_size == 4
    other = tf.data.Options()
    other.experimental_deterministic = True
    with pytest.raises(ValueError, match="Cannot merge incompatible values"):
        dataset.with_options(other)
    with pytest.raises(TypeError, match="must be of type"):
        options.experimental_slack = 3
    with pytest.raises(AttributeError, match="experimental_typo"):
        options.experimental_typo = 3


def test_what_a_function_collects_stays_inside(session):
    tf.add_to_collection("mine", 1)
    seen = []

    def looked(x):
        tf.summary.scalar("x", x)
        tf.add_to_collection("mine", x)
        seen.append(len(tf.get_collection("mine")))
        return x

    element = R(2).map(looked).make_one_shot_iterator().get_next()
    assert set(seen) == {2} and tf.get_collection("mine") == [1] and tf.summary.merge_all() is None
    assert tf.get_default_graph().get_all_collection_keys() == ["mine", "iterators"] and session.run(element) == 0


@pytest.mark.parametrize("make", [
    lambda numbers: numbers.map(lambda x: x + 1).batch(1).prefetch(2),
    lambda numbers: numbers.concatenate(numbers),
    lambda numbers: numbers.cache().repeat(2),
    lambda numbers: numbers.window(2, 1).flat_map(lambda window: window.batch(2)),
], ids=["threads", "second source", "memory", "windows"])
@pytest.mark.parametrize("before", [0, 3])
def test_an_iterator_at_its_end_is_restored_from_a_file(session, tmp_path, make, before):
    iterator = tf.data.make_initializable_iterator(make(tf.data.Dataset.range(5)))
    element = iterator.get_next()
    saver = tf.train.Saver([tf.data.experimental.make_saveable_from_iterator(iterator)])
    session.run(iterator.initializer)
    for _ in range(before):
        session.run(element)
    path = saver.save(session, str(tmp_path / "state"))
    wanted = _left(session, element)
    saver.restore(session, path)
    assert _left(session, element) == wanted


def _left(session, element):
    found = []
    with pytest.raises(tf.errors.OutOfRangeError):
        while True:
            found.append(session.run(element).tolist())
    return found


def test_more_parallel_calls_than_open_datasets(session):
    numbers = tf.data.Dataset.range(3).interleave(tf.data.Dataset.range, cycle_length=1, num_parallel_calls=2)
    iterator = tf.data.make_initializable_iterator(numbers)
    with pytest.raises(tf.errors.InvalidArgumentError, match="only 1 datasets are open"):
        session.run(iterator.initializer)


def test_state_as_text(session):
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(5).map(lambda x: 2 * x))
    number, handle = iterator.get_next(), iterator._iterator_resource
    saved = tf.io.serialize_tensor(tf.raw_ops.SerializeIterator(resource_handle=handle))
    text = tf.placeholder(tf.string, [])
    restore = tf.raw_ops.DeserializeIterator(resource_handle=handle, serialized=tf.io.parse_tensor(text, tf.variant))
    session.run(iterator.initializer)
    assert [session.run(number) for _ in range(2)] == [0, 2]
    state = session.run(saved)
    assert [session.run(number) for _ in range(2)] == [4, 6]
    session.run(restore, {text: state})
    assert [session.run(number) for _ in range(3)] == [4, 6, 8]


@pytest.mark.parametrize("is_eager", [False, True])
def test_a_checkpoint_of_objects_holds_where_an_iterator_stands(is_eager, tmp_path):
    def begin():
        """(three elements, a checkpoint, a function that draws four elements and one that restores)."""
        dataset = R(10).shuffle(5, seed=1)
        if is_eager:
            iterator = iter(dataset)
            return [int(next(iterator)) for _ in range(3)], tf.train.Checkpoint(rows=iterator), \
                lambda: [int(next(iterator)) for _ in range(4)], lambda status: None
        iterator, session = dataset.make_initializable_iterator(), tf.get_default_session()
        element = iterator.get_next()
        session.run(iterator.initializer)
        return [session.run(element) for _ in range(3)], tf.train.Checkpoint(rows=iterator), \
            lambda: [session.run(element) for _ in range(4)], lambda status: status.run_restore_ops()

    with EAGER.as_default() if is_eager else tf.Session():
        first, checkpoint, draw, restore = begin()
        path = checkpoint.save(str(tmp_path / "model"))
        rest = draw()
        restore(checkpoint.restore(path))
        assert draw() == rest and len({*first, *rest}) == 7
        _, checkpoint, draw, restore = begin()
        restore(checkpoint.restore(path).assert_consumed())
        assert draw() == rest
    assert "rows/.ATTRIBUTES/ITERATOR" in dict(tf.train.list_variables(path))
