"""tf.data.experimental and tf.contrib.data: what the recorded pipelines do not show."""

import importlib
import types

import numpy as np
import pytest

import evergraph as tf
from evergraph.formats import plain_values
from tests.harness.lmdb import lmdb_file

X, R = tf.data.experimental, tf.data.Dataset.range


def all_of(session, dataset, initializable=True):
    iterator = tf.data.make_initializable_iterator(dataset) if initializable else dataset.make_one_shot_iterator()
    element = iterator.get_next()
    if initializable:
        session.run(iterator.initializer)
    found = []
    try:
        while True:
            found.append(session.run(element))
    except tf.errors.OutOfRangeError:
        return found


def listed(session, dataset):
    return [value.tolist() for value in all_of(session, dataset)]


# ---- transformations


def test_epochs_of_shuffle_and_repeat(session):
    """What TensorFlow 1.15 gives; later versions draw new seeds for each epoch."""
    shuffled = R(7).apply(X.shuffle_and_repeat(4, 3, seed=11))
    assert listed(session, shuffled) == [3, 1, 0, 4, 2, 6, 5, 1, 0, 4, 6, 3, 2, 5, 3, 0, 1, 2, 6, 4, 5]
    forever = R(5).apply(X.shuffle_and_repeat(8, seed=12)).take(17)
    assert listed(session, forever) == [2, 0, 1, 4, 3, 4, 3, 1, 0, 2, 3, 2, 4, 0, 1, 1, 3]


def test_an_error_costs_a_batch_of_map_and_batch(session):
    dataset = R(6).apply(X.map_and_batch(lambda x: tf.check_numerics(1.0 / tf.cast(x - 1, tf.float32), "x"), 2))
    iterator = tf.data.make_initializable_iterator(dataset)
    element = iterator.get_next()
    session.run(iterator.initializer)
    with pytest.raises(tf.errors.InvalidArgumentError, match="x : Tensor had Inf"):
        session.run(element)
    assert session.run(element).tolist() == [1.0, 0.5]


def test_both_kinds_of_parallelism():
    with pytest.raises(ValueError, match="not both"):
        X.map_and_batch(lambda x: x, 2, num_parallel_batches=2, num_parallel_calls=2)


def test_an_error_has_a_turn_in_parallel_interleave(session):
    def inner(x):
        return tf.data.Dataset.from_tensors(x).repeat(tf.cast(tf.check_numerics(12.0 / tf.cast(x, tf.float32), "zero"),
                                                              tf.int64))
    dataset = tf.data.Dataset.from_tensor_slices(np.array([4, 0, 6], np.int64)).apply(
        X.parallel_interleave(inner, cycle_length=2))
    iterator = tf.data.make_initializable_iterator(dataset)
    element = iterator.get_next()
    session.run(iterator.initializer)
    assert session.run(element) == 4
    with pytest.raises(tf.errors.InvalidArgumentError, match="zero"):
        session.run(element)
    assert [int(session.run(element)) for _ in range(4)] == [4, 4, 6, 6]


@pytest.mark.parametrize("make, error, message", [
    (lambda: X.group_by_window(lambda x: x, lambda k, w: w, 2, lambda k: 2), ValueError, "either window_size"),
    (lambda: X.group_by_window(lambda x: "a", lambda k, w: w, 2), ValueError, "single tf.int64"),
    (lambda: X.group_by_window(lambda x: x, lambda k, w: k, 2), TypeError, "expected a tf.data.Dataset"),
    (lambda: X.bucket_by_sequence_length(tf.size, [3], [2]), ValueError, "len\\(bucket_boundaries\\)"),
    (lambda: X.scan(np.int64(0), lambda s, x: x), TypeError, "pair"),
    (lambda: X.scan(np.int64(0), lambda s, x: (tf.cast(x, tf.int32), x)), TypeError, "element types"),
    (lambda: X.take_while(lambda x: x), TypeError, "one tf.bool scalar"),
    (lambda: X.dense_to_sparse_batch(2, [-2]), ValueError, "-2"),
    (lambda: X.parse_example_dataset({"a": tf.io.VarLenFeature(tf.int64)}), TypeError, "vectors of strings"),
    (lambda: lambda d: X.choose_from_datasets([d, d], d.map(lambda x: tf.cast(x, tf.int32))), TypeError, "int64"),
    (lambda: lambda d: X.sample_from_datasets([d, d], [0.5]), ValueError, "vector of length"),
    (lambda: lambda d: X.sample_from_datasets([d, d], [1, 2]), TypeError, "float32"),
    (lambda: lambda d: X.sample_from_datasets([d, d.map(tf.as_string)], [1.0, 2.0]), TypeError, "same types"),
    (lambda: lambda d: d.map(tf.to_float).apply(X.unique()), TypeError, "tf.string"),
])
def test_what_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        R(5).apply(make())


def test_a_choice_out_of_range(session):
    with pytest.raises(tf.errors.InvalidArgumentError, match="index out of range: 2 >= 2"):
        all_of(session, X.choose_from_datasets([R(3), R(3)], R(3)))


def test_windows_of_no_size(session):
    dataset = R(3).apply(X.group_by_window(lambda x: x, lambda k, w: w, window_size=0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="greater than zero, but got 0"):
        all_of(session, dataset)


def test_distributions_that_need_no_choice(session):
    same = R(20).apply(X.rejection_resample(lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5], [0.5, 0.5]))
    assert [(int(c), int(x)) for c, x in all_of(session, same)] == [(x % 2, x) for x in range(20)]
    one = R(20).apply(X.rejection_resample(lambda x: tf.cast(x % 2, tf.int32), [0.0, 1.0], [0.5, 0.5]))
    assert [int(x) for _, x in all_of(session, one)] == list(range(1, 20, 2))


def test_ragged_batches(session):
    rows = R(1, 6).map(lambda n: (tf.fill([n % 3], n), n))
    batches = all_of(session, rows.apply(tf.compat.v2.data.experimental.dense_to_ragged_batch(2)))
    assert [ragged.to_list() for ragged, _ in batches] == [[[1], [2, 2]], [[], [4]], [[5, 5]]]
    assert [numbers.tolist() for _, numbers in batches] == [[1, 2], [3, 4], [5]]


def test_rows_of_sparse_and_ragged_elements(session):
    sparse = tf.SparseTensor([[0, 1], [2, 0]], [5, 6], [3, 2])
    ragged = tf.ragged.constant([[1, 2], [], [3]])
    rows = tf.data.Dataset.from_tensors((sparse, ragged, [7, 8, 9])).unbatch()
    found = all_of(session, rows.map(lambda s, r, n: (tf.sparse.to_dense(s), r, n)))
    assert [(dense.tolist(), row.tolist(), int(n)) for dense, row, n in found] == [
        ([0, 5], [1, 2], 7), ([0, 0], [], 8), ([6, 0], [3], 9)]
    with pytest.raises(ValueError):
        tf.data.Dataset.from_tensors(([1, 2], [1, 2, 3])).unbatch()


def test_errors_outside_of_windows(session):
    values = tf.data.Dataset.from_tensor_slices([1.0, np.nan, 2.0, np.nan, 3.0])
    windows = values.map(lambda x: tf.check_numerics(x, "x")).window(2, 2, 2, drop_remainder=True)
    assert listed(session, windows.flat_map(lambda window: window.batch(2))) == [[1.0, 2.0], [2.0, 3.0]]


def test_tensor_arrays_and_lists_of_datasets(session):
    arrays = R(3).map(lambda n: tf.TensorArray(tf.int64, size=2, element_shape=[]).unstack(tf.stack([n, n * n])))
    assert isinstance(arrays.element_spec, tf.TensorArraySpec)
    assert listed(session, arrays.map(lambda array: array.stack())) == [[0, 0], [1, 1], [2, 4]]
    datasets = tf.data.Dataset.from_tensor_slices([R(2), R(5, 7)]).flat_map(lambda dataset: dataset)
    assert listed(session, datasets) == [0, 1, 5, 6]


# ---- whole datasets


def test_cardinality(session):
    counts = [X.cardinality(d) for d in (R(7).batch(2), R(7).repeat(), R(7).filter(lambda x: x > 1), X.Counter(),
                                         X.RandomDataset(1), R(7).apply(X.scan(np.int64(0), lambda s, x: (s, x))))]
    assert session.run(counts) == [4, X.INFINITE_CARDINALITY, X.UNKNOWN_CARDINALITY, -1, -1, 7]


def test_the_single_element(session):
    assert session.run(X.get_single_element(R(4).batch(4))).tolist() == [0, 1, 2, 3]
    for dataset, message in ((R(0), "empty"), (R(2), "more than one")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(X.get_single_element(dataset))


def test_optionals(session):
    iterator = R(1).map(lambda x: {"x": x, "s": tf.SparseTensor([[0]], [x], [2])}).make_one_shot_iterator()
    optional = X.get_next_as_optional(iterator)
    have, value = optional.has_value(), optional.get_value()
    found = session.run([have, value["x"], value["s"]])
    assert found[0] and found[1] == 0 and found[2].dense_shape.tolist() == [2]
    assert not session.run(have)
    with pytest.raises(tf.errors.InvalidArgumentError, match="the optional is empty"):
        session.run(value["x"])
    none = X.Optional.none_from_structure(tf.TensorSpec([], tf.int64))
    assert not session.run(none.has_value())
    assert X.OptionalStructure(tf.TensorSpec([], tf.int64)).is_compatible_with(none)


def test_datasets_as_tensors(session):
    variant = X.to_variant(R(3))
    assert (variant.dtype, variant.shape) == (tf.variant, ())
    assert listed(session, X.from_variant(variant, tf.TensorSpec([], tf.int64))) == [0, 1, 2]
    assert X.TensorStructure(tf.int32, [2]) == tf.TensorSpec([2], tf.int32)
    assert X.SparseTensorStructure(tf.int32, [2]) == tf.SparseTensorSpec([2], tf.int32)
    assert X.TensorArrayStructure(tf.int32, [2], True, False) == tf.TensorArraySpec([2], tf.int32, True, False)


def test_written_records(session, tmp_path):
    path = str(tmp_path / "out")
    session.run(X.TFRecordWriter(path, "GZIP").write(tf.data.Dataset.from_tensor_slices(["a", "", "ccc"])))
    assert all_of(session, tf.data.TFRecordDataset(path, "GZIP")) == [b"a", b"", b"ccc"]
    for dataset in (R(3), tf.data.Dataset.from_tensors([["a"]]), "no dataset"):
        with pytest.raises(TypeError):
            X.TFRecordWriter(path).write(dataset)


# ---- measurements


def test_measurements(session):
    aggregator = X.StatsAggregator()
    options = tf.data.Options()
    options.experimental_stats.aggregator, options.experimental_stats.prefix = aggregator, "train"
    dataset = R(4).map(lambda x: tf.fill([x], x)).apply(X.bytes_produced_stats("bytes")).apply(X.latency_stats("us"))
    all_of(session, dataset.with_options(options))
    summary = tf.Summary.FromString(session.run(aggregator.get_summary()))
    assert {value.tag: value.histo.num for value in summary.value} == {"train::bytes": 4, "train::us": 4}
    assert summary.value[0].histo.sum == 8 * (1 + 2 + 3)
    assert len(all_of(session, dataset)) == 4  # nobody collects
    again = dataset.apply(tf.contrib.data.set_stats_aggregator(aggregator))
    assert len(all_of(session, again)) == 4
    assert [value.tag for value in tf.Summary.FromString(session.run(aggregator.get_summary())).value] == [
        "bytes", "train::bytes", "train::us", "us"]


# ---- files


def test_after_a_file_that_cannot_be_read(session, tmp_path):
    for name, records in (("a", [b"1", b"2"]), ("b", [b"3"])):
        with tf.io.TFRecordWriter(str(tmp_path / name)) as writer:
            for record in records:
                writer.write(record)
    content = bytearray((tmp_path / "a").read_bytes())
    content[-1] ^= 1
    (tmp_path / "a").write_bytes(content)
    names = [str(tmp_path / name) for name in ("a", "missing", "b")]
    assert all_of(session, tf.data.TFRecordDataset(names).apply(X.ignore_errors())) == [b"1", b"3"]


def test_databases_that_cannot_be_read(session, tmp_path):
    path = str(tmp_path / "data")
    for driver, query, error in (("mysql", "", tf.errors.InvalidArgumentError),
                                 ("sqlite", "SELECT * FROM nothing", tf.errors.UnknownError),
                                 ("sqlite", "SELECT 1, 2", tf.errors.InvalidArgumentError)):
        with pytest.raises(error):
            all_of(session, X.SqlDataset(driver, path, query, (tf.int32,)))
    assert all_of(session, X.SqlDataset("sqlite", path, "SELECT '12x', 'abc', NULL", (tf.int8, tf.string, tf.int64))) \
        == [(12, b"abc", 0)]


def test_columns_that_do_not_fit(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    path = str(tmp_path / "a.csv")
    for arguments in ({"label_name": "z"}, {"column_names": ["a", "a"]}, {"select_columns": ["z"]},
                      {"select_columns": [0, 5]}, {"column_defaults": [tf.int32]}, {"header": False}):
        with pytest.raises(ValueError):
            X.make_csv_dataset(path, 2, **arguments)
    with pytest.raises(ValueError, match="No files match"):
        X.make_csv_dataset(str(tmp_path / "none*"), 2)


def test_kinds_of_columns(tmp_path):
    (tmp_path / "a.csv").write_text("a,b,c,d,e\n1,3000000000,1.5,1e300,x\n,1,2,3,\n")
    kinds = tf.data.get_output_types(X.make_csv_dataset(str(tmp_path / "a.csv"), 2, num_epochs=1))
    assert list(kinds.values()) == [tf.int32, tf.int64, tf.float32, tf.float64, tf.string]


def test_lmdb_files(session, tmp_path):
    """TensorFlow 1.15 reads the same from this file."""
    pairs, big = [(b"%d" % i, b"v%d" % i) for i in range(4)], (b"9", bytes(range(250)) * 20)
    path = tmp_path / "data.mdb"
    path.write_bytes(lmdb_file(pairs, big))
    assert all_of(session, tf.contrib.data.LMDBDataset(str(path))) == [*pairs, big]
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(tf.errors.DataLossError):
        all_of(session, tf.contrib.data.LMDBDataset(str(path)))


# ---- iterators in checkpoints


def test_a_saved_iterator(tmp_path):
    dataset = R(20).shuffle(5, seed=1).map(lambda x: (x, tf.as_string(x))).batch(3).prefetch(2)
    iterator = tf.data.make_initializable_iterator(dataset)
    element = iterator.get_next()
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, X.make_saveable_from_iterator(iterator))
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(iterator.initializer)
        for _ in range(3):
            session.run(element)
        path = saver.save(session, str(tmp_path / "model"))
        wanted = [session.run(element)[1].tolist() for _ in range(3)]
    with tf.Session() as session:
        session.run(iterator.initializer)
        saver.restore(session, path)
        assert [session.run(element)[1].tolist() for _ in range(3)] == wanted


@pytest.mark.parametrize("one_shot", [True, False])
def test_training_goes_on_with_the_next_element(tmp_path, one_shot):
    config = types.SimpleNamespace(num_worker_replicas=1, save_checkpoints_secs=None, save_checkpoints_steps=2)
    estimator = types.SimpleNamespace(config=config, model_dir=str(tmp_path))

    def train(steps):
        with tf.Graph().as_default():
            step = tf.train.get_or_create_global_step()
            iterator = R(100).make_one_shot_iterator() if one_shot else R(100).make_initializable_iterator()
            if not one_shot:
                tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
            element, count = iterator.get_next(), tf.assign_add(step, 1)
            hooks = [X.CheckpointInputPipelineHook(estimator)]
            with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), hooks=hooks) as session:
                return [int(session.run([element, count])[0]) for _ in range(steps)]

    assert train(3) == [0, 1, 2]
    assert train(2) == [3, 4]
    assert (tmp_path / "checkpoint_input").exists()


def test_a_graph_without_iterators(tmp_path):
    config = types.SimpleNamespace(num_worker_replicas=1, save_checkpoints_secs=60, save_checkpoints_steps=None)
    hook = X.CheckpointInputPipelineHook(types.SimpleNamespace(config=config, model_dir=str(tmp_path)))
    with pytest.raises(ValueError, match="no iterators"):
        hook.begin()


def test_plain_values_as_bytes():
    value = {"a": (1, 2.5, None, True, "text", b"\x00"), 3: [np.arange(3), np.float32(2), np.array([b"x", b"yy"])],
             "s": {1, 2}, "o": np.array([None, (1, 2)], object), "e": tf.errors.DataLossError(None, None, "lost")}
    found = plain_values.decoded(plain_values.encoded(value))
    assert (found["a"], found["s"], found["o"].tolist()) == (value["a"], value["s"], value["o"].tolist())
    assert [each.tolist() for each in found[3]] == [[0, 1, 2], 2.0, [b"x", b"yy"]] and found[3][1].dtype == np.float32
    assert isinstance(found["e"], tf.errors.DataLossError) and found["e"].message == "lost"
    with pytest.raises(tf.errors.UnimplementedError, match="SimpleNamespace"):
        plain_values.encoded([types.SimpleNamespace()])
    for damaged in (b"", b"no message", plain_values.encoded(1)[:-1]):
        with pytest.raises(tf.errors.DataLossError):
            plain_values.decoded(damaged)


# ---- contrib


def test_contrib(session):
    C = tf.contrib.data
    assert listed(session, R(5).apply(C.batch_and_drop_remainder(2))) == [[0, 1], [2, 3]]
    padded = R(1, 4).map(lambda n: tf.fill([n], n)).apply(C.padded_batch_and_drop_remainder(2, [None]))
    assert listed(session, padded) == [[[1, 0], [2, 2]]]
    assert listed(session, R(6).apply(C.sliding_window_batch(3, window_shift=2))) == [[0, 1, 2], [2, 3, 4]]
    total = C.Reducer(lambda key: key, lambda total, x: total + x, lambda total: total * 10)
    assert session.run(C.reduce_dataset(R(5), total)) == 100
    assert listed(session, R(2).apply(C.sloppy_interleave(lambda x: R(x + 1), 2))) == [0, 0, 1]
    shaped = R(3).map(lambda x: tf.py_func(lambda n: np.zeros(n), [x + 1], tf.float64)).apply(
        C.assert_element_shape(tf.TensorShape([1])))
    assert shaped.output_shapes == [1]
    with pytest.raises(tf.errors.InvalidArgumentError):
        all_of(session, shaped)
    with pytest.raises(ValueError):
        R(3).apply(C.assert_element_shape(tf.TensorShape([1])))


def test_a_thread_pool_sets_the_options_for_threads():
    importlib.import_module("evergraph.as_tensorflow")  # which makes the next import find evergraph
    from tensorflow.contrib.data.python.ops import threadpool

    pool = threadpool.PrivateThreadPool(3, display_name="input")
    dataset = threadpool.override_threadpool(tf.data.Dataset.range(2), pool)
    threads = dataset.options().experimental_threading
    assert (threads.private_threadpool_size, threads.max_intra_op_parallelism) == (3, 1)


def test_padded_to_sizes_that_are_tensors(session):
    size = tf.placeholder_with_default(tf.constant(3), [])
    rows = tf.data.Dataset.range(3).map(lambda n: (tf.fill([n], n), n)).padded_batch(3, ([size], []))
    iterator = tf.data.make_initializable_iterator(rows)
    session.run(iterator.initializer, {size: 4})
    found, _ = session.run(iterator.get_next())
    assert found.tolist() == [[0, 0, 0, 0], [1, 0, 0, 0], [2, 2, 0, 0]]
