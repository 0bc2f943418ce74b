"""evergraph's outcome of a program, and how it differs from TensorFlow's."""

import ast
import contextlib
import re
import warnings

import evergraph as tf
from evergraph.eager.graph import EAGER
from tests.random_graphs.play import LACKS, difference
from tests.random_programs.kinds import KINDS
from tests.random_programs.play import play, source


def outcome(statements, tier, opened=tf.Session, **folders):
    """evergraph's outcome; `opened(graph=graph, tier=tier)` is what the program gets as a session."""
    before = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.ERROR)  # AutoGraph converts nothing that a text makes, and says so
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return play(tf, source(statements), lambda graph: opened(graph=graph, tier=tier), _eagerly,
                        **folders)
    finally:
        tf.logging.set_verbosity(before)


@contextlib.contextmanager
def _eagerly():
    """Eager execution, with names and random streams that begin anew."""
    EAGER.seed = None
    EAGER.forget_plain()
    with EAGER.as_default():
        yield


def differs(statements, wanted, tier, **folders):
    """A line that tells the difference from TensorFlow's outcome on this tier, or None.

    The XLA tier refuses what cannot be compiled; the default one runs it as Python.
    """
    if wanted.error == LACKS:
        return None
    found = outcome(statements, tier, **folders)
    if tier == "xla" and "cannot be compiled" in found.message:
        return None
    for at, (have, want) in enumerate(zip(found.first, wanted.first)):
        if _knows_more(_shape(have), _shape(want)) or want.tolist() == b"lacks":  # a gradient that TensorFlow lacks
            found.first[at] = want
    told = difference(found, wanted)
    return told and f"{told} {found.message[:300] or wanted.message[:300]}"


def _shape(shown):
    """The static shape that was shown; NotImplemented if it was something else."""
    text = shown.tolist() if shown.dtype == object and not shown.shape else b""
    return ast.literal_eval(text.decode()) if re.fullmatch(rb"None|\[[None0-9, ]*\]", text) else NotImplemented


def _knows_more(found, wanted):
    """Whether a static shape says all that another one says."""
    if NotImplemented in (found, wanted) or found is None or wanted is None:
        return wanted is None and found is not NotImplemented
    return len(found) == len(wanted) and all(want in (None, have) for have, want in zip(found, wanted))


def checked(task):
    """((kind, seed), tier, difference or None) of ((kind, seed), tier, TensorFlow's outcome)."""
    (kind, seed), tier, wanted = task
    return (kind, seed), tier, differs(KINDS[kind](seed), wanted, tier)
