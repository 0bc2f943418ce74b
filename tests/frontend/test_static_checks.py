"""What is wrong whatever the values are is a ValueError while the graph is built; the rest is found in a run."""

import numpy as np
import pytest

import evergraph as tf


def zeros(*shape):
    return tf.zeros(shape)


def unknown(*shape):
    return tf.placeholder_with_default(np.zeros(shape, np.float32), None)


WHILE_BUILT = [
    lambda x: tf.data.Dataset.range(3).repeat([1, 2])._variant_tensor,
    lambda x: tf.data.Dataset.range(3).batch([2])._variant_tensor,
    lambda x: tf.data.Dataset.range(3).shuffle([2])._variant_tensor,
    lambda x: tf.data.Dataset.range(3).apply(tf.data.experimental.bytes_produced_stats(["tag"]))._variant_tensor,
    lambda x: tf.TensorArray(tf.float32, 2, infer_shape=False, element_shape=[None, 2]).write(0, tf.zeros([1, 3])).flow,
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


@pytest.mark.parametrize("make, words", [
    (lambda: tf.segment_sum([1.0, 2.0, 3.0], [0, 1, 0]), r"Segment id 1 out of range \[0, 1\)"),
    (lambda: tf.segment_sum([1.0, 2.0], [0, -1]), "segment ids must be >= 0"),
    (lambda: tf.unsorted_segment_sum([[1.0]], [[2]], 2), r"segment_ids\[0,0\] = 2 is out of range \[0, 2\)"),
    (lambda: tf.raw_ops.SparseSegmentMeanGrad(grad=[[1.0]], indices=[4], segment_ids=[0], output_dim0=4),
     r"Index 4 out of range \[0, 4\)"),
    (lambda: tf.roll([1, 2], 1, tf.placeholder_with_default(1, [])), "is out of range"),
    (lambda: tf.nn.softmax([1.0, 2.0], axis=tf.placeholder_with_default(100, [])), "perm"),
    (lambda: tf.nn.ctc_loss(tf.SparseTensor(np.zeros([0, 2], np.int64), np.zeros(0, np.int32), [5, 5]),
                            tf.zeros([1, 0, 2]), np.zeros(0, np.int32)), "batch_size must not be 0")])
def test_words_in_a_run(make, words, session):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        session.run(make())


def test_what_holds_no_tensor():
    with tf.Graph().as_default():
        assert tf.meshgrid() == []
        with pytest.raises(ValueError, match="elems"):
            tf.map_fn(lambda x: x, [])
        with pytest.raises(TypeError, match="integer"):
            tf.switch_case(tf.constant(1.0), [lambda: tf.constant(1)])


def test_axes_that_the_run_tells(session):
    x = np.random.RandomState(0).randn(2, 3, 4).astype(np.float32)
    axis = tf.placeholder(tf.int32, [])
    for function in (tf.nn.softmax, tf.nn.log_softmax):
        for place in (-3, -1, 0, 1):
            found = session.run(function(x, axis=axis), {axis: place})
            np.testing.assert_allclose(found, session.run(function(x, axis=place)), rtol=1e-6)


def test_diagonals_of_results(session):
    x = np.arange(6.0).reshape(2, 3)
    found = session.run(tf.raw_ops.Einsum(inputs=[x], equation="ab->abb"))
    np.testing.assert_array_equal(found, x[..., None] * np.eye(3))


def test_no_systems_at_all(session):
    factors, order = session.run(tf.linalg.lu(np.zeros([2, 0, 0])))
    assert factors.shape == (2, 0, 0) and order.shape == (2, 0)
    assert session.run(tf.linalg.tridiagonal_solve(np.zeros([3, 0]), np.zeros([0, 1]))).shape == (0, 1)
    with pytest.raises(ValueError):
        tf.linalg.tridiagonal_solve(np.ones([5, 4, 4]), np.ones([5, 4]))


def test_batch_scatter_with_long_indices(session):
    v = tf.Variable(tf.zeros([2, 3]))
    session.run(v.initializer)
    assert session.run(tf.batch_scatter_update(v, np.array([[2], [0]], np.int64), [[1.0], [2.0]])).tolist() == [
        [0, 0, 1], [2, 0, 0]]


def test_products_of_two_precisions(session):
    half, single = tf.constant([[2.0]], tf.bfloat16), tf.constant([[3.0]])
    product = tf.matmul(half, single)
    assert product.op.type == "SparseMatMul" and session.run(product) == [[6.0]]
    assert [each.dtype for each in tf.gradients(product, [half, single])] == [tf.bfloat16, tf.float32]
    assert tf.matmul(half, half, a_is_sparse=True).dtype == tf.bfloat16
