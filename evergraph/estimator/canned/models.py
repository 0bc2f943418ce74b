"""What the model functions of canned models share."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evergraph.estimator.heads.base import Head
from evergraph.estimator.heads.binary import BinaryClassHead
from evergraph.estimator.heads.multi_class import MultiClassHead
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.frontend.collections import GraphKeys, get_collection, trainable_variables
from evergraph.frontend.variables.partitions import min_max_variable_partitioner
from evergraph.keras.optimizer import Optimizer as KerasOptimizer
from evergraph.train.global_step import get_global_step, get_or_create_global_step

LARGE_SLICE = 64 << 20  # bytes: a smaller input layer is not divided among parameter servers


def model_of(function: Callable[..., Any], head: Any, **options: Any) -> Callable[..., Any]:
    """A model function for Estimators, from one with other arguments, which are given here."""
    def model_fn(features: Any, labels: Any, mode: Any, config: Any) -> Any:
        return function(features=features, labels=labels, mode=mode, head=head, config=config, **options)
    return model_fn


def check_features(features: Any) -> None:
    """Raises ValueError unless the features are a dictionary."""
    if not isinstance(features, Mapping):
        raise ValueError(f"features must map names to tensors, but they are a {type(features)}")


def partitioner(config: Any, **options: Any) -> Callable[..., Any]:
    """Divides variables among the parameter servers; without any, each variable is one part."""
    return min_max_variable_partitioner(max_partitions=max(1, config.num_ps_replicas) if config else 1, **options)


def spec_of_head(head: Any, features: Any, mode: Any, logits: Any, labels: Any, make_optimizer: Callable[[], Any],
                 minimize: Callable[..., Any] | None = None) -> Any:
    """The EstimatorSpec of a head and an optimizer of either kind.

    Args:
        head: a head of tf.estimator or tf.contrib.estimator.
        features, mode, logits, labels: as for `create_estimator_spec`.
        make_optimizer: makes the optimizer, which only training needs.
        minimize: a function of the loss that returns the train op, in place of the optimizer's.
    """
    given = {"features": features, "mode": mode, "logits": logits, "labels": labels}
    if mode != ModeKeys.TRAIN:
        return head.create_estimator_spec(**given)
    updates = {"update_ops": get_collection(GraphKeys.UPDATE_OPS)} if isinstance(head, Head) else {}
    if minimize is not None:
        return head.create_estimator_spec(**given, **updates, train_op_fn=minimize)
    optimizer = make_optimizer()
    if isinstance(optimizer, KerasOptimizer):
        optimizer.iterations = get_or_create_global_step()
        return head.create_estimator_spec(**given, **updates, optimizer=optimizer,
                                          trainable_variables=trainable_variables())
    if isinstance(head, Head):
        step = lambda loss: optimizer.minimize(loss, global_step=get_global_step())
        return head.create_estimator_spec(**given, **updates, train_op_fn=step)
    return head.create_estimator_spec(**given, optimizer=optimizer)


def classification_head(n_classes: int, weight_column: Any, label_vocabulary: Any, loss_reduction: str) -> Head:
    """The head of two classes or of more, of TensorFlow 2."""
    if n_classes == 2:
        return BinaryClassHead(weight_column, label_vocabulary=label_vocabulary, loss_reduction=loss_reduction)
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction)
