"""A model function's graph for inference, computed in batches that several requests share."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from evergraph.base import nest
from evergraph.estimator.export.outputs import ClassificationOutput, ExportOutput, PredictOutput, RegressionOutput
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.model_call import built
from evergraph.estimator.spec import EstimatorSpec
from evergraph.estimator.tpu.spec import TPUEstimatorSpec
from evergraph.frontend.input.batching import batch_function

BatchConfig = collections.namedtuple(
    "BatchConfig", ["num_batch_threads", "max_batch_size", "batch_timeout_micros", "allowed_batch_sizes"])

# What an export output is made from, by its class.
_PARTS: dict[type[ExportOutput], tuple[str, ...]] = {
    PredictOutput: ("outputs",), ClassificationOutput: ("scores", "classes"), RegressionOutput: ("value",)}


def model_fn_inference_on_tpu(model_fn: Callable[..., Any], features: Any, labels: Any = None, config: Any = None,
                              params: Any = None, batch_config: BatchConfig | None = None) -> EstimatorSpec:
    """Builds a model for inference on the device.

    Args:
        model_fn: a model function.
        features: its features.
        labels: its labels; usually None.
        config: its RunConfig.
        params: its hyperparameters, a dict; it finds `use_tpu` among them.
        batch_config: how requests that come at a time are computed together, a BatchConfig; None for each alone. All
            features and outputs have a row for each example then.

    Returns:
        An EstimatorSpec with `predictions` and `export_outputs`.
    """
    def modelled(features: Any) -> EstimatorSpec:
        spec = built(model_fn, features, labels, ModeKeys.PREDICT, {**(params or {}), "use_tpu": True}, config)
        return spec.as_estimator_spec() if isinstance(spec, TPUEstimatorSpec) else spec

    if batch_config is None:
        return modelled(features)
    made: list[EstimatorSpec] = []

    def computed(*flat: Any) -> Any:
        made.append(modelled(nest.pack_sequence_as(features, list(flat))))
        return _tensors(made[-1])

    together = batch_function(*batch_config)(computed)(*nest.flatten(features))
    found = nest.pack_sequence_as(_tensors(made[-1]), nest.flatten(together))
    outputs = {name: type(output)(**found["exported"][name]) for name, output in made[-1].export_outputs.items()}
    return EstimatorSpec(ModeKeys.PREDICT, predictions=found["predictions"], export_outputs=outputs)


def _tensors(spec: EstimatorSpec) -> dict[str, Any]:
    """All tensors of a spec for inference."""
    exported = {}
    for name, output in spec.export_outputs.items():
        parts = {part: getattr(output, part) for part in _PARTS[type(output)]}
        exported[name] = {part: tensor for part, tensor in parts.items() if tensor is not None}
    return {"predictions": spec.predictions, "exported": exported}
