"""tf.nondifferentiable_batch_function: concurrent steps share one call of a function."""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.function import trace
from evergraph.ops.state import batching


@export("nondifferentiable_batch_function")
def batch_function(num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int,
                   allowed_batch_sizes: Sequence[int] | None = None, max_enqueued_batches: int = 10,
                   autograph: bool = True) -> Callable[..., Any]:
    """Decorator that batches concurrent calls of a function: steps that run at the same time share one call.

    >>> @tf.nondifferentiable_batch_function(1, max_batch_size=16, batch_timeout_micros=1000)
    ... def scores(rows):
    ...     return tf.matmul(rows, weights)

    Args:
        num_batch_threads: has no effect: the step that completes a batch computes it.
        max_batch_size: the maximal number of rows in a batch.
        batch_timeout_micros: the longest time that the first step waits for others.
        allowed_batch_sizes: the sizes to which batches are padded; the last one is `max_batch_size`.
        max_enqueued_batches: has no effect: each step waits in its own thread, so that their number is unlimited.
        autograph: has no effect: the function is used as written.
    """

    def decorator(fn: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fn)
        def decorated(*args: Any) -> Any:
            with name_scope(None, "batch"):
                tensors = [convert_to_tensor(a) for a in args]
                kinds = [(t.dtype.base_dtype, None if t.shape.ndims is None else (None, *t.shape.tuple[1:]),
                          f"batch_{place}") for place, t in enumerate(tensors)]
                graph, result = trace(getattr(fn, "__name__", "batched"), fn, kinds)
                with graph.as_default():
                    graph.outputs = [convert_to_tensor(r) for r in nest.flatten(result)]
                found = batching.batch_function(
                    tensors, list(graph.captures), f=graph, num_batch_threads=num_batch_threads,
                    max_batch_size=max_batch_size, batch_timeout_micros=batch_timeout_micros,
                    allowed_batch_sizes=list(allowed_batch_sizes or ()), max_enqueued_batches=max_enqueued_batches,
                    Tout=[t.dtype.base_dtype for t in graph.outputs])
            return nest.pack_sequence_as(result, found)

        return decorated

    return decorator
