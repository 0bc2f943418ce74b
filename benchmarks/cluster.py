"""Steps a second of parameter servers and of workers in step, beside TensorFlow's: `python -m benchmarks.cluster`.

Each task is a process of its own on this machine. TensorFlow's interpreter is EVERGRAPH_JUDGE, or .venv-tf's. The
columns: TensorFlow; evergraph over TCP alone, and over Unix sockets alone; and evergraph as it is, with the memory that
processes of one machine share. The sides take turns at each row, after so many steps that everything is compiled, and
the best of several turns counts. The last columns are processor milliseconds of all tasks a step, of TensorFlow and of
evergraph, which other programs disturb less. On a busy machine `chrt -r 5 python -m benchmarks.cluster` takes the
processors from those for a while.

Words choose rows: `python -m benchmarks.cluster "2 workers" 1M`; `-v` shows what tasks print.
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
         "sockets": (sys.executable, {"EVERGRAPH_SOCKETS": "unix"}), "evergraph": (sys.executable, {})}
TURNS = 4
TICKS = os.sysconf("SC_CLK_TCK")


class Task:
    """A process of a side, which does what lines tell it."""

    def __init__(self, side, job, number, cluster):
        python, environment = SIDES[side]
        self.popen = subprocess.Popen(
            [python, "-m", "benchmarks.cluster_worker", "tensorflow" if side == "tensorflow" else "evergraph", job,
             str(number), json.dumps(cluster)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None if "-v" in sys.argv else subprocess.DEVNULL,
            text=True, cwd=ROOT, env={**os.environ, **environment})

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.popen.kill()
        self.popen.wait()

    def tell(self, *what):
        self.popen.stdin.write(json.dumps(what) + "\n")
        self.popen.stdin.flush()

    def told(self):
        for line in self.popen.stdout:
            if line.startswith(("[", "{")):
                return json.loads(line)
        raise RuntimeError("a task has ended")

    def processor_seconds(self):
        user, system = Path(f"/proc/{self.popen.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / TICKS


class Cluster:
    """The tasks of a side.

    Attributes:
        rows: the names of what its workers measure.
    """

    def __init__(self, stack, side, workers, is_ring):
        where = [f"localhost:{port}" for port in free_ports(workers + 1)]
        cluster = {"worker": where[1:]} if is_ring else {"ps": where[:1], "worker": where[1:]}
        jobs = [] if is_ring else [("ps", 0)]
        jobs += [("ring" if is_ring else "worker", number) for number in range(workers)]
        self._tasks = [stack.enter_context(Task(side, job, number, cluster)) for job, number in jobs]
        self._workers, self._is_ring = self._tasks[len(jobs) - workers:], is_ring
        self.rows = [task.told() for task in self._workers][0]

    def asked(self, *what):
        for task in self._workers:
            task.tell(*what)
        return [task.told() for task in self._workers]

    def turn(self, name):
        """(steps a second of all workers together, or, where they go in step, of each; processor seconds a step)."""
        before = sum(task.processor_seconds() for task in self._tasks)
        told = self.asked("measure", name)
        used = sum(task.processor_seconds() for task in self._tasks) - before
        steps = told[0]["steps"] if self._is_ring else sum(each["steps"] for each in told)
        rates = [each["steps"] / each["seconds"] for each in told]
        return min(rates) if self._is_ring else sum(rates), used / steps


def measured(clusters, name):
    """Side -> (steps a second, processor seconds a step), the best of its turns."""
    for cluster in clusters.values():
        cluster.asked("warm", name)
    turns = [{side: cluster.turn(name) for side, cluster in clusters.items()} for _ in range(TURNS)]
    return {side: (max(turn[side][0] for turn in turns), min(turn[side][1] for turn in turns)) for side in clusters}


def main():
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    print(f"{'steps a second':42}" + "".join(f"{side:>16}" for side in SIDES)
          + f"{'ratio':>8}{'TF, ms':>10}{'ms':>8}{'ratio':>8}")
    for title, workers, is_ring in (("1 worker", 1, False), ("2 workers", 2, False), ("in step", 2, True)):
        with contextlib.ExitStack() as stack:
            clusters = {side: Cluster(stack, side, workers, is_ring) for side in SIDES}
            for name in clusters["evergraph"].rows:
                row = f"{title}, {name}"
                if all(word in row for word in wanted):
                    found = measured(clusters, name)
                    rates, (theirs, ours) = [rate for rate, _ in found.values()], (
                        found["tensorflow"][1], found["evergraph"][1])
                    print(f"{row:42}" + "".join(f"{rate:16.1f}" for rate in rates) + f"{rates[-1] / rates[0]:8.2f}"
                          + f"{1000 * theirs:10.2f}{1000 * ours:8.2f}{theirs / ours:8.2f}", flush=True)


if __name__ == "__main__":
    main()
