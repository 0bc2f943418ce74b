"""tf.contrib.training.rejection_sample and stratified_sample: batches of examples that are kept by chance."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, checks, math, random
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.indexing import gather, one_hot, where
from evergraph.frontend.reduce import reduce_max, reduce_sum
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.train.batches import batch, maybe_batch


@export("contrib.training.rejection_sample")
def rejection_sample(tensors: Sequence[Any], accept_prob_fn: Callable[[list[Tensor]], Any], batch_size: int,
                     queue_threads: int = 1, enqueue_many: bool = False, prebatch_capacity: int = 16,
                     prebatch_threads: int = 1, runtime_checks: bool = False, name: str | None = None) -> list[Tensor]:
    """Batches of examples, each kept with the probability that a function of it says.

    Args:
        tensors: an example, or a batch of them.
        accept_prob_fn: a function from the tensors of one example to a probability.
        batch_size: the number of examples of a batch.
        queue_threads: the number of threads that choose examples.
        enqueue_many: whether `tensors` are a batch, along their first axes.
        prebatch_capacity: the size of the queue that takes batches apart.
        prebatch_threads: the number of threads that do that.
        runtime_checks: whether to check probabilities in each step.
        name: a name prefix for the operations.

    Returns:
        The tensors of a batch.

    Raises:
        ValueError: with `enqueue_many`, the tensors have no batch, or batches of different sizes.
    """
    with name_scope(name, "rejection_sample", list(tensors)):
        found = [convert_to_tensor(each) for each in tensors]
        if enqueue_many:
            found = _taken_apart(found, prebatch_threads, prebatch_capacity)
        chance = convert_to_tensor(accept_prob_fn(found))
        chance.shape.assert_is_compatible_with([])
        if runtime_checks:
            tests = [checks.assert_non_negative(chance, message="a probability is negative"),
                     checks.assert_less_equal(chance, math.cast(1, chance.dtype), message="a probability is above 1")]
            with control_dependencies([test for test in tests if test is not None]):
                chance = basic.identity(chance, name="prob_with_checks")
        return _kept(found, chance, batch_size, queue_threads)


def _kept(tensors: list[Tensor], chance: Tensor, batch_size: int, threads: int, capacity: int | None = None) -> Any:
    """Batches of examples, each kept with a probability."""
    keep = elementwise.less(random.random_uniform([], dtype=chance.dtype), chance)
    options = {} if capacity is None else {"capacity": capacity}
    made = maybe_batch(tensors, keep_input=keep, batch_size=batch_size, num_threads=threads, **options)
    return made if isinstance(made, list) else [made]


def _taken_apart(tensors: list[Tensor], threads: int, capacity: int) -> list[Tensor]:
    """One example after another, of batches.

    Raises:
        ValueError: a tensor has no first axis, or their sizes differ.
    """
    sizes = {each.shape.with_rank_at_least(1).as_list()[0] for each in tensors if each.shape.ndims is not None}
    if len(sizes - {None}) > 1:
        raise ValueError(f"the batches have different sizes: {sorted(sizes - {None})}")
    single = batch(tensors, batch_size=1, num_threads=threads, capacity=capacity, enqueue_many=True)
    return [array.squeeze(each, [0]) for each in (single if isinstance(single, list) else [single])]


@export("contrib.training.stratified_sample")
def stratified_sample(tensors: Sequence[Any], labels: Any, target_probs: Any, batch_size: int, init_probs: Any = None,
                      enqueue_many: bool = False, queue_capacity: int = 16, threads_per_queue: int = 1,
                      name: str | None = None) -> tuple[list[Tensor], Tensor]:
    """Batches in which classes have given probabilities: examples of frequent classes are left out by chance.

    Args:
        tensors: a list of the tensors of an example, or of a batch of them.
        labels: the class of the example, or of each of the batch.
        target_probs: the probability of each class in the result.
        batch_size: the number of examples of a batch.
        init_probs: the probability of each class in the data; None to estimate it from the labels seen so far.
        enqueue_many: whether `tensors` and `labels` are batches.
        queue_capacity: the size of the queues.
        threads_per_queue: the number of their threads.
        name: a name prefix for the operations.

    Returns:
        (the tensors of a batch, their labels).

    Raises:
        TypeError: `tensors` is no list.
        ValueError: a shape does not fit, or a class that is wanted has no examples.
    """
    with name_scope(name, "stratified_sample", [*(tensors if isinstance(tensors, (list, tuple)) else ()), labels]):
        if not isinstance(tensors, (list, tuple)):
            raise TypeError(f"tensors has to be a list, got {tensors!r}")
        found = [convert_to_tensor(each) for each in tensors]
        labels, target = convert_to_tensor(labels), _probabilities(target_probs)
        if not enqueue_many:  # from here on there is a batch
            if labels.shape.ndims not in (0, None):
                raise ValueError(f"the label of one example is a scalar, got the shape {labels.shape}")
            found, labels = [array.expand_dims(each, 0) for each in found], array.expand_dims(labels, 0)
        classes = target.shape.as_list()[0]
        initial = estimate_data_distribution(labels, classes) if init_probs is None else _probabilities(init_probs)
        found, labels, (initial, target) = verify_input(found, labels, [initial, target])
        *found, label = _taken_apart([*found, labels], threads_per_queue, queue_capacity)
        chance = gather(_acceptance(initial, target), label)
        *data, kept = _kept([*found, label], chance, batch_size, threads_per_queue, max(queue_capacity, batch_size))
        return data, kept


def _probabilities(given: Any) -> Tensor:
    """Probabilities as a vector whose size is known.

    Raises:
        ValueError: they are none.
    """
    if not isinstance(given, (np.ndarray, list, tuple, Tensor)):
        raise ValueError(f"probabilities are a list, an array or a tensor, got {given!r}")
    found = math.cast(convert_to_tensor(given), dtypes.float32)
    found.shape.assert_is_fully_defined()
    found.shape.assert_has_rank(1)
    return found


def verify_input(tensor_list: list[Any], labels: Any, probs_list: list[Any]) -> tuple[list[Any], Tensor, list[Tensor]]:
    """Batches, their labels and vectors of probabilities, with checks of each step that they fit.

    Raises:
        ValueError: a static shape does not fit, or a class has the probability 0 in the first vector alone.
    """
    labels = convert_to_tensor(labels)
    labels.shape.assert_has_rank(1)
    probs_list = [_probabilities(each) for each in probs_list]
    for each in probs_list[1:]:
        each.shape.assert_is_compatible_with(probs_list[0].shape)
    for each in tensor_list:
        if each.shape.ndims is not None:
            each.shape.with_rank_at_least(1)[:1].assert_is_compatible_with(labels.shape[:1])
    _require_examples(probs_list)
    checked = [_checked_probabilities(each) for each in probs_list]
    classes = probs_list[0].shape.as_list()[0]
    tests = [checks.assert_non_negative(labels, message="a label is negative"),
             checks.assert_less(labels, math.cast(classes, labels.dtype), message="a label is no class")]
    tests += [checks.assert_equal(array.shape(each)[0], array.shape(labels)[0],
                                  message="there are not as many labels as examples") for each in tensor_list]
    with control_dependencies([test for test in tests if test is not None]):
        return [basic.identity(each) for each in tensor_list], basic.identity(labels), checked


def _require_examples(probs_list: list[Tensor]) -> None:
    known = [static_value(each) for each in probs_list]
    if len(known) > 1 and all(each is not None for each in known):
        lacking = [place for place in range(len(known[0])) if known[0][place] == 0 and known[1][place] != 0]
        if lacking:
            raise ValueError(f"the classes {lacking} are wanted, but their probability in the data is 0")


def _checked_probabilities(chances: Tensor) -> Tensor:
    tests = [checks.assert_non_negative(chances, message="a probability is negative"),
             checks.assert_less(elementwise.abs_(reduce_sum(chances) - 1.0), 1e-5,
                                message="the probabilities do not sum to one")]
    with control_dependencies([test for test in tests if test is not None]):
        return basic.identity(chances)


def estimate_data_distribution(labels: Any, num_classes: int, smoothing_constant: int = 10) -> Tensor:
    """The shares of the classes among the labels of all steps so far.

    Args:
        labels: a vector of classes.
        num_classes: the number of classes.
        smoothing_constant: how often each class counts at the start; large to learn slowly.

    Raises:
        ValueError: the constant is not positive.
    """
    if smoothing_constant <= 0:
        raise ValueError(f"smoothing_constant must be positive, got {smoothing_constant}")
    seen = Variable(np.full([num_classes], smoothing_constant, np.int64), trainable=False, name="class_count")
    more = reduce_sum(one_hot(math.cast(labels, dtypes.int64), num_classes, dtype=dtypes.int64), 0)
    counts = math.cast(seen.assign_add(more), dtypes.float32)
    return counts / reduce_sum(counts)


def _acceptance(initial: Tensor, target: Tensor) -> Tensor:
    """The probability with which an example of each class is kept: as large as the ratios allow."""
    ratios = where(elementwise.greater(initial, 0), math.div_no_nan(target, initial), array.zeros_like(target))
    return math.div_no_nan(ratios, reduce_max(ratios))
