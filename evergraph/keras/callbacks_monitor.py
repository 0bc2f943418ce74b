"""tf.keras.callbacks that watch a metric or change the learning rate: EarlyStopping, ReduceLROnPlateau, ..."""
from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.keras import session
from evergraph.keras.callbacks import Callback, warn_of_missing


def better(monitor: str, mode: str, what: str) -> tuple[Callable[[Any, Any], Any], float]:
    """The comparison that says whether a value of a metric is better than another, and the worst value.

    Args:
        monitor: the name of the metric.
        mode: "min", "max", or "auto", which goes by the name.
        what: the callback, for a warning of another mode.
    """
    if mode not in ("auto", "min", "max"):
        logging.warning("%s mode %s is unknown, fallback to auto mode.", what, mode)
        mode = "auto"
    if mode == "auto":
        mode = "max" if "acc" in monitor or monitor.startswith("fmeasure") else "min"
    return (operator.gt, -np.inf) if mode == "max" else (operator.lt, np.inf)


@export("keras.callbacks.EarlyStopping")
class EarlyStopping(Callback):
    """Ends training when a metric stops getting better.

    Args:
        monitor: the name of the metric.
        min_delta: the least change that counts.
        patience: the number of epochs without a change after which training ends.
        verbose: 1 for a line at the end.
        mode: "min" if less is better, "max" if more is, "auto" to go by the name.
        baseline: a value that the metric must be better than.
        restore_best_weights: whether the model has the weights of the best epoch afterwards.
    """

    def __init__(self, monitor: str = "val_loss", min_delta: float = 0, patience: int = 0, verbose: int = 0,
                 mode: str = "auto", baseline: float | None = None, restore_best_weights: bool = False) -> None:
        super().__init__()
        self.monitor, self.patience, self.verbose, self.baseline = monitor, patience, verbose, baseline
        self.restore_best_weights, self.best_weights = restore_best_weights, None
        self.wait = self.stopped_epoch = 0
        self.monitor_op, self._worst = better(monitor, mode, "EarlyStopping")
        self.min_delta = abs(min_delta) * (1 if self._worst < 0 else -1)

    def on_train_begin(self, logs: Any = None) -> None:
        """Begins anew."""
        self.wait = self.stopped_epoch = 0
        self.best = self._worst if self.baseline is None else self.baseline

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Compares the metric with the best one."""
        current = self.get_monitor_value(logs)
        if current is None:
            return
        if self.monitor_op(current - self.min_delta, self.best):
            self.best, self.wait = current, 0
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch, self.model.stop_training = epoch, True
            if self.restore_best_weights and self.best_weights is not None:
                if self.verbose > 0:
                    print("The model gets back the weights of its best epoch.")
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs: Any = None) -> None:
        """Says that training ended early."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")

    def get_monitor_value(self, logs: Any) -> Any:
        """The metric in the logs; None, with a warning, if it is missing."""
        value = (logs or {}).get(self.monitor)
        if value is None:
            warn_of_missing("Early stopping", self.monitor, logs or {})
        return value


@export("keras.callbacks.LearningRateScheduler")
class LearningRateScheduler(Callback):
    """Sets the learning rate at the beginning of each epoch.

    Args:
        schedule: a function of the number of the epoch, from 0, and of the current rate if it takes one.
        verbose: 1 for a line at each epoch.
    """

    def __init__(self, schedule: Callable[..., float], verbose: int = 0) -> None:
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Sets the rate.

        Raises:
            ValueError: the optimizer has no learning rate, or the function returned no float.
        """
        _check_rate(self.model.optimizer)
        given = [epoch, float(session.get_value(self.model.optimizer.lr))]
        rate = self.schedule(*given[:_count_of_parameters(self.schedule)])
        if not isinstance(rate, (float, np.float32, np.float64)):
            raise ValueError(f"the rate that a schedule returns should be float, got {rate!r}")
        session.set_value(self.model.optimizer.lr, rate)
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: LearningRateScheduler reducing learning rate to {rate}.")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Adds the rate to the logs."""
        if logs is not None:
            logs["lr"] = session.get_value(self.model.optimizer.lr)


def _count_of_parameters(schedule: Callable[..., float]) -> int:
    """2, or 1 for a function of the epoch alone."""
    parameters = inspect.signature(schedule).parameters.values()
    taken = sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters)
    return 2 if taken > 1 or any(each.kind is each.VAR_POSITIONAL for each in parameters) else 1


def _check_rate(optimizer: Any) -> None:
    if not hasattr(optimizer, "lr"):
        raise ValueError('Optimizer must have a "lr" attribute.')


@export("keras.callbacks.ReduceLROnPlateau")
class ReduceLROnPlateau(Callback):
    """Reduces the learning rate when a metric stops getting better.

    Args:
        monitor: the name of the metric.
        factor: what the rate is multiplied by, below 1.
        patience: the number of epochs without a change after which the rate is reduced.
        verbose: 1 for a line at each change.
        mode: "min" if less is better, "max" if more is, "auto" to go by the name.
        min_delta: the least change that counts.
        cooldown: the number of epochs after a reduction in which the metric is not watched.
        min_lr: the least rate.
        **kwargs: `epsilon`, another word for `min_delta`.

    Raises:
        ValueError: the factor is not below 1.
    """

    def __init__(self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10, verbose: int = 0,
                 mode: str = "auto", min_delta: float = 1e-4, cooldown: int = 0, min_lr: float = 0,
                 **kwargs: Any) -> None:
        super().__init__()
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau does not support a factor >= 1.0, got {factor}")
        self.monitor, self.factor, self.patience, self.verbose, self.mode = monitor, factor, patience, verbose, mode
        self.min_delta, self.cooldown, self.min_lr = kwargs.pop("epsilon", min_delta), cooldown, min_lr
        if kwargs:
            raise TypeError(f"ReduceLROnPlateau has no arguments {sorted(kwargs)}")
        self._reset()

    def _reset(self) -> None:
        is_better, self.best = better(self.monitor, self.mode, "Learning Rate Plateau Reducing")
        margin = self.min_delta if self.best < 0 else -self.min_delta
        self.monitor_op = lambda value, best: is_better(value, best + margin)
        self.cooldown_counter = self.wait = 0

    def on_train_begin(self, logs: Any = None) -> None:
        """Begins anew."""
        self._reset()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Compares the metric with the best one, and reduces the rate."""
        logs = {} if logs is None else logs
        logs["lr"] = session.get_value(self.model.optimizer.lr)
        current = logs.get(self.monitor)
        if current is None:
            warn_of_missing("Reduce LR on plateau", self.monitor, logs)
            return
        if self.in_cooldown():
            self.cooldown_counter, self.wait = self.cooldown_counter - 1, 0
        if self.monitor_op(current, self.best):
            self.best, self.wait = current, 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(epoch)

    def _reduce(self, epoch: int) -> None:
        old = float(session.get_value(self.model.optimizer.lr))
        if old <= self.min_lr:
            return
        new = max(old * self.factor, self.min_lr)
        session.set_value(self.model.optimizer.lr, new)
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: ReduceLROnPlateau reducing learning rate to {new}.")
        self.cooldown_counter, self.wait = self.cooldown, 0

    def in_cooldown(self) -> bool:
        """Whether the last reduction is recent."""
        return self.cooldown_counter > 0
