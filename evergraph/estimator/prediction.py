"""Predictions batch by batch, and example by example."""
from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evergraph import native
from evergraph.base import logging, nest
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.data.iterators import iterator_get_next
from evergraph.train.monitored import MonitoredSession
from evergraph.train.session_run_hook import SessionRunHook

_MOST_ROWS = 256  # of a batch that are made at once

def selected(predictions: Any, keys: Any) -> Any:
    """Those predictions that have one of these keys; all without keys.

    Raises:
        ValueError: the predictions are not a dict, or have none of the keys.
    """
    if not keys:
        return predictions
    if not isinstance(predictions, Mapping):
        raise ValueError(f"predict_keys choose from a dict of predictions; the model gives {predictions}")
    keys = [keys] if isinstance(keys, str) else keys
    found = {key: value for key, value in predictions.items() if key in keys}
    if not found:
        raise ValueError(f"predict_keys {keys} leave nothing to run: take at least one output of {list(predictions)}")
    return found


def check_input(features: Any) -> None:
    """Warns of an input that never ends."""
    tensors = [part for part in nest.flatten(features) if isinstance(part, Tensor)]
    if get_collection(GraphKeys.QUEUE_RUNNERS) or any(tensor.op.opdef is iterator_get_next for tensor in tensors):
        return
    logging.warning("Input graph does not read a dataset or contain a QueueRunner. Nothing ends the input, so predict "
                    "yields without end")


def batches(creator: Any, hooks: Sequence[SessionRunHook], fetches: Any) -> Iterator[Any]:
    """Runs a session of the default graph until the input ends; yields what each run fetches.

    The caller's default graph is the caller's own between two batches.
    """
    graph = default_graph()
    session = MonitoredSession(creator, hooks)

    def generate() -> Iterator[Any]:
        with _closed_inside(graph, session):
            while not session.should_stop():
                with graph.as_default():
                    values = session.run(fetches)
                yield values

    return generate()


@contextlib.contextmanager
def _closed_inside(graph: Graph, session: MonitoredSession) -> Iterator[None]:
    """A block that ends with the session, whose hooks then find the graph as the default one."""
    with contextlib.ExitStack() as stack:
        stack.push(lambda *error: _close(graph, session, error))
        yield


def _close(graph: Graph, session: MonitoredSession, error: Any) -> bool:
    with graph.as_default():
        return session.__exit__(*error)


def rows(batch: Any) -> Iterator[Any]:
    """The predictions of each example in a batch.

    Raises:
        ValueError: the tensors of the batch have different lengths.
    """
    if not isinstance(batch, Mapping):
        return iter(batch)
    lengths = {key: value.shape[0] for key, value in batch.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"Batch length of predictions should be same, but there are {lengths}")
    keys, columns, count = tuple(batch), tuple(batch.values()), next(iter(lengths.values()), 0)
    if native.steps is None:
        return map(dict, map(zip, itertools.repeat(keys), zip(*columns)))  # no Python code for an example
    starts = range(0, count, _MOST_ROWS)
    return itertools.chain.from_iterable(
        native.steps.rows(keys, columns, start, min(start + _MOST_ROWS, count)) for start in starts)
