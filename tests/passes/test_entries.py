"""The nodes that make a dense tensor sparse run as one function, with what their kernels would give."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.ops.arrays import entries
from tests.harness.session import run

STRINGS = np.array([[b"a", b"", b"b"], [b"", b"", b""], [b"c", b"d", b"a"]], object)


def to_sparse(dense, ignored):
    """(coordinates, elements) of a fed tensor."""
    x = tf.placeholder(tf.string if dense.dtype == object else dense.dtype, [None] * dense.ndim)
    indices = tf.where(tf.not_equal(x, ignored))
    return run([indices, tf.gather_nd(x, indices), tf.shape(x)], {x: dense})[:2]


@pytest.mark.parametrize("dense, ignored", [
    (STRINGS, b""), (STRINGS[2:], b""), (STRINGS[1:2], b""), (STRINGS[:0], b""), (STRINGS[:, 0], b"a"),
    (np.array([[3, -1], [-1, -1], [0, 2]]), -1),
])
def test_entries_are_those_of_the_kernels(dense, ignored, monkeypatch):
    calls, plain = [], entries.entries
    monkeypatch.setattr(entries, "entries", lambda *given: calls.append(given) or plain(*given))
    indices, elements = to_sparse(dense, ignored)
    assert len(calls) == 1
    np.testing.assert_array_equal(indices, np.argwhere(dense != ignored))
    np.testing.assert_array_equal(elements, dense[dense != ignored])
    assert indices.dtype == np.int64 and elements.dtype == dense.dtype


def test_a_tensor_of_which_nothing_is_ignored_is_not_handed_out_itself():
    indices, elements = to_sparse(STRINGS[2:], b"")
    elements[0], indices[0] = b"z", 7
    assert STRINGS[2, 0] == b"c"
    np.testing.assert_array_equal(to_sparse(STRINGS[2:], b"")[0], [[0, 0], [0, 1], [0, 2]])


def test_a_comparison_that_others_use_stays():
    x = tf.placeholder(tf.string, [None])
    differs = tf.not_equal(x, b"")
    indices = tf.where(differs)
    found = run([indices, tf.gather_nd(x, indices), tf.logical_not(differs)], {x: [b"a", b""]})
    assert [each.tolist() for each in found] == [[[0]], [b"a"], [False, True]]
