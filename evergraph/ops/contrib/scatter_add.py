"""ScatterAddNdim: adds to elements or slices of a variable."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op


@op("ScatterAddNdim(input: Ref(float), indices: int32, deltas: float) -> ()", on="host")
def scatter_add_ndim(input, indices, deltas):
    """Adds to each place, the indices of the first axes, an element or the slice behind it."""
    if not indices.size:
        return
    if len(indices) != len(deltas):
        raise invalid(f"Number of updates should be same as number of indices. There are {len(deltas)} updates and "
                      f"{len(indices)} indices")

    def added(now):
        depth = indices.shape[1]
        if depth > now.ndim or (indices < 0).any() or (indices >= now.shape[:depth]).any():
            raise invalid(f"an index is outside of a variable of shape {list(now.shape)}")
        result = np.array(now)
        np.add.at(result, tuple(indices.T), deltas.reshape(-1, *now.shape[depth:]))
        return result

    input.replace(added)
