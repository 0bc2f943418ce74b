"""Runs many random programs on every tier and prints a minimal program for each difference from TensorFlow.

    python -m tests.random_graphs        the recorded ones, and fresh ones where TensorFlow is installed
    python -m tests.random_graphs --tiers numpy --recorded 0 500 --fresh 0
"""

import argparse
import contextlib
import functools
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.interop.judge import PYTHON
from tests.random_graphs import here, stored
from tests.random_graphs.generate import generate
from tests.random_graphs.oracle import Oracle
from tests.random_graphs.program import as_script, source
from tests.random_graphs.shrink import shrink

FRESH = 1_000_000  # seeds from here on have no recorded outcome
NAMES = {"default": None, "numpy": "numpy", "xla": "xla"}


def recorded(seeds, tiers):
    """Tasks for recorded programs; what was recorded of another program than the seed now gives is refused."""
    for seed, (checksum, wanted) in stored.read().items():
        if seed in seeds:
            if generate(seed).checksum != checksum:
                raise ValueError(f"seed {seed} gives another program now: run python -m tests.random_graphs.record")
            yield from ((seed, tier, wanted) for tier in tiers)


def asked(oracle, program, noise=True):
    """TensorFlow's outcome of a program; `noise` is measured, which takes twice as long again, or is not."""
    return oracle.ask(source(program), source(program, noisy=True) if noise else None)


def fresh(count, tiers, oracle):
    start = FRESH + int(time.time())
    for seed in range(start, start + count):
        wanted = asked(oracle, generate(seed), noise=False)
        yield from ((seed, tier, wanted) for tier in tiers)


def minimal(seed, tier, oracle):
    """The shrunk program of a seed that differs on a tier. TensorFlow fails in it as before, or not at all.

    A program that differs only after others have run in its process stays as it is.
    """
    error = asked(oracle, generate(seed)).error

    def shows(program):
        wanted = asked(oracle, program)
        return wanted.error in (None, error) and here.differs(program, wanted, tier) is not None

    whole = generate(seed)
    return shrink(whole, shows) if shows(whole) else whole


def report(oracle, seed, tier, told):
    print(f"\n# seed {seed}, tier {tier}: {told}", flush=True)
    if oracle:
        print(as_script(minimal(seed, tier, oracle), tier), flush=True)
    return True


def confirmed(oracle, seed, tier, told):
    """As `report`, if the difference is more than noise, which is measured now."""
    told = here.differs(generate(seed), asked(oracle, generate(seed)), tier)
    return bool(told) and report(oracle, seed, tier, told)


def judged(tasks, jobs, checked, report):
    """Checks the tasks in several processes; returns how many were checked and how many differ.

    Args:
        checked: gives (seed, tier, difference or None) of a task.
        report: is called with these for every difference; returns whether it is one.
    """
    total = wrong = 0
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for seed, tier, told in pool.map(checked, tasks, chunksize=4):
            total += 1
            if total % 500 == 0:
                print(f"# {total} runs, {wrong} differ", file=sys.stderr, flush=True)
            wrong += bool(told) and report(seed, tier, told)
    return total, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recorded", nargs=2, type=int, default=[0, FRESH], metavar="SEED",
                        help="which recorded programs: the first seed, and the one after the last")
    parser.add_argument("--tiers", nargs="*", choices=NAMES, default=list(NAMES))
    parser.add_argument("--fresh", type=int, default=200, help="how many programs that were never run before")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tiers = [NAMES[name] for name in options.tiers]
    with Oracle("tests.random_graphs.record") if os.path.exists(PYTHON) else contextlib.nullcontext() as oracle:
        told = functools.partial(report, oracle)
        total, wrong = judged(recorded(range(*options.recorded), tiers), options.jobs, here.checked, told)
        if oracle:
            told = functools.partial(confirmed, oracle)
            more, worse = judged(fresh(options.fresh, tiers, oracle), options.jobs, here.checked, told)
            total, wrong = total + more, wrong + worse
    print(f"{total} runs of random programs, {wrong} differ from TensorFlow")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
