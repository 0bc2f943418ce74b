"""Sorted string tables, LevelDB's file format, which checkpoint indexes use: sorted keys in checksummed blocks.

    data blocks, a meta index block (empty), an index block, a footer of 48 bytes

A block holds entries (shared prefix length, rest length, value length, rest of the key, value), then the offsets of
the restart points, which have full keys, and their number. A type byte (0: uncompressed, 1: Snappy) and a masked
checksum follow it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from evergraph.base import errors
from evergraph.formats.checksum import crc32c, mask, unmask
from evergraph.formats.snappy import unpacked

MAGIC = 0xDB4775248B80FB57
FOOTER = 48
BLOCK_SIZE = 4096
WHOLE_KEY_EVERY = 16
_SNAPPY = 1


# ---- varints

def write_varint(value: int) -> bytes:
    parts = bytearray()
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def read_varint(data: bytes, position: int) -> tuple[int, int]:
    """(value, position after it).

    Raises:
        DataLossError: the bytes end early, or the number is longer than 64 bits.
    """
    value = shift = 0
    while shift < 64:
        if position >= len(data):
            raise errors.DataLossError(None, None, "a number runs over the end of the data")
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80 and value < 1 << 64:
            return value, position
        shift += 7
    raise errors.DataLossError(None, None, "a number has more than 64 bits")


# ---- writing

def table_bytes(entries: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Encodes a table of entries that are sorted by key."""
    out = bytearray()
    index: list[tuple[bytes, bytes]] = []
    block = _Block()
    last = b""
    for key, value in entries:
        block.add(key, value)
        last = key
        if len(block.data) >= BLOCK_SIZE:
            index.append((last, _append(out, block)))
            block = _Block()
    if block.count:
        index.append((last, _append(out, block)))
    properties = _append(out, _Block())
    directory = _Block(whole_key_every=1)
    for key, handle in index:
        directory.add(key, handle)
    footer = (properties + _append(out, directory)).ljust(FOOTER - 8, b"\0")
    return bytes(out) + footer + struct.pack("<Q", MAGIC)


class _Block:
    """A block under construction."""

    def __init__(self, whole_key_every: int = WHOLE_KEY_EVERY) -> None:
        self.data = bytearray()
        self.count, self._every = 0, whole_key_every
        self._whole: list[int] = [0]
        self._last = b""

    def add(self, key: bytes, value: bytes) -> None:
        shared = 0
        if self.count % self._every:
            while shared < min(len(key), len(self._last)) and key[shared] == self._last[shared]:
                shared += 1
        elif self.count:
            self._whole.append(len(self.data))
        self.data += write_varint(shared) + write_varint(len(key) - shared) + write_varint(len(value))
        self.data += key[shared:] + value
        self._last = key
        self.count += 1

    def bytes(self) -> bytes:
        positions = [*self._whole, len(self._whole)]
        return bytes(self.data) + struct.pack(f"<{len(positions)}I", *positions)


def _append(out: bytearray, block: _Block) -> bytes:
    """Appends the block; returns its handle, the encoded offset and size."""
    data = block.bytes()
    handle = write_varint(len(out)) + write_varint(len(data))
    out += data + b"\0" + struct.pack("<I", mask(crc32c(data + b"\0")))
    return handle


# ---- reading

def read_table(data: bytes, name: str) -> Iterator[tuple[bytes, bytes]]:
    """The entries of a table, in key order.

    Args:
        data: the whole file.
        name: the file's name in error messages.

    Raises:
        DataLossError: the file is corrupt, or not a table.
    """
    if len(data) < FOOTER or struct.unpack("<Q", data[-8:])[0] != MAGIC:
        raise errors.DataLossError(None, None, f"not an sstable (bad magic number): {name}")
    footer = data[-FOOTER:-8]
    position = 0
    numbers = []
    for _ in range(4):
        number, position = read_varint(footer, position)
        numbers.append(number)
    last: bytes | None = None
    for _, handle in _entries(_block(data, numbers[2], numbers[3], name), name):
        start, after = read_varint(handle, 0)
        size, _ = read_varint(handle, after)
        for key, value in _entries(_block(data, start, size, name), name):
            if last is not None and key <= last:
                raise errors.DataLossError(None, None, f"keys out of order in {name}")
            last = key
            yield key, value


def _block(data: bytes, start: int, size: int, name: str) -> bytes:
    stop = start + size
    if stop + 5 > len(data):
        raise errors.DataLossError(None, None, f"truncated block read in {name}: {size} bytes at {start}")
    if unmask(struct.unpack("<I", data[stop + 1:stop + 5])[0]) != crc32c(data[start:stop + 1]):
        raise errors.DataLossError(None, None, f"block checksum mismatch in {name}: {size} bytes at {start}")
    if data[stop] > _SNAPPY:
        raise errors.UnimplementedError(None, None, f"{name} has a compressed block (type {data[stop]})")
    if data[stop] == _SNAPPY:
        length, position = read_varint(data[start:stop], 0)
        return unpacked(data[start:stop], position, length, name)
    return data[start:stop]


def _entries(block: bytes, name: str) -> Iterator[tuple[bytes, bytes]]:
    if len(block) < 4:
        raise errors.DataLossError(None, None, f"bad block in {name}")
    whole = struct.unpack("<I", block[-4:])[0]
    end = len(block) - 4 - 4 * whole
    if end < 0:
        raise errors.DataLossError(None, None, f"bad block in {name}")
    position, key = 0, b""
    while position < end:
        shared, position = read_varint(block, position)
        rest, position = read_varint(block, position)
        size, position = read_varint(block, position)
        if shared > len(key) or position + rest + size > end:
            raise errors.DataLossError(None, None, f"bad entry in block of {name}")
        key = key[:shared] + block[position:position + rest]
        yield key, block[position + rest:position + rest + size]
        position += rest + size
