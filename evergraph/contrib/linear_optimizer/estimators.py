"""tf.contrib.linear_optimizer: linear models that SDCA trains, as Estimators."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.learn.canned import Classifier, Regressor
from evergraph.contrib.learn.heads import multi_class_head, regression_head
from evergraph.contrib.learn.linear import linear_params, model_fn
from evergraph.contrib.linear_optimizer.optimizer import SDCAOptimizer


def _params(head: Any, example_id_column: str, feature_columns: Any, weight_column_name: str | None, l1: float,
            l2: float, num_loss_partitions: int, partitioner: Any) -> dict[str, Any]:
    return linear_params(head, feature_columns, weight_column_name=weight_column_name, optimizer=SDCAOptimizer(
        example_id_column=example_id_column, num_loss_partitions=num_loss_partitions, symmetric_l1_regularization=l1,
        symmetric_l2_regularization=l2, partitioner=partitioner))


@export("contrib.linear_optimizer.SDCALogisticClassifier")
class SDCALogisticClassifier(Classifier):
    """A linear model of two classes with the logistic loss, trained by stochastic dual coordinate ascent.

    Args:
        example_id_column: the feature with the ids of examples, strings.
        feature_columns: columns of tf.contrib.layers.
        weight_column_name: the feature with the weights of examples.
        model_dir: the directory of checkpoints and events.
        l1_regularization: the L1 regularization.
        l2_regularization: the L2 regularization.
        num_loss_partitions: how many workers take examples at the same time.
        config: a tf.contrib.learn.RunConfig.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
        partitioner: how weights are divided; by default among parameter servers.
    """

    def __init__(self, example_id_column: str, feature_columns: Any, weight_column_name: str | None = None,
                 model_dir: Any = None, l1_regularization: float = 0.0, l2_regularization: float = 1.0,
                 num_loss_partitions: int = 1, config: Any = None, feature_engineering_fn: Any = None,
                 partitioner: Any = None) -> None:
        super().__init__(model_fn, model_dir, config, _params(
            multi_class_head(2, weight_column_name=weight_column_name), example_id_column, feature_columns,
            weight_column_name, l1_regularization, l2_regularization, num_loss_partitions,
            partitioner), feature_engineering_fn)


@export("contrib.linear_optimizer.SDCALinearRegressor")
class SDCALinearRegressor(Regressor):
    """A linear model of numbers with the squared loss, trained by stochastic dual coordinate ascent.

    Args:
        example_id_column, feature_columns, weight_column_name, model_dir, l1_regularization, l2_regularization,
        num_loss_partitions, config, feature_engineering_fn, partitioner: see SDCALogisticClassifier.
    """

    def __init__(self, example_id_column: str, feature_columns: Any, weight_column_name: str | None = None,
                 model_dir: Any = None, l1_regularization: float = 0.0, l2_regularization: float = 1.0,
                 num_loss_partitions: int = 1, config: Any = None, feature_engineering_fn: Any = None,
                 partitioner: Any = None) -> None:
        super().__init__(model_fn, model_dir, config, _params(
            regression_head(weight_column_name=weight_column_name), example_id_column, feature_columns,
            weight_column_name, l1_regularization, l2_regularization, num_loss_partitions,
            partitioner), feature_engineering_fn)
