"""evergraph's outcome of a program, and how it differs from TensorFlow's."""

import warnings

import evergraph as tf
from tests.random_graphs.play import LACKS, difference
from tests.random_programs.kinds import KINDS
from tests.random_programs.play import play, source

tf.logging.set_verbosity(tf.logging.ERROR)  # AutoGraph converts nothing that a text makes, and says so


def outcome(statements, tier):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return play(tf, source(statements), lambda graph: tf.Session(graph=graph, tier=tier))


def differs(statements, wanted, tier):
    """A line that tells the difference from TensorFlow's outcome on this tier, or None.

    The XLA tier refuses what cannot be compiled; the default one runs it as Python.
    """
    if wanted.error == LACKS:
        return None
    found = outcome(statements, tier)
    if tier == "xla" and "cannot be compiled" in found.message:
        return None
    told = difference(found, wanted)
    return told and f"{told} {found.message[:300] or wanted.message[:300]}"


def checked(task):
    """((kind, seed), tier, difference or None) of ((kind, seed), tier, TensorFlow's outcome)."""
    (kind, seed), tier, wanted = task
    return (kind, seed), tier, differs(KINDS[kind](seed), wanted, tier)
