"""`tf.contrib.learn.Estimator.export`: a model as a session bundle, and the signatures that such models have."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.learn.keys import PredictionKey
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.contrib.learn.signatures import create_example_parser_from_signatures
from evergraph.contrib.session_bundle import exporter
from evergraph.contrib.session_bundle.versions import largest_export_versions
from evergraph.frontend import array
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.lookup import tables_initializer
from evergraph.frontend.variables.assign import local_variables_initializer
from evergraph.graph.graph import Graph
from evergraph.graph.node import Tensor
from evergraph.run.session import Session
from evergraph.save.saver import Saver
from evergraph.save.state import latest_checkpoint
from evergraph.train.global_step import get_global_step, get_or_create_global_step


def _named(name: str) -> Any:
    return export(f"contrib.learn.utils.{name}", f"contrib.learn.utils.export.{name}")


def _checked(examples: Any) -> Any:
    if examples is None:
        raise ValueError("examples cannot be None when using this signature fn.")
    return examples


@_named("classification_signature_fn")
def classification_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> tuple[Any, dict[str, Any]]:
    """Signatures of a model whose predictions are classes, or both classes and scores.

    Args:
        examples: the tensor of serialized Examples.
        unused_features: has no meaning; signature functions are called alike.
        predictions: a tensor with the classes, or a dictionary with classes and probabilities.
    """
    if not isinstance(predictions, Mapping):
        return exporter.classification_signature(_checked(examples), classes_tensor=predictions), {}
    return exporter.classification_signature(
        _checked(examples), predictions.get(PredictionKey.CLASSES), predictions.get(PredictionKey.PROBABILITIES)), {}


@_named("classification_signature_fn_with_prob")
def classification_signature_fn_with_prob(examples: Any, unused_features: Any, predictions: Any
                                          ) -> tuple[Any, dict[str, Any]]:
    """Signatures of a model whose predictions are probabilities; see `classification_signature_fn`."""
    if isinstance(predictions, Mapping):
        predictions = predictions[PredictionKey.PROBABILITIES]
    return exporter.classification_signature(_checked(examples), scores_tensor=predictions), {}


@_named("regression_signature_fn")
def regression_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> tuple[Any, dict[str, Any]]:
    """Signatures of a model whose predictions are numbers; see `classification_signature_fn`."""
    return exporter.regression_signature(_checked(examples), predictions), {}


@_named("logistic_regression_signature_fn")
def logistic_regression_signature_fn(examples: Any, unused_features: Any, predictions: Any
                                     ) -> tuple[Any, dict[str, Any]]:
    """Signatures of a model of two classes, whose predictions have the probability of the second as a number.

    See `classification_signature_fn`.
    """
    if not isinstance(predictions, Mapping):
        raise ValueError(f"predictions are by name, got {predictions}")
    return exporter.regression_signature(_checked(examples), predictions[PredictionKey.LOGISTIC]), {}


@_named("generic_signature_fn")
def generic_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> tuple[Any, dict[str, Any]]:
    """Signatures that name all inputs and outputs; see `classification_signature_fn`."""
    named = dict(predictions) if isinstance(predictions, Mapping) else {"outputs": predictions}
    default = exporter.generic_signature({"examples": _checked(examples), **named})
    return default, {"inputs": exporter.generic_signature({"examples": examples}),
                     "outputs": exporter.generic_signature(named)}


def export_estimator(estimator: Any, export_dir: Any, signature_fn: Any, prediction_key: str | None,
                     input_fn: Callable[..., Any] | None, input_feature_key: str | None,
                     use_deprecated_input_fn: bool, default_batch_size: int | None, exports_to_keep: int | None,
                     checkpoint_path: str | None) -> Any:
    """Exports the model of an Estimator; see `tf.contrib.learn.Estimator.export`."""
    checkpoint_path = checkpoint_path or latest_checkpoint(estimator.model_dir)
    with Graph().as_default():
        get_or_create_global_step()
        examples, features = _served_input(estimator, input_fn, input_feature_key, use_deprecated_input_fn,
                                           default_batch_size)
        ops = estimator._call_model(features, None, ModeKeys.INFER, estimator.config)
        make, key = estimator.default_signature()
        key = prediction_key or key
        predictions = ops.predictions if key is None else ops.predictions[key]
        default, named = (signature_fn or make)(examples, features, predictions)
        return _written(export_dir, checkpoint_path, default, named, exports_to_keep)


def _served_input(estimator: Any, input_fn: Any, key: str | None, is_deprecated: bool,
                  batch_size: int | None) -> tuple[Any, Any]:
    """(the tensor of serialized Examples, the features)."""
    if is_deprecated:
        examples = array.placeholder(dtypes.string, [batch_size], name="input_example_tensor")
        read = input_fn or estimator.examples_fn()
        return examples, read(examples)
    if input_fn is None:
        raise ValueError("use_deprecated_input_fn=False needs an input_fn")
    made = input_fn()
    features = dict(made.features if hasattr(made, "features") else made[0])
    examples = None if key is None else features.pop(key)
    if not features and examples is None:
        raise ValueError("Either features or examples must be defined.")
    return examples, features


def _written(export_dir: Any, checkpoint_path: str, default: Any, named: Any, exports_to_keep: int | None) -> Any:
    saver = Saver(sharded=False)
    writer = exporter.Exporter(saver)
    writer.init(init_op=group(local_variables_initializer(), tables_initializer()),
                default_graph_signature=default, named_graph_signatures=named,
                assets_collection=get_collection(GraphKeys.ASSET_FILEPATHS))
    with Session() as session:
        saver.restore(session, checkpoint_path)
        keep = None if exports_to_keep is None else largest_export_versions(exports_to_keep)
        folder = writer.export(export_dir, get_global_step(), session, keep)
    return os.fsencode(folder)


def examples_of(signatures: Any) -> Callable[[Tensor], Any]:
    """A function that reads features of these signatures from serialized Examples."""
    def read(examples: Tensor) -> Any:
        if signatures is None:
            raise ValueError("give an input_fn: what features are like is known after training alone")
        return create_example_parser_from_signatures(signatures, examples)
    return read
