"""Compares the steps of one session with the same steps, each the first one of a session of its own.

A session that has run a step before may have remembered, recorded or compiled something of it: the numbers must stay.

    python -m tests.random_programs.alone --seeds 0 500
    python -m tests.random_programs.alone --seeds 0 50 --with xla        with the steps of a session on another tier
"""

import argparse
import contextlib
import sys
import time

import numpy as np

import evergraph as tf
from evergraph.compile import segments
from tests.random_graphs.play import ATOL, RTOL
from tests.random_programs import here, steps
from tests.random_programs.play import source
from tests.random_programs.shrink import shrink

# A float64 may have been a float32; other dtypes as when they are compared with TensorFlow's.
RELATIVE = {**RTOL, "float64": RTOL["float32"], "float16": 2 * RTOL["float16"]}
ABSOLUTE = {**ATOL, "float64": ATOL["float32"]}


class Alone:
    """A session that runs every step in a new session, which takes the variables over from the one before."""

    def __init__(self, graph, tier):
        self._graph, self._tier, self._held = graph or tf.get_default_graph(), tier, {}

    def run(self, fetches, feed_dict=None):
        with tf.Session(graph=self._graph, tier=self._tier) as session:
            for variable, value in self._held.items():
                variable.load(value, session)
            try:
                return session.run(fetches, feed_dict)
            finally:
                self._hold(session)

    def _hold(self, session):
        with self._graph.as_default():
            for variable in tf.global_variables():
                try:
                    self._held[variable] = np.array(session.run(variable))
                except tf.errors.FailedPreconditionError:
                    self._held.pop(variable, None)

    def close(self):
        self._held.clear()


def differs(statements, other=None):
    """A line that tells how the steps of a session on NumPy differ, or None.

    Args:
        other: the tier of the session that they are compared with; None for a session for each step.
    """
    with recorded_after(2):
        found = here.outcome(statements, "numpy")
    wanted = here.outcome(statements, other or "numpy", tf.Session if other else Alone)
    if other and ("cannot be compiled" in wanted.message or steps.has_denormals(source(statements))):
        return None  # XLA takes denormal numbers for 0
    return difference(found, wanted)


@contextlib.contextmanager
def recorded_after(runs):
    """Steps on NumPy record their kernels after that many runs, for a `with` block, as if no kernel had refused it."""
    before, segments.RUNS_BEFORE = segments.RUNS_BEFORE, runs
    segments._refused.clear()
    try:
        yield
    finally:
        segments.RUNS_BEFORE = before


def difference(found, wanted):
    """Tells the first array of two outcomes that differs, NaN and infinities included, or None."""
    if len(found.first) != len(wanted.first):
        return f"{len(found.first)} results, alone there are {len(wanted.first)}: {found.message}; {wanted.message}"
    for at, (have, want) in enumerate(zip(found.first, wanted.first)):
        if not _alike(have, want):
            return f"first[{at}]: {have.dtype.name} {have.tolist()}, alone {want.dtype.name} {want.tolist()}"
    return None


def _alike(found, wanted):
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return False
    name = found.dtype.name
    if name not in RTOL:
        return found.tolist() == wanted.tolist()
    largest = np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0)
    return np.allclose(found.astype(np.float64), wanted.astype(np.float64), RELATIVE[name], ABSOLUTE[name] * largest,
                       equal_nan=True)


def minimal(statements, other):
    """The statements that are left when a difference still shows, and the program still ends as before."""
    def shows(less):
        ended = here.outcome(less, "numpy").first[-1:]  # a program that no longer builds shows nothing
        return not (ended and str(ended[0]).startswith("b'raised")) and differs(less, other) is not None

    return shrink(statements, shows) if shows(statements) else statements


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", nargs=2, type=int, default=[0, 200], help="the first, and the one after the last")
    parser.add_argument("--with", dest="other", choices=["xla"], help="the tier to compare with")
    parser.add_argument("--whole", action="store_true", help="print differences, no minimal programs")
    options = parser.parse_args()
    wrong, start = 0, time.time()
    for seed in range(*options.seeds):
        statements = steps.generate(seed)
        told = differs(statements, options.other)
        if told:
            wrong += 1
            print(f"\n# steps {seed}: {told[:600]}", flush=True)
            if not options.whole:
                print(source(minimal(statements, options.other)), flush=True)
    print(f"{options.seeds[1] - options.seeds[0]} programs, {wrong} differ, {time.time() - start:.0f} s")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
