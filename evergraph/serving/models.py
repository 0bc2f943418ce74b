"""The models that a server has: which versions are there, loading new ones, letting old ones go."""

from __future__ import annotations

import gc
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from evergraph.base import errors, files, logging
from evergraph.base.errors import invalid
from evergraph.serving.config import Source
from evergraph.serving.servable import Servable

Load = Callable[[str, int, str], Servable]
"""Loads and warms up a version of a model: name, version, path."""


@dataclass
class Version:
    """What has become of a version of a model.

    Attributes:
        state: START, LOADING, AVAILABLE, UNLOADING or END, as GetModelStatus tells.
        error: why it could not be loaded.
        mark: what the version's directory looked like when it failed: it is tried again when that changes.
    """

    state: str = "START"
    error: errors.OpError | None = None
    mark: Any = None


class Model:
    """A model with its versions. Requests look `current` and `loaded` up without a lock: both are replaced whole.

    Attributes:
        source: what to serve.
        versions: the fate of each version that was ever asked for.
        loaded: the versions that can be asked.
        current: the latest of them; None without any.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.versions: dict[int, Version] = {}
        self.loaded: dict[int, Servable] = {}
        self.current: Servable | None = None

    def find(self, version: int | None, label: str | None) -> Servable:
        """The version that a request asks for.

        Raises:
            NotFoundError: it is not loaded.
            InvalidArgumentError: there is no such label.
        """
        if label is not None:
            if label not in self.source.labels:
                raise invalid(f"Unrecognized servable version label: {label}")
            version = self.source.labels[label]
        found = self.current if version is None else self.loaded.get(version)
        if found is None:
            which = f"Latest({self.source.name})" if version is None else f"Specific({self.source.name}, {version})"
            raise errors.NotFoundError(None, None, f"Servable not found for request: {which}")
        return found

    def update(self, load: Load) -> None:
        """Loads the versions that the policy asks for and that are not loaded; then lets go of the others.

        Versions that are loaded stay until those in their place are. A version that cannot be loaded leaves the ones
        that are, and is tried again when its files change.
        """
        there = self.source.versions()
        wanted = self.source.policy(list(there))
        for version in sorted(wanted - self.loaded.keys()):
            self._load(version, there[version], load)
        if wanted & self.loaded.keys():  # otherwise nothing could take their place
            for version in sorted(self.loaded.keys() - wanted):
                self.unload(version)

    def _load(self, version: int, path: str, load: Load) -> None:
        fate, mark = self.versions.get(version), _mark(path)
        if fate is not None and fate.state == "END" and fate.error is not None and fate.mark == mark:
            return
        fate = self.versions[version] = Version("LOADING", mark=mark)
        try:
            servable = load(self.source.name, version, path)
        except errors.OpError as error:
            fate.state, fate.error = "END", errors.make_error(error.error_code, error.message)  # without its frames
            logging.error(f"{path}: version {version} of {self.source.name!r} is not served: {error.message}")
            return
        gc.collect()
        gc.freeze()  # a model is millions of objects that stay: no later collection has to look at them
        fate.state = "AVAILABLE"
        self._replace({**self.loaded, version: servable})
        logging.info(f"{path}: version {version} of {self.source.name!r} is served")

    def unload(self, version: int) -> None:
        """Lets go of a version. Requests under way hold it until they are answered; then it is freed."""
        fate, servable = self.versions[version], self.loaded[version]
        fate.state = "UNLOADING"
        weakref.finalize(servable, _ended, fate, servable.session)
        self._replace({key: value for key, value in self.loaded.items() if key != version})
        del servable
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def _replace(self, loaded: dict[int, Servable]) -> None:
        self.loaded = loaded
        self.current = loaded[max(loaded)] if loaded else None


def _ended(fate: Version, session: Any) -> None:
    session.close()
    fate.state = "END"


def _mark(path: str) -> Any:
    """What tells whether the files of a version have changed."""
    try:
        inside = [os.path.join(folder, name) for folder, _, names in files.walk(path) for name in names]
        found = [(each, files.stat(each)) for each in inside or [path]]
        return [(each, status.length, status.mtime_nsec) for each, status in found]
    except errors.OpError:
        return None  # it is being written or deleted


class Models:
    """All models of a server, by name. One thread updates them; requests may come in any.

    Args:
        sources: the models.
        load: loads a version, and warms it up.
    """

    def __init__(self, sources: Iterable[Source], load: Load) -> None:
        self._load = load
        self._changing = threading.Lock()
        self.by_name = {source.name: Model(source) for source in sources}

    def find(self, name: str, version: int | None = None, label: str | None = None) -> Servable:
        """The version of a model that a request asks for.

        Raises:
            NotFoundError: there is no such model, or no such version.
            InvalidArgumentError: there is no such label.
        """
        return self.model(name).find(version, label)

    def model(self, name: str) -> Model:
        """The model of this name.

        Raises:
            NotFoundError: there is none.
        """
        model = self.by_name.get(name)
        if model is None:
            raise errors.NotFoundError(None, None, f"Servable not found for request: Latest({name})")
        return model

    def update(self) -> None:
        """Loads and lets go of versions, as the files and policies are now."""
        with self._changing:
            for model in list(self.by_name.values()):
                try:
                    model.update(self._load)
                except errors.OpError as error:  # a file system that does not answer
                    logging.error(f"{model.source.base_path}: {error.message}")

    def reconfigure(self, sources: Iterable[Source]) -> None:
        """Serves these models from now on: keeps those that stay the same, loads new ones, lets go of the others."""
        with self._changing:
            by_name = {}
            for source in sources:
                model = self.by_name.get(source.name)
                if model is None or model.source.base_path != source.base_path:
                    model = Model(source)
                model.source = source
                model.update(self._load)
                by_name[source.name] = model
            gone = [model for name, model in self.by_name.items() if by_name.get(name) is not model]
            self.by_name = by_name
            for model in gone:
                for version in list(model.loaded):
                    model.unload(version)

    @property
    def are_ready(self) -> bool:
        """Whether every model has a version that can be asked."""
        return all(model.current is not None for model in self.by_name.values())


class Poller:
    """Updates models every few seconds, in a thread.

    Args:
        act: what to do each time.
        seconds: how long to wait in between.
    """

    def __init__(self, act: Callable[[], None], seconds: float) -> None:
        self._act, self._seconds = act, seconds
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._work, name="evergraph-serve-poll", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while not self._end.wait(self._seconds):
            start = time.monotonic()
            try:
                self._act()
            except Exception as error:  # the next turn may go better, and the versions that are loaded stay
                logging.error(f"Looking for new versions failed after {time.monotonic() - start:.1f} s: {error!r}")

    def close(self) -> None:
        self._end.set()
        self._thread.join()
