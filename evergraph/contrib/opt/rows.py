"""Sparse updates of rows, shared by optimizers of tf.contrib.opt."""
from __future__ import annotations

from typing import Any

from evergraph.frontend import math
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.state.variable_rows import REF_SCATTERS, RESOURCE_SCATTERS
from evergraph.train.optimizer import Optimizer


def scattered(kind: str, variable: Any, indices: Any, rows: Any) -> Any:
    """Updates rows of a reference or resource variable: "add" or "update"."""
    if isinstance(variable, ResourceVariable):
        return RESOURCE_SCATTERS[kind](variable.handle, indices, rows)
    return REF_SCATTERS[kind](variable, indices, rows)


class ByRows(Optimizer):
    """An optimizer with one method, `_apply_rows`, for sparse gradients of reference and resource variables."""

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Operation:
        return self._apply_rows(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Tensor, var: Any, indices: Tensor) -> Operation:
        return self._apply_rows(grad, var, indices)

    def _apply_rows(self, grad: Tensor, var: Any, indices: Tensor) -> Operation:
        raise NotImplementedError

    def _rates(self, var: Any) -> dict[str, Tensor]:
        """The hyperparameters in the dtype of the variable."""
        return {name: math.cast(value, var.dtype.base_dtype) for name, value in self._hyperparameters(var).items()}
