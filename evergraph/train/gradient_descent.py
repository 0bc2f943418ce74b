"""Gradient descent."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.nn import updates
from evergraph.ops.state.variable_rows import RESOURCE_SCATTERS
from evergraph.train.optimizer import Optimizer


@export("train.GradientDescentOptimizer")
class GradientDescentOptimizer(Optimizer):
    """Gradient descent: `var -= learning_rate * gradient`.

    Args:
        learning_rate: a number, a tensor, or a function without arguments that returns one.
        use_locking: has no effect: updates of one step are never interleaved with those of another.
        name: the name scope of the update operations.
    """

    rule = updates.gradient_descent

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._learning_rate_tensor: Any = None

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(self._call_if_callable(self._learning_rate),
                                                       name="learning_rate")

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        return {"alpha": self._learning_rate_tensor}

    def _rows(self, grad: Tensor, var: Any) -> Tensor:
        return grad * math.cast(self._learning_rate_tensor, var.dtype.base_dtype)

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        # Subtracting rows one after the other needs no adding up first.
        delta = IndexedSlices(self._rows(grad.values, var), grad.indices, grad.dense_shape)
        return var.scatter_sub(delta, use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(self, grad: Tensor, var: Any, indices: Tensor) -> Any:
        return RESOURCE_SCATTERS["add"](var.handle, indices, -grad * math.cast(self._learning_rate_tensor, grad.dtype))
