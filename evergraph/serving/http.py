"""HTTP/1.1 for a server of small answers: one asyncio.Protocol a connection, requests taken apart by httptools.

A connection handles its requests one after another, also when a client sends several at once. What a client sends
is bounded in size and time: a request that is too large, or takes too long to arrive, is answered and the connection
closed.
"""

from __future__ import annotations

import asyncio
import gzip
import time
import zlib
from collections import deque
from collections.abc import Callable
from typing import Any

import httptools

from evergraph.serving.json_text import written
from evergraph.serving.listening import Limits, Listener, Refusal
from evergraph.serving.statuses import REASONS

JSON = "application/json"
GZIP_FROM = 16 * 1024  # bytes of an answer; below, compressing takes longer than sending
_MOST_PENDING = 64  # requests that are read while one is under way
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Request:
    """A request that has arrived.

    Attributes:
        method, path: as it says; the path is without the query, and HEAD, whose answer has no body, is GET here.
        headers: values by name in small letters.
        body: unpacked, if it came packed.
        began: when its first byte came, by `time.monotonic`.
    """

    __slots__ = ("method", "path", "headers", "body", "began", "keeps_alive", "size", "wants_body", "is_old")

    def __init__(
        self, method: str, path: str, headers: dict[bytes, bytes], body: bytes | bytearray, began: float
    ) -> None:
        self.wants_body = method != "HEAD"
        self.method = method if self.wants_body else "GET"
        self.path, self.headers, self.body, self.began = path, headers, body, began
        self.keeps_alive, self.size = True, 0  # the size of the body as it came
        self.is_old = False  # whether the client closes a connection unless it is told not to


Handler = Callable[[Request, "Connection"], None]
"""Handles a request, and sees to it that `reply` of the connection is called once, in the thread of the event loop."""

Log = Callable[[Request, int, int], None]
"""Is told of each answer: the request, the status, the size."""


class HttpListener(Listener):
    """What all HTTP/1.1 connections of a server share.

    Args:
        handler: handles the requests.
        limits: what clients may send.
        headers: lines for every answer, each with its end of line.
        log: is told of each answer; None for nobody.
    """

    def __init__(self, handler: Handler, limits: Limits, headers: str = "", log: Log | None = None) -> None:
        super().__init__(limits)
        self.handler, self.headers, self.log = handler, headers, log
        self._heads: dict[tuple[int, str], bytes] = {}

    def head(self, status: int, content_type: str) -> bytes:
        """The first lines of an answer, up to its length."""
        found = self._heads.get((status, content_type))
        if found is None:
            first = f"HTTP/1.1 {status} {REASONS[status]}\r\nContent-Type: {content_type}\r\n"
            found = self._heads[status, content_type] = f"{first}{self.headers}Content-Length: ".encode()
        return found


class Connection(asyncio.Protocol):
    """One client's connection."""

    def __init__(self, listener: HttpListener) -> None:
        self._listener, self._limits = listener, listener.limits
        self._parser = httptools.HttpRequestParser(self)
        self._transport: Any = None
        self._pending: deque[Request] = deque()
        self._current: Request | None = None
        self._is_held = False  # whether the client has to take answers first
        self._is_paused = False  # whether it has to wait for answers before it sends more
        self._is_over = False  # whether nothing more is read
        self._is_finished = False  # whether the client has said all that it will
        self._is_going = False
        self._since = time.monotonic()  # of the state that `check` looks at
        self._held = 0  # bytes of bodies
        self._clear()

    # ---- what asyncio tells

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._listener.connections.add(self)
        if len(self._listener.connections) > self._limits.connections:
            self._refuse(503, "There are too many connections")

    def connection_lost(self, exc: Exception | None) -> None:
        self._listener.connections.discard(self)
        self._is_over = True
        self._pending.clear()
        self._hold(-self._held)

    def data_received(self, data: bytes | memoryview) -> None:
        stop = None if self._is_over else self._feed(data)
        while stop is not None:
            self._read_again()
            data = memoryview(data)[stop:]
            stop = self._feed(data) if data and not self._is_over else None

    def _feed(self, data: bytes | memoryview) -> int | None:
        """Has the parser read; returns where it stopped if a request asked for another protocol."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            return upgrade.args[0]
        except Refusal as refusal:
            self._refuse(refusal.status, refusal.text)
        except httptools.HttpParserError as error:
            cause = error.__context__  # of a callback's exception
            if isinstance(cause, Refusal):
                self._refuse(cause.status, cause.text)
            else:
                self._refuse(400, f"Malformed request: {error}")
        return None

    def _read_again(self) -> None:
        """Begins a request again that asked for another protocol, without the wish, which a server may overlook.

        Java's client asks for HTTP/2 so. httptools would not read the body.
        """
        method, wishes = self._parser.get_method(), (b"connection", b"upgrade", b"http2-settings")
        if method == b"CONNECT":
            return self._refuse(400, "Malformed request: CONNECT")
        lines = [b"%b: %b\r\n" % item for item in self._headers.items() if item[0] not in wishes]
        head = b"%b %b HTTP/1.1\r\n%b\r\n" % (method, self._url, b"".join(lines))
        self._clear()
        self._parser = httptools.HttpRequestParser(self)
        self._feed(head)

    def eof_received(self) -> bool:
        """The client sends no more, but may wait for answers; with TLS it may not."""
        if self._current is None or self._transport.get_extra_info("sslcontext") is not None:
            return False
        self._is_finished = True
        return True

    def pause_writing(self) -> None:
        self._is_held, self._since = True, time.monotonic()

    def resume_writing(self) -> None:
        self._is_held = False
        self._go_on()

    # ---- what httptools tells

    def _clear(self) -> None:
        self._url, self._headers = b"", {}  # type: ignore[var-annotated]
        self._body: bytes | bytearray = b""
        self._head_size = 0
        self._began: float | None = None

    def on_message_begin(self) -> None:
        self._began = time.monotonic()

    def on_url(self, url: bytes) -> None:
        self._head_size += len(url)
        self._url += url
        if self._head_size > self._limits.head:
            raise Refusal(431, f"The path of a request may have {self._limits.head} bytes")

    def on_header(self, name: bytes, value: bytes) -> None:
        self._head_size += len(name) + len(value)
        self._headers[name.lower()] = value
        if self._head_size > self._limits.head:
            raise Refusal(431, f"The path and headers of a request may have {self._limits.head} bytes")

    def on_headers_complete(self) -> None:
        length = self._headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._limits.body:
            raise Refusal(413, f"The body of a request may have {self._limits.body} bytes")
        if self._headers.get(b"expect", b"").lower() == b"100-continue":
            self._transport.write(_CONTINUE)

    def on_body(self, body: bytes) -> None:
        if len(self._body) + len(body) > self._limits.body:
            raise Refusal(413, f"The body of a request may have {self._limits.body} bytes")
        if not self._body:
            self._body = body  # mostly all of it
        elif isinstance(self._body, bytearray):
            self._body += body
        else:
            self._body = bytearray(self._body + body)
        self._hold(len(body))
        if self._listener.held > self._limits.total:
            raise Refusal(503, "The server holds too many requests")

    def _hold(self, size: int) -> None:
        self._held += size
        self._listener.held += size

    def on_message_complete(self) -> None:
        if self._parser.should_upgrade():
            return  # `_read_again` does
        body, size = self._body, len(self._body)
        encoding = self._headers.get(b"content-encoding")
        if encoding is not None:
            body = unpacked(body, encoding, self._limits.body)
        method, began = self._parser.get_method().decode(), self._began or time.monotonic()
        request = Request(method, _path(self._url), self._headers, body, began)
        request.keeps_alive, request.size = self._parser.should_keep_alive(), size
        if b"connection" in request.headers:
            request.is_old = self._parser.get_http_version() == "1.0"
        self._clear()
        self._pending.append(request)
        if not self._is_paused and (len(self._pending) >= _MOST_PENDING or self._held > self._limits.body):
            self._is_paused = True
            self._transport.pause_reading()
        if self._current is None:
            self._go_on()

    # ---- one request after another

    def _go_on(self) -> None:
        """Begins requests until one is under way, or the client has to take answers first."""
        self._is_going = True  # an answer that comes at once leaves the next request to this loop
        while self._pending and self._current is None and not self._is_held and not self._is_over:
            request = self._current = self._pending.popleft()
            if self._is_paused and not self._pending:
                self._is_paused = False
                self._transport.resume_reading()
            self._listener.handler(request, self)
        self._is_going = False

    def reply(self, status: int, body: bytes, content_type: str = JSON, extra: str = "") -> None:
        """Answers the request that is under way.

        Args:
            status: HTTP's number.
            body: the answer itself.
            content_type: what it is.
            extra: further header lines, each with its end of line.
        """
        request, self._current = self._current, None
        if request is None or self._transport.is_closing():
            return
        self._hold(-request.size)
        if len(body) >= GZIP_FROM and _takes_gzip(request.headers.get(b"accept-encoding", b"")):
            body, extra = gzip.compress(body, 1), f"{extra}Content-Encoding: gzip\r\n"
        is_last = self._is_finished and not self._pending
        ends = not request.keeps_alive or self._listener.is_ending or self._is_over or is_last
        if ends:
            extra += "Connection: close\r\n"
        elif request.is_old:
            extra += "Connection: keep-alive\r\n"
        head, sent = self._listener.head(status, content_type), body if request.wants_body else b""
        self._transport.write(b"%b%d\r\n%b\r\n%b" % (head, len(body), extra.encode() if extra else b"", sent))
        self._since = time.monotonic()
        if self._listener.log is not None:
            self._listener.log(request, status, len(body))
        if ends:
            self._is_over = True
            self._transport.close()
        elif self._pending and not self._is_going:
            self._go_on()

    def _refuse(self, status: int, text: str) -> None:
        """Answers a request that did not arrive whole, and ends the connection, after the answer that is under way."""
        request = Request("", _path(self._url), self._headers, b"", self._began or time.monotonic())
        request.keeps_alive = False
        self._is_over = True
        if self._current is None and not self._pending:
            self._current = request
            self.reply(status, written({"error": text}))

    # ---- slow clients, and the end

    def check(self, now: float) -> None:
        """Ends the connection if its client has taken too long."""
        waits = now - self._since
        if self._is_held and waits > self._limits.seconds:
            self._transport.abort()
        elif self._began is not None and now - self._began > self._limits.seconds:
            self._refuse(408, f"The request took longer than {self._limits.seconds:g} s to arrive")
        elif self._current is None and self._began is None and waits > self._limits.idle:
            self._transport.close()

    def close_if_idle(self) -> None:
        if self._current is None and not self._pending and self._began is None:
            self._transport.close()


def _path(url: bytes) -> str:
    """The path of a request's target, which may be a whole URL."""
    if url.startswith(b"/") and b"?" not in url and b"#" not in url:
        return url.decode("latin-1")
    try:
        return (httptools.parse_url(url).path or b"/").decode("latin-1")
    except httptools.HttpParserInvalidURLError:
        return url.decode("latin-1")


def _takes_gzip(accepted: bytes) -> bool:
    """Whether an Accept-Encoding names gzip, with no quality or one above zero."""
    for part in accepted.lower().replace(b" ", b"").split(b","):
        name, _, quality = part.partition(b";q=")
        if name in (b"gzip", b"x-gzip"):
            return not quality or quality.strip(b"0.") != b""
    return False


def unpacked(body: bytes | bytearray, encoding: bytes, most: int) -> bytes | bytearray:
    """The content of a packed body.

    Raises:
        Refusal: it is packed in another way, is damaged, or is too large.
    """
    encoding = encoding.strip().lower()
    if encoding in (b"identity", b""):
        return body
    if encoding not in (b"gzip", b"x-gzip", b"deflate"):
        raise Refusal(415, f"Bodies may be packed with gzip or deflate, not {encoding.decode('latin-1')}")
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    try:
        content = unpacking.decompress(body, most)
    except zlib.error as error:
        raise Refusal(400, f"The body is not packed with {encoding.decode()}: {error}") from None
    if unpacking.unconsumed_tail:
        raise Refusal(413, f"The body of a request may have {most} bytes")
    if not unpacking.eof:
        raise Refusal(400, "The body ends before its packed content does")
    return content
