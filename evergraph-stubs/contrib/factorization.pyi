# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.factorization."""

from collections.abc import Callable, Iterator
from evergraph import Operation, Tensor
from evergraph.contrib.learn import BaseEstimator, Estimator
from evergraph.estimator.experimental import KMeans as _KMeans
from numpy import ndarray
from typing import Any

COSINE_DISTANCE: str

class GMM(BaseEstimator):
    """A mixture of Gaussians, fitted by expectation and maximization of each batch."""
    SCORES: str
    LOG_LIKELIHOOD: str
    ASSIGNMENTS: str
    def predict_assignments(
        self, input_fn: Callable[..., Any] | None = None, batch_size: int | None = None, outputs: Any = None,
    ) -> Any:
        """Yields the most likely component of each point."""
    def score(
        self, input_fn: Callable[..., Any] | None = None, batch_size: int | None = None,
        steps: int | None = None,
    ) -> float:
        """The logarithm of the likelihood of points."""
    def weights(self) -> Any:
        """The weights of components."""
    def clusters(self) -> Any:
        """The means of components."""
    def covariances(self) -> Any:
        """The covariances of components, or their variances."""
    def __init__(
        self, num_clusters: int, model_dir: Any = None, random_seed: int = 0, params: str = 'wmc',
        initial_clusters: Any = 'random', covariance_type: str = 'full', config: Any = None,
    ) -> None: ...

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

class WALSMatrixFactorization(Estimator):
    """Factors the rows and columns of a sparse matrix (Hu, Koren and Volinsky, 2008), as WALSModel."""
    INPUT_ROWS: str
    INPUT_COLS: str
    PROJECT_ROW: str
    PROJECTION_WEIGHTS: str
    PROJECTION_RESULT: str
    LOSS: str
    RWSE: str
    COMPLETED_SWEEPS: str
    def get_row_factors(self) -> list[ndarray]:
        """The factors of rows in the last checkpoint, an array for each shard."""
    def get_col_factors(self) -> list[ndarray]:
        """The factors of columns in the last checkpoint, an array for each shard."""
    def get_projections(self, input_fn: Callable[[], Any]) -> Iterator[Any]:
        """The factors that rows or columns would have, one after the other."""
    def __init__(
        self, num_rows: int, num_cols: int, embedding_dimension: int, unobserved_weight: float = 0.1,
        regularization_coeff: float | None = None, row_init: Any = 'random', col_init: Any = 'random',
        num_row_shards: int = 1, num_col_shards: int = 1, row_weights: Any = 1, col_weights: Any = 1,
        use_factors_weights_cache_for_training: bool = True, use_gramian_cache_for_training: bool = True,
        max_sweeps: int | None = None, model_dir: Any = None, config: Any = None,
    ) -> None: ...

class WALSModel:
    """Factors of a matrix A by weighted alternating least squares (Hu, Koren and Volinsky, 2008)."""
    @property
    def row_factors(self) -> Any: ...
    @property
    def col_factors(self) -> Any: ...
    @property
    def row_weights(self) -> Any: ...
    @property
    def col_weights(self) -> Any: ...
    @property
    def initialize_op(self) -> Operation:
        """The operation that initializes the variables."""
    @property
    def worker_init(self) -> Operation:
        """An operation that does nothing: there are no caches of workers."""
    @property
    def initialize_row_update_op(self) -> Operation:
        """See `worker_init`."""
    @property
    def initialize_col_update_op(self) -> Operation:
        """See `worker_init`."""
    @property
    def row_update_prep_gramian_op(self) -> Operation:
        """The operation to run before row factors are updated: it sums over the column factors."""
    @property
    def col_update_prep_gramian_op(self) -> Operation:
        """The operation to run before column factors are updated: it sums over the row factors."""
    def update_row_factors(self, sp_input: Any = None, transpose_input: bool = False) -> tuple[Any, ...]:
        """Updates the factors of the rows that a part of the matrix has."""
    def update_col_factors(self, sp_input: Any = None, transpose_input: bool = False) -> tuple[Any, ...]:
        """Updates the factors of columns; see `update_row_factors`."""
    def project_row_factors(
        self, sp_input: Any = None, transpose_input: bool = False, projection_weights: Any = None,
    ) -> Tensor:
        """The factors that given rows would have."""
    def project_col_factors(
        self, sp_input: Any = None, transpose_input: bool = False, projection_weights: Any = None,
    ) -> Tensor:
        """The factors that given columns would have; see `project_row_factors`."""
    def __init__(
        self, input_rows: int, input_cols: int, n_components: int, unobserved_weight: float = 0.1,
        regularization: float | None = None, row_init: Any = 'random', col_init: Any = 'random',
        num_row_shards: int = 1, num_col_shards: int = 1, row_weights: Any = 1, col_weights: Any = 1,
        use_factors_weights_cache: bool = True, use_gramian_cache: bool = True, use_scoped_vars: bool = False,
    ) -> None: ...
