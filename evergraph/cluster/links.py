"""Sockets between two members of a group: over TCP, or within one machine over the system's own sockets."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import struct
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.base.sockets import bound
from evergraph.cluster.trust import trust

_LENGTH = struct.Struct("<I")
_LONGEST_HELLO = 1 << 16
_BUFFER = 4 << 20  # bytes that a socket may hold, as far as the system allows it
_GLANCE_SECONDS = 0.2  # after which a wait looks whether it has become pointless
_PAUSE_SECONDS = 0.05  # between two attempts to reach a member that is not there yet


class Gone(Exception):
    """The other end of a link is not there any more."""


class Silent(Exception):
    """A wait has taken too long."""


class Doorway:
    """Where other members reach this one: a TCP port, and a name that processes of the same machine find.

    Args:
        host: the interface.
        port: the port; 0 for any.
    """

    def __init__(self, host: str, port: int) -> None:
        self._far = bound(host, port)
        self._near: socket.socket | None = None
        try:
            if not trust().has_tls:  # links have none, so that only processes of the machine may come
                self._far.listen()
            self.port: int = self._far.getsockname()[1]
            self._listen_near(host)
        except BaseException:
            self.close()
            raise
        doors = (self._near,) if trust().has_tls else (self._far, self._near)
        self._waiting = [each for each in doors if each is not None]
        for each in self._waiting:
            each.setblocking(False)

    def _listen_near(self, host: str) -> None:
        name = _near_name(host, self.port)
        if name is not None:
            self._near = socket.socket(socket.AF_UNIX)
            try:
                self._near.bind(name)
                self._near.listen()
            except OSError:  # another network namespace of the machine has a member at the same port
                self._near.close()
                self._near = None

    def accepted(self, timeout: float) -> list[tuple[socket.socket, dict[str, Any]]]:
        """The links that others have opened, with what they said first; none if nobody comes in time."""
        found = []
        for link in self.arrivals(timeout):
            try:
                found.append((link, heard(link)))
                link.setblocking(False)
            except (OSError, ValueError, Gone, Silent):
                link.close()
        return found

    def arrivals(self, timeout: float) -> list[socket.socket]:
        """The links that others have opened, which have said nothing yet."""
        ready = readable(self._waiting, timeout)
        found = []
        for door in ready:
            with contextlib.suppress(BlockingIOError):
                while True:
                    found.append(_prepared(door.accept()[0]))
        return found

    def close(self) -> None:
        for each in (self._far, self._near):
            if each is not None:
                each.close()


def readable(links: Sequence[socket.socket], timeout: float | None = None) -> list[socket.socket]:
    """The links from which something has come, or that are over, within some seconds. A process may have many files."""
    poll, known = select.poll(), {link.fileno(): link for link in links}
    for link in links:
        poll.register(link, select.POLLIN)
    return [known[number] for number, _ in poll.poll(None if timeout is None else 1000 * timeout)]


def opened(address: str, hello: dict[str, Any]) -> socket.socket:
    """A link to the member at an address, which is told who calls.

    Raises:
        OSError: nobody is there.
        UnimplementedError: it is on another machine, and this process asks for TLS.
    """
    host, _, port = address.rpartition(":")
    known = trust()
    link = _near(host, int(port))
    if link is None and known.has_tls:
        if not is_here(host) or _near_name(host, int(port)) is None:
            raise errors.UnimplementedError(None, None, f"a link to {address} with TLS: only calls by gRPC have it")
        raise ConnectionRefusedError(f"nobody is at {address}")
    link = link or socket.create_connection((host.strip("[]"), int(port)), timeout=5)
    try:
        content = json.dumps({**hello, "token": known.token}).encode()
        _prepared(link).settimeout(5)
        link.sendall(_LENGTH.pack(len(content)) + content)
        link.setblocking(False)
        return link
    except BaseException:
        link.close()
        raise


def _near(host: str, port: int) -> socket.socket | None:
    name = _near_name(host, port)
    if name is None or not is_here(host):
        return None
    link = socket.socket(socket.AF_UNIX)
    try:
        link.connect(name)
    except OSError:
        link.close()
        return None
    return link


def _near_name(host: str, port: int) -> str | None:
    """The name of a port among the sockets of a machine, which users of the machine cannot take from each other."""
    if sys.platform != "linux" or os.environ.get("EVERGRAPH_SOCKETS") == "tcp":
        return None
    own = f"-{host}" if host.startswith("127.") and host != "127.0.0.1" else ""  # several nodes of one machine
    return f"\0evergraph-{os.getuid()}-{port}{own}"


def interface_of(host: str) -> str:
    """Where a member listens that others call by this name: a name may lead to any interface of its machine."""
    if host == "localhost":
        return "127.0.0.1"
    return host if host.startswith("127.") else "::1" if host == "[::1]" else "0.0.0.0"


def is_here(host: str) -> bool:
    """Whether a host is this machine, as far as its name tells."""
    return host in ("localhost", "[::1]", socket.gethostname()) or host.startswith("127.")


def _prepared(link: socket.socket) -> socket.socket:
    if link.family != socket.AF_UNIX:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
    return link


def heard(link: socket.socket) -> dict[str, Any]:
    """What the other end says of itself."""
    link.settimeout(2)
    (length,) = _LENGTH.unpack(_exactly(link, _LENGTH.size))
    if length > _LONGEST_HELLO:
        raise ValueError("a stranger")
    found = json.loads(_exactly(link, length))
    if not isinstance(found, dict) or not trust().admits(found.pop("token", None)):
        raise ValueError("a stranger")
    link.settimeout(None)
    return found


def _exactly(link: socket.socket, count: int) -> bytes:
    content = b""
    while len(content) < count:
        part = link.recv(count - len(content))
        if not part:
            raise Gone
        content += part
    return content


def wait_to_call() -> None:
    """Pauses before another attempt to reach a member."""
    time.sleep(_PAUSE_SECONDS)


def sent(link: socket.socket, parts: Sequence[memoryview]) -> None:
    """Sends all bytes of buffers over a link that waits."""
    left = list(parts)
    while left:
        left = _after(left, link.sendmsg(left[:64]))


def exchange(right: socket.socket | None, outgoing: Sequence[memoryview], left: socket.socket | None,
             incoming: Sequence[memoryview], look: Callable[[], object]) -> None:
    """Sends bytes to the right while others come from the left.

    Args:
        right, left: links; None where nothing is to be sent, or to come.
        outgoing: what to send.
        incoming: where to put what comes, until it is full.
        look: called from time to time while nothing moves; what it raises ends the wait.

    Raises:
        Gone: the other end is not there any more.
    """
    out, into = [part for part in outgoing if part.nbytes], [part for part in incoming if part.nbytes]
    poll = select.poll()
    sends, takes = right if out else None, left if into else None
    if sends is not None:
        poll.register(sends, select.POLLOUT)
    if takes is not None:
        poll.register(takes, select.POLLIN)
    try:
        while out or into:
            ready = poll.poll(_GLANCE_SECONDS * 1000)
            if not ready:
                look()
            for number, _ in ready:
                if takes is not None and number == takes.fileno() and into:
                    into = _after(into, _taken(takes, into))
                    if not into:
                        poll.unregister(takes)
                elif sends is not None and number == sends.fileno() and out:
                    out = _after(out, sends.sendmsg(out[:8]))
                    if not out:
                        poll.unregister(sends)
    except (OSError, ValueError) as error:  # a link that another thread has closed has no number
        raise Gone(str(error)) from None


def _taken(link: socket.socket, into: list[memoryview]) -> int:
    count = link.recvmsg_into(into[:8])[0]
    if not count:
        raise Gone("the connection is closed")
    return count


def _after(parts: list[memoryview], count: int) -> list[memoryview]:
    """What is left of parts when so many bytes of them are done."""
    while parts and count >= parts[0].nbytes:
        count -= parts.pop(0).nbytes
    if count:
        parts[0] = parts[0][count:]
    return parts
