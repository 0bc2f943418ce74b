"""The derivatives of a loss by predictions, in the form that a strategy for several classes needs."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from evergraph.base import dtypes
from evergraph.frontend import array, math
from evergraph.frontend.gradients import gradients as differentiate
from evergraph.frontend.indexing import one_hot
from evergraph.frontend.ordering import matrix_diag_part
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math.elementwise import floor_mod
from evergraph.proto import contrib_trees_pb2

_Config = contrib_trees_pb2.LearnerConfig


class Derivatives:
    """Gradients and hessians of the loss of a batch, a row for each example.

    Args:
        strategy: a MultiClassStrategy.
        size: how many numbers are predicted.
        loss: the loss.
        predictions: [batch, size].
        trees: how many trees there are; the next one is of the class that comes next, where trees are of one class.
        gradients: if they are known, [batch, size].
        hessians: likewise, or a matrix for each example.
    """

    def __init__(self, strategy: int, size: int, loss: Tensor, predictions: Tensor, trees: Any, gradients: Any,
                 hessians: Any) -> None:
        self._size, self._predictions = size, predictions
        self._first = differentiate(loss, predictions)[0] if gradients is None else convert_to_tensor(gradients)
        self._second = None if hessians is None else convert_to_tensor(hessians)
        self._is_full = strategy == _Config.FULL_HESSIAN and size > 1
        self._is_single = strategy == _Config.TREE_PER_CLASS or size == 1
        self.class_id: Any = -1
        if self._is_single and size > 1:
            self.class_id = floor_mod(math.cast(trees, dtypes.int32), size)

    @property
    def gradient_shape(self) -> list[int]:
        """The shape of the gradient of an example."""
        return [] if self._is_single else [self._size]

    @property
    def hessian_shape(self) -> list[int]:
        """The shape of the hessian of an example."""
        return [] if self._is_single else [self._size] * (1 + self._is_full)

    def _of_logit(self, number: int) -> Tensor:
        """How the gradient of a logit changes with all of them."""
        return differentiate(self._first[:, number], self._predictions)[0]

    @cached_property
    def _diagonal(self) -> Tensor:
        if self._second is not None:
            return self._second if self._second.shape.rank == 2 else matrix_diag_part(self._second)
        return array.stack([self._of_logit(number)[:, number] for number in range(self._size)], axis=1)

    @cached_property
    def by_logit(self) -> tuple[Tensor, Tensor]:
        """The derivatives by each logit alone, [batch, size] both."""
        return self._first, self._diagonal

    @cached_property
    def gradients(self) -> Tensor:
        """What a handler takes as gradients."""
        return self._chosen(self._first) if self._is_single else self._first

    @cached_property
    def hessians(self) -> Tensor:
        """What a handler takes as hessians."""
        if self._is_single:
            return self._chosen(self._diagonal)
        if self._is_full and self._second is None:
            return array.stack([self._of_logit(number) for number in range(self._size)], axis=1)
        return self._second if self._is_full else self._diagonal

    def _chosen(self, by_logit: Tensor) -> Tensor:
        """Those of the class whose tree grows."""
        if self._size == 1:
            return array.reshape(by_logit, [-1])
        return reduce_sum(by_logit * one_hot(self.class_id, self._size, dtype=by_logit.dtype), axis=1)
