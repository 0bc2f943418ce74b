"""Programs whose sizes change from step to step, on both packages: `python -m benchmarks.sizes [PART OF A NAME ...]`.

A row shows the first step, the median of all steps and of the last ones, the first steps and all steps together, and
how many programs evergraph compiled for the first steps and for all. Each side runs in a process of its own, with an
empty compile cache. With `--clock processor` times are those that all threads spend computing, which other processes
disturb less. `--memory` shows the peak memory of a recurrent network whose lists have room for more steps, beside
lists of the exact length.
"""

import argparse
import functools
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

from benchmarks.sides import INTERPRETERS, ROOT, duration
from benchmarks.worker import load

PROGRAMS = {}
STEPS = 100
ALL_STEPS = 1000
CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}
EDGES = (64, 127, 128, 129, 255, 256)  # lengths around those that lists have room for


def program(name):
    """Adds a program: the function builds a graph and returns the step, a function of the step's number."""
    def decorate(build):
        PROGRAMS[name] = build
        return build
    return decorate


def train(tf, loss, rate=0.01):
    return tf.train.GradientDescentOptimizer(rate).minimize(loss)


def stepper(tf, feeds, *fetches):
    """The step number `at` runs one of the fetches, in turn, on `feeds(at)`."""
    session = tf.Session()
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    tf.train.start_queue_runners(session)
    return lambda at: session.run(fetches[at % len(fetches)], feeds(at))


def lengths(count, low=20):
    """The size of each step: `count` different ones in random order, then again."""
    return np.random.RandomState(1).permutation(count) + low


def normal(*shape):
    return np.random.RandomState(0).randn(*shape).astype(np.float32)


@program("LSTM, 60 lengths")
def lstm(tf):
    x = tf.placeholder(tf.float32, [16, None, 32])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(64), x, dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(outputs))
    sizes, data = lengths(60), normal(16, 100, 32)
    return stepper(tf, lambda at: {x: data[:, :sizes[at % 60]]}, [train(tf, loss), loss])


@program("bidirectional LSTM, 60 lengths")
def bidirectional_lstm(tf):
    x = tf.placeholder(tf.float32, [16, None, 32])
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(*(tf.nn.rnn_cell.LSTMCell(64) for _ in range(2)), x, dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(tf.concat(outputs, 2)))
    sizes, data = lengths(60), normal(16, 100, 32)
    return stepper(tf, lambda at: {x: data[:, :sizes[at % 60]]}, [train(tf, loss), loss])


@program("bidirectional GRU over an embedding, 60 lengths")
def bidirectional(tf):
    ids, size = tf.placeholder(tf.int32, [16, None]), tf.placeholder(tf.int32, [16])
    table = tf.get_variable("table", [1000, 32])
    forward, backward = (tf.nn.rnn_cell.GRUCell(48) for _ in range(2))
    _, states = tf.nn.bidirectional_dynamic_rnn(forward, backward, tf.nn.embedding_lookup(table, ids), size,
                                                dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(tf.concat(states, 1)))
    sizes, data = lengths(60), np.random.RandomState(0).randint(0, 1000, [16, 100])
    return stepper(tf, lambda at: {ids: data[:, :sizes[at % 60]], size: np.arange(1, 17)}, [train(tf, loss), loss])


@program("three convolutions, 60 image sizes")
def convolutions(tf):
    x = tf.placeholder(tf.float32, [4, None, None, 3])
    hidden = x
    for channels in (16, 16, 8):
        hidden = tf.layers.conv2d(hidden, channels, 3, padding="same", activation=tf.nn.relu)
    loss = tf.reduce_mean(tf.square(hidden))
    sizes, data = lengths(60), normal(4, 100, 100, 3)
    return stepper(tf, lambda at: {x: data[:, :sizes[at % 60], :sizes[at % 60]]}, [train(tf, loss), loss])


@program("attention, 60 lengths")
def attention(tf):
    x = tf.placeholder(tf.float32, [8, None, 32])
    query, key, value = (tf.layers.dense(x, 32) for _ in range(3))
    weights = tf.nn.softmax(tf.matmul(query, key, transpose_b=True))
    loss = tf.reduce_mean(tf.square(tf.matmul(weights, value)))
    sizes, data = lengths(60), normal(8, 100, 32)
    return stepper(tf, lambda at: {x: data[:, :sizes[at % 60]]}, [train(tf, loss), loss])


@program("MLP, 60 batch sizes")
def mlp(tf):
    loss, x = network(tf)
    sizes, data = lengths(60), normal(100, 64)
    return stepper(tf, lambda at: {x: data[:sizes[at % 60]]}, [train(tf, loss), loss])


@program("PTB's reader: strided_slice from a queue, LSTM")
def reader(tf, batch=16, steps=10):
    data = tf.constant(np.random.RandomState(0).randint(0, 500, [batch, 2001]), tf.int32)
    at = tf.train.range_input_producer(200, shuffle=False).dequeue()
    ids = tf.strided_slice(data, [0, at * steps], [batch, (at + 1) * steps])
    ids.set_shape([batch, steps])
    targets = tf.strided_slice(data, [0, at * steps + 1], [batch, (at + 1) * steps + 1])
    targets.set_shape([batch, steps])
    inputs = tf.nn.embedding_lookup(tf.get_variable("table", [500, 32]), ids)
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(32), inputs, dtype=tf.float32)
    logits = tf.layers.dense(outputs, 500)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits))
    return stepper(tf, lambda _: None, [train(tf, loss), loss])


@program("two towers, gradients deduplicated by unique")
def towers(tf):
    ids = tf.placeholder(tf.int32, [2, 64])
    table = tf.get_variable("table", [1000, 32])
    optimizer = tf.train.AdagradOptimizer(0.1)
    gradients, losses = [], []
    for tower in range(2):
        losses.append(tf.reduce_mean(tf.square(tf.nn.embedding_lookup(table, ids[tower]))))
        gradients.append(optimizer.compute_gradients(losses[-1], [table])[0][0])
    rows = tf.concat([each.indices for each in gradients], 0)
    values = tf.concat([each.values for each in gradients], 0)
    distinct, places = tf.unique(rows)
    summed = tf.unsorted_segment_sum(values, places, tf.shape(distinct)[0])
    averaged = tf.IndexedSlices(summed / 2.0, distinct, tf.shape(table, out_type=tf.int32))
    clipped, _ = tf.clip_by_global_norm([averaged], 1.0)
    step = optimizer.apply_gradients([(clipped[0], table)])
    data = np.random.RandomState(0).randint(0, 1000, [STEPS, 2, 64])
    return stepper(tf, lambda at: {ids: data[at % STEPS]}, [step, tf.add_n(losses)])


@program("one network, five fetch lists")
def fetch_lists(tf):
    loss, x = network(tf)
    count = tf.train.get_or_create_global_step()
    step = tf.train.AdamOptimizer(0.001).minimize(loss, global_step=count)
    summary = tf.summary.scalar("loss", loss)
    data = normal(32, 64)
    return stepper(tf, lambda _: {x: data}, step, [step, loss], [step, loss, summary], [step, loss, count],
                   [step, loss, summary, count])


@program("GCN's sparse dropout")
def gcn(tf, count=2000):
    generator = np.random.RandomState(0)
    indices = np.unique(np.stack([generator.randint(0, 500, count), generator.randint(0, 300, count)], 1), axis=0)
    x = tf.sparse_placeholder(tf.float32)
    kept = tf.cast(tf.floor(0.5 + tf.random_uniform([len(indices)])), tf.bool)
    dropped = tf.sparse_retain(x, kept) * 2.0
    hidden = tf.nn.relu(tf.sparse_tensor_dense_matmul(dropped, tf.get_variable("w", [300, 16])))
    loss = tf.reduce_mean(tf.square(tf.matmul(hidden, tf.get_variable("out", [16, 7]))))
    value = (indices, np.ones(len(indices), np.float32), (500, 300))
    return stepper(tf, lambda _: {x: value}, [train(tf, loss), loss])


@program("sampled softmax")
def sampled(tf):
    ids, labels = tf.placeholder(tf.int32, [64]), tf.placeholder(tf.int64, [64, 1])
    inputs = tf.nn.embedding_lookup(tf.get_variable("table", [5000, 32]), ids)
    weights, bias = tf.get_variable("w", [5000, 32]), tf.get_variable("b", [5000])
    loss = tf.reduce_mean(tf.nn.sampled_softmax_loss(weights, bias, labels, inputs, 64, 5000))
    data = np.random.RandomState(0).randint(0, 5000, [STEPS, 64])
    feeds = lambda at: {ids: data[at % STEPS], labels: data[(at + 1) % STEPS, :, None]}
    return stepper(tf, feeds, [train(tf, loss), loss])


@program("boolean_mask in a loss")
def masked(tf):
    x, mask = tf.placeholder(tf.float32, [64, 32]), tf.placeholder(tf.bool, [64])
    each = tf.reduce_sum(tf.square(tf.layers.dense(tf.layers.dense(x, 64, tf.nn.relu), 8)), 1)
    loss = tf.reduce_mean(tf.boolean_mask(each, mask))
    data, kept = normal(64, 32), np.random.RandomState(0).rand(STEPS, 64) < 0.5
    return stepper(tf, lambda at: {x: data, mask: kept[at % STEPS]}, [train(tf, loss), loss])


@program("beam search of changing length")
def beam_search(tf, beams=4, words=50, width=32):
    most = tf.placeholder(tf.int32, [])
    table, cell = tf.get_variable("table", [words, width]), tf.nn.rnn_cell.GRUCell(width)
    out = tf.get_variable("out", [width, words])

    def step(at, state, scores, last, found):
        _, state = cell(tf.nn.embedding_lookup(table, last), state)
        all_scores = tf.reshape(scores[:, None] + tf.nn.log_softmax(tf.matmul(state, out)), [-1])
        scores, best = tf.nn.top_k(all_scores, beams)
        last = best % words
        return at + 1, tf.gather(state, best // words), scores, last, found.write(at, last)

    found = tf.TensorArray(tf.int32, 0, dynamic_size=True, element_shape=[beams])
    start = (0, tf.zeros([beams, width]), tf.zeros([beams]), tf.zeros([beams], tf.int32), found)
    ends = tf.while_loop(lambda at, *_: at < most, step, start)
    sizes = lengths(60, 5)
    return stepper(tf, lambda at: {most: sizes[at % 60]}, [ends[-1].stack(), ends[2]])


@program("transformer, 60 lengths")
def transformer(tf):
    ids, labels = tf.placeholder(tf.int32, [None, None]), tf.placeholder(tf.int32, [None])
    return classifier(tf, encoder(tf, ids, words=1000, width=64, heads=4, layers=2), ids, labels)


def encoder(tf, ids, words, width, heads, layers):
    """The mean of what the layers of a transformer make of each sentence."""
    hidden = tf.nn.embedding_lookup(tf.get_variable("table", [words, width]), ids)
    shape = tf.shape(ids)
    for _ in range(layers):
        query, key, value = (tf.transpose(tf.reshape(tf.layers.dense(hidden, width), [shape[0], shape[1], heads, -1]),
                                          [0, 2, 1, 3]) for _ in range(3))
        weights = tf.nn.softmax(tf.matmul(query, key, transpose_b=True) / (width / heads) ** 0.5)
        mixed = tf.reshape(tf.transpose(tf.matmul(weights, value), [0, 2, 1, 3]), [shape[0], shape[1], width])
        hidden = normalized(tf, hidden + tf.layers.dense(mixed, width))
        hidden = normalized(tf, hidden + tf.layers.dense(tf.layers.dense(hidden, 4 * width, tf.nn.relu), width))
    return tf.reduce_mean(hidden, 1)


@program("text classifier with convolutions, 60 lengths")
def text_convolutions(tf):
    ids, labels = tf.placeholder(tf.int32, [None, None]), tf.placeholder(tf.int32, [None])
    words = tf.nn.embedding_lookup(tf.get_variable("table", [1000, 64]), ids)
    found = [tf.reduce_max(tf.layers.conv1d(words, 64, size, activation=tf.nn.relu), 1) for size in (3, 4, 5)]
    return classifier(tf, tf.layers.dropout(tf.concat(found, 1), training=True), ids, labels)


@program("tagger with a CRF, 60 lengths")
def tagger(tf, tags=9):
    x, labels = tf.placeholder(tf.float32, [16, None, 32]), tf.placeholder(tf.int32, [16, None])
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(*(tf.nn.rnn_cell.LSTMCell(32) for _ in range(2)), x, dtype=tf.float32)
    scores, moves = tf.layers.dense(tf.concat(outputs, 2), tags), tf.get_variable("moves", [tags, tags])
    rows = tf.transpose(scores, [1, 0, 2])
    sums = tf.scan(lambda before, row: tf.reduce_logsumexp(before[:, :, None] + moves, 1) + row, rows[1:], rows[0])
    steps = tf.gather_nd(moves, tf.stack([labels[:, :-1], labels[:, 1:]], 2))
    path = tf.reduce_sum(scores * tf.one_hot(labels, tags), [1, 2]) + tf.reduce_sum(steps, 1)
    loss = tf.reduce_mean(tf.reduce_logsumexp(sums[-1], 1) - path)
    sizes, data = lengths(60), normal(16, 100, 32)
    tagged = np.random.RandomState(0).randint(0, tags, [16, 100])
    return stepper(tf, lambda at: {x: data[:, :sizes[at % 60]], labels: tagged[:, :sizes[at % 60]]},
                   [adam(tf, loss), loss])


@program("decoder with attention, 60 lengths of two kinds")
def decoder(tf, width=64, words=500):
    source, target = tf.placeholder(tf.int32, [16, None]), tf.placeholder(tf.int32, [16, None])
    table, query = tf.get_variable("table", [words, width]), tf.get_variable("query", [width, width])
    encoded, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(width), tf.nn.embedding_lookup(table, source),
                                       dtype=tf.float32, scope="encoder")
    cell, count = tf.nn.rnn_cell.GRUCell(width), tf.shape(target)[1]
    steps = tf.TensorArray(tf.float32, count).unstack(tf.transpose(tf.nn.embedding_lookup(table, target), [1, 0, 2]))

    def step(at, state, found):
        weights = tf.nn.softmax(tf.reduce_sum(tf.tanh(encoded + tf.matmul(state, query)[:, None]), 2))
        output, state = cell(tf.concat([steps.read(at), tf.reduce_sum(weights[:, :, None] * encoded, 1)], 1), state)
        return at + 1, state, found.write(at, output)
    _, _, found = tf.while_loop(lambda at, *_: at < count, step, [0, state, tf.TensorArray(tf.float32, count)])
    logits = tf.layers.dense(tf.transpose(found.stack(), [1, 0, 2]), words)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits))
    sizes, data = lengths(60), np.random.RandomState(0).randint(0, words, [16, 100])
    return stepper(tf, lambda at: {source: data[:, :sizes[at % 60]], target: data[:, :sizes[at * 7 % 60]]},
                   [adam(tf, loss), loss])


@program("MLP of 512 units, 60 batch sizes")
def large_mlp(tf):
    x = tf.placeholder(tf.float32, [None, 256])
    hidden = x
    for _ in range(3):
        hidden = tf.layers.dense(hidden, 512, tf.nn.relu)
    loss = tf.reduce_mean(tf.square(tf.layers.dense(hidden, 10)))
    sizes, data = lengths(60, 200), normal(300, 256)
    return stepper(tf, lambda at: {x: data[:sizes[at % 60]]}, [adam(tf, loss), loss])


@program("U-Net, 60 heights and widths")
def u_net(tf):
    def convolved(x, channels):
        return tf.layers.conv2d(x, channels, 3, padding="same", activation=tf.nn.relu)
    x = tf.placeholder(tf.float32, [None, None, None, 3])
    fine = convolved(x, 16)
    coarse = convolved(tf.layers.max_pooling2d(fine, 2, 2, padding="same"), 32)
    both = tf.concat([fine, tf.image.resize_bilinear(coarse, tf.shape(fine)[1:3])], 3)
    loss = tf.reduce_mean(tf.square(tf.layers.conv2d(convolved(both, 16), 1, 1)))
    sizes, data = lengths(60), normal(2, 100, 100, 3)
    return stepper(tf, lambda at: {x: data[:, :sizes[at % 60], :sizes[at * 7 % 60]]}, [adam(tf, loss), loss])


@program("speech with CTC, 60 lengths and sparse labels")
def speech(tf, batch=8, features=20, letters=20, width=32):
    x, size, labels = tf.placeholder(tf.float32, [None, None, features]), tf.placeholder(tf.int32, [None]), \
        tf.sparse_placeholder(tf.int32)
    hidden = tf.minimum(tf.layers.dense(tf.transpose(x, [1, 0, 2]), width, tf.nn.relu), 20.0)
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(*(tf.nn.rnn_cell.LSTMCell(width) for _ in range(2)), hidden, size,
                                                 dtype=tf.float32, time_major=True)
    logits = tf.layers.dense(tf.concat(outputs, 2), letters + 1)
    loss = tf.reduce_mean(tf.nn.ctc_loss(labels, logits, size))
    found, _ = tf.nn.ctc_greedy_decoder(logits, size)
    rate = tf.reduce_mean(tf.edit_distance(tf.cast(found[0], tf.int32), labels))
    sizes, data = lengths(60), normal(batch, 100, features)

    def feeds(at):
        generator, length = np.random.RandomState(at % 60), sizes[at % 60]
        counts = generator.randint(1, length // 3, batch)
        places = np.array([[row, place] for row in range(batch) for place in range(counts[row])])
        said = (places, generator.randint(0, letters, len(places)), [batch, counts.max()])
        return {x: data[:, :length], size: generator.randint(length * 3 // 4, length + 1, batch), labels: said}
    step = [adam(tf, loss), loss]
    return stepper(tf, feeds, step, step, step, [*step, rate])


@program("DIEN's interest evolution, 60 lengths")
def interests(tf, items=1000, width=18, batch=16):
    history, others, mask = tf.placeholder(tf.int32, [None, None]), tf.placeholder(tf.int32, [None, None]), \
        tf.placeholder(tf.float32, [None, None])
    size, item, labels = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None]), \
        tf.placeholder(tf.int32, [None])
    table = tf.get_variable("table", [items, width])
    seen, unseen, target = (tf.nn.embedding_lookup(table, ids) for ids in (history, others, item))
    states, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(width), seen, size, dtype=tf.float32, scope="interests")
    clicks = [tf.layers.dense(tf.concat([states[:, :-1], next[:, 1:]], 2), 1, tf.nn.sigmoid, name="click",
                              reuse=tf.AUTO_REUSE)[:, :, 0] for next in (seen, unseen)]
    auxiliary = -tf.reduce_mean((tf.log(clicks[0] + 1e-6) + tf.log(1.0 - clicks[1] + 1e-6)) * mask[:, 1:])
    query = tf.tile(target[:, None], [1, tf.shape(states)[1], 1])
    scores = tf.layers.dense(tf.concat([query, states, query - states, query * states], 2), 1)[:, :, 0]
    scores = tf.nn.softmax(tf.where(mask > 0.0, scores, -1e9 * tf.ones_like(scores)))
    _, final = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(width), states * scores[:, :, None], size, dtype=tf.float32,
                                 scope="evolution")
    logits = tf.layers.dense(tf.layers.batch_normalization(tf.concat([target, final], 1), training=True), 2)
    loss = auxiliary + tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    sizes, data = lengths(60, 5), np.random.RandomState(0).randint(0, items, [batch, 100])

    def feeds(at):
        generator, length = np.random.RandomState(at % 60), sizes[at % 60]
        counts = generator.randint(1, length + 1, batch)
        return {history: data[:, :length], others: data[::-1, :length], mask: np.arange(length) < counts[:, None],
                size: counts, item: data[:, 99], labels: generator.randint(0, 2, batch)}
    return stepper(tf, feeds, [adam(tf, loss), loss])


@program("SSD's hard negatives, a number for each batch")
def hard_negatives(tf, batch=4, classes=6, boxes=1344):
    images, labels = tf.placeholder(tf.float32, [None, 64, 64, 3]), tf.placeholder(tf.int32, [None, None])
    places = tf.placeholder(tf.float32, [None, None, 4])
    hidden, scores, found = tf.layers.conv2d(images, 8, 3, 2, padding="same", activation=tf.nn.relu), [], []
    for _ in range(3):
        hidden = tf.layers.conv2d(hidden, 16, 3, 2, padding="same", activation=tf.nn.relu)
        for made, size in ((scores, classes), (found, 4)):
            made.append(tf.reshape(tf.layers.conv2d(hidden, 4 * size, 3, padding="same"), [-1, size]))
    scores, found, labels_of, wanted = tf.concat(scores, 0), tf.concat(found, 0), tf.reshape(labels, [-1]), \
        tf.reshape(places, [-1, 4])
    is_object = labels_of > 0
    count = tf.reduce_sum(tf.cast(is_object, tf.int32))
    background = tf.where(is_object, tf.ones_like(scores[:, 0]), tf.nn.softmax(scores)[:, 0])
    hardest, _ = tf.nn.top_k(-background, tf.minimum(3 * count + batch, batch * boxes))
    counted = tf.cast(tf.logical_or(is_object, background <= -hardest[-1]), tf.float32)
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels_of, logits=scores)
    distance = tf.abs(tf.boolean_mask(found, is_object) - tf.boolean_mask(wanted, is_object))
    smooth = tf.where(distance < 1.0, 0.5 * tf.square(distance), distance - 0.5)
    loss = tf.reduce_sum(each * counted) / batch + tf.reduce_sum(smooth) / tf.cast(count, tf.float32)
    data, targets = normal(batch, 64, 64, 3), normal(batch, boxes, 4)

    def feeds(at):
        generator = np.random.RandomState(at % 60)
        objects = generator.rand(batch, boxes) < 0.005 * (1 + at % 10)
        return {images: data, places: targets, labels: generator.randint(1, classes, [batch, boxes]) * objects}
    return stepper(tf, feeds, [adam(tf, loss), loss])


@program("YOLO, another image size every ten batches")
def many_scales(tf, batch=2, numbers=9):
    images, is_training = tf.placeholder(tf.float32, [None, None, None, 3]), tf.placeholder_with_default(True, [])
    truth = tf.placeholder(tf.float32, [None, None, None, 3, numbers])

    def convolved(x, channels, stride):
        x = tf.layers.conv2d(x, channels, 3, stride, padding="same", use_bias=False)
        return tf.nn.leaky_relu(tf.layers.batch_normalization(x, training=is_training), 0.1)
    hidden = convolved(convolved(images, 8, 2), 16, 2)
    hidden = convolved(hidden + convolved(hidden, 16, 1), 32, 2)
    shape = tf.shape(truth)
    found = tf.reshape(tf.layers.conv2d(hidden, 3 * numbers, 1), [-1, shape[1], shape[2], 3, numbers])
    centers, is_object = tf.sigmoid(found[..., :4]), truth[..., 4:5]

    def ignored(at, masks):
        boxes = tf.boolean_mask(truth[at, ..., :4], tf.cast(is_object[at, ..., 0], tf.bool))
        nearest = tf.reduce_min(tf.reduce_sum(tf.square(centers[at][..., None, :] - boxes), -1), -1)
        return at + 1, masks.write(at, tf.cast(nearest > 0.1, tf.float32))
    masks = tf.TensorArray(tf.float32, 1, dynamic_size=True)
    masks = tf.while_loop(lambda at, _: at < shape[0], ignored, [0, masks])[1].stack()[..., None]
    sure = tf.nn.sigmoid_cross_entropy_with_logits(labels=is_object, logits=found[..., 4:5])
    loss = tf.reduce_sum(is_object * tf.square(centers - truth[..., :4])) \
        + tf.reduce_sum(sure * (is_object + (1.0 - is_object) * tf.stop_gradient(masks)))
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        step = adam(tf, loss)
    data = normal(batch, 160, 160, 3)

    def feeds(at):
        size = 16 * np.random.RandomState(at // 10 % 60).randint(4, 11)
        objects = np.random.RandomState(at % 60).rand(batch, size // 8, size // 8, 3, numbers).astype(np.float32)
        objects[..., 4] = objects[..., 4] < 0.02
        return {images: data[:, :size, :size], truth: objects}
    return stepper(tf, feeds, [step, loss])


@program("Faster R-CNN's proposals, 60 heights and widths")
def proposals(tf, kinds=5):
    image, truth = tf.placeholder(tf.float32, [1, None, None, 3]), tf.placeholder(tf.float32, [None, 5])
    hidden = image
    for channels in (8, 16, 16):
        hidden = tf.layers.conv2d(hidden, channels, 3, 2, padding="same", activation=tf.nn.relu)
    scores = tf.reshape(tf.layers.conv2d(hidden, 3, 1), [-1])
    shape = tf.shape(hidden)
    rows, columns = tf.meshgrid(tf.range(shape[1]), tf.range(shape[2]), indexing="ij")
    corners = tf.cast(tf.stack([rows, columns, rows, columns], 2), tf.float32)[:, :, None]
    anchors = corners + np.float32([[-1, -1, 2, 2], [-2, -1, 3, 2], [-1, -2, 2, 3]])
    moves = tf.tanh(tf.reshape(tf.layers.conv2d(hidden, 12, 1), [shape[1], shape[2], 3, 4]))
    boxes = tf.reshape(anchors + moves, [-1, 4]) / tf.cast(tf.tile(shape[1:3], [2]), tf.float32)
    best, order = tf.nn.top_k(scores, tf.minimum(200, tf.size(scores)))
    kept = tf.image.non_max_suppression(tf.gather(boxes, order), best, 32, 0.7)
    regions = tf.stop_gradient(tf.concat([tf.gather(tf.gather(boxes, order), kept), truth[:, :4]], 0))
    low, high = tf.maximum(regions[:, None, :2], truth[:, :2]), tf.minimum(regions[:, None, 2:], truth[:, 2:4])
    shared = tf.reduce_prod(tf.maximum(high - low, 0.0), 2)
    areas = [tf.reduce_prod(each[:, 2:4] - each[:, :2], 1) for each in (regions, truth)]
    overlap = shared / (areas[0][:, None] + areas[1] - shared)
    labels = tf.where(tf.reduce_max(overlap, 1) > 0.5, tf.cast(tf.gather(truth[:, 4], tf.argmax(overlap, 1)), tf.int32),
                      tf.zeros_like(regions[:, 0], tf.int32))
    crops = tf.image.crop_and_resize(hidden, regions, tf.zeros_like(labels), [8, 8])
    features = tf.layers.dense(tf.layers.flatten(tf.layers.max_pooling2d(crops, 2, 2)), 64, tf.nn.relu)
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.layers.dense(features, kinds))
    near = tf.boolean_mask(tf.layers.dense(features, 4), labels > 0)
    loss = tf.reduce_mean(each) + 0.1 * tf.reduce_sum(tf.square(near)) + tf.reduce_mean(tf.square(scores))
    sizes, data = lengths(60, 70), normal(1, 150, 150, 3)

    def feeds(at):
        generator = np.random.RandomState(at % 60)
        start = generator.rand(generator.randint(1, 8), 2) * 0.7
        kind = generator.randint(1, kinds, [len(start), 1])
        return {image: data[:, :sizes[at % 60], :sizes[at * 7 % 60]], truth: np.hstack([start, start + 0.2, kind])}
    return stepper(tf, feeds, [adam(tf, loss), loss])


@program("graph attention over 60 sparse graphs")
def graph_attention(tf, features=16, width=8, kinds=7):
    x, edges = tf.placeholder(tf.float32, [None, features]), tf.sparse_placeholder(tf.float32)
    labels = tf.placeholder(tf.int32, [None])

    def head(nodes, width):
        nodes = tf.layers.dense(nodes, width, use_bias=False)
        scores = tf.sparse_add(edges * tf.layers.dense(nodes, 1), edges * tf.transpose(tf.layers.dense(nodes, 1)))
        scores = tf.SparseTensor(scores.indices, tf.nn.leaky_relu(scores.values), scores.dense_shape)
        return tf.sparse_tensor_dense_matmul(tf.sparse_softmax(scores), nodes)
    hidden = tf.concat([tf.nn.elu(head(x, width)) for _ in range(4)], 1)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=head(hidden, kinds)))
    sizes, data, graphs = lengths(60, 50), normal(200, features), {}
    for size in sizes:
        pairs = [np.random.RandomState(size).randint(0, size, [4 * size, 2]), np.stack([np.arange(size)] * 2, 1)]
        pairs = np.unique(np.concatenate(pairs), axis=0)
        graphs[size] = (pairs, np.ones(len(pairs), np.float32), (size, size))
    known = np.random.RandomState(0).randint(0, kinds, 200)
    return stepper(tf, lambda at: {x: data[:sizes[at % 60]], edges: graphs[sizes[at % 60]],
                                   labels: known[:sizes[at % 60]]}, [adam(tf, loss), loss])


@program("network over trees of 60 sizes")
def trees(tf, words=200, width=32):
    is_leaf, word, left, right, labels = (tf.placeholder(dtype, [None]) for dtype in (tf.bool, *[tf.int32] * 4))
    table, both = tf.get_variable("table", [words, width]), tf.get_variable("both", [2 * width, width])

    def node(at, nodes):
        children = lambda: [nodes.read(tf.gather(each, at)) for each in (left, right)]
        value = tf.cond(tf.gather(is_leaf, at), lambda: tf.gather(table, tf.gather(word, at)[None]),
                        lambda: tf.tanh(tf.matmul(tf.concat(children(), 1), both)))
        return at + 1, nodes.write(at, value)
    nodes = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False, element_shape=[1, width])
    _, nodes = tf.while_loop(lambda at, _: at < tf.size(is_leaf), node, [0, nodes])
    logits = tf.layers.dense(nodes.concat(), 5)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    sizes = lengths(60, 3)

    def feeds(at):
        generator, leaves = np.random.RandomState(at % 60), sizes[at % 60]
        free, children, count = list(range(leaves)), np.zeros([2 * leaves - 1, 2], int), 2 * leaves - 1
        for parent in range(leaves, count):
            place = generator.randint(len(free) - 1)
            children[parent], free[place:place + 2] = free[place:place + 2], [parent]
        return {is_leaf: np.arange(count) < leaves, word: generator.randint(0, words, count), left: children[:, 0],
                right: children[:, 1], labels: generator.randint(0, 5, count)}
    return stepper(tf, feeds, [train(tf, loss), loss])


def adam(tf, loss):
    """Trains with gradients that are clipped."""
    optimizer = tf.train.AdamOptimizer()
    slopes, variables = zip(*optimizer.compute_gradients(loss))
    return optimizer.apply_gradients(zip(tf.clip_by_global_norm(slopes, 5.0)[0], variables))


def normalized(tf, x):
    """Layer normalization with weights of its own."""
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    with tf.variable_scope(None, "norm"):
        scale, offset = (tf.get_variable(name, x.shape[-1:]) for name in ("scale", "offset"))
    return (x - mean) * tf.rsqrt(variance + 1e-6) * (scale + 1.0) + offset


def classifier(tf, features, ids, labels):
    """The step that trains to find one of five classes in sentences of many lengths."""
    logits = tf.layers.dense(features, 5)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    generator, sizes = np.random.RandomState(0), lengths(60)
    data, classes = generator.randint(0, 1000, [32, 100]), generator.randint(0, 5, 32)
    return stepper(tf, lambda at: {ids: data[:, :sizes[at % 60]], labels: classes}, [adam(tf, loss), loss])


def network(tf):
    """(the loss, the input) of a small network with two hidden layers."""
    x = tf.placeholder(tf.float32, [None, 64])
    hidden = tf.layers.dense(tf.layers.dense(x, 128, tf.nn.relu), 128, tf.nn.relu)
    return tf.reduce_mean(tf.square(tf.layers.dense(hidden, 10))), x


def measured(package, name, steps, clock, seconds=math.inf):
    """The time of every step, and the number of programs compiled up to it; stops after some seconds."""
    tf, now = load(package), CLOCKS[clock]
    step = PROGRAMS[name](tf)
    compiled = _compilations(package)
    before, times, counts = compiled(), [], []
    for at in range(steps):
        start = now()
        step(at)
        times.append(now() - start)
        counts.append(compiled() - before)
        if sum(times) > seconds:
            break
    return times, counts


def _compilations(package):
    """A function that returns how many programs this process has compiled; TensorFlow compiles none."""
    if package != "evergraph":
        return lambda: 0
    from evergraph.compile.policy import compilations
    return lambda: compilations.count


def peak(length, is_padded):
    """(MiB of memory at most, seconds of a step) of an LSTM of one length, compiled for it or for all that fit."""
    tf = load("evergraph")
    x = tf.placeholder(tf.float32, [64, None, 64])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(256), x, dtype=tf.float32)
    data = normal(64, length, 64)
    step = stepper(tf, lambda at: {x: data[:, :8] if is_padded and at == 0 else data},
                   train(tf, tf.reduce_mean(tf.square(outputs))))
    times = []
    for at in range(12):
        start = time.process_time()
        step(at)
        times.append(time.process_time() - start)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, statistics.median(times[4:])


@functools.cache
def _environment():
    return os.environ | {"CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3"}


def in_process(package, *arguments, module="benchmarks.sizes", environment=None):
    """What a process of its own prints, which finds no compiled programs; None if it fails."""
    with tempfile.TemporaryDirectory() as caches:
        done = subprocess.run([INTERPRETERS[package], "-m", module, *map(str, arguments)], cwd=ROOT,
                              env=(environment or _environment()) | {"XDG_CACHE_HOME": caches}, text=True,
                              capture_output=True, check=False)
    if done.returncode:
        print(f"{' '.join(map(str, arguments))}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def report(names, steps, clock):
    few = min(STEPS, steps)
    titles = ("first step", "median", f"median of last {few}", f"first {few} steps", f"{steps} steps")
    print(f"{'':50} {' '.join(f'{title:>18}' for title in titles)} {'compilations':>13}")
    for name in names:
        found = [in_process(package, "--worker", package, name, "--steps", steps, "--clock", clock)
                 for package in ("evergraph", "tensorflow")]
        cells = [[each and duration(summarize(each[0])) or "failed" for each in found]
                 for summarize in (lambda times: times[0], statistics.median,
                                   lambda times: statistics.median(times[-few:]), lambda times: sum(times[:few]), sum)]
        compiled = f"{found[0][1][few - 1]}, {found[0][1][-1]}" if found[0] else ""
        print(f"{name:50} " + " ".join(f"{ours + ' / ' + theirs:>18}" for ours, theirs in cells) + f" {compiled:>13}",
              flush=True)


def report_memory():
    print(f"{'LSTM, steps':12} {'exact':>20} {'with room for more':>20}")
    for length in EDGES:
        found = [in_process("evergraph", "--peak", length, is_padded) for is_padded in (0, 1)]
        cells = [each and f"{each[0]:.0f} MiB, {duration(each[1])}" or "failed" for each in found]
        print(f"{length:<12} {cells[0]:>20} {cells[1]:>20}", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sizes", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of the programs; all if none is given")
    parser.add_argument("--steps", type=int, default=ALL_STEPS)
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--memory", action="store_true", help="show the memory of padded lists instead")
    parser.add_argument("--worker", nargs=2, metavar=("PACKAGE", "NAME"), help="run one side and print it as JSON")
    parser.add_argument("--peak", nargs=2, type=int, metavar=("LENGTH", "PADDED"), help="measure memory; print JSON")
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(measured(*options.worker, options.steps, options.clock)))
    elif options.peak:
        print(json.dumps(peak(*options.peak)))
    elif options.memory:
        report_memory()
    else:
        names = [n for n in PROGRAMS if not options.names or any(part in n for part in options.names)]
        report(names, options.steps, options.clock)


if __name__ == "__main__":
    main()
