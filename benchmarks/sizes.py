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


def network(tf):
    """(the loss, the input) of a small network with two hidden layers."""
    x = tf.placeholder(tf.float32, [None, 64])
    hidden = tf.layers.dense(tf.layers.dense(x, 128, tf.nn.relu), 128, tf.nn.relu)
    return tf.reduce_mean(tf.square(tf.layers.dense(hidden, 10))), x


def measured(package, name, steps, clock):
    """The time of every step, and the number of programs compiled up to it."""
    tf, now = load(package), CLOCKS[clock]
    step = PROGRAMS[name](tf)
    compiled = _compilations(package)
    before, times, counts = compiled(), [], []
    for at in range(steps):
        start = now()
        step(at)
        times.append(now() - start)
        counts.append(compiled() - before)
    return times, counts


def _compilations(package):
    """A function that returns how many programs this process has compiled; TensorFlow compiles none."""
    if package != "evergraph":
        return lambda: 0
    from evergraph.compile.cache import compilations
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


def in_process(package, *arguments):
    """What a process of its own prints, which finds no compiled programs; None if it fails."""
    with tempfile.TemporaryDirectory() as caches:
        done = subprocess.run([INTERPRETERS[package], "-m", "benchmarks.sizes", *map(str, arguments)], cwd=ROOT,
                              env=_environment() | {"XDG_CACHE_HOME": caches}, text=True, capture_output=True,
                              check=False)
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
