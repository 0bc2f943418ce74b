# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.activations."""

from evergraph import Tensor
from typing import Any

def deserialize(name: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The activation function of this name."""

def elu(x: Any, alpha: float = 1.0) -> Tensor:
    """The exponential linear unit (Clevert et al., 2015): x if positive, else alpha * (exp(x) - 1)."""

def exponential(x: Any) -> Any:
    """The exponential e ** x of each element."""

def get(identifier: Any) -> Any:
    """Resolves an activation: a function, its name, or None for `linear`."""

def hard_sigmoid(x: Any) -> Any:
    """A piecewise linear approximation of the sigmoid: 0 below -2.5, 1 above 2.5."""

def linear(x: Any) -> Any:
    """Returns its argument: no activation."""

def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0) -> Any:
    """The rectified linear unit: max_value above it, x down to the threshold, alpha * (x - threshold)
    below."""

def selu(x: Any) -> Any:
    """The scaled exponential linear unit (Klambauer et al., 2017)."""

def serialize(activation: Any) -> str:
    """The name of an activation function."""

def sigmoid(x: Any) -> Any:
    """The sigmoid 1 / (1 + exp(-x))."""

def softmax(x: Any, axis: int = -1) -> Any:
    """Softmax along an axis."""

def softplus(x: Any) -> Any:
    """Softplus: log(exp(x) + 1)."""

def softsign(x: Any) -> Any:
    """Softsign: x / (|x| + 1)."""

def tanh(x: Any) -> Any:
    """The hyperbolic tangent of each element."""
