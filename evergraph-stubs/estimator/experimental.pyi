# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.estimator.experimental."""

from collections.abc import Callable
from evergraph import Tensor
from typing import Any

def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: int | None = None,
) -> Callable[[], Any]:
    """A function that builds an input of features and labels, for graphs that train or evaluate."""

def call_logit_fn(logit_fn: Any, features: Any, mode: str, params: Any, config: Any) -> Any:
    """Calls a function that computes logits with those arguments among these that it declares."""

def dnn_logit_fn_builder(
    units: int, hidden_units: Any, feature_columns: Any, activation_fn: Any, dropout: Any,
    input_layer_partitioner: Any, batch_norm: bool,
) -> Callable[..., Tensor]:
    """A function of (features, mode) that returns the logits of a deep neural network."""

def linear_logit_fn_builder(
    units: int, feature_columns: Any, sparse_combiner: str = 'sum',
) -> Callable[..., Tensor]:
    """A function of (features) that returns the logits of a linear model."""
