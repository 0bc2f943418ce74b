"""A program as files: its graph, what to feed and fetch, and what came out."""

import json

import numpy as np

SEPARATOR = "@"  # between step and position in the names of results


def save_program(tf, directory, program):
    """Builds a program in a new graph, runs it, and writes all of it."""
    with tf.Graph().as_default() as graph:
        fetches, feeds = program.build(tf)
        variables = tf.global_variables()
        initial = tf.global_variables_initializer() if variables else None
        names = {
            "fetches": [each.name for each in flat(fetches)],
            "initial": initial.name if initial is not None else None,
            "feeds": [tensor.name for tensor in feeds],
            "steps": program.steps,
        }
        (directory / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
        (directory / "names.json").write_text(json.dumps(names))
        np.savez(directory / "feeds.npz", **{str(at): value for at, value in enumerate(feeds.values())})
        save_results(directory / "built.npz", run(tf, graph, names, list(feeds.values())))


def run_program(tf, directory, result):
    """Reads a graph that someone else wrote, runs it, and writes what came out."""
    names = json.loads((directory / "names.json").read_text())
    graph_def = tf.GraphDef()
    graph_def.ParseFromString((directory / "graph.pb").read_bytes())
    with np.load(directory / "feeds.npz") as stored, tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
        save_results(directory / result, run(tf, graph, names, [stored[str(at)] for at in range(len(names["feeds"]))]))


def run(tf, graph, names, values):
    """The fetched tensors of each step: a list of lists."""
    tensors = [name for name in names["fetches"] if ":" in name]
    targets = [name for name in names["fetches"] if ":" not in name]
    with tf.Session(graph=graph) as session:
        if names["initial"]:
            session.run(names["initial"])
        feeds = dict(zip(names["feeds"], values))
        return [session.run([tensors, targets], feeds)[0] for _ in range(names["steps"])]


def save_results(path, steps):
    np.savez(path, **{f"{step}{SEPARATOR}{at}": as_plain(value)
                      for step, values in enumerate(steps) for at, value in enumerate(values)})  # fmt: skip


def load_results(path):
    with np.load(path) as stored:
        return {key: stored[key] for key in stored}


def as_plain(value):
    """Text in a form that NumPy stores without pickling."""
    array = np.asarray(value)
    return array.astype("S") if array.dtype == object else array


def flat(fetches):
    return [each for item in fetches for each in (flat(item) if isinstance(item, (list, tuple)) else [item])]
