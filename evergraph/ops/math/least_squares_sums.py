"""The sums of weighted least squares, for many right-hand sides: what alternating least squares solves."""

from __future__ import annotations

import numpy as np

from evergraph.graph.opdef import STOP, op


@op("EvergraphLeastSquaresSums(factors: float, columns: int64, rows: int32, weights: float, values: float, "
    "count: int32) -> matrices: float, vectors: float", on="host", grad=STOP,
    shape=lambda factors: [(None, *[factors[1] if factors else None] * 2), (None, factors[1] if factors else None)])
def least_squares_sums(factors, columns, rows, weights, values, count):
    """For each row, the sums of weight * v v^T and of value * v over its entries; v is the factor of the column."""
    width = factors.shape[1]
    matrices = np.zeros((int(count), width, width), np.float32)
    vectors = np.zeros((int(count), width), np.float32)
    order = np.argsort(rows, kind="stable")
    starts = np.flatnonzero(np.diff(rows[order], prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(order)]):
        entries = order[start:end]
        own = factors[columns[entries]]
        row = rows[entries[0]]
        matrices[row] = (own * weights[entries, None]).T @ own
        vectors[row] = values[entries] @ own
    return matrices, vectors
