"""Asks TensorFlow what the programs do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.random_programs.record            writes what is missing or out of date
    .venv-tf/bin/python -m tests.random_programs.record --answer   answers programs on its standard input, one a line
"""

import argparse
import sys
import zlib

from tests.harness.goldens import FOLDER
from tests.random_graphs import stored
from tests.random_graphs.oracle import Oracle
from tests.random_graphs.record import serve
from tests.random_programs.kinds import KINDS
from tests.random_programs.play import source

COUNTS = {
    "pipelines": 120, "training": 8, "shapes": 120, "sparse": 60, "columns": 20, "control": 16, "eager": 8, "saving": 8,
    "steps": 10, "windows": 60, "slopes": 60, "extremes": 48,
}  # fmt: skip


def file(kind):
    return FOLDER / f"random_{kind}.npz"


def checksum(kind, seed):
    return zlib.crc32(source(KINDS[kind](seed)).encode())


def record(kind, count, again):
    known = {} if again else stored.read(file(kind))
    fresh = [seed for seed in range(count) if known.get(seed, (None,))[0] != checksum(kind, seed)]
    found = {seed: known[seed] for seed in range(count) if seed in known}
    with Oracle("tests.random_programs.record", sys.executable) as oracle:
        for done, seed in enumerate(fresh, 1):
            found[seed] = checksum(kind, seed), oracle.ask(source(KINDS[kind](seed)))
            if done % 20 == 0 or done == len(fresh):
                stored.write(found, file(kind))
                print(f"{kind}: {done} of {len(fresh)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=list(KINDS), help="which sorts of programs")
    parser.add_argument("--answer", action="store_true")
    parser.add_argument("--all", action="store_true", help="record again what is recorded")
    options = parser.parse_args()
    if options.answer:
        from tests.random_programs.judge import answer
        serve(answer)
    else:
        for kind in options.kinds:
            record(kind, COUNTS[kind], options.all)


if __name__ == "__main__":
    main()
