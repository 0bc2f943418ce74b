# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.estimator.experimental."""

from typing import Any

def call_logit_fn(logit_fn: Any, features: Any, mode: str, params: Any, config: Any) -> Any:
    """Calls a function that computes logits with those arguments among these that it declares."""
