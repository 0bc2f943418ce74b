"""Sorted string tables: what is written is read, and damage is noticed."""

import random

import pytest

from evergraph.base import errors
from evergraph.ops.table import read_table, table_bytes


def entries(count):
    return [(f"layer_{i // 7:05}/weights_{i:06}".encode(), bytes([i % 256]) * (i % 90)) for i in range(count)]


@pytest.mark.parametrize("count", [0, 1, 16, 17, 3000])
def test_round_trip(count):
    wanted = [(b"", b"header"), *entries(count)]
    assert list(read_table(table_bytes(wanted), "t")) == wanted


def test_every_damaged_byte_is_noticed():
    data = table_bytes(entries(300))
    wanted = entries(300)
    for position in random.Random(0).sample(range(len(data)), 400):
        damaged = bytearray(data)
        damaged[position] ^= 1 << position % 8
        try:
            assert list(read_table(bytes(damaged), "t")) == wanted  # the padding of the footer holds nothing
        except (errors.DataLossError, errors.UnimplementedError):
            pass


def test_truncation_is_noticed():
    data = table_bytes(entries(300))
    for size in range(0, len(data) - 1, 97):
        with pytest.raises(errors.DataLossError):
            list(read_table(data[:size], "t"))
