# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tensor_forest.client.random_forest."""

from collections.abc import Mapping
from evergraph.contrib.learn import Estimator as _Estimator
from evergraph.estimator import Estimator, SessionRunArgs, SessionRunHook
from typing import Any

class CoreTensorForestEstimator(Estimator):
    """A random forest that is trained with batches, as a tf.estimator.Estimator."""
    def __init__(
        self, params: Any, device_assigner: Any = None, model_dir: Any = None, feature_columns: Any = None,
        graph_builder_class: Any = ..., config: Any = None, weight_column: str | None = None,
        keys_column: str | None = None, feature_engineering_fn: Any = None,
        early_stopping_rounds: int | None = 100, early_stopping_loss_threshold: float = 0.001,
        num_trainers: int = 1, trainer_id: int = 0, report_feature_importances: bool = False,
        local_eval: bool = False, version: Any = None, head: Any = None, include_all_in_serving: bool = False,
    ) -> None: ...

class TensorForestEstimator(_Estimator):
    """A random forest that is trained with batches, as an Estimator of tf.contrib.learn."""
    def __init__(
        self, params: Any, device_assigner: Any = None, model_dir: Any = None, graph_builder_class: Any = ...,
        config: Any = None, weight_column: str | None = None, keys_column: str | None = None,
        feature_engineering_fn: Any = None, early_stopping_rounds: int | None = 100,
        early_stopping_loss_threshold: float = 0.001, num_trainers: int = 1, trainer_id: int = 0,
        report_feature_importances: bool = False, local_eval: bool = False, version: Any = None,
        head: Any = None, include_all_in_serving: bool = False,
    ) -> None: ...

class TensorForestLossHook(SessionRunHook):
    """Ends training when the loss gets no better."""
    def before_run(self, run_context: Any) -> SessionRunArgs: ...
    def after_run(self, run_context: Any, run_values: Any) -> None: ...
    def __init__(
        self, early_stopping_rounds: int | None, early_stopping_loss_threshold: float | None = None,
        loss_op: Any = None,
    ) -> None: ...
    min_loss: float | None
    early_stopping_loss_threshold: Any
    last_step: Any
    min_loss_step: Any
    early_stopping_rounds: Any
    loss_op: Any

class TensorForestRunOpAtEndHook(SessionRunHook):
    """Logs what tensors are when training has ended."""
    def end(self, session: Any) -> None: ...
    def __init__(self, op_dict: Mapping[str, Any]) -> None: ...
