# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.losses."""

from evergraph import Tensor
from typing import Any

class BinaryCrossentropy(Loss):
    """The binary cross entropy of predicted probabilities, averaged over the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0) -> Tensor:
        """The binary cross entropy of predicted probabilities, averaged over the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, from_logits: Any = False, label_smoothing: Any = 0, reduction: Any = 'auto',
        name: str = 'binary_crossentropy',
    ) -> None: ...

class CategoricalCrossentropy(Loss):
    """The categorical cross entropy of predicted class probabilities with one-hot labels."""
    @staticmethod
    def function(y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0) -> Any:
        """The categorical cross entropy of predicted class probabilities with one-hot labels."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, from_logits: Any = False, label_smoothing: Any = 0, reduction: Any = 'auto',
        name: str = 'categorical_crossentropy',
    ) -> None: ...

class CategoricalHinge(Loss):
    """The categorical hinge loss: max(largest wrong score - right score + 1, 0)."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The categorical hinge loss: max(largest wrong score - right score + 1, 0)."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'categorical_hinge') -> None: ...

class CosineSimilarity(Loss):
    """The negative cosine similarity of the vectors along an axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any, axis: Any = -1) -> Tensor:
        """The negative cosine similarity of the vectors along an axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, axis: Any = -1, reduction: Any = 'auto', name: str = 'cosine_similarity') -> None: ...
    axis: Any

class Hinge(Loss):
    """The hinge loss: the mean of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as
    -1."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The hinge loss: the mean of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as
        -1."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'hinge') -> None: ...

class Huber(Loss):
    """The Huber loss: d ** 2 / 2 for |d| <= delta, linear beyond."""
    @staticmethod
    def function(y_true: Any, y_pred: Any, delta: float = 1.0) -> Tensor:
        """The Huber loss, averaged over the last axis: d ** 2 / 2 for |d| <= delta, linear beyond."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, delta: Any = 1.0, reduction: Any = 'auto', name: str = 'huber_loss') -> None: ...
    delta: Any

KLD = kullback_leibler_divergence

class KLDivergence(Loss):
    """The Kullback-Leibler divergence: the sum of y_true * log(y_true / y_pred), along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The Kullback-Leibler divergence: the sum of y_true * log(y_true / y_pred), along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'kullback_leibler_divergence') -> None: ...

class LogCosh(Loss):
    """The log-cosh loss: the mean of log(cosh(y_pred - y_true)), along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The log-cosh loss: the mean of log(cosh(y_pred - y_true)), along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'logcosh') -> None: ...

class Loss:
    """The base of losses: a subclass defines `call(y_true, y_pred)`, the per-example losses."""
    def reduced(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """The weighted and reduced loss, in the name scope of the caller."""
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Loss:
        """A loss with these arguments."""
    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any: ...
    def __init__(self, reduction: str = 'auto', name: str | None = None) -> None: ...
    reduction: Any
    name: Any

MAE = mean_absolute_error
MAPE = mean_absolute_percentage_error
MSE = mean_squared_error
MSLE = mean_squared_logarithmic_error

class MeanAbsoluteError(Loss):
    """The mean absolute error, along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean absolute error, along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'mean_absolute_error') -> None: ...

class MeanAbsolutePercentageError(Loss):
    """The mean absolute percentage error, along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean absolute percentage error, along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, reduction: str = 'auto', name: str | None = 'mean_absolute_percentage_error',
    ) -> None: ...

class MeanSquaredError(Loss):
    """The mean squared error, along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean squared error, along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'mean_squared_error') -> None: ...

class MeanSquaredLogarithmicError(Loss):
    """The mean squared logarithmic error: the mean of (log(y_true + 1) - log(y_pred + 1)) ** 2, along the
    last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean squared logarithmic error: the mean of (log(y_true + 1) - log(y_pred + 1)) ** 2, along the
        last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, reduction: str = 'auto', name: str | None = 'mean_squared_logarithmic_error',
    ) -> None: ...

class Poisson(Loss):
    """The Poisson loss: the mean of y_pred - y_true * log(y_pred), along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The Poisson loss: the mean of y_pred - y_true * log(y_pred), along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'poisson') -> None: ...

class Reduction:
    """The reduction of a batch's losses: none, the sum, or the mean."""
    AUTO: str
    NONE: str
    SUM: str
    SUM_OVER_BATCH_SIZE: str
    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All reductions."""
    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError for an unknown reduction."""

class SparseCategoricalCrossentropy(Loss):
    """The categorical cross entropy of predicted class probabilities with integer labels."""
    @staticmethod
    def function(y_true: Any, y_pred: Any, from_logits: Any = False, axis: Any = -1) -> Any:
        """The categorical cross entropy with integer labels; see `categorical_crossentropy`."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, from_logits: Any = False, reduction: Any = 'auto', name: str = 'sparse_categorical_crossentropy',
    ) -> None: ...
    from_logits: Any

class SquaredHinge(Loss):
    """The squared hinge loss: the mean of max(1 - y_true * y_pred, 0) ** 2, along the last axis; 0 counts
    as -1."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The squared hinge loss: the mean of max(1 - y_true * y_pred, 0) ** 2, along the last axis; 0 counts
        as -1."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'squared_hinge') -> None: ...

def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0,
) -> Tensor:
    """The binary cross entropy of predicted probabilities, averaged over the last axis."""

def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0,
) -> Any:
    """The categorical cross entropy of predicted class probabilities with one-hot labels."""

def categorical_hinge(y_true: Any, y_pred: Any) -> Tensor:
    """The categorical hinge loss: max(largest wrong score - right score + 1, 0)."""

cosine = cosine_proximity

def cosine_proximity(y_true: Any, y_pred: Any, axis: Any = -1) -> Tensor:
    """The negative cosine similarity of the vectors along an axis."""

cosine_similarity = cosine_proximity

def deserialize(name: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The loss of a name, or of a serialized configuration."""

def get(identifier: Any) -> Any:
    """Resolves a loss: a function, its name, or None for none."""

def hinge(y_true: Any, y_pred: Any) -> Tensor:
    """The hinge loss: the mean of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as
    -1."""

kld = kullback_leibler_divergence

def kullback_leibler_divergence(y_true: Any, y_pred: Any) -> Tensor:
    """The Kullback-Leibler divergence: the sum of y_true * log(y_true / y_pred), along the last axis."""

def logcosh(y_true: Any, y_pred: Any) -> Tensor:
    """The log-cosh loss: the mean of log(cosh(y_pred - y_true)), along the last axis."""

mae = mean_absolute_error
mape = mean_absolute_percentage_error

def mean_absolute_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean absolute error, along the last axis."""

def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean absolute percentage error, along the last axis."""

def mean_squared_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean squared error, along the last axis."""

def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean squared logarithmic error: the mean of (log(y_true + 1) - log(y_pred + 1)) ** 2, along the
    last axis."""

mse = mean_squared_error
msle = mean_squared_logarithmic_error

def poisson(y_true: Any, y_pred: Any) -> Tensor:
    """The Poisson loss: the mean of y_pred - y_true * log(y_pred), along the last axis."""

def serialize(loss: Any) -> Any:
    """The name of a loss function, or a loss's class and configuration."""

def sparse_categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, axis: Any = -1,
) -> Any:
    """The categorical cross entropy with integer labels; see `categorical_crossentropy`."""

def squared_hinge(y_true: Any, y_pred: Any) -> Tensor:
    """The squared hinge loss: the mean of max(1 - y_true * y_pred, 0) ** 2, along the last axis; 0 counts
    as -1."""
