"""The nodes that prepare the ids of a column run as one function, with what their kernels would give."""

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.ops.sparse import bags
from evergraph.ops.sparse.reshapes import before_reshapes
from evergraph.passes.prune import prune
from evergraph.passes.shortcuts import shortcuts

pytestmark = pytest.mark.skipif(native.sparse is None, reason="the C code was not built here, or is turned off")

STRINGS = np.array([[b"a", b""], [b"", b""], [b"b", b"a"], [b"", b"c"]], object)


@pytest.fixture
def calls(monkeypatch):
    """The names of the functions that prepare ids, in the order of their calls."""
    found, plain, hashed = [], bags.in_bags, bags.HashedBags.__call__
    monkeypatch.setattr(bags, "in_bags", lambda *given: found.append("ids") or plain(*given))
    monkeypatch.setattr(bags.HashedBags, "__call__", lambda *given: found.append("strings") or hashed(*given))
    return found


def looked_up(strings, reshape=None, buckets=7):
    """The mean of the vectors of each row's strings, from a table of its own."""
    sparse = tf.contrib.layers.dense_to_sparse(strings, b"")
    ids = tf.SparseTensor(sparse.indices, tf.string_to_hash_bucket_fast(sparse.values, buckets), sparse.dense_shape)
    ids = ids if reshape is None else tf.sparse.reshape(ids, reshape(ids))
    table = tf.constant(np.arange(2.0 * buckets).reshape(buckets, 2))
    return tf.contrib.layers.safe_embedding_lookup_sparse([table], ids, combiner="mean")


def wanted(strings, buckets=7):
    table = np.arange(2.0 * buckets).reshape(buckets, 2)
    with tf.Session() as session:
        ids = session.run(tf.string_to_hash_bucket_fast(tf.constant(strings), buckets))
    rows = [[table[i] for i, string in zip(row, texts) if string] for row, texts in zip(ids, strings)]
    return [np.mean(row, 0) if row else [0.0, 0.0] for row in rows]


KEPT = {
    "nothing": None,
    "rows and the rest": lambda ids: tf.stack([tf.shape(ids, out_type=tf.int64)[0], -1]),
    "both sizes": lambda ids: ids.dense_shape,
    "both sizes in turn": lambda ids: tf.concat([ids.dense_shape[:1], tf.reverse(ids.dense_shape, [0])[:1]], 0),
}


@pytest.mark.parametrize("rows", [4, 2, 1, 0])
@pytest.mark.parametrize("reshape", KEPT)
def test_hashed_strings(rows, reshape, calls):
    strings = tf.placeholder(tf.string, [None, 2])
    vectors = looked_up(strings, KEPT[reshape])
    with tf.Session() as session:
        if rows or reshape != "rows and the rest":
            found = session.run(vectors, {strings: STRINGS[:rows]})
            np.testing.assert_array_equal(found, np.reshape(wanted(STRINGS[:rows]), (rows, 2)))
            assert calls == (["ids"] if reshape == "both sizes in turn" else ["strings"])
        else:
            with pytest.raises(tf.errors.InvalidArgumentError, match="beside a size of 0"):
                session.run(vectors, {strings: STRINGS[:0]})


def test_a_reshape_that_changes_the_rows(calls):
    strings = tf.placeholder(tf.string, [None, 2])
    vectors = looked_up(strings, lambda ids: tf.stack([tf.size(strings, out_type=tf.int64), 1]))
    with tf.Session() as session:
        found = session.run(vectors, {strings: STRINGS})
    np.testing.assert_array_equal(found, wanted(STRINGS.reshape(-1, 1)))
    assert calls == ["ids"]


@pytest.mark.parametrize("new", [
    lambda sizes: sizes[:sizes[1] + 1],                           # a part that depends on a size
    lambda sizes: tf.reverse(sizes, [0]),                         # which is no op that this knows
    lambda sizes: tf.stack([sizes[1], sizes[0]]),                 # sizes in other places
    lambda sizes: tf.stack([sizes[0] * 1, sizes[1]]),             # arithmetic
    lambda sizes: tf.constant([1 << 30, (1 << 30) + 1], tf.int64),
    lambda sizes: tf.stack([-1, -1]),
])  # fmt: skip
def test_reshapes_that_may_change_the_shape(new):
    sizes = tf.placeholder(tf.int64, [2])
    indices, shape = tf.raw_ops.SparseReshape(input_indices=tf.zeros([0, 2], tf.int64), input_shape=sizes,
                                              new_shape=tf.cast(new(sizes), tf.int64))
    assert before_reshapes(indices, shape, lambda tensor: tensor)[0] is indices


def test_results_of_equal_columns_are_arrays_of_their_own():
    strings = tf.placeholder(tf.string, [None, 2])
    fetches = []
    for vectors in (looked_up(strings), looked_up(strings)):
        fetches += [node.outputs[0] for node in prune([vectors], [strings]) if node.type == "Unique"]
    with tf.Session() as session:
        one, other = session.run(fetches, {strings: STRINGS})
        one += 1
        np.testing.assert_array_equal(one, other + 1)


def test_what_others_use_is_computed(calls):
    strings = tf.placeholder(tf.string, [None, 2])
    vectors = looked_up(strings)
    ids = next(node.outputs[0] for node in prune([vectors], [strings]) if node.type == "StringToHashBucketFast")
    with tf.Session() as session:
        found, fetched = session.run([vectors, ids], {strings: STRINGS})
    np.testing.assert_array_equal(found, wanted(STRINGS))
    assert calls == ["ids"] and len(fetched) == 4


def test_nodes_that_only_replaced_ones_use_do_not_run():
    strings = tf.placeholder(tf.string, [None, 2])
    nodes = prune([looked_up(strings)], [strings])
    taken = [t for n in nodes if n.type in ("Unique", "SparseFillEmptyRows", "Cast") for t in n.outputs]
    short = shortcuts(nodes, [t for t in taken if t.dtype != tf.int64 or t.op.type == "Unique"])
    ran = {n.type for n in nodes if n not in short.skipped and not (n.outputs and n.outputs[0] in short.same)}
    assert not ran & {"SparseReshape", "Where", "GatherNd", "StringToHashBucketFast", "Prod", "Slice"}


def test_something_that_is_no_string():
    strings = np.array([[b"a"], [3]], object)
    with pytest.raises(TypeError, match="strings are bytes objects"):
        bags.HashedBags(5)(strings, np.array(b"", object), np.array(0))


WEIGHTED = tf.SparseTensorValue([[0, 0], [0, 1], [2, 0], [2, 1], [3, 0], [4, 0]], [1, -1, 3, 3, 2, 0],
                                [6, 2]), [0.5, 2.0, 1.0, -1.0, 4.0, 0.0]


@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
@pytest.mark.parametrize("kind", [tf.float32, tf.float64])
@pytest.mark.parametrize("ids_kind", [tf.int32, tf.int64])
def test_weights(combiner, kind, ids_kind, monkeypatch):
    calls = []
    for name in ("in_bags", "weights_in_bags"):
        monkeypatch.setattr(bags, name, lambda *given, f=getattr(bags, name), n=name: calls.append(n) or f(*given))
    table = np.arange(8.0).reshape(4, 2).astype(kind.as_numpy_dtype)
    given, amounts = WEIGHTED
    indices = tf.placeholder(tf.int64, [None, 2])
    ids, weights = tf.placeholder(ids_kind, [None]), tf.placeholder(kind, [None])
    sparse = [tf.SparseTensor(indices, values, [6, 2]) for values in (ids, weights)]
    vectors = tf.nn.safe_embedding_lookup_sparse([tf.constant(table)], *sparse, combiner)
    with tf.Session() as session:
        found = session.run(vectors, {indices: given.indices, ids: given.values, weights: amounts})
    wanted = np.zeros([6, 2])
    for row in range(6):
        own = [(i, w) for (r, _), i, w in zip(given.indices, given.values, amounts)
               if r == row and i >= 0 and (combiner == "sum" or w > 0)]
        total = sum((w * table[i] for i, w in own), np.zeros(2))
        scale = {"sum": 1, "mean": sum(w for _, w in own), "sqrtn": np.sqrt(sum(w * w for _, w in own))}[combiner]
        wanted[row] = total / scale if own else 0
    np.testing.assert_allclose(found, wanted, 1e-6)
    if combiner == "sum":
        assert calls == ["in_bags", "weights_in_bags"]


def test_weights_of_another_number():
    given, amounts = WEIGHTED
    ids, weights = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.float32, [None])
    sparse = [tf.SparseTensor(given.indices, values, [6, 2]) for values in (ids, weights)]
    vectors = tf.nn.safe_embedding_lookup_sparse([tf.zeros([4, 2])], *sparse)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError):
        session.run(vectors, {ids: given.values, weights: amounts[:3]})


@pytest.mark.parametrize("column", ["bucketized", "crossed"])
def test_ids_of_buckets(column, calls):
    x = tf.placeholder(tf.float32, [None, 2])
    buckets = tf.feature_column.bucketized_column(tf.feature_column.numeric_column("x", 2), [0.0, 1.0])
    columns = [buckets if column == "bucketized" else tf.feature_column.crossed_column([buckets, "s"], 50)]
    sums = tf.feature_column.linear_model({"x": x, "s": tf.constant([["a"], ["b"]])}, columns)
    weights = tf.trainable_variables()[0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(weights.assign(np.arange(weights.shape[0].value)[:, None]))
        found = session.run(sums, {x: [[-1.0, 2.0], [0.5, 0.5]]})
    assert calls == ["ids"]
    if column == "bucketized":
        assert found.tolist() == [[0 + 5], [1 + 4]]
