"""What goes wrong in a pipeline is said with the original error, where it happened, and leaves nothing running."""

import threading
import warnings

import numpy as np
import pytest

import evergraph as tf

R = tf.data.Dataset.range


def first(dataset):
    return dataset.make_one_shot_iterator().get_next()


@pytest.mark.parametrize("wrap", [lambda d: d, lambda d: d.batch(2).prefetch(1), lambda d: d.shuffle(3).repeat()])
def test_an_error_in_a_function_names_its_line(session, wrap):
    def checked(x):
        return tf.check_numerics(1.0 / tf.cast(x, tf.float32), "oh")  # the user's line

    element = first(wrap(R(3).map(checked)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="oh") as caught:
        session.run(element)
    assert "CheckNumerics" in str(caught.value) and "test_errors.py" in str(caught.value)


def test_python_errors_come_with_their_traceback(session):
    def broken(x):
        raise KeyError("no such thing")

    element = first(R(3).map(lambda x: tf.py_func(broken, [x], tf.int64)).prefetch(1))
    with pytest.raises(tf.errors.UnknownError, match="KeyError: 'no such thing'(.|\n)*in broken"):
        session.run(element)


def test_a_generator_that_raises(session):
    def broken():
        yield 1
        raise RuntimeError("out of luck")

    element = first(tf.data.Dataset.from_generator(broken, tf.int64).prefetch(2))
    assert session.run(element) == 1
    with pytest.raises(tf.errors.UnknownError, match="RuntimeError: out of luck(.|\n)*in broken"):
        session.run(element)


@pytest.mark.parametrize("value, types, shapes, message", [
    ("text", tf.int64, None, "yielded text, which does not convert. The expected type was int64"),
    ([1, 2, 3], tf.int64, [2], r"yielded a value of shape \(3,\), but an element of shape \(2,\) was expected"),
    ((1, 2, 3), (tf.int64, tf.int64), None, r"yielded \(1, 2, 3\), which is nested in another way than "
                                            r"`output_types`. The expected structure was \(tf.int64, tf.int64\)"),
    (5, tf.string, None, "yielded 5, which does not convert. The expected type was string"),
])
def test_a_generator_that_yields_something_else(session, value, types, shapes, message):
    element = first(tf.data.Dataset.from_generator(lambda: iter([value]), types, shapes))
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        session.run(element)


def test_iteration_goes_on_after_an_error(session):
    element = first(R(4).map(lambda x: tf.check_numerics(1.0 / (tf.cast(x, tf.float32) - 1.0), "oh")))
    assert session.run(element) == -1
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(element)
    assert [session.run(element) for _ in range(2)] == [1, 0.5]


def test_a_missing_file(session, tmp_path):
    element = first(tf.data.TFRecordDataset(str(tmp_path / "none")).prefetch(1))
    with pytest.raises(tf.errors.NotFoundError, match="none"):
        session.run(element)


def test_a_damaged_file(session, tmp_path):
    path = tmp_path / "records"
    with tf.io.TFRecordWriter(str(path)) as writer:
        writer.write(b"fine")
        writer.write(b"broken")
    content = bytearray(path.read_bytes())
    content[-6] ^= 1
    path.write_bytes(content)
    element = first(tf.data.TFRecordDataset(str(path)))
    assert session.run(element) == b"fine"
    with pytest.raises(tf.errors.DataLossError, match="corrupted record"):
        session.run(element)


def test_no_file_matches(session, tmp_path):
    iterator = tf.data.Dataset.list_files(str(tmp_path / "*.none")).make_initializable_iterator()
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched pattern: .*none"):
        session.run(iterator.initializer)


def test_batches_of_different_shapes(session):
    element = first(R(1, 4).map(lambda x: tf.fill([x], x)).batch(2))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Cannot batch tensors with different shapes in component "
                                                             r"0. First element had shape \[1\] and element 1 had "
                                                             r"shape \[2\]."):
        session.run(element)


def test_two_writers_of_one_cache(session, tmp_path):
    dataset = R(3).cache(str(tmp_path / "cache"))
    one, two = (dataset.make_initializable_iterator() for _ in range(2))
    session.run([one.initializer, two.initializer])
    element, other = one.get_next(), two.get_next()
    session.run(element)
    with pytest.raises(tf.errors.AlreadyExistsError, match="another iterator is writing this cache"):
        session.run(other)
    assert [session.run(element) for _ in range(2)] == [1, 2]
    with pytest.raises(tf.errors.OutOfRangeError):
        session.run(element)
    assert {path.name for path in tmp_path.iterdir()} == {"cache.index", "cache.data-00000-of-00001"}
    session.run(two.initializer)
    assert session.run(other) == 0


def test_a_damaged_cache_gives_the_elements_before_the_damage(session, tmp_path):
    dataset = tf.data.Dataset.range(6).map(lambda n: (n, tf.fill([n], "text"))).cache(str(tmp_path / "cache"))
    element = first(dataset.map(lambda n, texts: n + tf.size(texts, out_type=tf.int64)))
    assert [session.run(element) for _ in range(6)] == [0, 2, 4, 6, 8, 10]
    with pytest.raises(tf.errors.OutOfRangeError):
        session.run(element)
    again = first(dataset.map(lambda n, texts: n).batch(4))
    assert [session.run(again).tolist() for _ in range(2)] == [[0, 1, 2, 3], [4, 5]]
    path = tmp_path / "cache.data-00000-of-00001"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    damaged = first(dataset.map(lambda n, texts: n).batch(4))
    assert session.run(damaged).tolist() == [0, 1, 2, 3]
    with pytest.raises(tf.errors.DataLossError):
        session.run(damaged)


def test_an_abandoned_cache_leaves_no_file(tmp_path):
    element = first(R(3).cache(str(tmp_path / "cache")))
    with tf.Session() as session:
        session.run(element)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("make", [
    lambda: R(5).batch(0), lambda: R(5).shuffle(0), lambda: R(5).shard(0, 0), lambda: R(5).shard(3, 3),
    lambda: R(5).window(0), lambda: R(5).map(lambda x: x, num_parallel_calls=0), lambda: R(5).prefetch(-2),
    lambda: R(1, 5, 0), lambda: R(5).interleave(lambda x: R(x), cycle_length=0), lambda: R(5).interleave(R, 1, 0),
    lambda: tf.data.TextLineDataset("x", "ZIP"), lambda: tf.data.FixedLengthRecordDataset("x", 0),
    lambda: tf.data.Dataset.from_tensor_slices((tf.placeholder_with_default([1, 2], [None]),
                                                tf.placeholder_with_default([1, 2, 3], [None]))),
])
def test_arguments_that_make_no_sense(session, make):
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(make().make_initializable_iterator().initializer)


@pytest.mark.parametrize("make", [
    lambda: R(3).map(lambda x: None), lambda: R(3).filter(lambda x: x), lambda: R(3).flat_map(lambda x: x),
    lambda: tf.data.Dataset.zip([R(3), R(3)]), lambda: R(3).concatenate(R(3).map(tf.as_string)),
    lambda: R(3).apply(lambda dataset: 3), lambda: tf.data.Dataset.from_generator(3, tf.int64),
    lambda: tf.data.Dataset.from_tensors(tf.SparseTensor([[0]], [1], [1])).padded_batch(2, [None]),
    lambda: R(3).padded_batch(2, [], 1.5),
])
def test_arguments_of_other_types(make):
    with pytest.raises(TypeError):
        make()


@pytest.mark.parametrize("make", [
    lambda: R(), lambda: tf.data.Dataset.from_tensor_slices(3),
    lambda: tf.data.Dataset.from_tensor_slices(([1], [1, 2])),
    lambda: tf.data.Dataset.from_tensors(np.zeros(4)).padded_batch(2, [3]),
    lambda: tf.data.Dataset.from_tensors(np.zeros(4)).padded_batch(2, [None, None]),
])
def test_arguments_of_other_values(make):
    with pytest.raises(ValueError):
        make()


def test_errors_leave_no_thread():
    before = set(threading.enumerate())
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError):
        session.run(first(R(3).map(lambda x: tf.check_numerics(1 / x, "oh"), 2).prefetch(1)))
    assert not [t for t in threading.enumerate() if t.name == "evergraph_prefetch" and t not in before]


def test_the_seed_of_the_graph_in_functions():
    tf.set_random_seed(10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        R(3).map(lambda x: tf.random_uniform([], seed=1))
        R(3).map(tf.square)
    with pytest.warns(UserWarning, match="in the function <lambda> use 10, the seed of the graph around it"):
        R(3).map(lambda x: tf.random_uniform([]))
