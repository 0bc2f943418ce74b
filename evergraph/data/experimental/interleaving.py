"""Datasets that draw from several others: parallel_interleave, sample_from_datasets, choose_from_datasets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.data import specs
from evergraph.data.arguments import flag, number
from evergraph.data.dataset import DatasetV1, DatasetV2
from evergraph.data.experimental.sources import RandomDataset
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.data import choosing, interleaving
from evergraph.ops.math import elementwise
from evergraph.ops.math.random import stateless_multinomial


@export("data.experimental.parallel_interleave", "contrib.data.parallel_interleave")
def parallel_interleave(map_func: Callable[..., Any], cycle_length: Any, block_length: Any = 1, sloppy: Any = False,
                        buffer_output_elements: Any = None,
                        prefetch_input_elements: Any = None) -> Callable[[Any], Any]:
    """For `Dataset.apply`: the elements of datasets that a function makes, several datasets at a time, computed ahead.

    Args:
        map_func: makes a dataset of an element.
        cycle_length: how many datasets are open at a time.
        block_length: how many elements of one come in a row.
        sloppy: allows another order, which is not made use of: the order is always that of `Dataset.interleave`.
        buffer_output_elements: how many elements of each dataset are computed ahead.
        prefetch_input_elements: how many more datasets may be opened ahead. It has no meaning here.
    """
    def apply(dataset: Any) -> Any:
        function = dataset._maker(map_func, "tf.data.experimental.parallel_interleave()")
        # TensorFlow's defaults: twice as many as come in a row, and twice as many as are open.
        room = 2 * block_length if buffer_output_elements is None else buffer_output_elements
        inputs = 2 * cycle_length if prefetch_input_elements is None else prefetch_input_elements
        return dataset._then(
            interleaving.parallel_interleave_dataset, function.captured, number(cycle_length, "cycle_length"),
            number(block_length, "block_length"), flag(sloppy, "sloppy"), number(room, "buffer_output_elements"),
            number(inputs, "prefetch_input_elements"), spec=function.spec.element_spec, f=function.graph)

    return apply


@export("data.experimental.sample_from_datasets", "contrib.data.sample_from_datasets")
def sample_from_datasets(datasets: Sequence[Any], weights: Any = None, seed: Any = None) -> Any:
    """A dataset that draws each element from one of several datasets, chosen at random.

    >>> mixed = tf.data.experimental.sample_from_datasets(
    ...     [tf.data.Dataset.range(10), tf.data.Dataset.range(100, 110)], [0.9, 0.1], seed=1)

    Args:
        datasets: datasets with elements of the same structure.
        weights: how likely each of them is: numbers, or a dataset of vectors of numbers. Equally likely by default.
        seed: gives the same choices each time.

    Raises:
        TypeError: the datasets have elements of different types, or the weights are no floating-point numbers.
        ValueError: there are not as many weights as datasets.
    """
    if isinstance(weights, DatasetV2):
        logits = weights.map(lambda row: elementwise.log(array.expand_dims(row, 0)))
        pairs = DatasetV1.zip((logits, RandomDataset(seed).batch(2)))
        return _directed(pairs.map(_drawn), datasets)
    if weights is None:
        weights = [1.0] * len(datasets)
    weights = convert_to_tensor(weights, name="weights")
    if weights.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(f"`weights` are of {weights.dtype.name}, expected `tf.float32` or `tf.float64`")
    if not weights.shape.is_compatible_with([len(datasets)]):
        raise ValueError(f"`weights` has shape {weights.shape}, expected a vector of length `len(datasets)` = "
                         f"{len(datasets)}")
    if len(datasets) == 1:
        return datasets[0]
    row = array.expand_dims(elementwise.log(weights, name="logits"), 0)
    return _directed(RandomDataset(seed).batch(2).map(lambda seeds: _drawn(row, seeds)), datasets)


def _drawn(logits: Tensor, seeds: Tensor) -> Tensor:
    """One choice, from two random numbers."""
    return array.squeeze(stateless_multinomial(logits, 1, seeds), [0, 1])


@export("data.experimental.choose_from_datasets", "contrib.data.choose_from_datasets")
def choose_from_datasets(datasets: Sequence[Any], choice_dataset: Any) -> Any:
    """A dataset that draws each element from the dataset whose number another dataset gives.

    >>> turns = tf.data.experimental.choose_from_datasets(
    ...     [tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)], tf.data.Dataset.range(2).repeat(3))

    Args:
        datasets: datasets with elements of the same structure.
        choice_dataset: a dataset of scalar tf.int64 numbers from 0 to below `len(datasets)`.

    Raises:
        TypeError: the choices are no such numbers, or the datasets have elements of different types.
    """
    if not specs.same(choice_dataset.element_spec, specs.TensorSpec([], dtypes.int64)):
        raise TypeError(f"`choice_dataset` has elements of {choice_dataset.element_spec}, expected a scalar "
                        "tf.int64 each")
    return _directed(choice_dataset, datasets)


def _directed(selector: Any, datasets: Sequence[Any]) -> Any:
    first, *others = datasets
    spec = first.element_spec
    for place, other in enumerate(others, 1):
        mine, theirs = specs.legacy(first.element_spec), specs.legacy(other.element_spec)
        for what, here, there in zip(("types", "shapes", "classes"), mine, theirs, strict=True):
            if what != "shapes" and not specs.same(here, there):
                raise TypeError(f"All datasets must have the same {what}: dataset 0 had {what} {here} and dataset "
                                f"{place} had {what} {there}")
        spec = specs.widened(spec, other.element_spec)
    variant = choosing.directed_interleave_dataset(
        selector._variant_tensor, [each._variant_tensor for each in datasets], **specs.attrs_of(spec))
    return first._made(variant, spec, selector, *datasets)
