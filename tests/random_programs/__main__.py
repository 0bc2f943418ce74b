"""Runs many random programs on every tier and prints a minimal program for each difference from TensorFlow.

    python -m tests.random_programs                             the recorded ones, and fresh ones where TensorFlow is
    python -m tests.random_programs pipelines --fresh 1000 --recorded 0 0 --tiers numpy
"""

import argparse
import contextlib
import functools
import os
import sys
import tempfile
import time

from tests.interop.judge import PYTHON
from tests.random_graphs import stored
from tests.random_graphs.__main__ import FRESH, NAMES, judged
from tests.random_graphs.oracle import Oracle
from tests.random_graphs.play import difference
from tests.random_programs import here
from tests.random_programs.kinds import EXCHANGED, KINDS
from tests.random_programs.play import source
from tests.random_programs.record import checksum, file
from tests.random_programs.shrink import shrink


def recorded(kind, seeds, tiers):
    """Tasks for recorded programs; what was recorded of another program than the seed now gives is refused."""
    for seed, (sum_, wanted) in stored.read(file(kind)).items():
        if seed in seeds:
            if checksum(kind, seed) != sum_:
                raise ValueError(f"seed {seed} gives another program now: run python -m tests.random_programs.record")
            yield from (((kind, seed), tier, wanted) for tier in tiers)


def fresh(kind, start, count, tiers, oracle):
    for seed in range(start, start + count):
        wanted = oracle.ask(source(KINDS[kind](seed)), None, None, False)
        yield from (((kind, seed), tier, wanted) for tier in tiers)


def exchanged(kind, start, count, tier, oracle):
    """Lets each package continue with the files that the other one wrote; gives ((kind, seed), which, difference)."""
    for seed in range(start, start + count):
        statements = KINDS[kind](seed)
        with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
            wanted = oracle.ask(source(statements), theirs)
            told = here.differs(statements, wanted, tier, folder=ours, source=theirs)
            yield (kind, seed), "files of TensorFlow's", told
            back = oracle.ask(source(statements), None, ours)
            yield (kind, seed), "files of ours in TensorFlow", difference(back, wanted)


def exchange(kind, start, count, tier, oracle):
    """Prints the differences; returns how many there are."""
    wrong = 0
    for name, which, told in exchanged(kind, start, count, tier, oracle):
        if told:
            wrong += 1
            print(f"\n# {name[0]} {name[1]}, {which}: {told}\n{source(KINDS[kind](name[1]))}", flush=True)
    print(f"{kind}: {2 * count} programs continued from files of the other package, {wrong} differ", flush=True)
    return wrong


def minimal(statements, tier, oracle):
    """The statements that are left of a program when it still differs; TensorFlow must not end with another error."""
    ends = _end(oracle.ask(source(statements)))

    def shows(less):
        wanted = oracle.ask(source(less))
        return _end(wanted) in (None, ends) and here.differs(less, wanted, tier) is not None

    return shrink(statements, shows) if shows(statements) else statements


def _end(outcome):
    """The class of the error that ended a program, or None."""
    last = outcome.first[-1].tolist() if outcome.first else None
    return last if isinstance(last, bytes) and last.startswith(b"raised ") else None


def report(oracle, name, tier, told):
    kind, seed = name
    print(f"\n# {kind} {seed}, tier {tier}: {told}", flush=True)
    if oracle:
        print(source(minimal(KINDS[kind](seed), tier, oracle)), flush=True)
    return True


def confirmed(oracle, shrinks, name, tier, told):
    """As `report`, if the difference is more than noise, which is measured now."""
    statements = KINDS[name[0]](name[1])
    told = here.differs(statements, oracle.ask(source(statements)), tier)
    return bool(told) and report(oracle if shrinks else None, name, tier, told)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=list(KINDS), help="which sorts of programs")
    parser.add_argument("--recorded", nargs=2, type=int, default=[0, FRESH], metavar="SEED",
                        help="which recorded programs: the first seed, and the one after the last")
    parser.add_argument("--tiers", nargs="*", choices=NAMES, default=list(NAMES))
    parser.add_argument("--fresh", type=int, default=200, help="how many programs that were never run before")
    parser.add_argument("--start", type=int, default=FRESH + int(time.time()), help="the first seed of these")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--whole", dest="minimal", action="store_false", help="print differences, no minimal programs")
    options = parser.parse_args()
    tiers = [NAMES[name] for name in options.tiers]
    total = wrong = 0
    with Oracle("tests.random_programs.record") if os.path.exists(PYTHON) else contextlib.nullcontext() as oracle:
        for kind in options.kinds:
            told = functools.partial(report, oracle if options.minimal else None)
            tasks = [(recorded(kind, range(*options.recorded), tiers), told)]
            if oracle:
                told = functools.partial(confirmed, oracle, options.minimal)
                tasks.append((fresh(kind, options.start, options.fresh, tiers, oracle), told))
            for each, told in tasks:
                more, worse = judged(each, options.jobs, here.checked, told)
                print(f"{kind}: {more} runs, {worse} differ from TensorFlow", flush=True)
                total, wrong = total + more, wrong + worse
            if oracle and kind in EXCHANGED:
                wrong += exchange(kind, options.start, options.fresh, tiers[0], oracle)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
