# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.metrics."""

from evergraph import Tensor
from evergraph.keras.layers import Layer
from evergraph.keras.losses import (
    cosine_proximity as _cosine_proximity, kullback_leibler_divergence as _kullback_leibler_divergence,
    mean_absolute_error as _mean_absolute_error,
    mean_absolute_percentage_error as _mean_absolute_percentage_error,
    mean_squared_error as _mean_squared_error,
    mean_squared_logarithmic_error as _mean_squared_logarithmic_error,
)
from typing import Any

class AUC(Metric):
    """The area under the ROC or precision-recall curve (AUC) of a binary classifier, approximated at
    thresholds."""
    def result(self) -> Any:
        """The area."""
    def interpolate_pr_auc(self) -> Tensor:
        """The area under the precision-recall curve; between two thresholds false positives grow with true
        ones."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(
        self, num_thresholds: int = 200, curve: str = 'ROC', summation_method: str = 'interpolation',
        name: str | None = None, dtype: Any = None, thresholds: Any = None,
    ) -> None: ...
    num_thresholds: Any
    curve: Any
    summation_method: Any
    thresholds: Any
    top_k: Any
    class_id: Any

class Accuracy(Mean):
    """How often predictions equal labels."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and predictions, with weights."""
    def __init__(self, name: str | None = 'accuracy', dtype: Any = None) -> None: ...

class BinaryAccuracy(Mean):
    """How often probabilities on the right side of a threshold match labels 0 and 1."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and predictions, with weights."""
    def __init__(
        self, name: str | None = 'binary_accuracy', dtype: Any = None, threshold: float = 0.5,
    ) -> None: ...

class CategoricalAccuracy(Mean):
    """How often the largest of the scores is where the label, one-hot, has its 1."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and predictions, with weights."""
    def __init__(self, name: str | None = 'categorical_accuracy', dtype: Any = None) -> None: ...

class FalseNegatives(Metric):
    """The number of positives that are predicted negative; arguments as for `Precision`."""
    kind: str
    def result(self) -> Any:
        """The count."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None: ...
    thresholds: Any
    top_k: Any
    class_id: Any

class FalsePositives(Metric):
    """The number of negatives that are predicted positive; arguments as for `Precision`."""
    kind: str
    def result(self) -> Any:
        """The count."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None: ...
    thresholds: Any
    top_k: Any
    class_id: Any

KLD = _kullback_leibler_divergence
MAE = _mean_absolute_error
MAPE = _mean_absolute_percentage_error
MSE = _mean_squared_error
MSLE = _mean_squared_logarithmic_error

class Mean(Metric):
    """The weighted mean of values."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in values, with weights in their shape or without their last axis."""
    def result(self) -> Tensor:
        """The weighted mean, 0 before the first value."""
    def __init__(self, name: str | None = 'mean', dtype: Any = None) -> None: ...
    total: Any
    count: Any

class MeanAbsoluteError(Mean):
    """The mean absolute error of predictions."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and predictions, with weights."""
    def __init__(self, name: str | None = 'mean_absolute_error', dtype: Any = None) -> None: ...

class MeanSquaredError(Mean):
    """The mean squared error of predictions."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and predictions, with weights."""
    def __init__(self, name: str | None = 'mean_squared_error', dtype: Any = None) -> None: ...

class Metric(Layer):
    """The base of metrics: a subclass creates its variables, changes them in `update_state` and reads them
    in `result`."""
    def add_weight(
        self, name: str, shape: Any = ..., aggregation: Any = ..., synchronization: Any = ...,
        initializer: Any = 'zeros', dtype: Any = None,
    ) -> Any:
        """Creates a variable, which is local: no checkpoint has it, and `tf.local_variables_initializer` resets
        it."""
    def update_state(self, *args: Any, **kwargs: Any) -> None:
        """Takes in a batch, and returns the operation that does."""
    def result(self) -> None:
        """The value over all batches so far."""
    @property
    def updates(self) -> list[Any]:
        """The operations that took in batches."""
    def reset_states(self) -> Any:
        """The operation that forgets all batches; with eager execution they are forgotten at once."""
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(self, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None: ...
    built: Any

class Precision(Metric):
    """The share of predicted positives that are positive."""
    def result(self) -> Any:
        """The precision, 0 where nothing was predicted positive."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None,
        name: str | None = None, dtype: Any = None,
    ) -> None: ...
    thresholds: Any
    top_k: Any
    class_id: Any

class Recall(Metric):
    """The share of positives that are predicted positive."""
    def result(self) -> Any:
        """The recall, 0 where nothing is positive."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None,
        name: str | None = None, dtype: Any = None,
    ) -> None: ...
    thresholds: Any
    top_k: Any
    class_id: Any

class SparseCategoricalAccuracy(Mean):
    """How often the largest of the scores is that of the label, an id."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and predictions, with weights."""
    def __init__(self, name: str | None = 'sparse_categorical_accuracy', dtype: Any = None) -> None: ...

class Sum(Metric):
    """The weighted sum of values."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in values, with weights in their shape or without their last axis."""
    def result(self) -> Any:
        """The weighted sum."""
    def __init__(self, name: str | None = 'sum', dtype: Any = None) -> None: ...
    total: Any

class TrueNegatives(Metric):
    """The number of negatives that are predicted negative; arguments as for `Precision`."""
    kind: str
    def result(self) -> Any:
        """The count."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None: ...
    thresholds: Any
    top_k: Any
    class_id: Any

class TruePositives(Metric):
    """The number of positives that are predicted positive; arguments as for `Precision`."""
    kind: str
    def result(self) -> Any:
        """The count."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None: ...
    thresholds: Any
    top_k: Any
    class_id: Any

def binary_accuracy(y_true: Any, y_pred: Any, threshold: Any = 0.5) -> Tensor:
    """Binary accuracy: the fraction of thresholded predictions that equal the labels, along the last
    axis."""

from evergraph.keras.losses import binary_crossentropy as binary_crossentropy

def categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """Categorical accuracy: whether the predicted class is the class of the one-hot label."""

from evergraph.keras.losses import categorical_crossentropy as categorical_crossentropy
cosine = _cosine_proximity
from evergraph.keras.losses import cosine_proximity as cosine_proximity
from evergraph.keras.losses import hinge as hinge
kld = _kullback_leibler_divergence
from evergraph.keras.losses import kullback_leibler_divergence as kullback_leibler_divergence
mae = _mean_absolute_error
mape = _mean_absolute_percentage_error
from evergraph.keras.losses import mean_absolute_error as mean_absolute_error
from evergraph.keras.losses import mean_absolute_percentage_error as mean_absolute_percentage_error
from evergraph.keras.losses import mean_squared_error as mean_squared_error
from evergraph.keras.losses import mean_squared_logarithmic_error as mean_squared_logarithmic_error
mse = _mean_squared_error
msle = _mean_squared_logarithmic_error
from evergraph.keras.losses import poisson as poisson

def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """Categorical accuracy with integer labels: whether the predicted class is the label."""

from evergraph.keras.losses import sparse_categorical_crossentropy as sparse_categorical_crossentropy

def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: Any = 5) -> Any:
    """Top-k accuracy with integer labels: whether the label is among the k largest predictions."""

from evergraph.keras.losses import squared_hinge as squared_hinge

def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: Any = 5) -> Any:
    """Top-k accuracy: whether the class of the one-hot label is among the k largest predictions."""
