# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.factorization."""

from evergraph.estimator.experimental import KMeans as _KMeans
from typing import Any

COSINE_DISTANCE: str
KMEANS_PLUS_PLUS_INIT: str

class KMeans:
    """Builds the graph of k-means clustering."""
    def training_graph(self) -> tuple[Any, ...]:
        """Adds the graph."""
    def __init__(
        self, inputs: Any, num_clusters: int, initial_clusters: Any = 'random',
        distance_metric: str = 'squared_euclidean', use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1, random_seed: int = 0, kmeans_plus_plus_num_retries: int = 2,
        kmc2_chain_length: int = 200,
    ) -> None: ...

KMeansClustering = _KMeans
RANDOM_INIT: str
SQUARED_EUCLIDEAN_DISTANCE: str
