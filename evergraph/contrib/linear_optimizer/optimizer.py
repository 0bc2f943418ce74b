"""tf.contrib.linear_optimizer.SDCAOptimizer: stochastic dual coordinate ascent for columns of tf.contrib.layers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.canned.sdca import LinearSDCA
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook


class _Weights:
    """The weights of columns, as LinearSDCA asks for them."""

    def __init__(self, variables: Mapping[Any, Any]) -> None:
        self._variables = variables

    def get_variable(self, column: Any, name: str) -> Any:
        return self._variables[column]


@export("contrib.linear_optimizer.SDCAOptimizer")
class SDCAOptimizer:
    """Stochastic dual coordinate ascent, as an optimizer of LinearClassifier and LinearRegressor.

    Args:
        example_id_column: the feature with the ids of examples, a vector of strings.
        num_loss_partitions: how many workers take examples at the same time.
        num_table_shards: the number of tables that hold the duals.
        symmetric_l1_regularization: the L1 regularization.
        symmetric_l2_regularization: the L2 regularization.
        adaptive: whether examples far from their optimum are taken more often.
        partitioner: how the model divides its variables; by default among parameter servers.
    """

    def __init__(self, example_id_column: str, num_loss_partitions: int = 1, num_table_shards: int | None = None,
                 symmetric_l1_regularization: float = 0.0, symmetric_l2_regularization: float = 1.0,
                 adaptive: bool = True, partitioner: Any = None) -> None:
        self.example_id_column, self.num_loss_partitions = example_id_column, num_loss_partitions
        self.num_table_shards, self.adaptive, self.partitioner = num_table_shards, adaptive, partitioner
        self.symmetric_l1_regularization = symmetric_l1_regularization
        self.symmetric_l2_regularization = symmetric_l2_regularization

    def get_name(self) -> str:
        """"SDCAOptimizer"."""
        return "SDCAOptimizer"

    def get_train_step(self, columns_to_variables: Mapping[Any, Any], weight_column_name: str | None, loss_type: str,
                       features: Mapping[Any, Any], targets: Any, global_step: Any, bias: Any = None) -> Any:
        """(the model, the operation that takes the examples of a batch once).

        Args:
            columns_to_variables: the weights of each column of a linear model, a variable or its parts.
            weight_column_name: the feature with the weights of examples, or None.
            loss_type: "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss" or "poisson_loss".
            features: tensors by name.
            targets: the labels, numbers.
            global_step: the variable to increment.
            bias: the bias of the model.
        """
        ascent = LinearSDCA(self.example_id_column, self.num_loss_partitions, self.num_table_shards,
                            self.symmetric_l1_regularization, self.symmetric_l2_regularization, self.adaptive)
        return ascent.get_train_step(_Weights(columns_to_variables), weight_column_name, loss_type,
                                     list(columns_to_variables), features, targets, bias, global_step)


class UpdateWeightsHook(SessionRunHook):
    """Sets the weights to what the optimizer found, in each step."""

    def __init__(self, model: Any, train_op: Any) -> None:
        self._model, self._train_op = model, train_op

    def begin(self) -> None:
        self._update = self._model.update_weights(self._train_op)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._update)
