"""How the cost of a graph grows with its nodes: `make growth` builds, plans and compiles graphs of 1e3 to 1e5 nodes.

    python -m benchmarks.growth [--nodes 1000 10000] [--shapes chain]
    python -m benchmarks.growth --variables 10 100 1000

The second form measures the training step of a network with so many small variables and Adam's slots, and the first run
of their initializer, with everything compiled.

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


def measure_variables(count):
    """{part: seconds of the processor}; of the step, the least of many."""
    import evergraph as tf

    tf.Session(tier="xla").run(tf.constant(1.0) + 1.0)
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        variables = [tf.get_variable(f"v{i}", [8], initializer=tf.random_normal_initializer()) for i in range(count)]
        loss = tf.add_n([tf.reduce_sum(tf.square(v)) for v in variables])
        train = tf.train.AdamOptimizer().minimize(loss)
        clock = [time.process_time()]
        for fetch in (tf.global_variables_initializer(), train):
            session.run(fetch)
            clock.append(time.process_time())
        steps = [clock[-1]]
        for _ in range(STEPS):
            session.run(train)
            steps.append(time.process_time())
    return {"variables": count, "initializer": clock[1] - clock[0], "first step": clock[2] - clock[1],
            "step": min(b - a for a, b in zip(steps, steps[1:]))}


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
    parser.add_argument("--variables", type=int, nargs="+")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        shape, size = options.measure
        print(json.dumps(measure_variables(int(size)) if shape == "variables" else measure(shape, int(size))))
        return
    if options.variables:
        show_variables([in_process("variables", count) for count in options.variables])
        return
    found = {shape: [in_process(shape, nodes) for nodes in options.nodes] for shape in options.shapes}
    show(found)
    sys.exit(any(per_node(rows[-1]) > MOST * per_node(rows[0]) for rows in found.values()))


def per_node(row):
    """Seconds for building, planning and compiling, by node."""
    return sum(row[part] for part in PARTS[:3]) / row["nodes"]


def show_variables(rows):
    table = Table(title="milliseconds of the processor")
    for column in rows[0]:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(f"{row['variables']:,}", *(f"{1000 * row[part]:,.2f}" for part in list(row)[1:]))
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
