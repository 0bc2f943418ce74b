"""tf.contrib.learn.Experiment and learn_runner: training and evaluation in turns, over tf.estimator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.contrib.learn.estimator import BaseEstimator as LearnEstimator
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.exporters import Exporter
from evergraph.estimator.train_specs import EvalSpec, TrainSpec
from evergraph.estimator.training import train_and_evaluate
from evergraph.train.session_run_hook import SessionRunHook


@export("contrib.learn.Experiment")
class Experiment:
    """An Estimator with what it is trained and evaluated on.

    `tf.estimator.train_and_evaluate` does the same with a TrainSpec and an EvalSpec.

    Args:
        estimator: a tf.estimator.Estimator or a tf.contrib.learn.Estimator.
        train_input_fn: makes the input of training.
        eval_input_fn: makes the input of evaluation.
        eval_metrics: further metrics of a tf.contrib.learn.Estimator, see its `evaluate`; a tf.estimator.Estimator has
            those of its model function and of `tf.estimator.add_metrics`.
        train_steps: the global step to train to; None trains until the input ends.
        eval_steps: the number of batches to evaluate; None evaluates until the input ends.
        train_monitors: SessionRunHooks of training.
        eval_hooks: SessionRunHooks of evaluation.
        local_eval_frequency: not supported: evaluations follow checkpoints, of which RunConfig says how many there are.
        eval_delay_secs: the seconds that an evaluator beside a cluster waits before it begins.
        continuous_eval_throttle_secs: the least number of seconds between evaluations.
        min_eval_frequency: not supported, except for 0 and 1; see `local_eval_frequency`.
        delay_workers_by_global_step: not supported.
        export_strategies: an Exporter, or several.
        train_steps_per_iteration: not supported.
        checkpoint_and_export: not supported.
        saving_listeners: CheckpointSaverListeners.

    Raises:
        ValueError: `estimator` is none, or there are `eval_metrics` for a tf.estimator.Estimator.
        UnimplementedError: an argument that is not supported is given.
    """

    def __init__(
        self,
        estimator: Estimator | LearnEstimator,
        train_input_fn: Callable[..., Any],
        eval_input_fn: Callable[..., Any],
        eval_metrics: Any = None,
        train_steps: int | None = None,
        eval_steps: int | None = 100,
        train_monitors: Sequence[SessionRunHook] | None = None,
        eval_hooks: Sequence[SessionRunHook] | None = None,
        local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = None,
        delay_workers_by_global_step: bool = False,
        export_strategies: Exporter | Sequence[Exporter] | None = None,
        train_steps_per_iteration: int | None = None,
        checkpoint_and_export: bool = False,
        saving_listeners: Any = None,
    ) -> None:
        if not isinstance(estimator, (Estimator, LearnEstimator)):
            raise ValueError(f"`estimator` must implement `tf.estimator.Estimator`, not {type(estimator)}")
        if isinstance(estimator, Estimator) and eval_metrics is not None:
            raise ValueError("`eval_metrics` must be `None`: a tf.estimator.Estimator takes metrics by add_metrics")
        _refuse(
            local_eval_frequency=local_eval_frequency,
            min_eval_frequency=min_eval_frequency if min_eval_frequency not in (0, 1) else None,
            delay_workers_by_global_step=delay_workers_by_global_step or None,
            train_steps_per_iteration=train_steps_per_iteration, checkpoint_and_export=checkpoint_and_export or None)
        self._given = estimator
        self._estimator = estimator if isinstance(estimator, Estimator) else estimator.core(eval_metrics)
        self._train_spec = TrainSpec(train_input_fn, train_steps, train_monitors, saving_listeners)
        self._eval_spec = EvalSpec(
            eval_input_fn, eval_steps, hooks=eval_hooks, exporters=export_strategies,
            start_delay_secs=eval_delay_secs, throttle_secs=continuous_eval_throttle_secs)  # fmt: skip

    @property
    def estimator(self) -> Estimator | LearnEstimator:
        """The Estimator."""
        return self._given

    @property
    def train_steps(self) -> int | None:
        """The global step to train to."""
        return self._train_spec.max_steps

    @property
    def eval_steps(self) -> int | None:
        """The number of batches to evaluate."""
        return self._eval_spec.steps

    def train(self) -> Estimator | LearnEstimator:
        """Trains; gives the Estimator."""
        spec = self._train_spec
        self._estimator.train(
            spec.input_fn, hooks=spec.hooks, max_steps=spec.max_steps, saving_listeners=spec.saving_listeners)
        return self._given

    def evaluate(self, name: str | None = None) -> dict[str, Any]:
        """Evaluates the latest checkpoint; gives the metrics."""
        spec = self._eval_spec
        return self._estimator.evaluate(spec.input_fn, steps=spec.steps, hooks=spec.hooks, name=name)

    def train_and_evaluate(self) -> Any:
        """Trains and evaluates in turns; gives the last metrics and what was exported."""
        return train_and_evaluate(self._estimator, self._train_spec, self._eval_spec)

    def test(self) -> dict[str, Any]:
        """Tries everything: one step of training, one batch of evaluation."""
        self._estimator.train(self._train_spec.input_fn, steps=1, hooks=self._train_spec.hooks)
        return self._estimator.evaluate(self._eval_spec.input_fn, steps=1, hooks=self._eval_spec.hooks, name="one_pass")


def _refuse(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise errors.UnimplementedError(
                None, None, f"tf.contrib.learn.Experiment({name}={value!r}): see tf.estimator.train_and_evaluate")


@export("contrib.learn.learn_runner.run")
def run(
    experiment_fn: Callable[..., Experiment],
    output_dir: str | None = None,
    schedule: str | None = None,
    run_config: Any = None,
    hparams: Any = None,
) -> Any:
    """Makes an Experiment and calls one of its methods.

    Args:
        experiment_fn: makes the Experiment: a function of `output_dir`, or of (run_config, hparams).
        output_dir: the directory for `experiment_fn`.
        schedule: the method: "train_and_evaluate" by default, or "train", "evaluate", "test".
        run_config: a RunConfig with a `model_dir`, in place of `output_dir`.
        hparams: hyperparameters for `experiment_fn`.

    Returns:
        What the method gives.

    Raises:
        ValueError: both or neither of `output_dir` and `run_config` are given, or there is no such method.
        TypeError: `experiment_fn` gives no Experiment.
    """
    if (output_dir is None) == (run_config is None):
        raise ValueError("Give one of output_dir and run_config to learn_runner.run")
    if run_config is not None and run_config.model_dir is None:
        raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
    experiment = experiment_fn(output_dir) if run_config is None else experiment_fn(run_config, hparams)
    if not isinstance(experiment, Experiment):
        raise TypeError(f"Experiment builder did not return an Experiment: it returned {experiment!r}")
    name = schedule or "train_and_evaluate"
    if name not in ("train_and_evaluate", "train", "evaluate", "test"):
        raise ValueError(f"Schedule references non-existent task {name}")
    return getattr(experiment, name)()
