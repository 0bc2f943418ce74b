"""One side of the sweep, in a process of its own: `python -m benchmarks.sweep_worker PACKAGE CLOCK`.

The clock is `wall`, or `processor` for the time that all threads of the process spend computing.
"""

import json
import math
import sys
import time

from benchmarks.fragments import all_fragments
from benchmarks.worker import load, warm_up

SECONDS_A_ROUND = 0.15
CALLS_A_ROUND = 100
CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}


def prepared(tf, fragment, part):
    """A function that runs one part of a fragment."""
    with tf.Graph().as_default():
        variables = [tf.get_variable(f"v{at}", initializer=value) for at, value in enumerate(fragment.values())]
        result = fragment.build(tf, *variables)
        parts = [result] if part == "forward" else gradients(tf, result, variables)
        fetches = [tf.reduce_sum(each) for each in parts]
        session = tf.Session()
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
    call = lambda: session.run(fetches)
    warm_up(call)
    return call


def gradients(tf, result, variables):
    """Dense tensors or the values of sparse ones. The upstream depends on the result: a constant would be folded."""
    found = tf.gradients(result, variables, grad_ys=tf.stop_gradient(result) + 1.0)
    return [each.values if isinstance(each, tf.IndexedSlices) else each for each in found if each is not None]


def best_of(call, clock):
    """Seconds of the fastest of some calls."""
    best, stop = math.inf, clock() + SECONDS_A_ROUND
    for _ in range(CALLS_A_ROUND):
        start = clock()
        call()
        end = clock()
        best = min(best, end - start)
        if end > stop:
            break
    return best


def work(package, clock):
    """Answers lines of JSON: a fragment and a part to prepare, or null to measure the one that is ready."""
    tf, call = load(package), None
    for line in sys.stdin:
        wanted = json.loads(line)
        try:
            if wanted is not None:
                call = None
                call = prepared(tf, all_fragments()[wanted[0]], wanted[1])
            answer = best_of(call, CLOCKS[clock])
        except Exception as error:
            answer = f"{type(error).__name__}: {str(error)[:200]}"
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    work(*sys.argv[1:])
