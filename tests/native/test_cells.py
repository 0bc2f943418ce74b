"""Cells in C do what cells in Python do."""

import gc
import sys
import weakref

import numpy as np
import pytest

from evergraph import native
from evergraph.kernel.cells import Cell, PlainCell, UninitializedError, cells_of

pytestmark = pytest.mark.skipif(native.cells is None, reason="the C code was not built here, or is turned off")

Twin = type("Twin", (PlainCell,), {name: part for name, part in vars(Cell).items() if callable(part)})


@pytest.fixture(params=[Cell, Twin])
def kind(request):
    return request.param


def look(cell):
    return (cell.key, cell.label, cell.changed, cell.is_set, cell.stored, cell.peek(), cell.waiting)


def test_a_new_cell(kind):
    assert look(kind("k", 3)) == ("k", "k", False, True, 3, 3, ())
    assert look(kind("k", value=None, label="v")) == ("k", "v", False, False, None, None, ())
    with pytest.raises(TypeError):
        kind("k")


def test_reading(kind):
    assert kind("k", 3).value == 3
    with pytest.raises(UninitializedError, match="uninitialized value v"):
        assert kind("k", None, "v").value


def test_assigning(kind):
    cell = kind("k", None)
    cell.assign(4)
    assert look(cell) == ("k", "k", True, True, 4, 4, ()) and cell.value == 4
    cell.changed = False
    cell._value = 5
    assert look(cell) == ("k", "k", False, True, 5, 5, ())
    assert cell.replace(lambda value: value + 1) == 5 and cell.value == 6 and cell.changed


def test_deferred_updates(kind):
    add = lambda value, wanted: value + 1 if wanted else value
    cell = kind("k", 1)
    cell.update(add)
    cell.update(add)
    assert cell.changed and cell.waiting == (add, add) and cell.stored == 1
    assert cell.outcome(True) == 3 and cell.outcome(False) == 1
    assert cell.value == 3 and cell.waiting == () and cell.outcome(True) is None
    cell.update(add)
    assert cell.waiting == () and cell.peek() == 4  # it was read before
    cell = kind("k", 1)
    cell.update(add)
    cell.assign(7)
    assert cell.waiting == () and cell.peek() == 7


def test_many_cells_at_once():
    one, other = np.ones(2), np.zeros(2)
    cells = cells_of({"a": "first", "b": ""}, [one, None])
    assert list(cells) == ["a", "b"] and all(type(cell) is Cell for cell in cells.values())
    assert cells["a"].value is one and look(cells["b"]) == ("b", "b", False, False, None, None, ())
    cells["b"].assign(other)
    assert cells["b"].value is other


@pytest.mark.parametrize("arguments", [
    (Cell, {"a": "a"}, []), (dict, {}, []), (PlainCell, {}, []), (Cell, [], []), (Cell, {}, ())])
def test_arguments_that_make_no_sense(arguments):
    with pytest.raises((TypeError, ValueError)):
        native.cells.cells(*arguments)


def test_cells_keep_nothing_alive():
    class Value:
        pass

    value = Value()
    before, gone = sys.getrefcount(value), weakref.ref(value)
    cells = cells_of({str(number): "" for number in range(9)}, [value] * 9)
    for cell in cells.values():
        assert cell.value is value and cell.peek() is value
        cell.assign(value)
    assert sys.getrefcount(value) == before + 9
    del cells, cell
    assert sys.getrefcount(value) == before
    cell = Cell("k", value)
    value.cell = cell  # a cycle
    del cell, value
    gc.collect()
    assert gone() is None
