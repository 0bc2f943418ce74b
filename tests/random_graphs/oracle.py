"""Asks TensorFlow, in an interpreter of its own, about programs one after another."""

import json
import subprocess

import numpy as np

from tests.interop.judge import PYTHON
from tests.random_graphs import stored
from tests.random_graphs.program import source


class Oracle:
    """A process with TensorFlow, for a `with` block; `ask` gives its outcome of a program."""

    def __enter__(self):
        self._process = subprocess.Popen([PYTHON, "-m", "tests.random_graphs.record", "--answer"], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def ask(self, program):
        self._process.stdin.write(json.dumps([source(program), source(program, noisy=True)]) + "\n")
        self._process.stdin.flush()
        parts, data = json.loads(self._process.stdout.readline())
        return stored.unpacked(parts, np.array(data, np.float64))[0]
