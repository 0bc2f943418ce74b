# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.estimator.experimental."""

from collections.abc import Callable
from typing import Any

def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: int | None = None,
) -> Callable[[], Any]:
    """A function that builds an input of features and labels, for graphs that train or evaluate."""

def call_logit_fn(logit_fn: Any, features: Any, mode: str, params: Any, config: Any) -> Any:
    """Calls a function that computes logits with those arguments among these that it declares."""
