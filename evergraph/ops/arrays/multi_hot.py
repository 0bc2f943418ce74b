"""Multi-hot rows: recognizes the sum of one-hot vectors along the axis before the last one, and counts ids instead.

An indicator column makes a one-hot vector as long as its vocabulary of each id of an example, and adds these up. Where
there are many words, and several ids in an example, that is a hundred times as many numbers as the result has.
"""

from dataclasses import dataclass

import numpy as np

from evergraph import native
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import static_value
from evergraph.graph.traits import Fusion


def multi_hot_of(node, resolve, users):
    """The fusion around a Sum node; None if it adds up something else."""
    hot = resolve(node.inputs[0]).op
    if native.sparse is None or hot.opdef is not lookup("OneHot") or hot._control_inputs or node._control_inputs:
        return None
    ids, *rest = map(resolve, hot.inputs)
    depth, on, off, axes = map(static_value, (*rest, resolve(node.inputs[1])))
    if any(value is None for value in (depth, on, off, axes)) or on.dtype not in (np.float32, np.float64) or off != 0 \
            or depth.ndim or depth < 1 or on.ndim or not ids._shape or ids._dtype.name not in ("int32", "int64"):
        return None
    rank = len(ids._shape) + 1
    is_last = hot.attrs["axis"] in (-1, rank - 1)
    if not is_last or axes.size != 1 or axes.item() not in (-2, rank - 2) or node.attrs["keep_dims"]:
        return None
    return Fusion(frozenset((hot, node)), (ids,), (node.outputs[0],), MultiHot(int(depth), on.item(), on.dtype.str))


@dataclass(frozen=True)
class MultiHot:
    """For each row of ids a vector of length `depth`, in which each id counts `on`; ids outside are left out."""

    depth: int
    on: float
    dtype: str

    def __call__(self, ids):
        result = np.zeros((*ids.shape[:-1], self.depth), self.dtype)
        native.sparse.count_ids(np.ascontiguousarray(ids, np.int64), ids.shape[-1], self.depth, self.on,
                                result.itemsize == 8, result)
        return [result]
