"""`hvd.callbacks`: equal starts, common metrics and learning rates for the training of Keras models."""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.graph.graph import default_graph
from evergraph.horovod.processes import here, joined
from evergraph.horovod.tensorflow import broadcast_global_variables, broadcast_variables
from evergraph.keras.callbacks import Callback
from evergraph.keras.session import get_session, get_value, set_value


def _backend(model: Any) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any], Callable[[], Any]]:
    """(reads a variable, sets one, gives the session) of the Keras that a model belongs to."""
    if type(model).__module__.partition(".")[0] == "keras":
        backend = sys.modules["keras.backend"]
        return backend.get_value, backend.set_value, backend.get_session
    return get_value, set_value, get_session


class BroadcastGlobalVariablesCallback(Callback):
    """Gives all variables the values of one process after the first batch, when all of them are there.

    Args:
        root_rank: which process.
        device: has no meaning here.
    """

    def __init__(self, root_rank: int, device: str = "") -> None:
        super().__init__()
        self.root_rank, self._is_done = root_rank, False

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Does so once."""
        if self._is_done:
            return
        self._is_done = True
        if default_graph().is_eager:
            broadcast_variables(self.model.variables, self.root_rank)
            broadcast_variables(self.model.optimizer.variables(), self.root_rank)
            return
        session = _backend(self.model)[2]()
        with session.graph.as_default():
            session.run(broadcast_global_variables(self.root_rank))


class MetricAverageCallback(Callback):
    """Replaces metrics by their means over all processes at the end of each epoch. It stands before who uses them.

    Args:
        device: has no meaning here.
    """

    def __init__(self, device: str = "") -> None:
        super().__init__()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Does so."""
        if logs and here().size > 1:
            names = sorted(logs)
            totals = joined().all_reduce([np.array([float(logs[name]) for name in names])])[0]
            logs.update(zip(names, (totals / here().size).tolist()))


class LearningRateScheduleCallback(Callback):
    """Multiplies the learning rate that the optimizer had at first.

    Args:
        multiplier: a factor, or a function of the epoch, which is a fraction where it changes smoothly.
        start_epoch: when it begins.
        end_epoch: when it ends; None for never.
        staircase: whether it changes with epochs only.
        momentum_correction: whether momentum is changed in proportion for the batch at which the rate changes.
        steps_per_epoch: how many batches there are; by default what Keras knows.
        initial_lr: the learning rate that is multiplied; by default the optimizer's.

    Raises (at the first batch):
        ValueError: it changes smoothly, and the number of batches is not known.
    """

    def __init__(self, multiplier: Any, start_epoch: int = 0, end_epoch: int | None = None, staircase: bool = True,
                 momentum_correction: bool = True, steps_per_epoch: int | None = None, initial_lr: float | None = None
                 ) -> None:
        super().__init__()
        self.start_epoch, self.end_epoch, self.initial_lr = start_epoch, end_epoch, initial_lr
        self.staircase = staircase or not callable(multiplier)
        self.multiplier = multiplier if callable(multiplier) else lambda epoch: multiplier
        self.momentum_correction, self.steps_per_epoch = momentum_correction, steps_per_epoch
        self.current_epoch, self._momentum = 0, None

    def on_train_begin(self, logs: Any = None) -> None:
        """Notes the learning rate and the number of batches.

        Raises:
            ValueError: the number is needed, and not known.
        """
        read = _backend(self.model)[0]
        if self.initial_lr is None:
            self.initial_lr = float(read(self.model.optimizer.lr))
        if not self.staircase and not self.steps_per_epoch:
            known = self.params or {}
            if known.get("steps"):
                self.steps_per_epoch = known["steps"]
            elif known.get("samples") and known.get("batch_size"):
                self.steps_per_epoch = known["samples"] // known["batch_size"]
            else:
                raise ValueError("Could not autodetect the number of steps per epoch. Please specify the "
                                 f"steps_per_epoch parameter to the {type(self).__name__}() or upgrade to the latest "
                                 "version of Keras.")

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Notes the epoch."""
        self.current_epoch = epoch

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Sets the learning rate."""
        if self.current_epoch < self.start_epoch or self.end_epoch is not None and self.current_epoch >= self.end_epoch:
            return
        if self.staircase and batch == 0:
            self._set(self.current_epoch)
        elif not self.staircase:
            self._set(self.current_epoch + batch / self.steps_per_epoch)

    def _set(self, epoch: float) -> None:
        read, write, _ = _backend(self.model)
        optimizer = self.model.optimizer
        before, rate = float(read(optimizer.lr)), self.initial_lr * self.multiplier(epoch)
        write(optimizer.lr, rate)
        if self.momentum_correction and _momentum(optimizer) is not None and before:
            self._momentum = read(optimizer.momentum)
            write(optimizer.momentum, self._momentum * rate / before)

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Takes back the correction of the momentum."""
        if self._momentum is not None:
            _backend(self.model)[1](self.model.optimizer.momentum, self._momentum)
            self._momentum = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Logs the learning rate."""
        if logs is not None:
            logs["lr"] = float(_backend(self.model)[0](self.model.optimizer.lr))


def _momentum(optimizer: Any) -> Any:
    """The momentum of an optimizer, if it is one that can be set."""
    found = getattr(optimizer, "momentum", None)
    return None if isinstance(found, (int, float)) else found


class LearningRateWarmupCallback(LearningRateScheduleCallback):
    """Raises the learning rate from that of one process to that of all, during the first epochs (Goyal et al., 2017).

    Args:
        warmup_epochs: how many epochs that takes.
        momentum_correction, steps_per_epoch, initial_lr: see `LearningRateScheduleCallback`.
        verbose: whether to say when it is over.
    """

    def __init__(self, warmup_epochs: int = 5, momentum_correction: bool = True, steps_per_epoch: int | None = None,
                 verbose: int = 0, initial_lr: float | None = None) -> None:
        def multiplier(epoch: float) -> float:
            epoch += 1.0 / self.steps_per_epoch  # so that the last batch of the last epoch has the full rate
            return 1.0 / here().size * (epoch * (here().size - 1) / warmup_epochs + 1)

        super().__init__(multiplier, 0, warmup_epochs, False, momentum_correction, steps_per_epoch, initial_lr)
        self.verbose = verbose

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Logs the learning rate, and says when it is the full one."""
        super().on_epoch_end(epoch, logs)
        if epoch == self.end_epoch - 1 and self.verbose > 0 and here().rank == 0:
            rate = float(_backend(self.model)[0](self.model.optimizer.lr))
            print(f"\nEpoch {epoch + 1}: finished gradual learning rate warmup to {rate:g}.")
