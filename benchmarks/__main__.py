"""Prints the table: every row measured on both packages in turn, round after round, and each round compared."""

import argparse
import contextlib
import statistics
import subprocess
import sys
import tempfile
import time

from rich.console import Console
from rich.table import Table

from benchmarks.rows import all_rows
from benchmarks.sides import INTERPRETERS, ROOT, Failed, Worker, duration, environment


def measure_steps(row, rounds, caches):
    """Seconds a step takes on each package, a list of `rounds` measurements, taken in turn."""
    workers = {package: Worker(_command(package, row), caches) for package in INTERPRETERS}
    try:
        return _rounds(rounds, {package: worker.measure for package, worker in workers.items()})
    finally:
        for worker in workers.values():
            worker.close()


def measure_processes(row, rounds, caches):
    """Seconds a process takes, or measures, on each package; a first one, not counted, fills the caches."""
    def measure(package):
        with tempfile.TemporaryDirectory() as empty:
            return _time_process(package, row, empty if row.cache == "cold" else caches)
    for package in INTERPRETERS:
        with contextlib.suppress(Failed):
            measure(package)
    return _rounds(rounds, {package: lambda package=package: measure(package) for package in INTERPRETERS})


def _rounds(rounds, measures):
    """What each of `measures` gave in each round, or the first failure instead."""
    found = {package: [] for package in measures}
    for _ in range(rounds):
        for package, measure in measures.items():
            try:
                if isinstance(found[package], list):
                    found[package].append(measure())
            except Failed as failure:
                found[package] = failure
    return found


def _time_process(package, row, caches):
    start = time.perf_counter()
    done = subprocess.run(_command(package, row), cwd=ROOT, env=environment(caches), text=True, check=False,
                          capture_output=True)
    spent = time.perf_counter() - start
    if done.returncode:
        raise Failed(done.stderr.strip().splitlines()[-1])
    return float(done.stdout.strip() or spent)


def _command(package, row):
    return [INTERPRETERS[package], "-m", "benchmarks.worker", package, row.name]


def show(seconds):
    """A measurement for people."""
    return "failed" if isinstance(seconds, Failed) else duration(seconds)


def compare(row, rounds, caches):
    """The cells of a row, and what went wrong in it."""
    found = (measure_steps if row.kind == "step" else measure_processes)(row, rounds, caches)
    failures = [f"{row.name}: {each}" for each in found.values() if isinstance(each, Failed)]
    medians = [show(each if isinstance(each, Failed) else statistics.median(each)) for each in found.values()]
    return [row.name, *medians, "" if failures else show_ratio(found["tensorflow"], found["evergraph"])], failures


def show_ratio(theirs, ours):
    """How many times faster we are: the median over the rounds, and the middle half of them, so that noise shows."""
    ratios = [a / b for a, b in zip(theirs, ours)]
    if len(ratios) < 2:
        return f"{ratios[0]:.2f} x"
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return f"{middle:.2f} x ({low:.2f} - {high:.2f})"


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", help="parts of the names of the rows to run; all if none is given")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    rows = [row for name, row in all_rows().items() if not options.rows or any(part in name for part in options.rows)]
    console = Console(width=None if sys.stdout.isatty() else 130)
    table = Table("", "evergraph", "TensorFlow", "TensorFlow / evergraph", title="medians of interleaved rounds")
    table.columns[0].no_wrap = True
    for column in table.columns[1:]:
        column.justify = "right"
    failures = []
    with tempfile.TemporaryDirectory() as caches, console.status("measuring") as status:
        for row in rows:
            status.update(row.name)
            cells, failed = compare(row, options.rounds, caches)
            table.add_row(*cells)
            failures += failed
    console.print(table)
    for failure in failures:
        console.print(failure, soft_wrap=True, highlight=False)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
