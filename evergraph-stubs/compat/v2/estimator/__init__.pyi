# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.estimator."""

from evergraph.estimator import Estimator as _Estimator
from typing import Any
from evergraph.compat.v2.estimator import experimental as experimental, export as export

class BaselineClassifier(_Estimator):
    """A classifier that learns how frequent each class is, with an optimizer of tf.keras."""
    def __init__(
        self, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, optimizer: Any = 'Ftrl', config: Any = None,
        loss_reduction: str = 'sum_over_batch_size',
    ) -> None: ...

class BaselineEstimator(_Estimator):
    """A model under any head that ignores features, with an optimizer of tf.keras."""
    def __init__(
        self, head: Any, model_dir: Any = None, optimizer: Any = 'Ftrl', config: Any = None,
    ) -> None: ...

class BaselineRegressor(_Estimator):
    """A regression that learns the mean of the labels, with an optimizer of tf.keras."""
    def __init__(
        self, model_dir: Any = None, label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = 'Ftrl', config: Any = None, loss_reduction: str = 'sum_over_batch_size',
    ) -> None: ...

from evergraph.estimator import BestExporter as BestExporter
from evergraph.estimator import BinaryClassHead as BinaryClassHead
from evergraph.estimator import CheckpointSaverHook as CheckpointSaverHook
from evergraph.estimator import CheckpointSaverListener as CheckpointSaverListener

class DNNClassifier(_Estimator):
    """A classifier by a deep neural network, with an optimizer of tf.keras."""
    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = 'Adagrad',
        activation_fn: Any = ..., dropout: Any = None, config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = 'sum_over_batch_size', batch_norm: bool = False,
    ) -> None: ...

class DNNEstimator(_Estimator):
    """A deep neural network under any head, with an optimizer of tf.keras."""
    def __init__(
        self, head: Any, hidden_units: Any, feature_columns: Any, model_dir: Any = None,
        optimizer: Any = 'Adagrad', activation_fn: Any = ..., dropout: Any = None, config: Any = None,
        warm_start_from: Any = None, batch_norm: bool = False,
    ) -> None: ...

class DNNLinearCombinedClassifier(_Estimator):
    """A classifier by a linear model beside a deep neural network, with optimizers of tf.keras."""
    def __init__(
        self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = 'Ftrl',
        dnn_feature_columns: Any = None, dnn_optimizer: Any = 'Adagrad', dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = ..., dnn_dropout: Any = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = 'sum_over_batch_size', batch_norm: bool = False,
        linear_sparse_combiner: str = 'sum',
    ) -> None: ...

class DNNLinearCombinedEstimator(_Estimator):
    """A linear model beside a deep neural network under any head, with optimizers of tf.keras."""
    def __init__(
        self, head: Any, model_dir: Any = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = 'Ftrl', dnn_feature_columns: Any = None, dnn_optimizer: Any = 'Adagrad',
        dnn_hidden_units: Any = None, dnn_activation_fn: Any = ..., dnn_dropout: Any = None, config: Any = None,
        batch_norm: bool = False, linear_sparse_combiner: str = 'sum',
    ) -> None: ...

class DNNLinearCombinedRegressor(_Estimator):
    """A regression by a linear model beside a deep neural network, with optimizers of tf.keras."""
    def __init__(
        self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = 'Ftrl',
        dnn_feature_columns: Any = None, dnn_optimizer: Any = 'Adagrad', dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = ..., dnn_dropout: Any = None, label_dimension: int = 1,
        weight_column: Any = None, config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = 'sum_over_batch_size', batch_norm: bool = False,
        linear_sparse_combiner: str = 'sum',
    ) -> None: ...

class DNNRegressor(_Estimator):
    """A regression by a deep neural network, with an optimizer of tf.keras."""
    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
        weight_column: Any = None, optimizer: Any = 'Adagrad', activation_fn: Any = ..., dropout: Any = None,
        config: Any = None, warm_start_from: Any = None, loss_reduction: str = 'sum_over_batch_size',
        batch_norm: bool = False,
    ) -> None: ...

class Estimator(_Estimator):
    """The flavour of TensorFlow 2: exports by `export_saved_model` alone."""
    @property
    def export_savedmodel(self) -> Any:
        """Not there."""

from evergraph.estimator import EstimatorSpec as EstimatorSpec
from evergraph.estimator import EvalSpec as EvalSpec
from evergraph.estimator import Exporter as Exporter
from evergraph.estimator import FeedFnHook as FeedFnHook
from evergraph.estimator import FinalExporter as FinalExporter
from evergraph.estimator import FinalOpsHook as FinalOpsHook
from evergraph.estimator import GlobalStepWaiterHook as GlobalStepWaiterHook
from evergraph.estimator import Head as Head
from evergraph.estimator import LatestExporter as LatestExporter

class LinearClassifier(_Estimator):
    """A classifier by a linear model, with an optimizer of tf.keras."""
    def __init__(
        self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, optimizer: Any = 'Ftrl', config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = 'sum_over_batch_size', sparse_combiner: str = 'sum',
    ) -> None: ...

class LinearEstimator(_Estimator):
    """A linear model under any head, with an optimizer of tf.keras."""
    def __init__(
        self, head: Any, feature_columns: Any, model_dir: Any = None, optimizer: Any = 'Ftrl',
        config: Any = None, sparse_combiner: str = 'sum', warm_start_from: Any = None,
    ) -> None: ...

class LinearRegressor(_Estimator):
    """A linear regression, with an optimizer of tf.keras."""
    def __init__(
        self, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = 'Ftrl', config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = 'sum_over_batch_size', sparse_combiner: str = 'sum',
    ) -> None: ...

from evergraph.estimator import LoggingTensorHook as LoggingTensorHook
from evergraph.estimator import LogisticRegressionHead as LogisticRegressionHead
from evergraph.estimator import ModeKeys as ModeKeys
from evergraph.estimator import MultiClassHead as MultiClassHead
from evergraph.estimator import MultiHead as MultiHead
from evergraph.estimator import MultiLabelHead as MultiLabelHead
from evergraph.estimator import NanLossDuringTrainingError as NanLossDuringTrainingError
from evergraph.estimator import NanTensorHook as NanTensorHook
from evergraph.estimator import PoissonRegressionHead as PoissonRegressionHead
from evergraph.estimator import ProfilerHook as ProfilerHook
from evergraph.estimator import RegressionHead as RegressionHead
from evergraph.estimator import RunConfig as RunConfig
from evergraph.estimator import SecondOrStepTimer as SecondOrStepTimer
from evergraph.estimator import SessionRunArgs as SessionRunArgs
from evergraph.estimator import SessionRunContext as SessionRunContext
from evergraph.estimator import SessionRunHook as SessionRunHook
from evergraph.estimator import SessionRunValues as SessionRunValues
from evergraph.estimator import StepCounterHook as StepCounterHook
from evergraph.estimator import StopAtStepHook as StopAtStepHook
from evergraph.estimator import SummarySaverHook as SummarySaverHook
from evergraph.estimator import TrainSpec as TrainSpec
from evergraph.estimator import VocabInfo as VocabInfo
from evergraph.estimator import WarmStartSettings as WarmStartSettings
from evergraph.estimator import add_metrics as add_metrics

def classifier_parse_example_spec(
    feature_columns: Any, label_key: str, label_dtype: Any = ..., label_default: Any = None,
    weight_column: Any = None,
) -> dict[str, Any]:
    """`tf.estimator.classifier_parse_example_spec` of columns that layers take, such as those of
    sequences."""

def regressor_parse_example_spec(
    feature_columns: Any, label_key: str, label_dtype: Any = ..., label_default: Any = None,
    label_dimension: int = 1, weight_column: Any = None,
) -> dict[str, Any]:
    """`tf.estimator.regressor_parse_example_spec` of columns that layers take, such as those of
    sequences."""

from evergraph.estimator import train_and_evaluate as train_and_evaluate
