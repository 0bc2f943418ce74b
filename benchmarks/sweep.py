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

from benchmarks.__main__ import INTERPRETERS, ROOT, show
from benchmarks.fragments import all_fragments

PARTS = ("forward", "gradient")


class Side:
    """The process of one package."""

    def __init__(self, package, clock, caches):
        environment = os.environ | {"XDG_CACHE_HOME": caches, "CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu"}
        self._process = subprocess.Popen(
            [INTERPRETERS[package], "-m", "benchmarks.sweep_worker", package, clock], cwd=ROOT, env=environment,
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

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
    parser.add_argument("--clock", choices=["wall", "processor"], default="wall",
                        help="processor: the computing time of all threads, for a machine that is busy")
    options = parser.parse_args()
    wanted = [(fragment.name, part) for fragment in all_fragments().values() for part in PARTS
              if (part == "forward" or fragment.has_gradient)
              and (not options.rows or any(each in f"{fragment.name}, {part}" for each in options.rows))]
    found = {}
    with tempfile.TemporaryDirectory() as caches:
        sides = {package: Side(package, options.clock, caches) for package in INTERPRETERS}
        for at, (name, part) in enumerate(wanted):
            found[f"{name}, {part}"] = compare(sides, name, part, options.rounds)
            print(f"{at + 1}/{len(wanted)} {name}, {part}: {found[f'{name}, {part}']}", file=sys.stderr, flush=True)
        for side in sides.values():
            side.close()
    report(found)


if __name__ == "__main__":
    main()
