"""The loops of `fit`, `evaluate` and `predict` over batches and epochs."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.base import logging, nest
from evergraph.keras.batches import Batch
from evergraph.keras.callbacks import BaseLogger, CallbackList, History, ProgbarLogger


@dataclass
class Validation:
    """When and with what `fit` validates.

    Attributes:
        batches: a source of batches.
        frequency: after every so many epochs; or the numbers of the epochs, from 1.
    """

    batches: Any
    frequency: Any = 1

    def is_due(self, epoch: int) -> bool:
        """Whether the epoch of this number, from 0, is followed by a validation.

        Raises:
            ValueError: the frequency is neither a number nor a list of numbers.
        """
        if isinstance(self.frequency, int):
            return (epoch + 1) % self.frequency == 0
        if isinstance(self.frequency, (list, tuple, set)):
            return epoch + 1 in self.frequency
        raise ValueError(f"`validation_freq` must be an Integer or a list of epochs, got {self.frequency!r} of type "
                         f"{type(self.frequency).__name__}")


# ---- training

def train(model: Any, batches: Any, callbacks: Any, epochs: int, verbose: int, initial_epoch: int = 0,
          validation: Validation | None = None, announced: bool = True, reset_metrics: bool = True) -> History:
    """Trains a model for epochs.

    Args:
        model: the compiled model.
        batches: a source of batches.
        callbacks: those of the program.
        epochs: the number of the last epoch.
        verbose: 0, 1 or 2.
        initial_epoch: the number of epochs that count as done.
        validation: None for none.
        announced: whether the first line says on how much the model is trained.
        reset_metrics: whether metrics begin anew in each epoch.
    """
    called = _configured(model, callbacks, batches, epochs, verbose, "train", validation is not None)
    bar = _bar(batches, called, verbose)
    if verbose and announced:
        _announce(batches, validation)
    model.stop_training = False
    called.tell("on_train_begin")
    bar.on_train_begin()
    for epoch in range(initial_epoch, epochs):
        if model.stop_training:
            break
        called.tell("on_epoch_begin", epoch)
        bar.on_epoch_begin(epoch)
        if reset_metrics:
            model.reset_metrics()
        results, count = _epoch(model, "train", batches, called, bar)
        if not count:
            logging.warning("The input gave no batches: nothing was trained in epoch %d.", epoch + 1)
        logs = dict(zip(model.metrics_names, results))
        if batches.counts_steps and batches.is_over:
            _warn_of_end(batches.steps, epochs)
            model.stop_training = True
        if validation is not None and validation.is_due(epoch) and count:
            found = test(model, validation.batches, called)
            logs |= {f"val_{name}": value for name, value in zip(model.metrics_names, nest.flatten(found))}
        called.tell("on_epoch_end", epoch, logs=logs)
        bar.on_epoch_end(epoch, logs)
    called.tell("on_train_end")
    return model.history


def _announce(batches: Any, validation: Validation | None) -> None:
    unit = "steps" if batches.counts_steps else "samples"
    count = batches.steps if batches.counts_steps else batches.samples
    if count is None:
        return
    text = f"Train on {count} {unit}"
    if validation is not None:
        more = validation.batches.steps if batches.counts_steps else validation.batches.samples
        text += f", validate on {more} {unit}" if more is not None else ""
    print(text)


def _warn_of_end(steps: int, epochs: int) -> None:
    logging.warning("The dataset ran out of data; interrupting training. Take one that can generate at least "
                    f"`steps_per_epoch * epochs` batches (in this case, {steps * epochs} batches). You may need to use "
                    "the repeat() function when building your dataset.")


# ---- evaluation

def evaluate(model: Any, batches: Any, callbacks: Any, verbose: int) -> Any:
    """The loss and the metrics over batches: a number, or a list."""
    called = _configured(model, callbacks, batches, 1, verbose, "test")
    bar = _bar(batches, called, verbose)
    bar.on_train_begin()
    bar.on_epoch_begin(0)
    results = test(model, batches, called, bar)
    bar.on_epoch_end(0, dict(zip(model.metrics_names, nest.flatten(results))))
    return results


def test(model: Any, batches: Any, called: CallbackList, bar: Any = None) -> Any:
    """The loss and the metrics over batches, which begin anew."""
    called.tell("on_test_begin")
    model.reset_metrics()
    results, _ = _epoch(model, "test", batches, called, bar)
    if batches.counts_steps and batches.is_over:
        logging.warning("Your dataset ran out of data; evaluation used fewer than %d batches.", batches.steps)
    called.tell("on_test_end")
    return results[0] if len(results) == 1 else results


def _epoch(model: Any, mode: str, batches: Any, called: CallbackList, bar: Any) -> tuple[list[Any], int]:
    """The mean loss and the last metrics of an epoch, and the number of batches."""
    names, total, weight, count, last = model.metrics_names, 0.0, 0, 0, []
    watched = called.waits_for_batches(mode) or bar is not None and bar.verbose
    for count, (batch, results) in enumerate(_results(model, mode, batches, called if watched else None), 1):
        size = 1 if batches.counts_steps else batch.size
        total, weight, last = total + float(results[0]) * size, weight + size, results[1:]
        if watched:
            logs = {"batch": count - 1, "size": batches.told_size or batch.size, **dict(zip(names, results))}
            called.tell(f"on_{mode}_batch_end", count - 1, logs=logs)
            if bar is not None:
                bar.on_batch_end(count - 1, logs)
        if mode == "train" and model.stop_training:
            break
    return ([total / weight, *last] if count else []), count


def _results(model: Any, mode: str, batches: Any,
             called: CallbackList | None) -> Iterator[tuple[Batch, list[Any]]]:
    """Each batch with what its step returned; steps are bound once for all batches with the same weights."""
    engine, weighted = None, None
    step: Callable[..., Any] | None = None
    for number, batch in enumerate(batches.epoch()):
        if step is None or batch.weighted != weighted or model._engine is not engine:
            engine, weighted = model._settled_engine(), batch.weighted
            step = engine.train(weighted) if mode == "train" else engine.test(weighted)
        if called is not None:
            called.tell(f"on_{mode}_batch_begin", number, logs={
                "batch": number, "size": batches.told_size or batch.size})
        yield batch, step(*batch.fed)


# ---- prediction

def predict(model: Any, batches: Any, callbacks: Any, verbose: int) -> Any:
    """The outputs for all batches: an array, or several in the structure of the outputs."""
    called = _configured(model, callbacks, batches, 1, verbose, "predict")
    bar = _bar(batches, called, verbose)
    called.tell("on_predict_begin")
    bar.on_train_begin()
    bar.on_epoch_begin(0)
    collected, step = _Outputs(batches.samples), None
    for number, batch in enumerate(batches.epoch()):
        step = step or model._settled_engine(compiled=False).predict()
        logs = {"batch": number, "size": batches.told_size or batch.size}
        called.tell("on_predict_batch_begin", number, logs=logs)
        outputs = step(*batch.inputs)
        collected.add(outputs, batch.size)
        called.tell("on_predict_batch_end", number, logs={**logs, "outputs": outputs})
        bar.on_batch_end(number, logs)
    bar.on_epoch_end(0)
    called.tell("on_predict_end")
    if step is None:
        raise ValueError("predict got no batches")
    return collected.packed()


class _Outputs:
    """The outputs of batches, as one array each; where the number of examples is known, allocated at once."""

    def __init__(self, samples: int | None) -> None:
        self._samples, self._start = samples, 0
        self._arrays: list[Any] = []

    def add(self, outputs: list[Any], size: int) -> None:
        if self._samples is None or any(np.ndim(each) == 0 for each in outputs):
            self._samples = None
            self._arrays = self._arrays or [[] for _ in outputs]
            for kept, each in zip(self._arrays, outputs):
                kept.append(np.atleast_1d(each))
            return
        if not self._arrays:
            self._arrays = [np.empty((self._samples, *each.shape[1:]), each.dtype) for each in outputs]
        for kept, each in zip(self._arrays, outputs):
            if len(each) != size:
                raise ValueError(f"Mismatch between expected batch size and model output batch size. Output shape = "
                                 f"{each.shape}, expected output shape = shape {(size, *each.shape[1:])}")
            kept[self._start:self._start + size] = each
        self._start += size

    def packed(self) -> Any:
        found = self._arrays if self._samples is not None else [np.concatenate(each) for each in self._arrays]
        return found[0] if len(found) == 1 else found


# ---- callbacks

def _configured(model: Any, callbacks: Any, batches: Any, epochs: int, verbose: int, mode: str,
                validates: bool = False) -> CallbackList:
    """The callbacks of a loop, with its parameters; training has a history and averages."""
    if isinstance(callbacks, CallbackList):
        return callbacks
    if mode != "predict" and batches.counts_steps and model._compilation is None:
        batches.look_ahead()
    names = model.metrics_names if mode != "predict" else []
    given = list(callbacks or ()) if isinstance(callbacks, (list, tuple)) or callbacks is None else [callbacks]
    if mode == "train":
        model.history = History()
        given = [BaseLogger(stateful_metrics=names[1:]), *given, model.history]
    called = CallbackList(given)
    called.set_model(getattr(model, "callback_model", None) or model)
    called.set_params({"batch_size": getattr(batches, "batch_size", None), "epochs": epochs,
                       "steps": batches.steps if batches.counts_steps else None, "samples": batches.samples,
                       "verbose": verbose, "do_validation": validates,
                       "metrics": names + [f"val_{name}" for name in names] if validates else list(names)})
    return called


def _bar(batches: Any, called: CallbackList, verbose: int) -> ProgbarLogger:
    bar = ProgbarLogger("steps" if batches.counts_steps else "samples", called.params["metrics"][1:])
    bar.set_params({**called.params, "verbose": verbose})
    return bar
