"""HPACK (RFC 7541): takes the header blocks of HTTP/2 apart, and writes blocks that need no table at the other end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import groupby

TABLE_BYTES = 4096  # of the table that a client may have us keep, as HTTP/2 has it unless SETTINGS say otherwise
_ENTRY = 32  # bytes that an entry counts beyond its name and value

Headers = list[tuple[bytes, bytes]]


class DamagedError(Exception):
    """A header block that cannot be decoded: nor can what follows it on the connection."""


class TooLongError(Exception):
    """More headers than are allowed. The block was decoded to its end, so that the next one can be, too."""


_STATIC: Headers = [(name.encode(), value.encode()) for name, _, value in (entry.partition("=") for entry in (
    ":authority", ":method=GET", ":method=POST", ":path=/", ":path=/index.html", ":scheme=http", ":scheme=https",
    ":status=200", ":status=204", ":status=206", ":status=304", ":status=400", ":status=404", ":status=500",
    "accept-charset", "accept-encoding=gzip, deflate", "accept-language", "accept-ranges", "accept",
    "access-control-allow-origin", "age", "allow", "authorization", "cache-control", "content-disposition",
    "content-encoding", "content-language", "content-length", "content-location", "content-range", "content-type",
    "cookie", "date", "etag", "expect", "expires", "from", "host", "if-match", "if-modified-since", "if-none-match",
    "if-range", "if-unmodified-since", "last-modified", "link", "location", "max-forwards", "proxy-authenticate",
    "proxy-authorization", "range", "referer", "refresh", "retry-after", "server", "set-cookie",
    "strict-transport-security", "transfer-encoding", "user-agent", "vary", "via", "www-authenticate"))]  # fmt: skip

# ---------------------------------------------------------------- Huffman's code

# The lengths in bits of the codes of the bytes 0 to 255 and of the end of a text (RFC 7541, appendix B).
_LENGTHS = bytes.fromhex(
    "0d171c1c1c1c1c1c1c181e1c1c1e1c1c1c1c1c1c1c1c1e1c1c1c1c1c1c1c1c1c060a0a0c0d06080b0a0a080b080606060505050606060606"
    "060607080f060c0a0d06070707070707070707070707070707070707070707070807080d130d0e060f050605060506060605070706060605"
    "06070605050607070707070f0b0e0d1c14161414161616171617171717171817181816171817171717151617161717181615141616171715"
    "1716161815161717151516151716171714161616171616171a1a1413161716191a1a1a1b1b1a181913151a1b1b1a1b1815151a1a1c1b1b1b"
    "14181415161515171616191918181a171a1b1a1a1b1b1b1b1b1c1b1b1b1b1b1a1e"
)
_END = 256


def _symbols() -> dict[int, int]:
    """The symbols by their codes, which have a 1 in front so that their lengths differ.

    Codes rise by one from symbol to symbol of a length, and go on with the next length where they are longer.
    """
    code, last, found = 0, 0, {}
    for length, symbols in groupby(sorted(range(_END + 1), key=_LENGTHS.__getitem__), _LENGTHS.__getitem__):
        code, last = code << length - last, length
        for symbol in symbols:
            found[1 << length | code] = symbol
            code += 1
    return found


_SYMBOLS = _symbols()


def from_huffman(data: bytes) -> bytes:
    """The text that Huffman's code stands for.

    Raises:
        DamagedError: it has the symbol for the end, or does not end with at most seven ones.
    """
    text, code = bytearray(), 1
    for byte in data:
        for shift in range(7, -1, -1):
            code = code << 1 | byte >> shift & 1
            symbol = _SYMBOLS.get(code)
            if symbol is not None:
                if symbol == _END:
                    raise DamagedError("a text with the symbol for its end")
                text.append(symbol)
                code = 1
    if code & code + 1 or code > 0xFF:
        raise DamagedError("a text that ends within a symbol")
    return bytes(text)


# ---------------------------------------------------------------- decoding


class Decoder:
    """Decodes the header blocks of one connection, in the order in which they come.

    Args:
        most: the bytes of a block's headers, as entries of the table count them.

    Attributes:
        changes: how often the table has changed: until then, equal blocks mean the same.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._table: deque[tuple[bytes, bytes]] = deque()
        self._size, self._room = 0, TABLE_BYTES
        self.changes = 0

    def headers(self, block: bytes) -> Headers:
        """The headers of a block.

        Raises:
            DamagedError: it makes no sense.
            TooLongError: there are too many.
        """
        try:
            return self._decoded(block)
        except IndexError:
            raise DamagedError("a header block that ends too soon") from None

    def _decoded(self, block: bytes) -> Headers:
        found: Headers = []
        place, size = 0, 0
        while place < len(block):
            first = block[place]
            if first & 0xE0 == 0x20:
                if found:
                    raise DamagedError("a size for the table behind headers")
                room, place = _integer(block, place, 0x1F)
                self._resize(room)
                continue
            if first & 0x80:
                index, place = _integer(block, place, 0x7F)
                header = self._entry(index)
            else:
                header, place = self._literal(block, place, 0x3F if first & 0x40 else 0x0F)
                if first & 0x40:
                    self._add(header)
            size += len(header[0]) + len(header[1]) + _ENTRY
            if size <= self._most:
                found.append(header)
        if size > self._most:
            raise TooLongError
        return found

    def _literal(self, block: bytes, place: int, mask: int) -> tuple[tuple[bytes, bytes], int]:
        index, place = _integer(block, place, mask)
        if index:
            name = self._entry(index)[0]
        else:
            name, place = _text(block, place)
        value, place = _text(block, place)
        return (name, value), place

    def _entry(self, index: int) -> tuple[bytes, bytes]:
        if not 0 < index <= len(_STATIC) + len(self._table):
            raise DamagedError(f"entry {index} of a table with {len(_STATIC) + len(self._table)}")
        return _STATIC[index - 1] if index <= len(_STATIC) else self._table[index - len(_STATIC) - 1]

    def _add(self, header: tuple[bytes, bytes]) -> None:
        self._table.appendleft(header)
        self._size += len(header[0]) + len(header[1]) + _ENTRY
        self._shrink()

    def _resize(self, room: int) -> None:
        if room > TABLE_BYTES:
            raise DamagedError(f"a table of {room} bytes; it may have {TABLE_BYTES}")
        self._room = room
        self._shrink()

    def _shrink(self) -> None:
        """Forgets the oldest entries that no longer have room."""
        self.changes += 1
        while self._size > self._room:
            name, value = self._table.pop()
            self._size -= len(name) + len(value) + _ENTRY


def _integer(block: bytes, place: int, mask: int) -> tuple[int, int]:
    """(a number whose first bits are those of the mask, where it ends)."""
    value, place = block[place] & mask, place + 1
    if value < mask:
        return value, place
    for shift in range(0, 28, 7):
        byte, place = block[place], place + 1
        value += (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
    raise DamagedError("a number of more than 28 bits")


def _text(block: bytes, place: int) -> tuple[bytes, int]:
    is_packed = block[place] & 0x80
    length, place = _integer(block, place, 0x7F)
    end = place + length
    if end > len(block):
        raise DamagedError("a text that ends beyond its header block")
    text = bytes(block[place:end])
    return from_huffman(text) if is_packed else text, end


# ---------------------------------------------------------------- encoding


def written(headers: Iterable[tuple[str, str]]) -> bytes:
    """A block of headers, which are ASCII; names are small letters."""
    return b"".join([b"\0" + _as_text(name) + _as_text(value) for name, value in headers])


def _as_text(text: str) -> bytes:
    data = text.encode("ascii")
    length = len(data)
    if length < 0x7F:
        return bytes([length]) + data
    rest, head = length - 0x7F, bytearray(b"\x7f")
    while rest >= 0x80:
        head.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes(head) + bytes([rest]) + data
