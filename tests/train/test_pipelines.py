"""Input pipelines on queues: what they are made of and what they give is TensorFlow's."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.goldens import FOLDER
from tests.harness.recorded import texts
from tests.train import pipelines

GOLDENS = texts("pipelines")
PROGRAMS = pytest.mark.parametrize("name", pipelines.PROGRAMS)
RANDOM = {"shuffled", "joined", "joined_rows"}  # threads decide what comes first


@PROGRAMS
def test_nodes(name):
    built = pipelines.built(tf, name)
    # A conditional is one node here.
    own = lambda nodes: sorted(n for n in map(tuple, nodes) if "/cond" not in n[0] and "/Assert/" not in n[0])
    assert own(built["nodes"]) == own(GOLDENS[name]["nodes"])
    assert built["runners"] == GOLDENS[name]["runners"]


@PROGRAMS
def test_batches(name):
    found, wanted = pipelines.batches(tf, name), GOLDENS[name]["batches"]
    assert len(found) == len(wanted)
    if name in RANDOM:
        rows = lambda batches: sorted(np.concatenate([np.asarray(b) for b in batches]).tolist())
        assert rows(found) == rows(wanted)
        return
    for batch, golden in zip(found, wanted):
        pairs = [(batch[k], golden[k]) for k in golden] if isinstance(golden, dict) else \
            zip(batch, golden) if isinstance(batch, list) else [(batch, golden)]
        for value, want in pairs:
            np.testing.assert_array_equal(value, want)


def test_pipeline_that_tensorflow_wrote():
    tf.train.import_meta_graph(str(FOLDER / "pipeline.meta"))
    found = []
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found.append(sess.run("batch_of_rows:0").tolist())
        coord.request_stop()
        coord.join(threads)
    assert found == GOLDENS["kept_rows"]["batches"]


def test_sparse_elements():
    number = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    element = tf.SparseTensor([[0, 0], [1, 2]], tf.stack([number, 10 * number]), [2, 3])
    batch = tf.train.batch([element, number], 4)
    assert batch[0].shape.ndims == 3
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        sparse, numbers = sess.run(batch)
        coord.request_stop()
        coord.join(threads)
    assert sparse.values.tolist() == [0, 0, 1, 10, 2, 20, 3, 30] and sparse.dense_shape.tolist() == [4, 2, 3]
    assert numbers.tolist() == [0, 1, 2, 3]


def test_an_error_of_a_thread_reaches_join():
    number = tf.train.range_input_producer(4, shuffle=False).dequeue()
    batch = tf.train.batch([tf.py_func(lambda n: np.int64(1 // (2 - int(n))), [number], tf.int64)], 2, shapes=[()])
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(Exception, match="division"):
            while not coord.should_stop():
                try:
                    sess.run(batch)
                except tf.errors.OutOfRangeError:
                    break
            coord.join(threads)


@pytest.mark.parametrize("make, error", [
    (lambda: tf.train.limit_epochs(1, num_epochs=0), "num_epochs"),
    (lambda: tf.train.string_input_producer([]), "at least one string"),
    (lambda: tf.train.slice_input_producer([]), "at least one tensor"),
    (lambda: tf.train.batch([], 2), "at least one tensor"),
    (lambda: tf.train.shuffle_batch([1], 2, capacity=5, min_after_dequeue=5), "larger than min_after_dequeue"),
    (lambda: tf.train.batch_join([[1], [1, 2]], 2), "same number"),
    (lambda: tf.train.batch_join([{"a": 1}, {"b": 1}], 2), "same keys"),
    (lambda: tf.train.maybe_batch([[1]], [True], 2), "cannot be a vector"),
    (lambda: tf.train.batch([tf.placeholder(tf.int32)], 2), "known rank"),
    (lambda: tf.train.batch([tf.placeholder(tf.int32, [None])], 2), "shape"),
    (lambda: tf.train.input_producer(tf.placeholder(tf.int32, [2, None])), "fully defined"),
])  # fmt: skip
def test_what_is_refused(make, error):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=error):
        make()


def test_empty_strings_fail_when_run():
    names = tf.train.string_input_producer(tf.placeholder_with_default(tf.constant([], tf.string), [None]))
    enqueue = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0].enqueue_ops[0]
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match="at least one string"):
        sess.run(enqueue)
    assert names.dtypes == [tf.string]


def test_random_shuffle_queue_has_tensorflows_order():
    queue = tf.RandomShuffleQueue(50, 2, [tf.int32], shapes=[()], seed=5)  # TensorFlow 2.15 gave the numbers below
    with tf.Session() as sess:
        sess.run(queue.enqueue_many([list(range(12))]))
        one = queue.dequeue()
        assert [sess.run(one) for _ in range(4)] == [7, 2, 4, 8]
        assert sess.run(queue.dequeue_many(4)).tolist() == [0, 6, 1, 10]
