# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.linalg."""

from evergraph import (
    diag as _diag, diag_part as _diag_part, matrix_band_part, matrix_determinant, matrix_diag,
    matrix_diag_part, matrix_inverse, matrix_set_diag, matrix_solve, matrix_solve_ls, matrix_square_root,
    matrix_triangular_solve, self_adjoint_eig, self_adjoint_eigvals,
)

from evergraph.linalg import LinearOperator as LinearOperator
from evergraph.linalg import LinearOperatorAdjoint as LinearOperatorAdjoint
from evergraph.linalg import LinearOperatorBlockDiag as LinearOperatorBlockDiag
from evergraph.linalg import LinearOperatorCirculant as LinearOperatorCirculant
from evergraph.linalg import LinearOperatorCirculant2D as LinearOperatorCirculant2D
from evergraph.linalg import LinearOperatorCirculant3D as LinearOperatorCirculant3D
from evergraph.linalg import LinearOperatorComposition as LinearOperatorComposition
from evergraph.linalg import LinearOperatorDiag as LinearOperatorDiag
from evergraph.linalg import LinearOperatorFullMatrix as LinearOperatorFullMatrix
from evergraph.linalg import LinearOperatorHouseholder as LinearOperatorHouseholder
from evergraph.linalg import LinearOperatorIdentity as LinearOperatorIdentity
from evergraph.linalg import LinearOperatorInversion as LinearOperatorInversion
from evergraph.linalg import LinearOperatorKronecker as LinearOperatorKronecker
from evergraph.linalg import LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate
from evergraph.linalg import LinearOperatorLowerTriangular as LinearOperatorLowerTriangular
from evergraph.linalg import LinearOperatorScaledIdentity as LinearOperatorScaledIdentity
from evergraph.linalg import LinearOperatorToeplitz as LinearOperatorToeplitz
from evergraph.linalg import LinearOperatorZeros as LinearOperatorZeros
from evergraph.linalg import adjoint as adjoint
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
from evergraph.linalg import expm as expm
from evergraph import eye as eye
from evergraph import global_norm as global_norm
inv = matrix_inverse
from evergraph.linalg import l2_normalize as l2_normalize
from evergraph.linalg import logdet as logdet
from evergraph.linalg import logm as logm
lstsq = matrix_solve_ls
from evergraph.linalg import lu as lu
from evergraph import matmul as matmul
from evergraph.linalg import matrix_rank as matrix_rank
from evergraph import matrix_transpose as matrix_transpose
from evergraph.linalg import matvec as matvec
from evergraph import norm as norm
from evergraph.linalg import normalize as normalize
from evergraph.linalg import pinv as pinv
from evergraph import qr as qr
set_diag = matrix_set_diag
from evergraph.linalg import slogdet as slogdet
solve = matrix_solve
sqrtm = matrix_square_root
from evergraph import svd as svd
tensor_diag = _diag
tensor_diag_part = _diag_part
from evergraph import tensordot as tensordot
from evergraph import trace as trace
triangular_solve = matrix_triangular_solve
from evergraph.linalg import tridiagonal_matmul as tridiagonal_matmul
from evergraph.linalg import tridiagonal_solve as tridiagonal_solve
