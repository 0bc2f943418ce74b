"""tf.contrib.nn: alpha dropout, scaled softplus, forward gradients, and losses over sampled classes."""
from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array, checks, math, random
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.gradients import gradients
from evergraph.frontend.indexing import gather
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits
from evergraph.frontend.nn.embedding import embedding_lookup
from evergraph.frontend.nn.sampled import sampled_logits, sampled_softmax_loss
from evergraph.frontend.ordering import top_k
from evergraph.frontend.reduce import reduce_logsumexp
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations as activation_ops
from evergraph.ops.nn import candidates

_SATURATED = -1.7580993408473766  # minus the scale of selu times its alpha: what selu tends to


@export("contrib.nn.alpha_dropout")
def alpha_dropout(x: Any, keep_prob: Any, noise_shape: Any = None, seed: int | None = None,
                  name: str | None = None) -> Tensor:
    """Alpha dropout (Klambauer et al., 2017): keeps mean and variance of what `tf.nn.selu` returns.

    Args:
        x: a tensor.
        keep_prob: the probability that an element is kept: a scalar.
        noise_shape: the shape of the random mask, which broadcasts over x.
        seed: see `tf.set_random_seed`.
        name: a name prefix for the operations.

    Raises:
        ValueError: `keep_prob` is no number above 0 and up to 1, or the mask does not broadcast.
    """
    with name_scope(name, "alpha_dropout", [x]):
        x = convert_to_tensor(x, name="x")
        if isinstance(keep_prob, numbers.Real) and not 0 < keep_prob <= 1:
            raise ValueError(f"keep_prob must be above 0 and up to 1, got {keep_prob}")
        keep = convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        keep.shape.assert_is_compatible_with([])
        if static_value(keep) == 1:
            return x
        shape = array.shape(x) if noise_shape is None else noise_shape
        mask = elementwise.floor(random.random_uniform(shape, seed=seed, dtype=x.dtype) + keep)
        mixed = x * mask + _SATURATED * (1 - mask)
        scale = elementwise.rsqrt(keep + _SATURATED ** 2 * keep * (1 - keep))
        result = scale * mixed - scale * _SATURATED * (1 - keep)
        result.set_shape(x.shape)
        return result


@export("contrib.nn.scaled_softplus")
def scaled_softplus(x: Any, alpha: Any, clip: Any = None, name: str | None = None) -> Tensor:
    """alpha * softplus(x / alpha), and no more than `clip`: a smooth relu whose bend has the width alpha.

    Args:
        x: a tensor.
        alpha: the width; it broadcasts with x.
        clip: the largest result; None for no limit.
        name: a name prefix for the operations.
    """
    with name_scope(name, "scaled_softplus", [x, alpha]):
        x = convert_to_tensor(x, name="x")
        alpha = convert_to_tensor(alpha, dtype=x.dtype, name="alpha")
        result = alpha * activation_ops.softplus(x / alpha)
        return result if clip is None else elementwise.minimum(result, convert_to_tensor(clip, dtype=x.dtype))


def fwd_gradients(ys: Sequence[Any], xs: Sequence[Any], grad_xs: Sequence[Any] | None = None,
                  assert_unused: bool = False) -> list[Any]:
    """Derivatives forward: how much each y changes when each x changes by `grad_xs`.

    They are gradients of gradients, which are linear in the gradients of ys.

    Args:
        ys: tensors.
        xs: tensors that they depend on.
        grad_xs: the changes of xs; by default ones.
        assert_unused: whether it is an error, in the step, to compute anything of the gradients of ys but their
            linearity: so of ops whose own gradient is not linear.

    Returns:
        A tensor for each y.
    """
    seeds = []
    for y in ys:
        unused = [checks.Assert(False, ["a gradient is not linear in the gradient of its output"])] \
            if assert_unused else []
        with control_dependencies(unused):
            seeds.append(array.zeros_like(y))
    backward = gradients(list(ys), list(xs), grad_ys=seeds)
    found = [(dx, None if grad_xs is None else convert_to_tensor(grad_xs[place]))
             for place, dx in enumerate(backward) if dx is not None]
    changes = None if grad_xs is None else [change for _, change in found]
    return gradients([convert_to_tensor(dx) for dx, _ in found], seeds, grad_ys=changes)


@export("contrib.nn.rank_sampled_softmax_loss")
def rank_sampled_softmax_loss(weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_resampled: int,
                              num_classes: int, num_true: int, sampled_values: Any, resampling_temperature: Any,
                              remove_accidental_hits: bool, partition_strategy: str, name: str | None = None) -> Tensor:
    """`tf.nn.sampled_softmax_loss` over those of the sampled classes that the batch finds most likely.

    A class is ranked by the sum of exp(logit / temperature) over the batch.

    Args:
        weights, biases, labels, inputs, num_classes, num_true, sampled_values, remove_accidental_hits: see there.
        num_sampled: the number of classes to sample.
        num_resampled: the number of them to keep.
        resampling_temperature: large for the mean logit, small for the largest: a scalar.
        partition_strategy: "div" or "mod".
        name: a name prefix for the operations.

    Raises:
        ValueError: no fewer classes are kept than sampled, or the strategy is unknown.
    """
    if num_resampled >= num_sampled:
        raise ValueError(f"num_resampled ({num_resampled}) must be less than num_sampled ({num_sampled})")
    if partition_strategy not in ("div", "mod"):
        raise ValueError(f"unsupported partition_strategy ({partition_strategy})")
    with name_scope(name, "rank_sampled_softmax_loss", [inputs, labels]) as inner:
        if sampled_values is None:
            sampled_values = candidates.log_uniform_candidate_sampler(labels, num_true, num_sampled, True, num_classes)
        sampled, true_count, sampled_count = (basic.stop_gradient(convert_to_tensor(each)) for each in sampled_values)
        rows = embedding_lookup(weights, sampled, partition_strategy)
        logits = matmul(inputs, rows, transpose_b=True) + embedding_lookup(biases, sampled, partition_strategy)
        scores = reduce_logsumexp(logits / math.cast(resampling_temperature, logits.dtype), axis=0)
        places = top_k(basic.stop_gradient(scores), k=num_resampled)[1]
        kept = gather(sampled, places), true_count, gather(sampled_count, places)
        return sampled_softmax_loss(weights, biases, labels, inputs, num_resampled, num_classes, num_true, kept,
                                    remove_accidental_hits, partition_strategy, name=inner)


@export("contrib.nn.sampled_sparse_softmax_loss")
def sampled_sparse_softmax_loss(weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int,
                                sampled_values: Any = None, remove_accidental_hits: bool = True,
                                partition_strategy: str = "mod", name: str = "sampled_sparse_softmax_loss") -> Tensor:
    """`tf.nn.sampled_softmax_loss` with one true class for each example, which needs no one-hot targets.

    Args:
        weights, biases, labels, inputs, num_sampled, num_classes, sampled_values, remove_accidental_hits,
            partition_strategy, name: see there; labels are [batch, 1].
    """
    logits, _ = sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, 1, sampled_values, True,
                               remove_accidental_hits, partition_strategy, name)
    first = array.zeros_like(array.reshape(labels, [-1]))
    return sparse_softmax_cross_entropy_with_logits(labels=first, logits=logits)
