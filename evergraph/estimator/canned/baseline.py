"""Models that ignore their features: tf.estimator.BaselineClassifier, BaselineRegressor and BaselineEstimator."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.canned.documents import documented
from evergraph.estimator.canned.models import classification_head, model_of, spec_of_head
from evergraph.estimator.canned.optimizers import get_keras_optimizer, get_optimizer_instance
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.heads import legacy
from evergraph.estimator.heads.regression import RegressionHead
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.checks import assert_equal
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.keras.loss_classes import Reduction as KerasReduction
from evergraph.losses.weighting import Reduction

LEARNING_RATE = 0.3


def _batch_size(features: Any) -> tuple[Any, list[Any]]:
    """The size of the batch, and checks that it is that of every feature."""
    sizes = []
    for name, value in sorted(features.items()):
        if isinstance(value, SparseTensor):
            sizes.append(array.identity(value.dense_shape[0]))
            continue
        value = convert_to_tensor(value)
        if value.shape.ndims == 0:
            raise ValueError(f"Feature {name} cannot be a scalar.")
        sizes.append(array.shape(value, out_type="int64")[0])
    return sizes[0], [assert_equal(sizes[0], size, message="features differ in the size of their batch")
                      for size in sizes[1:]]


def _logits(features: Any, units: int, use_resource: bool | None = None) -> Tensor:
    """A bias for each logit, repeated for each example."""
    values = tuple(features.values()) if isinstance(features, Mapping) else []
    with variable_scope("baseline", values=values, use_resource=use_resource):
        bias = get_variable("bias", [units], initializer=zeros_initializer())
        if not isinstance(features, Mapping):
            features = {"features": features}
        size, checks = _batch_size(features)
        with control_dependencies(checks):
            return bias * array.ones(array.stack([size, 1]))


def baseline_model_fn(features: Any, labels: Any, mode: Any, head: Any, optimizer: Any, config: Any = None) -> Any:
    """The EstimatorSpec of a baseline with an optimizer of tf.train."""
    logits = _logits(features, head.logits_dimension)
    return spec_of_head(head, features, mode, logits, labels, lambda: get_optimizer_instance(optimizer, LEARNING_RATE))


def keras_baseline_model_fn(features: Any, labels: Any, mode: Any, head: Any, optimizer: Any,
                            config: Any = None) -> Any:
    """The EstimatorSpec of a baseline with an optimizer of tf.keras."""
    logits = _logits(features, head.logits_dimension, use_resource=True)
    return spec_of_head(head, features, mode, logits, labels, lambda: get_keras_optimizer(optimizer))


@export("estimator.BaselineClassifier")
@documented
class BaselineClassifier(Estimator):
    """A classifier that learns how frequent each class is, and ignores features.

    >>> classifier = tf.estimator.BaselineClassifier(n_classes=3)

    Args:
        {classes}
        {optimizer} "Ftrl" has the learning rate 0.3.
        {reduction}
        {common}
    """

    def __init__(self, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
                 label_vocabulary: Any = None, optimizer: Any = "Ftrl", config: Any = None,
                 loss_reduction: str = Reduction.SUM) -> None:
        head = legacy.classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(model_of(baseline_model_fn, head, optimizer=optimizer), model_dir, config)


@export("estimator.BaselineRegressor")
@documented
class BaselineRegressor(Estimator):
    """A regression that learns the mean of the labels, and ignores features.

    >>> regressor = tf.estimator.BaselineRegressor()

    Args:
        {numbers}
        {optimizer} "Ftrl" has the learning rate 0.3.
        {reduction}
        {common}
    """

    def __init__(self, model_dir: Any = None, label_dimension: int = 1, weight_column: Any = None,
                 optimizer: Any = "Ftrl", config: Any = None, loss_reduction: str = Reduction.SUM) -> None:
        head = legacy.regression_head(weight_column, label_dimension, loss_reduction)
        super().__init__(model_of(baseline_model_fn, head, optimizer=optimizer), model_dir, config)


@export("estimator.BaselineEstimator")
@documented
class BaselineEstimator(Estimator):
    """A model under any head that ignores features.

    >>> estimator = tf.estimator.BaselineEstimator(tf.contrib.estimator.multi_label_head(n_classes=3))

    Args:
        {head}
        {optimizer} "Ftrl" has the learning rate 0.3.
        {common}
    """

    def __init__(self, head: Any, model_dir: Any = None, optimizer: Any = "Ftrl", config: Any = None) -> None:
        super().__init__(model_of(baseline_model_fn, head, optimizer=optimizer), model_dir, config)


# ---- with optimizers of tf.keras

@export("compat.v2.estimator.BaselineClassifier")
@documented
class KerasBaselineClassifier(Estimator):
    """A classifier that learns how frequent each class is, with an optimizer of tf.keras.

    Args:
        {classes}
        {keras_optimizer}
        {keras_reduction}
        {common}
    """

    def __init__(self, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
                 label_vocabulary: Any = None, optimizer: Any = "Ftrl", config: Any = None,
                 loss_reduction: str = KerasReduction.SUM_OVER_BATCH_SIZE) -> None:
        head = classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(model_of(keras_baseline_model_fn, head, optimizer=optimizer), model_dir, config)


@export("compat.v2.estimator.BaselineRegressor")
@documented
class KerasBaselineRegressor(Estimator):
    """A regression that learns the mean of the labels, with an optimizer of tf.keras.

    Args:
        {numbers}
        {keras_optimizer}
        {keras_reduction}
        {common}
    """

    def __init__(self, model_dir: Any = None, label_dimension: int = 1, weight_column: Any = None,
                 optimizer: Any = "Ftrl", config: Any = None,
                 loss_reduction: str = KerasReduction.SUM_OVER_BATCH_SIZE) -> None:
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        super().__init__(model_of(keras_baseline_model_fn, head, optimizer=optimizer), model_dir, config)


@export("compat.v2.estimator.BaselineEstimator")
@documented
class KerasBaselineEstimator(Estimator):
    """A model under any head that ignores features, with an optimizer of tf.keras.

    Args:
        {head}
        {keras_optimizer}
        {common}
    """

    def __init__(self, head: Any, model_dir: Any = None, optimizer: Any = "Ftrl", config: Any = None) -> None:
        super().__init__(model_of(keras_baseline_model_fn, head, optimizer=optimizer), model_dir, config)
