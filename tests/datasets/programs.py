"""Pipelines that run in TensorFlow and in evergraph: each makes a dataset, given the library and an empty folder."""

import gzip
import zlib

import numpy as np

from tests.datasets import experimental

WORDS = ["a", "bb", "ccc", "dddd", "", "ffffff"]


def folder_with(folder, files):
    """Writes files, by name, and returns their paths."""
    paths = []
    for name, content in files.items():
        (folder / name).write_bytes(content)
        paths.append(str(folder / name))
    return paths


def records(tf, folder, counts, compression=None):
    """TFRecord files with so many records each."""
    paths = []
    for number, count in enumerate(counts):
        paths.append(str(folder / f"records{number}"))
        options = tf.io.TFRecordOptions(compression) if compression else None
        with tf.io.TFRecordWriter(paths[-1], options) as writer:
            for i in range(count):
                writer.write(b"%d/%d" % (number, i))
    return paths


LINES = {"one.txt": b"first\nsecond\r\n\nlast", "two.txt": b"alone\n", "three.txt": b""}
BODIES = {"one.bin": b"HH" + b"abcdefgh" + b"F", "two.bin": b"HH" + b"ijkl" + b"F"}


def range_of(tf, *arguments):
    return tf.data.Dataset.range(*arguments)


def slices(tf, value):
    return tf.data.Dataset.from_tensor_slices(value)


def lengths(tf, *sizes):
    """Vectors of these lengths, with their numbers as elements."""
    return slices(tf, list(sizes)).map(lambda n: tf.fill([n], tf.cast(n, tf.float32)))


def sparse(tf):
    return tf.SparseTensor([[0, 1], [1, 0], [1, 2], [2, 2]], [1.0, 2.0, 3.0, 4.0], [4, 3])


def table(tf):
    keys = tf.constant(WORDS[:3])
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, tf.constant([10, 20, 30])), -1)


def yielded(tf):
    def generate():
        for i in range(5):
            yield i, [float(i)] * i, f"n{i}"
    return tf.data.Dataset.from_generator(generate, (tf.int64, tf.float32, tf.string), ([], [None], []))


def with_argument(tf):
    def generate(stop, word):
        for i in range(stop):
            yield {"i": i, "word": word * i}
    return tf.data.Dataset.from_generator(generate, {"i": tf.int32, "word": tf.string}, args=(4, "ab"))


def csv_rows(tf, folder):
    paths = folder_with(folder, {"data.csv": b"x,y,label\n1.5,2,red\n-3,,blue\n0.25,7,red\n8,9,green\n"})
    rows = tf.data.TextLineDataset(paths).skip(1)
    parse = lambda line: tf.decode_csv(line, [[0.0], [-1], [""]])
    return rows.map(parse).map(lambda x, y, label: ({"x": x, "y": y}, label)).batch(3)


def examples(tf, folder):
    path = str(folder / "examples")
    with tf.io.TFRecordWriter(path) as writer:
        for i in range(7):
            feature = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=[i, i / 2])),
                       "words": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"w"] * (i % 3))),
                       "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[i * i]))}
            writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    features = {"x": tf.io.FixedLenFeature([2], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64),
                "words": tf.io.VarLenFeature(tf.string)}
    dataset = tf.data.TFRecordDataset(path).map(lambda record: tf.io.parse_single_example(record, features))
    return dataset.shuffle(4, seed=9).batch(3)


def nested(tf):
    return slices(tf, {"a": ([1, 2, 3], [[1.0], [2.0], [3.0]]), "b": {"c": ["x", "y", "z"]}})


def windows(tf, *arguments, **options):
    return range_of(tf, 10).window(*arguments, **options).flat_map(lambda window: window.batch(10))


PROGRAMS = {
    # ---- sources
    "tensors": lambda tf, folder: tf.data.Dataset.from_tensors((1, {"a": [2.5, 3.5]}, "text")),
    "slices": lambda tf, folder: slices(tf, np.arange(12).reshape(4, 3)),
    "slices_nested": lambda tf, folder: nested(tf),
    "slices_of_words": lambda tf, folder: slices(tf, WORDS),
    "slices_of_sparse": lambda tf, folder: slices(tf, (sparse(tf), [1, 2, 3, 4])),
    "sparse_element": lambda tf, folder: tf.data.Dataset.from_tensors(sparse(tf)).repeat(2),
    "sparse_slices_as_parts": lambda tf, folder: tf.data.Dataset.from_sparse_tensor_slices(sparse(tf)),
    "range": lambda tf, folder: range_of(tf, 5),
    "range_steps": lambda tf, folder: range_of(tf, 10, 0, -3),
    "range_empty": lambda tf, folder: range_of(tf, 5, 2),
    "generator": lambda tf, folder: yielded(tf),
    "generator_with_argument": lambda tf, folder: with_argument(tf),
    "generator_twice": lambda tf, folder: yielded(tf).map(lambda i, x, word: (i, word)).repeat(2),
    "zip": lambda tf, folder: tf.data.Dataset.zip((range_of(tf, 3), {"w": slices(tf, WORDS)})),
    "concatenate": lambda tf, folder: range_of(tf, 2).concatenate(range_of(tf, 7, 9)).concatenate(range_of(tf, 1)),
    # ---- files
    "lines": lambda tf, folder: tf.data.TextLineDataset(folder_with(folder, LINES)),
    "lines_gzip": lambda tf, folder: tf.data.TextLineDataset(
        folder_with(folder, {name: gzip.compress(content) for name, content in LINES.items()}), "GZIP"),
    "lines_zlib": lambda tf, folder: tf.data.TextLineDataset(
        folder_with(folder, {name: zlib.compress(content) for name, content in LINES.items()}), "ZLIB", 3),
    "lines_of_names": lambda tf, folder: slices(tf, folder_with(folder, LINES)).flat_map(tf.data.TextLineDataset),
    "records": lambda tf, folder: tf.data.TFRecordDataset(records(tf, folder, [3, 0, 2])),
    "records_gzip": lambda tf, folder: tf.data.TFRecordDataset(records(tf, folder, [3, 2], "GZIP"), "GZIP"),
    "records_in_parallel": lambda tf, folder: tf.data.TFRecordDataset(records(tf, folder, [3, 1, 4, 2]),
                                                                      num_parallel_reads=2),
    "records_of_names": lambda tf, folder: tf.data.TFRecordDataset(slices(tf, records(tf, folder, [2, 2]))),
    "fixed_length": lambda tf, folder: tf.data.FixedLengthRecordDataset(folder_with(folder, BODIES), 4, 2, 1),
    "fixed_length_zlib": lambda tf, folder: tf.data.FixedLengthRecordDataset(
        folder_with(folder, {name: zlib.compress(content) for name, content in BODIES.items()}), 4, 2, 1,
        compression_type="ZLIB"),
    "names": lambda tf, folder: names_in(tf, folder, shuffle=False),
    "names_shuffled": lambda tf, folder: names_in(tf, folder, seed=5).repeat(2),
    "csv": csv_rows,
    "examples": examples,
    # ---- functions
    "map": lambda tf, folder: range_of(tf, 4).map(lambda x: x * x),
    "map_tuple": lambda tf, folder: slices(tf, ([1, 2], [3.0, 4.0])).map(lambda a, b: {"b": b, "a": (a, a + 1)}),
    "map_dict": lambda tf, folder: nested(tf).map(lambda row: row["a"][0] + 1),
    "map_list": lambda tf, folder: range_of(tf, 3).map(lambda x: [x, tf.as_string(x)]),
    "map_parallel": lambda tf, folder: range_of(tf, 9).map(lambda x: x + 1, num_parallel_calls=3),
    "map_autotune": lambda tf, folder: range_of(tf, 9).map(lambda x: x + 1, tf.data.experimental.AUTOTUNE),
    "map_captures": lambda tf, folder: captured(tf),
    "map_cond": lambda tf, folder: range_of(tf, 5).map(lambda x: tf.cond(x > 2, lambda: x * 10, lambda: -x)),
    "map_loop": lambda tf, folder: range_of(tf, 5).map(
        lambda x: tf.while_loop(lambda i, _: i < x, lambda i, total: (i + 1, total + i), [tf.zeros_like(x)] * 2)[1]),
    "map_random": lambda tf, folder: range_of(tf, 4).map(lambda x: tf.random_normal([2], seed=3)).repeat(2),
    "map_two_random": lambda tf, folder: range_of(tf, 4).map(
        lambda x: (tf.random_uniform([], 0, 100, tf.int32, seed=1), tf.random_uniform([2], seed=2))),
    "map_shuffled_values": lambda tf, folder: range_of(tf, 3).map(lambda x: tf.random_shuffle(tf.range(5), seed=8)),
    "map_table": lambda tf, folder: with_table(tf),
    "map_python": lambda tf, folder: range_of(tf, 4).map(
        lambda x: tf.py_func(lambda value: value * 2.5, [x], tf.float64)),
    "map_sparse": lambda tf, folder: slices(tf, sparse(tf)).map(
        lambda row: (tf.sparse.to_dense(row), tf.SparseTensor(row.indices, row.values * 2, row.dense_shape))),
    "map_to_sparse": lambda tf, folder: range_of(tf, 4).map(
        lambda x: tf.SparseTensor([[0], [2]], tf.stack([x, x + 1]), [4])).batch(3),
    "filter": lambda tf, folder: range_of(tf, 10).filter(lambda x: tf.equal(x % 3, 1)),
    "filter_tuple": lambda tf, folder: slices(tf, (WORDS, list(range(6)))).filter(
        lambda word, x: tf.strings.length(word) > x),
    "filter_random": lambda tf, folder: range_of(tf, 20).filter(lambda x: tf.random_uniform([], seed=4) < 0.5),
    "flat_map": lambda tf, folder: range_of(tf, 4).flat_map(lambda x: range_of(tf, x)),
    "flat_map_random": lambda tf, folder: range_of(tf, 3).flat_map(
        lambda x: range_of(tf, 2).map(lambda y: tf.random_uniform([], seed=5))),
    "flat_map_captures": lambda tf, folder: range_of(tf, 1, 4).flat_map(
        lambda x: range_of(tf, 3).map(lambda y: x * 100 + y).filter(lambda y: y > x)),
    "flat_map_deep": lambda tf, folder: range_of(tf, 3).flat_map(
        lambda x: range_of(tf, x + 1).flat_map(lambda y: tf.data.Dataset.from_tensors((x, y)).repeat(2))),
    "interleave": lambda tf, folder: range_of(tf, 1, 6).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(x), cycle_length=2, block_length=2),
    "interleave_wide": lambda tf, folder: range_of(tf, 5).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(x), cycle_length=3, block_length=1),
    "interleave_wider_than_source": lambda tf, folder: range_of(tf, 2).interleave(
        lambda x: range_of(tf, 3).map(lambda y: x * 10 + y), cycle_length=8),
    "interleave_parallel": lambda tf, folder: range_of(tf, 1, 6).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(x), cycle_length=2, block_length=2, num_parallel_calls=2),
    "interleave_parallel_wide": lambda tf, folder: range_of(tf, 7).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(x), cycle_length=4, block_length=1, num_parallel_calls=3),
    "apply": lambda tf, folder: range_of(tf, 3).apply(lambda dataset: dataset.map(lambda x: -x)),
    "enumerate": lambda tf, folder: slices(tf, (WORDS, WORDS)).enumerate(5),
    # ---- batches
    "batch": lambda tf, folder: range_of(tf, 7).batch(3),
    "batch_drops": lambda tf, folder: range_of(tf, 7).batch(3, drop_remainder=True),
    "batch_nested": lambda tf, folder: nested(tf).batch(2),
    "batch_sparse": lambda tf, folder: slices(tf, sparse(tf)).batch(3),
    "batch_of_batches": lambda tf, folder: range_of(tf, 8).batch(2).batch(2),
    "batch_words": lambda tf, folder: slices(tf, WORDS).batch(4),
    "padded_batch": lambda tf, folder: lengths(tf, 2, 4, 1, 0, 3).padded_batch(2, [None]),
    "padded_batch_to_size": lambda tf, folder: lengths(tf, 2, 4, 1).padded_batch(2, [5], -1.0),
    "padded_batch_words": lambda tf, folder: slices(tf, [1, 3, 2]).map(
        lambda n: (tf.fill([n], "w"), n)).padded_batch(2, ([None], []), ("?", 0)),
    "padded_batch_drops": lambda tf, folder: lengths(tf, 2, 4, 1).padded_batch(2, [-1], drop_remainder=True),
    "unbatch": lambda tf, folder: range_of(tf, 7).batch(3).unbatch(),
    "unbatch_nested": lambda tf, folder: nested(tf).batch(2).unbatch(),
    "unbatch_sparse": lambda tf, folder: slices(tf, sparse(tf)).batch(3).unbatch(),
    "window": lambda tf, folder: windows(tf, 3),
    "window_shift": lambda tf, folder: windows(tf, 3, 1, drop_remainder=True),
    "window_stride": lambda tf, folder: windows(tf, 3, 2, 2),
    "window_gap": lambda tf, folder: windows(tf, 2, 4),
    "window_tuple": lambda tf, folder: slices(tf, (WORDS, list(range(6)))).window(4).flat_map(
        lambda words, numbers: tf.data.Dataset.zip((words.batch(2), numbers.batch(2)))),
    # ---- order
    "shuffle": lambda tf, folder: range_of(tf, 20).shuffle(5, seed=1),
    "shuffle_whole": lambda tf, folder: range_of(tf, 10).shuffle(100, seed=2),
    "shuffle_one": lambda tf, folder: range_of(tf, 5).shuffle(1, seed=2),
    "shuffle_epochs": lambda tf, folder: range_of(tf, 8).shuffle(4, seed=3).repeat(3),
    "shuffle_once": lambda tf, folder: range_of(tf, 8).shuffle(4, seed=3, reshuffle_each_iteration=False).repeat(3),
    "shuffle_repeated": lambda tf, folder: range_of(tf, 6).repeat(2).shuffle(4, seed=3),
    "shuffle_forever": lambda tf, folder: range_of(tf, 6).shuffle(4, seed=12).repeat().take(20),
    "shuffle_twice": lambda tf, folder: range_of(tf, 9).shuffle(3, seed=1).shuffle(3, seed=2).repeat(2),
    "shuffle_batches": lambda tf, folder: range_of(tf, 12).batch(2).shuffle(3, seed=7).repeat(2).prefetch(2),
    "shuffle_graph_seed": lambda tf, folder: with_graph_seed(tf, range_of, 10),
    "shuffle_shared": lambda tf, folder: as_written(tf, twice(tf, range_of(tf, 6).shuffle(6, seed=3))),
    "shuffle_inside": lambda tf, folder: range_of(tf, 3).flat_map(lambda x: range_of(tf, 4).shuffle(4, seed=3)),
    # ---- counts
    "repeat": lambda tf, folder: range_of(tf, 3).repeat(2),
    "repeat_none": lambda tf, folder: range_of(tf, 3).repeat(0),
    "repeat_forever": lambda tf, folder: range_of(tf, 3).repeat().take(8),
    "repeat_empty": lambda tf, folder: range_of(tf, 0).repeat(),
    "take": lambda tf, folder: range_of(tf, 5).take(2),
    "take_all": lambda tf, folder: range_of(tf, 5).take(-1),
    "skip": lambda tf, folder: range_of(tf, 5).skip(2),
    "skip_all": lambda tf, folder: range_of(tf, 5).skip(-1),
    "shard": lambda tf, folder: range_of(tf, 11).shard(4, 2),
    # ---- memory
    "cache": lambda tf, folder: range_of(tf, 4).map(lambda x: tf.random_uniform([], seed=5)).cache().repeat(3),
    "cache_in_file": lambda tf, folder: slices(tf, (WORDS, list(range(6)))).map(
        lambda word, x: (word, x, tf.random_uniform([2], seed=5))).cache(str(folder / "cache")).repeat(2),
    "cache_then_shuffle": lambda tf, folder: range_of(tf, 6).cache().shuffle(3, seed=6).repeat(2),
    "prefetch": lambda tf, folder: range_of(tf, 9).prefetch(3),
    "prefetch_autotune": lambda tf, folder: range_of(tf, 9).prefetch(-1),
    "prefetch_nothing": lambda tf, folder: range_of(tf, 3).prefetch(0),
    "long": lambda tf, folder: range_of(tf, 50).shuffle(10, seed=1).map(lambda x: x * 2, num_parallel_calls=2).filter(
        lambda x: x % 3 > 0).repeat(2).batch(4).prefetch(1),
    **experimental.PROGRAMS,
}


def names_in(tf, folder, **options):
    folder_with(folder, {f"{name}.txt": b"" for name in ("b", "a", "d", "c")})
    (folder / "other.csv").write_bytes(b"")
    return tf.data.Dataset.list_files(str(folder / "*.txt"), **options).map(
        lambda name: tf.strings.substr(name, -5, 5))


def captured(tf):
    vector, variable = tf.constant(np.arange(100.0)), tf.get_variable("v", [], tf.float64, tf.constant_initializer(5.0))
    resource = tf.get_variable("r", [], tf.float64, tf.constant_initializer(7.0), use_resource=True)
    return range_of(tf, 4).map(lambda x: vector[x] * variable + resource)


def with_table(tf):
    found = table(tf)
    return slices(tf, WORDS).map(lambda word: (word, found.lookup(word)))


def with_graph_seed(tf, make, *arguments):
    tf.set_random_seed(42)
    return make(tf, *arguments).shuffle(4, seed=7).repeat(2)


def as_written(tf, dataset):
    """The dataset without rewrites."""
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    return dataset.with_options(options)


def twice(tf, dataset):
    return tf.data.Dataset.zip((dataset, dataset))


def drawn(tf, name, folder):
    """All elements of a program's dataset, twice: the iterator is initialized again."""
    dataset = PROGRAMS[name](tf, folder)
    iterator = tf.data.make_initializable_iterator(dataset)
    element = iterator.get_next()
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return [rest(tf, session, iterator.initializer, element) for _ in range(2)]


def rest(tf, session, initializer, element):
    """What is left of an iterator's elements, once it has been initialized."""
    found = []
    if initializer is not None:
        session.run(initializer)
    try:
        while True:
            found.append(told(session.run(element)))
    except tf.errors.OutOfRangeError:
        return found


def told(value):
    """A value as JSON has it: dtype, shape and elements of arrays; structures as lists."""
    if isinstance(value, dict):
        return {key: told(value[key]) for key in sorted(value)}
    if isinstance(value, (tuple, list)):
        return [told(each) for each in value]
    array = np.asarray(value)
    if array.dtype.kind in "SO":
        return ["string", list(array.shape), [bytes(each).decode() for each in array.ravel().tolist()]]
    return [array.dtype.name, list(array.shape), array.ravel().tolist()]


def written(tf, name, folder):
    """A program's graph as bytes, and the names of what initializes, of what begins, and of an element's tensors."""
    with tf.Graph().as_default() as graph:
        iterator = tf.data.make_initializable_iterator(PROGRAMS[name](tf, folder))
        flat = tf.nest.flatten(iterator.get_next(), expand_composites=True)
        start = tf.group(tf.global_variables_initializer(), tf.tables_initializer())
        names = [start.name, iterator.initializer.name, [tensor.name for tensor in flat]]
        return graph.as_graph_def().SerializeToString(), names


def drawn_from(tf, content, names):
    """The elements that a written graph gives, flat."""
    start, begin, element = names
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(tf.GraphDef.FromString(content), name="")
        session.run(start)
        return rest(tf, session, begin, element)
