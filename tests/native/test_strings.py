"""What native/strings.c, unicode.c and text.c compute for strings is what their twins in Python compute."""

import os

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evergraph import native
from evergraph.base import errors
from evergraph.kernel import values
from evergraph.ops.arrays import entries, search
from evergraph.ops.state.hash_table import MutableTable
from evergraph.ops.strings import encoding, hashing, numbers, strings, unicode

pytestmark = pytest.mark.skipif(native.strings is None, reason="the C code was not built here, or is turned off")
MANY = settings(max_examples=int(os.environ.get("EVERGRAPH_FUZZ", 60)), deadline=None)

BYTES = st.one_of(st.binary(max_size=12), st.text(max_size=6).map(str.encode),
                  st.text(" \t\n\v\f\rab,\0Ä=-_", max_size=12).map(lambda text: text.encode("latin-1")),
                  st.text("aäß€😀\0", max_size=6).map(str.encode))
TEXTS = st.lists(BYTES, max_size=5)
MODULES = ("strings", "text", "unicode")


def array(strings):
    made = np.empty(len(strings), object)
    made[:] = strings
    return made


def outcome(function, *args):
    """What a function returns, or the error that it raises."""
    try:
        found = function(*args)
    except errors.OpError as error:
        return type(error), str(error)
    return [(each.dtype, each.shape, [repr(item) for item in each.reshape(-1).tolist()])
            for each in (found if isinstance(found, tuple) else (found,))]


def agree(function, *args):
    """Compares C with Python; returns what both gave."""
    found = outcome(function, *args)
    kept = {name: getattr(native, name) for name in MODULES}
    try:
        for name in MODULES:
            setattr(native, name, None)
        assert found == outcome(function, *args)
    finally:
        for name, module in kept.items():
            setattr(native, name, module)
    return found


# ---- one string, one result

@MANY
@given(TEXTS)
@example([b"a" * 100_000, b"", b"\xff" * 70, "é".encode() * 1000])
def test_changes(given):
    texts = array(given)
    for unit in ("BYTE", "UTF8_CHAR"):
        agree(strings.string_length.kernel, texts, unit)
    agree(strings.string_strip.kernel, texts)
    for encoding_name in ("", "utf-8", "utf-16"):
        agree(strings.string_lower.kernel, texts, encoding_name)
        agree(strings.string_upper.kernel, texts, encoding_name)
    agree(encoding.encode_base64.kernel, texts, True)
    encoded = agree(encoding.encode_base64.kernel, texts, False)
    agree(encoding.decode_base64.kernel, texts)
    again = agree(encoding.decode_base64.kernel, array([eval(text) for text in encoded[0][2]]))
    assert again[0][2] == [repr(text) for text in given]


def test_case_of_all_characters():
    codes = [code for code in range(0x20000) if not 0xD800 <= code < 0xE000]
    texts = array([f"a{chr(code)}B".encode() for code in codes] + [b"\xffA", "ΣΑΣ Σ".encode(), "ﬁx ß İ".encode()])
    for kernel in (strings.string_lower.kernel, strings.string_upper.kernel):
        agree(kernel, texts, "utf-8")


@pytest.mark.parametrize("text", [b"A", b"AA", b"AAA", b"AAAA", b"AA==", b"AAA=", b"AA=", b"====", b"A===", b"=", b"",
                                  b"A+/A", b"A-_A", b"AA\0A", b"AAAAA", b"AA=A"])
def test_base64_of_odd_ends(text):
    agree(encoding.decode_base64.kernel, array([b"AAAA", text, b"BBBB"]))


def test_unchanged_strings_are_the_same_objects():
    texts = array([b"a word of some length", b"Another Word"])
    assert strings.string_lower.kernel(texts, "")[0] is strings.string_strip.kernel(texts)[0] is texts[0]


def test_strings_of_one_byte_which_python_shares_are_left_alone():
    assert strings.string_upper.kernel(array([b"q"]), "").tolist() == [b"\x51"]
    assert b"q" == bytes([113])


@MANY
@given(TEXTS, st.integers(-5, 5), st.integers(-2, 20))
@example([b"abc"], 1, 2**62)
@example([b"abc"], -2**63, -2**63)
def test_parts(given, start, size):
    texts = array(given)
    for unit in ("BYTE", "UTF8_CHAR"):
        agree(strings.substr.kernel, texts, np.array(start), np.array(size), unit)
        agree(strings.substr.kernel, texts, np.full(len(given), start), np.full(len(given), size), unit)
        agree(strings.substr.kernel, np.repeat(texts, 2).reshape(-1, 2).T, np.full([2, 1], start),
              np.full([2, 1], size), unit)


@MANY
@given(TEXTS, st.integers(1, 3), BYTES)
def test_joints(given, copies, separator):
    texts = array(given)
    separator = separator.decode("latin-1")
    agree(strings.string_join.kernel, [texts] * copies + [np.array(b"x", object)], separator)
    table = np.repeat(texts, 6).reshape(len(given), 2, 3)
    for axes in ([0], [2, 0], [1], []):
        agree(strings.reduce_join.kernel, table, np.array(axes, np.int32), False, separator)
    agree(strings.unsorted_segment_join.kernel, table, np.arange(len(given)) // 2, np.array(4), separator)


@MANY
@given(TEXTS, BYTES, st.integers(-2, 4))
@example([b"a,,b", b",", b"", b"a,b,"], b",", -1)
@example([b" a  b ", b"", b"  ", b"a"], b"", 1)
def test_pieces(given, separator, most):
    texts, separator = array(given), np.array(separator[:2], object).reshape(())
    for skips in (True, False):
        agree(strings.string_split.kernel, texts, separator, skips)
    agree(strings.string_split_v2.kernel, texts, separator, most)
    agree(strings.string_split_v2.kernel, texts, np.array(b"", object), most)


@MANY
@given(TEXTS, st.booleans())
def test_raw_bytes(given, is_even):
    size = min(map(len, given), default=0) // 2 * 2
    texts = array([text[:size] for text in given] if is_even else given)
    node = type("Node", (), {"attrs": {"out_type": np.dtype(np.int16)}})
    for dtype in (np.uint8, np.int16, np.bool_):
        agree(encoding.decode_raw.kernel, texts, np.dtype(dtype), False, node)


# ---- hashes, distinct strings and tables

def test_hashes():
    texts = array([np.random.RandomState(0).bytes(size) for size in (*range(0, 140), 192, 1000)])
    for buckets in (0, 97):
        agree(hashing.fingerprints, texts, buckets)
    agree(hashing.string_to_hash_bucket.kernel, texts, 1000)
    agree(hashing.string_to_hash_bucket_strong.kernel, texts, 1000, [2**63, -5])
    agree(hashing.fingerprint.kernel, texts.reshape(-1, 2), np.array(b"farmhash64", object))
    agree(hashing.fingerprint.kernel, texts, np.array(b"farmhash64", object))
    square = texts[:4].reshape(2, 2).T  # not contiguous
    assert hashing.fingerprints(square).tolist() == [[hashing.farm64(s) for s in row] for row in square]


@MANY
@given(TEXTS, TEXTS)
def test_distinct_strings(a, b):
    agree(search.unique.kernel, array(a + b + a), None)
    agree(search.unique_with_counts.kernel, array(a + b + a))
    agree(search.list_diff.kernel, array(a + b + a), array(b))


def test_many_distinct_strings():
    texts = array([b"%d" % number for number in np.random.RandomState(0).randint(0, 700, 2000)])
    agree(search.unique.kernel, texts, None)


@pytest.mark.parametrize("elements", [[], [b""], [b"a", b"", b"b", b"", b"ab"], [b"", b""], [b"a"] * 3])
@pytest.mark.parametrize("unwanted", [b"", b"a"])
def test_strings_that_differ_from_one(elements, unwanted):
    agree(entries._others, np.repeat(array(elements), 2)[::2], unwanted)


def test_whether_all_are_bytes():
    for elements in ([], [b"a", b""], [b"a", "b"], [None], [np.bytes_(b"a")]):
        assert values.are_bytes(array(elements)) == all(type(e) is bytes for e in elements)
    assert not values.are_bytes(np.empty(1, object))


@pytest.mark.parametrize("keys", [[b"a", b"", b"a\0"], [5, -1, 2**62]])
@pytest.mark.parametrize("numbers", [True, False])
def test_tables(keys, numbers):
    dtype = object if isinstance(keys[0], bytes) else np.int64
    table = MutableTable("t", np.dtype(dtype), np.dtype(np.int64 if numbers else object))
    found = np.array([7, -2**63] if numbers else [b"x", b"y"], table.value_dtype)
    table.insert(np.array(keys[:2], dtype), found)
    spare = found[:1].reshape(())
    for shape in ([3], [3, 1], []):
        agree(table.find, np.array(keys, dtype)[:max(1, len(shape) * 3)].reshape(shape), spare)
    agree(table.find, np.array(keys * 2, dtype).reshape(2, 3).T[:, :1], spare)  # not contiguous


# ---- numbers

NUMBERS = st.one_of(
    st.floats(allow_nan=True).map(repr), st.floats(width=32).map(repr), st.integers(-2**70, 2**70).map(str),
    st.integers(-100, 100).map(str), st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.sampled_from(["", " 1", "+2", "-0", "1.", ".5", ".", "1e5", "1E-3", "1e400", "5e-324", "0x1f", "NA", "e1", "--1",
                     "9007199254740993", "0.1234567890123456789", "1e22", "1e23", "000000000000000000000012",
                     "infinity", "inf", "-nan", "1_0", "1\0", "2147483648", "9223372036854775808", "1\n2", "\t7\n",
                     "  ", "1.00000000000000000000000000001", "1.000000000000000000000000000001", " " * 31, " " * 32,
                     "0" * 40]),
).map(str.encode)


@MANY
@given(st.lists(NUMBERS, max_size=4), st.sampled_from(["float32", "float64", "int32", "int64"]))
def test_numbers_are_read(texts, dtype):
    agree(numbers.string_to_number.kernel, array(texts), np.dtype(dtype))


@pytest.mark.parametrize("text, wanted", [
    (b"1.00000005960464477539062500001", 1.00000011920928955078125),  # just above the middle of two floats
    (b"1.000000059604644775390625", 1.0), (b"1.0000000596046447753906249999", 1.0),
    (b"-1.0000000596046447753906250001", -1.00000011920928955078125),
    (b"16777217", 16777216.0), (b"16777217.000000000000000000001", 16777218.0), (b"0x1000001", 16777216.0),
    (b"3.40282356779733661637539395e38", 3.4028234663852886e38),  # below the middle of the largest and 2^128
    (b"3.40282356779733661637539396e38", float("inf")), (b"1.4012984643248170e-45", 1.401298464324817e-45),
    (b"7.006492321624085e-46", 0.0), (b"7.0064923216240853546186480e-46", 1.401298464324817e-45)])
def test_floats_are_rounded_once(text, wanted):
    node = [np.array([text], object), np.dtype(np.float32)]
    assert agree(numbers.string_to_number.kernel, *node)[0][2] == [repr(wanted)]


@MANY
@given(st.lists(st.one_of(st.floats(width=32), st.floats(-1e9, 1e9, width=32), st.sampled_from(
    [0.5, 1.5, 2.5, 0.125, 0.375, -0.0, 2.0**-31, 2.0**53, 1e17])), max_size=4), st.integers(-1, 12))
@example([0.0000005, 0.0000015, 1e-30, 5e-324, 1.7976931348623157e308, float("nan"), -float("inf")], -1)
def test_reals_are_written(reals, precision):
    for name in ("float32", "float64"):
        with np.errstate(over="ignore"):
            given = np.array(reals).astype(name)
        node = type("Node", (), {"attrs": {"T": given.dtype}})
        found = agree(numbers.as_string.kernel, given, precision, False, False, -1, "", node)
        if np.isfinite(given).all():
            form = f"%.{6 if precision < 0 else precision}f"
            assert found[0][2] == [repr((form % number).encode()) for number in given.tolist()]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "bool"])
def test_integers_are_written(dtype):
    limits = [0, 1] if dtype == "bool" else [np.iinfo(dtype).min, -1, 0, 9, 10, np.iinfo(dtype).max]
    node = type("Node", (), {"attrs": {"T": np.dtype(dtype)}})
    for shape in ([-1], [2, -1], [-1, 1]):
        agree(numbers.as_string.kernel, np.array(limits, dtype).reshape(shape), -1, False, False, -1, "", node)
    agree(numbers.as_string.kernel, np.array(limits[0], dtype), -1, False, False, -1, "", node)


# ---- Unicode

@MANY
@given(TEXTS, st.sampled_from(["strict", "replace", "ignore"]), st.sampled_from([0xFFFD, 0x20, 0xD800, 0x1F600]),
       st.booleans())
@example([b"\xe2\x82", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe0\x80\x80"],
         "replace", 0xFFFD, False)
def test_unicode(given, errors, replacement, replaces_control):
    texts = array(given)
    agree(unicode.unicode_decode_with_offsets.kernel, texts, "UTF-8", errors, replacement, replaces_control, np.int64)
    agree(unicode.unicode_decode.kernel, texts, "utf8", errors, replacement, replaces_control, np.int32)
    for form in ("UTF-8", "UTF-16-BE", "UTF-32-BE"):
        agree(unicode.unicode_transcode.kernel, texts, "UTF-8", form, errors, replacement, replaces_control)


@MANY
@given(st.lists(st.one_of(st.integers(0, 0x10FFFF), st.integers(-5, 200), st.sampled_from(
    [0xD83D, 0xDE00, 0x110000, 0xFFFE, 0xFDD0])), max_size=9), st.sampled_from(["strict", "replace", "ignore"]))
def test_unicode_is_encoded(codes, errors):
    splits = np.array([0, len(codes) // 2, len(codes) // 2, len(codes)], np.int32)
    for form in ("UTF-8", "UTF-16-BE", "UTF-32-BE"):
        agree(unicode.unicode_encode.kernel, np.array(codes, np.int32), splits, errors, form, 0xFFFD)


# ---- wrong arguments

def test_other_elements_than_strings():
    for elements in ([None], [5]):
        with pytest.raises((TypeError, AttributeError)):
            hashing.fingerprints(array([b"a", *elements]))
        with pytest.raises(TypeError):
            strings.string_split.kernel(array(elements), np.array(b" ", object), True)
        with pytest.raises((TypeError, AttributeError)):
            strings.string_lower.kernel(array(elements), "")
    with pytest.raises(TypeError):
        hashing.fingerprints(np.empty(1, object))


WRONG = [
    lambda c, texts, long: c.strings.lengths(long, 0, False, np.zeros(3, np.int32)),
    lambda c, texts, long: c.strings.strip(texts, 0, long),
    lambda c, texts, long: c.strings.raw(long, 0, long),
    lambda c, texts, long: c.strings.hashes(long, 0, 0, 0, 0, 0, long),
    lambda c, texts, long: c.strings.others(long, b"", long),
    lambda c, texts, long: c.strings.are_bytes(long),
    lambda c, texts, long: c.strings.distinct(long, long, long),
    lambda c, texts, long: c.strings.look_up({}, np.zeros(3, np.int32), 0, long),
    lambda c, texts, long: c.strings.look_up({}, long, "text", long),
    lambda c, texts, long: c.text.numbers(texts, 0, np.zeros(3, np.int16)),
    lambda c, texts, long: c.text.written(np.zeros(3, np.int16), 0, 0, texts),
    lambda c, texts, long: c.unicode.decode(long, True, True, 0, long, long, long),
]
UNFIT = [
    lambda c, texts, long: c.strings.lengths(texts, 0, False, long),
    lambda c, texts, long: c.strings.lengths(texts, -1, False, np.zeros(3, np.int32)),
    lambda c, texts, long: c.strings.strip(texts, 4, texts.copy()),
    lambda c, texts, long: c.strings.lower(texts, 0, texts[:2].copy()),
    lambda c, texts, long: c.strings.cut(texts, 0, long[:2].copy(), long, False, texts.copy()),
    lambda c, texts, long: c.strings.join(texts, 0, long, long + 4, 1, b"", texts.copy()),
    lambda c, texts, long: c.strings.join(texts, 0, long - 1, long, 1, b"", texts.copy()),
    lambda c, texts, long: c.strings.join(texts, 0, long + 2, long, 1, b"", texts.copy()),
    lambda c, texts, long: c.strings.join(texts, 0, long, long, 0, b"", texts.copy()),
    lambda c, texts, long: c.strings.count_pieces(texts, 9, b"", -1, long),
    lambda c, texts, long: c.strings.count_pieces(texts, 4, b"", -1, long),
    lambda c, texts, long: c.strings.count_pieces(texts, 0, b"", -1, long[:2].copy()),
    lambda c, texts, long: c.strings.split(texts, 0, b" ", -1, texts[:2].copy(), np.zeros(4, np.int64)),
    lambda c, texts, long: c.strings.split(texts, 0, b" ", -1, np.repeat(texts, 2), np.zeros(12, np.int64)),
    lambda c, texts, long: c.strings.raw(texts, 0, np.zeros(7, np.uint8)),
    lambda c, texts, long: c.strings.hashes(texts, 0, 3, 0, 0, 0, long),
    lambda c, texts, long: c.strings.hashes(texts, 0, 0, 0, 0, 0, long[:2].copy()),
    lambda c, texts, long: c.strings.others(texts, b"", long[:2].copy()),
    lambda c, texts, long: c.strings.distinct(texts, long, long[:2].copy()),
    lambda c, texts, long: c.strings.look_up({}, long, 0, long[:2].copy()),
    lambda c, texts, long: c.text.numbers(texts, 0, long[:2].copy()),
    lambda c, texts, long: c.text.written(long, 0, 10, texts),
    lambda c, texts, long: c.text.written(long[:2].copy(), 0, 0, texts),
    lambda c, texts, long: c.unicode.decode(texts, True, True, 0, np.zeros(2, np.int32), long[:2].copy(), np.zeros(4)),
    lambda c, texts, long: c.unicode.encode(np.zeros(2, np.int32), 0, np.arange(4), 1, texts.copy()),
    lambda c, texts, long: c.unicode.encode(np.zeros(2, np.int32), 0, np.zeros(4, np.int64), 3, texts.copy()),
    lambda c, texts, long: c.unicode.transcode(texts, 0, False, False, 0x110000, 1, texts.copy()),
    lambda c, texts, long: c.unicode.recase(texts, 0, np.zeros(9, np.int32), texts.copy()),
]


@pytest.mark.parametrize("call", [pytest.param(call, id=str(place)) for place, call in enumerate(WRONG + UNFIT)])
def test_wrong_arrays_are_refused(call):
    with pytest.raises(TypeError if call in WRONG else ValueError):
        call(native, array([b"a", b"b", b"c"]), np.zeros(3, np.int64))
