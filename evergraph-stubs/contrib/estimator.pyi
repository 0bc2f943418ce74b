# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.estimator."""

from typing import Any

import sys
if sys.platform == "":
    del (
        heads,
    )

def binary_classification_head(
    weight_column: Any = None, thresholds: Any = None, label_vocabulary: Any = None,
    loss_reduction: str = 'weighted_sum_over_batch_size', loss_fn: Any = None, name: str | None = None,
) -> Any:
    """The head of a classifier with two classes, by sigmoid cross entropy."""

from evergraph.estimator.experimental import (
    build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn,
)

from evergraph.estimator.experimental import call_logit_fn as call_logit_fn
from evergraph.estimator.experimental import dnn_logit_fn_builder as dnn_logit_fn_builder
from evergraph.estimator.experimental import linear_logit_fn_builder as linear_logit_fn_builder

def logistic_regression_head(
    weight_column: Any = None, loss_reduction: str = 'weighted_sum_over_batch_size',
    name: str | None = None,
) -> Any:
    """The head of a regression of probabilities, by sigmoid cross entropy."""

def multi_class_head(
    n_classes: int, weight_column: Any = None, label_vocabulary: Any = None,
    loss_reduction: str = 'weighted_sum_over_batch_size', loss_fn: Any = None, name: str | None = None,
) -> Any:
    """The head of a classifier with more than two classes that exclude each other, by softmax cross
    entropy."""

def multi_head(heads: Any, head_weights: Any = None) -> Any:
    """Several heads over one model, whose loss is the weighted sum of theirs."""

def multi_label_head(
    n_classes: int, weight_column: Any = None, thresholds: Any = None, label_vocabulary: Any = None,
    loss_reduction: str = 'weighted_sum_over_batch_size', loss_fn: Any = None,
    classes_for_class_based_metrics: Any = None, name: str | None = None,
) -> Any:
    """The head of a classifier whose examples have any number of the classes, by sigmoid cross entropy."""

def poisson_regression_head(
    weight_column: Any = None, label_dimension: int = 1,
    loss_reduction: str = 'weighted_sum_over_batch_size', compute_full_loss: bool = True,
    name: str | None = None,
) -> Any:
    """The head of a regression of counts, by the Poisson log likelihood."""

def regression_head(
    weight_column: Any = None, label_dimension: int = 1,
    loss_reduction: str = 'weighted_sum_over_batch_size', loss_fn: Any = None, inverse_link_fn: Any = None,
    name: str | None = None,
) -> Any:
    """The head of a regression by mean squared error."""
