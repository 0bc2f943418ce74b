"""Fields of protocol messages as bytes, for messages that are put together from parts already encoded."""

from __future__ import annotations

_SHORT = [bytes([size]) for size in range(128)]
_SIZED = [bytes([number << 3 | 2]) for number in range(16)]


def sized(number: int, content: bytes) -> bytes:
    """The field of this number, below 16, that holds a string, bytes or an encoded message."""
    size = len(content)
    return _SIZED[number] + (_SHORT[size] if size < 128 else varint(size)) + content


def varint(value: int) -> bytes:
    """A number that is not negative, seven bits a byte, the lowest first."""
    groups = []
    while value > 127:
        groups.append(value & 127 | 128)
        value >>= 7
    return bytes([*groups, value])
