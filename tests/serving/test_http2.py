"""HTTP/2 frame by frame, as clients send them that are not ours: RFC 9113 and, for header blocks, RFC 7541."""

import gc
import struct
import weakref

import pytest

from evergraph.serving import hpack
from evergraph.serving.hpack import DamagedError, Decoder, TooLongError
from evergraph.serving.http2 import MOST_FRAME, MOST_STREAMS, PREFACE, Code, Connection, Http2Listener, Kind
from evergraph.serving.listening import Limits

# ---------------------------------------------------------------- header blocks

FIRST = [(b":method", b"GET"), (b":scheme", b"http"), (b":path", b"/"), (b":authority", b"www.example.com")]


def test_header_blocks_of_the_specification():
    """The requests of RFC 7541, C.3 and C.4: without Huffman's code, and with it."""
    for blocks in (("828684410f7777772e6578616d706c652e636f6d", "828684be58086e6f2d6361636865",
                    "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565"),
                   ("828684418cf1e3c2e5f23a6ba0ab90f4ff", "828684be5886a8eb10649cbf",
                    "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf")):  # fmt: skip
        decoder = Decoder(1000)
        assert decoder.headers(bytes.fromhex(blocks[0])) == FIRST
        assert decoder.headers(bytes.fromhex(blocks[1])) == [*FIRST, (b"cache-control", b"no-cache")]
        assert decoder.headers(bytes.fromhex(blocks[2])) == [
            (b":method", b"GET"), (b":scheme", b"https"), (b":path", b"/index.html"), FIRST[3],
            (b"custom-key", b"custom-value")]  # fmt: skip


def test_the_table_forgets_its_oldest_entries():
    decoder = Decoder(100_000)
    decoder.headers(b"\x3f\xa9\x01")  # 200 bytes: room for two entries of 100
    add = b"\x40\x01%b\x43" + b"v" * 67
    for name in b"abc":
        decoder.headers(add % bytes([name]))
    assert decoder.headers(b"\xbe\xbf") == [(b"c", b"v" * 67), (b"b", b"v" * 67)]
    with pytest.raises(DamagedError):
        decoder.headers(b"\xc0")
    decoder.headers(b"\x20")  # none at all
    with pytest.raises(DamagedError):
        decoder.headers(b"\xbe")


def test_every_byte_in_huffmans_code():
    """What is coded is decoded again; a text must not end within a symbol, nor have more than seven bits behind it."""
    codes = {symbol: bin(code)[3:] for code, symbol in hpack._SYMBOLS.items()}
    assert sorted(codes) == list(range(257)) and sum(2.0 ** -len(code) for code in codes.values()) == 1

    def coded(symbols, fill="1"):
        bits = "".join(codes[symbol] for symbol in symbols)
        bits += fill * (-len(bits) % 8)
        return int(bits, 2).to_bytes(len(bits) // 8)

    assert hpack.from_huffman(coded(range(256))) == bytes(range(256)) and hpack.from_huffman(b"") == b""
    for damaged in (coded(b"a", "0"), coded([256]), coded(b"aa", "1") + b"\xff"):
        with pytest.raises(DamagedError):
            hpack.from_huffman(damaged)


@pytest.mark.parametrize("block", [
    b"\x80", b"\xff", b"\xff\xff\xff\xff\xff\xff", b"\x00", b"\x00\x05ab", b"\x00\x01a\x85ab", b"\x82\x20",
    b"\x3f\xe2\x1f", b"\x7f\x80\x80\x80\x80\x01", b"\x00\x01a\x81\x00",
])
def test_damaged_header_blocks(block):
    with pytest.raises(DamagedError):
        Decoder(1000).headers(block)


def test_headers_that_are_too_long_leave_the_table_sound():
    decoder = Decoder(100)
    with pytest.raises(TooLongError):
        decoder.headers(b"\x82" * 100 + b"\x40\x01a\x01b")
    assert decoder.headers(b"\xbe") == [(b"a", b"b")]


def test_blocks_that_need_no_table():
    headers = [(":status", "200"), ("a" * 127, "b" * 300), ("c", "")]
    assert Decoder(10_000).headers(hpack.written(headers)) == [(a.encode(), b.encode()) for a, b in headers]


# ---------------------------------------------------------------- connections


class Transport:
    """What a connection writes to."""

    def __init__(self):
        self.sent, self.closed, self.is_paused = bytearray(), None, False

    def write(self, data):
        self.sent += data

    def is_closing(self):
        return self.closed is not None

    def close(self):
        self.closed = self.closed or "closed"

    def abort(self):
        self.closed = "aborted"

    def pause_reading(self):
        self.is_paused = True

    def get_extra_info(self, name):
        return None

    def resume_reading(self):
        self.is_paused = False


class Echo:
    """Answers what it is sent; with the path /wait it leaves the stream to the test."""

    def __init__(self):
        self.waiting, self.left, self.refused = [], [], []

    def head(self, headers):
        return dict(headers) if dict(headers).get(b":method") else None

    def begin(self, stream):
        stream.left = lambda: self.left.append(stream.number)
        self.held = weakref.ref(stream.left)

    def end(self, stream):
        if stream.head[b":path"] == b"/wait":
            self.waiting.append(stream)
        else:
            self.answer(stream)

    def answer(self, stream):
        stream.reply(hpack.written([(":status", "200")]), bytes(stream.body), hpack.written([("grpc-status", "0")]))

    def refuse(self, stream, refusal):
        self.refused.append((stream.number, refusal.status))
        stream.reply(hpack.written([(":status", str(refusal.status))]))


def frame(kind, flags=0, number=0, data=b""):
    return struct.pack(">HBBBL", len(data) >> 8, len(data) & 0xFF, kind, flags, number) + data


def number(value):
    return struct.pack(">L", value)


ASKED, WAITING = (hpack.written([(":method", "POST"), (":path", path)]) for path in ("/echo", "/wait"))


def request(stream, data=b"hello", block=ASKED):
    return frame(Kind.HEADERS, 4, stream, block) + frame(Kind.DATA, 1, stream, data)


class Wire:
    """A connection, and what it says to frames."""

    def __init__(self, settings=b"", **limits):
        self.handler, self.transport = Echo(), Transport()
        self.listener = Http2Listener(self.handler, Limits(**limits))
        self.connection = Connection(self.listener)
        self.connection.connection_made(self.transport)
        self.first = self.send(PREFACE + frame(Kind.SETTINGS, 0, 0, settings))

    def send(self, data):
        """The frames that come back: (kind, flags, stream, content)."""
        self.connection.data_received(data)
        return self.said()

    def said(self):
        found, place = [], 0
        sent = bytes(self.transport.sent)
        self.transport.sent.clear()
        while place < len(sent):
            high, low, kind, flags, stream = struct.unpack_from(">HBBBL", sent, place)
            size = high << 8 | low
            found.append((Kind(kind), flags, stream, sent[place + 9 : place + 9 + size]))
            place += 9 + size
        return found

    def fails(self, data):
        """The code with which the connection ends."""
        *_, (kind, _, _, content) = self.send(data)
        assert kind is Kind.GOAWAY and self.transport.closed, kind
        return Code(int.from_bytes(content[4:8]))


def answers(frames):
    """The data of each stream that was answered."""
    found = {}
    for kind, flags, stream, content in frames:
        if kind is Kind.DATA:
            found[stream] = found.get(stream, b"") + content
        elif kind is Kind.HEADERS and flags & 1:
            found.setdefault(stream, b"")
    return found


def test_a_request_and_its_answer():
    wire = Wire()
    assert [(kind, flags) for kind, flags, *_ in wire.first] == [
        (Kind.SETTINGS, 0), (Kind.WINDOW_UPDATE, 0), (Kind.SETTINGS, 1)]  # fmt: skip
    (head, data, trailers) = wire.send(request(1))
    assert head[:3] == (Kind.HEADERS, 4, 1) and Decoder(1000).headers(head[3]) == [(b":status", b"200")]
    assert data == (Kind.DATA, 0, 1, b"hello")
    assert trailers[:3] == (Kind.HEADERS, 5, 1) and Decoder(1000).headers(trailers[3]) == [(b"grpc-status", b"0")]
    assert answers(wire.send(request(3) + request(5, b""))) == {3: b"hello", 5: b""}
    assert not wire.connection.streams and not wire.listener.held


def test_bytes_that_come_one_by_one():
    wire = Wire()
    sent = request(1) + frame(Kind.PING, 0, 0, b"12345678") + request(3, b"x" * 1000)
    frames = [each for place in range(len(sent)) for each in wire.send(sent[place : place + 1])]
    assert answers(frames) == {1: b"hello", 3: b"x" * 1000}
    assert (Kind.PING, 1, 0, b"12345678") in frames


def test_headers_in_parts_with_padding_and_a_priority():
    block = bytes(2) + ASKED  # behind them: five bytes of a priority in place of the first two
    parts = (frame(Kind.HEADERS, 0x28, 1, b"\x03" + bytes(5) + block[2:10] + bytes(3))
             + frame(Kind.CONTINUATION, 0, 1, block[10:12]) + frame(Kind.CONTINUATION, 4, 1, block[12:])
             + frame(Kind.DATA, 8, 1, b"\x02he\0\0") + frame(Kind.DATA, 9, 1, b"\x00llo"))  # fmt: skip
    assert answers(Wire().send(parts)) == {1: b"hello"}


def test_trailers_end_a_request():
    sent = frame(Kind.HEADERS, 4, 1, ASKED) + frame(Kind.DATA, 0, 1, b"a") + frame(Kind.HEADERS, 5, 1, b"")
    assert answers(Wire().send(sent)) == {1: b"a"}


def test_frames_of_other_kinds_have_no_meaning():
    assert answers(Wire().send(frame(Kind.PRIORITY, 0, 1, bytes(5)) + struct.pack(">HBBBL", 0, 2, 77, 255, 5) + b"ab"
                               + request(1))) == {1: b"hello"}  # fmt: skip


def test_an_answer_waits_for_room():
    """Of a stream, and of the connection; a change of the settings counts for streams under way."""
    wire = Wire(struct.pack(">HL", 4, 4))
    assert answers(wire.send(request(1, b"0123456789"))) == {1: b"0123"}
    assert answers(wire.send(frame(Kind.WINDOW_UPDATE, 0, 1, number(2)))) == {1: b"45"}
    assert answers(wire.send(frame(Kind.SETTINGS, 0, 0, struct.pack(">HL", 4, 3)))) == {}  # one less than it has had
    assert answers(wire.send(frame(Kind.SETTINGS, 0, 0, struct.pack(">HL", 4, 5)))) == {1: b"6"}
    frames = wire.send(frame(Kind.WINDOW_UPDATE, 0, 1, number(100)))
    assert answers(frames) == {1: b"789"} and frames[-1][:3] == (Kind.HEADERS, 5, 1)
    large = Wire(struct.pack(">HL", 4, 2**31 - 1))
    frames = large.send(request(1, b"a" * 100_000))
    assert [len(each[3]) for each in frames if each[0] is Kind.DATA] == [16384, 16384, 16384, 16383]
    assert len(answers(large.send(frame(Kind.WINDOW_UPDATE, 0, 0, number(100_000))))[1]) == 100_000 - 65_535


def test_a_client_that_does_not_take_its_answer():
    wire = Wire(struct.pack(">HL", 4, 4), seconds=5.0)
    wire.send(request(1, b"0123456789"))
    now = next(iter(wire.connection.streams.values()))._since
    wire.connection.check(now + 1)
    assert not wire.said()
    wire.connection.check(now + 6)
    assert wire.said() == [(Kind.RST_STREAM, 0, 1, number(Code.CANCEL))] and not wire.listener.held
    wire.connection.pause_writing()
    assert wire.transport.is_paused
    wire.connection.resume_writing()
    assert not wire.transport.is_paused


def test_a_client_that_changes_its_mind():
    wire = Wire()
    wire.send(request(1, block=WAITING) + request(3, block=WAITING))
    wire.send(frame(Kind.RST_STREAM, 0, 1, number(8)))
    assert wire.handler.left == [1] and list(wire.connection.streams) == [3]
    for stream in wire.handler.waiting:
        wire.handler.answer(stream)
    assert answers(wire.said()) == {3: b"hello"}
    wire.send(request(5, block=WAITING))
    wire.connection.connection_lost(None)
    assert wire.handler.left == [1, 5] and not wire.listener.held and not wire.listener.connections


def test_nothing_holds_a_request_that_is_over():
    """What its handler has, such as a version of a model, is free at once, and need not wait for a collection."""
    wire = Wire()
    gc.disable()
    try:
        wire.send(request(1))
        assert wire.handler.held() is None
        wire.send(request(3, block=WAITING) + frame(Kind.RST_STREAM, 0, 3, number(8)))
        wire.handler.waiting.clear()
        assert wire.handler.left == [3] and wire.handler.held() is None
    finally:
        gc.enable()


def test_what_a_client_may_send():
    wire = Wire(body=100, seconds=5.0, head=300)
    frames = wire.send(frame(Kind.HEADERS, 4, 1, ASKED) + frame(Kind.DATA, 0, 1, bytes(101)))
    assert wire.handler.refused == [(1, 413)] and frames[-1] == (Kind.RST_STREAM, 0, 1, number(0))
    assert wire.send(frame(Kind.DATA, 1, 1, bytes(10))) == []  # what was under way when the answer went out
    wire.send(frame(Kind.HEADERS, 4, 3, ASKED))
    wire.connection.check(wire.connection.streams[3].began + 6)
    assert wire.handler.refused[1:] == [(3, 408)]
    wire.said()
    long = hpack.written([(":method", "POST"), (":path", "/"), ("a", "b" * 300)])
    assert wire.send(frame(Kind.HEADERS, 5, 5, long)) == [(Kind.RST_STREAM, 0, 5, number(Code.ENHANCE_YOUR_CALM))]
    assert wire.send(frame(Kind.HEADERS, 5, 7, b"")) == [(Kind.RST_STREAM, 0, 7, number(Code.PROTOCOL_ERROR))]
    wire.listener.held = 2**31
    wire.send(frame(Kind.HEADERS, 4, 9, ASKED) + frame(Kind.DATA, 0, 9, b"a"))
    assert wire.handler.refused[2:] == [(9, 503)] and wire.listener.held == 2**31


def test_too_many_requests_at_a_time():
    wire = Wire()
    sent = b"".join([request(2 * place + 1, b"", WAITING) for place in range(MOST_STREAMS + 1)])
    assert wire.send(sent) == [(Kind.RST_STREAM, 0, 2 * MOST_STREAMS + 1, number(Code.REFUSED_STREAM))]


def test_room_for_more_than_a_window():
    """A client gets room for its data again, long before it has none."""
    wire = Wire()
    wire.connection._taken = 2**30 - 10
    assert wire.send(request(1, bytes(20)))[0] == (Kind.WINDOW_UPDATE, 0, 0, number(2**30 + 10))


@pytest.mark.parametrize("sent, code", [
    (frame(Kind.DATA, 0, 0, b"a"), Code.PROTOCOL_ERROR),
    (frame(Kind.DATA, 0, 1, b"a"), Code.PROTOCOL_ERROR),
    (frame(Kind.HEADERS, 5, 2, ASKED), Code.PROTOCOL_ERROR),
    (frame(Kind.HEADERS, 5, 0, ASKED), Code.PROTOCOL_ERROR),
    (frame(Kind.HEADERS, 0x2D, 1, b"\xff"), Code.PROTOCOL_ERROR),
    (frame(Kind.HEADERS, 0x25, 1, b"\0"), Code.FRAME_SIZE_ERROR),
    (frame(Kind.HEADERS, 5, 1, b"\xff"), Code.COMPRESSION_ERROR),
    (frame(Kind.HEADERS, 0, 1, ASKED) + frame(Kind.PING, 0, 0, bytes(8)), Code.PROTOCOL_ERROR),
    (frame(Kind.HEADERS, 0, 1, ASKED) + frame(Kind.CONTINUATION, 4, 3, b""), Code.PROTOCOL_ERROR),
    (frame(Kind.HEADERS, 0, 1, ASKED) + frame(Kind.CONTINUATION) * MOST_FRAME, Code.PROTOCOL_ERROR),
    (frame(Kind.HEADERS, 0, 1, ASKED) + frame(Kind.CONTINUATION, 0, 1) * MOST_FRAME, Code.ENHANCE_YOUR_CALM),
    (frame(Kind.CONTINUATION, 4, 1, b""), Code.PROTOCOL_ERROR),
    (frame(Kind.PRIORITY, 0, 1, bytes(4)), Code.FRAME_SIZE_ERROR),
    (frame(Kind.RST_STREAM, 0, 1, bytes(4)), Code.PROTOCOL_ERROR),
    (request(1) + frame(Kind.RST_STREAM, 0, 1, bytes(3)), Code.FRAME_SIZE_ERROR),
    (frame(Kind.SETTINGS, 0, 1, b""), Code.PROTOCOL_ERROR),
    (frame(Kind.SETTINGS, 0, 0, b"abc"), Code.FRAME_SIZE_ERROR),
    (frame(Kind.SETTINGS, 1, 0, bytes(6)), Code.FRAME_SIZE_ERROR),
    (frame(Kind.SETTINGS, 0, 0, struct.pack(">HL", 4, 2**31)), Code.FLOW_CONTROL_ERROR),
    (frame(Kind.SETTINGS, 0, 0, struct.pack(">HL", 5, 100)), Code.PROTOCOL_ERROR),
    (frame(Kind.SETTINGS, 0, 0, struct.pack(">HL", 2, 2)), Code.PROTOCOL_ERROR),
    (frame(Kind.PUSH_PROMISE, 4, 1, bytes(4)), Code.PROTOCOL_ERROR),
    (frame(Kind.PING, 0, 0, bytes(7)), Code.FRAME_SIZE_ERROR),
    (frame(Kind.PING, 0, 1, bytes(8)), Code.PROTOCOL_ERROR),
    (frame(Kind.GOAWAY, 0, 1, bytes(8)), Code.PROTOCOL_ERROR),
    (frame(Kind.WINDOW_UPDATE, 0, 0, number(0)), Code.PROTOCOL_ERROR),
    (frame(Kind.WINDOW_UPDATE, 0, 0, number(2**31 - 1)), Code.FLOW_CONTROL_ERROR),
    (frame(Kind.WINDOW_UPDATE, 0, 1, number(1)), Code.PROTOCOL_ERROR),
    (frame(Kind.WINDOW_UPDATE, 0, 0, bytes(3)), Code.FRAME_SIZE_ERROR),
    (b"\xff" * 9, Code.FRAME_SIZE_ERROR),
])
def test_faults_that_end_a_connection(sent, code):
    assert Wire().fails(sent) is code


@pytest.mark.parametrize("sent, code", [
    (frame(Kind.DATA, 1, 1, b"a"), Code.STREAM_CLOSED),
    (frame(Kind.HEADERS, 5, 1, ASKED), Code.STREAM_CLOSED),
    (frame(Kind.WINDOW_UPDATE, 0, 1, number(0)), Code.PROTOCOL_ERROR),
    (frame(Kind.WINDOW_UPDATE, 0, 1, number(2**31 - 1)), Code.FLOW_CONTROL_ERROR),
])
def test_faults_that_end_a_stream(sent, code):
    wire = Wire()
    wire.send(request(1, block=WAITING))
    assert wire.send(sent) == [(Kind.RST_STREAM, 0, 1, number(code))]
    assert wire.handler.left == [1] and not wire.transport.closed
    assert wire.send(frame(Kind.HEADERS, 5, 1, ASKED)) == [(Kind.RST_STREAM, 0, 1, number(Code.STREAM_CLOSED))]
    assert answers(wire.send(request(3))) == {3: b"hello"}


def test_the_end_of_a_connection():
    """A client learns at first that the end is near, then which request is the last; all up to it are answered."""
    wire = Wire()
    wire.send(request(1, block=WAITING))
    wire.listener.begin_end()
    assert [each[0] for each in wire.said()] == [Kind.GOAWAY]
    wire.send(request(3, block=WAITING))  # it was under way
    wire.listener.end()
    ((kind, _, _, content),) = wire.said()
    assert kind is Kind.GOAWAY and content == number(3) + number(Code.NO_ERROR) and not wire.transport.closed
    assert wire.send(request(5)) == []
    for stream in wire.handler.waiting:
        wire.handler.answer(stream)
    assert answers(wire.said()) == {1: b"hello", 3: b"hello"} and wire.transport.closed == "closed"


def test_a_client_that_ends_its_half_of_a_connection():
    """It gets what it has asked for, unless it would have to say more for that."""
    wire = Wire()
    wire.send(request(1, block=WAITING) + frame(Kind.HEADERS, 4, 3, ASKED) + frame(Kind.DATA, 0, 3, b"a"))
    assert wire.connection.eof_received() is True and wire.handler.left == [3]
    wire.handler.answer(wire.handler.waiting[0])
    assert answers(wire.said()) == {1: b"hello"} and wire.transport.closed == "closed"
    for before in (b"", frame(Kind.RST_STREAM, 0, 1, number(8))):  # an answer that waits for room; no request at all
        wire = Wire(struct.pack(">HL", 4, 2))
        wire.send(request(1) + before)
        assert wire.connection.eof_received() is False and not wire.connection.streams
    wire = Wire(struct.pack(">HL", 4, 2))
    wire.send(request(1, block=WAITING))
    assert wire.connection.eof_received() is True
    wire.handler.answer(wire.handler.waiting[0])
    assert answers(wire.said()) == {1: b"he"} and wire.transport.closed == "closed" and wire.handler.left == [1]


def test_connections_without_requests():
    wire = Wire(idle=10.0)
    wire.connection.check(wire.connection._since + 5)
    assert not wire.said()
    wire.connection.check(wire.connection._since + 11)
    assert wire.said()[0][0] is Kind.GOAWAY and wire.transport.closed == "closed"
    silent = Connection(Http2Listener(Echo(), Limits(seconds=1.0)))
    silent.connection_made(transport := Transport())
    silent.check(silent._since + 2)
    assert transport.closed


def test_too_many_connections():
    listener = Http2Listener(Echo(), Limits(connections=1))
    made = []
    for _ in range(2):
        connection = Connection(listener)
        connection.connection_made(transport := Transport())
        connection.data_received(PREFACE + frame(Kind.SETTINGS))
        made.append(transport.closed)
    assert made == [None, "closed"]


def test_a_client_that_speaks_http_1():
    connection = Connection(Http2Listener(Echo(), Limits()))
    connection.connection_made(transport := Transport())
    connection.data_received(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert transport.sent.startswith(b"HTTP/1.1 400 ") and b"gRPC" in transport.sent and transport.closed


def test_header_blocks_are_remembered_until_the_table_changes():
    wire = Wire()
    added = b"\x40\x07:method\x04POST\x40\x05:path\x05/echo"
    indexed = b"\xbf\xbe"
    assert answers(wire.send(request(1, b"a", added) + request(3, b"b", indexed) + request(5, b"c", indexed))) == {
        1: b"a", 3: b"b", 5: b"c"}  # fmt: skip
    assert indexed in wire.connection._heads
    wire.send(request(7, b"d", b"\x40\x01x\x01y" + b"\xc0\xbf"))
    assert indexed not in wire.connection._heads
