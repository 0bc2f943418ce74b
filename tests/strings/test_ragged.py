"""tf.RaggedTensor and tf.ragged; the ops are in tests/cases/ragged.py."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import run

Ragged = tf.RaggedTensor


def nested():
    return Ragged.from_nested_row_splits([1, 2, 3, 4], [[0, 2, 3], [0, 1, 3, 4]])


def test_parts():
    rows = nested()
    assert (rows.dtype, rows.ragged_rank, rows.shape.as_list()) == (tf.int32, 2, [2, None, None])
    assert [s.shape.as_list() for s in rows.nested_row_splits] == [[3], [4]]
    assert rows.flat_values.shape.as_list() == [4]


def test_fetching_gives_values():
    value = run(nested())
    assert isinstance(value, tf.ragged.RaggedTensorValue)
    assert value.to_list() == [[[1], [2, 3]], [[4]]]
    assert (value.ragged_rank, value.shape, value.dtype) == (2, (2, None, None), np.int32)
    assert run({"rows": nested()})["rows"].flat_values.tolist() == [1, 2, 3, 4]


def test_feeding_takes_values():
    rows = tf.ragged.placeholder(tf.float32, 2)
    value = tf.ragged.constant_value([[[1.0], []], [[2.0, 3.0]]])
    assert run(rows.row_lengths(2), {rows: value}).to_list() == [[1, 0], [2]]


def test_indexing():
    rows = nested()
    assert run(rows[0]).to_list() == [[1], [2, 3]]
    assert run(rows[0, 1]).tolist() == [2, 3]
    assert run(rows[0, 1, -1]) == 3
    assert run(rows[1:]).to_list() == [[[4]]]
    assert run(rows[2:]).to_list() == []
    assert run(rows[::-1]).to_list() == [[[4]], [[1], [2, 3]]]
    with pytest.raises(ValueError, match="a slice can"):
        rows[:, 0]


@pytest.mark.parametrize("make", [
    lambda: Ragged.from_row_splits([1, 2], [0, 1]), lambda: Ragged.from_row_splits([1, 2], [1, 2]),
    lambda: Ragged.from_row_splits([1, 2], [0, 2, 1, 2]), lambda: Ragged.from_row_lengths([1, 2], [1]),
    lambda: Ragged.from_row_lengths([1, 2], [3, -1]), lambda: Ragged.from_value_rowids([1, 2], [1, 0]),
    lambda: Ragged.from_value_rowids([1, 2], [0, 3], nrows=2), lambda: Ragged.from_row_starts([1, 2], [1]),
    lambda: Ragged.from_row_limits([1, 2], [1]),
])  # fmt: skip
def test_rows_that_do_not_fit(make):
    with pytest.raises(tf.errors.InvalidArgumentError, match="do not fit the values"):
        run(make())


def test_wrong_arguments():
    with pytest.raises(ValueError, match="not by its constructor"):
        Ragged([1], [0, 1])
    with pytest.raises(ValueError, match="may not be empty"):
        Ragged.from_row_splits([1], [])
    with pytest.raises(ValueError, match="not both"):
        Ragged.from_tensor([[1]], lengths=[1], padding=0)
    with pytest.raises(TypeError, match="to_tensor"):
        tf.convert_to_tensor(nested())
    with pytest.raises(ValueError, match="fetch it"):
        nested().to_list()


def test_rows_of_sparse_must_be_filled_from_the_left():
    rows = Ragged.from_sparse(tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [3, 2]))
    assert run(rows).to_list() == [[1, 2], [], [3]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="right-ragged"):
        run(Ragged.from_sparse(tf.SparseTensor([[0, 1]], [1], [1, 2])))


def test_gradients_flow_through_dense_form():
    values, default = tf.constant([1.0, 2.0, 3.0]), tf.constant(0.5)
    dense = Ragged.from_row_splits(values, [0, 2, 2, 3]).to_tensor(default)
    weights = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    slopes = run(tf.gradients(dense * weights, [values, default]))
    assert [np.asarray(s).tolist() for s in slopes] == [[1.0, 2.0, 5.0], 13.0]


def test_specs():
    spec = nested()._type_spec
    assert spec == tf.RaggedTensorSpec([2, None, None], tf.int32, 2)
    assert spec.is_compatible_with(nested())
    assert tf.RaggedTensorSpec.from_value(run(nested())) == spec
    with pytest.raises(ValueError, match="less than rank"):
        tf.RaggedTensorSpec([2, None], ragged_rank=2)


def test_maps_need_the_same_rows():
    a, b = tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[1], [2, 3]])
    assert run(tf.ragged.map_flat_values(tf.multiply, a, 2)).to_list() == [[2, 4], [6]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="identical ragged splits"):
        run(tf.ragged.map_flat_values(tf.add, a, b))


def test_lengths_of_rows_are_integers_of_any_dtype():
    for kind in (tf.int32, tf.int64):
        rows = tf.RaggedTensor.from_tensor(tf.ones([3, 2]), lengths=tf.constant([1, 0, 2], kind))
        assert rows.row_splits.dtype == tf.int64
        with tf.Session() as session:
            assert session.run(rows).to_list() == [[1.0], [], [1.0, 1.0]]
    with pytest.raises(TypeError, match="must be integers"):
        tf.RaggedTensor.from_tensor(tf.ones([3, 2]), lengths=tf.constant([1.0, 0.0, 2.0]))
