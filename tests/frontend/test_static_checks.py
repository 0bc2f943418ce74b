"""What is wrong whatever the values are is a ValueError while the graph is built; the rest is found in a run."""

import numpy as np
import pytest

import evergraph as tf


def zeros(*shape):
    return tf.zeros(shape)


def unknown(*shape):
    return tf.placeholder_with_default(np.zeros(shape, np.float32), None)


WHILE_BUILT = [
    lambda x: tf.reshape(x(6), [-2, 3]),
    lambda x: tf.fill([-2], 0.0),
    lambda x: tf.scatter_nd([[0]], [1.0], [-4]),
    lambda x: tf.scatter_nd([[0]], [1.0], [0]),
    lambda x: tf.tensor_scatter_add(x(4), [[0]], [1.0, 2.0]),
    lambda x: tf.roll(x(2, 3), [1], 0),
    lambda x: tf.roll(x(2, 3), [1], [0, 1]),
    lambda x: tf.slice(x(3, 4), 0, 1),
    lambda x: tf.strided_slice(x(3, 4), [[0]], [[1]]),
    lambda x: tf.strided_slice(x(3, 4), [0], [1, 2]),
    lambda x: tf.pad(x(2, 3), [1, 1]),
    lambda x: tf.pad(x(2, 3), [[1, 1, 1], [0, 0, 0]]),
    lambda x: tf.tile(x(2, 3), [[1, 1]]),
    lambda x: tf.tile(x(2, 3), 2),
    lambda x: tf.space_to_batch(x(1, 2, 2, 1), [[0, 0], [0, 0]], 0),
    lambda x: tf.space_to_batch(x(1, 2, 2, 1), [[0, 0]], 2),
    lambda x: tf.space_to_batch_nd(x(1, 2, 2, 1), [2, 2], [[-1, 1], [0, 0]]),
    lambda x: tf.batch_to_space_nd(x(4, 1, 1, 1), [0, 2], [[0, 0], [0, 0]]),
    lambda x: tf.batch_to_space_nd(x(4, 1, 1, 1), [2, 2], [[-1, 0], [0, 0]]),
    lambda x: tf.raw_ops.NthElement(input=x(3), n=-1),
    lambda x: tf.histogram_fixed_width([1.0], [0.0, 1.0, 2.0], nbins=3),
    lambda x: tf.one_hot([0, 1], [2]),
    lambda x: tf.nn.top_k(x(3), [1]),
]
WHILE_BUILT_FROM_SHAPES = [
    lambda x: tf.reshape(x(6), [0, -1]),
    lambda x: tf.roll(x(), 1, 0),
    lambda x: tf.slice(x(3, 4), [0, 5], [1, -1]),
]
IN_A_RUN = [
    lambda x: tf.reduce_sum(x(2, 3), [0, 0]),
    lambda x: tf.scatter_nd([[0, 0]], [1.0], [4]),
    lambda x: tf.tensor_scatter_sub(x(4), [[0, 0]], [1.0]),
    lambda x: tf.one_hot([0, 1], 2, axis=3),
    lambda x: tf.one_hot([0, 1], 2, on_value=[1.0, 2.0]),
    lambda x: tf.tile(x(2, 3), [1, -1]),
    lambda x: tf.unique_with_counts(x(2, 3))[0],
]
IN_A_RUN_OF_UNKNOWN_SHAPES = [
    lambda x: tf.matmul(x(2), x(2, 3)),
    lambda x: tf.raw_ops.Einsum(inputs=[x(2, 3, 4)], equation="ij->"),
    lambda x: tf.where([[True], [False]], x(2, 2), x(2, 2)),
    lambda x: tf.roll(x(), 1, 0),
]


@pytest.mark.parametrize("case", WHILE_BUILT + WHILE_BUILT_FROM_SHAPES)
def test_while_built(case, graph):
    with pytest.raises(ValueError):
        case(zeros)


@pytest.mark.parametrize("case", WHILE_BUILT)
def test_while_built_from_unknown_shapes(case, graph):
    with pytest.raises(ValueError):
        case(unknown)


@pytest.mark.parametrize("case, make", [(case, zeros) for case in IN_A_RUN]
                         + [(case, unknown) for case in IN_A_RUN_OF_UNKNOWN_SHAPES])
def test_in_a_run(case, make, session):
    wrong = case(make)
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(wrong)


def test_products_of_two_precisions(session):
    half, single = tf.constant([[2.0]], tf.bfloat16), tf.constant([[3.0]])
    product = tf.matmul(half, single)
    assert product.op.type == "SparseMatMul" and session.run(product) == [[6.0]]
    assert [each.dtype for each in tf.gradients(product, [half, single])] == [tf.bfloat16, tf.float32]
    assert tf.matmul(half, half, a_is_sparse=True).dtype == tf.bfloat16
