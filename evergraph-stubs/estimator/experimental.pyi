# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.estimator.experimental."""

from collections.abc import Callable, Iterator, Sequence
from evergraph import Tensor
from evergraph.contrib.linear_optimizer import SdcaModel
from evergraph.estimator import Estimator, SessionRunContext, SessionRunHook, SessionRunValues
from numpy import ndarray
from typing import Any

class InMemoryEvaluatorHook(SessionRunHook):
    """Evaluates an Estimator during training: before the first step, every few runs, and at the end."""
    def begin(self) -> None: ...
    def after_create_session(self, session: Any, coord: Any) -> None: ...
    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None: ...
    def end(self, session: Any) -> None: ...
    def __init__(
        self, estimator: Estimator, input_fn: Callable[..., Any], steps: int | None = None,
        hooks: Sequence[SessionRunHook] | None = None, name: str | None = None, every_n_iter: int = 100,
    ) -> None: ...

class KMeans(Estimator):
    """K-means clustering (Lloyd, 1982), of the whole data at once or of mini-batches (Sculley, 2010)."""
    SQUARED_EUCLIDEAN_DISTANCE: str
    COSINE_DISTANCE: str
    RANDOM_INIT: str
    KMEANS_PLUS_PLUS_INIT: str
    SCORE: str
    CLUSTER_INDEX: str
    ALL_DISTANCES: str
    CLUSTER_CENTERS_VAR_NAME: str
    def predict_cluster_index(self, input_fn: Callable[..., Any]) -> Iterator[int]:
        """The nearest center of each point."""
    def score(self, input_fn: Callable[..., Any]) -> float:
        """The sum of the distances from the points of the first batch to their nearest centers."""
    def transform(self, input_fn: Callable[..., Any]) -> Iterator[ndarray]:
        """The distances of each point to all centers."""
    def cluster_centers(self) -> ndarray:
        """The centers, [num_clusters, dimensions]."""
    def __init__(
        self, num_clusters: int, model_dir: Any = None, initial_clusters: Any = 'random',
        distance_metric: str = 'squared_euclidean', seed: int | None = None, use_mini_batch: bool = True,
        mini_batch_steps_per_iteration: int = 1, kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None, config: Any = None, feature_columns: Any = None,
    ) -> None: ...

class LinearSDCA:
    """Stochastic dual coordinate ascent, the optimizer of a LinearClassifier with two classes or a
    LinearRegressor."""
    def check(self, head: Any, sparse_combiner: str) -> None:
        """Raises ValueError unless it can train a linear model under this head."""
    def get_train_step(
        self, state_manager: Any, weight_column_name: str | None, loss_type: str, feature_columns: Any,
        features: Any, targets: Any, bias_var: Any, global_step: Any,
    ) -> tuple[SdcaModel, Any]:
        """The model, and the operation that takes the examples of a batch once."""
    def __init__(
        self, example_id_column: str, num_loss_partitions: int = 1, num_table_shards: int | None = None,
        symmetric_l1_regularization: float = 0.0, symmetric_l2_regularization: float = 1.0,
        adaptive: bool = False,
    ) -> None: ...

def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: int | None = None,
) -> Callable[[], Any]:
    """A function that builds an input of features and labels, for graphs that train or evaluate."""

def call_logit_fn(logit_fn: Any, features: Any, mode: str, params: Any, config: Any) -> Any:
    """Calls a function that computes logits with those arguments among these that it declares."""

def dnn_logit_fn_builder(
    units: int, hidden_units: Any, feature_columns: Any, activation_fn: Any, dropout: Any,
    input_layer_partitioner: Any, batch_norm: bool,
) -> Callable[..., Tensor]:
    """A function of (features, mode) that returns the logits of a deep neural network."""

def linear_logit_fn_builder(
    units: int, feature_columns: Any, sparse_combiner: str = 'sum',
) -> Callable[..., Tensor]:
    """A function of (features) that returns the logits of a linear model."""

def make_early_stopping_hook(
    estimator: Any, should_stop_fn: Callable[[], bool], run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> SessionRunHook:
    """A hook that stops training when a function says so."""

def make_stop_at_checkpoint_step_hook(
    estimator: Any, last_step: int, wait_after_file_check_secs: float = 30,
) -> SessionRunHook:
    """A hook that stops training at a global step; a worker waits until the chief has saved that step."""

def stop_if_higher_hook(
    estimator: Any, metric_name: str, threshold: float, eval_dir: str | None = None, min_steps: int = 0,
    run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:
    """A hook that stops training when a metric of an evaluation is above a threshold."""

def stop_if_lower_hook(
    estimator: Any, metric_name: str, threshold: float, eval_dir: str | None = None, min_steps: int = 0,
    run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:
    """A hook that stops training when a metric of an evaluation is below a threshold."""

def stop_if_no_decrease_hook(
    estimator: Any, metric_name: str, max_steps_without_decrease: int, eval_dir: str | None = None,
    min_steps: int = 0, run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:
    """A hook that stops training when a metric of the evaluations has not fallen for a number of steps."""

def stop_if_no_increase_hook(
    estimator: Any, metric_name: str, max_steps_without_increase: int, eval_dir: str | None = None,
    min_steps: int = 0, run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:
    """A hook that stops training when a metric of the evaluations has not risen for a number of steps."""
