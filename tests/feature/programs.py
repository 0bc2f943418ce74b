"""Programs that use feature columns; evergraph's must have TensorFlow's variables, nodes, numbers and training."""

import re
import tempfile
from pathlib import Path

import numpy as np

PROGRAMS = {}

# Nodes that TensorFlow 1.15 and the recorded version both make; others, such as those of a lookup, differ in detail.
STEADY = ("VariableV2", "VarHandleOp", "Bucketize", "StringToHashBucketFast", "LookupTableFindV2", "HashTableV2",
          "SparseCross", "OneHot", "MatMul", "BiasAdd", "AddN", "SparseToDense", "AsString", "Reshape", "SegmentMax")

LOOKUP = re.compile("weights/|weighted_sum/")

CITIES = np.array([[b"Rome", b"Oslo"], [b"Oslo", b""], [b"", b""], [b"Lima", b"Rome"]], object)
JOBS = np.array([[b"cook"], [b"smith"], [b"cook"], [b""]], object)
IDS = np.array([[0, 2], [1, -1], [-1, -1], [2, 2]])
WEIGHTS = np.array([[0.5, 2.0], [1.5, 0.0], [0.0, 0.0], [3.0, 0.25]], np.float32)
PRICES = np.array([[-1.5, 0.0], [0.25, 1.0], [3.0, 9.0], [10.0, -2.0]], np.float32)
COUNTS = np.array([3, 1, 4, 1])


def program(function):
    """A function of (tf, tf.feature_column, features) that gives tensors to evaluate."""
    PROGRAMS[function.__name__] = function
    return function


def features(tf):
    """Dense features of rank 2 and 1."""
    return {"city": tf.constant(CITIES.astype("S")), "job": tf.constant(JOBS.astype("S")), "id": tf.constant(IDS),
            "weight": tf.constant(WEIGHTS), "price": tf.constant(PRICES), "count": tf.constant(COUNTS)}


def ramp(tf):
    """An initializer without chance: numbers that depend on the place alone."""
    def initialize(shape, dtype=None, partition_info=None):
        first = 0 if partition_info is None else partition_info.var_offset[0] * int(np.prod(shape[1:]))
        return tf.constant(np.sin((first + np.arange(int(np.prod(shape)))) * 1.7).reshape(shape), dtype or tf.float32)
    return initialize


def sparse(tf, values):
    """A sparse feature: the values that are not -1, 0 or ""."""
    values = np.asarray(values)
    nothing = {"S": b"", "O": b"", "i": -1, "f": 0}[values.dtype.kind]
    indices = np.argwhere(values != nothing)
    return tf.SparseTensor(indices.astype(np.int64), values[tuple(indices.T)], np.array(values.shape, np.int64))


# ---- every kind of column, in both layers

@program
def numeric(tf, fc, x):
    columns = [fc.numeric_column("price", shape=2, normalizer_fn=lambda t: t / 2.0), fc.numeric_column("count")]
    return [fc.input_layer(x, columns), fc.linear_model(x, columns, units=2)]


@program
def bucketized(tf, fc, x):
    columns = [fc.bucketized_column(fc.numeric_column("price", shape=2), [-1.0, 0.0, 1.0, 9.0])]
    return [fc.input_layer(x, columns), fc.linear_model(x, columns, units=3)]


@program
def identity(tf, fc, x):
    column = fc.categorical_column_with_identity("id", 3)
    return [fc.input_layer(x, [fc.indicator_column(column)]), fc.linear_model(x, [column])]


@program
def identity_with_default(tf, fc, x):
    column = fc.categorical_column_with_identity("count", 4, default_value=2)
    return [fc.input_layer(x, [fc.indicator_column(column)]), fc.linear_model(x, column)]


@program
def vocabulary_list(tf, fc, x):
    one = fc.categorical_column_with_vocabulary_list("city", ["Oslo", "Rome"])
    two = fc.categorical_column_with_vocabulary_list("job", ("smith",), num_oov_buckets=3)
    three = fc.categorical_column_with_vocabulary_list("count", [1, 3], default_value=0)
    columns = [fc.indicator_column(each) for each in (one, two, three)]
    return [fc.input_layer(x, columns), fc.linear_model(x, [one, two, three])]


@program
def vocabulary_file(tf, fc, x):
    path = Path(tempfile.mkdtemp()) / "words.txt"
    path.write_text("Rome\nLima\nParis\n")
    one = fc.categorical_column_with_vocabulary_file("city", str(path), num_oov_buckets=2)
    two = fc.categorical_column_with_vocabulary_file("job", str(path), vocabulary_size=2, default_value=1)
    return [fc.input_layer(x, [fc.indicator_column(one), fc.indicator_column(two)]), fc.linear_model(x, [one, two])]


@program
def hashed(tf, fc, x):
    one = fc.categorical_column_with_hash_bucket("city", 7)
    two = fc.categorical_column_with_hash_bucket("id", 5, tf.int64)
    return [fc.input_layer(x, [fc.indicator_column(one), fc.indicator_column(two)]),
            fc.linear_model(x, [one, two], sparse_combiner="mean")]


@program
def crossed(tf, fc, x):
    price = fc.bucketized_column(fc.numeric_column("price", shape=2), [0.0, 1.0])
    one = fc.crossed_column(["city", "job"], 11)
    two = fc.crossed_column([one, price, fc.categorical_column_with_identity("id", 3)], 13)
    three = fc.crossed_column(["job", "id"], 1000, hash_key=5)
    return [fc.input_layer(x, [fc.indicator_column(one), fc.indicator_column(two)]),
            fc.linear_model(x, [one, two, three], units=2)]


@program
def weighted(tf, fc, x):
    column = fc.weighted_categorical_column(fc.categorical_column_with_identity("id", 3), "weight")
    x = {**x, "id": sparse(tf, IDS), "weight": sparse(tf, WEIGHTS)}
    return [fc.input_layer(x, [fc.indicator_column(column),
                               fc.embedding_column(column, 2, initializer=ramp(tf), combiner="mean")]),
            fc.linear_model(x, [column]),
            fc.linear_model(x, [column], sparse_combiner="sqrtn")]


@program
def embedding(tf, fc, x):
    city, ids = fc.categorical_column_with_hash_bucket("city", 9), fc.categorical_column_with_identity("id", 3)
    columns = [fc.embedding_column(city, 3, initializer=ramp(tf), combiner="sum"),
               fc.embedding_column(ids, 2, initializer=ramp(tf), max_norm=0.5, trainable=False)]
    return [fc.input_layer(x, columns), fc.linear_model(x, columns[:1])]


@program
def shared_embedding(tf, fc, x):
    ids = [fc.categorical_column_with_identity(key, 5) for key in ("id", "count")]
    shared = fc.shared_embedding_columns(ids, 2, initializer=ramp(tf))
    named = fc.shared_embedding_columns(ids, 3, initializer=ramp(tf), shared_embedding_collection_name="table",
                                        combiner="sqrtn")
    return [fc.input_layer(x, shared), fc.input_layer(x, named), fc.linear_model(x, shared)]


# ---- layers

@program
def many_at_once(tf, fc, x):
    city = fc.categorical_column_with_hash_bucket("city", 9)
    columns = [fc.embedding_column(city, 3, initializer=ramp(tf)), fc.numeric_column("price", shape=(2,)),
               fc.indicator_column(fc.crossed_column(["city", "job"], 4)), fc.numeric_column("count")]
    with tf.variable_scope("model"):
        deep = tf.layers.dense(fc.input_layer(x, columns), 2, kernel_initializer=ramp(tf), activation=tf.nn.tanh)
        wide = fc.linear_model(x, [city, columns[1], fc.crossed_column(["city", "job"], 4)], units=2)
    return [deep + wide]


@program
def named_and_shared_scopes(tf, fc, x):
    columns = [fc.embedding_column(fc.categorical_column_with_identity("id", 3), 2, initializer=ramp(tf))]
    with tf.variable_scope("one"):
        results = [fc.input_layer(x, columns), fc.input_layer(x, columns), fc.linear_model(x, columns)]
    with tf.variable_scope("one", reuse=tf.AUTO_REUSE):
        results.append(fc.input_layer(x, columns))
    count = [fc.numeric_column("count")]
    return [*results, fc.linear_model(x, count), fc.linear_model(x, count)]


@program
def partitioned(tf, fc, x):
    city = fc.categorical_column_with_hash_bucket("city", 9)
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2, axis=0)):
        return [fc.input_layer(x, [fc.embedding_column(city, 3, initializer=ramp(tf))]),
                fc.linear_model(x, [city, fc.numeric_column("price", shape=2)], units=2)]


@program
def collections_and_trainable(tf, fc, x):
    columns = [fc.embedding_column(fc.categorical_column_with_identity("id", 3), 2, initializer=ramp(tf))]
    return [fc.input_layer(x, columns, weight_collections=["mine"], trainable=False),
            fc.linear_model(x, columns, weight_collections=["mine"]),
            tf.constant([variable.op.name for variable in tf.get_collection("mine")])]


@program
def of_columns(tf, fc, x):
    to_vars, to_tensors = {}, {}
    columns = [fc.embedding_column(fc.categorical_column_with_identity("id", 3), 2, initializer=ramp(tf)),
               fc.numeric_column("count")]
    fc.input_layer(x, columns, cols_to_vars=to_vars, cols_to_output_tensors=to_tensors)
    fc.linear_model(x, columns, cols_to_vars=to_vars)
    return [*(to_tensors[column] for column in columns),
            tf.constant([v.op.name for key in [*columns, "bias"] for v in to_vars[key]])]


@program
def dense_features(tf, fc, x):
    city = fc.categorical_column_with_hash_bucket("city", 9)
    columns = [fc.embedding_column(city, 3, initializer=ramp(tf)), fc.numeric_column("price", shape=2),
               fc.indicator_column(fc.categorical_column_with_identity("id", 3))]
    layer = tf.keras.layers.DenseFeatures(columns)
    return [layer(x), layer(x)]


@program
def sequences(tf, fc, x):
    numbers = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 0.0, 0.0], [0.0] * 4], np.float32)
    words = np.array([[b"a", b"b"], [b"c", b""], [b"", b""]])
    ids = np.array([[[0, 1], [2, -1]], [[1, 1], [-1, -1]], [[-1, -1], [-1, -1]]])
    x = {"numbers": sparse(tf, numbers), "words": sparse(tf, words), "ids": sparse(tf, ids)}
    columns = [fc.sequence_numeric_column("numbers", shape=2),
               fc.embedding_column(fc.sequence_categorical_column_with_vocabulary_list("words", ["a", "b"]), 2,
                                   initializer=ramp(tf)),
               fc.indicator_column(fc.sequence_categorical_column_with_identity("ids", 3))]
    return list(tf.keras.experimental.SequenceFeatures(columns)(x))


@program
def from_examples(tf, fc, x):
    feature = lambda **kind: tf.train.Feature(**kind)
    example = tf.train.Example(features=tf.train.Features(feature={
        "price": feature(float_list=tf.train.FloatList(value=[1.0, 2.0])),
        "city": feature(bytes_list=tf.train.BytesList(value=[b"Rome", b"Oslo"])),
        "job": feature(bytes_list=tf.train.BytesList(value=[b"cook"]))}))
    columns = [fc.numeric_column("price", shape=2), fc.numeric_column("missing", default_value=7.0),
               fc.indicator_column(fc.categorical_column_with_hash_bucket("city", 5)),
               fc.indicator_column(fc.crossed_column(["city", "job"], 5))]
    spec = fc.make_parse_example_spec(columns)
    parsed = tf.parse_example([example.SerializeToString()] * 2, spec)
    return [fc.input_layer(parsed, columns), tf.constant([f"{key} {spec[key]}" for key in sorted(spec)])]


def recorded(tf, name):
    """The variables and steady nodes as text; the results, and the variables after three steps of Adagrad."""
    with tf.Graph().as_default() as graph:
        results = PROGRAMS[name](tf, tf.feature_column, features(tf))
        nodes = [f"{node.name} {node.op}" for node in graph.as_graph_def().node
                 if node.op in STEADY and not LOOKUP.search(node.name)]
        variables, trained = tf.global_variables(), tf.trainable_variables()
        texts = [f"{v.op.name} {v.shape.as_list()} {'trained' if v in trained else ''}" for v in variables]
        with tf.Session() as session:
            step = _training(tf, results) if trained else tf.no_op()
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            values = session.run(results)
            for _ in range(3):
                session.run(step)
            values += session.run([*results, *variables])
    return [texts, sorted(nodes)], [np.asarray(v).astype("S") if np.asarray(v).dtype == object else v for v in values]


def _training(tf, results):
    """A step that brings the results closer to numbers that differ from row to row."""
    floats = [result for result in results if result.dtype == tf.float32]
    wanted = lambda result: tf.reshape(tf.cos(tf.cast(tf.range(tf.size(result)), tf.float32)), tf.shape(result))
    loss = tf.add_n([tf.reduce_sum(tf.square(result - wanted(result))) for result in floats])
    return tf.train.AdagradOptimizer(0.1).minimize(loss)
