"""CRC-32C, the checksum of TensorFlow's files, and the masked form in which it is stored."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph import native

_POLYNOMIAL = 0x82F63B78
_MASK_DELTA = 0xA282EAD8
_LANES = 4096  # the number of pieces that NumPy processes in parallel where no library is installed

Bytes = bytes | bytearray | memoryview


def crc32c(data: Bytes, crc: int = 0) -> int:
    """The CRC-32C of `data`; with `crc`, continues the checksum `crc` of the preceding bytes."""
    if native.files is not None:
        return native.files.crc32c(data, crc)
    return _extend()(crc, data)


def masked_crc32c(data: Bytes, crc: int = 0) -> int:
    """The checksum as files store it: rotated and offset, so that a checksum of checksums does not degenerate."""
    return mask(crc32c(data, crc))


@functools.cache
def masked_crc32c_of_bytes() -> Callable[[bytes], int]:
    """A function that computes `masked_crc32c` of bytes objects with the least overhead, for loops over records."""
    extend = _google_extend() or extend_with_numpy

    def masked(data: bytes) -> int:
        crc = extend(0, data)
        return ((crc >> 15 | crc << 17) + _MASK_DELTA) & 0xFFFFFFFF
    return masked


def mask(crc: int) -> int:
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & 0xFFFFFFFF


def unmask(masked: int) -> int:
    turned = (masked - _MASK_DELTA) & 0xFFFFFFFF
    return (turned >> 17 | turned << 15) & 0xFFFFFFFF


@functools.cache
def _extend() -> Any:
    """(crc, data) -> crc: google-crc32c's function if it is installed and compiled, else ours."""
    extend = _google_extend()
    if extend is None:
        return extend_with_numpy
    # It accepts bytes, and arrays without copying them, but no memoryviews.
    return lambda crc, data: extend(crc, data if isinstance(data, bytes) else np.frombuffer(data, "u1"))


def _google_extend() -> Any:
    try:
        import google_crc32c
    except ImportError:
        return None
    return google_crc32c.extend if google_crc32c.implementation == "c" else None


def extend_with_numpy(crc: int, data: Bytes) -> int:
    """CRC-32C with NumPy: computes the checksums of many equal pieces at once, then combines them."""
    array = np.frombuffer(data, np.uint8)
    length = len(array) // _LANES
    if length >= 16:
        lanes = _lane_sums(array[: length * _LANES].reshape(_LANES, length))
        crc = _combined(crc, _joined(lanes, length), length * _LANES)
        array = array[length * _LANES:]
    table = _table().tolist()
    crc ^= 0xFFFFFFFF
    for byte in array.tolist():
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _lane_sums(lanes: np.ndarray) -> np.ndarray:
    table = _table()
    sums = np.full(len(lanes), 0xFFFFFFFF, np.uint32)
    for column in np.ascontiguousarray(lanes.T):
        sums = table[(sums ^ column) & np.uint32(0xFF)] ^ sums >> np.uint32(8)
    return sums ^ np.uint32(0xFFFFFFFF)


def _joined(sums: np.ndarray, length: int) -> int:
    """The checksum of concatenated equal pieces from the pieces' checksums: combines neighbours until one is left."""
    while len(sums) > 1:
        sums = _apply(_zeros(length), sums[0::2]) ^ sums[1::2]
        length *= 2
    return int(sums[0])


def _combined(first: int, second: int, second_length: int) -> int:
    return int(_apply(_zeros(second_length), np.array([first], np.uint32))[0]) ^ second


@functools.cache
def _table() -> np.ndarray:
    crc = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        crc = np.where(crc & 1, crc >> 1 ^ np.uint32(_POLYNOMIAL), crc >> 1)
    return crc.astype(np.uint32)


@functools.lru_cache(maxsize=256)
def _zeros(length: int) -> tuple[int, ...]:
    """The effect of `length` zero bytes on a checksum: a matrix over GF(2), column i the image of bit i."""
    step = tuple([_POLYNOMIAL, *(1 << i for i in range(31))])  # one zero bit
    for _ in range(3):
        step = _product(step, step)
    result = tuple(1 << i for i in range(32))
    while length:
        if length & 1:
            result = _product(step, result)
        step = _product(step, step)
        length >>= 1
    return result


def _product(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(v) for v in _apply(a, np.array(b, np.uint32)))


def _apply(matrix: tuple[int, ...], values: np.ndarray) -> np.ndarray:
    result = np.zeros_like(values)
    for bit, column in enumerate(matrix):
        result ^= np.where(values >> np.uint32(bit) & np.uint32(1), np.uint32(column), np.uint32(0))
    return result
