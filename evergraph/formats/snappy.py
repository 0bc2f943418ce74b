"""Unpacks Snappy's format, in which some TensorFlow programs compressed the blocks of checkpoint indices.

After the length of the content, as a varint, come literals and copies of what was unpacked before. The lower two bits
of the first byte of each say which it is and where its length and offset are.
"""

from __future__ import annotations

from evergraph.base import errors

_LONGEST_SHORT = 60  # literals up to here have their length in the first byte


def unpacked(data: bytes, position: int, size: int, name: str) -> bytes:
    """The content of a compressed block.

    Args:
        data: the block.
        position: where in it the literals and copies begin, after the length.
        size: that length.
        name: what errors call it.

    Raises:
        DataLossError: the data is no such thing.
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
    """(how many bytes follow, where they begin)."""
    short = data[position] >> 2
    if short < _LONGEST_SHORT:
        return short + 1, position + 1
    width = short - _LONGEST_SHORT + 1
    return int.from_bytes(data[position + 1:position + 1 + width], "little") + 1, position + 1 + width


def _copy(data: bytes, position: int) -> tuple[int, int, int]:
    """(how many bytes, how far back, where the next element begins)."""
    first = data[position]
    kind = first & 3
    if kind == 1:
        low = data[position + 1:position + 2]
        return (first >> 2 & 7) + 4, (first >> 5) << 8 | int.from_bytes(low, "little"), position + 2
    width = 2 if kind == 2 else 4
    return (first >> 2) + 1, int.from_bytes(data[position + 1:position + 1 + width], "little"), position + 1 + width


def _repeat(out: bytearray, length: int, offset: int, name: str) -> None:
    """Adds what stands `offset` bytes before the end; a copy longer than that repeats itself."""
    if not 0 < offset <= len(out):
        raise _damaged(name)
    piece = bytes(out[len(out) - offset:len(out) - offset + length])
    out += (piece * -(-length // len(piece)))[:length]


def _damaged(name: str) -> errors.DataLossError:
    return errors.DataLossError(None, None, f"corrupted compressed block contents in {name}")
