"""Asks TensorFlow, in an interpreter of its own, about programs one after another."""

import json
import subprocess

import numpy as np

from tests.interop.judge import PYTHON
from tests.random_graphs import stored
from tests.random_graphs.play import LACKS, Outcome


class Oracle:
    """A process with TensorFlow, for a `with` block; `ask` gives its outcome of a program.

    Args:
        module: what the process runs, with the option `--answer`.
        python: the interpreter.
    """

    def __init__(self, module, python=PYTHON):
        self._module, self._python = module, python

    def __enter__(self):
        self._process = subprocess.Popen([self._python, "-m", self._module, "--answer"], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def ask(self, *texts):
        self._process.stdin.write(json.dumps(texts) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:  # TensorFlow crashed
            self.__exit__()
            self.__enter__()
            return Outcome(LACKS)
        parts, data = json.loads(answer)
        return stored.unpacked(parts, np.array(data, np.float64))[0]
