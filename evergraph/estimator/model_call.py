"""Calls model functions: with the arguments that they declare, and for a result of the right type."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import logging
from evergraph.estimator.calls import call_with, declared
from evergraph.estimator.spec import EstimatorSpec

_ARGUMENTS = {"features", "labels", "mode", "params", "config", "self"}


def check_model_fn(model_fn: Callable[..., Any], params: Any) -> None:
    """Checks that a model function can be called.

    Raises:
        ValueError: it declares no features, or an argument that nobody gives, or no params although there are some.
    """
    names = set(declared(model_fn))
    if "features" not in names:
        raise ValueError(f"model_fn {model_fn} takes {sorted(names)}, but must take features")
    if params is not None and "params" not in names:
        raise ValueError(f"the Estimator has params {params}, but model_fn {model_fn} does not include params")
    if params is None and "params" in names:
        logging.warning("model_fn %s takes params, but the Estimator has none", model_fn)
    unknown = names - _ARGUMENTS
    if unknown:
        raise ValueError(f"model_fn {model_fn} takes arguments that nobody passes: {sorted(unknown)}")


def call_model_fn(model_fn: Callable[..., Any], features: Any, labels: Any, mode: str, params: Any,
                  config: Any) -> EstimatorSpec:
    """Builds the model in the default graph.

    Raises:
        ValueError: there are labels that the function does not take, or it returns no EstimatorSpec.
    """
    spec = built(model_fn, features, labels, mode, params, config)
    if not isinstance(spec, EstimatorSpec):
        raise ValueError(f"model_fn should return an EstimatorSpec, not {spec!r}")
    return spec


def built(model_fn: Callable[..., Any], features: Any, labels: Any, mode: str, params: Any, config: Any) -> Any:
    """What a model function returns, of any type.

    Raises:
        ValueError: there are labels that the function does not take.
    """
    if labels is not None and "labels" not in declared(model_fn):
        raise ValueError(f"model_fn does not take labels, which input_fn gives: {labels}")
    logging.info("Calling model_fn.")
    result = call_with(model_fn, features=features, labels=labels, mode=mode, params=params, config=config)
    logging.info("Done calling model_fn.")
    return result
