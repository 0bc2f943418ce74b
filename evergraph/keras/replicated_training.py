"""The steps of a compiled model under a distribution strategy: each replica computes a part of the batch."""
from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.distribute.contexts import get_replica_context
from evergraph.distribute.values import PerReplica, local_values
from evergraph.eager.function import function
from evergraph.frontend import array
from evergraph.graph.graph import default_graph
from evergraph.keras import session
from evergraph.keras.compilation import Compilation
from evergraph.keras.eager_training import EagerTraining


def strategy_of(model: Any) -> Any:
    """The strategy in whose scope a model was compiled, or else its variables were made; None if there is none."""
    if model._strategy is not None:
        return model._strategy
    found = (getattr(variable, "_distribute_strategy", None) for variable in (model.weights if model.built else ()))
    return next((strategy for strategy in found if strategy is not None), None)


def scope_of(model: Any) -> contextlib.AbstractContextManager[Any]:
    """The scope of a model's strategy, in which its variables and those of its metrics are made."""
    strategy = strategy_of(model)
    return contextlib.nullcontext() if strategy is None else strategy.scope()


class ReplicatedTraining(EagerTraining):
    """The steps of a model with variables on several devices, as functions of arrays, in a graph or eagerly.

    Each replica gets an equal part of the rows, and its loss an equal part in the sum that training minimizes: the mean
    of the losses of all replicas. A batch with fewer rows than replicas is computed by all of them, and counted by the
    metrics of the first.

    Args:
        model: the model.
        compilation: its losses and metrics; None if it is not compiled.
        strategy: the strategy.
    """

    def __init__(self, model: Any, compilation: Compilation | None, strategy: Any) -> None:
        super().__init__(model, compilation)
        self._strategy, self._session = strategy, None
        self._counts_once = False

    def watch(self, kind: str, tensor: Any, receiver: Any) -> None:
        """Raises UnimplementedError for a tensor: a step is a function, and computes no others."""
        if tensor is not None:
            raise errors.UnimplementedError(None, None, "summaries of weights and gradients of a model whose variables "
                                            "are on several devices: TensorBoard(histogram_freq=0) leaves them out")

    def _step(self, kind: str, weighted: tuple[bool, ...]) -> Callable[..., Any]:
        steps = {"train": self._learned, "test": self._tested, "predict": self._called_by_replica}

        def step(*values: Any) -> list[Any]:
            extended, count = self._strategy.extended, self._strategy.num_replicas_in_sync
            here, first = len(extended.worker_devices), extended._first_replica
            if kind == "predict":  # where each worker computes all rows
                count, first = here, 0
            is_short = len(values[0]) < count
            key = kind, weighted, is_short, tuple((each.dtype, each.ndim) for each in map(np.asarray, values))
            if not default_graph().is_eager and session.get_session() is not self._session:
                self._session, self._steps = session.get_session(), {}
            if key not in self._steps:
                self._steps[key] = self._made(lambda *parts: self._replicated(
                    kind, steps[kind], weighted, is_short, parts), values)
            parts = [[each] * here if is_short else np.array_split(each, count)[first : first + here]
                     for each in values]
            return self._steps[key](*(part for each in parts for part in each))
        return step

    def _made(self, step: Callable[..., list[Any]], values: tuple[Any, ...]) -> Callable[..., list[Any]]:
        """A function of the arrays of all replicas, one input after the other."""
        if default_graph().is_eager:
            made = step if self._model.run_eagerly else function(step)
            return lambda *parts: [each.numpy() for each in made(*map(array.identity, parts))]
        feeds = [array.placeholder(each.dtype, [None, *each.shape[1:]])
                 for each in map(np.asarray, values) for _ in self._strategy.extended.worker_devices]
        fetches = function(step)(*feeds)
        return session.get_session().make_callable(fetches, feeds)  # after the step, whose variables it initializes

    def _replicated(self, kind: str, step: Callable[..., Any], weighted: tuple[bool, ...], is_short: bool,
                    parts: tuple[Any, ...]) -> list[Any]:
        """What a step returns: the outputs of all rows, or the loss and the metrics."""
        count = len(self._strategy.extended.worker_devices)
        inputs = tuple(PerReplica(parts[first:first + count]) for first in range(0, len(parts), count))
        self._counts_once = is_short
        found = self._strategy.experimental_run_v2(lambda *mine: step(weighted, *mine), inputs)
        if kind == "predict":
            return [array.identity(local_values(each)[0]) if is_short else array.concat(local_values(each), 0)
                    for each in found]
        return self._results(self._strategy.reduce("SUM", found))

    def _called_by_replica(self, weighted: tuple[bool, ...], *inputs: Any) -> list[Any]:
        return self._called(list(inputs), False)

    def _share(self, loss: Any) -> Any:
        return loss / self._strategy.num_replicas_in_sync

    def _counts(self) -> bool:
        context = get_replica_context()
        return not self._counts_once or context is not None and \
            context.number + self._strategy.extended._first_replica == 0
