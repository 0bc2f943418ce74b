"""Holds the verdicts of `evergraph audit` against runs: audits code bases, and runs programs of them drawn at random.

    python -m tests.verdicts FOLDER [NAME ...] [--draw 40] [--seed 0] [--seconds 20] [--digits FOLDER]

FOLDER has one folder for each code base. Prints how long each audit took and how large its report is as JSON. Programs
that want packages which are not installed are not drawn. Each drawn one runs in its own folder, with the options that
its verdict names and the folders above it on the path, until it ends or has had its seconds of the processor; links to
the files of digits stand where it reads MNIST. Nothing comes over the network, so a program may stop for data: those
are counted apart, as are notebooks that were saved with the same error. Prints the last line of each that ended with an
error, for a person to judge.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evergraph.cli.audits.audit import Report, audit
from evergraph.cli.audits.programs import OPTIONS, PYTHON2, RUNS, Program
from evergraph.cli.audits.show import as_json

RAN, SAID, OWN = "ran", "stopped as the audit said", "stopped as its own output shows"
DATA, WRONG = "stopped for data", "wrong"
OUTSIDE = re.compile(r"\b(FileNotFound|NotFound|URL|HTTP|Connection|NotADirectory|IsADirectory|EOF|Tcl|OS|IO)Error"
                     r"|SystemExit|usage: |No such file|required|URL fetch failure|not a valid checkpoint")  # fmt: skip
"""How a program ends that lacks a file, an argument, a screen or the network."""


@dataclass(frozen=True)
class Drawn:
    """A program and the report that it is in."""

    report: Report
    program: Program

    @property
    def name(self) -> str:
        return os.path.relpath(self.program.path, os.path.dirname(self.report.root))


def main(words: list[str] | None = None) -> int:
    """Prints a table of audits, and one of runs; fails where a verdict was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="folders in it; all that are there")
    parser.add_argument("--draw", type=int, default=40, help="how many programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=20, help="processor time that a program gets")
    parser.add_argument("--digits", type=Path, help="a folder with the files of MNIST")
    given = parser.parse_args(words)
    reports = list(audits([given.folder / name for name in given.names] or sorted(given.folder.iterdir())))
    counted: Counter[str] = Counter()
    for drawn in draw(reports, given.draw, given.seed):
        if given.digits:
            lend_digits(drawn.program.path, given.digits.resolve())
        outcome, last = judged(drawn, *run(drawn, given.seconds))
        counted[outcome] += 1
        print(f"{outcome:31} {drawn.name}: {drawn.program.verdict}{f'; {last}' if last else ''}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in counted.items()))
    return int(bool(counted[WRONG]))


def audits(folders: list[Path]) -> Iterator[Report]:
    """Audits each code base, and prints what that took."""
    print("| code base | sources | programs | seconds | bytes of JSON |\n|---|---|---|---|---|")
    for folder in folders:
        began = time.perf_counter()
        report = audit(str(folder))
        size = len(json.dumps(as_json(report)))
        took = time.perf_counter() - began
        print(f"| {folder.name} | {report.files} | {len(report.programs)} | {took:.1f} | {size:,} |", flush=True)
        yield report


def draw(reports: list[Report], count: int, seed: int) -> list[Drawn]:
    """Programs at random, of those that lack no package."""
    all_ = [Drawn(report, program) for report in reports for program in report.programs if not program.packages]
    return random.Random(seed).sample(all_, min(count, len(all_)))


def lend_digits(path: str, digits: Path) -> None:
    """Links the files of MNIST to where the folder of a program reads them."""
    folder = Path(path).parent
    for source in (*folder.glob("*.py"), *folder.glob("*.ipynb")):
        for text in re.findall(r"read_data_sets\(\s*\\?[\"']([^\"'\\]*)", source.read_text(errors="replace")):
            there = folder / text
            there.mkdir(parents=True, exist_ok=True)
            for file in digits.iterdir():
                if not os.path.lexists(there / file.name):
                    (there / file.name).symlink_to(file)


def run(drawn: Drawn, seconds: int) -> tuple[int | None, str]:
    """The exit status of a program, None if it still ran after these seconds, and what it said."""
    program = drawn.program
    options = [*program.options, *(["--python2"] if program.verdict == PYTHON2 else [])]
    root = os.path.abspath(drawn.report.root)
    above = [str(each) for each in Path(os.path.abspath(program.path)).parents if each.is_relative_to(root)]
    start = "import sys; sys.path += sys.argv.pop(1).split(';'); from evergraph.cli import main; sys.exit(main())"
    command = [sys.executable, "-P", "-c", start, ";".join(above), "run", *options, os.path.basename(program.path)]
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    limit = functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (seconds, seconds + 5))
    try:  # a program that waits takes no time of the processor
        done = subprocess.run(command, cwd=os.path.dirname(program.path), env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", preexec_fn=limit, timeout=10 * seconds)
    except subprocess.TimeoutExpired:
        return None, ""
    return (None if done.returncode == -signal.SIGXCPU else done.returncode), done.stderr


def judged(drawn: Drawn, status: int | None, said: str) -> tuple[str, str]:
    """What a run says of a verdict, and the line by which it ended."""
    program = drawn.program
    last = next((line for line in reversed(said.splitlines()) if re.match(r"[\w.]+: ", line)), "")
    if not status:
        expected = program.verdict in (RUNS, OPTIONS, PYTHON2) or not any(need.at_once for need in program.needs)
        return (RAN if expected else WRONG), ""
    if program.verdict not in (RUNS, OPTIONS) and any(_names(need.name, said) for need in program.needs):
        return SAID, last[:160]
    if any(f"{name}: " in said for name in shown_errors(program.path)):
        return OWN, last[:160]
    return (DATA if OUTSIDE.search(f"{last}\n{said[-500:]}") else WRONG), last[:160]


def shown_errors(path: str) -> list[str]:
    """The classes of errors that a notebook was saved with: those that it is there to show."""
    if not path.endswith(".ipynb"):
        return []
    held = json.loads(Path(path).read_text(encoding="utf-8")).get("cells", [])
    outputs = [each for cell in held for each in cell.get("outputs", [])]
    return [each["ename"] for each in outputs if each.get("output_type") == "error"]


def _names(name: str, said: str) -> bool:
    return name.rpartition(".")[2].removesuffix("()") in said


if __name__ == "__main__":
    sys.exit(main())
