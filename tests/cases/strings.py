"""Ops on strings: evergraph/ops/strings/strings.py."""

import numpy as np

from tests.harness import array, case, f64, i32, i64, program, strings

IAE = "InvalidArgumentError"
words = strings(["a b  c", "", " x ", "\ta\vb\nc\r\fd", "one"])
grid = strings([["a", "b", "c"], ["d", "e", "f"]])
cube = strings([[["a", "b"], ["c", "d"]], [["e", "f"], ["g", "h"]]])
letters = strings(list("abcdefg"))
accents = strings(["h\u00e9llo\u20acx", b"a\xffb\xc3", b"\x80\x80ab", ""])

JOINS = [
    case("StringJoin", [strings(["a", "b"]), strings("x"), strings(["c", "d"])], separator="-"),
    case("StringJoin", [grid, grid]),
    case("StringJoin", [strings("a")]),
    case("StringJoin", [strings(["a", "b"]), strings(["x"])]).fails("ValueError"),
    case("ReduceJoin", grid, [0]),
    case("ReduceJoin", grid, -1, keep_dims=True, separator=", "),
    case("ReduceJoin", grid, [1, 0], separator="-"),
    case("ReduceJoin", cube, i32([0, 2]), separator="+"),
    case("ReduceJoin", cube, [2, 0], keep_dims=True),
    case("ReduceJoin", grid, np.zeros(0, "int32")),
    case("ReduceJoin", strings(np.zeros((0, 2)).tolist()).reshape(0, 2), [0]),
    case("ReduceJoin", grid, i32([2])).fails("OutOfRangeError"),
    case("ReduceJoin", grid, i32([0, -2])).fails(IAE),
    case("ReduceJoin", grid, [2]).fails("ValueError"),
    case("UnsortedSegmentJoin", strings(["a", "b", "c"]), [0, 1, 0], 3, separator="-"),
    case("UnsortedSegmentJoin", grid, i64([1, 1]), i64(2), separator=":"),
    case("UnsortedSegmentJoin", cube, i32([[0, 1], [1, 0]]), 2),
    case("UnsortedSegmentJoin", grid, i32([[2, 0, 0], [1, 2, 1]]), 3, separator="/"),
    case("UnsortedSegmentJoin", grid, i32([0, 3]), 3).fails(IAE),
    case("UnsortedSegmentJoin", grid, i32([0, -1]), 3).fails(IAE),
    case("UnsortedSegmentJoin", grid, [0, 0], -1).fails("ValueError"),
]

SPLITS = [
    case("StringSplit", words, " "),
    case("StringSplit", words, " ", skip_empty=False),
    case("StringSplit", strings(["a,b;c", ";", "]-^"]), ",;"),
    case("StringSplit", strings(["x]y-z^w", "-"]), "]-^", skip_empty=False),
    case("StringSplit", strings(["abc", ""]), ""),
    case("StringSplit", strings([]), " "),
    case("StringSplit", grid, " ").fails("ValueError"),
    case("StringSplitV2", words, ""),
    case("StringSplitV2", words, " "),
    case("StringSplitV2", strings(["a,,b,,c", ",,", ""]), ",,"),
    case("StringSplitV2", strings(["aaa", "a"]), "aa"),
    *[case("StringSplitV2", strings([" x ", "  ", " a  b  c ", "a", ""]), "", maxsplit=n) for n in (0, 1, 2)],
    case("StringSplitV2", strings(["a,b,c", ""]), ",", maxsplit=1),
    case("StringSplitV2", strings("a b"), "").fails("ValueError"),
]

_form = {"separator": " ", "left_pad": "", "right_pad": "", "pad_width": 0, "preserve_short_sequences": False}
_pads = {**_form, "left_pad": "L", "right_pad": "R"}
NGRAMS = [
    case("StringNGrams", letters, i64([0, 3, 4, 7]), **_form, ngram_widths=[2]),
    case("StringNGrams", letters, i32([0, 3, 4, 7]), **{**_form, "separator": "|"}, ngram_widths=[2, 3]),
    *[case("StringNGrams", letters, i64([0, 3, 4, 4, 7]), **{**_pads, "pad_width": n}, ngram_widths=[3])
      for n in (-1, 1, 5)],
    case("StringNGrams", letters, i64([0, 2, 7]), **{**_form, "preserve_short_sequences": True}, ngram_widths=[3, 4]),
    case("StringNGrams", letters, i64([0, 3, 4, 4, 7]),
         **{**_pads, "pad_width": 1, "preserve_short_sequences": True}, ngram_widths=[4]),
    case("StringNGrams", strings([]), i64([0]), **_form, ngram_widths=[2]),
    *[case("StringNGrams", letters, i64(bad), **_form, ngram_widths=[2]).fails(IAE)
      for bad in ([0, 3, 9], [0, 3, 2, 7], [1, 7], [0, 5])],
    case("StringNGrams", letters, i64([0, 7]), **_form, ngram_widths=[0]).fails(IAE),
]

PARTS = [
    case("Substr", strings("hello"), 1, 3),
    case("Substr", strings(["hello", "world"]), i32([1, -2]), i32([9, 2])),
    case("Substr", strings(["hello", "world"]), i64(-3), i64(2)),
    case("Substr", strings("hello"), [1, 5], [1, 2]),
    case("Substr", strings([["hello"], ["world"]]), i32([1, 2]), i32([1, -1])),
    case("Substr", cube, 0, 1),
    case("Substr", accents, 1, 2, unit="UTF8_CHAR").fails(IAE),
    case("Substr", accents[:3], i32([1, -2, -1]), i32([3, 2, 1]), unit="UTF8_CHAR"),
    case("Substr", accents[:3], i32([0, 4, 3]), i32([1, 2, -1]), unit="UTF8_CHAR"),
    case("Substr", strings("hello"), 6, 1).fails(IAE),
    case("Substr", strings("hello"), i32(-6), i32(1)).fails(IAE),
    case("Substr", strings(["hello"]), i32([1, 2]), i32([1])).fails("ValueError"),
    case("Substr", strings(["a", "b", "c"]), i32([0, 0]), i32([1, 1])).fails("ValueError"),
    case("Substr", cube, i32([0, 0]), i32([1, 1])).fails("UnimplementedError"),
    case("StringLength", accents),
    case("StringLength", accents, unit="UTF8_CHAR"),
    case("StringStrip", strings([[" \t\n\r\v\fab c \0", b"\x1ca\x1c"], [b"\xc2\xa0a", ""]])),
    case("StringLower", strings(["\u00c0\u00c9abcXYZ\u0130\u03a3\u0391\u03a3", b"A\xff"])),
    case("StringLower", strings(["\u00c0\u00c9abcXYZ\u0130\u03a3\u0391\u03a3", b"A\xff"]), encoding="utf-8"),
    case("StringLower", strings("A"), encoding="UTF-8").fails(IAE),
    case("StringUpper", strings(["\u00e0\u00e9abc\u00df\u0149\u01f0\ufb01", b"a\xff"])),
    case("StringUpper", strings(["\u00e0\u00e9abc\u00df\u0149\u01f0\ufb01", b"a\xff"]), encoding="utf-8"),
    case("StringUpper", strings("a"), encoding="latin1").fails(IAE),
]

reals = f64([0, 1.5, -2, 0.1, 1e30, -1e-30, 123456789.125, np.inf, -np.inf])
_one = np.array([1.5], "float32")
NUMBERS = [
    case("AsString", reals),
    case("AsString", reals.astype("float32"), precision=3),
    case("AsString", reals, scientific=True),
    case("AsString", reals, shortest=True, precision=4),
    *[case("AsString", reals, width=12, fill=fill) for fill in ("0", "-", "+", " ", "#")],
    *[case("AsString", i32([5, -12, 0]), width=6, fill=fill) for fill in ("0", "-", "+", " ", "#")],
    case("AsString", f64([np.nan, -np.nan]), width=8, fill="0"),
    case("AsString", f64([np.nan, -np.nan, np.inf]), width=8, fill="+"),
    case("AsString", f64([5.0, 0.5]), precision=0, fill="#"),
    case("AsString", array([1 + 2j, -0.5j], "complex64"), precision=2, width=7, fill="0"),
    case("AsString", array([1 + 2j, -0.5j], "complex128"), shortest=True),
    case("AsString", array([[True, False]], "bool"), width=7),
    *[case("AsString", array([-128, 127], kind)) for kind in ("int8", "int16", "int64")],
    case("AsString", _one, fill="x").fails(IAE),
    case("AsString", _one, fill="00").fails(IAE),
    case("AsString", _one, scientific=True, shortest=True).fails(IAE),
    case("AsString", i32([1]), precision=2).fails(IAE),
    case("AsString", i32([1]), shortest=True).fails(IAE),
    case("StringToNumber", strings(["1", "-1.5", " 3 ", "1e3", "+5", "1.", ".5", "-.5e-2", "\t7\n", "  "])),
    case("StringToNumber", strings(["inf", "-INF", "nan", "0x10", "-0X1f", "1e400", "1e-400", "0.1"]),
         out_type="float64"),
    case("StringToNumber", strings(["1.00000005960464477539062500001", "1.000000059604644775390625", "0x1000003",
                                    "16777217.000000000000000000001", "3.40282356779733661637539395e38",
                                    "3.40282356779733661637539396e38", "7.0064923216240853546186480e-46", " " * 31])),
    case("StringToNumber", strings([["12", "-7"], [" 0007 ", "-0"]]), out_type="int32"),
    case("StringToNumber", strings(["9223372036854775807", "-9223372036854775808"]), out_type="int64"),
    *[case("StringToNumber", strings(bad)).fails(IAE)
      for bad in ("", "abc", "1_0", "1.5f", "1 2", "0x", "1e", "infinity", "--1", "+ 5", "\u0663",
                  "1.000000000000000000000000000001", " " * 32)],
    *[case("StringToNumber", strings(bad), out_type="int32").fails(IAE)
      for bad in ("", "1.5", "+5", "0x10", "2147483648", "1e3", "- 1")],
]

_braces = {"placeholder": "{}"}
FORMATS = [
    case("StringFormat", [np.arange(24).reshape(2, 3, 4)], template="a {} b", **_braces),
    case("StringFormat", [np.arange(125).reshape(5, 5, 5)], template="{}", **_braces, summarize=1),
    case("StringFormat", [np.arange(20.0)], template="{}", **_braces, summarize=2),
    case("StringFormat", [f64([1.1, 1e10, 1e-7, np.inf, 1 / 3])], template="{}", **_braces, summarize=-1),
    case("StringFormat", [strings(["x", b"a\nb\"\0\xff\t"]), np.float32([0.1, 1 / 3])], template="%s and %s."),
    case("StringFormat", [strings("x"), i32(3), array([True, False], "bool")], template="{}{}{}", **_braces),
    case("StringFormat", [np.zeros((2, 0))], template="{}", **_braces),
    case("StringFormat", [i32(range(5))], template="{}", **_braces, summarize=0),
    case("StringFormat", [array(1.1, "float16"), array([1 + 2j], "complex64")], template="{} {}", **_braces),
    case("StringFormat", [strings("x")], template="{} {}", **_braces).fails("ValueError"),
]


def settled(each):
    """The first run finds out which sizes have to be known and plans anew, so only the second compiles everything."""
    return each.repeated(2)


CASES = [*JOINS, *SPLITS, *NGRAMS, *PARTS, *NUMBERS, *FORMATS]


@settled
@program(strings(["a b", "c", ""]))
def split_into_rows(tf, x):
    rows = tf.strings.split(x, result_type="RaggedTensor")
    return [rows.to_tensor(default_value="-"), rows.row_lengths(), tf.strings.split(x).values]


@settled
@program(cube)
def split_of_higher_rank(tf, x):
    joined = tf.strings.join([x, x], separator=" ")
    rows = tf.strings.split(joined, result_type="RaggedTensor")
    return [rows.flat_values, *rows.nested_row_splits, tf.strings.bytes_split(joined).flat_values]


@program(grid)
def ngrams_of_dense(tf, x):
    return [tf.strings.ngrams(x, 2), tf.strings.ngrams(x, [1, 2], pad_values=("<", ">")), tf.strings.ngrams(x[0], 3)]


@program(grid)
def joins_of_all(tf, x):
    return [tf.strings.reduce_join(x), tf.reduce_join(x, 1, separator="-"), tf.strings.format("{}", x)]
