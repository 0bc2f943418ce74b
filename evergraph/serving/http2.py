"""HTTP/2 for a server of small answers: one asyncio.Protocol a connection, whose streams are handled side by side.

A client may send a message of the allowed size without asking for room, and the connection as a whole has room for all
of them; what bounds the memory is the Listener. Answers keep to the room that the client gives.
"""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Callable
from enum import IntEnum
from typing import Any, Protocol

from evergraph.serving import hpack
from evergraph.serving.listening import Limits, Listener, Refusal

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
MOST_STREAMS = 1000  # of a connection at a time
MOST_FRAME = 256 * 1024  # bytes that a client may send in one frame; fewer frames take less time
_MOST_WINDOW = 2**31 - 1
_FIRST_WINDOW = 65_535  # and
_FIRST_FRAME = 16_384  # are what HTTP/2 begins with
_MOST_CACHED = 64  # header blocks of a connection that are remembered

_HEAD = struct.Struct(">HBBBL")  # of a frame: the length in two parts, the kind, flags, the stream
_SETTING = struct.Struct(">HL")
_NUMBER = struct.Struct(">L")

_ACK = _END_STREAM = 0x1
_END_HEADERS, _PADDED, _PRIORITY = 0x4, 0x8, 0x20


class Kind(IntEnum):
    """Kinds of frames."""

    DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)


class Code(IntEnum):
    """Why a stream or a connection ends."""

    (NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR,
     REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM) = range(12)  # fmt: skip


class ConnectionFault(Exception):
    """What a client did that ends its connection."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(text)
        self.code = code


class Handler(Protocol):
    """Handles requests, in the thread of the event loop, and sees to it that `reply` of each stream is called once."""

    def head(self, headers: hpack.Headers) -> Any:
        """What the headers of a request say; None if they are malformed."""

    def begin(self, stream: Stream) -> None:
        """A request begins: it may be answered before it has arrived."""

    def end(self, stream: Stream) -> None:
        """A request has arrived."""

    def refuse(self, stream: Stream, refusal: Refusal) -> None:
        """A request gets no further: it is too large, or too old."""


class Http2Listener(Listener):
    """What all HTTP/2 connections of a server share.

    Args:
        handler: handles the requests.
        limits: what clients may send.
    """

    def __init__(self, handler: Handler, limits: Limits) -> None:
        super().__init__(limits)
        self.handler = handler
        self.window = min(limits.body + _FIRST_FRAME, _MOST_WINDOW)  # more than is allowed, so that it is noticed

    def begin_end(self) -> None:
        super().begin_end()
        for connection in list(self.connections):
            connection.say_goodbye(_MOST_WINDOW)


class Stream:
    """A request, and the answer to it.

    Attributes:
        number: which one of its connection.
        head: what the handler makes of its headers.
        body: what has arrived.
        is_whole: whether that is all.
        began: when it began, by `time.monotonic`.
        left: called if the client no longer wants the answer.
        room: how many bytes of data the client takes now.
    """

    __slots__ = ("number", "head", "body", "is_whole", "began", "left", "room", "_connection", "_rest", "_trailers",
                 "_since")  # fmt: skip

    def __init__(self, connection: Connection, number: int, head: Any, room: int) -> None:
        self.number, self.head, self.room, self._connection = number, head, room, connection
        self.body: bytes | bytearray = b""
        self.is_whole = False
        self.began = time.monotonic()
        self.left: Callable[[], None] | None = None
        self._rest: memoryview | None = None  # of the answer
        self._trailers = b""
        self._since = 0.0  # of the rest: when the client last took a part

    def add(self, data: bytes) -> None:
        if not self.body:
            self.body = data  # mostly all of it
        elif isinstance(self.body, bytearray):
            self.body += data
        else:
            self.body = bytearray(self.body + data)

    def reply(self, head: bytes, data: bytes = b"", trailers: bytes = b"") -> None:
        """Answers: header blocks, and data between them; one that the client no longer wants is dropped.

        Args:
            head: the first headers.
            data: the answer itself.
            trailers: the headers behind it; if there are none, `head` is all of the answer.
        """
        connection = self._connection
        if connection.streams.get(self.number) is not self:
            return
        if not trailers:
            connection.send(_frame(Kind.HEADERS, _END_HEADERS | _END_STREAM, self.number, head))
            return connection.close(self)
        size = len(data)
        if not size or size <= min(self.room, connection.room, connection.most_frame):
            self.room -= size
            connection.room -= size
            number = self.number
            connection.send(b"%b%b%b%b%b%b" % (
                _HEAD.pack(0, len(head), Kind.HEADERS, _END_HEADERS, number), head,
                _HEAD.pack(size >> 8, size & 0xFF, Kind.DATA, 0, number), data,
                _HEAD.pack(0, len(trailers), Kind.HEADERS, _END_HEADERS | _END_STREAM, number), trailers))  # fmt: skip
            return connection.close(self)
        connection.send(_frame(Kind.HEADERS, _END_HEADERS, self.number, head))
        self._rest, self._trailers, self._since = memoryview(data), trailers, time.monotonic()
        self.go_on()

    def go_on(self) -> None:
        """Sends as much of the answer as the client has room for."""
        connection = self._connection
        while self._rest is not None and (size := min(self.room, connection.room, connection.most_frame,
                                                      len(self._rest))) > 0:  # fmt: skip
            connection.send(_frame(Kind.DATA, 0, self.number, bytes(self._rest[:size])))
            self._rest, self._since = self._rest[size:], time.monotonic()
            self.room -= size
            connection.room -= size
            if not self._rest:
                connection.send(_frame(Kind.HEADERS, _END_HEADERS | _END_STREAM, self.number, self._trailers))
                return connection.close(self)
        if self.waits and connection.is_deaf:
            connection.drop(self)

    @property
    def waits(self) -> bool:
        """Whether a part of the answer waits for room."""
        return self._rest is not None

    def is_stuck(self, now: float, seconds: float) -> bool:
        """Whether the client has not taken anything of its answer for some time."""
        return self.waits and now - self._since > seconds


class Connection(asyncio.Protocol):
    """One client's connection.

    Attributes:
        streams: the requests that are not answered, by number.
        room, most_frame: what the client takes now: bytes of data, and bytes of a frame.
        is_deaf: whether nothing more comes from the client, not even room.
    """

    def __init__(self, listener: Http2Listener) -> None:
        self._listener, self._limits = listener, listener.limits
        self.streams: dict[int, Stream] = {}
        self.room, self.most_frame = _FIRST_WINDOW, _FIRST_FRAME
        self._first_room = _FIRST_WINDOW  # of a stream
        self._transport: Any = None
        self._decoder = hpack.Decoder(listener.limits.head)
        self._heads: dict[bytes, Any] = {}  # by header block, as long as the decoder's table does not change
        self._buffer, self._wanted = bytearray(), len(PREFACE)
        self._has_begun = False
        self._is_over = False  # whether nothing more is read
        self._last = 0  # the highest number of a stream
        self._block: tuple[int, int, bytearray] | None = None  # a header block that goes on: stream, flags, bytes
        self._taken = 0  # bytes of data since the client was last given room
        self._is_held = False  # whether the client has to take answers first
        self.is_deaf = False
        self._is_leaving = False  # whether the connection ends with its last stream
        self._since = time.monotonic()  # of the state that `check` looks at

    # ---- what asyncio tells

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._listener.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._listener.connections.discard(self)
        self._is_over = True
        for stream in list(self.streams.values()):
            self.drop(stream)

    def eof_received(self) -> bool:
        """The client sends no more, but may wait for answers that there is room for; with TLS it may not."""
        if self._transport.get_extra_info("sslcontext") is not None:
            return False
        self.is_deaf = True
        for stream in list(self.streams.values()):
            if not stream.is_whole or stream.waits:
                self.drop(stream)
        self._is_leaving = bool(self.streams)
        return self._is_leaving

    def pause_writing(self) -> None:
        """A client that does not take its answers may not ask on."""
        self._is_held, self._since = True, time.monotonic()
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._is_held = False
        if not self._is_over:
            self._transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        if self._is_over:
            return
        if self._buffer:
            self._buffer += data
            if len(self._buffer) < self._wanted:
                return
            data = bytes(self._buffer)
            self._buffer.clear()
        try:
            used = self._frames(data, 0) if self._has_begun else self._begin(data)
        except ConnectionFault as fault:
            return self._fail(fault.code, str(fault))
        if used < len(data) and not self._is_over:
            self._buffer += memoryview(data)[used:]

    def _begin(self, data: bytes) -> int:
        if not data.startswith(PREFACE):
            if PREFACE.startswith(data):
                return 0
            text = b"This port speaks HTTP/2 for gRPC alone\n"
            self.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b"
                      % (len(text), text))  # fmt: skip
            self._end()
            return 0
        self._has_begun = True
        settings = {3: MOST_STREAMS, 4: self._listener.window, 5: MOST_FRAME, 6: self._limits.head}
        self.send(_frame(Kind.SETTINGS, 0, 0, b"".join([_SETTING.pack(*each) for each in settings.items()]))
                  + _frame(Kind.WINDOW_UPDATE, 0, 0, _NUMBER.pack(_MOST_WINDOW - _FIRST_WINDOW)))  # fmt: skip
        if len(self._listener.connections) > self._limits.connections:
            raise ConnectionFault(Code.ENHANCE_YOUR_CALM, "there are too many connections")
        return self._frames(data, len(PREFACE))

    def _frames(self, data: bytes, place: int) -> int:
        """Takes the frames that are whole; returns where the first one that is not begins."""
        size = len(data)
        while size - place >= 9:
            high, low, kind, flags, number = _HEAD.unpack_from(data, place)
            length = high << 8 | low
            if length > MOST_FRAME:
                raise ConnectionFault(Code.FRAME_SIZE_ERROR, f"a frame of {length} bytes; it may have {MOST_FRAME}")
            end = place + 9 + length
            if end > size:
                self._wanted = end - place
                return place
            if self._block is not None and kind != Kind.CONTINUATION:
                raise ConnectionFault(Code.PROTOCOL_ERROR, "a header block that does not go on")
            if kind < len(self._takers):
                self._takers[kind](self, number & _MOST_WINDOW, flags, data[place + 9 : end])
            if self._is_over:
                return size
            place = end
        self._wanted = 9
        return place

    # ---- frames of a stream

    def _take_data(self, number: int, flags: int, data: bytes) -> None:
        self._give_room(len(data))
        stream = self.streams.get(number)
        if stream is None:
            return self._check_old(number)
        if stream.is_whole:
            return self._reset(stream, Code.STREAM_CLOSED)
        if flags & _PADDED:
            data = _without_padding(data)
        stream.add(data)
        self._listener.held += len(data)
        if len(stream.body) > self._limits.body:
            return self._listener.handler.refuse(stream, Refusal(413, f"A request may have {self._limits.body} bytes"))
        if self._listener.held > self._limits.total:
            return self._listener.handler.refuse(stream, Refusal(503, "The server holds too many requests"))
        if flags & _END_STREAM:
            self._has_arrived(stream)

    def _give_room(self, size: int) -> None:
        """Lets the client send on; its share of all data is bounded elsewhere."""
        self._taken += size
        if self._taken > _MOST_WINDOW // 2:
            self.send(_frame(Kind.WINDOW_UPDATE, 0, 0, _NUMBER.pack(self._taken)))
            self._taken = 0

    def _take_headers(self, number: int, flags: int, data: bytes) -> None:
        if not number & 1:
            raise ConnectionFault(Code.PROTOCOL_ERROR, f"headers of stream {number}, which no client opens")
        if flags & _PADDED:
            data = _without_padding(data)
        if flags & _PRIORITY:
            if len(data) < 5:
                raise ConnectionFault(Code.FRAME_SIZE_ERROR, "a priority that is cut off")
            data = data[5:]
        self._bound(data)
        if flags & _END_HEADERS:
            return self._take_block(number, flags, data)
        self._block = number, flags, bytearray(data)

    def _take_continuation(self, number: int, flags: int, data: bytes) -> None:
        if self._block is None or self._block[0] != number:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "a header block that goes on and never began")
        _, first_flags, block = self._block
        block += data or b"\0"  # else there could be any number of them; no sound block has such a byte there
        self._bound(block)
        if flags & _END_HEADERS:
            self._block = None
            self._take_block(number, first_flags, bytes(block))

    def _bound(self, block: bytes | bytearray) -> None:
        """One block that is too long ends its stream alone; but it has to be read to be understood."""
        if len(block) > MOST_FRAME:
            raise ConnectionFault(Code.ENHANCE_YOUR_CALM, f"a header block may have {MOST_FRAME} bytes")

    def _take_block(self, number: int, flags: int, block: bytes) -> None:
        try:
            head = self._head(block)
        except hpack.DamagedError as error:
            raise ConnectionFault(Code.COMPRESSION_ERROR, str(error)) from None
        except hpack.TooLongError:
            head = Code.ENHANCE_YOUR_CALM
        stream = self.streams.get(number)
        if stream is not None:
            return self._take_trailers(stream, flags)
        if number <= self._last:
            return self._tell_reset(number, Code.STREAM_CLOSED)
        self._last = number
        if self._is_leaving:
            return  # the client knows that it is not answered
        if isinstance(head, Code):
            return self._tell_reset(number, head)
        if len(self.streams) >= MOST_STREAMS:
            return self._tell_reset(number, Code.REFUSED_STREAM)
        stream = self.streams[number] = Stream(self, number, head, self._first_room)
        self._listener.handler.begin(stream)
        if flags & _END_STREAM:
            self._has_arrived(stream)

    def _head(self, block: bytes) -> Any:
        """What a header block says, or why its stream is refused; equal blocks mostly follow each other."""
        if block in self._heads:
            return self._heads[block]
        before = self._decoder.changes
        head = self._listener.handler.head(self._decoder.headers(block)) or Code.PROTOCOL_ERROR
        if self._decoder.changes != before or len(self._heads) >= _MOST_CACHED:
            self._heads.clear()
        if self._decoder.changes == before and len(block) <= 200:
            self._heads[block] = head
        return head

    def _take_trailers(self, stream: Stream, flags: int) -> None:
        """The headers at the end of a request say nothing here."""
        if stream.is_whole or not flags & _END_STREAM:
            return self._reset(stream, Code.STREAM_CLOSED if stream.is_whole else Code.PROTOCOL_ERROR)
        self._has_arrived(stream)

    def _has_arrived(self, stream: Stream) -> None:
        stream.is_whole = True
        if stream.number in self.streams:
            self._listener.handler.end(stream)

    def _take_reset(self, number: int, flags: int, data: bytes) -> None:
        _want_length(data, 4)
        stream = self.streams.get(number)
        if stream is None:
            return self._check_old(number)
        self.drop(stream)

    def _take_priority(self, number: int, flags: int, data: bytes) -> None:
        _want_length(data, 5)

    def _check_old(self, number: int) -> None:
        if number == 0 or number > self._last or not number & 1:
            raise ConnectionFault(Code.PROTOCOL_ERROR, f"a frame of stream {number}, which has not begun")

    # ---- frames of the connection

    def _take_settings(self, number: int, flags: int, data: bytes) -> None:
        if number or flags & _ACK and data or len(data) % 6:
            raise ConnectionFault(Code.PROTOCOL_ERROR if number else Code.FRAME_SIZE_ERROR, "damaged settings")
        if flags & _ACK:
            return
        for name, value in _SETTING.iter_unpack(data):
            if name == 4:
                self._resize(value)
            elif name == 5:
                if not _FIRST_FRAME <= value < 2**24:
                    raise ConnectionFault(Code.PROTOCOL_ERROR, f"frames of {value} bytes")
                self.most_frame = value
            elif name == 2 and value > 1:
                raise ConnectionFault(Code.PROTOCOL_ERROR, f"a switch with the value {value}")
        self.send(_frame(Kind.SETTINGS, _ACK, 0))
        self._go_on()

    def _resize(self, room: int) -> None:
        """Changes how much each stream may be sent, also those that are under way."""
        if room > _MOST_WINDOW:
            raise ConnectionFault(Code.FLOW_CONTROL_ERROR, f"a window of {room} bytes")
        for stream in self.streams.values():
            stream.room += room - self._first_room
        self._first_room = room

    def _take_ping(self, number: int, flags: int, data: bytes) -> None:
        if number:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "a ping of a stream")
        _want_length(data, 8)
        if not flags & _ACK:
            self.send(_frame(Kind.PING, _ACK, 0, data))

    def _take_goodbye(self, number: int, flags: int, data: bytes) -> None:
        """The client opens no more streams, and closes the connection itself when it has its answers."""
        if number:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "a goodbye of a stream")

    def _take_room(self, number: int, flags: int, data: bytes) -> None:
        _want_length(data, 4)
        size = _NUMBER.unpack(data)[0] & _MOST_WINDOW
        if number == 0:
            self.room += size
            if not size or self.room > _MOST_WINDOW:
                raise ConnectionFault(Code.FLOW_CONTROL_ERROR if size else Code.PROTOCOL_ERROR, "room of no size")
            return self._go_on()
        stream = self.streams.get(number)
        if stream is None:
            return self._check_old(number)
        stream.room += size
        if not size or stream.room > _MOST_WINDOW:
            return self._reset(stream, Code.FLOW_CONTROL_ERROR if size else Code.PROTOCOL_ERROR)
        stream.go_on()

    def _take_promise(self, number: int, flags: int, data: bytes) -> None:
        raise ConnectionFault(Code.PROTOCOL_ERROR, "a promise of a client")

    _takers = (_take_data, _take_headers, _take_priority, _take_reset, _take_settings, _take_promise, _take_ping,
               _take_goodbye, _take_room, _take_continuation)  # fmt: skip
    """By Kind; frames of other kinds have no meaning."""

    # ---- answers

    def send(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    def _go_on(self) -> None:
        for stream in list(self.streams.values()):
            stream.go_on()

    def close(self, stream: Stream) -> None:
        """Forgets a stream that is answered, wholly arrived or not."""
        if not stream.is_whole:
            self._tell_reset(stream.number, Code.NO_ERROR)
        self._forget(stream)

    def _reset(self, stream: Stream, code: Code) -> None:
        self._tell_reset(stream.number, code)
        self.drop(stream)

    def _tell_reset(self, number: int, code: Code) -> None:
        self.send(_frame(Kind.RST_STREAM, 0, number, _NUMBER.pack(code)))

    def drop(self, stream: Stream) -> None:
        """Forgets a stream whose answer the client does not want."""
        left = stream.left
        self._forget(stream)
        if left is not None:
            left()

    def _forget(self, stream: Stream) -> None:
        del self.streams[stream.number]
        stream.left = None  # it holds the handler, which holds the stream and the model that answered
        self._listener.held -= len(stream.body)
        if not self.streams:
            self._since = time.monotonic()
            if self._is_leaving:
                self._end()

    # ---- slow clients, and the end

    def say_goodbye(self, last: int) -> None:
        """Tells the client that streams beyond a number are not answered."""
        self.send(_frame(Kind.GOAWAY, 0, 0, _NUMBER.pack(last) + _NUMBER.pack(Code.NO_ERROR)))

    def check(self, now: float) -> None:
        """Ends the connection, or requests, if the client has taken too long."""
        waits = now - self._since
        if self._is_held and waits > self._limits.seconds:
            self._transport.abort()
        elif not self.streams and waits > (self._limits.idle if self._has_begun else self._limits.seconds):
            self.close_if_idle()
        for stream in list(self.streams.values()):
            if not stream.is_whole and now - stream.began > self._limits.seconds:
                self._listener.handler.refuse(stream, Refusal(
                    408, f"The request took longer than {self._limits.seconds:g} s to arrive"))
            elif stream.is_stuck(now, self._limits.seconds):
                self._reset(stream, Code.CANCEL)

    def close_if_idle(self) -> None:
        """Closes the connection as soon as it has no request."""
        if not self._is_leaving:
            self._is_leaving = True
            self.say_goodbye(self._last)
        if not self.streams:
            self._end()

    def _fail(self, code: Code, text: str) -> None:
        self.send(_frame(Kind.GOAWAY, 0, 0, _NUMBER.pack(self._last) + _NUMBER.pack(code) + text.encode()))
        self._end()

    def _end(self) -> None:
        self._is_over = True
        self._transport.close()


def _frame(kind: Kind, flags: int, number: int, data: bytes = b"") -> bytes:
    return _HEAD.pack(len(data) >> 8, len(data) & 0xFF, kind, flags, number) + data


def _without_padding(data: bytes) -> bytes:
    if not data or data[0] >= len(data):
        raise ConnectionFault(Code.PROTOCOL_ERROR, "more padding than there is")
    return data[1 : len(data) - data[0]]


def _want_length(data: bytes, length: int) -> None:
    if len(data) != length:
        raise ConnectionFault(Code.FRAME_SIZE_ERROR, f"a frame of {len(data)} bytes in place of {length}")
