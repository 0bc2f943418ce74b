# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.solvers.lanczos."""

from typing import Any

def bidiag_matmul(
    matrix: Any, alpha: Any, beta: Any, adjoint_b: bool = False, name: str = 'bidiag_matmul',
) -> Any:
    """A matrix times the lower bidiagonal matrix B with `alpha` on its diagonal and `beta` below, or times
    B[:-1]^T."""

def lanczos_bidiag(
    operator: Any, k: int, orthogonalize: bool = True, starting_vector: Any = None,
    name: str = 'lanczos_bidiag',
) -> tuple:
    """Golub and Kahan's bidiagonalization: A V = U B and A^T U[:, :-1] = V B[:-1, :]^T, with orthonormal U
    and V."""
