"""The order-preserving keys under which checkpoints store slices of partitioned variables."""

from __future__ import annotations

from collections.abc import Sequence

Extent = tuple[int, int]
"""(start, length) along one axis; (0, -1) is the whole axis."""


def slice_key(name: str, extents: Sequence[Extent]) -> bytes:
    """The key of one slice of a tensor in the index of a checkpoint."""
    key = _unsigned(0) + _text(name.encode()) + _unsigned(len(extents))
    return key + b"".join(_signed(start) + _signed(length) for start, length in extents)


def _unsigned(value: int) -> bytes:
    """Encodes the number of bytes, then the bytes, most significant first."""
    size = (value.bit_length() + 7) // 8
    return bytes([size]) + value.to_bytes(size, "big")


def _text(value: bytes) -> bytes:
    """Escapes 0 and 255, so that the terminator sorts before all other bytes."""
    return b"".join({0: b"\x00\xff", 255: b"\xff\x00"}.get(b, bytes([b])) for b in value) + b"\x00\x01"


def _signed(value: int) -> bytes:
    """Encodes the number in as few bytes as possible; the first bits tell how many, and negative numbers sort first."""
    magnitude = ~value if value < 0 else value
    size = max(1, (magnitude.bit_length() + 7) // 7)
    pattern = (value & (1 << 8 * size) - 1) ^ _length_bits(size)
    return pattern.to_bytes(size, "big")


def _length_bits(size: int) -> int:
    """A number of `size` bytes with `size` leading one bits."""
    return ((1 << size) - 1) << (8 * size - size)
