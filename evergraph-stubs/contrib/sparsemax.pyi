# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.sparsemax."""

from evergraph import Tensor
from typing import Any

def sparsemax(logits: Any, name: str | None = None) -> Tensor:
    """Probabilities of which many are exactly 0: the point of the simplex that is nearest to the logits."""

def sparsemax_loss(logits: Any, sparsemax: Any, labels: Any, name: str | None = None) -> Tensor:
    """The loss whose gradient is sparsemax minus the labels: [batch]."""
