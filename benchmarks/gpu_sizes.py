"""Programs whose sizes change, where there is an accelerator: `python -m benchmarks.gpu_sizes [PART OF A NAME ...]`.

A row shows the first step, the median of all steps, the first 100 steps together and how many programs these compiled:
on the accelerator, and on the same machine's CPU alone. The programs are those of benchmarks.sizes and larger ones.
Each runs in a process of its own, with an empty compile cache, and stops after some seconds; the number of steps up to
then stands in parentheses.
"""

import argparse
import json
import os
import statistics

import numpy as np

from benchmarks.sides import duration
from benchmarks.sizes import (
    PROGRAMS,
    STEPS,
    adam,
    classifier,
    encoder,
    in_process,
    lengths,
    measured,
    normal,
    program,
    stepper,
)

SECONDS = 40  # that a program runs, about
ALL_STEPS = 130  # two rounds of 60 sizes, and a few more
PLATFORMS = {"accelerator": {}, "cpu": {"JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": ""}}


@program("LSTM of 512 units, 60 lengths")
def large_lstm(tf):
    x = tf.placeholder(tf.float32, [64, None, 256])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(512), x, dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(outputs))
    sizes, data = lengths(60), normal(64, 100, 256)
    return stepper(tf, lambda at: {x: data[:, :sizes[at % 60]]}, [adam(tf, loss), loss])


@program("tagger, bidirectional LSTM of 256 units, 60 lengths")
def large_tagger(tf, words=10_000, tags=9):
    ids, labels = tf.placeholder(tf.int32, [None, None]), tf.placeholder(tf.int32, [None, None])
    size = tf.placeholder(tf.int32, [None])
    embedded = tf.nn.embedding_lookup(tf.get_variable("table", [words, 128]), ids)
    cells = [tf.nn.rnn_cell.LSTMCell(256) for _ in range(2)]
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(*cells, embedded, size, dtype=tf.float32)
    scores = tf.layers.dense(tf.concat(outputs, 2), tags)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=scores))
    sizes, generator = lengths(60), np.random.RandomState(0)
    data, tagged = generator.randint(0, words, [32, 100]), generator.randint(0, tags, [32, 100])

    def feeds(at):
        steps = sizes[at % 60]
        return {ids: data[:, :steps], labels: tagged[:, :steps], size: np.full(32, steps)}
    return stepper(tf, feeds, [adam(tf, loss), loss])


@program("10 convolutions of 64 channels, 60 image sizes")
def large_convolutions(tf):
    x = tf.placeholder(tf.float32, [8, None, None, 3])
    hidden = x
    for _ in range(10):
        hidden = tf.layers.conv2d(hidden, 64, 3, padding="same", activation=tf.nn.relu)
    loss = tf.reduce_mean(tf.square(hidden))
    sizes, data = lengths(60, 100), normal(8, 180, 180, 3)
    return stepper(tf, lambda at: {x: data[:, :sizes[at % 60], :sizes[at % 60]]}, [adam(tf, loss), loss])


@program("transformer, 6 layers of 512 units, 60 lengths")
def large_transformer(tf):
    ids, labels = tf.placeholder(tf.int32, [None, None]), tf.placeholder(tf.int32, [None])
    return classifier(tf, encoder(tf, ids, words=10_000, width=512, heads=8, layers=6), ids, labels)


def on_platform(name, platform, seconds):
    """The time of every step and the number of programs compiled up to it, in a process of its own."""
    environment = {key: value for key, value in os.environ.items() if key != "JAX_PLATFORMS"} | PLATFORMS[platform]
    return in_process("evergraph", "--worker", name, "--seconds", seconds, module="benchmarks.gpu_sizes",
                      environment=environment)


def shown(found):
    """The first step, the median, the first steps together and their programs, as text."""
    if found is None:
        return f"{'failed':>42}"
    times, counts = found
    few = min(STEPS, len(times))
    stopped = f" ({few})" if few < STEPS else ""
    return f"{duration(times[0]):>9} {duration(statistics.median(times)):>9} {duration(sum(times[:few])):>9}" \
           f"{stopped:>6} {counts[few - 1]:>6}"


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_sizes", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of the programs; all if none is given")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="after which a program stops")
    parser.add_argument("--worker", metavar="NAME", help="run one program here and print it as JSON")
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(measured("evergraph", options.worker, ALL_STEPS, "wall", options.seconds)), flush=True)
        return
    print(f"{'first step, median, 100 steps, programs':52} {'accelerator':>42} {'CPU':>42}")
    for name in PROGRAMS:
        if not options.names or any(part in name for part in options.names):
            print(f"{name:52} " + " ".join(shown(on_platform(name, each, options.seconds)) for each in PLATFORMS),
                  flush=True)


if __name__ == "__main__":
    main()
