"""Steps a second of parameter servers and of workers in step, beside TensorFlow's: `python -m benchmarks.cluster`.

Each task is a process of its own on this machine. TensorFlow's interpreter is EVERGRAPH_JUDGE, or .venv-tf's. The
columns: TensorFlow, evergraph over TCP alone, and evergraph as it is, over what processes of one machine share.
"""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

from evergraph.cluster.local_cluster import free_ports

ROOT = Path(__file__).parents[1]
JUDGE = os.environ.get("EVERGRAPH_JUDGE", str(ROOT / ".venv-tf/bin/python"))
SIDES = {"tensorflow": (JUDGE, {}), "evergraph, TCP": (sys.executable, {"EVERGRAPH_SOCKETS": "tcp"}),
         "evergraph": (sys.executable, {})}


class Task:
    """A process of a side, which is told line by line when to go on."""

    def __init__(self, side, job, number, cluster):
        python, environment = SIDES[side]
        self.popen = subprocess.Popen(
            [python, "-m", "benchmarks.cluster_worker", side.partition(",")[0], job, str(number), json.dumps(cluster)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None if "-v" in sys.argv else subprocess.DEVNULL,
            text=True, cwd=ROOT, env={**os.environ, **environment})

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.popen.kill()
        self.popen.wait()

    def wait_until_ready(self):
        for line in self.popen.stdout:
            if line.strip() == "ready":
                return
        raise RuntimeError("a task has ended")

    def go(self):
        self.popen.stdin.write("\n")
        self.popen.stdin.flush()

    def told(self):
        for line in self.popen.stdout:
            if line.startswith("["):
                return json.loads(line)
        return None


def addresses(count):
    return [f"localhost:{port}" for port in free_ports(count)]


def measured(side, workers, is_ring=False):
    """Name -> steps a second of all workers together, or, where they go in step, of each."""
    where = addresses(workers + 1)
    cluster = {"worker": where[1:]} if is_ring else {"ps": where[:1], "worker": where[1:]}
    found = {}
    with contextlib.ExitStack() as stack:
        jobs = [] if is_ring else [("ps", 0)]
        jobs += [("ring" if is_ring else "worker", number) for number in range(workers)]
        tasks = [stack.enter_context(Task(side, job, number, cluster)) for job, number in jobs][0 if is_ring else 1:]
        for task in tasks:
            task.wait_until_ready()
        while True:
            for task in tasks:
                with contextlib.suppress(BrokenPipeError):
                    task.go()
            told = [task.told() for task in tasks]
            if None in told:
                return found
            found[told[0][0]] = told[0][1] if is_ring else sum(rate for _, rate in told)


def main():
    print(f"{'steps a second':42}" + "".join(f"{side:>16}" for side in SIDES) + f"{'ratio':>8}")
    for title, workers, is_ring in (("1 worker", 1, False), ("2 workers", 2, False), ("in step", 2, True)):
        columns = {side: measured(side, workers, is_ring) for side in SIDES}
        for name in columns["evergraph"]:
            rates = [columns[side].get(name, float("nan")) for side in SIDES]
            print(f"{title + ', ' + name:42}" + "".join(f"{rate:16.1f}" for rate in rates)
                  + f"{rates[-1] / rates[0]:8.2f}", flush=True)


if __name__ == "__main__":
    main()
