# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.linalg."""

from evergraph import (
    Module, Operation, Tensor, diag as _diag, diag_part as _diag_part, matrix_band_part, matrix_determinant,
    matrix_diag, matrix_diag_part, matrix_inverse, matrix_set_diag, matrix_solve, matrix_solve_ls,
    matrix_square_root, matrix_transpose as _matrix_transpose, matrix_triangular_solve, self_adjoint_eig,
    self_adjoint_eigvals,
)
from evergraph.raw_ops import _LogMatrixDeterminant, _Lu
from typing import Any, overload

import sys
if sys.platform == "":
    del (
        addition, algebra, batches, circulant, derived, diagonal, full_matrix, hints, householder, identity,
        low_rank, operator, rules, several, spectra, toeplitz, zeros,
    )

class LinearOperator(Module):
    """A matrix, or a batch of matrices, of shape [B1, ..., Bb, M, N], that need not be stored densely."""
    @property
    def graph_parents(self) -> Any:
        """The tensors that the operator depends on, as given."""
    @property
    def name(self) -> Any: ...
    @property
    def dtype(self) -> Any:
        """The dtype of the entries."""
    @property
    def is_non_singular(self) -> Any:
        """Whether there is an inverse, if that is known."""
    @property
    def is_self_adjoint(self) -> Any:
        """Whether the matrix is its own adjoint, if that is known."""
    @property
    def is_positive_definite(self) -> Any:
        """Whether the matrix is positive definite, if that is known."""
    @property
    def is_square(self) -> Any:
        """Whether the matrix is square, by the hint or the shape; None if unknown."""
    @property
    def shape(self) -> Any:
        """The static shape, [B1, ..., Bb, M, N]."""
    @property
    def batch_shape(self) -> Any:
        """The static shape without the last two axes."""
    @property
    def tensor_rank(self) -> Any:
        """The number of axes, or None."""
    @property
    def domain_dimension(self) -> Any:
        """The dimension of the domain: N."""
    @property
    def range_dimension(self) -> Any:
        """The dimension of the range: M."""
    def shape_tensor(self, name: str = 'shape_tensor') -> Any:
        """The shape as a tensor."""
    def batch_shape_tensor(self, name: str = 'batch_shape_tensor') -> Any:
        """The shape without the last two axes, as a tensor."""
    def tensor_rank_tensor(self, name: str = 'tensor_rank_tensor') -> Tensor:
        """The number of axes as a tensor."""
    def domain_dimension_tensor(self, name: str = 'domain_dimension_tensor') -> Any:
        """`domain_dimension` as a tensor."""
    def range_dimension_tensor(self, name: str = 'range_dimension_tensor') -> Any:
        """`range_dimension` as a tensor."""
    def matmul(self, x: Any, adjoint: Any = False, adjoint_arg: Any = False, name: str = 'matmul') -> Any:
        """Multiplies the operator by `x`."""
    def matvec(self, x: Any, adjoint: Any = False, name: str = 'matvec') -> Any:
        """Multiplies the operator by vectors [..., N]."""
    def solve(self, rhs: Any, adjoint: Any = False, adjoint_arg: Any = False, name: str = 'solve') -> Any:
        """Solves the linear system operator * x = rhs."""
    def solvevec(self, rhs: Any, adjoint: Any = False, name: str = 'solve') -> Any:
        """Solves the linear system operator * x = rhs for vectors, [..., M]."""
    def determinant(self, name: str = 'det') -> Any:
        """The determinants of the matrices."""
    def log_abs_determinant(self, name: str = 'log_abs_det') -> Any:
        """The logarithms of the absolute values of the determinants."""
    def trace(self, name: str = 'trace') -> Any:
        """The sums of the main diagonals."""
    def diag_part(self, name: str = 'diag_part') -> Any:
        """The main diagonals, [..., min(M, N)]."""
    def to_dense(self, name: str = 'to_dense') -> Any:
        """The matrices as dense tensors."""
    def add_to_tensor(self, x: Any, name: str = 'add_to_tensor') -> Any:
        """The matrices plus `x`, which must have their dtype and a shape that broadcasts with theirs."""
    @property
    def H(self) -> Any:
        """The adjoint operator."""
    def adjoint(self, name: str = 'adjoint') -> Any:
        """The adjoint operator; a self-adjoint operator itself."""
    def inverse(self, name: str = 'inverse') -> Any:
        """The inverse operator."""
    def cholesky(self, name: str = 'cholesky') -> Any:
        """The Cholesky factor as an operator."""
    def assert_non_singular(self, name: str = 'assert_non_singular') -> Any:
        """An operation that fails if the operator is singular up to the precision of its dtype."""
    def assert_positive_definite(self, name: str = 'assert_positive_definite') -> Any:
        """An operation that fails if the operator is not positive definite."""
    def assert_self_adjoint(self, name: str = 'assert_self_adjoint') -> Any:
        """An operation that fails if the operator is not exactly self-adjoint."""
    def __matmul__(self, other: Any) -> Any: ...
    def __init__(
        self, dtype: Any, graph_parents: Any = None, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str | None = None,
    ) -> None: ...

class LinearOperatorAdjoint(LinearOperator):
    """The adjoint (conjugate transpose) of an operator."""
    @property
    def operator(self) -> Any:
        """The underlying operator."""
    def __init__(
        self, operator: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str | None = None,
    ) -> None: ...

class LinearOperatorBlockDiag(LinearOperator):
    """A block-diagonal operator with square blocks."""
    separator: str
    described: str
    least: str
    @property
    def operators(self) -> Any:
        """The constituent operators."""
    def __init__(
        self, operators: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = True, name: str | None = None,
    ) -> None: ...

class LinearOperatorCirculant(LinearOperator):
    """A circulant matrix: each column is the previous one, rotated down by one."""
    block_depth: int
    @property
    def spectrum(self) -> Any:
        """The eigenvalues, [B1, ..., Bb] and one axis for each dimension."""
    @property
    def block_shape(self) -> Any:
        """The static shape of a block."""
    def block_shape_tensor(self) -> Any:
        """The shape of a block as a tensor."""
    def convolution_kernel(self, name: str = 'convolution_kernel') -> Any:
        """The convolution kernel: the inverse Fourier transform of the spectrum."""
    def assert_hermitian_spectrum(self, name: str = 'assert_hermitian_spectrum') -> Operation:
        """An operation that fails unless the convolution kernel, and so the matrix, is real."""
    def __init__(
        self, spectrum: Any, input_output_dtype: Any = ..., is_non_singular: Any = None,
        is_self_adjoint: Any = None, is_positive_definite: Any = None, is_square: Any = True,
        name: str = 'LinearOperatorCirculant',
    ) -> None: ...

class LinearOperatorCirculant2D(LinearOperator):
    """A block circulant matrix with circulant blocks: periodic 2-D convolution."""
    block_depth: int
    @property
    def spectrum(self) -> Any:
        """The eigenvalues, [B1, ..., Bb] and one axis for each dimension."""
    @property
    def block_shape(self) -> Any:
        """The static shape of a block."""
    def block_shape_tensor(self) -> Any:
        """The shape of a block as a tensor."""
    def convolution_kernel(self, name: str = 'convolution_kernel') -> Any:
        """The convolution kernel: the inverse Fourier transform of the spectrum."""
    def assert_hermitian_spectrum(self, name: str = 'assert_hermitian_spectrum') -> Operation:
        """An operation that fails unless the convolution kernel, and so the matrix, is real."""
    def __init__(
        self, spectrum: Any, input_output_dtype: Any = ..., is_non_singular: Any = None,
        is_self_adjoint: Any = None, is_positive_definite: Any = None, is_square: Any = True,
        name: str = 'LinearOperatorCirculant2D',
    ) -> None: ...

class LinearOperatorCirculant3D(LinearOperator):
    """A nested block circulant matrix: periodic 3-D convolution."""
    block_depth: int
    @property
    def spectrum(self) -> Any:
        """The eigenvalues, [B1, ..., Bb] and one axis for each dimension."""
    @property
    def block_shape(self) -> Any:
        """The static shape of a block."""
    def block_shape_tensor(self) -> Any:
        """The shape of a block as a tensor."""
    def convolution_kernel(self, name: str = 'convolution_kernel') -> Any:
        """The convolution kernel: the inverse Fourier transform of the spectrum."""
    def assert_hermitian_spectrum(self, name: str = 'assert_hermitian_spectrum') -> Operation:
        """An operation that fails unless the convolution kernel, and so the matrix, is real."""
    def __init__(
        self, spectrum: Any, input_output_dtype: Any = ..., is_non_singular: Any = None,
        is_self_adjoint: Any = None, is_positive_definite: Any = None, is_square: Any = True,
        name: str = 'LinearOperatorCirculant3D',
    ) -> None: ...

class LinearOperatorComposition(LinearOperator):
    """The composition (matrix product) of operators: the last one is applied first."""
    separator: str
    described: str
    least: str
    @property
    def operators(self) -> Any:
        """The constituent operators."""
    def __init__(
        self, operators: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str | None = None,
    ) -> None: ...

class LinearOperatorDiag(LinearOperator):
    """A diagonal matrix."""
    @property
    def diag(self) -> Any:
        """The diagonal."""
    def __init__(
        self, diag: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str = 'LinearOperatorDiag',
    ) -> None: ...

class LinearOperatorFullMatrix(LinearOperator):
    """A dense matrix as an operator."""
    def __init__(
        self, matrix: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str = 'LinearOperatorFullMatrix',
    ) -> None: ...

class LinearOperatorHouseholder(LinearOperator):
    """The Householder reflection about the hyperplane orthogonal to a vector v: I - 2 v v^H / |v|^2."""
    @property
    def reflection_axis(self) -> Any:
        """The vectors v."""
    def __init__(
        self, reflection_axis: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str = 'LinearOperatorHouseholder',
    ) -> None: ...

class LinearOperatorIdentity(LinearOperator):
    """The identity matrix."""
    def add_to_tensor(self, mat: Any, name: str = 'add_to_tensor') -> Any:
        """The identity plus `mat`, which must have its dtype and a shape that broadcasts with its own."""
    def __init__(
        self, num_rows: Any, batch_shape: Any = None, dtype: Any = None, is_non_singular: Any = True,
        is_self_adjoint: Any = True, is_positive_definite: Any = True, is_square: Any = True,
        assert_proper_shapes: Any = False, name: str = 'LinearOperatorIdentity',
    ) -> None: ...

class LinearOperatorInversion(LinearOperator):
    """The inverse of an operator."""
    @property
    def operator(self) -> Any:
        """The underlying operator."""
    def __init__(
        self, operator: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str | None = None,
    ) -> None: ...

class LinearOperatorKronecker(LinearOperator):
    """The Kronecker product of operators."""
    separator: str
    described: str
    least: str
    @property
    def operators(self) -> Any:
        """The constituent operators."""
    def __init__(
        self, operators: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str | None = None,
    ) -> None: ...

class LinearOperatorLowRankUpdate(LinearOperator):
    """A low-rank update of an operator: L + U D V^H."""
    @property
    def base_operator(self) -> Any:
        """L."""
    @property
    def u(self) -> Any:
        """The left factor of the update."""
    @property
    def v(self) -> Any:
        """The right factor of the update."""
    @property
    def diag_update(self) -> Any:
        """The diagonal of D, or None for ones."""
    @property
    def diag_operator(self) -> Any:
        """D as an operator."""
    @property
    def is_diag_update_positive(self) -> Any:
        """Whether the diagonal of the update is positive, if that is known."""
    def __init__(
        self, base_operator: Any, u: Any, diag_update: Any = None, v: Any = None,
        is_diag_update_positive: Any = None, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str = 'LinearOperatorLowRankUpdate',
    ) -> None: ...

class LinearOperatorLowerTriangular(LinearOperator):
    """A lower triangular matrix, solved by substitution."""
    def __init__(
        self, tril: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str = 'LinearOperatorLowerTriangular',
    ) -> None: ...

class LinearOperatorScaledIdentity(LinearOperator):
    """A scalar multiple of the identity."""
    @property
    def multiplier(self) -> Any:
        """The scalars."""
    def add_to_tensor(self, mat: Any, name: str = 'add_to_tensor') -> Any:
        """The operator plus `mat`, which must have its dtype and a shape that broadcasts with its own."""
    def __init__(
        self, num_rows: Any, multiplier: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = True, assert_proper_shapes: Any = False,
        name: str = 'LinearOperatorScaledIdentity',
    ) -> None: ...

class LinearOperatorToeplitz(LinearOperator):
    """A Toeplitz matrix, given by its first column and row."""
    @property
    def col(self) -> Any:
        """The first column."""
    @property
    def row(self) -> Any:
        """The first row."""
    def __init__(
        self, col: Any, row: Any, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str = 'LinearOperatorToeplitz',
    ) -> None: ...

class LinearOperatorZeros(LinearOperator):
    """The zero matrix."""
    def add_to_tensor(self, mat: Any, name: str = 'add_to_tensor') -> Any:
        """`mat`, broadcast over the operator's batch dimensions."""
    def __init__(
        self, num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = None,
        is_non_singular: Any = False, is_self_adjoint: Any = True, is_positive_definite: Any = False,
        is_square: Any = True, assert_proper_shapes: Any = False, name: str = 'LinearOperatorZeros',
    ) -> None: ...

@overload
def adjoint(matrix: LinearOperator, name: str | None = None) -> Any:
    """Matrices transposed and conjugated."""
@overload
def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """Matrices transposed and conjugated."""

band_part = matrix_band_part
from evergraph import cholesky as cholesky
from evergraph import cholesky_solve as cholesky_solve
from evergraph import cross as cross
det = matrix_determinant
diag = matrix_diag
diag_part = matrix_diag_part
eigh = self_adjoint_eig
eigvalsh = self_adjoint_eigvals
from evergraph import einsum as einsum

def expm(input: Any, name: str | None = None) -> Any:
    """1 + A + A^2 / 2! + A^3 / 3! + ... of square matrices."""

from evergraph import eye as eye
from evergraph import global_norm as global_norm
inv = matrix_inverse

def l2_normalize(
    x: Any, axis: Any = None, epsilon: Any = 1e-12, name: str | None = None, dim: Any = None,
) -> Tensor:
    """Scales a tensor to unit L2 norm along axes: x / sqrt(max(sum(x**2), epsilon))."""

@overload
def logdet(matrix: LinearOperator, name: str | None = None) -> Any:
    """The logarithm of the determinant of positive definite matrices."""
@overload
def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of positive definite matrices."""

def logm(input: Any, name: str | None = None) -> Tensor:
    """The principal matrix logarithm."""

lstsq = matrix_solve_ls

def lu(input: Any, output_idx_type: Any = ..., name: str | None = None) -> _Lu:
    """The LU decomposition with partial pivoting: unit lower triangular L and U in one matrix, and
    permutation `p`."""

from evergraph import matmul as matmul

def matrix_rank(a: Any, tol: Any = None, validate_args: Any = False, name: str | None = None) -> Tensor:
    """The number of singular values that are larger than `tol`."""

from evergraph import matrix_transpose as matrix_transpose

def matvec(
    a: Any, b: Any, transpose_a: Any = False, adjoint_a: Any = False, a_is_sparse: Any = False,
    b_is_sparse: Any = False, name: str | None = None,
) -> Tensor:
    """The product of matrices and vectors."""

from evergraph import norm as norm

def normalize(
    tensor: Any, ord: Any = 'euclidean', axis: Any = None, name: str | None = None,
) -> tuple[Tensor, Any]:
    """(`tensor` divided by its norm, the norm); see `tf.norm` for the arguments."""

def pinv(a: Any, rcond: Any = None, validate_args: Any = False, name: str | None = None) -> Tensor:
    """The Moore-Penrose inverse: singular values are inverted, those too small to trust become zero."""

from evergraph import qr as qr
set_diag = matrix_set_diag

def slogdet(input: Any, name: str | None = None) -> _LogMatrixDeterminant:
    """The sign and the logarithm of the absolute value of determinants."""

solve = matrix_solve
sqrtm = matrix_square_root
from evergraph import svd as svd
tensor_diag = _diag
tensor_diag_part = _diag_part
from evergraph import tensordot as tensordot
from evergraph import trace as trace
transpose = _matrix_transpose
triangular_solve = matrix_triangular_solve

def tridiagonal_matmul(
    diagonals: Any, rhs: Any, diagonals_format: Any = 'compact', name: str | None = None,
) -> Tensor:
    """The product of matrices that have only three diagonals with other matrices."""

def tridiagonal_solve(
    diagonals: Any, rhs: Any, diagonals_format: Any = 'compact', transpose_rhs: Any = False,
    conjugate_rhs: Any = False, name: str | None = None, partial_pivoting: Any = True,
) -> Tensor:
    """Solves equations whose matrices have only three diagonals."""
