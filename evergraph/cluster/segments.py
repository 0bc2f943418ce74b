"""Memory that two processes of a machine share, through which bulk data goes from one to the other.

Who sends keeps some segments for a link, puts a message into one that is free, and tells its number over the link; the
other side uses the data where they lie. The first byte of a segment says whether it does still: it sets it free when
nothing refers to the message any more. A segment is an anonymous file of the system, handed over once, with its size
sealed, so that neither side can make it smaller while the other looks at it.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import socket
import struct
import weakref
from collections.abc import Sequence

import numpy as np

LEAST_BYTES = 1 << 16  # of a message, below which it goes through the socket: `benchmarks.cluster`, 1,000 rows
MOST_SEGMENTS = 4  # of a link and direction: those that the other side still uses, and one more
_FRAME = 64  # where the message begins
_SEALS = getattr(fcntl, "F_SEAL_SHRINK", 0) | getattr(fcntl, "F_SEAL_GROW", 0) | getattr(fcntl, "F_SEAL_SEAL", 0)
_PEER = struct.Struct("3i")  # process, user and group at the other end of a socket


def are_shared(link: socket.socket) -> bool:
    """Whether the other end of a link is a process of the same user on this machine, which may share memory.

    EVERGRAPH_SOCKETS=unix in the environment has this process share none.
    """
    if link.family != socket.AF_UNIX or not _SEALS or os.environ.get("EVERGRAPH_SOCKETS") == "unix":
        return False
    return _PEER.unpack(link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))[1] == os.getuid()


class Outgoing:
    """The segments into which one side of a link puts what it sends."""

    def __init__(self) -> None:
        self._maps: list[mmap.mmap | None] = []

    def put(self, parts: Sequence[memoryview], length: int) -> tuple[int, int | None] | None:
        """Puts a message into a segment.

        Returns:
            (the number of the segment, the file to hand over if it is new), or None if all are in use, or the system
            gives none. The caller closes the file.
        """
        number, file = self._free(length), None
        if number is None:
            made = self._made(length)
            if made is None:
                return None
            number, file = made
        segment = self._maps[number]
        assert segment is not None
        segment[0] = 1
        at, whole = _FRAME, np.frombuffer(segment, np.uint8)
        for part in parts:
            whole[at : at + len(part)] = np.frombuffer(part, np.uint8)
            at += len(part)
        return number, file

    def _free(self, length: int) -> int | None:
        """The smallest free segment that has room, and is not much larger: pages cost memory."""
        fitting = [(len(each), number) for number, each in enumerate(self._maps)
                   if each is not None and not each[0] and length + _FRAME <= len(each) <= 4 * length + _FRAME]
        return min(fitting)[1] if fitting else None

    def _made(self, length: int) -> tuple[int, int] | None:
        """A new segment, in the place of one that is free and has another size if there are enough."""
        number = len(self._maps)
        if number == MOST_SEGMENTS:
            number = next((n for n, each in enumerate(self._maps) if each is None or not each[0]), -1)
            if number < 0:
                return None
        try:
            file = os.memfd_create("evergraph", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        except OSError:
            return None
        try:
            os.ftruncate(file, length + _FRAME)
            fcntl.fcntl(file, fcntl.F_ADD_SEALS, _SEALS)
            segment = mmap.mmap(file, length + _FRAME)
        except OSError:
            os.close(file)
            return None
        self._maps[number : number + 1] = [segment]
        return number, file


class Incoming:
    """The segments in which one side of a link finds what comes."""

    def __init__(self) -> None:
        self._maps: list[mmap.mmap | None] = [None] * MOST_SEGMENTS

    def adopt(self, number: int, file: int) -> None:
        """Takes a segment that comes with a message, whose file it closes.

        Raises:
            ValueError: it is none that may be shared.
        """
        try:
            if not 0 <= number < MOST_SEGMENTS or fcntl.fcntl(file, fcntl.F_GET_SEALS) & _SEALS != _SEALS:
                raise ValueError("a segment whose size may change")
            self._maps[number] = mmap.mmap(file, os.fstat(file).st_size)
        except OSError as error:
            raise ValueError(f"no segment: {error}") from None
        finally:
            os.close(file)

    def frame(self, number: int, length: int) -> memoryview:
        """The message in a segment, which is free again when nothing refers to the message any more.

        Raises:
            ValueError: there is no such segment, or it is shorter.
        """
        segment = self._maps[number] if 0 <= number < MOST_SEGMENTS else None
        if segment is None or length > len(segment) - _FRAME:
            raise ValueError("a message outside of the memory that is shared")
        whole = np.frombuffer(segment, np.uint8, length, _FRAME)
        weakref.finalize(whole, _set_free, segment).atexit = False
        return memoryview(whole)


def _set_free(segment: mmap.mmap) -> None:
    segment[0] = 0


def close_all(files: Sequence[int]) -> None:
    """Closes files that came with a message and are not wanted."""
    for file in files:
        with contextlib.suppress(OSError):
            os.close(file)
