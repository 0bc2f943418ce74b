"""tf.contrib.sparsemax: the projection of logits onto probabilities (Martins and Astudillo, 2016)."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import where
from evergraph.frontend.ordering import top_k
from evergraph.frontend.reduce import cumsum, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.basic import stop_gradient
from evergraph.ops.math import elementwise


@export("contrib.sparsemax.sparsemax")
def sparsemax(logits: Any, name: str | None = None) -> Tensor:
    """Probabilities of which many are exactly 0: the point of the simplex that is nearest to the logits.

    Args:
        logits: [batch, classes].
        name: a name for the operations.
    """
    with name_scope(name, "sparsemax", [logits]):
        logits = convert_to_tensor(logits)
        ordered = top_k(stop_gradient(logits), array.shape(logits)[1])[0]
        sums = cumsum(ordered, 1)
        places = math.cast(math.range(1, array.shape(logits)[1] + 1), logits.dtype)
        support = elementwise.greater(1.0 + places * ordered, sums)
        size = reduce_sum(math.cast(support, logits.dtype), 1, keepdims=True)
        least = reduce_sum(where(elementwise.equal(places + array.zeros_like(sums), size + array.zeros_like(sums)),
                                 ordered, array.zeros_like(ordered)), 1, keepdims=True)
        # Gradients reach the threshold through the logits in the support.
        supporting = where(elementwise.greater_equal(logits, least + array.zeros_like(logits)), logits,
                           array.zeros_like(logits))
        threshold = (reduce_sum(supporting, 1, keepdims=True) - 1.0) / size
        found = elementwise.maximum(logits - threshold, 0.0)
        # Minus infinity gets no probability; a row with infinity, NaN or nothing else has none.
        known = elementwise.is_finite(reduce_sum(where(elementwise.equal(logits, -math.cast(np.inf, logits.dtype)),
                                                       array.zeros_like(logits), logits), 1))
        known = elementwise.logical_and(known, elementwise.is_finite(ordered[:, 0]))
        return where(known, found, array.zeros_like(found) + math.cast(np.nan, found.dtype))


@export("contrib.sparsemax.sparsemax_loss")
def sparsemax_loss(logits: Any, sparsemax: Any, labels: Any, name: str | None = None) -> Tensor:
    """The loss whose gradient is sparsemax minus the labels: [batch].

    Args:
        logits: [batch, classes].
        sparsemax: `tf.contrib.sparsemax.sparsemax` of them.
        labels: one-hot, or other probabilities.
        name: a name for the operations.
    """
    with name_scope(name, "sparsemax_loss", [logits, sparsemax, labels]):
        logits, chosen, labels = (convert_to_tensor(each) for each in (logits, sparsemax, labels))
        in_support = where(elementwise.greater(chosen, 0.0), chosen * (logits - 0.5 * chosen),
                           array.zeros_like(chosen))
        wanted = labels * (0.5 * labels - logits)
        return reduce_sum(in_support + wanted, 1)
