"""Damaged SavedModels of modules raise errors that say so."""

import random
import shutil

import evergraph as tf
from tests.harness.goldens import FOLDER

EXPECTED = (OSError, ValueError, tf.errors.OpError)


def test_changed_bytes(tmp_path):
    numbers, failures = random.Random(5), 0
    for number in range(60):
        folder = tmp_path / str(number)
        shutil.copytree(FOLDER / "saved_modules" / ("tables" if number % 2 else "composites"), folder)
        data = bytearray((folder / "saved_model.pb").read_bytes())
        data[numbers.randrange(len(data))] = numbers.randrange(256)
        (folder / "saved_model.pb").write_bytes(data)
        try:
            tf.saved_model.load_v2(str(folder))
        except EXPECTED:
            failures += 1
    assert failures > 10
