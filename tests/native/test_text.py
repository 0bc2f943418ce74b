"""The C code for lines of text and its twin in Python give the same results, and the same errors."""

import os

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evergraph import native
from evergraph.ops.strings.csv_records import decode_csv

pytestmark = pytest.mark.skipif(native.text is None, reason="the C code was not built here, or is turned off")
MANY = settings(max_examples=int(os.environ.get("EVERGRAPH_FUZZ", 200)), deadline=None)
TYPES = [np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32), np.dtype(np.int64), np.dtype(object)]
NUMBERS = st.one_of(
    st.floats(allow_nan=True).map(repr), st.floats(width=32).map(repr), st.integers(-2**70, 2**70).map(str),
    st.integers(-100, 100).map(str), st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.sampled_from(["", " 1", "+2", "-0", "1.", ".5", ".", "1e5", "1E-3", "1e400", "5e-324", "0x1f", "NA", "e1", "--1",
                     "9007199254740993", "0.1234567890123456789", "1e22", "1e23", "000000000000000000000012"]))
TEXTS = st.text('ab",\n\r 1.', max_size=5)


def outcome(lines, types, defaults, missing, selected=()):
    try:
        columns = decode_csv.kernel(np.array(lines, object), defaults, types, ",", True, missing, list(selected))
    except Exception as error:
        return type(error), str(error)
    return [(column.dtype, column.shape, [repr(value) for value in column.tolist()]) for column in columns]


def agree(lines, types, has_defaults=True, missing="", selected=()):
    defaults = [np.array([b"?" if t.hasobject else 7] if has_defaults else [], t) for t in types]
    with_it = outcome(lines, types, defaults, missing, selected)
    text, native.text = native.text, None
    try:
        assert with_it == outcome(lines, types, defaults, missing, selected)
    finally:
        native.text = text
    return with_it


@MANY
@given(st.lists(NUMBERS, min_size=1, max_size=4), st.sampled_from(TYPES), st.booleans())
@example(["+2"], np.dtype(np.int32), False)
def test_numbers(fields, dtype, has_defaults):
    agree([field.encode() for field in fields], [dtype], has_defaults, "NA")


@MANY
@given(st.lists(st.lists(st.one_of(NUMBERS, TEXTS), min_size=1, max_size=3).map(",".join), max_size=4),
       st.lists(st.sampled_from(TYPES), min_size=1, max_size=3))
def test_lines(lines, types):
    agree([line.encode() for line in lines], types)


@MANY
@given(st.lists(st.lists(st.one_of(NUMBERS, TEXTS, TEXTS.map(lambda text: f'"{text}"')), min_size=1, max_size=5)
                .map(",".join), max_size=4), st.sets(st.integers(0, 4), min_size=1, max_size=3), st.data())
def test_selected_columns(lines, selected, data):
    types = data.draw(st.lists(st.sampled_from(TYPES), min_size=len(selected), max_size=len(selected)))
    agree([line.encode() for line in lines], types, selected=sorted(selected))


@pytest.mark.parametrize("line", [
    b'"a",1', b'"a,b",1', b'"a""b",1', b'"",1', b'"a"b,1', b'"a', b'a"b",1', b'"a\n",1', b'"a",', b'"a","1"', b'"a"',
    b'"', b'""', b'"a",1,', b'"NA",1', b'"1e400", 5', b',"', b'"a"\n,1'])
def test_quotes(line):
    for types in ([TYPES[4], TYPES[0]], [TYPES[4], TYPES[3]], [TYPES[0]], [TYPES[4]]):
        agree([b"x,2"[:len(types) * 2 - 1], line], types, missing="NA")
        agree([line], types, selected=range(len(types)))


def test_plain_lines_are_not_declined(monkeypatch):
    found, fields = [], native.text.fields
    monkeypatch.setattr(native, "text", type("counted", (), {
        "fields": staticmethod(lambda *arguments: found.append(fields(*arguments)) or found[-1])}))
    outcome([b"1,2.5,a", b"3,-4e2,"], TYPES[3:1:-1] + TYPES[4:], [np.array([0]), np.array([0]), np.array([b""])], "")
    assert found == [None]  # "2.5" is no integer
    outcome([b"1,2.5,a", b"3,0.12345678901234567,"], [TYPES[3], TYPES[0], TYPES[4]],
            [np.array([0]), np.array([0]), np.array([b""], object)], "")
    outcome([b'"1","a,b",2.5', b"3,,4,5"], [TYPES[3], TYPES[0]], [np.array([0]), np.array([0])], "", [0, 2])
    assert found[1] is not None and found[2] is not None
