# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.timeseries.saved_model_utils."""

from collections.abc import Mapping
from typing import Any

def cold_start_filter(signatures: Any, session: Any, features: Mapping[str, Any]) -> dict[str, Any]:
    """Takes values into the state before a series."""

def filter_continuation(
    continue_from: Mapping[str, Any], signatures: Any, session: Any, features: Mapping[str, Any],
) -> dict[str, Any]:
    """Takes more values into the state of a result."""

def predict_continuation(
    continue_from: Mapping[str, Any], signatures: Any, session: Any, steps: int | None = None,
    times: Any = None, exogenous_features: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Predicts what follows a result of evaluation or filtering."""
