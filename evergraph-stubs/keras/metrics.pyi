# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.metrics."""

from evergraph import Tensor
from evergraph.keras.losses import (
    cosine_proximity as _cosine_proximity, kullback_leibler_divergence as _kullback_leibler_divergence,
    mean_absolute_error as _mean_absolute_error,
    mean_absolute_percentage_error as _mean_absolute_percentage_error,
    mean_squared_error as _mean_squared_error,
    mean_squared_logarithmic_error as _mean_squared_logarithmic_error,
)
from typing import Any

KLD = _kullback_leibler_divergence
MAE = _mean_absolute_error
MAPE = _mean_absolute_percentage_error
MSE = _mean_squared_error
MSLE = _mean_squared_logarithmic_error

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
