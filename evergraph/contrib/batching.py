"""tf.contrib.batching: concurrent steps that share one computation, in a graph that can be differentiated."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.input.batching import batch_function
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.state import batching as ops

export("contrib.batching.batch_function")(batch_function)


def batch_function_v1(num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int,
                      allowed_batch_sizes: Sequence[int] | None = None, grad_timeout_micros: int = 60_000_000,
                      unbatch_timeout_micros: int = 60_000_000,
                      max_enqueued_batches: int = 10) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates a function of tensors so that concurrent steps compute it once for all their rows.

    Args:
        num_batch_threads: how many batches may be computed at a time.
        max_batch_size: the most rows of a batch.
        batch_timeout_micros: how long a batch waits for more rows.
        allowed_batch_sizes: sizes to which a batch is padded; the last is `max_batch_size`.
        grad_timeout_micros: how long a gradient waits for those of the batch's other steps.
        unbatch_timeout_micros: how long a step waits for its rows.
        max_enqueued_batches: how many batches may wait to be computed.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def batched(*args: Any) -> Any:
            with name_scope("batch"):
                together, index, number = ops.batch(
                    [convert_to_tensor(each) for each in args], num_batch_threads=num_batch_threads,
                    max_batch_size=max_batch_size, max_enqueued_batches=max_enqueued_batches,
                    batch_timeout_micros=batch_timeout_micros, allowed_batch_sizes=list(allowed_batch_sizes or ()),
                    grad_timeout_micros=grad_timeout_micros, shared_name=function.__name__)
                for own, joined in zip(args, together):
                    joined.set_shape([None, *convert_to_tensor(own).shape.as_list()[1:]])
                results = function(*together)
                return nest.map_structure(
                    lambda each: ops.unbatch(each, index, number, timeout_micros=unbatch_timeout_micros,
                                             shared_name=f"{function.__name__}_{each.op.name}"), results)

        return batched

    return decorate
