"""One side of a row, in a process of its own: `python -m benchmarks.worker PACKAGE ROW`.

A step row answers every line it reads with a line holding the seconds a step took; a process row runs, prints the
seconds that its program has measured, if any, and exits.
"""

import gc
import importlib
import os
import sys
import time

from benchmarks.rows import all_rows

PACKAGES = {"evergraph": "evergraph", "tensorflow": "tensorflow.compat.v1"}
LEAST_CALLS, LEAST_SECONDS = 20, 2.0  # of a warm-up, unless it has MOST_CALLS ...
MOST_CALLS, MOST_SECONDS = 40_000, 60.0  # ... and at most; stages are compiled when they have lost what that costs
SECONDS_A_ROUND = 0.25


def load(package):
    """The module that stands for `tf`."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    tf = importlib.import_module(PACKAGES[package])
    if package == "tensorflow":
        tf.disable_v2_behavior()
    return tf


def measure(call, seconds=SECONDS_A_ROUND):
    """Seconds one call takes, or one of the things it says it made, over about `seconds` of calling."""
    units, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        units += call() or 1
    return spent / units


def warm_up(call):
    """Calls until what is compiled has been compiled."""
    start = time.perf_counter()
    for number in range(MOST_CALLS):
        spent = time.perf_counter() - start
        if spent > MOST_SECONDS or number >= LEAST_CALLS and spent > LEAST_SECONDS and is_settled(number):
            return
        call()


def is_settled(number):
    """Whether no stage of evergraph waits for its program; looked up once in a while."""
    stages = sys.modules.get("evergraph.compile.stage")
    if stages is None:
        return True
    return number % LEAST_CALLS == 0 and all(
        each.choice.is_settled for each in gc.get_objects() if isinstance(each, stages.StageRunner))


def main(package, name):
    tf = load(package)
    row = all_rows()[name]
    if row.kind == "process":
        measured = row.program(tf)
        print(measured if isinstance(measured, float) else "")
        return
    call = row.program(tf)
    warm_up(call)
    gc.disable()
    for _ in sys.stdin:
        gc.collect()
        print(measure(call), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
