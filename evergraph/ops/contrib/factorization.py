"""Ops of matrix factorization: normal equations of weighted least squares, and chosen elements of a product."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.graph.shaping import require_rank, with_rank


def _systems_shape(factors, input_block_size, value_of):
    width, count = with_rank(factors, 2)[1], value_of("input_block_size")
    rows = None if count is None else int(count)
    return [(rows, width, width), (rows, width)]


@op("WALSComputePartialLhsAndRhs(factors: float, factor_weights: float, unobserved_weights: float, "
    "input_weights: float, input_indices: int64, input_values: float, entry_weights: float, input_block_size: int64, "
    "input_is_transpose: bool) -> partial_lhs: float, partial_rhs: float", shape=_systems_shape, on="host")
def wals_compute_partial_lhs_and_rhs(factors, factor_weights, unobserved_weights, input_weights, input_indices,
                                     input_values, entry_weights, input_block_size, input_is_transpose):
    """What the observed entries of each row add to its normal equations (Hu, Koren and Volinsky, 2008).

    The weight of an entry is that of its row times that of its factor, or is given by itself.
    """
    if len(input_indices) != len(input_values):
        raise invalid(f"there are {len(input_indices)} indices, but {len(input_values)} values")
    if entry_weights.size and (factor_weights.size or input_weights.size):
        raise invalid("entries have weights of their own or of rows and factors, not both")
    across = 1 if input_is_transpose else 0
    rows, columns = input_indices[:, across], input_indices[:, 1 - across]
    count, width = int(input_block_size), factors.shape[1]
    if len(rows) and not (0 <= rows.min() and rows.max() < count and 0 <= columns.min()
                          and columns.max() < len(factors)):
        raise invalid(f"an index is outside of {count} rows and {len(factors)} factors")
    weights = entry_weights if entry_weights.size else input_weights[rows] * factor_weights[columns]
    known = factors[columns].astype(np.float64)
    lhs, rhs = np.zeros((count, width, width)), np.zeros((count, width))
    np.add.at(lhs, rows, weights[:, None, None] * known[:, :, None] * known[:, None, :])
    np.add.at(rhs, rows, ((weights + unobserved_weights) * input_values)[:, None] * known)
    return lhs.astype(np.float32), rhs.astype(np.float32)


def _masked_shape(a, b, mask_indices):
    require_rank(a, 2)
    require_rank(b, 2)
    return (with_rank(mask_indices, 2)[0],)


@op("MaskedMatmul(a: float, b: float, mask_indices: int64, transpose_a: bool, transpose_b: bool) -> "
    "prod_values: float", shape=_masked_shape, on="host")
def masked_matmul(a, b, mask_indices, transpose_a, transpose_b):
    """Those elements of a matrix product that are at the given places."""
    a, b = a.T if transpose_a else a, b.T if transpose_b else b
    if a.shape[1] != b.shape[0]:
        raise invalid(f"inner dimensions differ: a has {a.shape[1]} columns, b has {b.shape[0]} rows")
    rows, columns = mask_indices[:, 0], mask_indices[:, 1]
    if len(rows) and not (0 <= rows.min() and rows.max() < len(a) and 0 <= columns.min()
                          and columns.max() < b.shape[1]):
        raise invalid(f"an index in the mask is outside of the product, which is [{len(a)}, {b.shape[1]}]")
    return np.einsum("ij,ji->i", a[rows], b[:, columns])
