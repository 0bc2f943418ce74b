"""The kernel in C that finds distinct ids in compiled programs gives what sorting gives."""

import numpy as np
import pytest

from evergraph import native
from evergraph.compile import backend
from evergraph.ops.arrays import row_access

pytestmark = [pytest.mark.cpus,
              pytest.mark.skipif(native.ids is None, reason="the C code was not built here, or is turned off")]

jax = backend.jax()  # with 64-bit integers
DRAWN = np.random.RandomState(0)
LARGEST = np.iinfo(np.int32).max
VECTORS = {
    "one": [7],
    "alike": [5] * 9,
    "different": list(range(100, 0, -1)),
    "extreme": [LARGEST, -1, 0, -LARGEST - 1, LARGEST, -1],
    "many": DRAWN.randint(-50, 5000, 20_000).tolist(),
    "multiples": (DRAWN.randint(0, 30, 300) << 20).tolist(),
}


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_distinct(name, dtype):
    numbers = np.array(VECTORS[name], dtype)
    found, places = (np.asarray(each) for each in jax.jit(row_access.distinct)(numbers))
    first = np.sort(np.unique(numbers, return_index=True)[1])
    padding = np.full(len(numbers) - len(first), np.iinfo(dtype).max)
    np.testing.assert_array_equal(found, [*numbers[first], *padding])
    np.testing.assert_array_equal(found[places], numbers)
    sorted_found, sorted_places = (np.asarray(each) for each in jax.jit(row_access._distinct_in_order)(numbers))
    np.testing.assert_array_equal(sorted_found, np.sort(found))
    np.testing.assert_array_equal(sorted_found[sorted_places], numbers)
    assert found.dtype == sorted_found.dtype == dtype


def test_none():
    found, places = jax.jit(row_access.distinct)(np.zeros(0, np.int64))
    assert found.shape == places.shape == (0,)
    assert found.dtype == np.int64


def test_two_calls_on_the_same_ids_are_one():
    both = jax.jit(lambda ids: (row_access.distinct(ids), row_access.distinct(ids)))
    text = both.lower(np.arange(50)).compile().as_text()
    assert text.count('custom_call_target="evergraph.ids.distinct"') == 1
