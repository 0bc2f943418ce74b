# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.solvers.util."""

from evergraph import Tensor
from typing import Any

def create_operator(matrix: Any) -> tuple:
    """The operator of a matrix."""

def dot(x: Any, y: Any) -> Tensor:
    """The sum of conj(x) * y."""

def identity_operator(matrix: Any) -> tuple:
    """The operator of the identity, with the shape of a matrix."""

def l2norm(v: Any) -> Any:
    """The root of the sum of squares."""

def l2norm_squared(v: Any) -> Any:
    """The sum of squares of absolute values."""

def l2normalize(v: Any) -> tuple[Any, Any]:
    """(v divided by its norm, the norm)"""
