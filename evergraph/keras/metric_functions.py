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


def _class(name: str, function: Any, arguments: str, make: Any) -> Any:
    """Exports the metric class whose constructor `make` returns, given the class and the function."""
    doc = f"""{function.__doc__.splitlines()[0]}

    Args:
        {arguments}
    """
    made: Any = documented(type(name, (MeanMetricWrapper,), {"__doc__": doc, "__module__": __name__}))
    made.__init__ = make(made, function)
    return export(f"keras.metrics.{name}")(made)


def _plain(made: Any, function: Any) -> Any:
    """The constructor for a function without arguments of its own."""
    def __init__(self, name: str | None = function.__name__, dtype: Any = None) -> None:
        super(made, self).__init__(function, name, dtype)
    return __init__


def _top_k(made: Any, function: Any) -> Any:
    def __init__(self, k: int = 5, name: str | None = function.__name__, dtype: Any = None) -> None:
        super(made, self).__init__(function, name, dtype, k=k)
    return __init__


def _entropy(made: Any, function: Any) -> Any:
    def __init__(self, name: str | None = function.__name__, dtype: Any = None, from_logits: bool = False,
                 label_smoothing: float = 0) -> None:
        super(made, self).__init__(function, name, dtype, from_logits=from_logits, label_smoothing=label_smoothing)
    return __init__


def accuracy(y_true: Any, y_pred: Any) -> Any:
    """How often predictions equal labels."""
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    if y_true.dtype != y_pred.dtype:
        y_pred = math.cast(y_pred, y_true.dtype)
    return math.cast(elementwise.equal(y_true, y_pred), settings.floatx())


def cosine_proximity(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
    """The cosine similarity of the vectors along an axis."""
    return reduce_sum(l2_normalize(y_true, axis=axis) * l2_normalize(y_pred, axis=axis), axis=axis)


_K = "k: how many of the largest scores count.\n        {common}"
_SMOOTHING = """{common}
        from_logits: whether predictions are logits.
        label_smoothing: the fraction by which labels are moved towards the uniform distribution."""

globals().update({name: _class(name, function, "{common}", _plain) for name, function in losses.PLAIN.items()})
LogCoshError = _class("LogCoshError", losses.logcosh, "{common}", _plain)
Accuracy = _class("Accuracy", accuracy, "{common}", _plain)
CategoricalAccuracy = _class("CategoricalAccuracy", utilities.categorical_accuracy, "{common}", _plain)
SparseCategoricalAccuracy = _class(
    "SparseCategoricalAccuracy", utilities.sparse_categorical_accuracy, "{common}", _plain)
TopKCategoricalAccuracy = _class("TopKCategoricalAccuracy", utilities.top_k_categorical_accuracy, _K, _top_k)
SparseTopKCategoricalAccuracy = _class(
    "SparseTopKCategoricalAccuracy", utilities.sparse_top_k_categorical_accuracy, _K, _top_k)
BinaryCrossentropy = _class("BinaryCrossentropy", losses.binary_crossentropy, _SMOOTHING, _entropy)
CategoricalCrossentropy = _class("CategoricalCrossentropy", losses.categorical_crossentropy, _SMOOTHING, _entropy)


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


@export("keras.metrics.CosineSimilarity")
@documented
class CosineSimilarity(MeanMetricWrapper):
    """The mean cosine similarity of labels and predictions.

    Args:
        {common}
        axis: the axis of the vectors.
    """

    def __init__(self, name: str | None = "cosine_similarity", dtype: Any = None, axis: int = -1) -> None:
        super().__init__(cosine_proximity, name, dtype, axis=axis)


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
