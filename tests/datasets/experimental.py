"""Pipelines with what tf.data.experimental has: each makes a dataset, given the library and an empty folder."""

import gzip
import sqlite3

import numpy as np

TABLE = b'x,y,label\n1.5,2,red\n-3,,"dark ""blue"""\n0.25,7,"two\nlines"\n8,9,green\n'
LONG = {f"part{start}.csv": b"n,word\n" + b"".join(b"%d,w%d\n" % (i, i % 3) for i in range(start, start + 5))
        for start in (0, 10, 20)}


def folder_with(folder, files):
    """Writes files, by name, and returns their paths."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [str(folder / name) for name in files]


def numbers(tf, *arguments):
    return tf.data.Dataset.range(*arguments)


def lengths(tf, *sizes):
    """Vectors of these lengths, with their lengths as elements."""
    return tf.data.Dataset.from_tensor_slices(np.array(sizes)).map(lambda n: tf.fill([n], n))


def bucketed(tf, **options):
    rows = lengths(tf, 2, 5, 1, 4, 3, 2, 7, 1, 6)
    return rows.apply(tf.data.experimental.bucket_by_sequence_length(tf.size, [3, 6], [2, 2, 2], **options))


def sums(tf):
    """Sums and counts of numbers by their remainder."""
    reducer = tf.data.experimental.Reducer(
        lambda key: (key * 0, key * 0), lambda state, x: (state[0] + x, state[1] + 1),
        lambda total, count: {"total": total, "count": count})
    return numbers(tf, 10).apply(tf.data.experimental.group_by_reducer(lambda x: 2 - x % 3, reducer))


def database(tf, folder):
    path = str(folder / "people.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (name TEXT, age INTEGER, height REAL, member INTEGER)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)",
                               [("Ann", 31, 1.7, 1), ("Bo", 25, 1.85, 0), ("Cy", 47, 1.6, 1), ("Di", 18, 1.65, 0)])
    connection.close()
    return tf.data.experimental.SqlDataset("sqlite", path, "SELECT * FROM people ORDER BY age",
                                           (tf.string, tf.int32, tf.float64, tf.bool))


def serialized(tf, folder, counts=(7,)):
    """Files of Examples."""
    paths = []
    for number, count in enumerate(counts):
        paths.append(str(folder / f"examples{number}"))
        with tf.io.TFRecordWriter(paths[-1]) as writer:
            for i in range(count):
                feature = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=[i, number])),
                           "words": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"w%d" % i] * (i % 3))),
                           "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[i * i]))}
                writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    return paths


def features(tf):
    return {"x": tf.io.FixedLenFeature([2], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64),
            "words": tf.io.VarLenFeature(tf.string), "other": tf.io.FixedLenFeature([], tf.int64, default_value=-1)}


def flat(dataset, tf):
    """The elements with the parts of sparse tensors in place of sparse tensors."""
    return dataset.map(lambda row: {key: (row[key].indices, row[key].values, row[key].dense_shape)
                                    if isinstance(row[key], tf.SparseTensor) else row[key] for key in row})


def examples_of_files(tf, folder, **options):
    paths = serialized(tf, folder, (5, 0, 4))
    return flat(tf.data.experimental.make_batched_features_dataset(paths, 3, features(tf), **options), tf)


def resampled(tf, **options):
    classes = numbers(tf, 50).repeat().map(lambda x: (x, tf.cast(x % 10 < 2, tf.int32)))
    chosen = classes.apply(tf.data.experimental.rejection_resample(lambda x, y: y, [0.5, 0.5], seed=5, **options))
    return chosen.take(30)


def optionals(tf):
    """Elements as optionals, every third absent."""
    def optional(x):
        present = tf.data.experimental.Optional.from_value((x, tf.as_string(x)))
        return present.get_value() + (present.has_value(),)
    return numbers(tf, 5).map(optional)


def broken(tf):
    return tf.data.Dataset.from_tensor_slices(["1", "x", "3", "", "5"]).map(lambda text: tf.string_to_number(text))


PROGRAMS = {
    # ---- batches
    "map_and_batch": lambda tf, folder: numbers(tf, 10).apply(
        tf.data.experimental.map_and_batch(lambda x: (x * x, tf.as_string(x)), 4)),
    "map_and_batch_drops": lambda tf, folder: numbers(tf, 10).apply(
        tf.data.experimental.map_and_batch(lambda x: -x, 4, num_parallel_batches=2, drop_remainder=True)),
    "map_and_batch_calls": lambda tf, folder: numbers(tf, 9).repeat(2).apply(
        tf.data.experimental.map_and_batch(lambda x: {"x": x, "y": x / 2}, 5, num_parallel_calls=3)),
    "dense_to_sparse_batch": lambda tf, folder: lengths(tf, 2, 0, 4, 1, 3).apply(
        tf.data.experimental.dense_to_sparse_batch(2, [6])),
    "dense_to_sparse_batch_unknown": lambda tf, folder: lengths(tf, 2, 4, 1).map(
        lambda row: tf.tile(row[:, None], [1, 2])).apply(tf.data.experimental.dense_to_sparse_batch(2, [None, 3])),
    "unbatch_applied": lambda tf, folder: numbers(tf, 7).batch(3).apply(tf.data.experimental.unbatch()),
    # ---- groups
    "group_by_window": lambda tf, folder: numbers(tf, 12).apply(tf.data.experimental.group_by_window(
        lambda x: x % 3, lambda key, window: window.batch(2), window_size=3)),
    "group_by_window_sizes": lambda tf, folder: numbers(tf, 12).map(lambda x: (x, x * x)).apply(
        tf.data.experimental.group_by_window(
            lambda x, square: x % 2, lambda key, window: window.map(lambda x, square: (key, square)),
            window_size_func=lambda key: (key + 1) * 2)),
    "group_by_window_negative": lambda tf, folder: numbers(tf, 7).apply(tf.data.experimental.group_by_window(
        lambda x: -(x % 2), lambda key, window: window.repeat(2), window_size=4)),
    "group_by_reducer": lambda tf, folder: sums(tf),
    "group_by_reducer_of_groups": lambda tf, folder: sums(tf).repeat(2).map(lambda row: row["total"]),
    "bucket_by_sequence_length": lambda tf, folder: bucketed(tf),
    "bucket_to_boundary": lambda tf, folder: lengths(tf, 2, 5, 1, 4, 3).apply(
        tf.data.experimental.bucket_by_sequence_length(tf.size, [3, 6], [2, 2, 2], pad_to_bucket_boundary=True)),
    "bucket_with_padding": lambda tf, folder: bucketed(tf, padded_shapes=[None], padding_values=np.int64(-1)),
    "bucket_drops": lambda tf, folder: bucketed(tf, drop_remainder=True),
    "bucket_without_padding": lambda tf, folder: numbers(tf, 8).apply(
        tf.data.experimental.bucket_by_sequence_length(lambda x: tf.cast(x, tf.int32), [4], [3, 2], no_padding=True)),
    # ---- several datasets
    "choose_from_datasets": lambda tf, folder: tf.data.experimental.choose_from_datasets(
        [numbers(tf, 3), numbers(tf, 10, 15), numbers(tf, 20, 22)],
        tf.data.Dataset.from_tensor_slices(np.array([1, 0, 2, 1, 1, 2, 2, 0, 1, 0, 0, 1], np.int64))),
    "sample_from_datasets": lambda tf, folder: tf.data.experimental.sample_from_datasets(
        [numbers(tf, 10), numbers(tf, 100, 120)], [0.3, 0.7], seed=4),
    "sample_equally": lambda tf, folder: tf.data.experimental.sample_from_datasets(
        [numbers(tf, 5), numbers(tf, 10, 15), numbers(tf, 20, 25)], seed=1).repeat(2),
    "sample_by_dataset": lambda tf, folder: tf.data.experimental.sample_from_datasets(
        [numbers(tf, 10), numbers(tf, 100, 110)],
        tf.data.Dataset.from_tensor_slices([[0.9, 0.1], [0.1, 0.9]]).repeat(), seed=2),
    "parallel_interleave": lambda tf, folder: numbers(tf, 1, 7).apply(tf.data.experimental.parallel_interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(x), cycle_length=3, block_length=2)),
    "parallel_interleave_one": lambda tf, folder: numbers(tf, 5).apply(tf.data.experimental.parallel_interleave(
        lambda x: numbers(tf, x), cycle_length=1, buffer_output_elements=1, prefetch_input_elements=0)),
    "rejection_resample": lambda tf, folder: resampled(tf, initial_dist=[0.8, 0.2]),
    "rejection_resample_estimated": lambda tf, folder: resampled(tf),
    # ---- one after another
    "scan": lambda tf, folder: numbers(tf, 6).apply(tf.data.experimental.scan(
        np.int64(0), lambda total, x: (total + x, {"sum": total + x, "x": x}))),
    "scan_pair": lambda tf, folder: numbers(tf, 8).apply(tf.data.experimental.scan(
        (np.int64(0), np.int64(1)), lambda state, _: ((state[1], state[0] + state[1]), state[0]))),
    "scan_grows": lambda tf, folder: numbers(tf, 4).apply(tf.data.experimental.scan(
        tf.constant([0], tf.int64), lambda state, x: (tf.concat([state, [x]], 0), tf.reduce_sum(state)))),
    "take_while": lambda tf, folder: numbers(tf, 10).apply(tf.data.experimental.take_while(lambda x: x * x < 20)),
    "take_while_then_repeat": lambda tf, folder: numbers(tf, 10).apply(
        tf.data.experimental.take_while(lambda x: x < 3)).repeat(2),
    "unique": lambda tf, folder: tf.data.Dataset.from_tensor_slices([3, 1, 3, 2, 1, 5, 3]).apply(
        tf.data.experimental.unique()),
    "unique_words": lambda tf, folder: tf.data.Dataset.from_tensor_slices(["b", "a", "b", "", "a", ""]).apply(
        tf.data.experimental.unique()),
    "ignore_errors": lambda tf, folder: broken(tf).apply(tf.data.experimental.ignore_errors()),
    "ignore_errors_in_batches": lambda tf, folder: broken(tf).apply(tf.data.experimental.ignore_errors()).batch(2),
    "enumerate_dataset": lambda tf, folder: numbers(tf, 3).apply(tf.data.experimental.enumerate_dataset(7)),
    "shuffle_and_repeat": lambda tf, folder: numbers(tf, 7).apply(
        tf.data.experimental.shuffle_and_repeat(4, 1, seed=11)),
    "shuffle_and_repeat_forever": lambda tf, folder: numbers(tf, 9).apply(
        tf.data.experimental.shuffle_and_repeat(20, seed=12)).take(9),
    "counter": lambda tf, folder: tf.data.experimental.Counter(10, -3).take(6),
    "counter_float": lambda tf, folder: tf.data.experimental.Counter(0.5, 0.25, tf.float32).take(4),
    "random": lambda tf, folder: tf.data.experimental.RandomDataset(7).take(6).repeat(2),
    "optional": lambda tf, folder: optionals(tf),
    "ragged_rows": lambda tf, folder: lengths(tf, 2, 0, 3, 1).padded_batch(2, [None]).map(
        lambda rows: tf.RaggedTensor.from_tensor(rows, padding=np.int64(0)).row_lengths()),
    "prefetch_to_device": lambda tf, folder: numbers(tf, 5).apply(
        tf.data.experimental.prefetch_to_device("/cpu:0", 2)),
    "copy_to_device": lambda tf, folder: numbers(tf, 5).apply(tf.data.experimental.copy_to_device("/cpu:0")).batch(2),
    # ---- files
    "csv_dataset": lambda tf, folder: tf.data.experimental.CsvDataset(
        folder_with(folder, {"data.csv": TABLE}), [tf.float32, [-1], tf.string], header=True),
    "csv_dataset_columns": lambda tf, folder: tf.data.experimental.CsvDataset(
        folder_with(folder, LONG), [[""]], header=True, select_cols=[1], buffer_size=7).repeat(2),
    "csv_dataset_gzip": lambda tf, folder: tf.data.experimental.CsvDataset(
        folder_with(folder, {"data.csv": gzip.compress(b"1;a\n2;?\n")}), [tf.int64, ["none"]],
        compression_type="GZIP", field_delim=";", na_value="?"),
    "make_csv_dataset": lambda tf, folder: tf.data.experimental.make_csv_dataset(
        folder_with(folder, LONG), 4, num_epochs=1, shuffle=False),
    "make_csv_dataset_shuffled": lambda tf, folder: tf.data.experimental.make_csv_dataset(
        folder_with(folder, LONG), 3, label_name="word", num_epochs=1, shuffle_buffer_size=6, shuffle_seed=3),
    "make_csv_dataset_selected": lambda tf, folder: tf.data.experimental.make_csv_dataset(
        folder_with(folder, LONG), 4, column_names=["a", "b"], column_defaults=[tf.int64], select_columns=["a"],
        num_epochs=1, shuffle=False, num_parallel_reads=2),
    "sql_dataset": database,
    "parse_example_dataset": lambda tf, folder: flat(tf.data.TFRecordDataset(serialized(tf, folder)).batch(3).apply(
        tf.data.experimental.parse_example_dataset(features(tf))), tf),
    "parse_example_dataset_parallel": lambda tf, folder: flat(
        tf.data.TFRecordDataset(serialized(tf, folder)).batch(2).apply(
            tf.data.experimental.parse_example_dataset(features(tf), num_parallel_calls=2)), tf),
    "make_batched_features_dataset": lambda tf, folder: examples_of_files(tf, folder, num_epochs=1, shuffle=False),
    "make_batched_features_shuffled": lambda tf, folder: examples_of_files(
        tf, folder, num_epochs=1, shuffle_buffer_size=4, shuffle_seed=2, drop_final_batch=True),
}
