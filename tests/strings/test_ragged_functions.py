"""What functions of tensors and operators make of ragged tensors; the lists are what TensorFlow gave."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from tests.harness.session import run


def rows():
    return tf.ragged.constant([[1, 2], [], [3, 4, 5]])


def floats():
    return tf.ragged.constant([[1.0, 2.0], [], [3.0, 4.0, 5.0]])


def deep():
    return tf.ragged.constant([[[1, 2], [3]], [], [[4], [5, 6], []]])


def pairs():
    return tf.ragged.constant([[[1, 2], [3, 4]], [[5, 6]]], ragged_rank=1)


def words():
    return tf.ragged.constant([["a", "b"], [], ["c"]])


def listed(value):
    return value.to_list() if hasattr(value, "to_list") else np.asarray(value).tolist()


ELEMENTS = {
    "rows() + 2": [[3, 4], [], [5, 6, 7]],
    "2 - rows()": [[1, 0], [], [-1, -2, -3]],
    "tf.constant(5) + rows()": [[6, 7], [], [8, 9, 10]],
    "rows() * rows()": [[1, 4], [], [9, 16, 25]],
    "rows() / 2": [[0.5, 1.0], [], [1.5, 2.0, 2.5]],
    "rows() // 2": [[0, 1], [], [1, 2, 2]],
    "rows() % 2": [[1, 0], [], [1, 0, 1]],
    "rows() ** 2": [[1, 4], [], [9, 16, 25]],
    "abs(-rows())": [[1, 2], [], [3, 4, 5]],
    "rows() < 3": [[True, True], [], [False, False, False]],
    "(rows() < 3) & (rows() > 1)": [[False, True], [], [False, False, False]],
    "(rows() < 3) ^ (rows() > 1)": [[True, False], [], [True, True, True]],
    "~(rows() >= 3)": [[True, True], [], [False, False, False]],
    "rows() + [[10], [20], [30]]": [[11, 12], [], [33, 34, 35]],
    "rows() + [[10]]": [[11, 12], [], [13, 14, 15]],
    "pairs() + [10, 20]": [[[11, 22], [13, 24]], [[15, 26]]],
    "deep() + [[[10]], [[20]], [[30]]]": [[[11, 12], [13]], [], [[34], [35, 36], []]],
    "tf.cast(rows(), tf.float32)": [[1.0, 2.0], [], [3.0, 4.0, 5.0]],
    "tf.square(rows())": [[1, 4], [], [9, 16, 25]],
    "tf.maximum(x=rows(), y=2)": [[2, 2], [], [3, 4, 5]],
    "tf.divide(rows(), 2)": [[0.5, 1.0], [], [1.5, 2.0, 2.5]],
    "tf.clip_by_value(rows(), 2, 3)": [[2, 2], [], [3, 3, 3]],
    "tf.add_n([rows(), rows()])": [[2, 4], [], [6, 8, 10]],
    "tf.one_hot(rows(), 2, dtype=tf.int32)": [[[0, 1], [0, 0]], [], [[0, 0]] * 3],
    "tf.zeros_like(rows(), tf.float32)": [[0.0, 0.0], [], [0.0, 0.0, 0.0]],
    "tf.rank(deep())": 3,
    "tf.size(rows())": 5,
}
INDEXES = {
    "rows()[2, 1]": 4,
    "rows()[:, 1:]": [[2], [], [4, 5]],
    "rows()[:, -1:]": [[2], [], [5]],
    "rows()[:, ::2]": [[1], [], [3, 5]],
    "rows()[:, ::-1]": [[2, 1], [], [5, 4, 3]],
    "rows()[1:, :1]": [[], [3]],
    "deep()[:, :1]": [[[1, 2]], [], [[4]]],
    "deep()[..., :1]": [[[1], [3]], [], [[4], [5], []]],
    "rows()[...]": [[1, 2], [], [3, 4, 5]],
    "pairs()[:, :, 0]": [[1, 3], [5]],
    "rows()[:, tf.newaxis]": [[[1, 2]], [[]], [[3, 4, 5]]],
    "rows()[tf.newaxis]": [[[1, 2], [], [3, 4, 5]]],
}
JOINS = {
    "tf.concat([rows(), rows()[:1]], 0)": [[1, 2], [], [3, 4, 5], [1, 2]],
    "tf.concat([rows(), rows()], 1)": [[1, 2, 1, 2], [], [3, 4, 5, 3, 4, 5]],
    "tf.concat([rows(), [[7], [8], [9]]], -1)": [[1, 2, 7], [8], [3, 4, 5, 9]],
    "tf.concat([deep(), deep()], 1)": [[[1, 2], [3]] * 2, [], [[4], [5, 6], []] * 2],
    "tf.concat([deep(), deep()], 2)": [[[1, 2, 1, 2], [3, 3]], [], [[4, 4], [5, 6, 5, 6], []]],
    "tf.stack([rows(), rows()])": [[[1, 2], [], [3, 4, 5]]] * 2,
    "tf.stack([rows(), rows()], 1)": [[[1, 2]] * 2, [[]] * 2, [[3, 4, 5]] * 2],
    "tf.stack([rows(), rows()], 2)": [[[1, 1], [2, 2]], [], [[3, 3], [4, 4], [5, 5]]],
    "tf.ragged.stack([[1, 2], [3]])": [[1, 2], [3]],
    "tf.tile(rows(), [2, 1])": [[1, 2], [], [3, 4, 5], [1, 2], [], [3, 4, 5]],
    "tf.tile(rows(), [1, 2])": [[1, 2, 1, 2], [], [3, 4, 5, 3, 4, 5]],
    "tf.expand_dims(rows(), 0)": [[[1, 2], [], [3, 4, 5]]],
    "tf.expand_dims(rows(), -1)": [[[1], [2]], [], [[3], [4], [5]]],
    "tf.squeeze(tf.expand_dims(rows(), 0), [0])": [[1, 2], [], [3, 4, 5]],
    "tf.squeeze(tf.expand_dims(rows(), 1), 1)": [[1, 2], [], [3, 4, 5]],
}
SELECTIONS = {
    "tf.gather(rows(), [2, 0])": [[3, 4, 5], [1, 2]],
    "tf.gather([10, 20, 30, 40, 50, 60], rows())": [[20, 30], [], [40, 50, 60]],
    "tf.gather(rows(), tf.ragged.constant([[0], [2, 1]]))": [[[1, 2]], [[3, 4, 5], []]],
    "tf.batch_gather(rows(), tf.ragged.constant([[1], [], [0, 2]]))": [[2], [], [3, 5]],
    "tf.gather_nd(rows(), [[0, 1], [2, 2]])": [2, 5],
    "tf.gather_nd(rows(), [[2], [0]])": [[3, 4, 5], [1, 2]],
    "tf.where(rows() > 2, rows(), -rows())": [[-1, -2], [], [3, 4, 5]],
    "tf.where(rows() > 2)": [[2, 0], [2, 1], [2, 2]],
    "tf.where([True, False, False], rows(), -rows())": [[1, 2], [], [-3, -4, -5]],
    "tf.ragged.boolean_mask(rows(), rows() > 2)": [[], [], [3, 4, 5]],
    "tf.ragged.boolean_mask(rows(), [True, False, True])": [[1, 2], [3, 4, 5]],
    "tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]])": [[1], [3, 4]],
    "tf.ragged.boolean_mask([1, 2, 3], [True, False, True])": [1, 3],
    "tf.ragged.stack_dynamic_partitions([5, 6, 7, 8], [1, 0, 1, 3], 4)": [[6], [5, 7], [], [8]],
    "tf.map_fn(tf.reduce_sum, rows(), dtype=tf.int32)": [3, 0, 12],
    "tf.map_fn(lambda f: tf.reduce_sum(f['a']) + f['b'], {'a': rows(), 'b': tf.range(3)}, dtype=tf.int32)": [3, 1, 14],
    "tf.batch_gather(rows(), [2, 0])": [[3, 4, 5], [1, 2]],
    "tf.batch_gather(rows()[::2], [[1, 0], [2, 2]])": [[2, 1], [5, 5]],
    "tf.batch_gather(pairs(), tf.ragged.constant([[[1], [0]], [[1]]], ragged_rank=1))": [[[2], [3]], [[6]]],
    "tf.gather_nd(rows(), tf.ragged.constant([[[2, 0]], [[0, 1], [0, 0]]], ragged_rank=1))": [[3], [2, 1]],
    "tf.gather_nd(rows(), np.zeros([2, 0], np.int32))": [[[1, 2], [], [3, 4, 5]]] * 2,
    "tf.ragged.boolean_mask(pairs(), tf.ragged.constant([[[True, False], [True, True]], [[False, True]]]))":
        [[[1], [3, 4]], [[6]]],
    "tf.ragged.boolean_mask([[[1, 2]], [[3, 4]]], tf.ragged.constant([[[1, 0]], [[1, 1]]], ragged_rank=1) > 0)":
        [[[1]], [[3, 4]]],
    "tf.ragged.stack_dynamic_partitions(rows(), 1, 2)": [[], [[[1, 2], [], [3, 4, 5]]]],
    "deep().row_lengths(-1)": [[2, 1], [], [1, 2, 0]],
    "deep().row_lengths(-3)": 3,
    "tf.ragged.segment_ids_to_row_splits([0, 4, 3, 2, 4, 4, 2, 0, 0])": [0, 3, 3, 5, 6, 9],
    "tf.repeat(3, 2, axis=0)": [3, 3],
}
REDUCTIONS = {
    "tf.reduce_sum(rows(), 1)": [3, 0, 12],
    "tf.reduce_sum(rows(), 0)": [4, 6, 5],
    "tf.reduce_sum(rows(), tf.constant(0))": [4, 6, 5],
    "tf.strings.reduce_join(tf.as_string(deep().flat_values), 0)": b"123456",
    "tf.strings.reduce_join(words(), -1, separator='|')": [b"a|b", b"", b"c"],
    "tf.strings.reduce_join(words(), 0)": [b"ac", b"b"],
    "tf.strings.reduce_join(words(), keepdims=True)": [[b"abc"]],
    "tf.reduce_sum(rows())": 15,
    "tf.reduce_sum(deep(), -1)": [[3, 3], [], [4, 11, 0]],
    "tf.reduce_sum(deep(), 1)": [[4, 2], [], [9, 6]],
    "tf.reduce_sum(deep(), 0)": [[5, 2], [8, 6], []],
    "tf.reduce_sum(deep(), [1, 2])": [6, 0, 15],
    "tf.reduce_sum(deep(), [0, 2])": [7, 14, 0],
    "tf.reduce_prod(rows(), 1)": [2, 1, 60],
    "tf.reduce_max(rows()[::2], 1)": [2, 5],
    "tf.reduce_min(rows(), 0)": [1, 2, 5],
    "tf.reduce_mean(floats(), 0)": [2.0, 3.0, 5.0],
    "tf.reduce_any(rows() > 2, 1)": [False, False, True],
    "tf.reduce_all(rows() > 2, 1)": [False, True, True],
    "tf.math.unsorted_segment_sum(rows(), tf.ragged.constant([[0, 1], [], [1, 0, 0]]), 2)": [10, 5],
}


@pytest.mark.parametrize("text, wanted", [*ELEMENTS.items(), *INDEXES.items(), *JOINS.items(), *SELECTIONS.items(),
                                          *REDUCTIONS.items()])
def test_what_it_is(text, wanted):
    assert listed(run(eval(text))) == wanted


def test_an_empty_row_has_no_mean():
    np.testing.assert_array_equal(run(tf.reduce_mean(floats(), 1)), [1.5, np.nan, 4.0])
    assert listed(run(tf.reduce_sum(rows(), 1, keepdims=True))) == [[3], [0], [12]]


def test_gradients_reach_the_values():
    values = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0])
    given = tf.RaggedTensor.from_row_splits(values, [0, 2, 2, 5])
    y = tf.reduce_sum(tf.concat([given, given[:, :1]], 1) ** 2, 1) * [1.0, 10.0, 100.0]
    np.testing.assert_allclose(run(tf.gradients(y, values)[0]), [4, 4, 1200, 800, 1000])


@pytest.mark.parametrize("make", [
    lambda: rows()[:, 0], lambda: rows()[..., ...], lambda: tf.reduce_sum(rows(), 2), lambda: tf.squeeze(rows()),
    lambda: rows() + [10, 20], lambda: rows() + [[[1]]], lambda: tf.concat([rows(), [1]], 0),
    lambda: tf.where(rows() > 2, rows()), lambda: tf.ragged.stack([]), lambda: tf.concat([rows(), rows()], 2),
    lambda: tf.gather_nd(rows(), tf.ragged.constant([[0]])), lambda: tf.gather_nd(rows(), 0),
    lambda: tf.ragged.stack_dynamic_partitions([1, 2, 3], [1, 2], 3),
])  # fmt: skip
def test_what_is_refused(make):
    with pytest.raises(ValueError):
        make()


def test_rows_of_graphs_and_of_now():
    assert str(rows()).startswith("tf.RaggedTensor(values=Tensor(")
    with EAGER.as_default():
        assert str(rows()) == repr(rows()) == "<tf.RaggedTensor [[1, 2], [], [3, 4, 5]]>"


def test_sparse_tensors_of_a_rank_that_only_one_part_tells():
    unknown = tf.placeholder(tf.int64)
    for indices, shape in (([[0, 0]], unknown), (unknown, [4, 3])):
        tf.RaggedTensor.from_sparse(tf.SparseTensor(indices, [0], shape))
    with pytest.raises(ValueError):
        tf.RaggedTensor.from_sparse(tf.SparseTensor(unknown, [0], tf.placeholder(tf.int64)))


def test_rows_that_differ():
    with pytest.raises(tf.errors.InvalidArgumentError, match="batch shape"):
        run(tf.batch_gather(deep(), tf.ragged.constant([[[0]], [[0]], [[0]]])))
    for partitions, error in (([2, -1, 0], "non-negative"), ([2, 10, 0], "less than num_partitions")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=error):
            run(tf.ragged.stack_dynamic_partitions([1, 2, 3], tf.placeholder_with_default(partitions, [3]), 10))
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(rows() + tf.ragged.constant([[10], [20], [30]]))
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(rows() + tf.placeholder_with_default([[10], [20]], [None, 1]))
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(tf.squeeze(rows(), 0))


def test_rows_may_grow_in_a_loop():
    def grown(axis, invariants=None):
        body = lambda i, x: [i + 1, tf.concat([x, x], axis)]
        return tf.while_loop(lambda i, x: i < 2, body, [0, rows()], invariants)[1]

    longer = grown(1)
    assert (longer.values.shape.as_list(), longer.row_splits.shape.as_list()) == ([None], [4])
    assert listed(run(longer)) == [[1, 2] * 4, [], [3, 4, 5] * 4]
    with pytest.raises(ValueError, match="shape_invariants"):
        grown(0)
    for shape in (tf.TensorShape([None, None]), tf.RaggedTensorSpec([None, None], tf.int32)):
        more = grown(0, [tf.TensorShape([]), shape])
        assert more.row_splits.shape.as_list() == [None]
        assert listed(run(more)) == [[1, 2], [], [3, 4, 5]] * 4
