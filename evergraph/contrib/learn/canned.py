"""What the ready-made Estimators of tf.contrib.learn share: inputs of their models, predictions by kind, exports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from evergraph.contrib.layers.feature_columns import OlderColumn, OlderEmbeddingColumn
from evergraph.contrib.layers.feature_columns_layers import (
    infer_real_valued_columns,
    input_from_feature_columns,
    parse_feature_columns_from_examples,
)
from evergraph.contrib.learn.bundle_export import classification_signature_fn_with_prob, regression_signature_fn
from evergraph.contrib.learn.estimator import BaseEstimator, Estimator
from evergraph.contrib.learn.keys import PredictionKey
from evergraph.feature.input_layer import input_layer
from evergraph.frontend.collections import get_collection
from evergraph.frontend.nn import activations
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations as raw_activations

ACTIVATIONS: dict[str, Callable[..., Any]] = {
    "crelu": activations.crelu, "elu": raw_activations.elu, "relu": raw_activations.relu,
    "relu6": raw_activations.relu6, "selu": raw_activations.selu, "sigmoid": elementwise.sigmoid,
    "softmax": activations.softmax, "softplus": raw_activations.softplus, "softsign": raw_activations.softsign,
    "tanh": elementwise.tanh,
}


def activation(given: Any) -> Any:
    """The activation function of a name; anything else as it is.

    Raises:
        ValueError: no activation has this name.
    """
    if not isinstance(given, str):
        return given
    if given not in ACTIVATIONS:
        raise ValueError(f"Activation name should be one of {sorted(ACTIVATIONS)}, got {given!r}")
    return ACTIVATIONS[given]


def made_optimizer(optimizer: Any) -> Any:
    """The optimizer, which may be the result of a function."""
    return optimizer() if callable(optimizer) and not isinstance(optimizer, type) else optimizer


def features_by_name(features: Any) -> dict[Any, Any]:
    """Features as a dictionary; a single tensor has the empty name."""
    return {"": features} if isinstance(features, Tensor) else dict(features)


def are_core(feature_columns: Iterable[Any]) -> bool:
    """Whether columns are of tf.feature_column rather than of tf.contrib.layers."""
    return not any(isinstance(column, OlderColumn) for column in feature_columns)


def network_input(features: dict[Any, Any], feature_columns: Any, collection: str, scope: Any) -> Any:
    """What a network begins with: the values of columns side by side."""
    if are_core(feature_columns):
        with variable_scope(scope):
            return input_layer(features, feature_columns, weight_collections=[collection])
    return input_from_feature_columns(features, feature_columns, weight_collections=[collection], scope=scope)


def embedding_variable(column: Any, collection_key: str, input_layer_scope: str) -> list[Any]:
    """The parts of the variable of an embedding column."""
    return get_collection(collection_key, f"{input_layer_scope}/{column.name}/")


def embedding_multipliers(multipliers: dict[Any, float] | None, collection_key: str,
                          input_layer_scope: str) -> dict[Any, float] | None:
    """Factors of gradients by variable, from factors by embedding column.

    Raises:
        ValueError: a column is no embedding.
    """
    if not multipliers:
        return None
    found = {}
    for column, factor in multipliers.items():
        if not isinstance(column, OlderEmbeddingColumn):
            raise ValueError(f"learning rate multipliers can only be defined for embedding columns, and {column.name} "
                             "is none")
        found |= dict.fromkeys(embedding_variable(column, collection_key, input_layer_scope), factor)
    return found


def by_key(predictions: Any, key: str, as_iterable: bool) -> Any:
    """Those predictions of one key."""
    return _each(predictions, key) if as_iterable else predictions[key]


def _each(predictions: Iterable[Any], key: str) -> Iterator[Any]:
    return (prediction[key] for prediction in predictions)


class CannedEstimator(Estimator):
    """An Estimator with feature columns, which says how its features are read from Examples."""

    def _columns(self) -> list[Any]:
        """The feature columns of the model."""
        return [column for key in ("feature_columns", "linear_feature_columns", "dnn_feature_columns")
                for column in (self.params or {}).get(key) or ()]

    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
        columns = self._columns()
        return lambda examples: parse_feature_columns_from_examples(examples, columns)


class Classifier(CannedEstimator):
    """An Estimator of classes."""

    def default_signature(self) -> tuple[Callable[..., Any], str | None]:
        return classification_signature_fn_with_prob, PredictionKey.PROBABILITIES

    def predict(self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
                outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the classes.

        Args:
            x, input_fn, batch_size, outputs, as_iterable, iterate_batches: see `tf.contrib.learn.Estimator.predict`.
        """
        if not outputs:
            return self.predict_classes(x, input_fn, batch_size, as_iterable)
        return BaseEstimator.predict(self, x, input_fn, batch_size, outputs, as_iterable, iterate_batches)

    def predict_classes(self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
                        as_iterable: bool = True) -> Any:
        """The class of each example; see `predict`."""
        found = BaseEstimator.predict(self, x, input_fn, batch_size, [PredictionKey.CLASSES], as_iterable)
        return by_key(found, PredictionKey.CLASSES, as_iterable)

    def predict_proba(self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
                      as_iterable: bool = True) -> Any:
        """The probability of each class for each example; see `predict`."""
        found = BaseEstimator.predict(self, x, input_fn, batch_size, [PredictionKey.PROBABILITIES], as_iterable)
        return by_key(found, PredictionKey.PROBABILITIES, as_iterable)


class Regressor(CannedEstimator):
    """An Estimator of numbers."""

    def default_signature(self) -> tuple[Callable[..., Any], str | None]:
        return regression_signature_fn, PredictionKey.SCORES

    def predict(self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
                outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the scores.

        Args:
            x, input_fn, batch_size, outputs, as_iterable, iterate_batches: see `tf.contrib.learn.Estimator.predict`.
        """
        if not outputs:
            return self.predict_scores(x, input_fn, batch_size, as_iterable)
        return BaseEstimator.predict(self, x, input_fn, batch_size, outputs, as_iterable, iterate_batches)

    def predict_scores(self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
                       as_iterable: bool = True) -> Any:
        """The number for each example; see `predict`."""
        found = BaseEstimator.predict(self, x, input_fn, batch_size, [PredictionKey.SCORES], as_iterable)
        return by_key(found, PredictionKey.SCORES, as_iterable)


def columns_or_inferred(feature_columns: Any, features: dict[Any, Any]) -> Any:
    """The columns that were given, or columns of numbers for all features."""
    return infer_real_valued_columns(features) if feature_columns is None else feature_columns
