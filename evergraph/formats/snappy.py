"""Decompresses Snappy, with which some TensorFlow programs compressed the blocks of checkpoint indexes.

The uncompressed length, a varint, is followed by literals and copies of earlier output. The lower two bits of the
first byte of each element give its type and the layout of its length and offset.
"""

from __future__ import annotations

from evergraph.base import errors

_LONGEST_SHORT = 60  # literals up to this length have it in the first byte


def unpacked(data: bytes, position: int, size: int, name: str) -> bytes:
    """Decompresses a block.

    Args:
        data: the block.
        position: the offset of the first element, after the length.
        size: the uncompressed length.
        name: the block's name in error messages.

    Raises:
        DataLossError: the data is not valid Snappy.
    """
    out = bytearray()
    while position < len(data) and len(out) <= size:
        first = data[position]
        if first & 3:
            length, offset, position = _copy(data, position)
            _repeat(out, length, offset, name)
        else:
            length, position = _literal(data, position)
            out += data[position:position + length]
            position += length
    if len(out) != size or position != len(data):
        raise _damaged(name)
    return bytes(out)


def _literal(data: bytes, position: int) -> tuple[int, int]:
    """(length of a literal, offset of its bytes)."""
    short = data[position] >> 2
    if short < _LONGEST_SHORT:
        return short + 1, position + 1
    width = short - _LONGEST_SHORT + 1
    return int.from_bytes(data[position + 1:position + 1 + width], "little") + 1, position + 1 + width


def _copy(data: bytes, position: int) -> tuple[int, int, int]:
    """(length of a copy, distance, offset of the next element)."""
    first = data[position]
    kind = first & 3
    if kind == 1:
        low = data[position + 1:position + 2]
        return (first >> 2 & 7) + 4, (first >> 5) << 8 | int.from_bytes(low, "little"), position + 2
    width = 2 if kind == 2 else 4
    return (first >> 2) + 1, int.from_bytes(data[position + 1:position + 1 + width], "little"), position + 1 + width


def _repeat(out: bytearray, length: int, offset: int, name: str) -> None:
    """Appends a copy of the output from `offset` bytes back; a copy longer than that repeats."""
    if not 0 < offset <= len(out):
        raise _damaged(name)
    piece = bytes(out[len(out) - offset:len(out) - offset + length])
    out += (piece * -(-length // len(piece)))[:length]


def _damaged(name: str) -> errors.DataLossError:
    return errors.DataLossError(None, None, f"corrupted compressed block contents in {name}")
