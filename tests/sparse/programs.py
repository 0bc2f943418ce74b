"""Programs that use tf.sparse, embeddings and sampled losses; evergraph's graphs must have TensorFlow's nodes."""

import numpy as np

from tests.harness.nodes import listed

INDICES, VALUES = [[0, 1], [0, 3], [2, 0], [2, 2]], [1.0, -2.0, 3.0, 4.0]
IDS = [3, 1, 0, 2]
TABLE = np.arange(20, dtype=np.float32).reshape(5, 4)
PROGRAMS = {}
# TensorFlow 2.15, which was recorded, makes other nodes for these than 1.15 did.
VALUES_ONLY = {"made", "softmax", "shapes", "crosses", "operators", "embeddings", "safe_embeddings"}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def known(tf):
    return tf.SparseTensor(INDICES, VALUES, [3, 4])


def fed(tf, kind="float32"):
    """A sparse tensor whose shape is only known when it runs."""
    return tf.SparseTensor(tf.placeholder_with_default(np.array(INDICES, np.int64), [None, None]),
                           tf.placeholder_with_default(np.array(VALUES, kind), [None]),
                           tf.placeholder_with_default(np.array([3, 4], np.int64), [None]))


def ids(tf):
    return tf.SparseTensor(INDICES, tf.constant(IDS, tf.int64), [3, 4])


def full(tf, values):
    """A sparse tensor without empty rows."""
    return tf.SparseTensor([[0, 1], [0, 3], [1, 0], [2, 2]], values, [3, 4])


@program
def dense(tf):
    text = tf.SparseTensor(INDICES, ["a", "b", "c", "d"], [3, 4])
    return [tf.sparse.to_dense(known(tf)), tf.sparse_tensor_to_dense(fed(tf), 7.0, name="named"),
            tf.sparse_to_dense([1, 3], [5], 2.0), tf.sparse.to_dense(text), tf.sparse_to_indicator(ids(tf), 5)]


@program
def made(tf):
    return [tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]]), tf.sparse.eye(3), tf.sparse.eye(2, 4, tf.int32, "wide")]


@program
def products(tf):
    return [tf.sparse_tensor_dense_matmul(known(tf), np.ones((4, 2), np.float32)),
            tf.sparse.matmul(fed(tf), np.ones((3, 2), np.float32), adjoint_a=True, name="turned")]


@program
def sums(tf):
    return [tf.sparse_add(known(tf), known(tf)), tf.sparse.add(fed(tf), known(tf), threshold=3.0),
            tf.sparse_add(known(tf), np.ones((3, 4), np.float32)),
            tf.sparse.add(np.ones((3, 4), np.float32), known(tf))]


@program
def extremes(tf):
    return [tf.sparse_maximum(known(tf), fed(tf)), tf.sparse.minimum(known(tf), fed(tf), name="least")]


@program
def reductions(tf):
    return [tf.sparse_reduce_sum(known(tf)), tf.sparse.reduce_max(known(tf), axis=1, keepdims=True),
            tf.sparse_reduce_sum_sparse(known(tf), axis=[0]), tf.sparse.reduce_max_sparse(known(tf), axis=-1),
            tf.sparse_reduce_sum(fed(tf), keep_dims=True)]


@program
def softmax(tf):
    s = known(tf)
    result = tf.sparse_softmax(s)
    return [result, tf.gradients(tf.sparse.to_dense(result)[0, 1], s.values)[0]]


@program
def orders(tf):
    backwards = tf.SparseTensor(INDICES[::-1], VALUES[::-1], [3, 4])
    return [tf.sparse_reorder(backwards), tf.sparse.reorder(fed(tf), name="sorted")]


@program
def shapes(tf):
    return [tf.sparse_reshape(known(tf), [2, -1]), tf.sparse.reshape(fed(tf), [12], name="flat"),
            tf.sparse_transpose(known(tf)), tf.sparse.transpose(fed(tf), [1, 0]), tf.sparse_reset_shape(known(tf)),
            tf.sparse.reset_shape(known(tf), [4, 5])]


@program
def more_axes(tf):
    return [tf.sparse.expand_dims(known(tf)), tf.sparse.expand_dims(known(tf), 0, name="first")]


@program
def parts(tf):
    return [tf.sparse_concat(1, [known(tf), known(tf)]), tf.sparse.concat(-1, [fed(tf), known(tf)]),
            tf.sparse_concat(0, [known(tf), tf.SparseTensor([[0, 0]], [1.0], [1, 5])], expand_nonconcat_dim=True),
            *tf.sparse_split(sp_input=known(tf), num_split=2, axis=1), tf.sparse_slice(known(tf), [0, 1], [2, 3])]


@program
def entries(tf):
    filled, empty = tf.sparse_fill_empty_rows(known(tf), 9.0)
    return [tf.sparse_retain(known(tf), [True, False, False, True]), filled, empty,
            tf.sparse_merge(ids(tf), known(tf), 7), tf.sparse.merge([ids(tf), ids(tf)], known(tf), [5, 6],
                                                                    already_sorted=True)]


@program
def masked(tf):
    rows = tf.IndexedSlices(tf.constant(TABLE), tf.constant([1, 3, 5, 7, 9]))
    left = tf.sparse_mask(rows, [3, 9])
    return [left.values, left.indices]


@program
def crosses(tf):
    words = tf.SparseTensor(INDICES, ["a", "b", "c", "d"], [3, 4])
    return [tf.sparse.cross([words, tf.constant([["x"], ["y"], ["z"]])]),
            tf.sparse.cross_hashed([words, ids(tf)], num_buckets=100), tf.sparse.cross_hashed([words], hash_key=3)]


@program
def texts(tf):
    return [tf.deserialize_many_sparse(tf.serialize_many_sparse(known(tf)), tf.float32, rank=2),
            tf.serialize_sparse(known(tf), name="text")]


@program
def operators(tf):
    return [known(tf) * np.ones(4, np.float32), known(tf) / np.full((3, 1), 2.0, np.float32), tf.square(known(tf)),
            tf.cast(known(tf), tf.int32), tf.shape(known(tf)), tf.rank(known(tf))]


@program
def embeddings(tf):
    return [tf.nn.embedding_lookup(TABLE, [1, 3]), tf.nn.embedding_lookup([TABLE[:3], TABLE[3:]], [[1], [4]], "div"),
            tf.nn.embedding_lookup([TABLE[::2], TABLE[1::2]], [1, 4], name="dealt"),
            tf.nn.embedding_lookup(TABLE, [1, 3], max_norm=2.0),
            tf.nn.embedding_lookup_sparse(TABLE, ids(tf), None, combiner="sum"),
            tf.nn.embedding_lookup_sparse(TABLE, full(tf, tf.constant(IDS, tf.int64)), full(tf, VALUES),
                                          combiner="mean")]


@program
def safe_embeddings(tf):
    some = tf.SparseTensor(INDICES, tf.constant([3, -1, 0, 2], tf.int64), [4, 4])
    return [tf.nn.safe_embedding_lookup_sparse(TABLE, some),
            tf.nn.safe_embedding_lookup_sparse(TABLE, some, known(tf), default_id=1, name="with_default"),
            tf.nn.safe_embedding_lookup_sparse([TABLE[:3], TABLE[3:]], some, known(tf), combiner="sqrtn")]


def recorded(tf, build):
    """(nodes, values) of a program."""
    with tf.Graph().as_default() as graph:
        results = build(tf)
        nodes = listed(graph)
        with tf.Session() as session:
            fetched = session.run(results)
    flat = [part for value in fetched for part in (value if isinstance(value, tuple) else [value])]
    return nodes, [_plain(np.asarray(value)) for value in flat]


def _plain(array):
    return array.astype("S") if array.dtype == object else array
