"""tf.lookup and tf.contrib.lookup: tables in programs, their names, their errors, their checkpoints."""

import numpy as np
import pytest

import evergraph as tf

WHOLE_LINE, LINE_NUMBER = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes(b"brain\nsalad\nsurgery\n")
    return str(path)


def filled(*fetches):
    """What the fetches are once every table is filled."""
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        return session.run(list(fetches))


def letters(default=-1):
    initializer = tf.lookup.KeyValueTensorInitializer(["a", "b"], [10, 20], value_dtype=tf.int64)
    return tf.lookup.StaticHashTable(initializer, default)


def test_lookup_of_tensors():
    table = letters()
    found = table.lookup(tf.constant([["a", "x"], ["b", "a"]]))
    assert found.shape == (2, 2)
    np.testing.assert_array_equal(filled(found)[0], [[10, -1], [20, 10]])
    assert filled(table.size()) == [2]


def test_lookup_of_sparse_tensors():
    found = letters().lookup(tf.SparseTensor([[0, 1], [2, 0]], ["b", "?"], [3, 2]))
    values = filled(found)[0]
    np.testing.assert_array_equal(values.indices, [[0, 1], [2, 0]])
    np.testing.assert_array_equal(values.values, [20, -1])


def test_export():
    keys, values = letters().export()
    keys, values = filled(keys, values)
    assert dict(zip(keys, values)) == {b"a": 10, b"b": 20}


def test_names_are_tensorflows(graph, words):
    letters().lookup(tf.constant(["a"]), name=None)
    tf.contrib.lookup.index_table_from_file(words, num_oov_buckets=2).lookup(tf.constant(["a"]))
    made = {node.name for node in graph.as_graph_def().node}
    assert {"keys", "hash_table", "key_value_init/LookupTableImportV2", "hash_table_Lookup/LookupTableFindV2",
            "string_to_index/hash_table/hash_table", "string_to_index/hash_table/asset_path",
            "string_to_index/hash_table/table_init/InitializeTableFromTextFileV2",
            "hash_table_Lookup_1/hash_bucket", "hash_table_Lookup_1/hash_table_Lookup/LookupTableFindV2",
            "hash_table_Lookup_1/hash_table_Size/LookupTableSizeV2", "hash_table_Lookup_1/SelectV2"} <= made


def test_files_are_assets(graph, words):
    tf.contrib.lookup.index_to_string_table_from_file(words)
    assert [a.name for a in graph.get_collection(tf.GraphKeys.ASSET_FILEPATHS)] == ["index_to_string/asset_path:0"]
    assert len(graph.get_collection(tf.GraphKeys.TABLE_INITIALIZERS)) == 1


def test_not_initialized():
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError, match="hash_table"):
        session.run(letters().lookup(tf.constant(["a"])))


def test_each_session_has_its_own():
    found = letters().lookup(tf.constant(["a"]))
    assert filled(found) == [[10]]
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError):
        session.run(found)


def test_keys_of_another_type():
    with pytest.raises(TypeError, match="string keys, asked for int32"):
        letters().lookup(tf.constant([1]))


def test_default_must_be_a_scalar():
    with pytest.raises(ValueError):
        letters([1, 2])


# ---- files


def text_table(path, key=WHOLE_LINE, value=LINE_NUMBER, key_dtype=tf.string, value_dtype=tf.int64, default=-1, **more):
    return tf.lookup.StaticHashTable(
        tf.lookup.TextFileInitializer(str(path), key_dtype, key, value_dtype, value, **more), default)


@pytest.mark.parametrize("content, form, wanted", [
    (b"a\nb\r\nc", {}, {b"a": 0, b"b": 1, b"c": 2}),
    (b"a\nb\nc\n", {"vocab_size": 2}, {b"a": 0, b"b": 1}),
    (b"x\ta\t7\ny\tb\t8\n", {"key": 1, "value": 2}, {b"a": 7, b"b": 8}),
    (b"a 1.5\nb 2\n", {"key": 0, "value": 1, "value_dtype": tf.float32, "delimiter": " "}, {b"a": 1.5, b"b": 2.0}),
    (b"a\nb\n", {"key": LINE_NUMBER, "value": WHOLE_LINE, "key_dtype": tf.int64, "value_dtype": tf.string,
                 "default": "?"}, {0: b"a", 1: b"b"}),
    (b"4\n5\n", {"key_dtype": tf.int64}, {4: 0, 5: 1}),
])
def test_text_files(tmp_path, content, form, wanted):
    path = tmp_path / "table.txt"
    path.write_bytes(content)
    keys, values = filled(*text_table(path, **form).export())
    assert dict(zip(keys.tolist(), values.tolist())) == wanted


@pytest.mark.parametrize("content, form, error", [
    (b"", {}, tf.errors.OutOfRangeError),
    (b"a\n\nb\n", {}, tf.errors.InvalidArgumentError),
    (b"a\nb\n\n", {}, tf.errors.InvalidArgumentError),
    (b"a\nb\n", {"vocab_size": 5}, tf.errors.InvalidArgumentError),
    (b"x\ta\t1\ny\tb\n", {"key": 1, "value": 2}, tf.errors.InvalidArgumentError),
    (b"a\tq\n", {"key": 0, "value": 1}, tf.errors.InvalidArgumentError),
    (b"a\ta\n", {"key": 0, "value": 1, "value_dtype": tf.float32}, tf.errors.InvalidArgumentError),
    (b"a\t99999999999\n", {"key": 0, "value": 1, "value_dtype": tf.int32}, tf.errors.InvalidArgumentError),
    (b"a\na\n", {}, tf.errors.FailedPreconditionError),
])
def test_bad_text_files(tmp_path, content, form, error):
    path = tmp_path / "table.txt"
    path.write_bytes(content)
    text_table(path, **form)
    with pytest.raises(error):
        filled()


def test_missing_text_file(tmp_path):
    text_table(tmp_path / "none.txt")
    with pytest.raises(tf.errors.NotFoundError):
        filled()


@pytest.mark.parametrize("form", [
    {"key": -3}, {"key": LINE_NUMBER}, {"value_dtype": tf.string}, {"key_dtype": tf.float32}, {"vocab_size": 0}])
def test_refused_columns(words, form):
    with pytest.raises(ValueError):
        text_table(words, **form)


def test_two_tables_of_one_file_are_one(words):
    first, second = text_table(words), text_table(words)
    with tf.Session() as session:
        session.run(first.initializer)
        assert session.run(second.lookup(tf.constant(["salad"]))) == [1]


# ---- words and ids


def test_words_in_buckets(words):
    table = tf.contrib.lookup.index_table_from_file(words, num_oov_buckets=3)
    unknown = tf.constant(["tank", "tarkus"])
    ids, buckets, size = filled(table.lookup(tf.constant(["surgery", "tank", "tarkus"])),
                                tf.strings.to_hash_bucket_fast(unknown, 3), table.size())
    assert ids.tolist() == [2, *(buckets + 3)]
    assert size == 6


def test_strong_buckets():
    table = tf.contrib.lookup.IdTableWithHashBuckets(None, 5, tf.contrib.lookup.StrongHashSpec([3, 4]))
    ids, wanted = filled(table.lookup(tf.constant(["x"])),
                         tf.strings.to_hash_bucket_strong(tf.constant(["x"]), 5, [3, 4]))
    assert ids == wanted


def test_integers_in_buckets():
    table = tf.contrib.lookup.index_table_from_tensor(np.array([42, 7]), num_oov_buckets=1, dtype=tf.int32)
    assert filled(table.lookup(tf.constant([7, 42, 9])))[0].tolist() == [1, 0, 2]


def test_static_vocabulary(words):
    initializer = tf.lookup.TextFileInitializer(words, tf.string, WHOLE_LINE, tf.int64, LINE_NUMBER)
    table = tf.lookup.StaticVocabularyTable(initializer, 1)
    assert filled(table.lookup(tf.constant(["salad", "tank"])), table.size())[0].tolist() == [1, 3]


def test_ids_to_words(words):
    table = tf.contrib.lookup.index_to_string_table_from_file(words, default_value="none")
    assert filled(table.lookup(tf.constant([2, 9], tf.int64)))[0].tolist() == [b"surgery", b"none"]
    there = tf.contrib.lookup.index_to_string_table_from_tensor(["x", "y"])
    assert filled(there.lookup(tf.constant([1, 2], tf.int64)))[0].tolist() == [b"y", b"UNK"]


@pytest.mark.parametrize("error, make", [
    (ValueError, lambda: tf.lookup.StaticVocabularyTable(None, 0)),
    (TypeError, lambda: tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(["a"], [1.0]), 1)),
    (ValueError, lambda: tf.contrib.lookup.index_table_from_file("")),
    (ValueError, lambda: tf.contrib.lookup.index_table_from_file("f", num_oov_buckets=-1)),
    (TypeError, lambda: tf.contrib.lookup.index_table_from_file("f", key_dtype=tf.float32)),
    (TypeError, lambda: tf.contrib.lookup.index_table_from_file("f", num_oov_buckets=1, hasher_spec=None)),
    (ValueError, lambda: tf.contrib.lookup.index_table_from_tensor(["a"], dtype=tf.int64)),
    (ValueError, lambda: tf.contrib.lookup.StrongHashSpec([1])),
    (TypeError, lambda: tf.contrib.lookup.StrongHashSpec([1.0, "x"])),
    (ValueError, lambda: tf.contrib.lookup.IdTableWithHashBuckets(None, 0)),
])
def test_refused_tables(error, make):
    with pytest.raises(error):
        make()


# ---- tables that steps fill


def test_mutable_table_in_steps():
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
    word, number = tf.placeholder(tf.string, [None]), tf.placeholder(tf.int64, [None])
    insert, remove, find = table.insert(word, number), table.remove(word), table.lookup(word)
    with tf.Session() as session:
        session.run(insert, {word: ["a", "b"], number: [1, 2]})
        session.run(insert, {word: ["a"], number: [5]})
        assert session.run(find, {word: ["a", "b", "c"]}).tolist() == [5, 2, -1]
        session.run(remove, {word: ["a", "zzz"]})
        assert session.run([find, table.size()], {word: ["a"]}) == [[-1], 1]


def make_tables():
    return (tf.contrib.lookup.MutableHashTable(tf.string, tf.float32, [0.0, 0.0], name="pairs"),
            tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, 0, -2, initial_num_buckets=4, name="dense"))


def test_checkpoints_hold_tables(tmp_path):
    pairs, dense = make_tables()
    with tf.Session() as session:
        session.run([pairs.insert(["x", "y"], [[1.0, 2.0], [3.0, 4.0]]), dense.insert(np.arange(5, 15), np.arange(10))])
        prefix = tf.train.Saver().save(session, str(tmp_path / "tables"))
    saved = [name for name, _ in tf.train.list_variables(prefix)]
    assert saved == ["dense-keys", "dense-values", "pairs-keys", "pairs-values"]
    with tf.Graph().as_default(), tf.Session() as session:
        pairs, dense = make_tables()
        session.run(dense.insert(np.array([77]), np.array([7])))
        tf.train.Saver().restore(session, prefix)
        assert session.run(pairs.lookup(tf.constant(["y", "z"]))).tolist() == [[3, 4], [0, 0]]
        assert session.run(dense.lookup(np.array([5, 14, 77]))).tolist() == [0, 9, -1]


def test_checkpoints_name_tables_without_their_name_scope(graph):
    with tf.name_scope("scope"):
        table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.float32, 0.0, -1, -2, name="table")
    saveable, = graph.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)
    assert (table.resource_handle.op.name, saveable.name) == ("scope/table", "table")
    assert [spec.name for spec in saveable.specs] == ["table-keys", "table-values"]


def test_tables_are_left_out_of_checkpoints_on_request(graph):
    tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, checkpoint=False)
    assert not graph.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)


def test_dense_table_grows():
    table = tf.contrib.lookup.MutableDenseHashTable(tf.int64, tf.int64, -1, 0, -1, initial_num_buckets=4)
    keys = np.arange(1, 1000)
    with tf.Session() as session:
        session.run(table.insert(keys, keys * 2))
        assert session.run(table.lookup(keys)).tolist() == (keys * 2).tolist()
        buckets, _ = session.run(table.export())
        assert len(buckets) == 2048


def test_dense_tables_export_and_restore_their_buckets(tmp_path):
    make = lambda buckets: tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.int64, -1, 100, 200, initial_num_buckets=buckets, name="dense")
    with tf.Session() as session:
        table = make(8)
        session.run(table.insert(np.array([11, 12, 13, 14]), np.array([1, 2, 3, 4])))
        session.run(table.remove(np.array([12, 15])))
        wanted = [(11, 1), (13, 3), (14, 4), *[(100, 0)] * 4, (200, 2)]
        assert sorted(zip(*(x.ravel() for x in session.run(table.export())))) == wanted
        path = tf.train.Checkpoint(table=table).save(tmp_path / "c")
        session.run(table.insert(np.array([15]), np.array([5])))
        for wrong in (table.insert(np.array([[1, 2]]), np.array([[1, 2]])), table.lookup(np.array([[1, 2]]))):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Expected key shape"):
                session.run(wrong)
    with tf.Graph().as_default(), tf.Session() as session:
        table = make(32)
        session.run(table.insert(np.array([99]), np.array([9])))
        tf.train.Checkpoint(table=table).restore(path).run_restore_ops()
        assert session.run(table.size()) == 3
        assert sorted(zip(*(x.ravel() for x in session.run(table.export())))) == wanted
        session.run(table.insert(np.array([12]), np.array([6])))
        assert session.run(table.lookup(np.array([11, 12, 99]))).tolist() == [1, 6, -1]


def test_keys_of_another_dtype():
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
    for wrong in (lambda: table.lookup(tf.constant([1])), lambda: table.insert(tf.constant([1]), tf.constant([2])),
                  lambda: table.insert(["a"], tf.constant(["b"]))):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        table.remove(tf.constant([1]))


def test_tables_of_loops_live_outside():
    keys, values = tf.constant([1, 2]), tf.constant([5, 10])

    def row(key):
        filled = tf.lookup.KeyValueTensorInitializer(keys, values)
        return tf.lookup.StaticHashTable(filled, -1).lookup(key)

    found = tf.map_fn(row, np.array([2, 4, 1], np.int32))
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        assert session.run(found).tolist() == [10, -1, 5]


# The dtypes of values by those of keys, as TensorFlow's kernels are: asked of TensorFlow 2.15.
STATIC = {"int32": "int32 float32 float64 string", "int64": "int32 int64 float32 float64 string",
          "string": "int32 int64 float32 float64 string bool", "float32": "", "bool": ""}
OF_TENSORS = {**STATIC, "int32": "int32 float32 float64", "string": "int32 int64 float32 float64 bool"}
MUTABLE = {**OF_TENSORS, "int64": "int32 int64 float32 float64 string variant"}
OPEN = {**OF_TENSORS, "int64": "int32 int64 float32 float64 bool variant",
        "string": "int32 int64 float32 float64 bool resource"}


@pytest.mark.parametrize("make, kinds", [
    (lambda key, value: tf.raw_ops.HashTableV2(key_dtype=key, value_dtype=value), STATIC),
    (lambda key, value: tf.raw_ops.MutableHashTableV2(key_dtype=key, value_dtype=value), MUTABLE),
    (lambda key, value: tf.raw_ops.MutableHashTableOfTensorsV2(key_dtype=key, value_dtype=value, value_shape=[2]),
     OF_TENSORS),
    (lambda key, value: tf.raw_ops.MutableDenseHashTableV2(
        empty_key=tf.zeros([], key), deleted_key=tf.as_string(7) if key == tf.string else tf.ones([], key),
        value_dtype=value), {key: values for key, values in OPEN.items() if key != "bool"}),
], ids=["static", "mutable", "of tensors", "open"])
def test_what_tables_map(make, kinds, session):
    for key, values in kinds.items():
        for value in ("int32", "int64", "float32", "float64", "string", "bool", "variant", "resource"):
            handle = make(tf.as_dtype(key), tf.as_dtype(value))
            if value in values.split():
                session.run(handle.op)
            else:
                with pytest.raises(tf.errors.InvalidArgumentError, match=f"maps no {key} to {value}"):
                    session.run(handle.op)
