# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.linear_optimizer."""

from collections.abc import Callable, Mapping, Sequence
from evergraph import Tensor
from evergraph.contrib.learn import Estimator
from typing import Any

import sys
if sys.platform == "":
    del (
        estimators, optimizer, tables,
    )

class SDCALinearRegressor(Estimator):
    """A linear model of numbers with the squared loss, trained by stochastic dual coordinate ascent."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the scores."""
    def predict_scores(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The number for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, example_id_column: str, feature_columns: Any, weight_column_name: str | None = None,
        model_dir: Any = None, l1_regularization: float = 0.0, l2_regularization: float = 1.0,
        num_loss_partitions: int = 1, config: Any = None, feature_engineering_fn: Any = None,
        partitioner: Any = None,
    ) -> None: ...

class SDCALogisticClassifier(Estimator):
    """A linear model of two classes with the logistic loss, trained by stochastic dual coordinate
    ascent."""
    def default_signature(self) -> tuple[Callable[..., Any], str | None]: ...
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """The predictions for the examples of an input: those of `outputs`, or the classes."""
    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The class of each example; see `predict`."""
    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True,
    ) -> Any:
        """The probability of each class for each example; see `predict`."""
    def examples_fn(self) -> Callable[[Any], Any]:
        """A function that reads the features of the model from serialized Examples."""
    def __init__(
        self, example_id_column: str, feature_columns: Any, weight_column_name: str | None = None,
        model_dir: Any = None, l1_regularization: float = 0.0, l2_regularization: float = 1.0,
        num_loss_partitions: int = 1, config: Any = None, feature_engineering_fn: Any = None,
        partitioner: Any = None,
    ) -> None: ...

class SDCAOptimizer:
    """Stochastic dual coordinate ascent, as an optimizer of LinearClassifier and LinearRegressor."""
    def get_name(self) -> str:
        """"SDCAOptimizer"."""
    def get_train_step(
        self, columns_to_variables: Mapping[Any, Any], weight_column_name: str | None, loss_type: str,
        features: Mapping[Any, Any], targets: Any, global_step: Any, bias: Any = None,
    ) -> Any:
        """(the model, the operation that takes the examples of a batch once)."""
    def __init__(
        self, example_id_column: str, num_loss_partitions: int = 1, num_table_shards: int | None = None,
        symmetric_l1_regularization: float = 0.0, symmetric_l2_regularization: float = 1.0,
        adaptive: bool = True, partitioner: Any = None,
    ) -> None: ...
    symmetric_l1_regularization: Any
    symmetric_l2_regularization: Any
    example_id_column: Any
    num_loss_partitions: Any
    num_table_shards: Any
    adaptive: Any
    partitioner: Any

class SdcaModel:
    """A linear model whose weights stochastic dual coordinate ascent finds (Shalev-Shwartz and Zhang,
    2013)."""
    def predictions(self, examples: dict[str, Any]) -> Tensor:
        """What the model predicts: probabilities for the logistic loss, means for Poisson's, logits for the
        others."""
    def unregularized_loss(self, examples: dict[str, Any]) -> Tensor:
        """The weighted mean of the losses of examples."""
    def regularized_loss(self, examples: dict[str, Any]) -> Tensor:
        """The mean loss of examples, plus the regularization losses over the sum of the weights of examples."""
    def approximate_duality_gap(self) -> Tensor:
        """By how much the loss may be above its minimum: exact when the states of all examples are fresh."""
    def examples_seen(self) -> Tensor:
        """The number of different examples that `minimize` has taken."""
    def minimize(self, global_step: Any = None, name: str | None = None) -> Any:
        """The operation that takes the examples once."""
    def update_weights(self, train_op: Any) -> Any:
        """The operation that sets the weights after `train_op`: the unshrunk ones, moved towards 0 by l1 /
        l2."""
    def __init__(
        self, examples: dict[str, Any], variables: dict[str, Any], options: dict[str, Any],
    ) -> None: ...

class ShardedMutableDenseHashTable:
    """A table whose entries are spread over several `tf.contrib.lookup.MutableDenseHashTable`s."""
    def size(self, name: str | None = None) -> Any:
        """The number of entries."""
    def lookup(self, keys: Any, name: str | None = None) -> Tensor:
        """The values of keys."""
    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Gives keys values."""
    def export_sharded(self, name: str | None = None) -> tuple[list[Any], list[Any]]:
        """(the keys of each part, their values)."""
    def values_reduce_sum(self, name: str | None = None) -> Any:
        """The sum of all values."""
    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
        num_shards: int = 1, checkpoint: bool = True, name: str = 'ShardedMutableHashTable',
    ) -> None: ...

class SparseFeatureColumn:
    """A group of sparse features of the examples of a batch, in lists of one entry for each feature of each
    example."""
    def __init__(self, example_indices: Any, feature_indices: Any, feature_values: Any) -> None: ...
    example_indices: Any
    feature_indices: Any
    feature_values: Any
