"""K-means clustering: tf.estimator.experimental.KMeans."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.estimator.canned.kmeans_steps import COSINE, EUCLIDEAN, PLUS_PLUS, RANDOM, Centers
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.export.outputs import PredictOutput
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.feature.input_layer import input_layer
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.node import Operation, Tensor
from evergraph.metrics.means import mean
from evergraph.save.saved_model_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from evergraph.summary.summaries import scalar
from evergraph.train.global_step import get_global_step
from evergraph.train.scaffold import Scaffold
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunHook


class _ChooseCenters(SessionRunHook):
    """Chooses the first centers when a session starts, unless a checkpoint has brought some.

    The first checkpoint is written before that. It is written again with the centers, because the batches that they
    are chosen from may be all there are: then no step follows, and no other checkpoint.
    """

    def __init__(self, choose: Operation, is_initialized: Any, scaffold: Scaffold, config: Any) -> None:
        self._choose, self._is_initialized, self._scaffold, self._config = choose, is_initialized, scaffold, config

    def after_create_session(self, session: Any, coord: Any) -> None:
        if session.run(self._is_initialized):
            return
        while not session.run(self._is_initialized):
            session.run(self._choose)
        config = self._config
        if config.is_chief and (config.save_checkpoints_secs or config.save_checkpoints_steps):
            path = os.path.join(config.model_dir, "model.ckpt")
            self._scaffold.saver.save(session, path, global_step=get_global_step(), write_meta_graph=False)


class _StopWhenSettled(SessionRunHook):
    """Stops training when a step changes the loss by less than a part of it."""

    def __init__(self, loss: Tensor, tolerance: float) -> None:
        self._loss, self._tolerance, self._before = loss, tolerance, None

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        loss, before = run_values.results, self._before
        if before is not None and before != 0 and abs(loss - before) < abs(self._tolerance * before):
            run_context.request_stop()
        self._before = loss


def _points(features: Any, feature_columns: Any) -> Tensor:
    """The points of a batch: a matrix, the columns of a dict of features, or what feature columns make of it."""
    if feature_columns is not None:
        return input_layer(features, feature_columns)
    if isinstance(features, Mapping):
        features = array.concat([features[name] for name in sorted(features)], axis=1)
    return math.cast(features, dtypes.float32)


def kmeans_model(number: int, initial: Any, metric: str, seed: Any, mini_batch_steps: int | None, retries: int,
                 tolerance: float | None, feature_columns: Any) -> Callable[..., EstimatorSpec]:
    """The model function of k-means clustering: of features, mode and config."""
    def model_fn(features: Any, mode: Any, config: Any) -> EstimatorSpec:
        centers = Centers(_points(features, feature_columns), number, initial, metric, seed, mini_batch_steps, retries)
        nearest, scores = centers.nearest()
        loss = reduce_sum(scores)
        scalar("loss/raw", loss)
        with control_dependencies([centers.move(nearest)]):
            train_op = get_global_step().assign_add(1).op
        scaffold = Scaffold()
        hooks: list[SessionRunHook] = [_ChooseCenters(centers.initialize(), centers.is_initialized, scaffold, config)]
        if tolerance is not None:
            hooks.append(_StopWhenSettled(loss, tolerance))
        distances = centers.distances()
        outputs = {KMeansClustering.ALL_DISTANCES: PredictOutput(distances),
                   KMeansClustering.CLUSTER_INDEX: PredictOutput(nearest),
                   DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(nearest)}
        return EstimatorSpec(
            mode, predictions={KMeansClustering.ALL_DISTANCES: distances, KMeansClustering.CLUSTER_INDEX: nearest},
            loss=loss, train_op=train_op, eval_metric_ops={KMeansClustering.SCORE: mean(loss)},
            training_hooks=hooks, scaffold=scaffold, export_outputs=outputs if mode == ModeKeys.PREDICT else None)
    return model_fn


@export("estimator.experimental.KMeans", "contrib.factorization.KMeansClustering")
class KMeansClustering(Estimator):
    """K-means clustering (Lloyd, 1982), of the whole data at once or of mini-batches (Sculley, 2010).

    >>> points = np.random.RandomState(0).rand(100, 2).astype("float32")
    >>> kmeans = tf.estimator.experimental.KMeans(3, use_mini_batch=False)
    >>> kmeans.train(lambda: tf.data.Dataset.from_tensors(points).repeat(10))

    Args:
        num_clusters: how many clusters there are.
        model_dir: the directory of checkpoints and events.
        initial_clusters: how the first centers are chosen: RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, an array of centers, or
            a function of (points, num_clusters) that returns one.
        distance_metric: SQUARED_EUCLIDEAN_DISTANCE or COSINE_DISTANCE.
        seed: of random choices.
        use_mini_batch: whether centers move towards the points of a batch; otherwise they move to the means of it.
        mini_batch_steps_per_iteration: after how many mini-batches centers move.
        kmeans_plus_plus_num_retries: how many more candidates k-means++ draws for each center.
        relative_tolerance: training stops when a step changes the loss by less than this part of it.
        config: a tf.estimator.RunConfig.
        feature_columns: dense columns, if the features are not the points themselves.

    Raises:
        ValueError: the way to choose centers or the distance is not known.
    """

    SQUARED_EUCLIDEAN_DISTANCE = EUCLIDEAN
    COSINE_DISTANCE = COSINE
    RANDOM_INIT = RANDOM
    KMEANS_PLUS_PLUS_INIT = PLUS_PLUS
    SCORE = "score"
    CLUSTER_INDEX = "cluster_index"
    ALL_DISTANCES = "all_distances"
    CLUSTER_CENTERS_VAR_NAME = "clusters"

    def __init__(self, num_clusters: int, model_dir: Any = None, initial_clusters: Any = RANDOM_INIT,
                 distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE, seed: int | None = None,
                 use_mini_batch: bool = True, mini_batch_steps_per_iteration: int = 1,
                 kmeans_plus_plus_num_retries: int = 2, relative_tolerance: float | None = None, config: Any = None,
                 feature_columns: Any = None) -> None:
        if isinstance(initial_clusters, str) and initial_clusters not in (RANDOM, PLUS_PLUS):
            raise ValueError(f"Unsupported initialization algorithm {initial_clusters!r}")
        if distance_metric not in (EUCLIDEAN, COSINE):
            raise ValueError(f"Unsupported distance metric {distance_metric!r}")
        steps = mini_batch_steps_per_iteration if use_mini_batch else None
        super().__init__(kmeans_model(num_clusters, initial_clusters, distance_metric, seed, steps,
                                      kmeans_plus_plus_num_retries, relative_tolerance, feature_columns),
                         model_dir, config)

    def _predict_one_key(self, input_fn: Callable[..., Any], key: str) -> Iterator[Any]:
        for each in self.predict(input_fn, predict_keys=[key]):
            yield each[key]

    def predict_cluster_index(self, input_fn: Callable[..., Any]) -> Iterator[int]:
        """The nearest center of each point."""
        return self._predict_one_key(input_fn, self.CLUSTER_INDEX)

    def score(self, input_fn: Callable[..., Any]) -> float:
        """The sum of the distances from the points of the first batch to their nearest centers."""
        return self.evaluate(input_fn, steps=1)[self.SCORE]

    def transform(self, input_fn: Callable[..., Any]) -> Iterator[np.ndarray]:
        """The distances of each point to all centers."""
        return self._predict_one_key(input_fn, self.ALL_DISTANCES)

    def cluster_centers(self) -> np.ndarray:
        """The centers, [num_clusters, dimensions]."""
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)
