# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.estimator.export."""

from collections.abc import Mapping
from typing import Any

import sys
if sys.platform == "":
    del (
        outputs,
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
    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
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
