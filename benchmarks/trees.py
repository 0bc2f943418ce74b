"""Two versions of evergraph, row by row: `python -m benchmarks.trees TREE [PART OF A NAME ...]`.

TREE is another checkout, whose C code is built. Rows are those of `python -m benchmarks`; a process of each version
holds its step ready, and they are measured in turn. Times are those that all threads spend computing, which other
processes disturb little, the shortest of several rounds. The last column is this version's time by the other's.
"""

import argparse
import gc
import os
import resource
import sys
import tempfile
import time

from benchmarks.rows import all_rows
from benchmarks.sides import ROOT, Failed, Worker, duration

ROUNDS = 15
MOST_CALLS, MOST_SECONDS, LEAST_SECONDS = 40_000, 150.0, 3.0  # of a warm-up
SECONDS_A_ROUND = 0.2


def compare(row, trees, rounds):
    """Seconds of each version in each round."""
    with tempfile.TemporaryDirectory() as caches:
        if row.kind == "step":
            workers = [_worker(tree, row, caches) for tree in trees]
            try:
                for worker in workers:
                    worker.measure()
                return list(zip(*[[worker.measure() for worker in workers] for _ in range(rounds)]))
            finally:
                for worker in workers:
                    worker.close()
        found = [[_whole(tree, row, caches) for tree in trees] for _ in range(3 if row.cache == "warm" else 2)]
        return list(zip(*found[row.cache == "warm" :]))  # the first ones fill the cache


def _whole(tree, row, caches):
    """Seconds that the process of a row computes."""
    with tempfile.TemporaryDirectory() as empty:
        worker = _worker(tree, row, empty if row.cache == "cold" else caches)
        try:
            return worker.measure()
        finally:
            worker.close()


def _worker(tree, row, caches):
    return Worker([sys.executable, "-m", "benchmarks.trees", "--worker", tree, row.name], caches)


def work(tree, name):
    """Holds the row of a tree ready, and times it once for each line that comes in."""
    sys.path.insert(0, tree)
    import evergraph as tf

    assert os.path.samefile(os.path.dirname(tf.__file__), os.path.join(tree, "evergraph"))
    row = all_rows()[name]
    if row.kind == "process":
        sys.stdin.readline()
        row.program(tf)
        spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        print(sum(each.ru_utime + each.ru_stime for each in spent), flush=True)
        return
    call = row.program(tf)
    _warm_up(call)
    gc.disable()
    for _ in sys.stdin:
        gc.collect()
        units, start = 0, time.process_time()
        while (spent := time.process_time() - start) < SECONDS_A_ROUND:
            units += call() or 1
        print(spent / units, flush=True)


def _warm_up(call):
    """Calls until no stage that these calls run waits for its program."""
    start = asked = time.perf_counter()
    waiting = {}
    for number in range(MOST_CALLS):
        call()
        now = time.perf_counter()
        if now - asked > LEAST_SECONDS:
            asked, before, waiting = now, waiting, _waiting(number, now - start)
            if now - start > MOST_SECONDS or all(before.get(runner) == runs for runner, runs in waiting.items()):
                return


def _waiting(number, seconds):
    """How often stages have run that wait for programs.

    Versions that cannot tell had compiled what they would by 8,192 runs, or in 40 seconds.
    """
    stages = sys.modules.get("evergraph.compile.stage")
    runners = [] if stages is None else [r for r in gc.get_objects() if isinstance(r, stages.StageRunner)]
    is_over = number > 8192 or seconds > 40
    choices = {runner: getattr(runner, "choice", runner) for runner in runners}
    return {runner: _runs(runner, choice, number) for runner, choice in choices.items()
            if not getattr(choice, "is_settled", is_over)}


def _runs(runner, choice, number):
    return sum(map(runner.signatures.runs, choice._asked)) if hasattr(choice, "_asked") else number


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trees", description=__doc__)
    parser.add_argument("tree", help="a checkout of the other version")
    parser.add_argument("rows", nargs="*", help="parts of the names of the rows to run; all if none is given")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--worker", action="store_true", help="be the process that runs a row of a tree")
    options = parser.parse_args()
    if options.worker:
        work(options.tree, *options.rows)
        return
    print(f"{'':58} {'other':>9} {'this':>9}   this / other")
    for name, row in all_rows().items():
        if options.rows and not any(part in name for part in options.rows):
            continue
        try:
            other, this = compare(row, (options.tree, str(ROOT)), options.rounds)
        except Failed as failure:
            print(f"{name:58} failed: {failure}", flush=True)
            continue
        print(f"{name:58} {duration(min(other)):>9} {duration(min(this)):>9} {min(this) / min(other):8.2f}", flush=True)


if __name__ == "__main__":
    main()
