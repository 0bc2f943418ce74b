# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.layers.optimizers."""

from typing import Any

OPTIMIZER_CLS_NAMES: dict[str, Any]
OPTIMIZER_SUMMARIES: list[str]
from evergraph.contrib.layers import adaptive_clipping_fn as adaptive_clipping_fn
from evergraph.contrib.layers import optimize_loss as optimize_loss
