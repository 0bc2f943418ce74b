"""The numbers of floating point operations of nodes, by op, as TensorFlow's profiler counts them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.graph.node import Operation

Formula = Callable[[Operation], float]


def float_operations(node: Operation) -> float | None:
    """The floating point operations of a node.

    Returns:
        None for an op without a formula, and where a shape that it needs is not known.
    """
    formula = _FORMULAS.get(node.type)
    try:
        return None if formula is None else formula(node)
    except _UnknownShape:
        return None


class _UnknownShape(ValueError):
    """A formula needs a shape that is not known."""


def _shape(tensor: Any) -> list[int]:
    if not tensor.shape.is_fully_defined():
        raise _UnknownShape
    return tensor.shape.as_list()


def _size(tensor: Any) -> int:
    return math.prod(_shape(tensor))


def _elementwise(each: int) -> Formula:
    return lambda node: each * _size(node.outputs[0])


def _reduction(first: int, last: int) -> Formula:
    """`first` operations for each element that joins another, `last` for each result."""
    return lambda node: first * (_size(node.inputs[0]) - _size(node.outputs[0])) + last * _size(node.outputs[0])


def _softmax(node: Operation) -> int:
    return 5 * _size(node.inputs[0])


def _half_square_sum(node: Operation) -> int:
    return 3 * _size(node.inputs[0]) - 1


def _add_n(node: Operation) -> int:
    return (len(node.inputs) - 1) * _size(node.outputs[0])


def _product(node: Operation) -> int:
    return 2 * _size(node.outputs[0]) * _shape(node.inputs[0])[-2 if _is_transposed(node) else -1]


def _is_transposed(node: Operation) -> bool:
    return any(bool(node.attrs.get(name)) for name in ("transpose_a", "adj_x"))


def _convolution(node: Operation) -> int:
    """Each element of the result is a sum over the window and the channels of the input."""
    return 2 * _size(node.outputs[0]) * math.prod(_shape(node.inputs[1])[:-1])


def _depthwise(node: Operation) -> int:
    return 2 * _size(node.outputs[0]) * math.prod(_shape(node.inputs[1])[:2])


def _dilation(node: Operation) -> int:
    return 2 * _size(node.outputs[0]) * math.prod(_shape(node.inputs[1])[:2])


def _input_gradient(node: Operation) -> int:
    return 2 * _size(node.inputs[2]) * math.prod(_shape(node.inputs[1])[:-1])


def _filter_gradient(node: Operation) -> int:
    return 2 * _size(node.inputs[2]) * math.prod(_shape(node.outputs[0])[:-1])


def _window(node: Operation) -> int:
    return math.prod(_as_list(node.attrs["ksize"]))


def _pool(node: Operation) -> int:
    return _window(node) * _size(node.outputs[0])


def _max_pool_gradient(node: Operation) -> int:
    return _window(node) * _size(node.inputs[1]) + _size(node.inputs[1])


def _mean_pool_gradient(node: Operation) -> int:
    return _window(node) * _size(node.inputs[1]) + _size(node.outputs[0])


def _as_list(value: Any) -> Sequence[int]:
    return [int(each) for each in value]


_FORMULAS: dict[str, Formula] = {
    **dict.fromkeys("Reciprocal Square Log Neg AssignAdd AssignSub Add AddV2 Sub Mul RealDiv Maximum Minimum Pow "
                    "GreaterEqual Greater LessEqual Less Equal NotEqual BiasAdd".split(), _elementwise(1)),
    **dict.fromkeys(["Rsqrt", "SquaredDifference"], _elementwise(2)),
    "RsqrtGrad": _elementwise(4),
    "Mean": _reduction(1, 1),
    **dict.fromkeys(["Sum", "ArgMax", "ArgMin", "BiasAddGrad"], _reduction(1, 0)),
    "Softmax": _softmax, "L2Loss": _half_square_sum, "AddN": _add_n,
    **dict.fromkeys(["MatMul", "BatchMatMul", "BatchMatMulV2"], _product),
    **dict.fromkeys(["Conv2D", "Conv3D"], _convolution),
    "DepthwiseConv2dNative": _depthwise, "Dilation2D": _dilation,
    "Conv2DBackpropInput": _input_gradient, "Conv2DBackpropFilter": _filter_gradient,
    **dict.fromkeys(["MaxPool", "AvgPool"], _pool),
    "MaxPoolGrad": _max_pool_gradient, "AvgPoolGrad": _mean_pool_gradient,
}
