"""TensorFlow's outcome of a program, with the noise that the last bits of its data make in it."""

import numpy as np
from tensorflow.python.eager import context

from tests.harness.judge import tf
from tests.random_graphs.judge import LACKING, SHAKES, open_session
from tests.random_graphs.play import LACKS, Outcome, distance
from tests.random_programs import steps
from tests.random_programs.play import play

# What TensorFlow says where it makes a mistake: it forgets the shapes of what it chose from several datasets, that
# a branch inside of a loop may update a variable that is a reference, and the dtype of zeros in a gradient; and it
# stacks no elements of an empty array whose shapes are not static. Gradients of a Merge by hand may have no value; it
# loses the pivot of a loop in the gradient of a map in it.
FAULTS = ("Incompatible shapes at component", "_ref, tf.", "incompatible with expected double",
          "incompatible with expected half", "TensorArray has size zero, but element shape", "does not have value",
          "'NoneType' object has no attribute 'op'")
NARROW = "narrow("  # a program casts float64 to float32 and back


def answer(text, folder=None, source=None, noise=True):
    """TensorFlow's outcome.

    Args:
        text: of the program.
        folder: for the files that it writes.
        source: the folder of the files that it reads, if these are others.
        noise: whether to measure it, which takes twice as long again.
    """
    if steps.has_denormals(text):
        return Outcome(LACKS, "denormal numbers")
    plain = play(tf, text, open_session, context.eager_mode, spoils=False, folder=folder, source=source)
    if any(words in plain.message for words in LACKING + FAULTS):
        return Outcome(LACKS, plain.message)
    seeds = range(SHAKES) if noise and "data(" in text else ()
    shaken = [play(tf, text, open_session, context.eager_mode, np.random.RandomState(seed), spoils=False)
              for seed in seeds]
    plain.noise = [max(each) for each in zip(*(_moved(plain, each) for each in shaken))] or [0.0] * len(plain.first)
    if NARROW in text:
        plain.noise = [max(each, _rounding(array)) for each, array in zip(plain.noise, plain.first)]
    return plain


def _rounding(array):
    """How far a float64 moves that was a float32 on its way; two movements by noise may cancel."""
    return 2**-22 * np.abs(array[np.isfinite(array)]).max(initial=1.0) if array.dtype == np.float64 else 0.0


def _moved(plain, shaken):
    same = len(plain.first) == len(shaken.first)
    return distance(plain, shaken) if same else [float("inf")] * len(plain.first)
