"""Internals of TensorFlow that custom cells and loops import: _Linear, _concat, _like_rnncell."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape
from evergraph.contrib.rnn import linear
from evergraph.frontend.array import concat, expand_dims
from evergraph.frontend.variables.scope import get_variable_scope, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor

KERNEL, BIAS = "kernel", "bias"  # the variables' names in cells


class Linear:
    """`[x, y, ...] * kernel + bias`, with variables that are created once and used in every call.

    Args:
        args: a tensor of shape [batch, size] or a list of them, like those of the calls.
        output_size: the size of the result.
        build_bias: whether to add a bias.
        bias_initializer: the initializer of the bias; by default zeros.
        kernel_initializer: the kernel initializer; by default the scope's.
    """

    def __init__(self, args: Any, output_size: int, build_bias: bool, bias_initializer: Any = None,
                 kernel_initializer: Any = None) -> None:  # fmt: skip
        self._made = output_size, build_bias, bias_initializer, kernel_initializer
        self._scope = get_variable_scope()
        linear.linear(args, *self._made)

    def __call__(self, args: Any) -> Tensor:
        with variable_scope(self._scope, reuse=True):
            return linear.linear(args, *self._made)


def like_cell(cell: Any) -> bool:
    """Whether an object can be used as a cell."""
    return callable(cell) and all(hasattr(cell, name) for name in ("output_size", "state_size", "zero_state"))


def assert_like_rnncell(cell_name: str, cell: Any) -> None:
    """Raises TypeError, with the reasons, if an object cannot be used as a cell."""
    wrong = [f"'{name}' property is missing" for name in ("output_size", "state_size") if not hasattr(cell, name)]
    if not (hasattr(cell, "zero_state") or hasattr(cell, "get_initial_state")):
        wrong.append("either 'zero_state' or 'get_initial_state' method is required")
    if not callable(cell):
        wrong.append("is not callable")
    if wrong:
        raise TypeError(f"The argument {cell_name!r} ({cell}) is not an RNNCell: {', '.join(wrong)}.")


def joined(prefix: Any, suffix: Any, static: bool = False) -> Any:
    """Concatenates a shape prefix and suffix, each an int, a shape, or an int tensor.

    Args:
        static: whether to return a list, with None for unknown sizes, instead of a tensor.
    """
    parts = [prefix, suffix]
    if static:
        return [size for part in parts for size in _listed(part)]
    return concat([_vector(part) for part in parts], 0)


def _listed(part: Any) -> list[int | None]:
    if isinstance(part, Tensor):
        return [None]
    return TensorShape(part if isinstance(part, (list, tuple, TensorShape)) else [part]).as_list()


def _vector(part: Any) -> Tensor:
    if isinstance(part, Tensor):
        return expand_dims(part, 0) if part.shape.ndims == 0 else part
    return convert_to_tensor(_listed(part), dtypes.int32)
