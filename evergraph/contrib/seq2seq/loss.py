"""tf.contrib.seq2seq.sequence_loss, and the same as a loss of Keras."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits
from evergraph.frontend.reduce import count_nonzero, reduce_sum
from evergraph.graph.node import Tensor
from evergraph.keras.loss_classes import Loss
from evergraph.ops.arrays import reshape


@export("contrib.seq2seq.sequence_loss")
def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True,
                  sum_over_timesteps=False, sum_over_batch=False, softmax_loss_function=None, name=None):
    """The weighted softmax cross entropy of a batch of sequences.

    Args:
        logits: a tensor of shape [batch, time, classes].
        targets: an integer tensor of shape [batch, time].
        weights: a float tensor of shape [batch, time].
        average_across_timesteps: whether to sum over time and divide by the sum of the weights.
        average_across_batch: likewise over the batch.
        sum_over_timesteps: whether to sum over time and divide by the number of nonzero weights.
        sum_over_batch: likewise over the batch.
        softmax_loss_function: a function of `labels` and `logits` to use instead of the cross entropy.
        name: a name scope.

    Returns:
        A scalar, or a tensor with the axes that were not reduced.

    Raises:
        ValueError: a rank is wrong, or an axis is both averaged and summed.
    """
    _check(logits, targets, weights)
    for axis, averaged, summed in (("timesteps", average_across_timesteps, sum_over_timesteps),
                                   ("batch", average_across_batch, sum_over_batch)):
        if averaged and summed:
            raise ValueError(f"average_across_{axis} and sum_over_{axis} exclude each other")
    if average_across_timesteps and sum_over_batch or sum_over_timesteps and average_across_batch:
        raise ValueError("One axis averaged and the other summed over: refused because of ambiguous order.")
    with name_scope(name, "sequence_loss", [logits, targets, weights]):
        losses = _losses(logits, targets, weights, softmax_loss_function or sparse_softmax_cross_entropy_with_logits)
        averaged = [axis for axis, wanted in enumerate((average_across_batch, average_across_timesteps)) if wanted]
        summed = [axis for axis, wanted in enumerate((sum_over_batch, sum_over_timesteps)) if wanted]
        if averaged:
            return math.div_no_nan(reduce_sum(losses, averaged), reduce_sum(weights, averaged))
        if summed:
            count = math.cast(count_nonzero(weights, axis=summed), losses.dtype)
            return math.div_no_nan(reduce_sum(losses, summed), count)
        return losses


@export("contrib.seq2seq.SequenceLoss")
class SequenceLoss(Loss):
    """`tf.contrib.seq2seq.sequence_loss` as a loss of Keras: `loss(targets, logits, weights)`.

    Args:
        average_across_timesteps, average_across_batch, sum_over_timesteps, sum_over_batch, softmax_loss_function: see
            there.
        name: the name of the loss.

    Raises:
        ValueError: an axis is both averaged and summed.
    """

    def __init__(self, average_across_timesteps: bool = False, average_across_batch: bool = False,
                 sum_over_timesteps: bool = True, sum_over_batch: bool = True, softmax_loss_function: Any = None,
                 name: str | None = None) -> None:
        super().__init__(name=name)
        self.average_across_timesteps, self.average_across_batch = average_across_timesteps, average_across_batch
        self.sum_over_timesteps, self.sum_over_batch = sum_over_timesteps, sum_over_batch
        self.softmax_loss_function = softmax_loss_function

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Tensor:
        """The loss of targets [batch, time], for logits [batch, time, classes] and weights; by default all are 1."""
        if sample_weight is None:
            sample_weight = array.ones(array.shape(y_pred)[:2], dtype=y_pred.dtype)
            sample_weight.set_shape([None, None])
        return sequence_loss(y_pred, y_true, sample_weight, self.average_across_timesteps, self.average_across_batch,
                             self.sum_over_timesteps, self.sum_over_batch, self.softmax_loss_function, self.name)

    def call(self, y_true: Any, y_pred: Any) -> Tensor:
        """The loss with all weights 1."""
        return self(y_true, y_pred)


def _check(logits: Any, targets: Any, weights: Any) -> None:
    for value, rank, wanted in ((logits, 3, "logits must be [batch, time, classes]"),
                                (targets, 2, "targets must be [batch, time]"),
                                (weights, 2, "weights must be [batch, time]")):
        if len(value.shape) != rank:
            raise ValueError(wanted)


def _losses(logits: Any, targets: Any, weights: Any, loss_function: Any) -> Tensor:
    """The weighted loss of every step, of shape [batch, time]."""
    sizes = array.shape(logits)
    losses = loss_function(labels=reshape.reshape(targets, [-1]), logits=reshape.reshape(logits, [-1, sizes[2]]))
    return reshape.reshape(losses * reshape.reshape(weights, [-1]), sizes[:2])
