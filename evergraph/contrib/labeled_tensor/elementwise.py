"""Operations on labeled tensors element by element, and the operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.labeled_tensor.tensor import LabeledTensor, align, convert_to_labeled_tensor, identity
from evergraph.frontend import math
from evergraph.frontend.blocks import name_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math import elementwise, special


def _named(function: Callable[..., Any], op_name: str, shape: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = op_name
    function.__doc__ = f"Applies `tf.{op_name}` to {shape}; axes are matched by name."
    return function


@export("contrib.labeled_tensor.define_unary_op")
def define_unary_op(op_name: str, elementwise_function: Any) -> Callable[..., LabeledTensor]:
    """The function of labeled tensors for a function of one tensor.

    Args:
        op_name: its name, which operations have behind "lt_".
        elementwise_function: takes a tensor and `name=`.
    """
    def op(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
        with name_scope(name, f"lt_{op_name}", [labeled_tensor]) as scope:
            value = convert_to_labeled_tensor(labeled_tensor)
            return LabeledTensor(elementwise_function(value.tensor, name=scope), value.axes)
    return _named(op, op_name, "a labeled tensor")


@export("contrib.labeled_tensor.define_binary_op")
def define_binary_op(op_name: str, elementwise_function: Any) -> Callable[..., LabeledTensor]:
    """The function of labeled tensors for a function of two tensors.

    Args:
        op_name: its name, which operations have behind "lt_".
        elementwise_function: takes two tensors and `name=`.
    """
    def op(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
        with name_scope(name, f"lt_{op_name}", [labeled_tensor_0, labeled_tensor_1]) as scope:
            pair = [labeled_tensor_0, labeled_tensor_1]
            dtype = next((each.dtype.base_dtype for each in pair if isinstance(each, LabeledTensor)), None)
            first, second, axes = align(*(each if isinstance(each, LabeledTensor) else convert_to_tensor(each, dtype)
                                          for each in pair))
            return LabeledTensor(elementwise_function(first.tensor, second.tensor, name=scope), axes)
    return _named(op, op_name, "labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one")


def _family(define: Any, rows: dict[str, Any]) -> dict[str, Any]:
    """The functions of a table, each public, and a global of this module."""
    made = {name: export(f"contrib.labeled_tensor.{name}", module=__name__)(define(name, function))
            for name, function in rows.items()}
    globals().update({f"{name}_function" if name in ("abs", "pow", "round") else name: op for name, op in made.items()})
    return made


UNARY = _family(define_unary_op, {
    "abs": math.abs, "acos": elementwise.acos, "asin": elementwise.asin, "atan": elementwise.atan,
    "ceil": elementwise.ceil, "cos": elementwise.cos, "digamma": special.digamma, "erf": math.erf, "erfc": special.erfc,
    "exp": elementwise.exp, "floor": elementwise.floor, "lgamma": special.lgamma, "log": elementwise.log,
    "logical_not": elementwise.logical_not, "neg": math.negative, "reciprocal": elementwise.reciprocal,
    "round": math.round, "rsqrt": elementwise.rsqrt, "sigmoid": elementwise.sigmoid, "sign": math.sign,
    "sin": elementwise.sin, "sqrt": math.sqrt, "square": math.square, "tan": elementwise.tan, "tanh": elementwise.tanh,
})

BINARY = _family(define_binary_op, {
    "add": elementwise.add, "div": math.div, "equal": elementwise.equal, "greater": elementwise.greater,
    "greater_equal": elementwise.greater_equal, "igamma": special.igamma, "igammac": special.igammac,
    "less": elementwise.less, "less_equal": elementwise.less_equal, "logical_and": elementwise.logical_and,
    "logical_or": elementwise.logical_or, "logical_xor": math.logical_xor, "maximum": elementwise.maximum,
    "minimum": elementwise.minimum, "mod": elementwise.floor_mod, "mul": elementwise.mul,
    "not_equal": elementwise.not_equal, "polygamma": special.polygamma, "pow": elementwise.pow_,
    "squared_difference": elementwise.squared_difference, "sub": elementwise.sub, "zeta": special.zeta,
})


def _reflected(function: Any) -> Any:
    return lambda self, other: function(other, self)


def _overload() -> None:
    """Gives LabeledTensor its operators."""
    for name, method in {"abs": "__abs__", "neg": "__neg__", "logical_not": "__invert__"}.items():
        setattr(LabeledTensor, method, lambda self, function=UNARY[name]: function(self))
    for name, words in {"add": "add", "sub": "sub", "mul": "mul", "div": "div truediv", "mod": "mod", "pow": "pow",
                        "logical_and": "and", "logical_or": "or", "logical_xor": "xor"}.items():
        for word in words.split():
            setattr(LabeledTensor, f"__{word}__", lambda self, other, function=BINARY[name]: function(self, other))
            setattr(LabeledTensor, f"__r{word}__", _reflected(BINARY[name]))
    for name, word in {"less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge"}.items():
        setattr(LabeledTensor, f"__{word}__", lambda self, other, function=BINARY[name]: function(self, other))
    LabeledTensor.__pos__ = lambda self: identity(self)  # type: ignore[attr-defined]


_overload()
