"""ObtainNext: the elements of a list in turn."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.graph.shaping import require_rank


def _shape(list, counter):
    require_rank(list, 1)
    require_rank(counter, 0)
    return ()


@op("ObtainNext(list: string, counter: Ref(int64)) -> out_element: string", shape=_shape, on="host")
def obtain_next(list, counter):
    """Advances the counter and returns the element that it then points at; the first follows the last."""
    if list.ndim != 1 or not len(list):
        raise invalid(f"list must be a vector with elements, but is of shape {[*list.shape]}")
    before = counter.replace(lambda now: ((now + np.ones_like(now)) % len(list)).astype(np.int64))
    return list[(int(before) + 1) % len(list)]
