# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.timeseries."""

from collections.abc import Callable, Mapping, Sequence
from evergraph import Tensor
from evergraph.data import Dataset
from evergraph.estimator import Estimator, EstimatorSpec
from typing import Any
from evergraph.contrib.timeseries import saved_model_utils as saved_model_utils

import sys
if sys.platform == "":
    del (
        anomalies, ar_anomalies, ar_model, ar_networks, covariances, ensembles, estimators, head, kalman,
        keys, level_trend, matrices, model, periodic, readers, sequential, state, state_managers,
        state_space, statistics, structural, tables, varma, windows,
    )

class ARModel:
    """Predicts windows of values from windows of values before them, and from times."""
    SQUARED_LOSS: str
    NORMAL_LIKELIHOOD_LOSS: str
    @property
    def window_size(self) -> int:
        """The number of values of a window of training."""
    def get_start_state(self) -> tuple[Any, Any, Any]:
        """(times, values, exogenous features) of a window of zeros."""
    def define_loss(self, features: Mapping[str, Any], mode: str | None) -> tuple: ...
    def get_batch_loss(self, features: Mapping[str, Any], mode: str | None, state: Any) -> tuple: ...
    def predict(self, features: Mapping[str, Any]) -> dict[str, Tensor]: ...
    @property
    def exogenous_feature_columns(self) -> list[Any]:
        """The columns of features that are not predicted."""
    def initialize_graph(self, input_statistics: tuple | None = None) -> None:
        """Begins to build in the default graph: models make their variables here."""
    def generate(
        self, number_of_series: int, series_length: int, model_parameters: Any = None, seed: Any = None,
    ) -> dict[str, Any]:
        """Draws series from a model that can: {"times": [series, length], "values": [series, length,
        features]}."""
    def random_model_parameters(self, seed: Any = None) -> dict[Any, Any]:
        """Parameters for `generate`: from tensors to arrays."""
    def __init__(
        self, periodicities: Any, input_window_size: int, output_window_size: int, num_features: int,
        prediction_model_factory: Callable[..., Any] = ..., num_time_buckets: int = 10,
        loss: str = 'normal_likelihood_loss', exogenous_feature_columns: Any = None,
    ) -> None: ...
    loss: Any
    num_features: Any
    dtype: Any

class ARRegressor(TimeSeriesRegressor):
    """An Estimator of an autoregressive model, linear or a network."""
    def __init__(
        self, periodicities: Any, input_window_size: int, output_window_size: int, num_features: int,
        exogenous_feature_columns: Any = None, num_time_buckets: int = 10, loss: str = 'normal_likelihood_loss',
        hidden_layer_sizes: Sequence[int] | None = None, anomaly_prior_probability: float | None = None,
        anomaly_distribution: str | None = None, optimizer: Any = None, model_dir: Any = None,
        config: Any = None,
    ) -> None: ...

class CSVReader:
    """A series in CSV files, one record a line, read in the order of the files."""
    def whole(self) -> Dataset: ...
    def check_dataset_size(self, minimum_dataset_size: int) -> None:
        """Raises ValueError where the series is known to have fewer records."""
    def read(self) -> dict[str, Tensor]:
        """Some records that follow each other; the next ones in the next step, and the first again after the
        last."""
    def read_full(self) -> dict[str, Tensor]:
        """All records, in each step."""
    def __init__(
        self, filenames: Any, column_names: Sequence[str] = ..., column_dtypes: Sequence[Any] | None = None,
        skip_header_lines: int | None = None, read_num_records_hint: int = 4096,
    ) -> None: ...

class FilteringResults:
    """The results of filtering."""
    TIMES: str
    STATE_TUPLE: str
    STATE_PREFIX: str

class NumpyReader:
    """A series in arrays."""
    def whole(self) -> Dataset: ...
    def check_dataset_size(self, minimum_dataset_size: int) -> None: ...
    def read(self) -> dict[str, Tensor]:
        """Some records that follow each other; the next ones in the next step, and the first again after the
        last."""
    def read_full(self) -> dict[str, Tensor]:
        """All records, in each step."""
    def __init__(self, data: Mapping[str, Any], read_num_records_hint: int = 4096) -> None: ...

class OneShotPredictionHead:
    """A head whose export needs no state: one signature takes values and more times than values, and
    predicts the rest."""
    @property
    def name(self) -> Any: ...
    def create_estimator_spec(
        self, features: Mapping[str, Any], mode: str, labels: Any = None,
    ) -> EstimatorSpec:
        """The EstimatorSpec of a mode: a model function for an Estimator."""
    def __init__(
        self, model: Any, state_manager: Any, optimizer: Any, input_statistics_generator: Any = None,
        name: str | None = None,
    ) -> None: ...

class RandomWindowInputFn:
    """Batches of windows of a series, drawn at random."""
    def create_batch(self) -> tuple[dict[str, Tensor], None]: ...
    def __call__(self) -> tuple[dict[str, Tensor], None]: ...
    def __init__(
        self, time_series_reader: Any, window_size: int, batch_size: int, queue_capacity_multiplier: int = 1000,
        shuffle_min_after_dequeue_multiplier: int = 2, discard_out_of_order: bool = True,
        discard_consecutive_batches_limit: int = 1000, jitter: bool = True, num_threads: int = 2,
        shuffle_seed: int | None = None,
    ) -> None: ...

class StructuralEnsembleRegressor(TimeSeriesRegressor):
    """An Estimator of a structural model: a level and its trend, periods, and an autoregressive moving
    average."""
    def __init__(
        self, periodicities: Any, num_features: int, cycle_num_latent_values: Any = 11,
        moving_average_order: int = 4, autoregressive_order: int = 0, exogenous_feature_columns: Any = None,
        exogenous_update_condition: Callable[..., Any] | None = None, dtype: Any = ...,
        anomaly_prior_probability: float | None = None, optimizer: Any = None, model_dir: Any = None,
        config: Any = None, head_type: Any = ...,
    ) -> None: ...

class TimeSeriesRegressor(Estimator):
    """An Estimator of a model of time series."""
    def build_raw_serving_input_receiver_fn(
        self, default_batch_size: int | None = None, default_series_length: int | None = None,
    ) -> Callable[[], Any]:
        """A function of the input of an exported model, which is fed with tensors."""
    def build_one_shot_parsing_serving_input_receiver_fn(
        self, filtering_length: int, prediction_length: int, default_batch_size: int | None = None,
        values_input_dtype: Any = None, truncate_values: bool = False,
    ) -> Callable[[], Any]:
        """A function of the input of an exported model, which is fed with serialized tf.Examples."""
    def __init__(
        self, model: Any, state_manager: Any = None, optimizer: Any = None, model_dir: Any = None,
        config: Any = None, head_type: Any = ...,
    ) -> None: ...

class TrainEvalFeatures:
    """The features of training and evaluation."""
    TIMES: str
    VALUES: str

class WholeDatasetInputFn:
    """The whole series, as a batch of one window, in every step: give `steps=1` to `evaluate`."""
    def create_batch(self) -> tuple[dict[str, Tensor], None]: ...
    def __call__(self) -> tuple[dict[str, Tensor], None]: ...
    def __init__(self, time_series_reader: Any) -> None: ...

def predict_continuation_input_fn(
    evaluation: Mapping[str, Any], steps: int | None = None, times: Any = None,
    exogenous_features: Mapping[str, Any] | None = None,
) -> Any:
    """A function of input for `predict`, which goes on where an evaluation ended."""
