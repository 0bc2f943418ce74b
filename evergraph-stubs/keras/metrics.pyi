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
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def interpolate_pr_auc(self) -> Tensor:
        """The area under the precision-recall curve; between two thresholds false positives grow with true
        ones."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(
        self, num_thresholds: int = 200, curve: str = 'ROC', summation_method: str = 'interpolation',
        name: str | None = None, dtype: Any = None, thresholds: Any = None,
    ) -> None: ...
    num_thresholds: Any
    curve: Any
    summation_method: Any
    thresholds: Any
    init_thresholds: Any
    top_k: Any
    class_id: Any

class Accuracy(Mean):
    """How often predictions equal labels."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'accuracy', dtype: Any = None) -> None: ...

class BinaryAccuracy(Mean):
    """How often probabilities on the right side of a threshold match labels 0 and 1."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, name: str | None = 'binary_accuracy', dtype: Any = None, threshold: float = 0.5,
    ) -> None: ...

class BinaryCrossentropy(Mean):
    """The binary cross entropy of predicted probabilities, averaged over the last axis."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, name: str | None = 'binary_crossentropy', dtype: Any = None, from_logits: bool = False,
        label_smoothing: float = 0,
    ) -> None: ...

class CategoricalAccuracy(Mean):
    """Categorical accuracy: whether the predicted class is the class of the one-hot label."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'categorical_accuracy', dtype: Any = None) -> None: ...

class CategoricalCrossentropy(Mean):
    """The categorical cross entropy of predicted class probabilities with one-hot labels."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, name: str | None = 'categorical_crossentropy', dtype: Any = None, from_logits: bool = False,
        label_smoothing: float = 0,
    ) -> None: ...

class CategoricalHinge(Mean):
    """The categorical hinge loss: max(largest wrong score - right score + 1, 0)."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'categorical_hinge', dtype: Any = None) -> None: ...

class CosineSimilarity(Mean):
    """The mean cosine similarity of labels and predictions."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'cosine_similarity', dtype: Any = None, axis: int = -1) -> None: ...

class FalseNegatives(Metric):
    """The number of positives that are predicted negative; arguments as for `Precision`."""
    kind: str
    @property
    def accumulator(self) -> Any:
        """The variable of the count."""
    def result(self) -> Any:
        """The count."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None: ...
    thresholds: Any
    init_thresholds: Any
    top_k: Any
    class_id: Any

class FalsePositives(Metric):
    """The number of negatives that are predicted positive; arguments as for `Precision`."""
    kind: str
    @property
    def accumulator(self) -> Any:
        """The variable of the count."""
    def result(self) -> Any:
        """The count."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None: ...
    thresholds: Any
    init_thresholds: Any
    top_k: Any
    class_id: Any

class Hinge(Mean):
    """The hinge loss: the mean of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as
    -1."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'hinge', dtype: Any = None) -> None: ...

KLD = _kullback_leibler_divergence

class KLDivergence(Mean):
    """The Kullback-Leibler divergence: the sum of y_true * log(y_true / y_pred), along the last axis."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'kullback_leibler_divergence', dtype: Any = None) -> None: ...

class LogCoshError(Mean):
    """The log-cosh loss: the mean of log(cosh(y_pred - y_true)), along the last axis."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'logcosh', dtype: Any = None) -> None: ...

MAE = _mean_absolute_error
MAPE = _mean_absolute_percentage_error
MSE = _mean_squared_error
MSLE = _mean_squared_logarithmic_error

class Mean(Metric):
    """The weighted mean of values."""
    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Takes in values, with weights in their shape or without their last axis."""
    def result(self) -> Tensor:
        """The weighted mean, 0 before the first value."""
    def __init__(self, name: str | None = 'mean', dtype: Any = None) -> None: ...
    total: Any
    count: Any

class MeanAbsoluteError(Mean):
    """The mean absolute error, along the last axis."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'mean_absolute_error', dtype: Any = None) -> None: ...

class MeanAbsolutePercentageError(Mean):
    """The mean absolute percentage error, along the last axis."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'mean_absolute_percentage_error', dtype: Any = None) -> None: ...

class MeanIoU(Metric):
    """The mean over classes of the intersection of labels and predictions divided by their union."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predicted classes, with weights."""
    def result(self) -> Tensor:
        """The mean over the classes that occur."""
    def reset_states(self) -> None:
        """Forgets all batches."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, num_classes: int, name: str | None = None, dtype: Any = None) -> None: ...
    num_classes: Any
    total_cm: Any

class MeanRelativeError(Mean):
    """The mean of the absolute errors divided by given numbers."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, normalizer: Any, name: str | None = None, dtype: Any = None) -> None: ...
    normalizer: Any

class MeanSquaredError(Mean):
    """The mean squared error, along the last axis."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'mean_squared_error', dtype: Any = None) -> None: ...

class MeanSquaredLogarithmicError(Mean):
    """The mean squared logarithmic error: the mean of (log(y_true + 1) - log(y_pred + 1)) ** 2, along the
    last axis."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'mean_squared_logarithmic_error', dtype: Any = None) -> None: ...

class MeanTensor(Metric):
    """The weighted mean of each element of tensors of one shape."""
    @property
    def total(self) -> Any:
        """The sums."""
    @property
    def count(self) -> Any:
        """The sums of weights."""
    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Takes in a tensor, with weights in its shape or without its last axis."""
    def result(self) -> Tensor:
        """The means, 0 before the first tensor."""
    def reset_states(self) -> None:
        """Forgets all tensors, but not their shape."""
    def __init__(self, name: str | None = 'mean_tensor', dtype: Any = None) -> None: ...
    built: Any

class Metric(Layer):
    """The base of metrics: a subclass creates its variables, changes them in `update_state` and reads them
    in `result`."""
    is_metric: bool
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
    def reset_states(self) -> None:
        """Forgets all batches: sets the variables to zero, in Keras' session or with eager execution."""
    latest: Any
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(self, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None: ...
    built: Any
    stateful: Any

class Poisson(Mean):
    """The Poisson loss: the mean of y_pred - y_true * log(y_pred), along the last axis."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'poisson', dtype: Any = None) -> None: ...

class Precision(Metric):
    """The share of predicted positives that are positive."""
    def result(self) -> Any:
        """The precision, 0 where nothing was predicted positive."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and probabilities, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None,
        name: str | None = None, dtype: Any = None,
    ) -> None: ...
    thresholds: Any
    init_thresholds: Any
    top_k: Any
    class_id: Any

class Recall(Metric):
    """The share of positives that are predicted positive."""
    def result(self) -> Any:
        """The recall, 0 where nothing is positive."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and probabilities, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None,
        name: str | None = None, dtype: Any = None,
    ) -> None: ...
    thresholds: Any
    init_thresholds: Any
    top_k: Any
    class_id: Any

class RootMeanSquaredError(Mean):
    """The root of the mean squared error of predictions."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def result(self) -> Tensor:
        """The root of the weighted mean."""
    def __init__(self, name: str | None = 'root_mean_squared_error', dtype: Any = None) -> None: ...

class SensitivityAtSpecificity(Metric):
    """The sensitivity of a binary classifier at the threshold where its specificity is nearest to a
    value."""
    wanted: str
    @property
    def specificity(self) -> Any:
        """The wanted specificity."""
    def result(self) -> Any:
        """The one at the threshold where the other is nearest to the value."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(
        self, specificity: float, num_thresholds: int = 200, name: str | None = None, dtype: Any = None,
    ) -> None: ...
    value: Any
    num_thresholds: Any
    thresholds: Any
    init_thresholds: Any
    top_k: Any
    class_id: Any

class SparseCategoricalAccuracy(Mean):
    """Categorical accuracy with integer labels: whether the predicted class is the label."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'sparse_categorical_accuracy', dtype: Any = None) -> None: ...

class SparseCategoricalCrossentropy(Mean):
    """The mean cross entropy of predicted class probabilities with integer labels."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, name: str | None = 'sparse_categorical_crossentropy', dtype: Any = None,
        from_logits: bool = False, axis: int = -1,
    ) -> None: ...

class SparseTopKCategoricalAccuracy(Mean):
    """Top-k accuracy with integer labels: whether the label is among the k largest predictions."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, k: int = 5, name: str | None = 'sparse_top_k_categorical_accuracy', dtype: Any = None,
    ) -> None: ...

class SpecificityAtSensitivity(Metric):
    """The specificity of a binary classifier at the threshold where its sensitivity is nearest to a
    value."""
    wanted: str
    @property
    def sensitivity(self) -> Any:
        """The wanted sensitivity."""
    def result(self) -> Any:
        """The one at the threshold where the other is nearest to the value."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(
        self, sensitivity: float, num_thresholds: int = 200, name: str | None = None, dtype: Any = None,
    ) -> None: ...
    value: Any
    num_thresholds: Any
    thresholds: Any
    init_thresholds: Any
    top_k: Any
    class_id: Any

class SquaredHinge(Mean):
    """The squared hinge loss: the mean of max(1 - y_true * y_pred, 0) ** 2, along the last axis; 0 counts
    as -1."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, name: str | None = 'squared_hinge', dtype: Any = None) -> None: ...

class Sum(Metric):
    """The weighted sum of values."""
    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Takes in values, with weights in their shape or without their last axis."""
    def result(self) -> Any:
        """The weighted sum."""
    def __init__(self, name: str | None = 'sum', dtype: Any = None) -> None: ...
    total: Any

class TopKCategoricalAccuracy(Mean):
    """Top-k accuracy: whether the class of the one-hot label is among the k largest predictions."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predictions, with weights."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, k: int = 5, name: str | None = 'top_k_categorical_accuracy', dtype: Any = None,
    ) -> None: ...

class TrueNegatives(Metric):
    """The number of negatives that are predicted negative; arguments as for `Precision`."""
    kind: str
    @property
    def accumulator(self) -> Any:
        """The variable of the count."""
    def result(self) -> Any:
        """The count."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None: ...
    thresholds: Any
    init_thresholds: Any
    top_k: Any
    class_id: Any

class TruePositives(Metric):
    """The number of positives that are predicted positive; arguments as for `Precision`."""
    kind: str
    @property
    def accumulator(self) -> Any:
        """The variable of the count."""
    def result(self) -> Any:
        """The count."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and probabilities, with weights."""
    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None: ...
    thresholds: Any
    init_thresholds: Any
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

def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The metric of a name, or of a serialized configuration."""

def get(identifier: Any) -> Any:
    """Resolves a metric: a function or object, its name, or its configuration."""

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

def serialize(metric: Any) -> Any:
    """The name of a metric function, or a metric's class and configuration."""

def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """Categorical accuracy with integer labels: whether the predicted class is the label."""

from evergraph.keras.losses import sparse_categorical_crossentropy as sparse_categorical_crossentropy

def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: Any = 5) -> Any:
    """Top-k accuracy with integer labels: whether the label is among the k largest predictions."""

from evergraph.keras.losses import squared_hinge as squared_hinge

def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: Any = 5) -> Any:
    """Top-k accuracy: whether the class of the one-hot label is among the k largest predictions."""
