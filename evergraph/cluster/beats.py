"""Signs of life between the members of a group, which also tell how far each member is."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np

from evergraph.cluster.links import readable

_BEAT_SECONDS = 0.5


class Beats:
    """Tells the neighbours each half second that this member is there, and hears the same of them.

    A sign is how many things each member has begun, as far as the sender knows: news goes round in both directions.

    Args:
        links: to neighbours, with their numbers; closed at the end.
        rank: the number of this member.
        size: how many there are.
        silence: after how many seconds without a sign a neighbour counts as gone.
        who: number -> what to call a member.
        end: called, in another thread, when a neighbour is gone.

    Attributes:
        reason: why it ended, if a neighbour is the reason.
    """

    def __init__(self, links: Sequence[tuple[socket.socket, int]], rank: int, size: int, silence: float,
                 who: Callable[[int], str], end: Callable[[], object]) -> None:
        self._links, self._rank, self._silence, self._who, self._end = list(links), rank, silence, who, end
        self._counts = np.zeros(size, np.int64)
        self._heard = {link: time.monotonic() for link, _ in links}
        self._rest = dict.fromkeys(self._heard, b"")
        self._is_over, self.reason = False, ""
        threading.Thread(target=self._serve, name="evergraph beats", daemon=True).start()

    def reached(self, count: int) -> None:
        """Notes how many things this member has begun."""
        self._counts[self._rank] = count

    def counts(self) -> list[int]:
        """How many things each member has begun, as far as is known here."""
        return self._counts.tolist()

    def stop(self) -> None:
        self._is_over = True
        for link, _ in self._links:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        following = 0.0
        try:
            while not self._is_over:
                now = time.monotonic()
                if now >= following:
                    following = now + _BEAT_SECONDS
                    self._tell()
                self._hear(max(0.0, following - now))
        finally:
            for link, _ in self._links:
                link.close()

    def _tell(self) -> None:
        content = self._counts.tobytes()
        for link, _ in self._links:
            with contextlib.suppress(BlockingIOError):
                try:
                    link.send(content)
                except BlockingIOError:
                    raise
                except OSError:
                    self._lost(link, "has ended")

    def _hear(self, timeout: float) -> None:
        ready = readable([link for link, _ in self._links], timeout)
        now = time.monotonic()
        for link in ready:
            try:
                content = link.recv(1 << 16)
            except BlockingIOError:
                continue
            except OSError:
                content = b""
            if not content:
                self._lost(link, "has ended, or has lost a member of the group")
                return
            self._heard[link] = now
            self._learn(link, content)
        for link, last in self._heard.items():
            if now - last > self._silence and not self._is_over:
                self._lost(link, f"has given no sign of life for {now - last:.0f} seconds")

    def _learn(self, link: socket.socket, content: bytes) -> None:
        size, content = self._counts.nbytes, self._rest[link] + content
        whole = len(content) // size * size
        self._rest[link] = content[whole:]
        if whole:
            np.maximum(self._counts, np.frombuffer(content[whole - size : whole], np.int64), out=self._counts)

    def _lost(self, link: socket.socket, how: str) -> None:
        if not self._is_over:
            self._is_over = True
            self.reason = f"{self._who(dict(self._links)[link])} {how}"
            self._end()
