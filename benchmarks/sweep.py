"""Prints how fast ops and fragments are beside TensorFlow, one by one, the slowest first: `python -m benchmarks.sweep`.

Each package has one process, which holds one fragment at a time. The two take turns, and the best time of each counts,
so that other work on the machine disturbs little.
"""

import argparse
import contextlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time

from benchmarks.__main__ import INTERPRETERS, ROOT, show
from benchmarks.fragments import all_fragments
from benchmarks.worker import load

WARM_UP_CALLS = 4
SECONDS_A_ROUND = 0.15
CALLS_A_ROUND = 100
PARTS = ("forward", "gradient")


# ---- the process that measures


def prepared(tf, fragment, part):
    """A function that runs one part of a fragment."""
    with tf.Graph().as_default():
        variables = [tf.get_variable(f"v{at}", initializer=value) for at, value in enumerate(fragment.values())]
        result = fragment.build(tf, *variables)
        parts = [result] if part == "forward" else gradients(tf, result, variables)
        fetches = [tf.reduce_sum(each) for each in parts]
        session = tf.Session()
        session.run(tf.global_variables_initializer())
    call = lambda: session.run(fetches)
    for _ in range(WARM_UP_CALLS):
        call()
    return call


def gradients(tf, result, variables):
    """Dense tensors or the values of sparse ones. The upstream depends on the result: a constant would be folded."""
    found = tf.gradients(result, variables, grad_ys=tf.stop_gradient(result) + 1.0)
    return [each.values if isinstance(each, tf.IndexedSlices) else each for each in found if each is not None]


def best_of(call):
    """Seconds of the fastest of some calls."""
    best, stop = math.inf, time.perf_counter() + SECONDS_A_ROUND
    for _ in range(CALLS_A_ROUND):
        start = time.perf_counter()
        call()
        end = time.perf_counter()
        best = min(best, end - start)
        if end > stop:
            break
    return best


def work(package):
    """Answers lines of JSON: a fragment and a part to prepare, or null to measure the one that is ready."""
    tf, call = load(package), None
    for line in sys.stdin:
        wanted = json.loads(line)
        try:
            if wanted is not None:
                call = None
                call = prepared(tf, all_fragments()[wanted[0]], wanted[1])
            answer = best_of(call)
        except Exception as error:
            answer = f"{type(error).__name__}: {str(error)[:200]}"
        print(json.dumps(answer), flush=True)


# ---- the process that asks


class Side:
    """The process of one package."""

    def __init__(self, package, caches):
        environment = os.environ | {"XDG_CACHE_HOME": caches, "CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu"}
        self._process = subprocess.Popen(
            [INTERPRETERS[package], "-m", "benchmarks.sweep", "--work", package], cwd=ROOT, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def ask(self, wanted):
        """Seconds, or what went wrong."""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(f"{json.dumps(wanted)}\n")
            self._process.stdin.flush()
        answer = self._process.stdout.readline()
        return json.loads(answer) if answer else "the process ended"

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def compare(sides, name, part, rounds):
    """The best seconds of each package, or the first thing that went wrong."""
    found = {package: [side.ask([name, part])] for package, side in sides.items()}
    for _ in range(rounds - 1):
        for package, side in sides.items():
            if not isinstance(found[package][0], str):
                found[package].append(side.ask(None))
    return {package: times[0] if isinstance(times[0], str) else min(times) for package, times in found.items()}


def report(found):
    """Prints the rows by ratio, and the geometric mean."""
    failed = {name: each for name, each in found.items() if any(isinstance(time, str) for time in each.values())}
    ratios = {name: each["tensorflow"] / each["evergraph"] for name, each in found.items() if name not in failed}
    print(f"{'ratio':>7}  {'evergraph':>10} {'TensorFlow':>10}")
    for name, ratio in sorted(ratios.items(), key=lambda item: item[1]):
        print(f"{ratio:7.2f}  {show(found[name]['evergraph']):>10} {show(found[name]['tensorflow']):>10}  {name}")
    for name, each in failed.items():
        print(f" failed  {name}: {each}")
    if ratios:
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        below = [f"{sum(ratio < limit for ratio in ratios.values())} below {limit}" for limit in (0.5, 0.8, 1.0)]
        print(f"{len(ratios)} rows, geometric mean {mean:.2f}; {', '.join(below)}; {len(failed)} failed")


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sweep", description=__doc__)
    parser.add_argument("rows", nargs="*", help="parts of the names of the rows to run; all if none is given")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", metavar="PACKAGE", help="be the process that measures this package")
    options = parser.parse_args()
    if options.work:
        work(options.work)
        return
    wanted = [(fragment.name, part) for fragment in all_fragments().values() for part in PARTS
              if (part == "forward" or fragment.has_gradient)
              and (not options.rows or any(each in f"{fragment.name}, {part}" for each in options.rows))]
    found = {}
    with tempfile.TemporaryDirectory() as caches:
        sides = {package: Side(package, caches) for package in INTERPRETERS}
        for at, (name, part) in enumerate(wanted):
            print(f"{at + 1}/{len(wanted)} {name}, {part}", file=sys.stderr, flush=True)
            found[f"{name}, {part}"] = compare(sides, name, part, options.rounds)
        for side in sides.values():
            side.close()
    report(found)


if __name__ == "__main__":
    main()
