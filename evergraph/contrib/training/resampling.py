"""tf.contrib.training.resample_at_rate and weighted_resample: examples that appear more or less often."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math, random
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.indexing import gather
from evergraph.frontend.ordering import searchsorted
from evergraph.frontend.reduce import cumsum, reduce_mean, reduce_sum
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


def repeat_range(counts: Any, name: str | None = None) -> Tensor:
    """The numbers from 0, each as often as `counts` says: [0, 2, 1] to [1, 1, 2]."""
    with name_scope(name, "repeat_range", [counts]):
        counts = math.cast(convert_to_tensor(counts, name="counts"), dtypes.int32)
        places = math.range(reduce_sum(counts))
        return searchsorted(cumsum(counts), places, side="right")


@export("contrib.training.resample_at_rate")
def resample_at_rate(inputs: Sequence[Any], rates: Any, scope: str | None = None, seed: int | None = None,
                     back_prop: bool = False) -> list[Tensor]:
    """Repeats or leaves out rows at random, so that each appears as often on average as its rate says.

    Args:
        inputs: tensors whose first axes are alike; the same rows of each are taken.
        rates: how often each row should appear: a vector of floats, 0 or more.
        scope: a name prefix for the operations.
        seed: see `tf.set_random_seed`.
        back_prop: whether gradients go back to the inputs.

    Returns:
        The rows that were taken, of each tensor.
    """
    with name_scope(scope, "resample_at_rate", [*inputs, rates]):
        rates = convert_to_tensor(rates, name="rates")
        draws = random.random_uniform(array.shape(rates), seed=seed, dtype=rates.dtype)
        rows = repeat_range(math.cast(elementwise.floor(rates + draws), dtypes.int32))
        taken = [gather(convert_to_tensor(each), rows) for each in inputs]
        return taken if back_prop else [basic.stop_gradient(each) for each in taken]


@export("contrib.training.weighted_resample")
def weighted_resample(inputs: Sequence[Any], weights: Any, overall_rate: Any, scope: str | None = None,
                      mean_decay: float = 0.999, seed: int | None = None) -> tuple[list[Tensor], Tensor]:
    """Takes rows at random in proportion to their weights.

    The mean weight is a moving average over batches, in local variables.

    Args:
        inputs: tensors whose first axes are alike; the same rows of each are taken.
        weights: a vector of floats, 0 or more.
        overall_rate: the average number of times that a row is taken.
        scope: the name of the variable scope.
        mean_decay: the decay of the moving average.
        seed: see `tf.set_random_seed`.

    Returns:
        (the rows that were taken, of each tensor; the rate of each of them).
    """
    with variable_scope(scope, "weighted_resample", [*inputs, weights]):
        weights = convert_to_tensor(weights, name="weights")
        rates = weights * overall_rate / _running_mean(weights, mean_decay)
        *taken, of_taken = resample_at_rate([*inputs, rates], rates, seed=seed)
        return taken, of_taken


def _running_mean(values: Tensor, decay: float) -> Tensor:
    """The moving average of the means of batches, with this one; the first ones are not biased towards zero."""
    kept = {"shape": [], "dtype": values.dtype, "initializer": zeros_initializer(), "trainable": False,
            "collections": [GraphKeys.LOCAL_VARIABLES]}
    total, share = get_variable("mean", **kept), get_variable("share", **kept)
    new_total = total * decay + reduce_mean(values) * (1 - decay)
    new_share = share * decay + (1 - decay)
    with control_dependencies([total.assign(new_total), share.assign(new_share)]):
        return basic.identity(new_total / new_share, name="mean_estimate")
