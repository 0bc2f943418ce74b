"""Asks TensorFlow what the programs do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.random_graphs.record            writes what is missing or out of date
    .venv-tf/bin/python -m tests.random_graphs.record --answer   answers programs on its standard input, one a line
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor

from tests.random_graphs import stored
from tests.random_graphs.generate import generate
from tests.random_graphs.program import source

COUNT = 5000


def of_seed(seed):
    """(seed, checksum of its program, TensorFlow's outcome)."""
    from tests.random_graphs.judge import answer  # each process loads TensorFlow for itself
    program = generate(seed)
    return seed, program.checksum, answer(source(program), source(program, noisy=True))


def record(count, jobs, again):
    known = {} if again else stored.read()
    fresh = [seed for seed in range(count) if known.get(seed, (None,))[0] != generate(seed).checksum]
    found = {seed: known[seed] for seed in range(count) if seed in known}
    with ProcessPoolExecutor(jobs) as pool:
        for done, (seed, checksum, outcome) in enumerate(pool.map(of_seed, fresh, chunksize=20), 1):
            found[seed] = checksum, outcome
            if done % 500 == 0 or done == len(fresh):
                stored.write(found)
                print(f"{done} of {len(fresh)}", flush=True)


def serve(answer):
    """Answers lines of JSON, the texts that `answer` takes, with lines [packed outcome, its numbers].

    Arrays are not pickled: the dtype bfloat16 that another NumPy wrote changes the one of the process that reads it.
    """
    for line in sys.stdin:
        data = []
        parts = stored.packed(answer(*json.loads(line)), data)
        print(json.dumps([parts, data]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answer", action="store_true")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="record again what is recorded")
    options = parser.parse_args()
    if options.answer:
        from tests.random_graphs.judge import answer
        serve(answer)
    else:
        record(options.count, options.jobs, options.all)


if __name__ == "__main__":
    main()
