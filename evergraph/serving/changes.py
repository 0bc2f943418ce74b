"""What changes while a server runs: versions, configurations, and what other workers have to tell."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from evergraph import proto
from evergraph.base import errors, files, logging
from evergraph.formats.replace import replace_file
from evergraph.proto.wire import from_bytes
from evergraph.serving.config import read_model_config, sources_of
from evergraph.serving.core import Core
from evergraph.serving.json_text import written
from evergraph.serving.options import Options

POLL = 0.25  # seconds between looks at what is due

_CONFIG = "config.pb"
_METRICS = "metrics-"


class Changes:
    """Looks for changes when they are due, in the thread of a Poller.

    Workers share a directory: each writes its metrics there, and the configuration that a client has sent it.

    Args:
        core: the models.
        options: those of the server.
    """

    def __init__(self, core: Core, options: Options) -> None:
        self._core, self._options = core, options
        self._due = {
            self._core.models.update: options.poll_seconds,
            self._read_config: options.config_poll_seconds if options.model_config_file else 0,
            self._read_sent_config: 1.0 if options.shared else 0,
            self._write_metrics: 1.0 if options.shared else 0,
        }
        self._last = dict.fromkeys(self._due, time.monotonic())
        self._file = files.read_file(options.model_config_file) if options.model_config_file else b""
        self._sent = b""

    @property
    def is_needed(self) -> bool:
        return any(self._due.values())

    def look(self) -> None:
        """Does what is due."""
        now = time.monotonic()
        for act, seconds in self._due.items():
            if seconds and now - self._last[act] >= seconds:
                self._last[act] = now
                act()

    # ---- configurations

    def _read_config(self) -> None:
        """Serves what the model_config_file says, once it has changed; one that is not sound changes nothing."""
        path = self._options.model_config_file
        content = files.read_file(path)
        if content == self._file:
            return
        self._file = content
        try:
            self._core.models.reconfigure(read_model_config(path or ""))
        except errors.OpError as error:
            logging.error(f"{path} changes nothing: {error.message}")

    def reload(self, config: Any) -> None:
        """Serves the models of a configuration that a client has sent, in all workers.

        Raises:
            OpError: it is not sound.
        """
        self._core.models.reconfigure(sources_of(config))
        if self._options.shared is not None:
            self._sent = config.SerializeToString()
            replace_file(os.path.join(self._options.shared, _CONFIG), self._sent)

    def _read_sent_config(self) -> None:
        path = os.path.join(self._options.shared or "", _CONFIG)
        if not os.path.exists(path):
            return
        with open(path, "rb") as file:
            content = file.read()
        if content != self._sent:
            self._sent = content
            config = from_bytes(content, proto.serving_pb2.ModelServerConfig())
            self._core.models.reconfigure(sources_of(config))

    # ---- metrics

    def _write_metrics(self) -> None:
        path = os.path.join(self._options.shared or "", f"{_METRICS}{self._options.worker}")
        replace_file(path, written(self._core.snapshot()))

    def snapshots_of_others(self) -> list[Any]:
        """The metrics of the other workers, a second old at most."""
        if self._options.shared is None:
            return []
        own = f"{_METRICS}{self._options.worker}"
        found = []
        for name in sorted(os.listdir(self._options.shared)):
            if name.startswith(_METRICS) and name != own and name[len(_METRICS) :].isdecimal():
                with open(os.path.join(self._options.shared, name), "rb") as file:
                    found.append(json.loads(file.read()))
        return found
