# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.estimator."""

from evergraph.estimator import Estimator as _Estimator
from typing import Any

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
