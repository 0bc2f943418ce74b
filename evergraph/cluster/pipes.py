"""Steps' calls between tasks: frames over sockets of their own, which take a tenth of what a call by gRPC takes.

A link carries one call at a time; who has more under way opens more.
"""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.cluster.calls import MOST_CALLS, as_op_error
from evergraph.cluster.links import Doorway, Gone, Silent, heard, opened, readable
from evergraph.cluster.messages import Messages
from evergraph.kernel.patience import Stop

_ASK_AFTER = 10.0  # seconds without an answer, after which a task is asked whether it is there
_LONGEST_TEXT = 4000

Handler = Callable[[memoryview, float | None, Stop], Sequence[Any]]
"""The buffers of an answer to a frame, given the seconds that are left, and what tells that nobody waits."""


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
            messages = Messages(link)
            while not self._is_over:
                readable([link])
                self._reply(messages, *messages.received()[1:])
        except (OSError, ValueError, Gone, Silent):
            pass
        finally:
            self._links.discard(link)
            link.close()

    def _reply(self, messages: Messages, left: float | None, frame: memoryview) -> None:
        stop, number = Stop(), messages.fileno()
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
        messages.send(code, parts, None)


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
        self._idle = [self._opened()]

    def _opened(self) -> Messages:
        link = opened(self.address, {})
        link.setblocking(True)
        return Messages(link)

    def start(self, parts: Sequence[Any], timeout: float | None) -> PipeCall:
        """Sends a frame.

        Raises:
            UnavailableError: the task is gone.
        """
        try:
            messages = self._idle.pop()
        except IndexError:  # all are in use
            messages = None
        try:
            messages = messages or self._opened()
            messages.send(0, parts, timeout)
        except OSError as error:
            if messages is not None:
                messages.close()
            raise self.unavailable(error) from None
        return PipeCall(self, messages, timeout)

    def unavailable(self, error: object) -> errors.OpError:
        return errors.UnavailableError(None, None, f"{self.who} at {self.address}: {error}")

    def give_back(self, messages: Messages) -> None:
        self._idle.append(messages)

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()


class PipeCall:
    """A call that is under way."""

    def __init__(self, pipes: Pipes, messages: Messages, timeout: float | None) -> None:
        self._pipes, self._messages, self._is_over, self._is_cancelled = pipes, messages, False, False
        self._end = None if timeout is None else time.monotonic() + timeout

    def fileno(self) -> int:
        return self._messages.fileno()

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
            code, _, frame = self._messages.received()
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
        poll.register(self._messages.fileno(), select.POLLIN)
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
                self._messages.link.shutdown(socket.SHUT_RDWR)

    def _finish(self, is_whole: bool) -> None:
        self._is_over = True
        if is_whole and not self._is_cancelled:
            self._pipes.give_back(self._messages)
        else:
            self._messages.close()
