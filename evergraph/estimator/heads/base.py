"""tf.estimator.Head: the interface of heads."""
from __future__ import annotations

import abc
from typing import Any

from evergraph.base.export import export


@export("estimator.Head")
class Head(abc.ABC):
    """The top of a model: what it computes from logits and labels, in each mode.

    A model function computes logits and leaves the rest to its head:

        def model_fn(features, labels, mode):
            logits = tf.layers.dense(features["x"], head.logits_dimension)
            return head.create_estimator_spec(features, mode, logits, labels, train_op_fn=train_op_fn)

    A subclass defines all of the methods; `create_estimator_spec` too.
    """

    @property
    @abc.abstractmethod
    def name(self) -> Any:
        """The name of the head, which its metrics and summaries end with, or None."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> Any:
        """The size of the last axis of the logits."""

    @property
    @abc.abstractmethod
    def loss_reduction(self) -> Any:
        """How the losses of examples become one loss: one of tf.keras.losses.Reduction."""

    @abc.abstractmethod
    def loss(self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
             regularization_losses: Any = None) -> Any:
        """The loss of a batch, a scalar, with the regularization losses added.

        Args:
            labels: the labels, of the shape that the head wants.
            logits: the logits, [..., logits_dimension].
            features: the features by name, for the weights of examples.
            mode: a `tf.estimator.ModeKeys`.
            regularization_losses: losses to add.
        """

    @abc.abstractmethod
    def predictions(self, logits: Any, keys: Any = None) -> Any:
        """The predictions by name.

        Args:
            logits: the logits, [..., logits_dimension].
            keys: the names of the predictions to return; all by default.
        """

    @abc.abstractmethod
    def metrics(self, regularization_losses: Any = None) -> Any:
        """The metrics of an evaluation by name, which have seen no batch yet.

        Args:
            regularization_losses: the losses whose sum is a metric too.
        """

    @abc.abstractmethod
    def update_metrics(self, eval_metrics: Any, features: Any, logits: Any, labels: Any, mode: Any = None,
                       regularization_losses: Any = None) -> Any:
        """Takes a batch into metrics, and returns them.

        Args:
            eval_metrics: what `metrics` returned.
            features, logits, labels, mode, regularization_losses: as for `loss`.
        """

    def _create_tpu_estimator_spec(self, features: Any, mode: Any, logits: Any, labels: Any = None,
                                   optimizer: Any = None, trainable_variables: Any = None, train_op_fn: Any = None,
                                   update_ops: Any = None, regularization_losses: Any = None) -> Any:
        raise NotImplementedError(f"TPUEstimatorSpec not available for this model head. It is {type(self).__name__}")

    def create_estimator_spec(self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
                              trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
                              regularization_losses: Any = None) -> Any:
        """The EstimatorSpec that a model function returns.

        Args:
            features: the features by name.
            mode: a `tf.estimator.ModeKeys`.
            logits: the logits, [..., logits_dimension].
            labels: the labels; not for predictions.
            optimizer: a tf.keras optimizer that minimizes the loss; either this or `train_op_fn` for training.
            trainable_variables: the variables that the optimizer changes.
            train_op_fn: a function of the loss that returns the train op.
            update_ops: operations that a training step runs too.
            regularization_losses: losses to add to that of the labels.
        """
        try:
            spec = self._create_tpu_estimator_spec(
                features, mode, logits, labels, optimizer, trainable_variables, train_op_fn, update_ops,
                regularization_losses)
        except NotImplementedError:
            raise NotImplementedError("this subclass of Head has neither `create_estimator_spec()` nor "
                                      "_create_tpu_estimator_spec().") from None
        return spec.as_estimator_spec()
