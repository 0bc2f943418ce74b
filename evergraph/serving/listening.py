"""What listeners of all protocols share: TLS, what clients may send, and the connections that are open."""

from __future__ import annotations

import ssl
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Limits:
    """What a client may send.

    Attributes:
        body: the most bytes of a body, also once it is unpacked.
        head: the most bytes of a request's path and headers.
        seconds: the longest that a request may take to arrive, and an answer to be taken.
        idle: how long a connection may be without a request, in seconds.
        connections: how many there may be at a time.
        total: the most bytes of bodies that all of them may hold.
    """

    body: int = 64 * 2**20
    head: int = 64 * 2**10
    seconds: float = 30.0
    idle: float = 300.0
    connections: int = 10_000
    total: int = 2**31


class Refusal(Exception):
    """A request that gets no further: HTTP's status, and the text of the answer."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


class Listener:
    """What all connections of a port share.

    Args:
        limits: what clients may send.

    Attributes:
        connections: those that are open.
        held: the bytes of bodies that were read and are not yet answered.
        is_ending: whether connections are closed after the requests that are under way.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.connections: set[Any] = set()
        self.held = 0
        self.is_ending = False

    def sweep(self) -> None:
        """Ends connections whose client is too slow, or has gone silent."""
        now = time.monotonic()
        for connection in list(self.connections):
            connection.check(now)

    def begin_end(self) -> None:
        """Has clients told that they should ask elsewhere; what they still ask is answered."""
        self.is_ending = True

    def end(self) -> None:
        """Closes the connections without a request under way at once, and the others after it."""
        for connection in list(self.connections):
            connection.close_if_idle()


def tls_context(tls: tuple[bytes, bytes, bytes | None], protocols: Sequence[str]) -> ssl.SSLContext:
    """What a listener needs for TLS.

    Args:
        tls: the key, the certificate, and the certificates of clients or None, in PEM form.
        protocols: what is spoken there, in ALPN's names.
    """
    key, certificate, clients = tls
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.set_alpn_protocols(protocols)
    with tempfile.NamedTemporaryFile() as file:  # Python's ssl reads files alone; others cannot read this one
        file.write(certificate + b"\n" + key)
        file.flush()
        context.load_cert_chain(file.name)
    if clients is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=clients.decode())
    return context
