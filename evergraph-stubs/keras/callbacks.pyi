# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.callbacks."""

from typing import Any

class BaseLogger(Callback):
    """Averages the metrics over the batches of an epoch, weighted by their sizes; `fit` has one of its
    own."""
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Forgets the epoch before."""
    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Takes in a batch."""
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Puts the averages into the logs."""
    def __init__(self, stateful_metrics: Any = None) -> None: ...
    stateful_metrics: Any
    seen: Any
    totals: Any

class Callback:
    """The base of callbacks: a subclass overrides the methods of the moments that it waits for."""
    def set_params(self, params: dict[str, Any]) -> None:
        """Sets the parameters of the loop."""
    def set_model(self, model: Any) -> None:
        """Sets the model."""
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
    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after a batch of training; `logs` has the metrics, too."""
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
    def __init__(self) -> None: ...
    validation_data: Any
    model: Any
    params: dict[str, Any]

class History(Callback):
    """The metrics of all epochs, by name, in `history`; their numbers in `epoch`."""
    def on_train_begin(self, logs: Any = None) -> None:
        """Begins anew."""
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Keeps the metrics of an epoch."""
    epoch: list[int]
    history: dict[str, list[Any]]

class LambdaCallback(Callback):
    """A callback made of functions."""
    def __init__(
        self, on_epoch_begin: Any = None, on_epoch_end: Any = None, on_batch_begin: Any = None,
        on_batch_end: Any = None, on_train_begin: Any = None, on_train_end: Any = None, **kwargs: Any,
    ) -> None: ...

class ProgbarLogger(Callback):
    """Prints a progress bar with the metrics; `fit` with `verbose` has one of its own."""
    def on_train_begin(self, logs: Any = None) -> None:
        """Reads the parameters."""
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Begins a bar."""
    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Forgets the values of the batch before."""
    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Moves the bar; the last batch is shown at the end of the epoch."""
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Shows the end of the bar."""
    def __init__(self, count_mode: str = 'samples', stateful_metrics: Any = None) -> None: ...
    use_steps: Any
    stateful_metrics: Any
    verbose: Any
    epochs: Any
    seen: Any
    target: Any
    progbar: Any

class TerminateOnNaN(Callback):
    """Ends training when the loss of a batch is NaN or infinite."""
    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Looks at the loss."""
