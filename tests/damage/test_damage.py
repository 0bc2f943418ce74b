"""Damaged files: TensorFlow's error, or what is right; never other values, a crash, a hang or all the memory.

`make fuzz` tries every place in every file; the test suite some.
"""

import functools
import os
import struct

import pytest

import evergraph as tf
from tests.damage.harness import EFFORT, Tally, bounded, damaged
from tests.damage.kinds import KINDS

QUICK = {"GraphDef": 200, "GraphDef text": 100, ".meta": 150, "SavedModel": 100,
         "WAV": 200, "ensemble of trees": 150, "contrib's ensemble of trees": 150}


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


def test_a_tree_of_pages_that_contains_itself(tmp_path):
    """The root of an LMDB file has itself below it, twice: a reader that follows both never comes to an end."""
    path = KINDS["LMDB"].make(tmp_path)
    content = bytearray(path.read_bytes())
    root = 4 * 4096
    for place in struct.unpack_from("<2H", content, root + 16):
        struct.pack_into("<H", content, root + place, 4)
    path.write_bytes(bytes(content))
    with bounded(), pytest.raises(tf.errors.DataLossError, match="belongs to two others"):
        KINDS["LMDB"].read(path)
