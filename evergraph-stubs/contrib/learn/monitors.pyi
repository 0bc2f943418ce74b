# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.monitors."""

from collections.abc import Sequence
from evergraph.estimator import SessionRunArgs, SessionRunContext, SessionRunHook
from typing import Any

class BaseMonitor:
    """A watcher of training whose methods are called around every step."""
    @property
    def run_on_all_workers(self) -> bool:
        """Whether other workers than the chief have it too."""
    def set_estimator(self, estimator: Any) -> None:
        """Says whose training is watched."""
    def begin(self, max_steps: int | None = None) -> None:
        """Called before the first step."""
    def end(self, session: Any = None) -> None:
        """Called after the last step."""
    def epoch_begin(self, epoch: int) -> None:
        """Called before a pass over the data."""
    def epoch_end(self, epoch: int) -> None:
        """Called after a pass over the data."""
    def step_begin(self, step: int) -> list[Any]:
        """Called before a step; returns the tensors, or their names, whose values `step_end` is to have."""
    def step_end(self, step: int, output: Any) -> bool:
        """Called after a step with the values by name; returns whether to stop."""
    def post_step(self, step: int, session: Any) -> None:
        """Called after all `step_end`s of a step, with the session."""
    def __init__(self) -> None: ...

class CaptureVariable(EveryN):
    """Keeps the values of a tensor."""
    @property
    def values(self) -> dict[int, Any]:
        """Step -> value."""
    def every_n_step_begin(self, step: int) -> list[Any]: ...
    def every_n_step_end(self, step: int, outputs: Any) -> bool: ...
    def __init__(self, var_name: str, every_n: int = 100, first_n: int = 1) -> None: ...

class CheckpointSaver(BaseMonitor):
    """Saves checkpoints."""
    def begin(self, max_steps: int | None = None) -> None: ...
    def step_begin(self, step: int) -> list[Any]: ...
    def post_step(self, step: int, session: Any) -> None: ...
    def end(self, session: Any = None) -> None: ...
    def __init__(
        self, checkpoint_dir: Any, save_secs: float | None = None, save_steps: int | None = None,
        saver: Any = None, checkpoint_basename: str = 'model.ckpt', scaffold: Any = None,
    ) -> None: ...

class EveryN(BaseMonitor):
    """A monitor that acts in every n-th step, in the first ones and in the last."""
    def every_n_step_begin(self, step: int) -> list[Any]:
        """`step_begin` of a step in which it acts."""
    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        """`step_end` of a step in which it acts."""
    def every_n_post_step(self, step: int, session: Any) -> None:
        """`post_step` of a step in which it acts, and of the last one."""
    def step_begin(self, step: int) -> list[Any]: ...
    def step_end(self, step: int, output: Any) -> bool: ...
    def post_step(self, step: int, session: Any) -> None: ...
    def end(self, session: Any = None) -> None: ...
    def __init__(self, every_n_steps: int = 100, first_n_steps: int = 1) -> None: ...

class ExportMonitor(EveryN):
    """Exports the model in the form from before SavedModels; see `tf.contrib.learn.Estimator.export`."""
    @property
    def export_dir(self) -> Any:
        """Where exports are."""
    @property
    def exports_to_keep(self) -> Any:
        """How many are kept."""
    @property
    def signature_fn(self) -> Any:
        """Makes their signatures."""
    @property
    def last_export_dir(self) -> Any:
        """The directory of the last export."""
    def every_n_step_end(self, step: int, outputs: Any) -> bool: ...
    def end(self, session: Any = None) -> None: ...
    def __init__(
        self, every_n_steps: int, export_dir: Any, input_fn: Any = None, input_feature_key: str | None = None,
        exports_to_keep: int | None = 5, signature_fn: Any = None, default_batch_size: int | None = 1,
    ) -> None: ...

class GraphDump(BaseMonitor):
    """Keeps the values of all tensors in every step, to compare two runs."""
    @property
    def data(self) -> dict[int, Any]:
        """Step -> name -> value."""
    def begin(self, max_steps: int | None = None) -> None: ...
    def step_begin(self, step: int) -> list[Any]: ...
    def step_end(self, step: int, output: Any) -> bool: ...
    def compare(
        self, other_dump: GraphDump, step: int, atol: float = 1e-06,
    ) -> tuple[list[str], dict[str, Any]]:
        """(the names of tensors that have the same values in a step of two dumps, both values of the
        others)."""
    def __init__(self, ignore_ops: Sequence[str] | None = None) -> None: ...

class LoggingTrainable(EveryN):
    """Logs the values of trainable variables."""
    def every_n_step_begin(self, step: int) -> list[Any]: ...
    def every_n_step_end(self, step: int, outputs: Any) -> bool: ...
    def __init__(self, scope: str | None = None, every_n: int = 100, first_n: int = 1) -> None: ...

class NanLoss(EveryN):
    """Stops training when the loss is no number."""
    def every_n_step_begin(self, step: int) -> list[Any]: ...
    def every_n_step_end(self, step: int, outputs: Any) -> bool: ...
    def __init__(self, loss_tensor: Any, every_n_steps: int = 100, fail_on_nan_loss: bool = True) -> None: ...

from evergraph.estimator import NanLossDuringTrainingError as NanLossDuringTrainingError

class PrintTensor(EveryN):
    """Logs values."""
    def every_n_step_begin(self, step: int) -> list[Any]: ...
    def every_n_step_end(self, step: int, outputs: Any) -> bool: ...
    def __init__(self, tensor_names: Any, every_n: int = 100, first_n: int = 1) -> None: ...

class RunHookAdapterForMonitors(SessionRunHook):
    """A SessionRunHook that calls monitors."""
    def begin(self) -> None: ...
    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs: ...
    def after_run(self, run_context: SessionRunContext, run_values: Any) -> None: ...
    def end(self, session: Any) -> None: ...
    def __init__(self, monitors: Sequence[BaseMonitor]) -> None: ...

class StepCounter(EveryN):
    """Writes how many steps there are in a second, as a summary."""
    def set_estimator(self, estimator: Any) -> None: ...
    def every_n_step_end(self, step: int, outputs: Any) -> bool: ...
    def __init__(
        self, every_n_steps: int = 100, output_dir: str | None = None, summary_writer: Any = None,
    ) -> None: ...

class StopAtStep(BaseMonitor):
    """Stops training at a step."""
    @property
    def run_on_all_workers(self) -> Any: ...
    def step_begin(self, step: int) -> list[Any]: ...
    def step_end(self, step: int, output: Any) -> bool: ...
    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None: ...

class SummarySaver(EveryN):
    """Writes summaries."""
    def set_estimator(self, estimator: Any) -> None: ...
    def every_n_step_begin(self, step: int) -> list[Any]: ...
    def every_n_step_end(self, step: int, outputs: Any) -> bool: ...
    def end(self, session: Any = None) -> None: ...
    def __init__(
        self, summary_op: Any, save_steps: int = 100, output_dir: str | None = None, summary_writer: Any = None,
        scaffold: Any = None,
    ) -> None: ...

class ValidationMonitor(EveryN):
    """Evaluates during training, and stops it when the results get no better."""
    @property
    def early_stopped(self) -> Any:
        """Whether it has stopped training."""
    @property
    def best_step(self) -> Any:
        """The step of the best result."""
    @property
    def best_value(self) -> Any:
        """The best value of the metric."""
    @property
    def best_metrics(self) -> Any:
        """All metrics of the best result."""
    def every_n_step_end(self, step: int, outputs: Any) -> bool: ...
    def __init__(
        self, x: Any = None, y: Any = None, input_fn: Any = None, batch_size: int | None = None,
        eval_steps: int | None = None, every_n_steps: int = 100, metrics: Any = None, hooks: Any = None,
        early_stopping_rounds: int | None = None, early_stopping_metric: str = 'loss',
        early_stopping_metric_minimize: bool = True, name: str | None = None,
        check_interval_secs: float | None = 5,
    ) -> None: ...
    early_stopping_rounds: Any
    early_stopping_metric: Any
    early_stopping_metric_minimize: Any
    check_interval_secs: Any
    x: Any
    y: Any
    input_fn: Any
    batch_size: Any
    eval_steps: Any
    metrics: Any
    hooks: Any
    name: Any

def get_default_monitors(
    loss_op: Any = None, summary_op: Any = None, save_summary_steps: int = 100,
    output_dir: str | None = None, summary_writer: Any = None,
) -> list[BaseMonitor]:
    """Monitors that log the loss and write summaries."""

def replace_monitors_with_hooks(
    monitors_or_hooks: Sequence[Any] | None, estimator: Any,
) -> list[SessionRunHook]:
    """SessionRunHooks, as `Estimator.train` takes them."""
