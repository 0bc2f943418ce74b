"""tf.keras.metrics that are the mean of a function of labels and predictions."""
from __future__ import annotations

from typing import Any

from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.nn.normalize import l2_normalize
from evergraph.frontend.reduce import reduce_sum
from evergraph.keras import losses, settings, utilities
from evergraph.keras.metrics import MeanMetricWrapper
from evergraph.ops.math import elementwise

documented = with_parts(common="""name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.""")


def _plain(name: str, function: Any, default: str) -> Any:
    """The metric class for a function without arguments of its own."""
    def __init__(self, name: str | None = default, dtype: Any = None) -> None:
        super(made, self).__init__(function, name, dtype)

    doc = f"""{function.__doc__.splitlines()[0]}

    Args:
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
    """
    made = type(name, (MeanMetricWrapper,), {"__init__": __init__, "__doc__": doc, "__module__": __name__})
    return export(f"keras.metrics.{name}")(made)


def accuracy(y_true: Any, y_pred: Any) -> Any:
    """How often predictions equal labels."""
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    if y_true.dtype != y_pred.dtype:
        y_pred = math.cast(y_pred, y_true.dtype)
    return math.cast(elementwise.equal(y_true, y_pred), settings.floatx())


def cosine_similarity(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    """The cosine similarity of the vectors along an axis."""
    return reduce_sum(l2_normalize(y_true, axis=axis) * l2_normalize(y_pred, axis=axis), axis=axis)


Accuracy = _plain("Accuracy", accuracy, "accuracy")
CategoricalAccuracy = _plain("CategoricalAccuracy", utilities.categorical_accuracy, "categorical_accuracy")
SparseCategoricalAccuracy = _plain(
    "SparseCategoricalAccuracy", utilities.sparse_categorical_accuracy, "sparse_categorical_accuracy")
MeanSquaredError = _plain("MeanSquaredError", losses.mean_squared_error, "mean_squared_error")
MeanAbsoluteError = _plain("MeanAbsoluteError", losses.mean_absolute_error, "mean_absolute_error")
MeanAbsolutePercentageError = _plain(
    "MeanAbsolutePercentageError", losses.mean_absolute_percentage_error, "mean_absolute_percentage_error")
MeanSquaredLogarithmicError = _plain(
    "MeanSquaredLogarithmicError", losses.mean_squared_logarithmic_error, "mean_squared_logarithmic_error")
Hinge = _plain("Hinge", losses.hinge, "hinge")
SquaredHinge = _plain("SquaredHinge", losses.squared_hinge, "squared_hinge")
CategoricalHinge = _plain("CategoricalHinge", losses.categorical_hinge, "categorical_hinge")
LogCoshError = _plain("LogCoshError", losses.logcosh, "logcosh")
Poisson = _plain("Poisson", losses.poisson, "poisson")
KLDivergence = _plain("KLDivergence", losses.kullback_leibler_divergence, "kullback_leibler_divergence")


@export("keras.metrics.BinaryAccuracy")
@documented
class BinaryAccuracy(MeanMetricWrapper):
    """How often probabilities on the right side of a threshold match labels 0 and 1.

    Args:
        {common}
        threshold: the probability above which class 1 is predicted.
    """

    def __init__(self, name: str | None = "binary_accuracy", dtype: Any = None, threshold: float = 0.5) -> None:
        super().__init__(utilities.binary_accuracy, name, dtype, threshold=threshold)


@export("keras.metrics.TopKCategoricalAccuracy")
@documented
class TopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the class of the label, one-hot, is among the k largest of the scores.

    Args:
        k: how many of the largest scores count.
        {common}
    """

    def __init__(self, k: int = 5, name: str | None = "top_k_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(utilities.top_k_categorical_accuracy, name, dtype, k=k)


@export("keras.metrics.SparseTopKCategoricalAccuracy")
@documented
class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the label, an id, is among the k largest of the scores.

    Args:
        k: how many of the largest scores count.
        {common}
    """

    def __init__(self, k: int = 5, name: str | None = "sparse_top_k_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(utilities.sparse_top_k_categorical_accuracy, name, dtype, k=k)


@export("keras.metrics.CosineSimilarity")
@documented
class CosineSimilarity(MeanMetricWrapper):
    """The mean cosine similarity of labels and predictions.

    Args:
        {common}
        axis: the axis of the vectors.
    """

    def __init__(self, name: str | None = "cosine_similarity", dtype: Any = None, axis: int = -1) -> None:
        super().__init__(cosine_similarity, name, dtype, axis=axis)


@export("keras.metrics.BinaryCrossentropy")
@documented
class BinaryCrossentropy(MeanMetricWrapper):
    """The mean binary cross entropy of predicted probabilities with labels 0 and 1.

    Args:
        {common}
        from_logits: whether predictions are logits.
        label_smoothing: the fraction by which labels are moved towards 1/2.
    """

    def __init__(self, name: str | None = "binary_crossentropy", dtype: Any = None, from_logits: bool = False,
                 label_smoothing: float = 0) -> None:
        super().__init__(losses.binary_crossentropy, name, dtype, from_logits=from_logits,
                         label_smoothing=label_smoothing)


@export("keras.metrics.CategoricalCrossentropy")
@documented
class CategoricalCrossentropy(MeanMetricWrapper):
    """The mean cross entropy of predicted class probabilities with one-hot labels.

    Args:
        {common}
        from_logits: whether predictions are logits.
        label_smoothing: the fraction by which labels are moved towards the uniform distribution.
    """

    def __init__(self, name: str | None = "categorical_crossentropy", dtype: Any = None, from_logits: bool = False,
                 label_smoothing: float = 0) -> None:
        super().__init__(losses.categorical_crossentropy, name, dtype, from_logits=from_logits,
                         label_smoothing=label_smoothing)


@export("keras.metrics.SparseCategoricalCrossentropy")
@documented
class SparseCategoricalCrossentropy(MeanMetricWrapper):
    """The mean cross entropy of predicted class probabilities with integer labels.

    Args:
        {common}
        from_logits: whether predictions are logits.
        axis: the axis of the classes.
    """

    def __init__(self, name: str | None = "sparse_categorical_crossentropy", dtype: Any = None,
                 from_logits: bool = False, axis: int = -1) -> None:
        super().__init__(losses.sparse_categorical_crossentropy, name, dtype, from_logits=from_logits, axis=axis)
