"""tf.contrib.learn.learn_runner: makes an Experiment and runs the part of it that this process has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.hparams import HParams
from evergraph.contrib.learn.experiment import Experiment
from evergraph.contrib.learn.run_config import RunConfig
from evergraph.estimator.tf_config import TaskType

_SCHEDULES = {TaskType.MASTER: "train_and_evaluate", TaskType.PS: "run_std_server", TaskType.WORKER: "train"}


@export("contrib.learn.learn_runner.run")
def run(experiment_fn: Callable[..., Experiment], output_dir: str | None = None, schedule: str | None = None,
        run_config: Any = None, hparams: Any = None) -> Any:
    """Makes an Experiment and calls one of its methods.

    Args:
        experiment_fn: makes the Experiment: a function of `output_dir`, or of (run_config, hparams).
        output_dir: the directory for `experiment_fn`.
        schedule: the method; by default "train_and_evaluate", or what the task of this process in a cluster does.
        run_config: a tf.contrib.learn.RunConfig with a `model_dir`, in place of `output_dir`.
        hparams: hyperparameters for `experiment_fn`; only with `run_config`.

    Returns:
        What the method gives.

    Raises:
        ValueError: the arguments do not go together, or there is no such method.
        TypeError: `experiment_fn` is no function, or gives no Experiment.
        RuntimeError: the Experiment's Estimator has another RunConfig.
    """
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if not callable(experiment_fn):
        raise TypeError(f"Experiment builder {experiment_fn!r} is not callable.")
    if run_config is None:
        if hparams is not None:
            raise ValueError("Must set `hparams` as None for `experiment_fn` with `output_dir`.")
        if not output_dir:
            raise ValueError("Must specify an output directory")
        experiment = _checked(experiment_fn(output_dir))
    else:
        _check_config(run_config, hparams)
        experiment = _checked(experiment_fn(run_config=run_config, hparams=hparams))
        _check_same(run_config, experiment.estimator.config)
    return _called(experiment, schedule or _default_schedule(experiment.estimator.config))


@export("contrib.learn.learn_runner.tune")
def tune(experiment_fn: Callable[..., Experiment], tuner: Any) -> None:
    """Runs Experiments that a tuner asks for.

    Args:
        experiment_fn: makes the Experiment: a function of (run_config, hparams).
        tuner: a tf.contrib.training.Tuner-like object with `next_trial`, `run_experiment`.
    """
    while tuner.next_trial():
        tuner.run_experiment(experiment_fn)


def _check_config(run_config: Any, hparams: Any) -> None:
    if not isinstance(run_config, RunConfig):
        raise ValueError(f"`run_config` must be `tf.contrib.learn.RunConfig` instance, got {run_config!r}")
    if not run_config.model_dir:
        raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
    if hparams is not None and not isinstance(hparams, HParams):
        raise ValueError(f"`hparams` must be `HParams` instance, got {hparams!r}")


def _check_same(given: RunConfig, used: Any) -> None:
    if not hasattr(used, "uid"):
        raise RuntimeError("Pass `run_config` argument of the `experiment_fn` to the Estimator in Experiment: its "
                           "RunConfig is another one")
    if used.uid() != given.uid():
        raise RuntimeError("`RunConfig` instance is expected to be used by the `Estimator` inside the `Experiment`: "
                           f"expected {given.uid()}, got {used.uid()}")


def _checked(experiment: Any) -> Experiment:
    if not isinstance(experiment, Experiment):
        raise TypeError(f"Experiment builder did not return an Experiment instance, got {experiment!r} instead.")
    return experiment


def _default_schedule(config: Any) -> str:
    if config is None or not config.cluster_spec or sum(
            config.cluster_spec.num_tasks(job) for job in config.cluster_spec.jobs) <= 1:
        return "train_and_evaluate"
    if not config.task_type:
        raise ValueError("Must specify a schedule: the task of this process in the cluster has no type")
    if config.task_type not in _SCHEDULES:
        raise ValueError(f"No default schedule for task type: {config.task_type}")
    return _SCHEDULES[config.task_type]


def _called(experiment: Experiment, schedule: str) -> Any:
    if not hasattr(experiment, schedule):
        known = [name for name in dir(experiment) if not name.startswith("_") and callable(getattr(experiment, name))]
        raise ValueError(f"Schedule references non-existent task {schedule}; there are {known}")
    task = getattr(experiment, schedule)
    if not callable(task):
        raise TypeError(f"Schedule references non-callable member {schedule}")
    return task()
