# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.solvers.linear_equations."""

from typing import Any

def conjugate_gradient(
    operator: Any, rhs: Any, preconditioner: Any = None, x: Any = None, tol: float = 0.0001,
    max_iter: int = 20, name: str = 'conjugate_gradient',
) -> tuple:
    """Conjugate gradients: the solution of A x = rhs, where A is positive definite."""
