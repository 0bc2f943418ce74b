# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.losses."""

from evergraph import Tensor
from typing import Any

class BinaryCrossentropy(Loss):
    """The mean cross entropy of probabilities with bools."""
    @staticmethod
    def function(y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0) -> Tensor:
        """The mean cross entropy of probabilities with bools, along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(
        self, from_logits: Any = False, label_smoothing: Any = 0, reduction: Any = 'auto',
        name: str = 'binary_crossentropy',
    ) -> None: ...
    from_logits: Any
    label_smoothing: Any

class CategoricalCrossentropy(Loss):
    """The cross entropy of probabilities of classes with a distribution over them."""
    @staticmethod
    def function(y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0) -> Any:
        """The cross entropy of probabilities of classes with a distribution over them."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(
        self, from_logits: Any = False, label_smoothing: Any = 0, reduction: Any = 'auto',
        name: str = 'categorical_crossentropy',
    ) -> None: ...
    from_logits: Any
    label_smoothing: Any

class CategoricalHinge(Loss):
    """max(the largest of the wrong classes - the right one + 1, 0)."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """max(the largest of the wrong classes - the right one + 1, 0)."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'categorical_hinge') -> None: ...

class CosineSimilarity(Loss):
    """Minus the cosine of the angle between the vectors along an axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any, axis: Any = -1) -> Tensor:
        """Minus the cosine of the angle between the vectors along an axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(self, axis: Any = -1, reduction: Any = 'auto', name: str = 'cosine_similarity') -> None: ...
    axis: Any

class Hinge(Loss):
    """The mean of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as -1."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as -1."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'hinge') -> None: ...

class Huber(Loss):
    """Half the squared differences up to `delta`, a straight line beyond."""
    @staticmethod
    def function(y_true: Any, y_pred: Any, delta: float = 1.0) -> Tensor:
        """The mean of half the squared differences up to delta, and of a straight line beyond, along the last
        axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(self, delta: Any = 1.0, reduction: Any = 'auto', name: str = 'huber_loss') -> None: ...
    delta: Any

KLD = kullback_leibler_divergence

class KLDivergence(Loss):
    """The sum of y_true * log(y_true / y_pred), along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The sum of y_true * log(y_true / y_pred), along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'kullback_leibler_divergence') -> None: ...

class LogCosh(Loss):
    """The mean of log(cosh(difference)), along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean of log(cosh(difference)), along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'logcosh') -> None: ...

class Loss:
    """A loss: a subclass defines `call(y_true, y_pred)`, the losses of the examples."""
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
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
    """The mean of the absolute differences, along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean of the absolute differences, along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'mean_absolute_error') -> None: ...

class MeanAbsolutePercentageError(Loss):
    """The mean of the differences in percent of what is right, along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean of the differences in percent of what is right, along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(
        self, reduction: str = 'auto', name: str | None = 'mean_absolute_percentage_error',
    ) -> None: ...

class MeanSquaredError(Loss):
    """The mean of the squared differences, along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean of the squared differences, along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'mean_squared_error') -> None: ...

class MeanSquaredLogarithmicError(Loss):
    """The mean of the squared differences of log(y + 1), along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean of the squared differences of log(y + 1), along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(
        self, reduction: str = 'auto', name: str | None = 'mean_squared_logarithmic_error',
    ) -> None: ...

class Poisson(Loss):
    """The mean of y_pred - y_true * log(y_pred), along the last axis."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean of y_pred - y_true * log(y_pred), along the last axis."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'poisson') -> None: ...

class Reduction:
    """How the losses of a batch become one: not at all, their sum, or their sum over their number."""
    AUTO: str
    NONE: str
    SUM: str
    SUM_OVER_BATCH_SIZE: str
    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All of them."""
    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError for any other."""

class SparseCategoricalCrossentropy(Loss):
    """The cross entropy of probabilities of classes with the class that is right."""
    @staticmethod
    def function(y_true: Any, y_pred: Any, from_logits: Any = False, axis: Any = -1) -> Any:
        """The cross entropy of probabilities of classes with the class that is right; see
        `categorical_crossentropy`."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(
        self, from_logits: Any = False, reduction: Any = 'auto', name: str = 'sparse_categorical_crossentropy',
    ) -> None: ...
    from_logits: Any

class SquaredHinge(Loss):
    """The mean of the squares of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as -1."""
    @staticmethod
    def function(y_true: Any, y_pred: Any) -> Tensor:
        """The mean of the squares of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as -1."""
    options: tuple[str, ...]
    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the examples."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal loss from."""
    def __init__(self, reduction: str = 'auto', name: str | None = 'squared_hinge') -> None: ...

def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0,
) -> Tensor:
    """The mean cross entropy of probabilities with bools, along the last axis."""

def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0,
) -> Any:
    """The cross entropy of probabilities of classes with a distribution over them."""

def categorical_hinge(y_true: Any, y_pred: Any) -> Tensor:
    """max(the largest of the wrong classes - the right one + 1, 0)."""

cosine = cosine_proximity

def cosine_proximity(y_true: Any, y_pred: Any, axis: Any = -1) -> Tensor:
    """Minus the cosine of the angle between the vectors along an axis."""

cosine_similarity = cosine_proximity

def deserialize(name: str, custom_objects: Any = None) -> Any:
    """The function of this name."""

def get(identifier: Any) -> Any:
    """The function that is meant: itself, its name, or None for none."""

def hinge(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as -1."""

kld = kullback_leibler_divergence

def kullback_leibler_divergence(y_true: Any, y_pred: Any) -> Tensor:
    """The sum of y_true * log(y_true / y_pred), along the last axis."""

def logcosh(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of log(cosh(difference)), along the last axis."""

mae = mean_absolute_error
mape = mean_absolute_percentage_error

def mean_absolute_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the absolute differences, along the last axis."""

def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the differences in percent of what is right, along the last axis."""

def mean_squared_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the squared differences, along the last axis."""

def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the squared differences of log(y + 1), along the last axis."""

mse = mean_squared_error
msle = mean_squared_logarithmic_error

def poisson(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of y_pred - y_true * log(y_pred), along the last axis."""

def serialize(loss: Any) -> Any:
    """The name of the function."""

def sparse_categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, axis: Any = -1,
) -> Any:
    """The cross entropy of probabilities of classes with the class that is right; see
    `categorical_crossentropy`."""

def squared_hinge(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the squares of max(1 - y_true * y_pred, 0), along the last axis; labels 0 count as -1."""
