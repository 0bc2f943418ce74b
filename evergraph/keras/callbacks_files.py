"""tf.keras.callbacks that write files or send logs: ModelCheckpoint, CSVLogger and RemoteMonitor."""
from __future__ import annotations

import csv
import json
import os
import re
import urllib.parse
import urllib.request
from collections.abc import Iterable
from typing import Any

import numpy as np

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.keras.callbacks import Callback
from evergraph.keras.callbacks_monitor import better
from evergraph.save.state import latest_checkpoint


@export("keras.callbacks.ModelCheckpoint")
class ModelCheckpoint(Callback):
    """Saves the model while it is trained.

    Args:
        filepath: the file, a format of `epoch` and the metrics, such as "model-{epoch:02d}-{val_loss:.2f}.h5".
        monitor: the name of the metric for `save_best_only`.
        verbose: 1 for a line at each save.
        save_best_only: whether the model is saved only when the metric is better than ever before.
        save_weights_only: whether only the weights are saved, by `save_weights`.
        mode: "min" if less is better, "max" if more is, "auto" to go by the name.
        save_freq: "epoch", or the number of examples after which the model is saved.
        **kwargs: `load_weights_on_restart`, whether training starts with the weights of the latest such file; `period`,
            the number of epochs between two files.

    Raises:
        ValueError: `save_freq` is something else.
        TypeError: there is another keyword.
    """

    def __init__(self, filepath: Any, monitor: str = "val_loss", verbose: int = 0, save_best_only: bool = False,
                 save_weights_only: bool = False, mode: str = "auto", save_freq: Any = "epoch",
                 **kwargs: Any) -> None:
        super().__init__()
        self.filepath = filepath if filepath is None else os.fspath(filepath)
        self.monitor, self.verbose = monitor, verbose
        self.save_best_only, self.save_weights_only, self.save_freq = save_best_only, save_weights_only, save_freq
        self.load_weights_on_restart = kwargs.pop("load_weights_on_restart", False)
        self.period = kwargs.pop("period", 1)
        if kwargs:
            raise TypeError(f"ModelCheckpoint has no arguments {sorted(kwargs)}")
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(f"Unrecognized save_freq: {save_freq}; it is 'epoch' or a number of examples")
        self.monitor_op, self.best = better(monitor, mode, "ModelCheckpoint")
        self.epochs_since_last_save = self._samples_seen_since_last_saving = self._current_epoch = 0

    def on_train_begin(self, logs: Any = None) -> None:
        """Loads the weights of the latest file, if wanted."""
        if self.load_weights_on_restart:
            found = self._get_most_recently_modified_file_matching_pattern(self.filepath)
            if found is not None and (os.path.exists(found) or os.path.exists(f"{found}.index")):
                self.model.load_weights(found)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Remembers the epoch."""
        self._current_epoch = epoch

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Saves the model after enough examples."""
        if isinstance(self.save_freq, int):
            self._samples_seen_since_last_saving += (logs or {}).get("size", 1)
            if self._samples_seen_since_last_saving >= self.save_freq:
                self._save_model(self._current_epoch, logs or {})
                self._samples_seen_since_last_saving = 0

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Saves the model after enough epochs."""
        self.epochs_since_last_save += 1
        if self.save_freq == "epoch" and self.epochs_since_last_save >= self.period:
            self._save_model(epoch, logs or {})

    def _save_model(self, epoch: int, logs: dict[str, Any]) -> None:
        self.epochs_since_last_save = 0
        path = self._get_file_path(epoch, logs)
        say = print if self.verbose > 0 else lambda text: None
        if not self.save_best_only:
            say(f"\nEpoch {epoch + 1:05d}: saving model to {path}")
            self._save(path)
            return
        current = logs.get(self.monitor)
        if current is None:
            logging.warning("No value of %s, which tells the best model: nothing saved.", self.monitor)
        elif self.monitor_op(current, self.best):
            say(f"\nEpoch {epoch + 1:05d}: {self.monitor} improved from {self.best:0.5f} to {current:0.5f}, saving "
                f"model to {path}")
            self.best = current
            self._save(path)
        else:
            say(f"\nEpoch {epoch + 1:05d}: {self.monitor} did not improve from {self.best:0.5f}")

    def _save(self, path: str) -> None:
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)

    def _get_file_path(self, epoch: int, logs: dict[str, Any]) -> str:
        """The name of the file; TensorFlow formats the number of the epoch from 1.

        Raises:
            KeyError: the format has a name that the logs lack.
        """
        try:
            return self.filepath.format(epoch=epoch + 1, **logs)
        except KeyError as error:
            raise KeyError(f"Failed to format this callback filepath: {self.filepath!r}. It has {error}, but the logs "
                           f"have {sorted(logs)}") from None

    def _get_most_recently_modified_file_matching_pattern(self, pattern: str) -> str | None:
        """The latest file whose name could come from the format; of two of one time, the last by name."""
        folder, base = os.path.split(pattern)
        fits = re.compile("^" + ".*".join(re.escape(part) for part in re.split("{.*?}", base)) + "$")
        latest = latest_checkpoint(folder or ".")
        if latest is not None and fits.search(os.path.basename(latest)):
            return latest
        if not os.path.isdir(folder or "."):
            return None
        found = [os.path.join(folder, name) for name in sorted(os.listdir(folder or ".")) if fits.search(name)]
        return max(found, key=lambda path: (os.path.getmtime(path), path), default=None)


@export("keras.callbacks.CSVLogger")
class CSVLogger(Callback):
    """Writes the metrics of each epoch to a file, a line each.

    Args:
        filename: the file.
        separator: what stands between the values.
        append: whether the lines follow those that the file has.
    """

    def __init__(self, filename: str, separator: str = ",", append: bool = False) -> None:
        super().__init__()
        self.filename, self.sep, self.append = filename, separator, append
        self.writer: Any = None
        self.keys: list[str] | None = None
        self.append_header = True

    def on_train_begin(self, logs: Any = None) -> None:
        """Opens the file."""
        if self.append and os.path.exists(self.filename):
            with open(self.filename) as file:
                self.append_header = not file.readline()
        self.csv_file = open(self.filename, "a" if self.append else "w", newline="")  # noqa: SIM115 - closed at the end

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Writes a line."""
        logs = logs or {}
        if self.writer is None:
            missing = [f"val_{name}" for name in sorted(logs)] if self.params.get("do_validation") and not any(
                name.startswith("val_") for name in logs) else []
            self.keys = self.keys or sorted(logs) + missing  # a validation may come with a later epoch only
            self.writer = csv.DictWriter(self.csv_file, ["epoch", *self.keys], delimiter=self.sep, lineterminator="\n")
            if self.append_header:
                self.writer.writeheader()
        self.writer.writerow({"epoch": epoch} | {name: _cell(logs.get(name, "NA")) for name in self.keys or ()})
        self.csv_file.flush()

    def on_train_end(self, logs: Any = None) -> None:
        """Closes the file."""
        self.csv_file.close()
        self.writer = None


def _cell(value: Any) -> Any:
    """A value as a line has it: those of vectors in brackets."""
    if isinstance(value, Iterable) and not isinstance(value, str) and np.ndim(value) > 0:
        return f'"[{", ".join(map(str, value))}]"'
    return value


@export("keras.callbacks.RemoteMonitor")
class RemoteMonitor(Callback):
    """Sends the metrics of each epoch to a server, as a POST request.

    Args:
        root: the address of the server.
        path: the path.
        field: the name of the form's field that holds the JSON text.
        headers: headers of the request.
        send_as_json: whether the body is the JSON text itself.
    """

    def __init__(self, root: str = "http://localhost:9000", path: str = "/publish/epoch/end/", field: str = "data",
                 headers: dict[str, str] | None = None, send_as_json: bool = False) -> None:
        super().__init__()
        self.root, self.path, self.field, self.headers, self.send_as_json = root, path, field, headers, send_as_json

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Sends the metrics; a server that cannot be reached is a warning."""
        text = json.dumps({"epoch": epoch} | {name: np.asarray(value).tolist() for name, value in (logs or {}).items()})
        kind = "application/json" if self.send_as_json else "application/x-www-form-urlencoded"
        body = text if self.send_as_json else urllib.parse.urlencode({self.field: text})
        request = urllib.request.Request(self.root + self.path, body.encode(),
                                         {"Content-Type": kind, **(self.headers or {})})
        try:
            urllib.request.urlopen(request).close()
        except OSError as error:
            logging.warning("Could not reach RemoteMonitor root server at %s: %s", self.root, error)
