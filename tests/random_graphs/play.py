"""Runs the source of a program in whichever `tf` it is given, and compares two outcomes."""

import contextlib
import dataclasses

import numpy as np

from tests.random_graphs.program import RUNS

LACKS = "lacking"  # instead of an error's class: TensorFlow cannot do this
# Several roundings of the dtype: kernels differ in the last bits before any error can grow.
RTOL = {"bfloat16": 1.6e-2, "float16": 2e-3, "float32": 2e-5, "complex64": 2e-5, "float64": 1e-9, "complex128": 1e-9}
ATOL = {"bfloat16": 6e-2, "float16": 8e-3, "float32": 1e-6, "complex64": 1e-6, "float64": 1e-10, "complex128": 1e-10}
GROWTH = 8  # how many times the change that noise makes is still no difference


@dataclasses.dataclass
class Outcome:
    """What a program did: the class of its error, or arrays. None stands for operations and missing gradients.

    Attributes:
        first: fetches of the first run.
        last: fetches of the last one.
        state: the variables after it.
        noise: for each of these arrays in order, how far noise in the last bits moves it.
    """

    error: str | None = None
    message: str = ""
    first: list = dataclasses.field(default_factory=list)
    last: list = dataclasses.field(default_factory=list)
    state: list = dataclasses.field(default_factory=list)
    noise: list = dataclasses.field(default_factory=list)

    @property
    def arrays(self):
        return [*self.first, *self.last, *self.state]

    def label(self, at):
        """Which array the one of that place is."""
        for name in ("first", "last", "state"):
            if at < len(getattr(self, name)):
                return f"{name}[{at}]"
            at -= len(getattr(self, name))
        raise IndexError(at)


def play(tf, source, session, runs=RUNS, around=contextlib.nullcontext, **names):
    """The outcome of a program.

    Args:
        source: the text of `program(tf)`.
        session: opens a session, given a graph.
        around: what the graph is built in, given the graph.
        names: further globals of the text.
    """
    try:
        with tf.Graph().as_default() as graph:
            scope = dict(names)
            exec(source, scope)
            with around(graph):
                fetches, feeds = scope["program"](tf)
            variables, start = tf.global_variables(), tf.global_variables_initializer()
            with session(graph) as opened:
                opened.run(start)
                taken = [each for each in fetches if each is not None]
                first = opened.run(taken, feeds)
                for _ in range(runs - 1):
                    last = opened.run(taken, feeds)
                return Outcome(None, "", _placed(fetches, first), _placed(fetches, last if runs > 1 else first),
                               [np.asarray(each) for each in opened.run(variables)])
    except Exception as error:
        return Outcome(type(error).__name__, str(error))


def _placed(fetches, values):
    """The fetched values as arrays, with None where nothing was fetched."""
    left = iter(values)
    found = [None if each is None else next(left) for each in fetches]
    return [None if each is None else np.asarray(each) for each in found]


def difference(found, wanted):
    """A line that tells how two outcomes differ, or None."""
    if wanted.error == "LookupError" and found.error is None:
        return None  # evergraph has gradients that TensorFlow lacks
    if (found.error, wanted.error) == ("InvalidArgumentError", "ValueError"):
        return None  # TensorFlow 2 infers more shapes than 1.15, and fails while it builds the graph
    if (found.error, wanted.error) != (None, None):
        return None if found.error == wanted.error else (
            f"raised {found.error}, TensorFlow {wanted.error}: {found.message or wanted.message}"[:400])
    if len(found.arrays) != len(wanted.arrays):
        return f"{len(found.arrays)} results, TensorFlow has {len(wanted.arrays)}"
    for at, (have, want) in enumerate(zip(found.arrays, wanted.arrays)):
        told = _array_difference(have, want, wanted.noise[at] if wanted.noise else 0.0)
        if told:
            return f"{wanted.label(at)}: {told}"
    return None


def _array_difference(found, wanted, noise):
    if found is None or wanted is None:
        return None if found is wanted else f"{_told(found)}, TensorFlow has {_told(wanted)}"
    found = found.astype(object) if found.dtype.kind in "SU" else found
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return f"{found.dtype.name}{list(found.shape)}, TensorFlow has {wanted.dtype.name}{list(wanted.shape)}"
    if wanted.dtype.name not in RTOL:
        same = found.tolist() == wanted.tolist()
    else:
        same = _near(_wide(found), _wide(wanted), RTOL[wanted.dtype.name], ATOL[wanted.dtype.name], noise)
    return None if same else f"{_told(found)}, TensorFlow has {_told(wanted)}"


def _near(found, wanted, rtol, atol, noise):
    there = np.isfinite(wanted)
    if not np.array_equal(found[~there], wanted[~there], equal_nan=True):
        return not np.isfinite(noise)
    found, wanted = found[there], wanted[there]
    largest = np.abs(wanted).max(initial=0.0)
    allowed = rtol * np.abs(wanted) + atol * max(largest, 1.0) + GROWTH * noise
    return bool(np.all(np.abs(found - wanted) <= allowed))


def _wide(array):
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _told(array):
    return "nothing" if array is None else f"{array.dtype.name} {array.tolist()}"


def distance(first, second):
    """By how much two outcomes of equal form differ, for each array."""
    return [_farthest(a, b) for a, b in zip(first.arrays, second.arrays)]


def _farthest(first, second):
    if first is None or second is None or first.dtype.name not in RTOL or first.shape != second.shape:
        return 0.0
    first, second = _wide(first), _wide(second)
    there = np.isfinite(first)
    if not np.array_equal(first[~there], second[~there], equal_nan=True):
        return float("inf")
    apart = np.abs(first[there] - second[there]).max(initial=0.0)
    return float(apart) if np.isfinite(apart) else float("inf")
