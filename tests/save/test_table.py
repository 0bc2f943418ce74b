"""Sorted string tables: what is written is read, and damage is noticed."""

import random
import struct

import pytest

from evergraph.base import errors
from evergraph.formats.checksum import crc32c, mask, unmask
from evergraph.formats.snappy import unpacked
from evergraph.formats.table import read_table, read_varint, table_bytes, write_varint


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


# ---- compressed blocks


def packed(data, rng):
    """Snappy's form of some data: literals of all widths, and copies of all kinds, also of what overlaps itself."""
    out, position = bytearray(write_varint(len(data))), 0
    while position < len(data):
        length, offset = _longest_copy(data, position)
        if length >= 4 and rng.random() < 0.9:
            length = min(length, 11 if offset < 2048 and rng.random() < 0.5 else 64)
            if length <= 11 and offset < 2048:
                out += bytes([1 | length - 4 << 2 | offset >> 8 << 5, offset & 255])
            else:
                wide = offset > 65535 or rng.random() < 0.3
                out += bytes([(3 if wide else 2) | length - 1 << 2]) + offset.to_bytes(4 if wide else 2, "little")
        else:
            length = min(rng.choice([1, 5, 60, 61, 300]), len(data) - position)
            width = 0 if length <= 60 else rng.randint(1 if length <= 256 else 2, 4)
            out += bytes([(59 + width) << 2]) + (length - 1).to_bytes(width, "little") if width else \
                bytes([length - 1 << 2])
            out += data[position:position + length]
        position += length
    return bytes(out)


def _longest_copy(data, position):
    best = 0, 0
    for offset in range(1, min(position, 300) + 1):
        pairs = zip(data[position - offset:], data[position:position + 64])
        length = next((at for at, (one, other) in enumerate(pairs) if one != other), len(data[position:position + 64]))
        best = max(best, (length, offset))
    return best


def unpack(data):
    size, position = read_varint(data, 0)
    return unpacked(data, position, size, "t")


@pytest.mark.parametrize("data", [b"", b"a", b"ab" * 500, bytes(1000), bytes(range(256)) * 3, b"layer/weights/" * 40])
def test_compressed_blocks(data):
    rng = random.Random(1)
    for _ in range(5):
        form = packed(data, rng)
        assert unpack(form) == data
        for position in range(len(form)):
            damaged = bytearray(form)
            damaged[position] ^= rng.randrange(1, 256)
            try:
                assert len(unpack(bytes(damaged))) <= 1 << 20
            except errors.DataLossError:
                pass


def test_a_table_with_compressed_blocks():
    """The blocks of a table are replaced by compressed ones, with their sums and the footer."""
    data = table_bytes(entries(20))
    block = _first_block(data)
    form = packed(block, random.Random(2)) + b"\1"
    stored = form + struct.pack("<I", mask(crc32c(form)))
    handle = write_varint(0) + write_varint(len(form) - 1)
    index = bytes([0, 3, len(handle)]) + b"zzz" + handle + struct.pack("<II", 0, 1)
    index_block = index + b"\0" + struct.pack("<I", mask(crc32c(index + b"\0")))
    footer = write_varint(0) + write_varint(0) + write_varint(len(stored)) + write_varint(len(index))
    whole = stored + index_block + footer.ljust(40, b"\0") + data[-8:]
    assert list(read_table(whole, "t")) == entries(20)
    with pytest.raises(errors.UnimplementedError):
        form = form[:-1] + b"\2"
        list(read_table(form + struct.pack("<I", mask(crc32c(form))) + whole[len(stored):], "t"))


def _first_block(data):
    """The content of the first block: all entries, while they are few."""
    sums = ((size, unmask(struct.unpack("<I", data[size + 1:size + 5])[0])) for size in range(len(data) - 5))
    return next(data[:size] for size, wanted in sums if wanted == crc32c(data[:size + 1]))
