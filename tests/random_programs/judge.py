"""TensorFlow's outcome of a program, with the noise that the last bits of its data make in it."""

import numpy as np
from tensorflow.python.eager import context

from tests.harness.judge import tf
from tests.random_graphs.judge import LACKING, SHAKES, open_session
from tests.random_graphs.play import LACKS, Outcome, distance
from tests.random_programs.play import play

# What TensorFlow says where it makes a mistake: it forgets the shapes of what it chose from several datasets, that
# a branch inside of a loop may update a variable that is a reference, and the dtype of zeros in a gradient.
FAULTS = ("Incompatible shapes at component", "_ref, tf.", "incompatible with expected double")


def answer(text, folder=None, source=None):
    """TensorFlow's outcome.

    Args:
        text: of the program.
        folder: for the files that it writes.
        source: the folder of the files that it reads, if these are others.
    """
    plain = play(tf, text, open_session, context.eager_mode, folder=folder, source=source)
    if any(words in plain.message for words in LACKING + FAULTS):
        return Outcome(LACKS, plain.message)
    seeds = range(SHAKES) if "data(" in text else ()
    shaken = [play(tf, text, open_session, context.eager_mode, np.random.RandomState(seed)) for seed in seeds]
    plain.noise = [max(each) for each in zip(*(_moved(plain, each) for each in shaken))] or [0.0] * len(plain.first)
    return plain


def _moved(plain, shaken):
    same = len(plain.first) == len(shaken.first)
    return distance(plain, shaken) if same else [float("inf")] * len(plain.first)
