"""The server without its protocols: models, their queues, metrics, and the threads that long runs have."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.compile.policy import compilations
from evergraph.serving import metrics as names
from evergraph.serving.batching import Batching, Call, Queue
from evergraph.serving.config import Source
from evergraph.serving.metrics import LATENCIES, SIZES, Counter, Histogram, Metrics
from evergraph.serving.models import Models
from evergraph.serving.servable import Loading, Servable, load_servable
from evergraph.serving.signature import Signature
from evergraph.serving.statuses import as_op_error, code_name
from evergraph.serving.warmup import warm_up


class Core:
    """Loads models and answers questions to them, in arrays.

    Args:
        sources: the models.
        loading: how they are loaded.
        batching: how requests are put together; None to run each alone.
        threads: how many runs may be under way that are too long for the event loop.
        longest: seconds after which a run of a model with loops or queues is ended, whoever waits for it.
        warms_up: whether versions are warmed up before they take over.

    Attributes:
        models, metrics: those of the server.
    """

    def __init__(
        self, sources: Iterable[Source], loading: Loading, batching: Batching | None = None, threads: int = 4,
        longest: float = 30.0, warms_up: bool = True,
    ) -> None:  # fmt: skip
        self._loading, self._batching, self._warms_up = loading, batching, warms_up
        self._threads, self._longest = threads, longest
        self.metrics = Metrics()
        self._meters: dict[tuple[str, str, str], tuple[Counter, Histogram]] = {}
        self._pool = ThreadPoolExecutor(threads, "evergraph-serve-run")
        self.models = Models(sources, self._load)

    def _load(self, name: str, version: int, path: str) -> Servable:
        servable = load_servable(name, version, path, self._loading)
        if self._warms_up:
            try:
                warm_up(servable, self._batching)
            except (errors.OpError, ValueError, TypeError) as error:
                servable.close()
                raise invalid(f"{path} cannot be warmed up: {error}") from error
        servable.queues = {key: self._queue(name, each) for key, each in servable.signatures.items()}
        return servable

    def _queue(self, model: str, signature: Signature) -> Queue:
        latency = self.metrics.histogram(
            names.RUNTIME_LATENCY, LATENCIES, model_name=model, API="Predict", runtime="TF1")
        rows_asked = self.metrics.histogram(names.BATCH_ROWS, SIZES, model_name=model)
        rows_run = self.metrics.histogram(names.BATCH_RUN_ROWS, SIZES, model_name=model)

        def ran(asked: int, run: int, seconds: float) -> None:
            latency.add(seconds * 1e6)
            if run:
                rows_asked.add(asked)
                rows_run.add(run)

        return Queue(signature, self._batching, self._threads, self._longest, ran)

    # ---- asking

    def ask_elsewhere(self, queue: Queue, call: Call) -> None:
        """Has a call answered, and its `done` called, in another thread.

        Raises:
            OpError: the call cannot be taken.
        """
        queue.add(call)
        self._pool.submit(queue.drain)

    def ask_here(self, queue: Queue, call: Call, later: Callable[[float, Callable[[], None]], Any]) -> None:
        """Has a call of a light signature answered in this thread, together with what comes in the meantime.

        Args:
            queue: that of the signature.
            call: the question.
            later: has this thread call a function after some seconds; after none, as soon as it has read what has
                arrived.

        Raises:
            OpError: the call cannot be taken.
        """
        is_first = queue.add(call)
        if queue.is_full:
            queue.drain(at_once=True)
        elif is_first:
            later(queue.waits, functools.partial(queue.drain, at_once=True))

    def elsewhere(self, act: Callable[[], None]) -> None:
        """Calls a function in one of the threads for what takes long."""
        self._pool.submit(act)

    # ---- telling

    def count(self, model: str, api: str, entrypoint: str, error: Exception | None, seconds: float) -> None:
        """Counts a request that was answered."""
        if error is not None:
            known = model if model in self.models.by_name else ""  # names that clients make up would never end
            self.metrics.counter(names.REQUESTS, model_name=known, status=code_name(as_op_error(error))).add()
            return
        key = model, api, entrypoint
        meters = self._meters.get(key) or self._meters.setdefault(key, self._made_meters(*key))
        meters[0].add()
        meters[1].add(seconds * 1e6)

    def _made_meters(self, model: str, api: str, entrypoint: str) -> tuple[Counter, Histogram]:
        latency = self.metrics.histogram(
            names.REQUEST_LATENCY, LATENCIES, model_name=model, API=api, entrypoint=entrypoint)
        return self.metrics.counter(names.REQUESTS, model_name=model, status=code_name(None)), latency

    def snapshot(self) -> list[object]:
        """The metrics as they are now."""
        counter = self.metrics.counter(names.COMPILATIONS)
        counter.add(compilations.count - counter.value)
        return self.metrics.snapshot()

    def close(self, seconds: float = 0.0) -> bool:
        """Waits for the runs that are under way, up to some seconds; returns whether there are none any more."""
        until = time.monotonic() + seconds
        queues = [queue for model in self.models.by_name.values() for servable in model.loaded.values()
                  for queue in servable.queues.values()]  # fmt: skip
        while (is_running := any(queue.is_running for queue in queues)) and time.monotonic() < until:
            time.sleep(0.01)
        self._pool.shutdown(wait=not is_running)
        return not is_running
