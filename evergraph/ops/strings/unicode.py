"""Ops that decode and encode Unicode strings.

Python does the decoding. Encodings have ICU's names, which are Python's up to case, blanks and dashes; encodings that
Python lacks (SCSU, CESU-8, BOCU-1) raise InvalidArgumentError, as unknown names do. Each string of UTF-16 or UTF-32 has
its own byte order mark; TensorFlow, whose converter keeps state, applies that of the first string to all.
"""
import codecs
import functools

import numpy as np

from evergraph import native
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import same_as, with_rank
from evergraph.ops.strings.scripts import script_of
from evergraph.ops.strings.walking import each, flat, objects, vector, walk

REPLACEMENT = 0xFFFD

# ---- decoding

_MARK = 0xD800  # no decoder produces surrogates, so a lone one above this marks as many malformed bytes

_WIDE = {"utf8": "utf-8", "utf16be": "utf-16-be", "utf16le": "utf-16-le", "utf32be": "utf-32-be",
         "utf32le": "utf-32-le"}
_MARKED_WIDE = {"utf16": "utf-16", "utf32": "utf-32"}  # the byte order mark decides

_NO_CHARSETS = {"idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-8-sig"}


def _mark_malformed(error):
    return chr(_MARK + error.end - error.start), error.end


codecs.register_error("evergraph.malformed", _mark_malformed)


@functools.cache
def _codec(encoding):
    """Python's name of an encoding.

    Raises:
        InvalidArgumentError: the encoding is unknown.
    """
    plain = encoding.lower().translate({ord(c): None for c in "-_ "})
    if plain in _WIDE or plain in _MARKED_WIDE:
        return {**_WIDE, **_MARKED_WIDE}[plain]
    for name in (encoding, plain):
        try:
            found = codecs.lookup(name).name
            if found.replace("_", "-") not in _NO_CHARSETS:
                b"a".decode(found, "replace")  # rejects Python's codecs that are not text encodings
                return found
        except LookupError:
            continue
    raise invalid(f"Could not create converter for input encoding: {encoding}")


def _decoded(data, codec):
    """The text with malformed bytes marked, and the length of the byte order mark."""
    if codec not in _MARKED_WIDE.values():
        return data.decode(codec, "evergraph.malformed"), codec, 0
    for order in ("be", "le"):
        mark = "\ufeff".encode(f"{codec}-{order}")
        if data.startswith(mark):
            return data[len(mark):].decode(f"{codec}-{order}", "evergraph.malformed"), f"{codec}-{order}", len(mark)
    return data.decode(f"{codec}-be", "evergraph.malformed"), f"{codec}-be", 0


def _characters(data, codec):
    """The code point of each character, -1 for malformed bytes, and the offset of each in the string."""
    text, codec, skipped = _decoded(data, codec)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)
    malformed = (codes >= _MARK) & (codes < 0xE000)
    sizes = np.where(malformed, codes - _MARK, _sizes(text, codes, codec))
    starts = np.cumsum(np.concatenate([[0], sizes]))[:-1] + skipped
    if skipped and starts.size:
        starts[0] = 0  # the first character includes the byte order mark
    return np.where(malformed, -1, codes), starts.astype(np.int64)


def _sizes(text, codes, codec):
    """The number of bytes of each character."""
    if codec == "utf-8":
        return 1 + (codes > 0x7F) + (codes > 0x7FF) + (codes > 0xFFFF)
    if codec.startswith("utf-16"):
        return 2 + 2 * (codes > 0xFFFF)
    if codec.startswith("utf-32"):
        return np.full(codes.shape, 4)
    return np.array([1 if c < "\x80" else len(c.encode(codec, "replace")) for c in text], np.int64)


def _check_replacement(code):
    if not 0 <= code <= 0x10FFFF:
        raise invalid("replacement_char out of unicode codepoint range")


_MALFORMED = "Invalid formatting on input string"


def _cleaned(codes, errors, replacement, replace_control):
    """The code points with malformed ones, and optionally control characters, replaced, or marked -1 for removal."""
    bad = codes < 0
    if errors == "strict" and bad.any():
        raise invalid(_MALFORMED)
    if replace_control:
        bad = bad | (codes <= 0x1F)
    return np.where(bad, -1 if errors == "ignore" else replacement, codes)


def _decode(input, input_encoding, errors, replacement_char, replace_control_characters, Tsplits):
    _check_replacement(replacement_char)
    codec = _codec(input_encoding)
    if native.unicode is not None and codec == "utf-8":
        return _decode_utf8(vector(input), errors, replacement_char, replace_control_characters, Tsplits)
    codes, starts, splits = [], [], [0]
    for string in flat(input):
        found, begins = _characters(string, codec)
        found = _cleaned(found, errors, replacement_char, replace_control_characters)
        kept = found >= 0
        codes.append(found[kept])
        starts.append(begins[kept])
        splits.append(splits[-1] + int(kept.sum()))
    empty = [np.zeros(0, np.int64)]
    return (np.array(splits, Tsplits), np.concatenate(codes or empty).astype(np.int32),
            np.concatenate(starts or empty))


def _decode_utf8(strings, errors, replacement, replace_control, split_dtype):
    """`_decode` by the C code."""
    most = sum(map(len, strings.tolist()))
    codes, starts = np.empty(most, np.int32), np.empty(most, np.int64)
    splits = np.empty(len(strings) + 1, np.int64)
    count = native.unicode.decode(strings, errors == "strict", replace_control,
                                  -1 if errors == "ignore" else replacement, codes, starts, splits)
    if count < 0:
        raise invalid(_MALFORMED)
    return splits.astype(split_dtype, copy=False), codes[:count], starts[:count]


@op("UnicodeDecode(input: string, *, input_encoding: string, errors: {'strict', 'replace', 'ignore'} = 'replace', "
    "replacement_char: int = 65533, replace_control_characters: bool = False, Tsplits: index = int64) -> "
    "row_splits: Tsplits, char_values: int32", grad=STOP)
def unicode_decode(input, input_encoding, errors, replacement_char, replace_control_characters, Tsplits):
    """Decodes strings to concatenated code points and row splits."""
    return _decode(input, input_encoding, errors, replacement_char, replace_control_characters, Tsplits)[:2]


@op("UnicodeDecodeWithOffsets(input: string, *, input_encoding: string, "
    "errors: {'strict', 'replace', 'ignore'} = 'replace', replacement_char: int = 65533, "
    "replace_control_characters: bool = False, Tsplits: index = int64) -> row_splits: Tsplits, char_values: int32, "
    "char_to_byte_starts: int64", grad=STOP)
def unicode_decode_with_offsets(input, input_encoding, errors, replacement_char, replace_control_characters, Tsplits):
    """UnicodeDecode, with the byte offset of each character in its string."""
    return _decode(input, input_encoding, errors, replacement_char, replace_control_characters, Tsplits)


def _splits_shape(input):
    count = None if input is None or None in input else int(np.prod(input, dtype=np.int64)) + 1
    return (count,)


unicode_decode.shape(lambda input: [_splits_shape(input), (None,)])
unicode_decode_with_offsets.shape(lambda input: [_splits_shape(input), (None,), (None,)])

# ---- encoding

def _is_utf8(string):
    try:
        string.decode()
    except UnicodeDecodeError:
        return False
    return True


def _encoded(codes, encoding):
    """Encodes code points: surrogate pairs become one character; in UTF-8, lone surrogates are replaced."""
    units = "".join(map(chr, codes)).encode("utf-16-be", "surrogatepass")
    if encoding == "UTF-16-BE":
        return units
    text = units.decode("utf-16-be", "surrogatepass")
    if encoding == "UTF-32-BE":
        return text.encode("utf-32-be", "surrogatepass")
    return "".join(chr(REPLACEMENT) if "\ud800" <= c <= "\udfff" else c for c in text).encode()


@op("UnicodeEncode(input_values: int32, input_splits: Tsplits, *, "
    "errors: {'ignore', 'replace', 'strict'} = 'replace', output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}, "
    "replacement_char: int = 65533, Tsplits: index = int64) -> output: string", on="host", grad=STOP)
def unicode_encode(input_values, input_splits, errors, output_encoding, replacement_char):
    """Encodes each row of code points as a string."""
    _check_replacement(replacement_char)
    codes, splits = np.asarray(input_values, np.int64), np.asarray(input_splits)
    _check_row_splits(splits, codes.size)
    valid = _is_character(codes)
    if errors == "strict" and not valid.all():
        raise invalid("a code point is out of range, or names no character.")
    if errors == "replace":
        codes = np.where(valid, codes, replacement_char)

    def text(place):
        row = codes[splits[place]:splits[place + 1]]
        return _encoded(row[(row >= 0) & (row <= 0x10FFFF)].tolist(), output_encoding)

    count = len(splits) - 1
    if native.unicode is None:
        return objects([text(place) for place in range(count)], count)
    out = np.empty(count, object)
    walk(native.unicode.encode, text, codes.astype(np.int32), splits.astype(np.int64), _FORMS[output_encoding], out=out)
    return out


_FORMS = {"UTF-8": 1, "UTF-16-BE": 2, "UTF-32-BE": 4}  # as the C code numbers them


def _is_character(codes):
    """Whether the code points are characters: no surrogates, no noncharacters."""
    return ((codes >= 0) & (codes <= 0x10FFFF) & ((codes < 0xD800) | (codes > 0xDFFF))
            & ((codes < 0xFDD0) | (codes > 0xFDEF)) & (codes & 0xFFFE != 0xFFFE))


def _check_row_splits(splits, size):
    if not splits.size or splits[0]:
        raise invalid("input_splits do not begin with 0.")
    if (np.diff(splits) < 0).any():
        raise invalid("input_splits do not ascend.")
    if splits[-1] != size:
        raise invalid("input_splits do not end at the end of input_tensor.")


@unicode_encode.shape
def _(input_values, input_splits):
    with_rank(input_values, 1)
    count, = with_rank(input_splits, 1)
    if count == 0:
        raise ValueError("Negative dimension size caused by subtracting 1 from 0")
    return (None if count is None else count - 1,)


@op("UnicodeTranscode(input: string, *, input_encoding: string, output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}, "
    "errors: {'strict', 'replace', 'ignore'} = 'replace', replacement_char: int = 65533, "
    "replace_control_characters: bool = False) -> output: string", shape=same_as("input"), grad=STOP)
def unicode_transcode(input, input_encoding, output_encoding, errors, replacement_char, replace_control_characters):
    """Transcodes strings from one Unicode encoding to another.

    Args:
        input: the strings.
        input_encoding: their encoding, such as "UTF-8", "UTF-16", "US-ASCII" or "SHIFT-JIS".
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: the treatment of malformed input: "replace" substitutes `replacement_char`, "ignore" drops it, "strict"
            raises InvalidArgumentError.
        replacement_char: the code point that replaces malformed input.
        replace_control_characters: whether to treat code points below 32 as malformed.
    """
    _check_replacement(replacement_char)
    codec = _codec(input_encoding)

    def transcoded(string):
        if codec == "utf-8" and output_encoding == "UTF-8" and not replace_control_characters and _is_utf8(string):
            return string
        codes = _characters(string, codec)[0]
        if replace_control_characters:
            codes = np.where(codes <= 0x1F, -1, codes)
        codes = _cleaned(codes, errors, replacement_char, False)
        return _encoded(codes[codes >= 0].tolist(), output_encoding)

    if codec != "utf-8":
        return each(transcoded, input)
    return each(transcoded, input, native.unicode, "transcode", errors == "strict", replace_control_characters,
                -1 if errors == "ignore" else replacement_char, _FORMS[output_encoding])


@op("UnicodeScript(input: int32) -> output: int32", shape=same_as("input"), on="host", grad=STOP)
def unicode_script(input):
    """ICU's number of the script of each code point; -1 for invalid code points."""
    return script_of(input)
