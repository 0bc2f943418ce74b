"""The two sides of a comparison, evergraph and TensorFlow: the Python that each runs in."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).parent.parent
INTERPRETERS = {"evergraph": sys.executable,
                "tensorflow": os.environ.get("EVERGRAPH_JUDGE", str(ROOT / ".venv-tf/bin/python"))}


def duration(seconds):
    """A duration for people."""
    for unit, scale in (("s", 1), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"
