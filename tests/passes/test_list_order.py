"""Reads of tensor lists that come before writes: the pass, the lowered code, and loops that copy no buffer."""

import re

import jax
import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.lower import lower, lower_for_numpy
from evergraph.kernel.fence import computed_after, computed_once, on_cpu
from evergraph.kernel.lists.elements import unchecked
from evergraph.kernel.lists.stacked import Stacked
from evergraph.passes.list_order import reads_before_writes
from evergraph.passes.prune import prune
from evergraph.passes.shortcuts import shortcuts


def read_and_written():
    """(an element of a list, the list with another one)."""
    rows, place = tf.placeholder(tf.float32, [4, 3]), tf.placeholder(tf.int32, [])
    elements = tf.raw_ops.TensorListFromTensor(tensor=rows, element_shape=[3])
    read = tf.raw_ops.TensorListGetItem(input_handle=elements, index=place, element_shape=[3],
                                        element_dtype=tf.float32)
    return read, tf.raw_ops.TensorListSetItem(input_handle=elements, index=place, item=tf.zeros([3]))


def test_a_write_comes_after_the_reads_of_its_list():
    read, written = read_and_written()
    assert reads_before_writes(prune([read, written], [])) == {written.op: (read,)}
    assert reads_before_writes(prune([written, read], [])) == {written.op: (read,)}


def test_reads_of_what_was_written_and_of_other_lists_do_not_count():
    _, written = read_and_written()
    later = tf.raw_ops.TensorListGetItem(input_handle=written, index=0, element_shape=[3], element_dtype=tf.float32)
    other, _ = read_and_written()
    assert reads_before_writes(prune([later, other], [])) == {}


def test_compiled_code_has_the_order_and_code_for_numpy_needs_none():
    read, written = read_and_written()
    nodes = prune([read, written], [])
    assert "after(" in lower(nodes, [], [read, written]).source
    assert "after(" not in lower_for_numpy(nodes, [], [read, written], shortcuts(nodes, [read, written])).source


def loop(ordered):
    """Reads the elements of a list from the last to the first, and replaces each by zeros."""
    def step(carried):
        at, total, rows = carried
        elements = Stacked((rows,), None, 64, np.float32, (8, 16))
        read = elements.get(at, None, unchecked)
        blank = np.zeros((8, 16), np.float32)
        if ordered:
            read = computed_once(read)
            blank = computed_after(blank, [read])
        return at - 1, total * read + jax.numpy.tanh(read), elements.set(at, blank, unchecked).leaves[0]

    start = lambda rows: (np.int32(63), jax.numpy.zeros((8, 16), np.float32), rows)
    return jax.jit(lambda rows: jax.lax.while_loop(lambda c: c[0] >= 0, step, start(rows))[1:])


def copies(ordered, rows):
    """How often the program copies the whole list; once is outside of the loop, for the argument is kept."""
    return len(re.findall(r"= f32\[64,8,16\]\S* copy\(", loop(ordered).lower(rows).compile().as_text()))


@pytest.mark.skipif(not on_cpu(), reason="other platforms order reads and writes themselves")
def test_a_loop_that_reads_before_it_writes_copies_no_buffer():
    rows = np.random.RandomState(0).randn(64, 8, 16).astype(np.float32)
    assert copies(True, rows) == 1 < copies(False, rows)
    for one, other in zip(loop(True)(rows), loop(False)(rows), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_gradients_of_elements_that_are_written_twice(tier):
    x = tf.constant([2.0, 3.0, 5.0, 7.0])

    def step(at, array):
        return at + 1, array.write(at // 2, x[at] * x[at])

    array = tf.TensorArray(tf.float32, 2, clear_after_read=False)
    _, array = tf.while_loop(lambda at, _: at < 4, step, (0, array))
    slope = tf.gradients(tf.reduce_sum(array.stack() * [1.0, 10.0]), x)[0]
    second = tf.gradients(slope, x)[0]
    with tf.Session(tier=tier) as session:
        found = session.run([slope, second])
    np.testing.assert_allclose(found, [[0, 6, 0, 140], [0, 2, 0, 20]])
