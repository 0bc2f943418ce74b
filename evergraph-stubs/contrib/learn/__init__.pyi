# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn."""

from collections.abc import Callable, Sequence
from evergraph.estimator import Estimator, Exporter, RunConfig as _RunConfig, SessionRunHook
from typing import Any
from evergraph.contrib.learn import datasets as datasets, learn_runner as learn_runner, preprocessing as preprocessing

import sys
if sys.platform == "":
    del (
        experiment, mnist, mode_keys, run_config, vocabulary,
    )

class Experiment:
    """An Estimator with what it is trained and evaluated on."""
    @property
    def estimator(self) -> Estimator:
        """The Estimator."""
    @property
    def train_steps(self) -> int | None:
        """The global step to train to."""
    @property
    def eval_steps(self) -> int | None:
        """The number of batches to evaluate."""
    def train(self) -> Estimator:
        """Trains; gives the Estimator."""
    def evaluate(self, name: str | None = None) -> dict[str, Any]:
        """Evaluates the latest checkpoint; gives the metrics."""
    def train_and_evaluate(self) -> Any:
        """Trains and evaluates in turns; gives the last metrics and what was exported."""
    def test(self) -> dict[str, Any]:
        """Tries everything: one step of training, one batch of evaluation."""
    def __init__(
        self, estimator: Estimator, train_input_fn: Callable[..., Any], eval_input_fn: Callable[..., Any],
        eval_metrics: Any = None, train_steps: int | None = None, eval_steps: int | None = 100,
        train_monitors: Sequence[SessionRunHook] | None = None,
        eval_hooks: Sequence[SessionRunHook] | None = None, local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120, continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = None, delay_workers_by_global_step: bool = False,
        export_strategies: Exporter | Sequence[Exporter] | None = None,
        train_steps_per_iteration: int | None = None, checkpoint_and_export: bool = False,
        saving_listeners: Any = None,
    ) -> None: ...

class ModeKeys:
    """The names of the three modes."""
    TRAIN: str
    EVAL: str
    INFER: str

class RunConfig(_RunConfig):
    """A tf.estimator.RunConfig with settings of sessions as arguments."""
    @property
    def tf_config(self) -> Any:
        """The ConfigProto of sessions."""
    def __init__(
        self, master: str | None = None, num_cores: int = 0, log_device_placement: bool = False,
        gpu_memory_fraction: float = 1, tf_random_seed: int | None = None, save_summary_steps: int | None = 100,
        save_checkpoints_secs: Any = ..., save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int | None = 5, keep_checkpoint_every_n_hours: float | None = 10000,
        log_step_count_steps: int | None = 100, protocol: str | None = None, evaluation_master: str = '',
        model_dir: Any = None, session_config: Any = None,
    ) -> None: ...

class TaskType:
    """The names of the jobs of a cluster."""
    MASTER: str
    PS: str
    WORKER: str
    CHIEF: str
    EVALUATOR: str
