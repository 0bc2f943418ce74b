"""Trainable covariance matrices, and what is believed of them beforehand."""

from __future__ import annotations

import math as numbers
from typing import Any

from evergraph.contrib.timeseries.matrices import sign_magnitude_positive_definite
from evergraph.frontend import array
from evergraph.frontend.linalg import logdet
from evergraph.frontend.variables.initializers import constant_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.node import Tensor

_LEAST = 1e-3
"""What is always there of the first variances: an improper prior has its maximum at singular matrices."""


def variable_covariance_matrix(size: int, name: str, dtype: Any, initial_log_variance: float = 0.0) -> Tensor:
    """A positive definite matrix from variables, which starts as a multiple of the identity.

    Args:
        size: the number of rows.
        name: a scope for the variables.
        dtype: of the matrix.
        initial_log_variance: the logarithm of the numbers on the diagonal in the beginning.
    """
    with variable_scope(name):
        raw = get_variable("pre_transformation", [size, size], dtype, zeros_initializer())
        off_diagonal = get_variable("off_diagonal_scale", [], dtype, zeros_initializer())
        overall = get_variable("overall_scale", [], dtype, constant_initializer(initial_log_variance / 2, dtype))
        made = sign_magnitude_positive_definite(raw, off_diagonal, overall)
        return made + array.eye(size, dtype=dtype) * (_LEAST * numbers.exp(initial_log_variance))


def log_noninformative_covariance_prior(covariance: Tensor) -> Tensor | float:
    """The logarithm of Jeffreys' prior of the covariance of a normal distribution, up to a constant."""
    size = covariance.shape.as_list()[-1]
    return 0.0 if not size else -0.5 * (size + 1) * logdet(covariance)
