"""Strings and code points: evergraph/ops/strings/unicode.py."""

import numpy as np

from tests.harness import case, i32, i64, program, strings

IAE = "InvalidArgumentError"
texts = strings([["G\u00f6\u00f6d", "\U0001f60a"], ["", "\u4ec5\u4eca"]])
malformed = strings([b"\xff", b"a\xc3", b"\xe2\x82", b"\xe2\x82x", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80",
                     b"\xf0\x9f\x98", b"\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xe0\x80\x80", b"\xc3(",
                     b"\xf1\x80x\x80", b"\xef\xbf\xbd", b"\x00\x1f\x7f\xc2\x85a\t"])
ENCODED = {
    "UTF-16-BE": [b"\x00a\xd8=\xde\n", b"\xd8\x00\x00a", b"\x00a\x00", b"\xdc\x00\x00a", b"\xfe\xff\x00*"],
    "UTF-16-LE": [b"a\x00=\xd8\n\xde", b"\xff\xfe*\x00"],
    "UTF-16": [b"\xfe\xff\x00*\x00*"], "utf-16": [b"\xff\xfe*\x00\xff\xfe"], "UTF16": [b"\x00*"],
    "UTF-32-BE": [b"\x00\x00\x00a\x00\x01\xf6\n", b"\x00\x11\x00\x00", b"\x00\x00\xd8\x00", b"\x00\x00\x00a\x00"],
    "UTF-32": [b"\xff\xfe\x00\x00a\x00\x00\x00b\x00\x00\x00"], "utf32": [b"\x00\x00\x00a"],
    "US-ASCII": [b"a\xffb"], "ISO-8859-1": [b"\xe9\x80"], "latin1": [b"\xe9"], "koi8-r": [b"\xc1"],
    "SHIFT-JIS": [b"\x82\xa0\\\x82", b"\x82\xb1\x82\xf1a"], "EUC-JP": [b"\xa4\xa2\xff"], "GB18030": [b"\xca\xf5"],
    "BIG5": [b"\xb3N"], "EUC-KR": [b"\xc7\xd1"], "U T F 8": [b"a"], "ISO-8859-15": [b"\xa4"], "windows-1252": [b"\x80"],
}
codes = i32([97, 0x20AC, 0x1F60A, 0xD800, 0x110000, 0xFFFE, -1, 0xFDD0, 98])
ends = i64([0, 1, 1, 5, 9])

CASES = [
    *[case(op, texts, input_encoding="UTF-8") for op in ("UnicodeDecode", "UnicodeDecodeWithOffsets")],
    case("UnicodeDecode", texts, input_encoding="utf-8", Tsplits="int32"),
    *[case("UnicodeDecodeWithOffsets", malformed, input_encoding="UTF-8", errors=errors,
           replace_control_characters=control) for errors in ("replace", "ignore") for control in (False, True)],
    case("UnicodeDecode", malformed, input_encoding="UTF-8", replacement_char=0x3F),
    case("UnicodeDecode", malformed, input_encoding="UTF-8", errors="strict").fails(IAE),
    case("UnicodeDecodeWithOffsets", malformed[-2:], input_encoding="UTF-8", errors="strict",
         replace_control_characters=True),
    *[case("UnicodeDecodeWithOffsets", strings(held), input_encoding=name) for name, held in ENCODED.items()],
    *[case("UnicodeDecode", texts, input_encoding=name).fails(IAE) for name in ("nothing", "rot13", "utf-8-sig", "")],
    case("UnicodeDecode", texts, input_encoding="UTF-8", replacement_char=0x110000).fails(IAE),
    *[case("UnicodeEncode", codes, ends, output_encoding=encoding, errors=errors)
      for encoding in ("UTF-8", "UTF-16-BE", "UTF-32-BE") for errors in ("replace", "ignore")],
    case("UnicodeEncode", codes, ends, output_encoding="UTF-8", replacement_char=0x3F),
    case("UnicodeEncode", codes, ends, output_encoding="UTF-8", errors="strict").fails(IAE),
    case("UnicodeEncode", np.zeros(0, "int32"), i32([0]), output_encoding="UTF-8"),
    *[case("UnicodeEncode", codes[:2], i64(bad), output_encoding="UTF-8").fails(IAE)
      for bad in ([0, 3], [1, 2], [0, 2, 1, 2])],
    *[case("UnicodeTranscode", malformed, input_encoding="UTF-8", output_encoding=encoding, errors=errors)
      for encoding in ("UTF-8", "UTF-16-BE", "UTF-32-BE") for errors in ("replace", "ignore")],
    case("UnicodeTranscode", malformed, input_encoding="UTF-8", output_encoding="UTF-8", replacement_char=0x20AC,
         replace_control_characters=True),
    case("UnicodeTranscode", malformed, input_encoding="UTF-8", output_encoding="UTF-8", errors="strict").fails(IAE),
    case("UnicodeTranscode", strings("\t"), input_encoding="UTF-8", output_encoding="UTF-8", errors="strict",
         replace_control_characters=True).fails(IAE),
    case("UnicodeTranscode", texts, input_encoding="UTF-8", output_encoding="UTF-8", errors="strict"),
    case("UnicodeTranscode", strings(ENCODED["UTF-16"]), input_encoding="UTF-16", output_encoding="UTF-8"),
    case("UnicodeTranscode", texts, input_encoding="nothing", output_encoding="UTF-8").fails(IAE),
    case("UnicodeScript", i32([[97, 0x3B1, 0x4E2D], [0x20, 0x300, 0x10FFFF]])),
    case("UnicodeScript", np.arange(0, 0x110000, 577, dtype="int32")),
    case("UnicodeScript", i32([-1, 0x110000, 0xD800])),
]


@program(texts)
def split_characters(tf, x):
    rows, starts = tf.strings.unicode_split_with_offsets(x, "UTF-8")
    return [rows.flat_values, *rows.nested_row_splits, starts.flat_values, tf.strings.unicode_split(x[0, 0], "UTF-8")]


@program(i32([[[72, 105], [33, 33]], [[97, 98], [99, 100]]]))
def encode_rows(tf, x):
    rows = tf.RaggedTensor.from_tensor(x, ragged_rank=2)
    return [tf.strings.unicode_encode(x, "UTF-8"), tf.strings.unicode_encode(rows, "UTF-16-BE").flat_values,
            tf.strings.unicode_encode(x[0, 0], "UTF-8")]
