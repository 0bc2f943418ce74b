"""What train_and_evaluate does: tf.estimator.TrainSpec and tf.estimator.EvalSpec."""
from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.exporters import Exporter
from evergraph.train.session_run_hook import SessionRunHook


def checked_hooks(hooks: Sequence[SessionRunHook] | None) -> tuple[SessionRunHook, ...]:
    """Hooks as a tuple.

    Raises:
        TypeError: one is no SessionRunHook.
    """
    hooks = tuple(hooks or ())
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"All hooks must be `SessionRunHook` instances, got {hook}")
    return hooks


def _check_input_fn(input_fn: Any) -> None:
    if not callable(input_fn):
        raise TypeError(f"`input_fn` must be callable, got {input_fn}")


@export("estimator.TrainSpec")
class TrainSpec(collections.namedtuple("TrainSpec", ["input_fn", "max_steps", "hooks", "saving_listeners"])):
    """How `tf.estimator.train_and_evaluate` trains.

    Args:
        input_fn: makes the input, as for `Estimator.train`.
        max_steps: the global step to train to; None trains until the input ends.
        hooks: SessionRunHooks.
        saving_listeners: CheckpointSaverListeners.

    Raises:
        ValueError: `max_steps` is not positive.
        TypeError: `input_fn` cannot be called, or a hook is none.
    """

    __slots__ = ()

    def __new__(cls, input_fn: Callable[..., Any], max_steps: int | None = None,
                hooks: Sequence[SessionRunHook] | None = None, saving_listeners: Any = None) -> TrainSpec:
        _check_input_fn(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, got {max_steps}")
        return super().__new__(cls, input_fn, max_steps, checked_hooks(hooks), tuple(saving_listeners or ()))


@export("estimator.EvalSpec")
class EvalSpec(collections.namedtuple("EvalSpec", ["input_fn", "steps", "name", "hooks", "exporters",
                                                   "start_delay_secs", "throttle_secs"])):
    """How `tf.estimator.train_and_evaluate` evaluates and exports.

    Args:
        input_fn: makes the input, as for `Estimator.evaluate`.
        steps: the number of batches; None evaluates until the input ends.
        name: tells this evaluation from others.
        hooks: SessionRunHooks.
        exporters: an Exporter, or several with different names, called after each evaluation.
        start_delay_secs: the seconds that an evaluator beside a cluster waits before it begins.
        throttle_secs: the least number of seconds between evaluations, however many checkpoints there are.

    Raises:
        ValueError: a number is out of its range, or an exporter's name is missing or not its own.
        TypeError: `input_fn` cannot be called, `name` is no string, or a hook or exporter is none.
    """

    __slots__ = ()

    def __new__(cls, input_fn: Callable[..., Any], steps: int | None = 100, name: str | None = None,
                hooks: Sequence[SessionRunHook] | None = None, exporters: Any = None, start_delay_secs: float = 120,
                throttle_secs: float = 600) -> EvalSpec:
        _check_input_fn(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, got {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, got {name}")
        if start_delay_secs < 0:
            raise ValueError(f"Must specify start_delay_secs >= 0, got {start_delay_secs}")
        if throttle_secs < 0:
            raise ValueError(f"Must specify throttle_secs >= 0, got {throttle_secs}")
        return super().__new__(cls, input_fn, steps, name, checked_hooks(hooks), _checked_exporters(exporters),
                               start_delay_secs, throttle_secs)


def _checked_exporters(exporters: Any) -> tuple[Exporter, ...]:
    if isinstance(exporters, Exporter):
        exporters = (exporters,)
    try:
        exporters = tuple(exporters or ())
    except TypeError:
        exporters = (exporters,)
    names = set()
    for exporter in exporters:
        if not isinstance(exporter, Exporter):
            raise TypeError(f"`exporters` must be an Exporter, several of them or None, got {exporter}")
        if not exporter.name:
            raise ValueError(f"every exporter needs a name, the folder of its exports; this one has none: {exporter}")
        if not isinstance(exporter.name, str):
            raise ValueError(f"An Exporter must have a string name, not {exporter.name!r}")
        if exporter.name in names:
            raise ValueError(f"`exporters` must have unique names. Two are called {exporter.name}")
        names.add(exporter.name)
    return exporters
