# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.estimator.export."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

import sys
if sys.platform == "":
    del (
        outputs, receivers, saved_models, signatures,
    )

class ClassificationOutput(ExportOutput):
    """The output of a classifier: scores, or the names of classes, or both."""
    @property
    def scores(self) -> Any: ...
    @property
    def classes(self) -> Any: ...
    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """The classification signature; its only input is a string tensor."""
    def __init__(self, scores: Any = None, classes: Any = None) -> None: ...

class ExportOutput:
    """The base class of what an EstimatorSpec exports: something that becomes a SignatureDef."""
    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> None:
        """The SignatureDef with these inputs."""

class PredictOutput(ExportOutput):
    """Any tensors as the output of a model."""
    @property
    def outputs(self) -> Any: ...
    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """The prediction signature with any inputs."""
    def __init__(self, outputs: Any) -> None: ...

class RegressionOutput(ExportOutput):
    """The output of a regression."""
    @property
    def value(self) -> Any: ...
    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """The regression signature; its only input is a string tensor."""
    def __init__(self, value: Any) -> None: ...

class _ServingInputReceiver(NamedTuple):
    features: Any
    receiver_tensors: Any
    receiver_tensors_alternatives: Any

class ServingInputReceiver(_ServingInputReceiver):
    """The input of a served model: the tensors that are fed, and the features that follow from them."""
    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None,
    ) -> Self: ...

class _TensorServingInputReceiver(NamedTuple):
    features: Any
    receiver_tensors: Any
    receiver_tensors_alternatives: Any

class TensorServingInputReceiver(_TensorServingInputReceiver):
    """The input of a served model whose features are a single tensor rather than a dict."""
    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None,
    ) -> Self: ...

def build_parsing_serving_input_receiver_fn(
    feature_spec: Mapping[str, Any], default_batch_size: int | None = None,
) -> Callable[[], Any]:
    """A function that builds an input of serialized tf.Examples."""

def build_raw_serving_input_receiver_fn(
    features: Mapping[str, Any], default_batch_size: int | None = None,
) -> Callable[[], Any]:
    """A function that builds an input of the features themselves."""
