"""tf.keras.initializers: tf.initializers with Keras' names and scales."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.variables import initializers
from evergraph.keras import objects

_HOME = "evergraph.frontend.variables.initializers"


def _same(value: Any, *names: str) -> Any:
    """Exports an initializer of tf.initializers in tf.keras.initializers too."""
    return export(*(f"keras.initializers.{name}" for name in names), module=_HOME)(value)


_same(initializers.Initializer, "Initializer")
_same(initializers.zeros_initializer, "Zeros", "zeros")
_same(initializers.ones_initializer, "Ones", "ones")
_same(initializers.constant_initializer, "Constant", "constant")
_same(initializers.identity_initializer, "Identity", "identity")
_same(initializers.orthogonal_initializer, "Orthogonal", "orthogonal")
_same(initializers.variance_scaling_initializer, "VarianceScaling")
_same(initializers.glorot_uniform_initializer, "glorot_uniform")
_same(initializers.glorot_normal_initializer, "glorot_normal")
_same(initializers.he_normal, "he_normal")
_same(initializers.he_uniform, "he_uniform")
_same(initializers.lecun_normal, "lecun_normal")
_same(initializers.lecun_uniform, "lecun_uniform")
export("compat.v2.keras.initializers.GlorotUniform", module=_HOME)(initializers.glorot_uniform_initializer)
export("compat.v2.keras.initializers.GlorotNormal", module=_HOME)(initializers.glorot_normal_initializer)


@export("keras.initializers.RandomUniform", "keras.initializers.random_uniform", "keras.initializers.uniform")
class RandomUniform(initializers.random_uniform_initializer):
    """Uniform random numbers in [minval, maxval)."""

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None,
                 dtype: Any = dtypes.float32) -> None:
        super().__init__(minval, maxval, seed, dtype)


@export("keras.initializers.RandomNormal", "keras.initializers.random_normal", "keras.initializers.normal")
class RandomNormal(initializers.random_normal_initializer):
    """Initializes with normal random numbers."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None,
                 dtype: Any = dtypes.float32) -> None:
        super().__init__(mean, stddev, seed, dtype)


@export("keras.initializers.TruncatedNormal", "keras.initializers.truncated_normal")
class TruncatedNormal(initializers.truncated_normal_initializer):
    """Normal random numbers, drawn again where they are more than two standard deviations off the mean."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None,
                 dtype: Any = dtypes.float32) -> None:
        super().__init__(mean, stddev, seed, dtype)


_NAMES = {
    "Zeros": initializers.zeros_initializer, "Ones": initializers.ones_initializer,
    "Constant": initializers.constant_initializer, "Identity": initializers.identity_initializer,
    "Orthogonal": initializers.orthogonal_initializer, "VarianceScaling": initializers.variance_scaling_initializer,
    "GlorotUniform": initializers.glorot_uniform_initializer, "GlorotNormal": initializers.glorot_normal_initializer,
    "RandomUniform": RandomUniform, "RandomNormal": RandomNormal, "TruncatedNormal": TruncatedNormal,
}
_BY_NAME = {
    **_NAMES, "zeros": _NAMES["Zeros"], "zero": _NAMES["Zeros"], "ones": _NAMES["Ones"], "one": _NAMES["Ones"],
    "constant": _NAMES["Constant"], "identity": _NAMES["Identity"], "orthogonal": _NAMES["Orthogonal"],
    "uniform": RandomUniform, "random_uniform": RandomUniform, "normal": RandomNormal, "random_normal": RandomNormal,
    "truncated_normal": TruncatedNormal, "glorot_uniform": _NAMES["GlorotUniform"],
    "glorot_normal": _NAMES["GlorotNormal"], "he_normal": initializers.he_normal,
    "he_uniform": initializers.he_uniform, "lecun_normal": initializers.lecun_normal,
    "lecun_uniform": initializers.lecun_uniform,
}
_FUNCTIONS = ("he_normal", "he_uniform", "lecun_normal", "lecun_uniform")  # functions that return an initializer


@export("keras.initializers.serialize")
def serialize(initializer: Any) -> Any:
    """The name of the initializer's class and its configuration."""
    described = objects.serialize_keras_object(initializer)
    name = next((name for name, kind in _NAMES.items() if kind is type(initializer)), None)
    return described if name is None else {**described, "class_name": name}


@export("keras.initializers.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The initializer of a serialized configuration or a name.

    Raises:
        ValueError: the name or class is unknown.
    """
    found = objects.deserialize_keras_object(config, _BY_NAME, custom_objects, "initializer")
    return found() if isinstance(config, str) and config in _FUNCTIONS else found


@export("keras.initializers.get")
def get(identifier: Any) -> Any:
    """Resolves an initializer: an object, a name, a configuration, or None for none.

    Raises:
        ValueError: the name or class is unknown.
    """
    if identifier is None or (callable(identifier) and not isinstance(identifier, type)):
        return identifier
    if isinstance(identifier, type):
        return identifier()
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    raise ValueError(f"an initializer is a function, a name or a configuration, not {identifier}")
