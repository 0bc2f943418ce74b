# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.utils."""

from collections.abc import Callable
from evergraph.contrib.learn import ExportStrategy
from typing import Any
from evergraph.contrib.learn.utils import (
    export as export, gc as gc, input_fn_utils as input_fn_utils,
    saved_model_export_utils as saved_model_export_utils,
)

from evergraph.contrib.learn import build_default_serving_input_fn as build_default_serving_input_fn
from evergraph.contrib.learn import build_parsing_serving_input_fn as build_parsing_serving_input_fn

def classification_signature_fn(
    examples: Any, unused_features: Any, predictions: Any,
) -> tuple[Any, dict[str, Any]]:
    """Signatures of a model whose predictions are classes, or both classes and scores."""

def classification_signature_fn_with_prob(
    examples: Any, unused_features: Any, predictions: Any,
) -> tuple[Any, dict[str, Any]]:
    """Signatures of a model whose predictions are probabilities; see `classification_signature_fn`."""

def extend_export_strategy(
    base_export_strategy: ExportStrategy, post_export_fn: Callable[[Any, Any], Any],
    post_export_name: str | None = None,
) -> ExportStrategy:
    """A strategy that changes what another one has exported."""

def generic_signature_fn(
    examples: Any, unused_features: Any, predictions: Any,
) -> tuple[Any, dict[str, Any]]:
    """Signatures that name all inputs and outputs; see `classification_signature_fn`."""

def logistic_regression_signature_fn(
    examples: Any, unused_features: Any, predictions: Any,
) -> tuple[Any, dict[str, Any]]:
    """Signatures of a model of two classes, whose predictions have the probability of the second as a
    number."""

def make_best_model_export_strategy(
    serving_input_fn: Any, exports_to_keep: int | None = 1, model_dir: Any = None,
    event_file_pattern: str | None = None, compare_fn: Callable[..., bool] | None = None,
    default_output_alternative_key: str | None = None, strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """A strategy that exports models that are better than all before them."""

from evergraph.contrib.learn import make_export_strategy as make_export_strategy

def make_parsing_export_strategy(
    feature_columns: Any, default_output_alternative_key: str | None = None, assets_extra: Any = None,
    as_text: bool = False, exports_to_keep: int | None = 5, target_core: bool = False,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """A strategy whose models are fed serialized Examples."""

def regression_signature_fn(
    examples: Any, unused_features: Any, predictions: Any,
) -> tuple[Any, dict[str, Any]]:
    """Signatures of a model whose predictions are numbers; see `classification_signature_fn`."""
