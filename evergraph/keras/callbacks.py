"""tf.keras.callbacks: what programs hang into training; the base, lists of them, and the history."""
from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.keras.progress import Progbar


@export("keras.callbacks.Callback")
class Callback:
    """The base of callbacks: a subclass overrides the methods of the moments that it waits for.

    Attributes:
        params: a dict of the parameters of the loop: "verbose", "epochs", "steps", "samples", "batch_size",
            "do_validation" and "metrics".
        model: the model.
    """

    def __init__(self) -> None:
        self.validation_data: Any = None
        self.model: Any = None
        self.params: dict[str, Any] = {}
        self._chief_worker_only: bool | None = None

    def set_params(self, params: dict[str, Any]) -> None:
        """Sets the parameters of the loop."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Sets the model."""
        self.model = model

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Called before an epoch of training."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Called after an epoch of training, with the metrics in `logs`, those of validation with "val_"."""

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Another name of `on_train_batch_begin`."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Another name of `on_train_batch_end`."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before a batch of training; `logs` has its number, "batch", and its "size"."""
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after a batch of training; `logs` has the metrics, too."""
        self.on_batch_end(batch, logs)

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before a batch of `evaluate`, or of validation."""

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after a batch of `evaluate`, or of validation."""

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before a batch of `predict`."""

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after a batch of `predict`; `logs` has the "outputs"."""

    def on_train_begin(self, logs: Any = None) -> None:
        """Called before training."""

    def on_train_end(self, logs: Any = None) -> None:
        """Called after training."""

    def on_test_begin(self, logs: Any = None) -> None:
        """Called before `evaluate`, or a validation."""

    def on_test_end(self, logs: Any = None) -> None:
        """Called after `evaluate`, or a validation."""

    def on_predict_begin(self, logs: Any = None) -> None:
        """Called before `predict`."""

    def on_predict_end(self, logs: Any = None) -> None:
        """Called after `predict`."""


def waits_for(callback: Any, moment: str) -> bool:
    """Whether a callback overrides the method of a moment."""
    own = getattr(type(callback), moment, None)
    return own is not None and own is not getattr(Callback, moment, None) or moment in vars(callback)


class CallbackList:
    """Calls several callbacks at each moment.

    A moment is passed on only to callbacks that wait for it: those of batches are many.

    Args:
        callbacks: the callbacks.
    """

    def __init__(self, callbacks: Iterable[Any] | None = None) -> None:
        self.callbacks = list(callbacks or ())
        self.params: dict[str, Any] = {}
        self.model: Any = None
        self._waiting: dict[str, list[Callable[..., None]]] = {}

    def append(self, callback: Any) -> None:
        """Adds a callback."""
        self.callbacks.append(callback)
        self._waiting = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Sets the parameters of all callbacks."""
        self.params = params
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model: Any) -> None:
        """Sets the model of all callbacks."""
        self.model = model
        for callback in self.callbacks:
            callback.set_model(model)

    def __iter__(self) -> Any:
        return iter(self.callbacks)

    def _methods(self, moment: str) -> list[Callable[..., None]]:
        if moment not in self._waiting:
            names = [moment, moment.replace("train_", "")] if "train" in moment else [moment]
            self._waiting[moment] = [
                getattr(callback, moment) for callback in self.callbacks
                if not isinstance(callback, Callback) or any(waits_for(callback, name) for name in names)]
        return self._waiting[moment]

    def waits_for_batches(self, mode: str) -> bool:
        """Whether a callback waits for the batches of "train", "test" or "predict"."""
        return bool(self._methods(f"on_{mode}_batch_begin") or self._methods(f"on_{mode}_batch_end"))

    def tell(self, moment: str, *of_what: Any, logs: Any = None) -> None:
        """Calls the method of a moment, such as "on_epoch_end", of the callbacks that wait for it."""
        for method in self._methods(moment):
            method(*of_what, {} if logs is None else logs)


def _passed_on(moment: str, is_of_loop: bool) -> Any:
    """A method of `CallbackList` that is named as in callbacks."""
    def of_one(self: CallbackList, number: int, logs: Any = None) -> None:
        self.tell(moment, number, logs=logs)

    def of_loop(self: CallbackList, logs: Any = None) -> None:
        self.tell(moment, logs=logs)
    method = of_loop if is_of_loop else of_one
    method.__name__, method.__doc__ = moment, f"Tells callbacks: {moment}."
    return method


for _end in ("begin", "end"):
    setattr(CallbackList, f"on_epoch_{_end}", _passed_on(f"on_epoch_{_end}", False))
    setattr(CallbackList, f"on_batch_{_end}", _passed_on(f"on_train_batch_{_end}", False))
    for _mode in ("train", "test", "predict"):
        setattr(CallbackList, f"on_{_mode}_batch_{_end}", _passed_on(f"on_{_mode}_batch_{_end}", False))
        setattr(CallbackList, f"on_{_mode}_{_end}", _passed_on(f"on_{_mode}_{_end}", True))


@export("keras.callbacks.BaseLogger")
class BaseLogger(Callback):
    """Averages the metrics over the batches of an epoch, weighted by their sizes; `fit` has one of its own.

    Args:
        stateful_metrics: the names of metrics whose last value counts.
    """

    def __init__(self, stateful_metrics: Any = None) -> None:
        super().__init__()
        self.stateful_metrics = set(stateful_metrics or ())
        self.seen, self.totals = 0, collections.defaultdict(float)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Forgets the epoch before."""
        self.seen, self.totals = 0, collections.defaultdict(float)

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Takes in a batch."""
        logs = logs or {}
        size = logs.get("size", 0) * logs.get("num_steps", 1)
        self.seen += size
        for name, value in logs.items():
            if name in self.stateful_metrics:
                self.totals[name] = value
            else:
                self.totals[name] += float(value) * size

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Puts the averages into the logs."""
        if logs is None:
            return
        for name in self.params["metrics"]:
            if name in self.totals:
                logs[name] = self.totals[name] if name in self.stateful_metrics else self.totals[name] / self.seen


@export("keras.callbacks.History")
class History(Callback):
    """The metrics of all epochs, by name, in `history`; their numbers in `epoch`. `fit` returns it."""

    def on_train_begin(self, logs: Any = None) -> None:
        """Begins anew."""
        self.epoch: list[int] = []
        self.history: dict[str, list[Any]] = {}

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Keeps the metrics of an epoch."""
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)


@export("keras.callbacks.ProgbarLogger")
class ProgbarLogger(Callback):
    """Prints a progress bar with the metrics; `fit` with `verbose` has one of its own.

    Args:
        count_mode: "samples" or "steps", what the bar counts.
        stateful_metrics: the names of metrics that are shown as they are; others are averaged.

    Raises:
        ValueError: `count_mode` is something else.
    """

    def __init__(self, count_mode: str = "samples", stateful_metrics: Any = None) -> None:
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError(f"Unknown `count_mode`: {count_mode}; it is 'samples' or 'steps'")
        self.use_steps = count_mode == "steps"
        self.stateful_metrics = set(stateful_metrics or ())
        self.verbose, self.epochs = 0, 1
        self._values: list[tuple[str, Any]] = []

    def on_train_begin(self, logs: Any = None) -> None:
        """Reads the parameters."""
        self.verbose, self.epochs = self.params["verbose"], self.params["epochs"]

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Begins a bar."""
        self.seen = 0
        self.target = self.params["steps"] if self.use_steps else self.params["samples"]
        if self.verbose and self.epochs > 1:
            print(f"Epoch {epoch + 1}/{self.epochs}")
        self.progbar = Progbar(self.target, verbose=self.verbose, stateful_metrics=self.stateful_metrics,
                               unit_name="step" if self.use_steps else "sample")

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Forgets the values of the batch before."""
        self._values = []

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Moves the bar; the last batch is shown at the end of the epoch."""
        logs = logs or {}
        steps = logs.get("num_steps", 1)
        self.seen += steps if self.use_steps else logs.get("size", 0) * steps
        self._values += [(name, logs[name]) for name in self.params["metrics"] if name in logs]
        if self.verbose and (self.target is None or self.seen < self.target):
            self.progbar.update(self.seen, self._values)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Shows the end of the bar."""
        logs = logs or {}
        # The averages of the epoch take the place of those that the last batch would have made.
        values = [(name, logs[name]) for name in self.params["metrics"] if name in logs]
        if self.target is None:
            self.progbar.target = self.target = self.seen
        if self.verbose:
            self.progbar.stateful_metrics |= {name for name, _ in values}
            self.progbar.update(self.seen, values)


@export("keras.callbacks.LambdaCallback")
class LambdaCallback(Callback):
    """A callback made of functions.

    Args:
        on_epoch_begin, on_epoch_end: functions of (epoch, logs).
        on_batch_begin, on_batch_end: functions of (batch, logs).
        on_train_begin, on_train_end: functions of logs.
        **kwargs: functions for other moments.
    """

    def __init__(self, on_epoch_begin: Any = None, on_epoch_end: Any = None, on_batch_begin: Any = None,
                 on_batch_end: Any = None, on_train_begin: Any = None, on_train_end: Any = None,
                 **kwargs: Any) -> None:
        super().__init__()
        given = {"on_epoch_begin": on_epoch_begin, "on_epoch_end": on_epoch_end, "on_batch_begin": on_batch_begin,
                 "on_batch_end": on_batch_end, "on_train_begin": on_train_begin, "on_train_end": on_train_end, **kwargs}
        vars(self).update({name: function for name, function in given.items() if function is not None})


@export("keras.callbacks.TerminateOnNaN")
class TerminateOnNaN(Callback):
    """Ends training when the loss of a batch is NaN or infinite."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Looks at the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and not np.isfinite(loss):
            print(f"Batch {batch:d}: Invalid loss, terminating training")
            self.model.stop_training = True


def warn_of_missing(what: str, monitor: str, logs: dict[str, Any]) -> None:
    """Warns that a callback cannot see the metric that it watches."""
    logging.warning("%s watches `%s`, of which nothing was logged. There are values of: %s", what, monitor,
                    ",".join(logs))
