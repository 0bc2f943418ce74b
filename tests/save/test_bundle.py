"""Tensor bundles: every dtype, parts, and what happens to damaged ones."""

import errno
import os
import random

import ml_dtypes
import numpy as np
import pytest

from evergraph.base import dtypes, errors
from evergraph.formats.bundle import BundleReader, Part, data_file, index_file, read_all, write_bundle

VALUES = {
    **{f"t/{t}": np.arange(6).reshape(2, 3).astype(t) for t in (
        "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "complex64", "complex128", "bool")},
    "bfloat16": np.array([1.5, -2], ml_dtypes.bfloat16),
    "text": np.array([[b"a", b""], [b"\x00\xff", b"x" * 300]], object),
    "scalar": np.array(3.0, np.float32), "empty": np.zeros((0, 3), np.float32),
}  # fmt: skip


def part(name, value):
    return Part(name, value, dtypes.string if value.dtype == object else dtypes.as_dtype(value.dtype))


@pytest.fixture
def prefix(tmp_path):
    path = str(tmp_path / "model.ckpt-1")
    write_bundle(path, [part(k, v) for k, v in VALUES.items()])
    return path


def test_round_trip(prefix):
    got = dict(read_all(prefix))
    assert got.keys() == VALUES.keys()
    for name, value in VALUES.items():
        assert got[name].dtype == value.dtype and got[name].shape == value.shape and (got[name] == value).all(), name


def test_parts_are_put_together(tmp_path):
    whole = np.arange(600, dtype=np.float32).reshape(200, 3)
    cuts = [(0, 70), (70, 30), (100, 100)]
    path = str(tmp_path / "parts")
    write_bundle(path, [Part("w", whole[a:a + n], dtypes.float32, (200, 3), [(a, n), (0, 3)]) for a, n in cuts])
    reader = BundleReader(path)
    assert reader.names() == ["w"] and reader.shape("w") == (200, 3) and len(reader.slices("w")) == 3
    assert (reader.read("w") == whole).all()


def test_nothing_but_the_bundle_is_left(prefix):
    assert sorted(os.listdir(os.path.dirname(prefix))) == ["model.ckpt-1.data-00000-of-00001", "model.ckpt-1.index"]


def test_a_failed_write_leaves_the_old_bundle(prefix):
    def parts():
        yield part("scalar", np.array(9.0, np.float32))
        raise OSError(errno.ENOSPC, "no space left on device")

    with pytest.raises(errors.ResourceExhaustedError, match="no space"):
        write_bundle(prefix, parts())
    assert BundleReader(prefix).read("scalar") == 3.0 and len(os.listdir(os.path.dirname(prefix))) == 2


def test_what_is_missing(prefix):
    with pytest.raises(errors.NotFoundError, match="nothing"):
        BundleReader(prefix).read("nothing")
    with pytest.raises(errors.NotFoundError, match="matching files"):
        BundleReader(f"{prefix}-other")
    os.remove(data_file(prefix, 0, 1))
    with pytest.raises(errors.NotFoundError):
        BundleReader(prefix).read("scalar")


@pytest.mark.parametrize("which", ["index", "data"])
def test_damage_is_an_error_or_harmless(prefix, which):
    path = index_file(prefix) if which == "index" else data_file(prefix, 0, 1)
    with open(path, "rb") as file:
        data = file.read()
    for position in random.Random(1).sample(range(len(data)), 250):
        damaged = bytearray(data)
        damaged[position] ^= 1 << position % 8
        check(path, prefix, bytes(damaged))
    for size in range(0, len(data), max(1, len(data) // 50)):
        check(path, prefix, data[:size])


def check(path, prefix, data):
    with open(path, "wb") as file:
        file.write(data)
    try:
        for name, value in read_all(prefix):
            assert (value == VALUES[name]).all()
    except (errors.DataLossError, errors.OutOfRangeError, errors.UnimplementedError, errors.NotFoundError):
        pass
