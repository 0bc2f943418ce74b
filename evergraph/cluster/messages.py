"""Messages between two ends of a link: a head, and a frame (`frames.py`), which follows or lies in shared memory."""

from __future__ import annotations

import array
import socket
import struct
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.cluster.calls import MOST_BYTES, require_sendable
from evergraph.cluster.links import Gone, sent
from evergraph.cluster.segments import LEAST_BYTES, Incoming, Outgoing, are_shared, close_all

# Magic, code of an error, length of the frame, seconds that are left or a negative number, number of the segment or -1.
HEAD = struct.Struct("<IiQdi")
MAGIC = 0x32704745
SILENCE = 20  # seconds in the middle of a message, after which the other end counts as gone
_FOLLOWS = -1
_ALIGNED = 64
_SMALL = 1 << 16  # bytes that are kept for any message
_FILES = socket.CMSG_SPACE(array.array("i", [0]).itemsize)


class Messages:
    """One end of a link that waits. Each end sends and receives in turns.

    Args:
        link: the link.
    """

    def __init__(self, link: socket.socket) -> None:
        self.link = link
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):  # for sends, and the rest of what has begun to come
            link.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", SILENCE, 0))
        self._room = _Room()
        self._outgoing, self._incoming = (Outgoing(), Incoming()) if are_shared(link) else (None, None)

    def fileno(self) -> int:
        return self.link.fileno()

    def send(self, code: int, parts: Sequence[Any], left: float | None) -> None:
        """Sends the buffers of a frame.

        Args:
            code: of an error, of which the frame is the text; else 0.
            parts: the buffers.
            left: the seconds that are left for an answer; None for any time.

        Raises:
            OSError: the other end is gone.
            ResourceExhaustedError: the frame is too large. Nothing of it is sent.
        """
        views = [memoryview(part).cast("B") for part in parts if len(part)]
        length, limit = sum(map(len, views)), -1.0 if left is None else left
        require_sendable(length)
        shared = self._outgoing.put(views, length) if self._outgoing is not None and length >= LEAST_BYTES else None
        if shared is None:
            sent(self.link, [memoryview(HEAD.pack(MAGIC, code, length, limit, _FOLLOWS)), *views])
            return
        number, file = shared
        head = HEAD.pack(MAGIC, code, length, limit, number)
        if file is None:
            sent(self.link, [memoryview(head)])
            return
        try:
            count = socket.send_fds(self.link, [head], [file])
        finally:
            close_all([file])
        sent(self.link, [memoryview(head)[count:]])

    def received(self) -> tuple[int, float | None, memoryview]:
        """(code, seconds left, frame) of the next message.

        Raises:
            Gone: there is none.
            ValueError: it is damaged.
        """
        head, files = self._head()
        try:
            magic, code, length, left, number = HEAD.unpack(head)
            if magic != MAGIC or length > MOST_BYTES:
                raise ValueError("a damaged message")
            frame = self._shared(number, length, files) if number != _FOLLOWS else self._following(length)
        finally:
            close_all(files)
        return code, None if not left >= 0 else left, frame

    def _head(self) -> tuple[bytearray, list[int]]:
        """The next head, and the files that came with it."""
        head = bytearray(HEAD.size)
        try:
            count, extra, _, _ = self.link.recvmsg_into([head], _FILES, socket.MSG_WAITALL | socket.MSG_CMSG_CLOEXEC)
        except BlockingIOError:
            raise Gone(f"nothing has come for {SILENCE} seconds") from None
        if not count:
            raise Gone("the connection is closed")
        files = array.array("i")
        for _, kind, content in extra:
            if kind == socket.SCM_RIGHTS:
                files.frombytes(content[: len(content) - len(content) % files.itemsize])
        _fill(self.link, memoryview(head)[count:])
        return head, files.tolist()

    def _shared(self, number: int, length: int, files: list[int]) -> memoryview:
        if self._incoming is None:
            raise ValueError("shared memory with a stranger")
        if files:
            self._incoming.adopt(number, files.pop())
        return self._incoming.frame(number, length)

    def _following(self, length: int) -> memoryview:
        frame = self._room.frame(length)
        _fill(self.link, frame)
        return frame

    def close(self) -> None:
        self.link.close()


class _Room:
    """Memory for what comes over a link, used again once nothing refers to what was in it.

    Fresh memory of 64 MB costs as much as its way through the socket, because the system clears it page by page.
    """

    def __init__(self) -> None:
        self._bytes, self._start = np.empty(0, np.uint8), 0

    def frame(self, length: int) -> memoryview:
        """So many bytes, from a multiple of 64 on, so that arrays can stay in them."""
        size = self._bytes.size - _ALIGNED
        if sys.getrefcount(self._bytes) > 2 or not length <= size <= 4 * length + _SMALL:
            self._bytes = np.empty(length + _ALIGNED, np.uint8)
            self._start = -self._bytes.ctypes.data % _ALIGNED
        return memoryview(self._bytes)[self._start : self._start + length]


def _fill(link: socket.socket, into: memoryview) -> None:
    while len(into):
        try:
            count = link.recv_into(into, len(into), socket.MSG_WAITALL)
        except BlockingIOError:
            raise Gone(f"nothing has come for {SILENCE} seconds in the middle of a message") from None
        if not count:
            raise Gone("the connection is closed")
        into = into[count:]
