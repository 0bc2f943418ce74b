"""How the cost of a graph grows with its nodes: `make growth` builds, plans and compiles graphs of 1e3 to 1e5 nodes.

    python -m benchmarks.growth [--nodes 1000 10000] [--shapes chain]
    python -m benchmarks.growth --variables 10 100 1000
    python -m benchmarks.growth --rows 10000 1000000
    python -m benchmarks.growth --fetches 1 10 100

The other forms measure training steps, with everything compiled: of a network with so many small variables and Adam's
slots, and the first run of their initializer; of an embedding of so many rows, of which a step uses 1,024; of a network
of which so many tensors are fetched.

`plan` is the first run on NumPy, `compile` the first one with XLA. A row is a graph in a process of its own: a chain,
where each node reads the one before, or a wide one of short chains side by side; either ends in the update of a
variable. Times are those of the processor, all threads together, so that other programs on the machine do not count.
Time per node should stay flat; exit status 1 says that it more than doubled from the smallest graph to the largest.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from rich.console import Console
from rich.table import Table

ROOT = pathlib.Path(__file__).parent.parent
PARTS = ("build", "plan", "compile", "step")
MOST = 2.0  # times as long per node
LINK = 4  # nodes of a link
LENGTH = 10  # links of a chain among many
STEPS = 50
WIDTH, USED = 32, 1024  # of the rows of a table


def chain(tf, x, nodes):
    """One long chain of elementwise nodes."""
    for _ in range(nodes // LINK):
        x = tf.tanh(x * 1.01) + tf.square(x)
    return x


def wide(tf, x, nodes):
    """Many short chains, and their sum."""
    count = max(1, nodes // (LINK * LENGTH))
    return tf.add_n([chain(tf, x + float(number), LINK * LENGTH) for number in range(count)])


SHAPES = {"chain": chain, "wide": wide}


def measure(shape, nodes):
    """{part: seconds of the processor} for a graph; `nodes` is how many it really has."""
    import evergraph as tf

    tf.Session(tier="xla").run(tf.constant(1.0) + 1.0)  # loads what every program needs
    clock = [time.process_time()]
    with tf.Graph().as_default() as graph:
        total = tf.get_variable("total", [64], initializer=tf.zeros_initializer())
        x = tf.placeholder(tf.float32, [64])
        update = total.assign_add(SHAPES[shape](tf, x, nodes)).op
        start = tf.global_variables_initializer()
        clock.append(time.process_time())
        for tier, runs in (("numpy", 1), ("xla", 2)):
            with tf.Session(tier=tier) as session:
                session.run(start)
                for _ in range(runs):
                    session.run(update, {x: [0.5] * 64})
                    clock.append(time.process_time())
    return {"nodes": len(graph.get_operations())} | dict(zip(PARTS, [b - a for a, b in zip(clock, clock[1:])]))


def timed_steps(tf, session, train, fetches=(), feed=None):
    """{part: seconds of the processor} of the initializer, of the first step, and of the quickest of many."""
    clock = [time.process_time()]
    session.run(tf.global_variables_initializer())
    for _ in range(1 + STEPS):
        clock.append(time.process_time())
        session.run([train, *fetches], feed)
    clock.append(time.process_time())
    initializer, first, *steps = [b - a for a, b in zip(clock, clock[1:])]
    return {"initializer": initializer, "first step": first, "step": min(steps)}


def variables(tf, session, count):
    """The step of a network with many variables."""
    found = [tf.get_variable(f"v{i}", [8], initializer=tf.random_normal_initializer()) for i in range(count)]
    loss = tf.add_n([tf.reduce_sum(tf.square(v)) for v in found])
    return timed_steps(tf, session, tf.train.AdamOptimizer().minimize(loss))


def rows(tf, session, count):
    """The step of an embedding with many rows."""
    table = tf.get_variable("table", [count, WIDTH], initializer=tf.random_normal_initializer())
    ids = tf.placeholder(tf.int32, [USED])
    loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, ids)))
    train = tf.train.AdagradOptimizer(0.1).minimize(loss)
    return timed_steps(tf, session, train, feed={ids: [number * 7919 % count for number in range(USED)]})


def fetches(tf, session, count):
    """The step of a network of which many tensors are fetched."""
    x = tf.placeholder(tf.float32, [32, 64])
    layers = [x]
    for number in range(100):
        weights = tf.get_variable(f"w{number}", [64, 64], initializer=tf.random_normal_initializer(stddev=0.1))
        layers.append(tf.tanh(tf.matmul(layers[-1], weights)))
    train = tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_sum(layers[-1]))
    fetched = [tf.reduce_mean(layer) for layer in layers[-count:]]
    return timed_steps(tf, session, train, fetched, {x: [[0.5] * 64] * 32})


STEPS_OF = {"variables": variables, "rows": rows, "fetches": fetches}


def measure_step(kind, count):
    """{part: seconds of the processor} of a training step with so many of something."""
    import evergraph as tf

    tf.Session(tier="xla").run(tf.constant(1.0) + 1.0)
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        return {kind: count} | STEPS_OF[kind](tf, session, count)


def in_process(shape, nodes):
    """What a process of its own measures, with an empty cache of compiled programs."""
    with tempfile.TemporaryDirectory() as empty:
        said = subprocess.run([sys.executable, "-m", "benchmarks.growth", "--measure", shape, str(nodes)], cwd=ROOT,
                              env=os.environ | {"XDG_CACHE_HOME": empty}, text=True, capture_output=True)
    if said.returncode:
        raise RuntimeError(said.stderr[-2000:])
    return json.loads(said.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    for kind, row in STEPS_OF.items():
        parser.add_argument(f"--{kind}", type=int, nargs="+", help=row.__doc__)
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        kind, size = options.measure
        print(json.dumps((measure_step if kind in STEPS_OF else measure)(kind, int(size))))
        return
    asked = {kind: counts for kind in STEPS_OF if (counts := getattr(options, kind))}
    for kind, counts in asked.items():
        show_steps([in_process(kind, count) for count in counts])
    if asked:
        return
    found = {shape: [in_process(shape, nodes) for nodes in options.nodes] for shape in options.shapes}
    show(found)
    sys.exit(any(per_node(rows[-1]) > MOST * per_node(rows[0]) for rows in found.values()))


def per_node(row):
    """Seconds for building, planning and compiling, by node."""
    return sum(row[part] for part in PARTS[:3]) / row["nodes"]


def show_steps(found):
    table = Table(title="milliseconds of the processor")
    for column in found[0]:
        table.add_column(column, justify="right")
    for count, *parts in (row.values() for row in found):
        table.add_row(f"{count:,}", *(f"{1000 * part:,.2f}" for part in parts))
    Console(width=110).print(table)


def show(found):
    table = Table(title="microseconds of the processor per node")
    for column in ("graph", "nodes", *PARTS, "together, without the step"):
        table.add_column(column, justify="left" if column == "graph" else "right")
    for shape, rows in found.items():
        for row in rows:
            parts = [f"{row[part] / row['nodes'] * 1e6:,.1f}" for part in PARTS]
            table.add_row(shape, f"{row['nodes']:,}", *parts, f"{per_node(row) * 1e6:,.1f}")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
