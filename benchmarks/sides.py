"""The two sides of a comparison, each in a process of its own."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
INTERPRETERS = {"evergraph": sys.executable,
                "tensorflow": os.environ.get("EVERGRAPH_JUDGE", str(ROOT / ".venv-tf/bin/python"))}


class Failed(Exception):
    """The program of a row did not run; the message is the end of what it said."""


class Worker:
    """A process that answers each line with the seconds that what it holds ready takes."""

    def __init__(self, command, caches):
        self._errors = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment(caches), text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)

    def measure(self):
        """The seconds that it takes now."""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write("\n")
            self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise Failed(_last_line(self._errors))
        return float(answer)

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        self._errors.close()


def environment(caches):
    """The variables of a side that finds its compiled programs in a folder of ours, empty or filled.

    Python keeps the bytecode of both packages, as it does for packages that are installed.
    """
    return os.environ | {"XDG_CACHE_HOME": caches, "CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu",
                         "PYTHONDONTWRITEBYTECODE": ""}


def _last_line(file):
    file.seek(0)
    lines = file.read().strip().splitlines()
    return lines[-1] if lines else "the process ended and said nothing"


def duration(seconds):
    """A duration for people."""
    for unit, scale in (("s", 1), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"
