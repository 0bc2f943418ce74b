"""tf.keras.activations."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.indexing import where
from evergraph.frontend.nn import activations
from evergraph.frontend.reduce import reduce_max, reduce_sum
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.keras import objects
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations as ops


@export("keras.activations.linear")
def linear(x: Any) -> Any:
    """Returns its argument: no activation."""
    return x


@export("keras.activations.relu", "keras.backend.relu")
def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0) -> Any:
    """The rectified linear unit: max_value above it, x down to the threshold, alpha * (x - threshold) below.

    Args:
        x: a tensor.
        alpha: the slope below the threshold.
        max_value: the upper bound; None for none.
        threshold: the point where the slope changes.
    """
    x = convert_to_tensor(x)
    if alpha == 0.0 and threshold == 0:
        return _bounded(x, max_value)
    if alpha != 0.0 and max_value is None and threshold == 0:
        return ops.leaky_relu(x, alpha=alpha)
    below = ops.relu(threshold - x) if threshold != 0 else ops.relu(-x)
    if threshold != 0:
        result = x * math.cast(elementwise.greater(x, constant(threshold, x.dtype)), x.dtype)
        if max_value is not None:
            result = clip_by_value(result, constant(0.0, x.dtype), constant(max_value, x.dtype))
    else:
        result = _bounded(x, max_value)
    return result - constant(alpha, x.dtype) * below if alpha != 0.0 else result


def _bounded(x: Any, max_value: float | None) -> Any:
    if max_value is None:
        return ops.relu(x)
    if max_value == 6:
        return ops.relu6(x)
    return clip_by_value(ops.relu(x), constant(0.0, x.dtype), constant(max_value, x.dtype))


@export("keras.activations.elu", "keras.backend.elu")
def elu(x: Any, alpha: float = 1.0) -> Any:
    """The exponential linear unit (Clevert et al., 2015): x if positive, else alpha * (exp(x) - 1)."""
    x = convert_to_tensor(x)
    result = ops.elu(x)
    return result if alpha == 1 else where(elementwise.greater(x, 0), result, alpha * result)


def _plain(name: str, op: Any, what: str, *homes: str) -> Any:
    """Exports an op as an activation, in tf.keras.activations and other namespaces."""
    def activation(x: Any) -> Any:
        return op(x)
    activation.__name__ = activation.__qualname__ = name
    activation.__doc__ = what
    return export(*(f"keras.{home}.{name}" for home in ("activations", *homes)), module=__name__)(activation)


selu = _plain("selu", ops.selu, "The scaled exponential linear unit (Klambauer et al., 2017).")
softplus = _plain("softplus", ops.softplus, "Softplus: log(exp(x) + 1).", "backend")
softsign = _plain("softsign", ops.softsign, "Softsign: x / (|x| + 1).", "backend")
tanh = _plain("tanh", math.tanh, "The hyperbolic tangent of each element.", "backend")
sigmoid = _plain("sigmoid", elementwise.sigmoid, "The sigmoid 1 / (1 + exp(-x)).", "backend")
exponential = _plain("exponential", elementwise.exp, "The exponential e ** x of each element.")


@export("keras.activations.hard_sigmoid", "keras.backend.hard_sigmoid")
def hard_sigmoid(x: Any) -> Any:
    """A piecewise linear approximation of the sigmoid: 0 below -2.5, 1 above 2.5."""
    x = convert_to_tensor(x)
    point = lambda value: constant(value, x.dtype.base_dtype)
    return clip_by_value(x * point(0.2) + point(0.5), point(0.0), point(1.0))


@export("keras.activations.softmax")
def softmax(x: Any, axis: int = -1) -> Any:
    """Softmax along an axis.

    Raises:
        ValueError: the input is a vector or a scalar.
    """
    rank = convert_to_tensor(x).shape.rank
    if rank == 2:
        return activations.softmax(x, axis=axis)
    if rank is not None and rank > 2:
        power = elementwise.exp(x - reduce_max(x, axis=axis, keepdims=True))
        return power / reduce_sum(power, axis=axis, keepdims=True)
    raise ValueError(f"softmax needs an axis to sum over besides the batch, got {x}")


_BY_NAME = {function.__name__: function for function in (
    linear, relu, elu, selu, softplus, softsign, tanh, sigmoid, exponential, hard_sigmoid, softmax)}


@export("keras.activations.serialize")
def serialize(activation: Any) -> str:
    """The name of an activation function."""
    return activation.__name__


@export("keras.activations.deserialize")
def deserialize(name: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The activation function of this name.

    Raises:
        ValueError: the name is unknown.
    """
    return objects.deserialize_keras_object(name, _BY_NAME, custom_objects, "activation function")


@export("keras.activations.get")
def get(identifier: Any) -> Any:
    """Resolves an activation: a function, its name, or None for `linear`.

    Raises:
        ValueError: the name is unknown.
        TypeError: the argument is neither a function nor a name.
    """
    if identifier is None:
        return linear
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise TypeError(f"an activation is a function or the name of one, not {identifier!r}")
