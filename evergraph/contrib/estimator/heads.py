"""tf.contrib.estimator's heads, which canned models with a `head` take."""
from __future__ import annotations

from typing import Any

from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.estimator.heads import legacy
from evergraph.estimator.heads.legacy import LegacyHead, LegacyMultiHead
from evergraph.estimator.heads.multi_label import MultiLabelHead
from evergraph.estimator.heads.regression import LogisticRegressionHead, PoissonRegressionHead
from evergraph.losses.weighting import Reduction

documented = with_parts(shared="""weight_column: the name of the feature with the weights of examples, or a numeric
            column.
        loss_reduction: how the losses of examples become one loss: one of tf.losses.Reduction.
        name: the name of the head, which its metrics and summaries end with.

    Raises:
        ValueError: an argument is out of its range.""")


@export("contrib.estimator.multi_class_head")
@documented
def multi_class_head(n_classes: int, weight_column: Any = None, label_vocabulary: Any = None,
                     loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
                     name: str | None = None) -> LegacyHead:
    """The head of a classifier with more than two classes that exclude each other, by softmax cross entropy.

    Args:
        n_classes: the number of classes.
        label_vocabulary: the labels, strings.
        loss_fn: a function of labels, logits and features that returns the losses of examples, [..., 1].
        {shared}
    """
    return legacy.multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


@export("contrib.estimator.binary_classification_head")
@documented
def binary_classification_head(weight_column: Any = None, thresholds: Any = None, label_vocabulary: Any = None,
                               loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
                               name: str | None = None) -> LegacyHead:
    """The head of a classifier with two classes, by sigmoid cross entropy.

    Args:
        thresholds: probabilities of class 1, at which accuracy, precision and recall are metrics.
        label_vocabulary: the two labels, strings.
        loss_fn: a function of labels, logits and features that returns the losses of examples, [..., 1].
        {shared}
    """
    return legacy.binary_head(weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name)


@export("contrib.estimator.regression_head")
@documented
def regression_head(weight_column: Any = None, label_dimension: int = 1,
                    loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
                    inverse_link_fn: Any = None, name: str | None = None) -> LegacyHead:
    """The head of a regression by mean squared error.

    Args:
        label_dimension: how many numbers a label has.
        loss_fn: a function of labels, logits and features that returns the losses, [..., label_dimension].
        inverse_link_fn: the function from logits to predictions; by default they are the same.
        {shared}
    """
    return legacy.regression_head(weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name)


@export("contrib.estimator.poisson_regression_head")
@documented
def poisson_regression_head(weight_column: Any = None, label_dimension: int = 1,
                            loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, compute_full_loss: bool = True,
                            name: str | None = None) -> LegacyHead:
    """The head of a regression of counts, by the Poisson log likelihood.

    Args:
        label_dimension: how many numbers a label has.
        compute_full_loss: whether the loss has the term log(label!), which no gradient depends on.
        {shared}
    """
    head = PoissonRegressionHead(label_dimension, weight_column, compute_full_loss=compute_full_loss, name=name)
    return LegacyHead(head, loss_reduction)


@export("contrib.estimator.logistic_regression_head")
@documented
def logistic_regression_head(weight_column: Any = None, loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
                             name: str | None = None) -> LegacyHead:
    """The head of a regression of probabilities, by sigmoid cross entropy.

    Args:
        {shared}
    """
    return LegacyHead(LogisticRegressionHead(weight_column, name=name), loss_reduction)


@export("contrib.estimator.multi_label_head")
@documented
def multi_label_head(n_classes: int, weight_column: Any = None, thresholds: Any = None, label_vocabulary: Any = None,
                     loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
                     classes_for_class_based_metrics: Any = None, name: str | None = None) -> LegacyHead:
    """The head of a classifier whose examples have any number of the classes, by sigmoid cross entropy.

    Args:
        n_classes: the number of classes.
        thresholds: probabilities, at which accuracy, precision and recall over all classes are metrics.
        label_vocabulary: the labels, strings.
        loss_fn: a function of labels, logits and features that returns the losses of examples, [..., 1].
        classes_for_class_based_metrics: classes, by id or by name, that have metrics of their own.
        {shared}
    """
    head = MultiLabelHead(n_classes, weight_column, thresholds, label_vocabulary, loss_fn=loss_fn,
                          classes_for_class_based_metrics=classes_for_class_based_metrics, name=name)
    return LegacyHead(head, loss_reduction)


@export("contrib.estimator.multi_head")
def multi_head(heads: Any, head_weights: Any = None) -> LegacyMultiHead:
    """Several heads over one model, whose loss is the weighted sum of theirs.

    Args:
        heads: heads with names.
        head_weights: the weight of each head's loss, 1 by default.

    Raises:
        ValueError: there is no head, one has no name, or there are not as many weights.
    """
    return LegacyMultiHead(heads, head_weights)
