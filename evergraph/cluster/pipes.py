"""Steps' calls between tasks: frames over sockets of their own, which take a tenth of what a call by gRPC takes.

A message is a head and a frame (`frames.py`). A link carries one call at a time; who has more under way opens more.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.cluster.calls import MOST_BYTES, MOST_CALLS, as_op_error
from evergraph.cluster.links import Doorway, Gone, Silent, heard, opened, sent
from evergraph.kernel.patience import Stop

_HEAD = struct.Struct("<IiQd")  # magic, code of an error, bytes that follow, seconds that are left or a negative number
_MAGIC = 0x31704745
_SILENCE = 20  # seconds in the middle of a message, after which the other end counts as gone
_ASK_AFTER = 10.0  # seconds without an answer, after which a task is asked whether it is there
_ALIGNED = 64
_SMALL = 1 << 16  # bytes that are kept for any message
_LONGEST_TEXT = 4000

Handler = Callable[[memoryview, float | None, Stop], Sequence[Any]]
"""The buffers of an answer to a frame, given the seconds that are left, and what tells that nobody waits."""


class _Room:
    """Memory for what comes over a link, used again once nothing refers to what was in it.

    Fresh memory of 64 MB costs as much as its way through the socket, because the system clears it page by page.
    """

    def __init__(self) -> None:
        self._bytes = np.empty(0, np.uint8)

    def frame(self, length: int) -> memoryview:
        """So many bytes, from a multiple of 64 on, so that arrays can stay in them."""
        size = self._bytes.size - _ALIGNED
        if sys.getrefcount(self._bytes) > 2 or not length <= size <= 4 * length + _SMALL:
            self._bytes = np.empty(length + _ALIGNED, np.uint8)
        start = -self._bytes.ctypes.data % _ALIGNED
        return memoryview(self._bytes)[start : start + length]


class Reception:
    """Answers the calls of other tasks, each link in a thread.

    Args:
        interface: where it listens.
        answer: answers a frame.

    Attributes:
        port: where it is reached.
    """

    def __init__(self, interface: str, answer: Handler) -> None:
        self._answer, self._door = answer, Doorway(interface, 0)
        self.port = self._door.port
        self._links: set[socket.socket] = set()
        self._epoll, self._stops = select.epoll(), dict[int, Stop]()
        self._is_over = False

    def start(self) -> None:
        for work in (self._accept, self._watch):
            threading.Thread(target=work, name="evergraph reception", daemon=True).start()

    def stop(self) -> None:
        self._is_over = True
        self._door.close()
        for link in list(self._links):
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._is_over:
            try:
                arrived = self._door.arrivals(1.0)
            except (OSError, ValueError):
                return
            for link in arrived:
                if len(self._links) >= MOST_CALLS:
                    link.close()
                    continue
                self._links.add(link)
                threading.Thread(target=self._serve, args=(link,), name="evergraph call", daemon=True).start()

    def _watch(self) -> None:
        """Stops the steps of links that have been closed."""
        while not self._is_over:
            for number, _ in self._epoll.poll(1.0):
                stop = self._stops.get(number)
                if stop is not None:
                    stop.set()

    def _serve(self, link: socket.socket) -> None:
        try:
            heard(link)
            _bounded(link)
            room = _Room()
            while not self._is_over:
                select.select([link], [], [])
                self._reply(link, *_received(link, room)[1:])
        except (OSError, ValueError, Gone, Silent):
            pass
        finally:
            self._links.discard(link)
            link.close()

    def _reply(self, link: socket.socket, left: float | None, frame: memoryview) -> None:
        stop, number = Stop(), link.fileno()
        self._stops[number] = stop
        self._epoll.register(number, select.EPOLLRDHUP | select.EPOLLONESHOT)
        try:
            code, parts = 0, self._answer(frame, left, stop)
        except Exception as error:  # whatever it is, the caller is told, and the server goes on
            told = as_op_error(error)
            code, parts = told.error_code, [told.message[:_LONGEST_TEXT].encode()]
        finally:
            self._epoll.unregister(number)
            del self._stops[number]
        _send(link, code, parts, None)


class Pipes:
    """Links to a task, of which as many are open as it has calls under way at once.

    Args:
        address: where its reception is.
        who: what errors call it.
        ask: raises if the task is not there any more.

    Raises:
        OSError: nobody is there.
    """

    def __init__(self, address: str, who: str, ask: Callable[[], object]) -> None:
        self.address, self.who, self.ask = address, who, ask
        self._idle = [(self._opened(), _Room())]

    def _opened(self) -> socket.socket:
        link = opened(self.address, {})
        link.setblocking(True)
        _bounded(link)
        return link

    def start(self, parts: Sequence[Any], timeout: float | None) -> PipeCall:
        """Sends a frame.

        Raises:
            UnavailableError: the task is gone.
        """
        try:
            link, room = self._idle.pop()
        except IndexError:  # all are in use
            link, room = None, _Room()
        try:
            link = link or self._opened()
            _send(link, 0, parts, timeout)
        except OSError as error:
            if link is not None:
                link.close()
            raise self.unavailable(error) from None
        return PipeCall(self, link, room, timeout)

    def unavailable(self, error: object) -> errors.OpError:
        return errors.UnavailableError(None, None, f"{self.who} at {self.address}: {error}")

    def give_back(self, link: socket.socket, room: _Room) -> None:
        self._idle.append((link, room))

    def close(self) -> None:
        while self._idle:
            self._idle.pop()[0].close()


class PipeCall:
    """A call that is under way."""

    def __init__(self, pipes: Pipes, link: socket.socket, room: _Room, timeout: float | None) -> None:
        self._pipes, self._link, self._room, self._is_over, self._is_cancelled = pipes, link, room, False, False
        self._end = None if timeout is None else time.monotonic() + timeout

    def fileno(self) -> int:
        return self._link.fileno()

    def answer(self) -> memoryview:
        """Waits for the answer.

        Raises:
            UnavailableError: the task has ended.
            DeadlineExceededError: the time is over.
            CancelledError: it was cancelled.
            tf.errors.OpError: the task says so.
        """
        try:
            self._wait()
            code, _, frame = _received(self._link, self._room)
        except BaseException as error:
            self._finish(False)
            if self._is_cancelled:
                raise errors.CancelledError(None, None, f"the call of {self._pipes.who} was cancelled") from None
            if isinstance(error, (OSError, ValueError, Gone)):
                raise self._pipes.unavailable(error) from None
            raise
        self._finish(True)
        if code:
            raise errors.make_error(code, bytes(frame).decode(errors="replace"))
        return frame

    def _wait(self) -> None:
        """Waits for the first byte; asks from time to time whether there can be one."""
        poll = select.poll()
        poll.register(self._link, select.POLLIN)
        while True:
            left = _ASK_AFTER if self._end is None else min(_ASK_AFTER, self._end - time.monotonic())
            if poll.poll(max(0.0, left) * 1000):
                return
            if self._end is not None and time.monotonic() >= self._end:
                raise errors.DeadlineExceededError(
                    None, None, f"{self._pipes.who} at {self._pipes.address}: the time is over")
            self._pipes.ask()

    def cancel(self) -> None:
        """Takes the call back, from any thread."""
        if not self._is_over:
            self._is_cancelled = True
            with contextlib.suppress(OSError):
                self._link.shutdown(socket.SHUT_RDWR)

    def _finish(self, is_whole: bool) -> None:
        self._is_over = True
        if is_whole and not self._is_cancelled:
            self._pipes.give_back(self._link, self._room)
        else:
            self._link.close()


def _bounded(link: socket.socket) -> None:
    """Has the system end sends, and receives of what has begun to come, after a silence."""
    for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        link.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", _SILENCE, 0))


def _send(link: socket.socket, code: int, parts: Sequence[Any], left: float | None) -> None:
    views = [memoryview(part).cast("B") for part in parts if len(part)]
    head = _HEAD.pack(_MAGIC, code, sum(map(len, views)), -1.0 if left is None else left)
    sent(link, [memoryview(head), *views])


def _received(link: socket.socket, room: _Room) -> tuple[int, float | None, memoryview]:
    """(code, seconds left, frame) of the next message.

    Raises:
        Gone: there is none.
        ValueError: it is damaged.
    """
    head = bytearray(_HEAD.size)
    _fill(link, memoryview(head))
    magic, code, length, left = _HEAD.unpack(head)
    if magic != _MAGIC or length > MOST_BYTES:
        raise ValueError("a damaged message")
    frame = room.frame(length)
    _fill(link, frame)
    return code, None if not left >= 0 else left, frame


def _fill(link: socket.socket, into: memoryview) -> None:
    while len(into):
        try:
            count = link.recv_into(into, len(into), socket.MSG_WAITALL)
        except BlockingIOError:
            raise Gone(f"nothing has come for {_SILENCE} seconds in the middle of a message") from None
        if not count:
            raise Gone("the connection is closed")
        into = into[count:]
