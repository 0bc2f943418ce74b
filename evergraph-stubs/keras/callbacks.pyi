# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.callbacks."""

from collections.abc import Callable
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

class CSVLogger(Callback):
    """Writes the metrics of each epoch to a file, a line each."""
    def on_train_begin(self, logs: Any = None) -> None:
        """Opens the file."""
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Writes a line."""
    def on_train_end(self, logs: Any = None) -> None:
        """Closes the file."""
    def __init__(self, filename: str, separator: str = ',', append: bool = False) -> None: ...
    writer: Any
    keys: list[str] | None
    append_header: Any
    filename: Any
    sep: Any
    append: Any
    csv_file: Any

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

class EarlyStopping(Callback):
    """Ends training when a metric stops getting better."""
    def on_train_begin(self, logs: Any = None) -> None:
        """Begins anew."""
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Compares the metric with the best one."""
    def on_train_end(self, logs: Any = None) -> None:
        """Says that training ended early."""
    def get_monitor_value(self, logs: Any) -> Any:
        """The metric in the logs; None, with a warning, if it is missing."""
    def __init__(
        self, monitor: str = 'val_loss', min_delta: float = 0, patience: int = 0, verbose: int = 0,
        mode: str = 'auto', baseline: float | None = None, restore_best_weights: bool = False,
    ) -> None: ...
    wait: Any
    stopped_epoch: Any
    min_delta: Any
    monitor: Any
    patience: Any
    verbose: Any
    baseline: Any
    restore_best_weights: Any
    best_weights: Any
    monitor_op: Any
    best: Any

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

class LearningRateScheduler(Callback):
    """Sets the learning rate at the beginning of each epoch."""
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Sets the rate."""
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Adds the rate to the logs."""
    def __init__(self, schedule: Callable[..., float], verbose: int = 0) -> None: ...
    schedule: Any
    verbose: Any

class ModelCheckpoint(Callback):
    """Saves the model while it is trained."""
    def on_train_begin(self, logs: Any = None) -> None:
        """Loads the weights of the latest file, if wanted."""
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Remembers the epoch."""
    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Saves the model after enough examples."""
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Saves the model after enough epochs."""
    def __init__(
        self, filepath: Any, monitor: str = 'val_loss', verbose: int = 0, save_best_only: bool = False,
        save_weights_only: bool = False, mode: str = 'auto', save_freq: Any = 'epoch', **kwargs: Any,
    ) -> None: ...
    filepath: Any
    load_weights_on_restart: Any
    period: Any
    epochs_since_last_save: Any
    monitor: Any
    verbose: Any
    save_best_only: Any
    save_weights_only: Any
    save_freq: Any
    monitor_op: Any
    best: Any

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

class ReduceLROnPlateau(Callback):
    """Reduces the learning rate when a metric stops getting better."""
    def on_train_begin(self, logs: Any = None) -> None:
        """Begins anew."""
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Compares the metric with the best one, and reduces the rate."""
    def in_cooldown(self) -> bool:
        """Whether the last reduction is recent."""
    def __init__(
        self, monitor: str = 'val_loss', factor: float = 0.1, patience: int = 10, verbose: int = 0,
        mode: str = 'auto', min_delta: float = 0.0001, cooldown: int = 0, min_lr: float = 0, **kwargs: Any,
    ) -> None: ...
    monitor: Any
    factor: Any
    patience: Any
    verbose: Any
    mode: Any
    min_delta: Any
    cooldown: Any
    min_lr: Any
    monitor_op: Any
    cooldown_counter: Any
    wait: Any
    best: Any

class RemoteMonitor(Callback):
    """Sends the metrics of each epoch to a server, as a POST request."""
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Sends the metrics; a server that cannot be reached is a warning."""
    def __init__(
        self, root: str = 'http://localhost:9000', path: str = '/publish/epoch/end/', field: str = 'data',
        headers: dict[str, str] | None = None, send_as_json: bool = False,
    ) -> None: ...
    root: Any
    path: Any
    field: Any
    headers: Any
    send_as_json: Any

class TensorBoard(Callback):
    """Writes events for TensorBoard."""
    def set_model(self, model: Any) -> None:
        """Sets the model, and opens the file."""
    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Writes the metrics of a batch, if it is time."""
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Has the steps of validation write the histograms, if it is time."""
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Writes the metrics of an epoch, and the embeddings if it is time."""
    def on_train_end(self, logs: Any = None) -> None:
        """Closes the file."""
    def __init__(
        self, log_dir: str = './logs', histogram_freq: int = 0, batch_size: int = 32, write_graph: bool = True,
        write_grads: bool = False, write_images: bool = False, embeddings_freq: int = 0,
        embeddings_layer_names: Any = None, embeddings_metadata: Any = None, embeddings_data: Any = None,
        update_freq: Any = 'epoch', profile_batch: int = 2,
    ) -> None: ...
    merged: Any
    writer: Any
    update_freq: Any
    log_dir: Any
    histogram_freq: Any
    batch_size: Any
    write_graph: Any
    write_grads: Any
    write_images: Any
    embeddings_freq: Any
    embeddings_layer_names: Any
    embeddings_metadata: Any
    embeddings_data: Any

class TerminateOnNaN(Callback):
    """Ends training when the loss of a batch is NaN or infinite."""
    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Looks at the loss."""
