"""Keeps TensorFlow's numbers in one compressed file."""

from pathlib import Path

import numpy as np

FILE = Path(__file__).parent / "goldens.npz"


def write(values):
    """Stores arrays by name; bfloat16, which NumPy cannot store, as its bits."""
    np.savez_compressed(FILE, **{name: v.view(np.uint16) if v.dtype.name == "bfloat16" else v
                                 for name, v in values.items()})


def read():
    """The stored arrays by name."""
    with np.load(FILE) as stored:
        return {name: stored[name] for name in stored}
