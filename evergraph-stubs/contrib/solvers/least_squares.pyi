# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.solvers.least_squares."""

from typing import Any

def cgls(operator: Any, rhs: Any, tol: float = 1e-06, max_iter: int = 20, name: str = 'cgls') -> tuple:
    """Conjugate gradients for least squares: the x with the least |A x - rhs| (Bjorck, 1996)."""
