# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.eager.metrics."""

from evergraph import Tensor
from evergraph.contrib.checkpoint import Checkpointable
from typing import Any

class Accuracy(Mean):
    """The rate of predictions that equal their labels."""
    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:
        """Takes in labels and predictions of the same shape; returns both."""

class BinaryAccuracy(Mean):
    """The rate of scores that are above a threshold where their label is one, and not where it is zero."""
    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:
        """Takes in labels of zero and one, and scores of the same shape; returns both."""
    def __init__(self, threshold: float, name: str | None = None, dtype: Any = ...) -> None: ...
    threshold: Any

class CategoricalAccuracy(Mean):
    """The rate of rows of scores whose largest is at the place of the one of their one-hot label."""
    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:
        """Takes in one-hot labels and scores of the same shape; returns both."""

class Mean(Metric):
    """The weighted mean of values."""
    def build(self, *args: Any, **kwargs: Any) -> None: ...
    def call(self, values: Any, weights: Any = None) -> Any:
        """Takes in values, with weights of one by default; returns them."""
    def result(self) -> Tensor: ...
    def __init__(
        self, name: str | None = None, dtype: Any = ..., use_global_variables: bool = False,
    ) -> None: ...
    dtype: Any
    numer: Any
    denom: Any

class Metric(Checkpointable):
    """The base of metrics: calling one takes in a batch, `result` says what all batches come to."""
    @property
    def name(self) -> str:
        """The name."""
    @property
    def variables(self) -> list[Any]:
        """The variables of the metric."""
    def build(self, *args: Any, **kwargs: Any) -> None:
        """Makes the variables; gets what the first call gets."""
    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in a batch."""
    def result(self) -> Tensor:
        """What the batches come to."""
    def value(self) -> Tensor:
        """The same as `result`."""
    def add_variable(self, name: str, shape: Any = ..., dtype: Any = ..., initializer: Any = None) -> Any:
        """A new variable of the metric, which starts at zero unless there is an initializer."""
    def init_variables(self) -> Any:
        """Forgets all batches; in a graph, the operation that does."""
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(self, name: str | None = None, use_global_variables: bool = False) -> None: ...

class SparseAccuracy(Mean):
    """The rate of rows of scores whose largest is at the place that their label names."""
    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:
        """Takes in labels and rows of scores; returns both."""
