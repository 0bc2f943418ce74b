"""Reads LMDB files: the keys and values of the main database, in the order of keys.

A file is made of pages. The first two say where the root of a tree is; the one with the later transaction counts.
Branch pages have the numbers of the pages below, leaf pages have keys and values; a large value has pages of its own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from evergraph.base import errors, files

_MAGIC = 0xBEEFC0DE
_HEADER = 16  # bytes of a page's header
_META = struct.Struct("<IIQQ48s48sQQ")  # magic, version, address, size, two databases, last page, transaction
_DATABASE = struct.Struct("<IHHQQQQQ")  # size of pages, flags, depth, three counts of pages, entries, root
_NODE = struct.Struct("<HHHH")  # two halves of a size or page number, flags, size of the key
_BRANCH, _LEAF, _BIG = 0x01, 0x02, 0x01
_NONE = (1 << 64) - 1  # the root of an empty database


def records(path: str) -> Iterator[tuple[bytes, bytes]]:
    """The keys and values in a file.

    Raises:
        NotFoundError: there is no such file.
        DataLossError: it is no LMDB file, or is damaged.
    """
    content = files.read_file(path)
    try:
        size, root = _root(content)
        if root != _NONE:
            yield from _below(content, size, root, set())
    except (struct.error, IndexError, RecursionError) as error:
        raise errors.DataLossError(None, None, f"{path} is no LMDB file, or is damaged: {error}") from error


def _root(content: bytes) -> tuple[int, int]:
    """(the size of pages, the number of the page that is the root)."""
    first = _meta(content, _HEADER)
    size = _DATABASE.unpack(first[4])[0]
    latest = max(first, _meta(content, size + _HEADER), key=lambda meta: meta[7])
    return size, _DATABASE.unpack(latest[5])[7]


def _meta(content: bytes, at: int) -> tuple[int, int, int, int, bytes, bytes, int, int]:
    meta = _META.unpack_from(content, at)
    if meta[0] != _MAGIC:
        raise struct.error(f"there is no magic number at byte {at}")
    return meta


def _below(content: bytes, size: int, number: int, seen: set[int]) -> Iterator[tuple[bytes, bytes]]:
    """The keys and values below a page; `seen` are the pages that were read before it."""
    start = number * size
    kind, lower = struct.unpack_from("<HH", content, start + 10)
    if start in seen or not kind & (_BRANCH | _LEAF):
        raise struct.error(f"page {number} is of kind {kind}, or belongs to two others")
    seen.add(start)
    for place in struct.unpack_from(f"<{(lower - _HEADER) // 2}H", content, start + _HEADER):
        low, high, flags, length = _NODE.unpack_from(content, start + place)
        at = start + place + _NODE.size
        if kind & _BRANCH:
            yield from _below(content, size, low | high << 16 | flags << 32, seen)
            continue
        key, at = content[at:at + length], at + length
        if flags & _BIG:
            at = struct.unpack_from("<Q", content, at)[0] * size + _HEADER
        value = content[at:at + (low | high << 16)]
        if len(key) != length or len(value) != low | high << 16:
            raise struct.error(f"page {number} goes beyond the end of the file")
        yield key, value
