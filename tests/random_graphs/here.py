"""evergraph's outcome of a program, and how it differs from TensorFlow's."""

import warnings

import evergraph as tf
from tests.random_graphs.generate import generate
from tests.random_graphs.play import LACKS, RUNS, difference, play
from tests.random_graphs.program import source


def outcome(program, tier, runs=RUNS):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return play(tf, source(program), lambda graph: tf.Session(graph=graph, tier=tier), runs)


def differs(program, wanted, tier):
    """A line that tells the difference from TensorFlow's outcome on this tier, or None.

    The XLA tier refuses what cannot be compiled; the default one runs it as Python.
    """
    if wanted.error == LACKS:
        return None
    found = outcome(program, tier)
    if tier == "xla" and found.error == "UnimplementedError" and "cannot be compiled" in found.message:
        return None
    return difference(found, wanted)


def checked(task):
    """(seed, tier, difference or None) of (seed, tier, TensorFlow's outcome)."""
    seed, tier, wanted = task
    return seed, tier, differs(generate(seed), wanted, tier)
