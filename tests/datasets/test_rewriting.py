"""Rewritten datasets have the elements, the errors and the states of those that a program describes."""

import threading

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.vectorize import Vectorized
from evergraph.ops.data import rewriting
from evergraph.ops.data.mapping import Map, ParallelMap
from evergraph.ops.data.pipeline import as_dataset
from tests.datasets.programs import PROGRAMS, drawn, told
from tests.harness.recorded import texts

RECORDED = texts("datasets")


def plain(dataset):
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    return dataset.with_options(options)


@pytest.mark.parametrize("name", PROGRAMS)
def test_unoptimised_as_recorded(name, tmp_path, monkeypatch):
    make = PROGRAMS[name]
    monkeypatch.setitem(PROGRAMS, name, lambda *arguments: plain(make(*arguments)))
    assert drawn(tf, name, tmp_path) == RECORDED[name]


def image_of(content):
    image = tf.reshape(tf.decode_raw(content, tf.uint8), [4, 4, 3])
    image = tf.image.random_flip_left_right(tf.random_crop(image, [3, 2, 3], seed=1), seed=2)
    return (tf.cast(image, tf.float32) - 120.0) / 64.0, tf.random_uniform([2], seed=3), tf.random_normal([3], seed=4)


def example_of(number):
    features = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=[number, number + 0.5])),
                "words": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"w"] * number))}
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


IMAGES = [bytes(range(start, start + 48)) for start in range(11)]
EXAMPLES = [example_of(number) for number in range(11)]
LINES = [f"{number},{number * 0.25},w{number}" for number in range(11)]
SPARSE = {"x": tf.VarLenFeature(tf.float32), "words": tf.VarLenFeature(tf.string), "none": tf.VarLenFeature(tf.int64)}
SPEC = {"x": tf.FixedLenFeature([2], tf.float32), "y": tf.FixedLenFeature([], tf.int64, 7)}
WORDS = {"words": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True)}


def slices(values):
    return tf.data.Dataset.from_tensor_slices(values)


MAPS = {
    "images": lambda: slices(IMAGES).map(image_of),
    "images in parallel": lambda: slices(IMAGES).map(image_of, 3),
    "examples": lambda: slices(EXAMPLES).map(lambda record: tf.parse_single_example(record, SPEC)),
    "sparse examples": lambda: slices(EXAMPLES).map(lambda record: tf.parse_single_example(record, {**SPEC, **SPARSE})),
    "sparse and dense": lambda: slices(EXAMPLES).map(lambda record: tf.parse_single_example(record, SPARSE)).map(
        lambda row: (tf.sparse.to_dense(row["words"], ""), row["x"])).map(lambda words, x: (tf.size(words), x)),
    "lines": lambda: slices(LINES).map(lambda line: tuple(tf.decode_csv(line, [[0], [0.0], [""]]))),
    "shapes": lambda: slices(np.arange(66.0).reshape(11, 2, 3)).map(lambda x: (
        tf.reshape(x, [-1]), tf.transpose(x), tf.expand_dims(x, -1), tf.squeeze(x[:1]), tf.reverse(x, [1]),
        tf.shape(x), tf.stack([x, x]), tf.concat([x, x], 1), tf.reduce_sum(x, 0), x[0, 1], tf.zeros_like(x))),
    "parts": lambda: slices(np.arange(66.0).reshape(11, 2, 3)).map(lambda x: (
        x[0], x[:, 1], x[..., -1], x[::-1, 1:], x[tf.newaxis, 1, ::2], tf.unstack(x), tf.unstack(x, axis=-1),
        tf.split(x, 3, axis=1), tf.split(x, 2, axis=-2), tf.tile(x, [1, 2]))),
    "wholes": lambda: slices((np.arange(22.0).reshape(11, 2), np.arange(11.0))).map(lambda x, y: (
        tf.stack([x, [8.0, 9.0]]), tf.stack([x, x], -1), tf.stack([y, 3.0, y]), tf.concat([x, [y], [1.0]], 0),
        tf.concat([x, x], -1))),
    "places": lambda: slices(np.arange(22).reshape(11, 2) % 5).map(lambda x: (
        tf.one_hot(x, 5), tf.one_hot(x[0], 4, axis=0), tf.gather([1.5, 2.5, 3.5, 4.5, 5.5], x), tf.gather(x, [1, 1, 0]),
        tf.gather([[1, 2, 3, 4, 5]] * 2, x, axis=1), tf.gather(x, x[0] % 2), tf.argmax(x), tf.argmin(x, -1))),
    "choices": lambda: slices(np.arange(44.0).reshape(11, 2, 2)).map(lambda x: (
        tf.where(x > 9, x, -x), tf.where(x[:, 0] > 9, x, -x), tf.where(x[0, 0] > 9, x, tf.zeros_like(x)),
        tf.where([True, False], x, [[1.0, 2.0], [3.0, 4.0]]), tf.ones_like(x), tf.stop_gradient(x))),
    "probabilities": lambda: slices(np.sin(np.arange(66.0)).reshape(11, 2, 3).astype(np.float32)).map(lambda x: (
        tf.nn.softmax(x), tf.nn.log_softmax(x[0]), tf.nn.softmax(x, axis=0))),
    "pieces of words": lambda: slices([[b"abc", b"de"], [b"f", b"ghij"]] * 5).map(lambda words: (
        tf.strings.join([words, words], "-"), tf.strings.join([words, words[0]]), tf.strings.join([words[0], "!"]),
        tf.strings.substr(words, 0, 1), tf.strings.substr(words, [0, 1], [1, 1]))),
    "buckets": lambda: slices(np.arange(11.0)).map(lambda x: tf.raw_ops.Bucketize(input=x, boundaries=[2.0, 5.5])),
    "ranges": lambda: slices(np.arange(11)).map(tf.range).map(lambda x: (tf.size(x), tf.size(x[:1]))),
    "ranges that differ": lambda: slices(np.arange(11)).map(lambda x: tf.reduce_sum(tf.range(x, 2 * x, 3))),
    "broadcasts": lambda: slices(np.arange(11.0)).map(lambda x: x * np.array([[1.0, 2.0], [3.0, 4.0]]) + x),
    "constants": lambda: slices(np.arange(11)).map(lambda x: (x, tf.constant([1, 2]))),
    "branches": lambda: slices(np.arange(11)).map(lambda x: tf.cond(
        x % 3 > 0, lambda: x + tf.random_uniform([], 0, 99, tf.int64, seed=5), lambda: -x)),
    "loops": lambda: slices(np.arange(11)).map(lambda x: tf.while_loop(lambda i: i < 5, lambda i: i * 2 + 1, [x])),
    "filtered": lambda: slices(np.arange(11)).filter(lambda x: x % 3 > 0).map(lambda x: x * 10),
    "twice": lambda: slices(np.arange(11)).map(lambda x: x + 1).map(lambda x: x * tf.random_uniform(
        [], 0, 99, tf.int64, seed=5)),
    "words": lambda: slices([b"a b", b"c", b"d e f", b""]).map(lambda text: (
        tf.strings.length(text), tf.strings.join([text, "!"]), tf.string_to_hash_bucket_fast(text, 10))),
}


def all_of(make):
    """What an iterator gives until the end: elements as JSON, errors as class and message."""
    found = []
    with tf.Graph().as_default(), tf.Session() as session:
        element = tf.data.make_one_shot_iterator(make()).get_next()
        while True:
            try:
                found.append(told(session.run(element)))
            except tf.errors.OutOfRangeError:
                return found
            except tf.errors.OpError as error:
                found.append((type(error).__name__, error.message))


@pytest.mark.parametrize("shuffles", [False, True])
@pytest.mark.parametrize("name", MAPS)
def test_functions_of_batches(name, shuffles):
    def make():
        dataset = MAPS[name]()
        return (dataset.shuffle(4, seed=9) if shuffles else dataset).repeat(2).batch(3)
    found = all_of(make)
    assert len(found) > 2
    assert found == all_of(lambda: plain(make()))


def calls_in(make, monkeypatch):
    """How often functions were called for one element, and for many, while a dataset was drawn from."""
    from evergraph.compile import contexts
    counts, run = {"one": 0, "many": 0}, contexts.Vectorized.run

    def counted(self, context, arguments, count):
        counts["many"] += 1
        return run(self, context, arguments, count)

    made = contexts.DetachedCalls.function

    def function(self, graph, streams):
        call = made(self, graph, streams)

        def counted_call(*arguments):
            counts["one"] += 1
            return call(*arguments)
        return counted_call

    monkeypatch.setattr(contexts.Vectorized, "run", counted)
    monkeypatch.setattr(contexts.DetachedCalls, "function", function)
    all_of(make)
    return counts


def test_a_map_runs_once_a_batch(monkeypatch):
    parsed = lambda: slices(EXAMPLES).map(lambda record: tf.parse_single_example(record, SPEC))
    counts = calls_in(lambda: parsed().shuffle(3, seed=1).batch(4), monkeypatch)
    assert counts == {"one": 0, "many": 3}  # for 3 - 1 + 4 elements, for 4, and for 1


@pytest.mark.parametrize("name", ["parts", "wholes", "places", "choices", "probabilities", "pieces of words",
                                  "buckets"])
def test_rules_of_ops_serve_whole_batches(name, monkeypatch):
    assert calls_in(lambda: MAPS[name]().batch(3), monkeypatch)["one"] == 0


def test_map_and_batch_runs_once_a_batch(monkeypatch):
    make = lambda: slices(LINES).apply(tf.data.experimental.map_and_batch(
        lambda line: tuple(tf.decode_csv(line, [[0], [0.0], [""]])), 4))
    assert calls_in(make, monkeypatch) == {"one": 0, "many": 3}
    assert all_of(make) == all_of(lambda: plain(make()))


def test_effects_run_one_by_one(monkeypatch):
    mapped = lambda: slices(np.arange(6)).map(lambda x: tf.py_func(lambda value: value, [x], tf.int64))
    assert calls_in(lambda: mapped().batch(4), monkeypatch) == {"one": 6, "many": 0}


def test_rows_may_have_different_shapes():
    make = lambda: slices(EXAMPLES).map(lambda record: tf.parse_single_example(record, WORDS)["words"]).padded_batch(
        4, [None])
    assert all_of(make) == all_of(lambda: plain(make()))


ERRORS = {
    "of a range": lambda: slices(np.array([2, 3, -1, 1])).map(lambda x: tf.size(tf.range(x))).batch(2),
    "of map_and_batch": lambda: slices([b"1", b"2", b"x", b"4", b"5", b"y", b"7"]).apply(
        tf.data.experimental.map_and_batch(tf.string_to_number, 2)),
    "in a batch": lambda: slices([b"1", b"2", b"x", b"4", b"y", b"6", b"7"]).map(tf.string_to_number).batch(3),
    "before a shuffle": lambda: slices([b"1", b"2", b"x", b"4", b"y", b"6", b"7"]).map(
        tf.string_to_number).shuffle(2, seed=1).batch(2),
    "with random numbers": lambda: slices([b"1", b"2", b"x", b"4", b"5", b"6"]).map(
        lambda text: tf.string_to_number(text) * tf.random_uniform([], seed=3)).batch(2),
    "in a filter": lambda: slices([b"1", b"2", b"x", b"4", b"5", b"6"]).filter(
        lambda text: tf.string_to_number(text) > 1.0).batch(2),
    "after a filter": lambda: slices([b"1", b"2", b"x", b"4", b"5", b"6"]).filter(
        lambda text: tf.not_equal(text, "1")).map(tf.string_to_number).repeat(2).batch(2),
    "of a check": lambda: slices(np.arange(7)).map(
        lambda x: tf.check_numerics(1.0 / tf.cast(x - 3, tf.float32), "here")).batch(2),
    "of a shape": lambda: slices([b"ab", b"cd", b"efg", b"hi"]).map(
        lambda text: tf.decode_raw(text, tf.uint8)).batch(2),
    "in parallel": lambda: slices([b"1", b"2", b"x", b"4", b"5"]).map(tf.string_to_number, 2).batch(2).prefetch(1),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_come_where_they_would(name):
    found = all_of(ERRORS[name])
    assert any(isinstance(each, tuple) for each in found)
    assert found == all_of(lambda: plain(ERRORS[name]()))


def test_states_hold_what_was_drawn_with_a_failed_element():
    dataset = slices([b"1", b"x", b"3", b"4", b"5", b"6"]).map(tf.string_to_number).batch(3)
    first, second = (tf.data.make_initializable_iterator(dataset) for _ in range(2))
    states = tf.raw_ops.SerializeIterator(resource_handle=first._iterator_resource)
    moved = tf.raw_ops.DeserializeIterator(resource_handle=second._iterator_resource, serialized=states)
    element, other = first.get_next(), second.get_next()
    with tf.Session() as session:
        session.run([first.initializer, second.initializer])
        with pytest.raises(tf.errors.InvalidArgumentError, match="x"):
            session.run(element)
        session.run(moved)
        assert session.run(other).tolist() == [3, 4, 5]


def test_states_are_of_one_moment():
    """A state is taken while a thread draws ahead: its random numbers fit its elements."""
    dataset = tf.data.Dataset.range(400).map(lambda x: tf.random_uniform([200], seed=3)).batch(1).prefetch(3)
    first, second = (tf.data.make_initializable_iterator(dataset) for _ in range(2))
    states = tf.raw_ops.SerializeIterator(resource_handle=first._iterator_resource)
    moved = tf.raw_ops.DeserializeIterator(resource_handle=second._iterator_resource, serialized=states)
    element, other = first.get_next(), second.get_next()
    with tf.Session() as session:
        session.run(first.initializer)
        for _ in range(25):
            session.run(element)
            session.run(second.initializer)
            session.run(moved)
            for _ in range(6):
                assert session.run(element).tolist() == session.run(other).tolist()


def test_batches_can_be_written_to():
    dataset = slices(EXAMPLES).map(lambda record: tf.parse_single_example(record, SPEC)).batch(2)
    values = np.arange(4.0)
    with tf.Session() as session:
        batch = session.run(tf.data.make_one_shot_iterator(dataset).get_next())
        batch["x"][:] = 0
        rows = session.run(tf.data.make_one_shot_iterator(slices(values).batch(2)).get_next())
        rows[:] = 9
    assert values.tolist() == [0, 1, 2, 3]


# ---- the rewrites


def described(dataset):
    with tf.Session() as session:
        return as_dataset(session.run(dataset._variant_tensor))


def kinds(dataset):
    found = []
    while dataset is not None:
        found.append(type(dataset).__name__)
        dataset = getattr(dataset, "source", None)
    return found


def test_what_does_nothing_is_left_out():
    dataset = described(tf.data.Dataset.range(3).skip(0).take(-1).repeat(1).prefetch(0).take(2))
    assert kinds(rewriting.without_nothing(dataset)) == ["Take", "Range"]
    assert kinds(dataset) == ["Take", "Ahead", "Repeat", "Take", "Skip", "Range"]


def test_maps_below_batches_are_vectorized():
    below = described(tf.data.Dataset.range(9).map(lambda x: x).shuffle(3).batch(2))
    above = described(tf.data.Dataset.range(9).batch(2).map(lambda x: x))
    assert rewriting.vectorized(below, bool).source.source.in_batches
    assert isinstance(below.source.source, Map) and not below.source.source.in_batches
    assert rewriting.vectorized(above, bool) is above


def test_a_dataset_that_is_used_twice_stays_one():
    shuffled = tf.data.Dataset.range(9).map(lambda x: x).shuffle(3)
    both = described(tf.data.Dataset.zip((shuffled.batch(2), shuffled.repeat().batch(3))))
    both = rewriting.vectorized(both, bool)
    assert both.sources[0].source is both.sources[1].source.source


@pytest.mark.parametrize(("make", "count"), [
    (lambda x: x.map(lambda y: y + 1).batch(2), 1),
    (lambda x: x.batch(2), 0),
    (lambda x: x.map(lambda y: y + 1), 0),
    (lambda x: x.map(lambda y: tf.py_func(lambda z: z, [y], tf.int64)).batch(2), 0),
    (lambda x: plain(x.map(lambda y: y + 1).batch(2)), 0),
])
def test_batches_are_computed_ahead_where_nobody_can_tell(make, count):
    before = set(threading.enumerate())

    def started():
        return [thread.name for thread in threading.enumerate() if thread not in before]

    element = tf.data.make_one_shot_iterator(make(tf.data.Dataset.range(9))).get_next()
    with tf.Session() as session:
        session.run(element)
        assert started().count("evergraph_prefetch") == count
    assert not [name for name in started() if name.startswith("evergraph_")]


def test_variables_are_read_when_the_step_runs():
    variable = tf.get_variable("v", [], tf.int64, tf.zeros_initializer(), use_resource=True)
    iterator = tf.data.make_initializable_iterator(
        tf.data.Dataset.range(9).map(lambda x: x * 0 + variable).batch(1))
    element = iterator.get_next()
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), iterator.initializer])
        found = []
        for value in range(3):
            variable.load(value, session)
            found += session.run(element).tolist()
    assert found == [0, 1, 2]


def test_options_choose_rewrites():
    def names(**options):
        chosen = tf.data.Options()
        for name, value in options.items():
            setattr(chosen.experimental_optimization, name, value)
        dataset = tf.data.Dataset.range(3).with_options(chosen)
        with tf.Session() as session:
            found = as_dataset(session.run(dataset._chosen_variant))
        return sorted(found.names) if isinstance(found, rewriting.Chosen) else None
    vectorization = tf.data.experimental.MapVectorizationOptions()
    vectorization.enabled = False
    assert names() is None
    assert names(apply_default_optimizations=False) == []
    assert names(apply_default_optimizations=False, noop_elimination=True) == ["noop_elimination"]
    assert names(map_vectorization=vectorization) == ["inject_prefetch", "noop_elimination"]


# ---- threads


def test_python_functions_run_at_the_same_time_and_in_order():
    meeting = threading.Barrier(3, timeout=20)

    def wait(value):
        meeting.wait()
        return value
    dataset = tf.data.Dataset.range(9).map(lambda x: tf.py_func(wait, [x], tf.int64), num_parallel_calls=3)
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    with tf.Session() as session:
        assert [session.run(element) for _ in range(9)] == list(range(9))


@pytest.mark.parametrize("deterministic", [True, False])
def test_a_slow_element_holds_up_others_only_where_order_counts(deterministic):
    release = threading.Event()
    wait = lambda value: value if value or release.wait(20) else value
    options = tf.data.Options()
    options.experimental_deterministic = deterministic
    dataset = tf.data.Dataset.range(6).map(lambda x: tf.py_func(wait, [x], tf.int64), num_parallel_calls=2)
    element = tf.data.make_one_shot_iterator(dataset.with_options(options)).get_next()
    with tf.Session() as session:
        if deterministic:
            threading.Timer(0.2, release.set).start()
            assert [session.run(element) for _ in range(6)] == [0, 1, 2, 3, 4, 5]
        else:
            assert [session.run(element) for _ in range(5)] == [1, 2, 3, 4, 5]
            release.set()
            assert session.run(element) == 0
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(element)


def test_random_numbers_come_in_the_order_of_elements():
    make = lambda calls: tf.data.Dataset.range(30).map(
        lambda x: tf.random_uniform([50], seed=5)[0], num_parallel_calls=calls)
    assert all_of(lambda: make(4)) == all_of(lambda: make(None))


def test_the_later_form_of_a_parallel_map_keeps_the_order():
    mapped = tf.data.Dataset.range(5).map(lambda x: x * 2, num_parallel_calls=2)
    node = mapped._variant_tensor.op
    later = tf.raw_ops.ParallelMapDatasetV2(
        input_dataset=node.inputs[0], other_arguments=[], num_parallel_calls=np.int64(2), f=node.attrs["f"],
        output_types=node.attrs["output_types"], output_shapes=node.attrs["output_shapes"])
    with tf.Session() as session:
        found = as_dataset(session.run(later))
    assert isinstance(found, ParallelMap) and found.in_order


def test_a_dataset_in_two_places_has_seeds_in_each(session):
    shuffled = tf.data.Dataset.range(6).shuffle(4, seed=2)
    pairs = tf.data.make_one_shot_iterator(tf.data.Dataset.zip((shuffled, shuffled.take(6)))).get_next()
    assert all(len(set(session.run(pairs))) == 1 for _ in range(6))


def test_a_dataset_that_a_function_captured_stays_one(session):
    shuffled = tf.data.Dataset.range(6).shuffle(4, seed=2)
    element = tf.data.make_one_shot_iterator(tf.data.Dataset.range(2).flat_map(lambda _: shuffled)).get_next()
    assert [session.run(element) for _ in range(6)] != [session.run(element) for _ in range(6)]


def test_short_epochs_are_mapped_together(session, monkeypatch):
    calls, run = [], Vectorized.run
    monkeypatch.setattr(Vectorized, "run", lambda self, context, values, rows:
                        calls.append(rows) or run(self, context, values, rows))
    dataset = tf.data.Dataset.range(3).repeat(5).map(lambda x: x * 2).batch(4)
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    assert [session.run(element).tolist() for _ in range(2)] == [[0, 2, 4, 0], [2, 4, 0, 2]]
    assert set(calls) <= {4, 3} and calls[0] == 4


def test_large_elements_are_mapped_a_few_at_a_time(session):
    rows = np.arange(12.0).reshape(12, 1) + np.zeros([12, 40_000])
    dataset = tf.data.Dataset.from_tensor_slices(rows).map(lambda row: row * 2).batch(6)
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    for start in (0, 6):
        np.testing.assert_array_equal(session.run(element), rows[start:start + 6] * 2)
