"""Linear algebra that the recorded cases cannot show: what TensorFlow 1.15 refuses, old ops, gradients of loops."""

import numpy as np
import pytest

import evergraph as tf

POSITIVE = np.array([[[4.0, 1.0], [1.0, 3.0]], [[2.0, 0.5], [0.5, 1.0]]])


def run(*fetches, feed_dict=None):
    with tf.Session() as session:
        return session.run(fetches if len(fetches) > 1 else fetches[0], feed_dict)


def test_cholesky_of_a_matrix_that_is_not_positive():
    x = tf.placeholder(tf.float64, [2, 2])
    factor = tf.cholesky(x)
    with tf.Session() as session:
        for _ in range(3):  # the compiled program refuses it as well
            with pytest.raises(tf.errors.InvalidArgumentError, match="Cholesky decomposition was not successful"):
                session.run(factor, {x: [[1.0, 2.0], [2.0, 1.0]]})


def test_triangular_solve_with_a_zero_on_the_diagonal():
    x = tf.placeholder(tf.float64, [2, 2])
    solution = tf.linalg.triangular_solve(x, np.ones((2, 1)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        run(solution, feed_dict={x: [[0.0, 0.0], [1.0, 1.0]]})


@pytest.mark.parametrize("old, new", [
    ("BatchCholesky", "Cholesky"),
    ("BatchMatrixInverse", "MatrixInverse"),
    ("BatchMatrixDeterminant", "MatrixDeterminant"),
    ("BatchSelfAdjointEig", "SelfAdjointEig"),
])
def test_old_names_of_ops(old, new):
    x = tf.constant(POSITIVE)
    before, now = (getattr(tf.raw_ops, name)(input=x) for name in (old, new))
    np.testing.assert_allclose(*run(before, now))


def test_old_solvers():
    x = tf.constant(POSITIVE)
    for old, new in (("BatchMatrixSolve", "MatrixSolve"), ("BatchMatrixTriangularSolve", "MatrixTriangularSolve")):
        before, now = (getattr(tf.raw_ops, name)(matrix=x, rhs=x) for name in (old, new))
        np.testing.assert_allclose(*run(before, now))
    least = tf.raw_ops.BatchMatrixSolveLs(matrix=x, rhs=x, l2_regularizer=0.0)
    np.testing.assert_allclose(run(least), np.broadcast_to(np.eye(2), (2, 2, 2)), atol=1e-12)


def test_eigenvectors_below_their_values():
    both = run(tf.raw_ops.SelfAdjointEig(input=POSITIVE))
    np.testing.assert_allclose(POSITIVE @ both[:, 1:], both[:, 1:] * both[:, :1])
    e, v = run(*tf.raw_ops.BatchSelfAdjointEigV2(input=POSITIVE))
    np.testing.assert_allclose(e, both[:, 0])


def test_singular_values_by_the_old_name():
    s, u, v = run(*tf.raw_ops.BatchSvd(input=POSITIVE))
    np.testing.assert_allclose((u * s[:, None]) @ np.swapaxes(v, -1, -2), POSITIVE)


@pytest.mark.parametrize("adjoint", [False, True])
def test_gradient_of_the_inverse(adjoint):
    x = tf.constant([[2.0, 1.0], [0.5, 3.0]], tf.float64)
    weights = np.array([[1.0, -2.0], [0.3, 0.7]])
    total = lambda m: tf.reduce_sum(tf.linalg.inv(m, adjoint=adjoint) * weights)
    slope = tf.gradients(total(x), x)[0]
    step = np.array([[0.0, 1e-6], [0.0, 0.0]])
    value, up, down = run(slope, total(x + step), total(x - step))
    np.testing.assert_allclose(value[0, 1], (up - down) / 2e-6, rtol=1e-6)


@pytest.mark.parametrize("scale", [0.01, 0.3, 1.0, 30.0])
def test_gradient_of_the_exponential(scale):
    x = tf.constant([[0.2, -0.1], [0.4, 0.1]], tf.float64)
    total = lambda m: tf.reduce_sum(tf.linalg.expm(m * scale) * [[1.0, -2.0], [0.3, 0.7]])
    slope = tf.gradients(total(x), x)[0]
    step = np.array([[0.0, 1e-6], [0.0, 0.0]])
    value, up, down = run(slope, total(x + step), total(x - step))
    np.testing.assert_allclose(value[0, 1], (up - down) / 2e-6, rtol=1e-5)


def test_the_exponential_op_is_the_exponential():
    x = POSITIVE / 3
    np.testing.assert_allclose(*run(tf.raw_ops.MatrixExponential(input=x), tf.linalg.expm(x)), rtol=1e-12)


def test_least_squares_of_unknown_size():
    x = tf.placeholder(tf.float64, [None, None])
    solution = tf.linalg.lstsq(x, tf.matmul(x, tf.ones([tf.shape(x)[1], 1], tf.float64)))
    for rows, columns in ((4, 2), (2, 2)):
        value = run(solution, feed_dict={x: np.random.RandomState(0).randn(rows, columns)})
        np.testing.assert_allclose(value, np.ones((columns, 1)), rtol=1e-6)


def test_norms_that_do_not_exist():
    for arguments in ({"ord": "fro"}, {"ord": -1}, {"ord": 3, "axis": (0, 1)}, {"axis": (1, 1)}, {"axis": (0, 1, 2)}):
        with pytest.raises(ValueError):
            tf.norm(tf.ones([2, 2, 2]), **arguments)


def test_matrix_norm_of_unknown_rank():
    x = tf.placeholder(tf.float32)
    norm = tf.norm(x, ord=2, axis=(-2, -1), keepdims=True)
    value = np.diag([3.0, 4.0]).astype(np.float32)
    np.testing.assert_allclose(run(norm, feed_dict={x: value}), [[4.0]], rtol=1e-6)


def test_tensordot_of_unknown_shapes():
    a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 3])
    whole = tf.tensordot(a, b, [[1], [0]])
    left, right = np.ones((2, 4, 5), np.float32), np.ones((4, 3), np.float32)
    assert run(whole, feed_dict={a: left, b: right}).shape == (2, 5, 3)
    rows = tf.tensordot(tf.placeholder(tf.float32, [None, 7, 4]), b, 1)
    assert rows.shape.as_list() == [None, 7, 3]


def test_tensordot_of_axes_that_do_not_fit():
    for axes in ([[0], [0, 1]], [1], -1, 4):
        with pytest.raises(ValueError):
            tf.tensordot(tf.ones([2, 2]), tf.ones([2, 2]), axes)


def test_einsum_of_unknown_sizes():
    x, y = tf.placeholder(tf.float32, [None, None, 4]), tf.placeholder(tf.float32, [None, 4, 2])
    whole = tf.einsum("bij,bjk->bik", x, y)
    assert whole.shape.as_list() == [None, None, 2]
    left, right = np.random.rand(3, 5, 4).astype("f"), np.random.rand(3, 4, 2).astype("f")
    np.testing.assert_allclose(run(whole, feed_dict={x: left, y: right}), left @ right, rtol=1e-5)


@pytest.mark.parametrize("equation", ["ij,jk->ikz", "ij->i->j", "ij,jk,kl->il", "iij->j", "i..j,jk->ik", "ij,j!->i"])
def test_equations_that_make_no_sense(equation):
    with pytest.raises(ValueError):
        tf.einsum(equation, tf.ones([2, 2]), tf.ones([2, 2]))
