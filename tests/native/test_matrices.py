"""The kernels in C for small matrices give what NumPy's LAPACK gives."""

import jax
import numpy as np
import pytest

from evergraph import native
from evergraph.kernel import native_matrices
from evergraph.kernel.foreign import call_now

pytestmark = [pytest.mark.cpus,
              pytest.mark.skipif(native.matrices is None, reason="the C code was not built here, or is turned off")]
DTYPES = pytest.mark.parametrize("dtype", [np.float32, np.float64])
FORMS = pytest.mark.parametrize("dtype, size", [(np.float32, 1), (np.float32, 7), (np.float64, 3), (np.float64, 64)])


@pytest.fixture(autouse=True)
def _wide():
    """JAX keeps 64 bits, as in evergraph's programs."""
    with jax.enable_x64(True):
        yield


def some(dtype, *shape, seed=0):
    return np.random.RandomState(seed).randn(*shape).astype(dtype)


def near(found, wanted, dtype):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=np.finfo(dtype).eps * 500 * max(1, np.abs(wanted).max()))


def turned(x):
    return x.swapaxes(-1, -2)


def well(dtype, size):
    """Matrices with inverses of moderate size."""
    return some(dtype, 2, 3, size, size) / np.sqrt(size).astype(dtype) + 3 * np.eye(size, dtype=dtype)


@FORMS
def test_systems(dtype, size):
    matrix, rhs = well(dtype, size), some(dtype, 3, size, 4, seed=1)
    near(jax.jit(native_matrices.solved)(matrix, rhs), np.linalg.solve(matrix, np.broadcast_to(rhs, (2, 3, size, 4))),
         dtype)
    near(jax.jit(native_matrices.inverse)(matrix), np.linalg.inv(matrix), dtype)


@pytest.mark.parametrize("dtype, size", [(np.float32, 1), (np.float64, 3), (np.float64, 100)])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("transposed", [False, True])
def test_triangular_systems_and_their_gradients(dtype, size, lower, transposed):
    matrix, rhs = well(dtype, size)[0], some(dtype, 3, size, 4, seed=1)
    half = np.tril(matrix) if lower else np.triu(matrix)
    fast = lambda matrix, rhs: native_matrices.triangular(matrix, rhs, lower, transposed)
    slow = lambda matrix, rhs: jax.lax.linalg.triangular_solve(
        matrix, rhs, left_side=True, lower=lower, transpose_a=transposed)
    near(jax.jit(fast)(matrix, rhs), np.linalg.solve(turned(half) if transposed else half, rhs), dtype)
    found, wanted = (jax.jit(lambda a, b, each=each: jax.vjp(each, a, b)[1](b + 1))(matrix[0], rhs[0])
                     for each in (fast, slow))
    near(found[0], wanted[0], dtype)
    near(found[1], wanted[1], dtype)


@pytest.mark.parametrize("dtype, size", [(np.float32, 1), (np.float32, 2), (np.float64, 10), (np.float32, 300)])
def test_tridiagonal_systems(dtype, size):
    diagonals, rhs = some(dtype, 2, 3, 3, size), some(dtype, 2, 3, size, 2, seed=1)
    diagonals[..., 1, :] += 4 * np.sign(diagonals[..., 1, :])
    diagonals[0, 0, 1, ::2] = 0  # needs pivots from the next row
    diagonals[0, 0, [0, 2]] += 3
    matrix = np.zeros([2, 3, size, size])
    for shift in (1, 0, -1):
        row = np.arange(max(-shift, 0), size - max(shift, 0))
        matrix[..., row, row + shift] = diagonals[..., 1 - shift, row]
    diagonals[..., 0, -1] = diagonals[..., 2, 0] = np.nan  # outside of the matrix
    matrix[0, 0] += np.eye(size) if size == 1 else 0
    diagonals[0, 0, 1] += 1 if size == 1 else 0
    found = jax.jit(native_matrices.tridiagonal)(diagonals, rhs)
    residue = matrix @ np.asarray(found, np.float64) - rhs
    near(residue / max(1, np.abs(found).max()), np.zeros(rhs.shape), dtype)


def test_a_tridiagonal_system_without_solution():
    diagonals = np.array([[1, 1, 0], [0, 0, 0], [0, 1, 1]], np.float32)
    assert not np.isfinite(jax.jit(native_matrices.tridiagonal)(diagonals, np.ones([3, 1], np.float32))).all()


@FORMS
def test_determinants(dtype, size):
    matrix = well(dtype, size)
    matrix[0, 0, 0] *= -1
    sign, log = np.linalg.slogdet(matrix)
    found = jax.jit(lambda x: native_matrices.determinants(x, True))(matrix)
    near(found[0], log, dtype)
    np.testing.assert_array_equal(found[1], sign)
    if size < 64:
        found = jax.jit(lambda x: native_matrices.determinants(x, False))(matrix)[0]
        near(found / np.linalg.det(matrix), np.ones([2, 3]), dtype)


@DTYPES
def test_singular_matrices(dtype):
    singular = np.array([[[1, 2], [2, 4]], [[0, 0], [0, 0]], [[0, 1], [1, 0]]], dtype)
    assert jax.jit(lambda x: native_matrices.determinants(x, False))(singular)[0].tolist() == [0, 0, -1]
    log, sign = jax.jit(lambda x: native_matrices.determinants(x, True))(singular)
    assert log.tolist() == [-np.inf, -np.inf, 0] and sign.tolist() == [0, 0, -1]
    found = np.isfinite(jax.jit(native_matrices.inverse)(singular)).all((1, 2))
    assert found.tolist() == [False, False, True]


@FORMS
def test_cholesky_factors_and_their_gradients(dtype, size):
    matrix = well(dtype, size)[0]
    matrix = matrix @ turned(matrix)
    near(jax.jit(native_matrices.cholesky)(np.tril(matrix)), np.linalg.cholesky(matrix), dtype)
    upstream = np.tril(some(dtype, size, size))
    fast, slow = (jax.jit(lambda a, dl, each=each: jax.vjp(each, a)[1](dl)[0])(matrix[0], upstream)
                  for each in (native_matrices.cholesky, jax.lax.linalg.cholesky))
    near(fast, slow, dtype)


@DTYPES
def test_matrices_without_a_factor(dtype):
    matrix = np.array([[[1, 0], [2, 1]], [[4, 9], [2, 5]], [[np.nan, 0], [0, 1]], [[0, 0], [0, 1]]], dtype)
    found = np.array(jax.jit(native_matrices.cholesky)(matrix))
    np.testing.assert_array_equal(found[1], [[2, 0], [1, 2]])
    np.testing.assert_array_equal(found[[0, 2, 3]], [[[np.nan, 0], [np.nan, np.nan]]] * 3)


@FORMS
def test_eigenvectors(dtype, size):
    matrix = some(dtype, 2, 3, size, size) * 1e15  # squares of the elements are no float32
    matrix = matrix + turned(matrix)
    matrix[0, 0] = np.eye(size)
    matrix[0, 1] = 0
    matrix[0, 2] = 1
    values, vectors = jax.jit(native_matrices.eigen)(matrix)
    near(values / np.abs(values).max(), np.linalg.eigvalsh(matrix) / np.abs(values).max(), dtype)
    largest = np.abs(matrix).max((-1, -2), keepdims=True) + 1
    near((matrix @ vectors - vectors * values[..., None, :]) / largest, np.zeros(matrix.shape), dtype)
    near(turned(vectors) @ vectors, np.broadcast_to(np.eye(size), matrix.shape), dtype)
    for ours, theirs in zip(native_matrices.eigen(matrix), (values, vectors), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@DTYPES
def test_eigenvectors_read_the_lower_triangle(dtype):
    matrix = np.array([[[2, 7], [0, 1]], [[np.inf, 0], [0, 1]], [[1, 0], [np.nan, 1]]], dtype)
    values, vectors = native_matrices.eigen(matrix)
    assert values[0].tolist() == [1, 2] and np.abs(vectors[0]).tolist() == [[0, 1], [1, 0]]
    assert np.isnan(values[1:]).all() and np.isnan(vectors[1:]).all()


@pytest.mark.parametrize("dtype, rows, columns", [
    (np.float32, 1, 1), (np.float32, 3, 3), (np.float64, 8, 6), (np.float64, 2, 7), (np.float64, 64, 12)])
def test_singular_vectors(dtype, rows, columns):
    matrix = some(dtype, 2, 3, rows, columns) * 1e15
    matrix[0, 0] = 0
    matrix[0, 1] = 1
    matrix[0, 2, :, 0] = matrix[0, 2, :, -1]
    values, left, right = jax.jit(native_matrices.singular)(matrix)
    largest = np.abs(matrix).max((-1, -2), keepdims=True) + 1
    near(values / largest[..., 0], np.linalg.svd(matrix, compute_uv=False) / largest[..., 0], dtype)
    near((left * values[..., None, :]) @ turned(right) / largest, matrix / largest, dtype)
    for vectors in (left, right):
        near(turned(vectors) @ vectors, np.broadcast_to(np.eye(min(rows, columns)), [2, 3, *[min(rows, columns)] * 2]),
             dtype)
    for ours, theirs in zip(native_matrices.singular(matrix), (values, left, right), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_singular_vectors_of_other_sizes():
    assert not any(native_matrices.takes_singular(np.zeros(shape)) for shape in ([13, 13], [0, 2], [65, 3]))
    for numbers in ([1, 3, 2, 0], [1, 2, 65, 0], [2, 2, 3, 0]):
        with pytest.raises(ValueError, match="sizes that do not fit"):
            call_now("matrices.singular", [(1, 2), (1, 3, 2), (1, 2, 2)], [np.zeros([1, 3, 2], np.float32)],
                     np.array(numbers, np.int64).tobytes(), 0)


@pytest.mark.parametrize("numbers", [[2, 3, 1, 0], [3, 2, 1, 0], [2, 2, 2, 0], [-2, 2, 1, 0], [2, 65, 1, 0]])
def test_sizes_that_do_not_fit(numbers):
    matrix, rhs = np.zeros([2, 2, 2], np.float32), np.zeros([2, 2, 1], np.float32)
    with pytest.raises(ValueError, match="sizes that do not fit"):
        call_now("matrices.solve", [rhs.shape], [matrix, rhs], np.array(numbers, np.int64).tobytes(), 0)


def test_what_is_not_taken():
    zeros = lambda *shape: np.zeros(shape, np.float32)
    assert native_matrices.takes(zeros(3, 2, 2), zeros(2, 5))
    assert not native_matrices.takes(zeros(3, 65, 65))
    assert not native_matrices.takes(zeros(3, 0, 0))
    assert not native_matrices.takes(zeros(3, 2, 3))
    assert not native_matrices.takes(zeros(3, 2, 2), zeros(3, 3, 1))
    assert not native_matrices.takes(zeros(3, 2, 2), zeros(3, 2, 0))
    assert not native_matrices.takes(zeros(3, 2, 2).astype(np.complex64))
    assert not native_matrices.takes_diagonals(zeros(2, 5), zeros(5, 1))


def test_numpy_and_programs_get_the_same_results():
    matrix, rhs = well(np.float32, 5), some(np.float32, 5, 2)
    for function, given in ((native_matrices.solved, (matrix, rhs)), (native_matrices.inverse, (matrix,)),
                            (lambda a, b: native_matrices.triangular(a, b, True, True), (matrix, rhs)),
                            (native_matrices.cholesky, (matrix @ turned(matrix),)),
                            (lambda a: native_matrices.determinants(a, True), (matrix,)),
                            (native_matrices.tridiagonal, (matrix[..., :3, :], rhs))):
        for ours, theirs in zip(function(*given), jax.jit(function)(*given), strict=True):
            np.testing.assert_array_equal(ours, theirs)
