"""Damaged files: TensorFlow's error, or what is right; never other values, a crash, a hang or all the memory.

`make fuzz` tries every place in every file; the test suite some.
"""

import functools
import os

import pytest

from tests.damage.harness import EFFORT, Tally, bounded, damaged
from tests.damage.kinds import KINDS

QUICK = {"GraphDef": 200, "GraphDef text": 100, ".meta": 150, "SavedModel": 100}


@pytest.mark.parametrize("name", KINDS)
def test_cut_off_and_turned_bits(name, tmp_path):
    kind = KINDS[name]
    path = kind.make(tmp_path)
    data = path.read_bytes()
    sound = kind.read(path)
    tally = Tally(kind.allowed)
    with bounded():
        for what, changed in damaged(data, EFFORT or QUICK.get(name, 600)):
            scratch = f"{path}.damaged"
            with open(scratch, "wb") as file:
                file.write(changed)
            os.replace(scratch, path)
            is_right = functools.partial(kind.is_right, sound=sound, was_cut=len(changed) < len(data))
            tally.attempt(what, lambda: kind.read(path), is_right)
    tally.check()
