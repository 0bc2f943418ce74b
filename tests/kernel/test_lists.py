"""Lists on the host that are the rows of an array: they are stacked without a copy, until they change."""

import numpy as np
import pytest

from evergraph.base import errors
from evergraph.kernel.lists.elements import unchecked
from evergraph.kernel.lists.items import Items
from evergraph.kernel.lists.stacked import Stacked
from evergraph.kernel.lists.transfer import host_list, with_dynamic_length

ROWS = np.arange(6, dtype=np.float32).reshape(3, 2)


def rows():
    return Items.of_rows(ROWS, np.float32, (2,))


def test_rows_are_there_again():
    assert rows().rows(None) is ROWS and rows().stacked().leaves[0] is ROWS
    assert rows().length == 3 and rows().get(1, None, unchecked).tolist() == [2, 3]


@pytest.mark.parametrize("change, wanted", [
    (lambda x: x.set(0, np.zeros(2, np.float32), unchecked), [[0, 0], [2, 3], [4, 5]]),
    (lambda x: x.push(np.ones(2, np.float32)), [[0, 1], [2, 3], [4, 5], [1, 1]]),
    (lambda x: x.pop(None)[0], [[0, 1], [2, 3]]),
    (lambda x: x.resized(1), [[0, 1]]),
    (lambda x: x.zeros_like(), [[0, 0], [0, 0], [0, 0]]),
    (lambda x: x + x, [[0, 2], [4, 6], [8, 10]]),
])  # fmt: skip
def test_a_list_that_changes_leaves_the_array_and_the_first_list(change, wanted):
    first = rows()
    assert change(first).rows(None).tolist() == wanted
    assert first.rows(None).tolist() == ROWS.tolist() == [[0, 1], [2, 3], [4, 5]]


def test_an_empty_list_needs_the_shape_of_its_elements():
    assert Items.of_rows(np.zeros((0, 2), np.float32), np.float32, (2,)).rows(None).shape == (0, 2)
    with pytest.raises(errors.InvalidArgumentError):
        Items.of_rows(np.zeros((0, 2), np.float32), np.float32, (None,)).rows(None)


def test_a_buffer_with_room_comes_to_the_host_as_its_elements_and_goes_back():
    buffer = np.concatenate([ROWS, np.full((5, 2), np.nan, np.float32)])
    found = host_list(Stacked((buffer,), None, np.int32(3), np.float32, (2,)))
    np.testing.assert_array_equal(found.rows(None), ROWS)
    again = with_dynamic_length(found, 4)
    np.testing.assert_array_equal(again.leaves[0], [[0, 1], [2, 3], [4, 5], [0, 0]])
    assert again.length == 3 and again.whole
