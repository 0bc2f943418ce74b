"""Input pipelines on queues that evergraph and TensorFlow both build and run."""

import os
import tempfile

import numpy as np

ROWS = np.arange(14).reshape(7, 2)
LINES = [[f"{file},{line},{10 * file + line / 2}" for line in range(4)] for file in range(3)]


def lines_of_files(tf, folder):
    """Text files, parsed and batched; the last batch is smaller."""
    paths = []
    for number, lines in enumerate(LINES):
        paths.append(os.path.join(folder, f"{number}.csv"))
        with open(paths[-1], "w") as file:
            file.write("".join(f"{line}\n" for line in ["header", *lines]))
    names = tf.train.string_input_producer(paths, num_epochs=1, shuffle=False)
    _, line = tf.TextLineReader(skip_header_lines=1).read(names)
    file, number, value = tf.decode_csv(line, [[0], [0], [0.0]])
    return tf.train.batch([file, number, value], 5, allow_smaller_final_batch=True)


def rows_in_dicts(tf, folder):
    """Rows of tensors; whatever does not fill a batch is left out."""
    row, double = tf.train.slice_input_producer([tf.constant(ROWS), tf.constant(2 * ROWS)], num_epochs=2, shuffle=False)
    return tf.train.batch({"row": row, "double": double}, 4)


def kept_rows(tf, folder):
    """Only some elements are enqueued."""
    number = tf.train.range_input_producer(10, num_epochs=1, shuffle=False, capacity=4).dequeue()
    return tf.train.maybe_batch([number], tf.equal(number % 3, 0), 2)


def padded(tf, folder):
    """Elements of different lengths."""
    number = tf.train.range_input_producer(6, num_epochs=1, shuffle=False).dequeue()
    return tf.train.batch([tf.range(number), number], 3, dynamic_pad=True)


def shuffled(tf, folder):
    """Random order: what comes is compared as a set."""
    row = tf.train.input_producer(tf.constant(ROWS), num_epochs=3, seed=4).dequeue()
    return tf.train.shuffle_batch([row], 7, capacity=20, min_after_dequeue=5, seed=3)


def joined(tf, folder):
    """Two sources."""
    first = tf.train.limit_epochs(tf.constant(1), 6)
    second = tf.train.limit_epochs(tf.constant(2), 2)
    return tf.train.batch_join([[first], [second]], 4, enqueue_many=False)


def joined_rows(tf, folder):
    rows = [tf.train.limit_epochs(tf.constant(ROWS + shift), 1) for shift in (0, 100)]
    return tf.train.shuffle_batch_join([[r] for r in rows], 7, capacity=20, min_after_dequeue=3, enqueue_many=True)


PROGRAMS = {p.__name__: p for p in (lines_of_files, rows_in_dicts, kept_rows, padded, shuffled, joined, joined_rows)}


def built(tf, name):
    """The nodes and queue runners of a program: ([name, op] of each node, [queue, enqueues, close, cancel])."""
    with tf.Graph().as_default() as graph:
        PROGRAMS[name](tf, tempfile.mkdtemp())
        nodes = [[n.name, n.op] for n in graph.as_graph_def().node]
        runners = [[r.name, [e.name for e in r.enqueue_ops], r.close_op.name, r.cancel_op.name]
                   for r in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)]
    return {"nodes": nodes, "runners": runners}


def batches(tf, name):
    """All batches until the input ends."""
    found = []
    with tf.Graph().as_default(), tf.Session() as session, tempfile.TemporaryDirectory() as folder:
        batch = PROGRAMS[name](tf, folder)
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        try:
            while not coord.should_stop():
                found.append(session.run(batch))
        except tf.errors.OutOfRangeError:
            coord.request_stop()
        coord.join(threads)
    return found
