# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.activations."""

from evergraph import Tensor
from typing import Any

def deserialize(name: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The function of this name."""

def elu(x: Any, alpha: float = 1.0) -> Tensor:
    """x above zero, alpha * (exp(x) - 1) below."""

def exponential(x: Any) -> Any:
    """exp(x)."""

def get(identifier: Any) -> Any:
    """The function that is meant: itself, its name, or `linear` for None."""

def hard_sigmoid(x: Any) -> Any:
    """0 below -2.5, 1 above 2.5, a straight line between."""

def linear(x: Any) -> Any:
    """The input as it is."""

def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0) -> Any:
    """max_value above it, x down to the threshold, alpha * (x - threshold) below."""

def selu(x: Any) -> Any:
    """The scaled exponential linear unit, which keeps mean 0 and variance 1."""

def serialize(activation: Any) -> str:
    """The name of the function."""

def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x))."""

def softmax(x: Any, axis: int = -1) -> Any:
    """Softmax along an axis."""

def softplus(x: Any) -> Any:
    """log(exp(x) + 1)."""

def softsign(x: Any) -> Any:
    """x / (|x| + 1)."""

def tanh(x: Any) -> Any:
    """The hyperbolic tangent."""
