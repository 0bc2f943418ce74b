"""rejection_resample: datasets whose classes come as often as wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import dimension_value
from evergraph.data.dataset import DatasetV1
from evergraph.data.experimental.interleaving import sample_from_datasets
from evergraph.data.experimental.transforming import scan
from evergraph.frontend import array
from evergraph.frontend.control_flow import cond
from evergraph.frontend.indexing import gather, one_hot
from evergraph.frontend.printing import Print
from evergraph.frontend.random import random_uniform
from evergraph.frontend.reduce import reduce_max, reduce_min, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.pad import tile

_PRIOR = 10  # how often each class is taken to have been seen before the first element
_AT_ONCE = 32  # elements between two estimates of how often classes come
_AHEAD = 3


@export("data.experimental.rejection_resample", "contrib.data.rejection_resample")
def rejection_resample(class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None,
                       seed: Any = None) -> Callable[[Any], Any]:
    """For `Dataset.apply`: leaves elements out at random so that classes come as often as wanted.

    The result has pairs of a class and an element.

    >>> halves = tf.data.Dataset.range(100).apply(tf.data.experimental.rejection_resample(
    ...     lambda x: tf.cast(x < 10, tf.int32), [0.5, 0.5], seed=1))

    Args:
        class_func: the class of an element, a scalar tf.int32 from 0 to below the number of classes.
        target_dist: how often each class is to come.
        initial_dist: how often each class comes in the dataset; estimated while it runs if it is not given.
        seed: gives the same choices each time.
    """
    def apply(dataset: Any) -> Any:
        target = convert_to_tensor(target_dist, name="target_dist")
        known_share = None
        if initial_dist is not None:
            initial = convert_to_tensor(initial_dist, name="initial_dist")
            accept, share = _acceptance(initial, target)
            known_share = static_value(share)
            always = [DatasetV1.from_tensors(each).repeat() for each in (initial, accept, share)]
            initials, acceptances, shares = always
        else:
            initials = _estimates(dataset.map(class_func), dimension_value(target.shape[0]))
            both = initials.map(lambda estimate: _acceptance(estimate, target))
            acceptances, shares = both.map(lambda accept, _: accept), both.map(lambda _, share: share)
        # A dataset that is never chosen would have no end.
        if known_share == 1:
            return DatasetV1.zip((dataset.map(class_func), dataset))
        kept = _kept(dataset, acceptances, initials, class_func, seed)
        if known_share == 0:
            return kept
        all_of_them = dataset.map(lambda *parts: (class_func(*parts), _together(parts)))
        weights = shares.map(lambda share: array.stack([share, 1.0 - share]))
        return sample_from_datasets([all_of_them, kept], weights, seed)

    return apply


def _together(parts: tuple[Any, ...]) -> Any:
    return parts if len(parts) > 1 else parts[0]


def _acceptance(initial: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """(how likely an element of each class is kept, the share of elements that need not be chosen from).

    Where the least likely class would be kept with probability m, a share m of the dataset is taken as it is.
    """
    ratio = target / (initial + np.finfo(np.float32).tiny)
    most, least = reduce_max(ratio), reduce_min(ratio)
    return (ratio - least) / (most - least), least


def _estimates(classes: Any, count: int) -> Any:
    """A dataset of estimates of how often each class comes, one for each element."""
    def counted(seen: Tensor, batch: Tensor) -> Any:
        seen = seen + reduce_sum(one_hot(batch, count, dtype=dtypes.int64), 0)
        estimate = basic.cast(seen / reduce_sum(seen), DstT=dtypes.float32)
        return seen, tile(array.expand_dims(estimate, 0), [_AT_ONCE, 1])

    first = array.fill([count], np.int64(_PRIOR))
    return classes.batch(_AT_ONCE).apply(scan(first, counted)).unbatch()


def _kept(dataset: Any, acceptances: Any, initials: Any, class_func: Callable[..., Any], seed: Any) -> Any:
    """A dataset of the elements that a random number keeps, each with its class."""
    def checked(accept: Tensor, initial: Tensor) -> Tensor:
        rejected = reduce_sum((1.0 - accept) * initial)
        message = "rejection_resample drops at least half of the examples; share, initial_dist, acceptance: "
        return cond(rejected < 0.5, lambda: accept,
                    lambda: Print(accept, [rejected, initial, accept], message=message, summarize=100, first_n=10))

    def with_class(accept: Tensor, *parts: Any) -> Any:
        parts = parts[0] if type(dataset.element_spec) is tuple else parts
        found = class_func(*parts)
        return found, gather(accept, found), _together(parts)

    chances = DatasetV1.zip((acceptances, initials)).map(checked)
    pairs = DatasetV1.zip((chances, dataset)).map(with_class)
    kept = pairs.filter(lambda _, chance, __: random_uniform([], seed=seed) < chance)
    return kept.map(lambda found, _, element: (found, element)).prefetch(_AHEAD)
