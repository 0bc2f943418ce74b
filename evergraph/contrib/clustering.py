"""tf.contrib.factorization.KMeans: the graph of k-means clustering."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.estimator.canned.kmeans_steps import COSINE, EUCLIDEAN, PLUS_PLUS, RANDOM, Centers
from evergraph.frontend.math import cast
from evergraph.graph.convert import convert_to_tensor

SQUARED_EUCLIDEAN_DISTANCE = export("contrib.factorization.SQUARED_EUCLIDEAN_DISTANCE")(EUCLIDEAN)
COSINE_DISTANCE = export("contrib.factorization.COSINE_DISTANCE")(COSINE)
RANDOM_INIT = export("contrib.factorization.RANDOM_INIT")(RANDOM)
KMEANS_PLUS_PLUS_INIT = export("contrib.factorization.KMEANS_PLUS_PLUS_INIT")(PLUS_PLUS)


@export("contrib.factorization.KMeans")
class KMeans:
    """Builds the graph of k-means clustering.

    Args:
        inputs: the points, [points, dimensions], or a list with one such tensor.
        num_clusters: the number of clusters.
        initial_clusters: "random", "kmeans_plus_plus", an array of centers, or a function of (points, number).
        distance_metric: "squared_euclidean" or "cosine".
        use_mini_batch: whether each step moves centers a little, rather than to the means of the step's points.
        mini_batch_steps_per_iteration: after how many such steps the centers are replaced.
        random_seed: of random choices.
        kmeans_plus_plus_num_retries: how many more candidates k-means++ draws for each center.
        kmc2_chain_length: of TensorFlow's third way to choose centers, "kmc2", which is not here.

    Raises:
        ValueError: the metric or the way to choose centers is unknown, or there are several inputs.
    """

    def __init__(self, inputs: Any, num_clusters: int, initial_clusters: Any = RANDOM_INIT,
                 distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE, use_mini_batch: bool = False,
                 mini_batch_steps_per_iteration: int = 1, random_seed: int = 0, kmeans_plus_plus_num_retries: int = 2,
                 kmc2_chain_length: int = 200) -> None:
        listed = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        if len(listed) != 1:
            raise ValueError(f"KMeans takes one tensor of points here, not {len(listed)}: join them with tf.concat")
        if distance_metric not in (EUCLIDEAN, COSINE):
            raise ValueError(f"distance_metric must be {EUCLIDEAN!r} or {COSINE!r}, not {distance_metric!r}")
        if isinstance(initial_clusters, str) and initial_clusters not in (RANDOM, PLUS_PLUS):
            raise ValueError(f"initial_clusters must be {RANDOM!r} or {PLUS_PLUS!r}, not {initial_clusters!r}")
        self._points = cast(convert_to_tensor(listed[0]), dtypes.float32)
        self._settings = (num_clusters, initial_clusters, distance_metric, random_seed,
                          mini_batch_steps_per_iteration if use_mini_batch else None, kmeans_plus_plus_num_retries)

    def training_graph(self) -> tuple[Any, ...]:
        """Adds the graph.

        Returns:
            (all_scores, cluster_idx, scores, cluster_centers_initialized, init_op, training_op): lists with the
            distance of each point to each center, with the nearest center of each point and with the distance to it;
            whether the first centers are chosen; the operation that chooses them, to be run until they are; and the
            operation that moves the centers.
        """
        centers = Centers(self._points, *self._settings)
        nearest, scores = centers.nearest()
        return ([centers.distances()], [nearest], [scores], centers.is_initialized, centers.initialize(),
                centers.move(nearest))
