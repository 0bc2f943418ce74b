"""Small Estimators of tf.contrib.learn: KMeansClustering, LogisticRegressor, and those for debugging."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.learn.canned import Classifier, Regressor, by_key, features_by_name
from evergraph.contrib.learn.estimator import BaseEstimator, Estimator
from evergraph.contrib.learn.heads import multi_class_head, regression_head
from evergraph.contrib.learn.keys import MetricKey
from evergraph.contrib.learn.model_fn import CORE_MODES, ModelFnOps
from evergraph.estimator.calls import call_with
from evergraph.estimator.canned.kmeans import kmeans_model
from evergraph.estimator.canned.kmeans_steps import COSINE, EUCLIDEAN, PLUS_PLUS, RANDOM
from evergraph.frontend import array, math
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.metrics.areas import auc
from evergraph.metrics.means import accuracy, mean
from evergraph.metrics.thresholds import precision_at_thresholds, recall_at_thresholds
from evergraph.ops.math import elementwise
from evergraph.train.adagrad import AdagradOptimizer
from evergraph.train.global_step import get_global_step


@export("contrib.learn.KMeansClustering")
class KMeansClustering(BaseEstimator):
    """K-means clustering, of the whole data at once or of mini-batches.

    Args:
        num_clusters: how many clusters there are.
        model_dir: the directory of checkpoints and events.
        initial_clusters: how the first centers are chosen: RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, or an array of centers.
        distance_metric: SQUARED_EUCLIDEAN_DISTANCE or COSINE_DISTANCE.
        random_seed: of random choices.
        use_mini_batch: whether centers move towards the points of a batch; otherwise they move to the means of it.
        mini_batch_steps_per_iteration: after how many mini-batches centers move.
        kmeans_plus_plus_num_retries: how many more candidates k-means++ draws for each center.
        relative_tolerance: training stops when a step changes the loss by less than this part of it.
        config: a tf.contrib.learn.RunConfig.
    """

    SQUARED_EUCLIDEAN_DISTANCE = EUCLIDEAN
    COSINE_DISTANCE = COSINE
    RANDOM_INIT = RANDOM
    KMEANS_PLUS_PLUS_INIT = PLUS_PLUS
    SCORES = "score"
    CLUSTER_IDX = "cluster_index"
    CLUSTERS = "clusters"
    ALL_SCORES = "all_distances"

    def __init__(self, num_clusters: int, model_dir: Any = None, initial_clusters: Any = RANDOM_INIT,
                 distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE, random_seed: int = 0, use_mini_batch: bool = True,
                 mini_batch_steps_per_iteration: int = 1, kmeans_plus_plus_num_retries: int = 2,
                 relative_tolerance: float | None = None, config: Any = None) -> None:
        self._kmeans = kmeans_model(
            num_clusters, initial_clusters, distance_metric, random_seed,
            mini_batch_steps_per_iteration if use_mini_batch else None, kmeans_plus_plus_num_retries,
            relative_tolerance, None)
        super().__init__(model_dir, config)

    def _call_model(self, features: Any, labels: Any, mode: str, config: Any) -> Any:
        return self._kmeans(features, CORE_MODES[mode], config)

    def predict_cluster_idx(self, input_fn: Callable[..., Any]) -> Any:
        """Yields the number of the nearest cluster of each point."""
        return by_key(self.predict(input_fn=input_fn, outputs=[self.CLUSTER_IDX]), self.CLUSTER_IDX, True)

    def score(self, input_fn: Callable[..., Any] | None = None, steps: int | None = None) -> float:
        """The sum of the distances of points to their clusters.

        Args:
            input_fn: makes the points.
            steps: the number of batches.
        """
        return float(np.sum(self.evaluate(input_fn=input_fn, steps=steps)[self.SCORES]))

    def transform(self, input_fn: Callable[..., Any] | None = None, as_iterable: bool = False) -> Any:
        """The distances of each point to all clusters.

        Args:
            input_fn: makes the points.
            as_iterable: whether to yield them one by one, and not return those of one batch.
        """
        found = self.predict(input_fn=input_fn, outputs=[self.ALL_SCORES], as_iterable=as_iterable)
        return by_key(found, self.ALL_SCORES, as_iterable)

    def clusters(self) -> Any:
        """The centers."""
        return self.get_variable_value(self.CLUSTERS)


@export("contrib.learn.LogisticRegressor")
def LogisticRegressor(model_fn: Callable[..., Any], thresholds: Sequence[float] | None = None, model_dir: Any = None,
                      config: Any = None, feature_engineering_fn: Any = None) -> Estimator:
    """An Estimator with the metrics of a logistic regression.

    Args:
        model_fn: a model function that returns (predictions, loss, train_op), where predictions are probabilities.
        thresholds: thresholds of probabilities for accuracy, precision and recall; 0.5 by default.
        model_dir: the directory of checkpoints and events.
        config: a tf.contrib.learn.RunConfig.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
    """
    def with_metrics(features: Any, labels: Any, mode: str, params: Any) -> ModelFnOps:
        predictions, loss, train_op = call_with(model_fn, features, labels, mode=mode, params=params)
        metrics = {} if labels is None else _logistic_metrics(predictions, labels, tuple(thresholds or (0.5,)))
        return ModelFnOps(mode, predictions, loss, train_op, metrics)
    return Estimator(with_metrics, model_dir, config, feature_engineering_fn=feature_engineering_fn)


def _logistic_metrics(predictions: Any, labels: Any, thresholds: tuple[float, ...]) -> dict[str, Any]:
    labels = math.cast(labels, dtypes.float32)
    found = {MetricKey.PREDICTION_MEAN: mean(predictions), MetricKey.LABEL_MEAN: mean(labels),
             MetricKey.ACCURACY_BASELINE: mean(labels), MetricKey.AUC: auc(labels, predictions)}
    for threshold in thresholds:
        hit = math.cast(elementwise.greater_equal(predictions, threshold), dtypes.float32)
        found[MetricKey.ACCURACY_MEAN % threshold] = accuracy(labels, hit)
        for key, metric in ((MetricKey.PRECISION_MEAN, precision_at_thresholds),
                            (MetricKey.RECALL_MEAN, recall_at_thresholds)):
            found[key % threshold] = tuple(array.squeeze(each) for each in metric(labels, predictions, [threshold]))
    return found


def _bias_model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any]) -> ModelFnOps:
    """A model that looks at no feature: its logits are a bias."""
    head = params["head"]
    first = next(iter(features_by_name(features).values()))
    with variable_scope("debug"):
        bias = get_variable("bias", [head.logits_dimension], initializer=zeros_initializer())
        logits = elementwise.add(array.zeros([array.shape(first)[0], head.logits_dimension]), bias)

    def train_op_fn(loss: Any) -> Any:
        return AdagradOptimizer(0.3).minimize(loss, global_step=get_global_step())
    return head.create_model_fn_ops(features, mode, labels, train_op_fn, logits)


@export("contrib.learn.DebugClassifier")
class DebugClassifier(Classifier):
    """A classifier that looks at no feature: it predicts how often each class occurs, to compare others with.

    Args:
        model_dir: the directory of checkpoints and events.
        n_classes: the number of classes.
        weight_column_name: the feature with the weights of examples.
        config: a tf.contrib.learn.RunConfig.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
        label_keys: the names of the classes, where labels are strings.
    """

    def __init__(self, model_dir: Any = None, n_classes: int = 2, weight_column_name: str | None = None,
                 config: Any = None, feature_engineering_fn: Any = None,
                 label_keys: Sequence[str] | None = None) -> None:
        head = multi_class_head(n_classes, weight_column_name=weight_column_name, label_keys=label_keys)
        super().__init__(_bias_model_fn, model_dir, config, {"head": head}, feature_engineering_fn)


@export("contrib.learn.DebugRegressor")
class DebugRegressor(Regressor):
    """A regressor that looks at no feature: it predicts the mean of labels, to compare others with.

    Args:
        label_dimension: how many numbers there are for an example.
        model_dir, weight_column_name, config, feature_engineering_fn: see DebugClassifier.
    """

    def __init__(self, model_dir: Any = None, label_dimension: int = 1, weight_column_name: str | None = None,
                 config: Any = None, feature_engineering_fn: Any = None) -> None:
        head = regression_head(label_dimension=label_dimension, weight_column_name=weight_column_name)
        super().__init__(_bias_model_fn, model_dir, config, {"head": head}, feature_engineering_fn)
