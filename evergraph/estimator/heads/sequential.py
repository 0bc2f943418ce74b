"""Heads of models that predict at every step of a sequence. A mask says which steps an example has."""
from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import Any

from evergraph.base import dtypes
from evergraph.estimator.heads.base import Head
from evergraph.estimator.heads.multi import MultiHead
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.checks import assert_equal
from evergraph.frontend.indexing import boolean_mask
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.sparse.arithmetic import sparse_reorder
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor


class SequentialHead(Head):
    """A head that takes logits [batch, steps, ...], and a mask of the steps from the features.

    TensorFlow calls it _SequentialHead.
    """

    @property
    @abc.abstractmethod
    def input_sequence_mask_key(self) -> str:
        """The name of the mask among the features."""


class SequentialHeadWrapper(SequentialHead):
    """A head for every step of a sequence, from one for single examples.

    Losses and metrics count the steps that examples have, as if each step was an example. Predictions are of all steps,
    beside the mask.

    >>> head = tf.estimator.BinaryClassHead(weight_column="weights")
    >>> sequential_head = SequentialHeadWrapper(head, "mask", feature_columns="weights")

    Args:
        static_head: the head for single examples.
        sequence_length_mask: the name of the mask among the features, [batch, steps].
        feature_columns: the name of a feature that the head needs, such as the weights, or several.

    Raises:
        TypeError: a name is no string.
        ValueError: the head is a MultiHead.
    """

    def __init__(self, static_head: Any, sequence_length_mask: str = "sequence_length_mask",
                 feature_columns: str | Iterable[str] | None = None) -> None:
        if not isinstance(sequence_length_mask, str):
            raise TypeError("`sequence_mask` column must be a string, the name of a feature, not "
                            f"{sequence_length_mask!r}.")
        if isinstance(static_head, MultiHead):
            raise ValueError("`MultiHead` is not supported with `SequentialHeadWrapper`.")
        self._head, self._mask_key, self._columns = static_head, sequence_length_mask, _names(feature_columns)

    @property
    def static_head(self) -> Any:
        """The head for single examples."""
        return self._head

    @property
    def input_sequence_mask_key(self) -> str:
        return self._mask_key

    @property
    def name(self) -> str | None:
        return f"{self._head.name}_sequential" if self._head.name else None

    @property
    def logits_dimension(self) -> int:
        return self._head.logits_dimension

    @property
    def loss_reduction(self) -> str:
        return self._head.loss_reduction

    def _flatten(self, labels: Any, logits: Any, features: Any) -> tuple[Any, Any, dict[str, Any]]:
        """The labels, logits and features of the steps that examples have, in one list over all examples."""
        if self._mask_key not in features:
            raise ValueError(f"sequence_length_mask names the feature `{self._mask_key}`, but there are only "
                             f"{list(features)}")
        mask = convert_to_tensor(features[self._mask_key])
        if mask.shape.rank != 2:
            raise ValueError(f"a mask is [batch, steps]; the rank of this one is {mask.shape.rank}")
        count = reduce_sum(math.cast(mask, dtypes.int32))
        for column in self._columns:
            if column not in features:
                raise ValueError(f"`{column}` column expected in features dictionary.")
        return (flatten_steps(labels, mask, count), flatten_steps(logits, mask, count),
                {column: flatten_steps(features[column], mask, count) for column in self._columns})

    def loss(self, logits: Any, labels: Any, features: Any = None, mode: Any = None,
             regularization_losses: Any = None) -> Any:
        labels, logits, features = self._flatten(labels, logits, features)
        return self._head.loss(logits=logits, labels=labels, features=features, mode=mode,
                               regularization_losses=regularization_losses)

    def predictions(self, logits: Any, keys: Any = None) -> Any:
        return self._head.predictions(logits, keys=keys)

    def metrics(self, regularization_losses: Any = None) -> Any:
        return self._head.metrics(regularization_losses)

    def update_metrics(self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
                       regularization_losses: Any = None) -> Any:
        labels, logits, features = self._flatten(labels, logits, features)
        return self._head.update_metrics(eval_metrics=eval_metrics, features=features, logits=logits, labels=labels,
                                         regularization_losses=regularization_losses)

    def create_estimator_spec(self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
                              trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
                              regularization_losses: Any = None) -> Any:
        if mode == ModeKeys.PREDICT:
            spec = self._head.create_estimator_spec(features=features, mode=mode, logits=logits)
            return _with_mask(spec, self._mask_key, features[self._mask_key])
        labels, logits, features = self._flatten(labels, logits, features)
        return self._head.create_estimator_spec(
            features=features, mode=mode, logits=logits, labels=labels, optimizer=optimizer,
            trainable_variables=trainable_variables, train_op_fn=train_op_fn, update_ops=update_ops,
            regularization_losses=regularization_losses)


def _names(columns: Any) -> list[str]:
    if columns is None:
        return []
    if isinstance(columns, str):
        return [columns]
    if not isinstance(columns, Iterable):
        raise TypeError(f"feature_columns takes a name or several names of features, got {type(columns)}")
    for column in columns:
        if not isinstance(column, str):
            raise TypeError(f"Column must a string. Given type: {type(column)}.")
    return list(columns)


def _with_mask(spec: EstimatorSpec, key: str, mask: Any) -> EstimatorSpec:
    return spec._replace(predictions={**spec.predictions, key: mask})


def flatten_steps(tensor: Any, sequence_mask: Any, expected_length: Any) -> Tensor:
    """The steps that examples have, [steps of all examples, ...].

    Args:
        tensor: a tensor [batch, steps, ...], or a sparse one, which has no other steps.
        sequence_mask: which steps of a dense tensor to take, [batch, steps].
        expected_length: the number of steps.

    Raises:
        ValueError: the tensor has less than two dimensions.
        InvalidArgumentError: it has another number of steps.
    """
    shape = tensor.shape
    if shape.rank < 2:
        raise ValueError(f"a sequence head takes [batch, steps, ...]; the rank of this tensor is {shape.rank}")
    if isinstance(tensor, SparseTensor):
        values = sparse_reorder(tensor).values
    else:
        values = boolean_mask(tensor, math.cast(sequence_mask, dtypes.bool))
    values = array.reshape(values, [-1, *(shape.as_list()[2:] or [1])])
    fits = assert_equal(array.shape(values)[0], math.cast(expected_length, dtypes.int32),
                        message="Tensor shape is incompatible with provided mask.")
    with control_dependencies([fits] if fits is not None else []):
        return array.identity(values)
