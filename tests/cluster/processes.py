"""Tasks of clusters in processes of their own, for tests: none outlives its test."""

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 120  # seconds after which a process that should have ended is a failure

TASK = """
import sys
import evergraph as tf

job, number, *jobs = sys.argv[1:]
cluster = {}
for each in jobs:
    name, _, addresses = each.partition("=")
    cluster[name] = addresses.split(",")
server = tf.train.Server(cluster, job, int(number))
print("up", flush=True)
sys.stdin.read()  # until the test ends, or is killed
"""


def free_addresses(count):
    """Addresses of ports that nobody uses, all different."""
    import socket

    with contextlib.ExitStack() as held:
        found = []
        for _ in range(count):
            each = held.enter_context(socket.socket())
            each.bind(("127.0.0.1", 0))
            found.append(f"localhost:{each.getsockname()[1]}")
        return found


class Process:
    """A program in a process of its own, which ends at the latest when it is left.

    Args:
        words: of the command, after that of Python.
        environment: more of it.
        python: the interpreter; this one by default.

    Attributes:
        lines: what it has printed so far.
    """

    def __init__(self, words, environment=None, python=sys.executable):
        self.lines, self._changed = [], threading.Condition()
        self.popen = subprocess.Popen(
            [python, *words], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, cwd=ROOT, start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **(environment or {})})
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.popen.stdout:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self.lines.append(None)
            self._changed.notify_all()

    def wait_for(self, text, after=0, timeout=PATIENCE):
        """Waits for a line that has a text; returns it."""
        def found():
            return next((line for line in self.lines[after:] if line is not None and text in line), None)

        with self._changed:
            assert self._changed.wait_for(lambda: found() is not None or None in self.lines, timeout), \
                f"no {text!r} in\n{self.text}"
            assert found() is not None, f"ended without {text!r}:\n{self.text}"
            return found()

    def wait_until(self, condition, timeout=PATIENCE):
        """Waits until a function of its lines is true."""
        with self._changed:
            assert self._changed.wait_for(lambda: condition(self.lines) or None in self.lines, timeout), self.text
            assert condition(self.lines), self.text

    @property
    def text(self):
        return "\n".join(line for line in self.lines if line is not None)

    def result(self, timeout=PATIENCE):
        """Waits for its end; returns what it has printed.

        Raises:
            AssertionError: it has failed.
        """
        code = self.popen.wait(timeout)
        self._reader.join(timeout)
        assert code == 0, self.text
        return self.text

    def kill(self, signal=9):
        self.popen.send_signal(signal)
        self.popen.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.popen.poll() is None:
            self.popen.kill()
        self.popen.wait()
        self._reader.join()
        self.popen.stdin.close()
        self.popen.stdout.close()


def task(job, number, cluster):
    """A process that serves a task."""
    words = [f"{name}={','.join(addresses)}" for name, addresses in cluster.items()]
    return Process(["-c", TASK, job, str(number), *words])


@contextlib.contextmanager
def tasks(**counts):
    """(cluster, job -> processes of its tasks) of a cluster whose tasks are all in processes of their own."""
    addresses = iter(free_addresses(sum(counts.values())))
    cluster = {job: [next(addresses) for _ in range(count)] for job, count in counts.items()}
    with contextlib.ExitStack() as stack:
        running = {job: [stack.enter_context(task(job, n, cluster)) for n in range(len(cluster[job]))]
                   for job in cluster}
        for each in [process for job in running.values() for process in job]:
            each.wait_for("up")
        yield cluster, running
