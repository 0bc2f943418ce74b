"""Rows of CSV files: in blocks they are what they are one by one, errors and states included."""

import numpy as np
import pytest

from evergraph.base import dtypes
from evergraph.ops.data.csv_files import CsvRows, _opener
from evergraph.ops.data.pipeline import Iterator

KINDS = [dtypes.float32, dtypes.int32, dtypes.string]
FILES = {
    "plain": b"".join(b"%d.5,%d,text %d\n" % (place, place, place) for place in range(100)),
    "no break at the end": b"1,2,a\n3,4,b\n5,6,c",
    "breaks of two characters": b"1,2,a\r\n3,4,b\r\n5,6,c\r\n",
    "breaks of all kinds": b"1,2,a\r3,4,b\n5,6,c\r\n7,8,d\n" * 20,
    "missing values": b",,\n1,,x\n,2,NA\n3,NA,y\n" * 10,
    "quotes": b'1,2,"a,b"\n3,4,"c""d"\n"5",6,\n',
    "a field of two lines": b'1,2,a\n3,4,"b\nc"\n5,6,"d\n7,8,e"\n9,10,f\n' * 10,
    "an open quote": b'1,2,a\n3,4,"b\n5,6,c\n',
    "a quote inside": b'1,2,a\n3,4,b"c\n5,6,d\n',
    "a missing field": b"1,2,a\n3,4\n5,6,b\n" * 3,
    "one field more": b"1,2,a\n3,4,b,\n5,6,c\n" * 3,
    "no number": b"1,2,a\n3,x,b\n5,6,c\n" * 3,
    "too large a number": b"1,2,a\n1e99,3000000000,b\n5,6,c\n",
    "an empty line": b"1,2,a\n\n3,4,b\n",
    "nothing": b"",
}


def dataset(path, buffer_size=1 << 16, columns=(), kinds=KINDS):
    defaults = [np.array([7], kind.np) if kind is not dtypes.string else np.array([b"-"], object) for kind in kinds]
    opened = _opener("", buffer_size, False, b",", True)
    return CsvRows([str(path)] * 2, opened, kinds, [()] * len(kinds), defaults, b"NA", list(columns), b",", True)


def drawn(iterate, counts):
    """The rows of draws of so many, each in one block or, for 0, by one call of `get`; errors as texts among them."""
    found = []
    for count in counts:
        block = iterate.block(count) if count else Iterator.block(iterate, 1)
        found += [[np.asarray(value).item() for value in row] for row in block.rows()]
        found += [] if block.error is None else [str(block.error)]
    return found


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
@pytest.mark.parametrize("buffer_size", [1 << 16, 7])
@pytest.mark.parametrize("counts", [[32], [3, 0, 1]], ids=str)
def test_blocks_have_the_rows_that_are_drawn_one_by_one(tmp_path, content, buffer_size, counts):
    path = tmp_path / "rows.csv"
    path.write_bytes(content)
    one_by_one = drawn(dataset(path).iterate(None), [0] * 300)
    assert drawn(dataset(path, buffer_size).iterate(None), counts * 300) == one_by_one
    assert bool(content) == bool(one_by_one)


@pytest.mark.parametrize("columns, kinds", [([0, 2], [KINDS[0], KINDS[2]]), ([1], [KINDS[1]]), ([0, 9], KINDS[:2])])
def test_blocks_of_some_columns(tmp_path, columns, kinds):
    path = tmp_path / "rows.csv"
    path.write_bytes(FILES["plain"])
    one_by_one = drawn(dataset(path, columns=columns, kinds=kinds).iterate(None), [0] * 201)
    assert drawn(dataset(path, columns=columns, kinds=kinds).iterate(None), [32] * 201) == one_by_one != []


@pytest.mark.parametrize("name", ["plain", "breaks of all kinds", "a field of two lines"])
@pytest.mark.parametrize("before", [[], [5], [0, 8, 0], [32, 32, 32]], ids=str)
def test_states_between_blocks(tmp_path, name, before):
    path = tmp_path / "rows.csv"
    path.write_bytes(FILES[name])
    first, second = dataset(path).iterate(None), dataset(path).iterate(None)
    drawn(first, before)
    second.restore(first.state())
    assert drawn(second, [0] * 201) == drawn(first, [32] * 201) != []
