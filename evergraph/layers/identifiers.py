"""Activations, initializers and constraints by name, as the arguments of layers may give them, and back."""
from __future__ import annotations

from functools import partial
from typing import Any

from evergraph.frontend import math
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.nn import activations as nn
from evergraph.frontend.variables import initializers
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations


def _linear(x):
    return x


def _hard_sigmoid(x):
    """0 below -2.5, 1 above 2.5, a straight line between."""
    return clip_by_value(0.2 * x + 0.5, 0.0, 1.0)


_ACTIVATIONS = {
    "linear": _linear, "relu": activations.relu, "elu": activations.elu, "selu": activations.selu,
    "softplus": activations.softplus, "softsign": activations.softsign, "sigmoid": elementwise.sigmoid,
    "tanh": math.tanh, "softmax": nn.softmax, "exponential": elementwise.exp, "hard_sigmoid": _hard_sigmoid,
}

_CLASSES = {
    "Zeros": initializers.zeros_initializer, "Ones": initializers.ones_initializer,
    "Constant": initializers.constant_initializer, "Identity": initializers.identity_initializer,
    "RandomUniform": initializers.random_uniform_initializer, "RandomNormal": initializers.random_normal_initializer,
    "TruncatedNormal": initializers.truncated_normal_initializer, "Orthogonal": initializers.orthogonal_initializer,
    "VarianceScaling": initializers.variance_scaling_initializer,
    "GlorotUniform": initializers.glorot_uniform_initializer, "GlorotNormal": initializers.glorot_normal_initializer,
}
# Those that go by a name alone have Keras' scale, not that of tf.random_normal_initializer and its like.
_UNIFORM = partial(initializers.random_uniform_initializer, -0.05, 0.05)
_NORMAL = partial(initializers.random_normal_initializer, 0.0, 0.05)
_TRUNCATED = partial(initializers.truncated_normal_initializer, 0.0, 0.05)
_INITIALIZERS = {
    **_CLASSES, "zeros": initializers.zeros_initializer, "zero": initializers.zeros_initializer,
    "ones": initializers.ones_initializer, "one": initializers.ones_initializer,
    "constant": initializers.constant_initializer, "identity": initializers.identity_initializer,
    "uniform": _UNIFORM, "random_uniform": _UNIFORM, "RandomUniform": _UNIFORM,
    "normal": _NORMAL, "random_normal": _NORMAL, "RandomNormal": _NORMAL,
    "truncated_normal": _TRUNCATED, "TruncatedNormal": _TRUNCATED,
    "orthogonal": initializers.orthogonal_initializer, "glorot_uniform": initializers.glorot_uniform_initializer,
    "glorot_normal": initializers.glorot_normal_initializer, "he_normal": initializers.he_normal,
    "he_uniform": initializers.he_uniform, "lecun_normal": initializers.lecun_normal,
    "lecun_uniform": initializers.lecun_uniform,
}


def activation(identifier: Any) -> Any:
    """The function that is meant: itself, its name, or None for none.

    Raises:
        ValueError: there is none of that name.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str) and identifier in _ACTIVATIONS:
        return _ACTIVATIONS[identifier]
    raise ValueError(f"Unknown activation function:{identifier}")


def initializer(identifier: Any) -> Any:
    """The initializer that is meant: itself, its name, its configuration, or None for none.

    Raises:
        ValueError: there is none of that name.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, dict) and identifier.get("class_name") in _CLASSES:
        return _CLASSES[identifier["class_name"]].from_config(identifier["config"])
    if isinstance(identifier, str) and identifier in _INITIALIZERS:
        return _INITIALIZERS[identifier]()
    raise ValueError(f"Could not interpret initializer identifier: {identifier}")


def described(value: Any) -> Any:
    """What stands for a function, initializer or regularizer in a configuration; other values as they are."""
    if hasattr(value, "get_config"):
        name = next((name for name, kind in _CLASSES.items() if kind is type(value)), type(value).__name__)
        return {"class_name": name, "config": value.get_config()}
    if callable(value):
        return next((name for name, function in _ACTIVATIONS.items() if function is value),
                    getattr(value, "__name__", repr(value)))
    return value


def constraint(identifier: Any) -> Any:
    """The constraint that is meant: a function, or None for none.

    Raises:
        ValueError: it is neither.
    """
    if identifier is None or callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret constraint identifier: {identifier}")
