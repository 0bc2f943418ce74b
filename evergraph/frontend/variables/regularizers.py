"""Regularizers: functions that put a price on weights, as tf.contrib.layers and tf.keras.regularizers have them."""
from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import logging
from evergraph.base.custom_objects import CUSTOM
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations

# ---- tf.contrib.layers

def _names(name: str) -> tuple[str, ...]:
    return tuple(f"contrib.{home}.{name}" for home in ("layers", "slim", "slim.regularizers"))


def _checked_scale(scale: Any) -> bool:
    """Whether a scale has an effect.

    Raises:
        ValueError: it is an integer, which is most likely a mistake, or negative.
    """
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"scale cannot be an integer: {scale}")
    if not isinstance(scale, numbers.Real):
        return True
    if scale < 0.0:
        raise ValueError(f"the scale of a regularizer is 0 or more, got {scale:g}")
    if scale == 0.0:
        logging.info("A regularizer with scale 0 does nothing.")
    return scale != 0.0


def _scaled(default_name: str, scope: str | None, scale: Any, penalty: Callable[[Any], Any]) -> Callable[..., Any]:
    """The function scale * penalty(weights)."""
    if not _checked_scale(scale):
        return lambda weights: None

    def regularize(weights: Any, name: str | None = None) -> Any:
        with name_scope(scope, default_name, [weights]) as inner:
            factor = convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return elementwise.mul(factor, penalty(weights), name=inner)
    return regularize


@export(*_names("l1_regularizer"))
def l1_regularizer(scale: float, scope: str | None = None) -> Callable[..., Any]:
    """Returns an L1 regularizer (lasso): a function of weights that computes scale * sum(|w|).

    Args:
        scale: a float, not negative; 0 makes the function give None.
        scope: a name for the operations.

    Raises:
        ValueError: `scale` is an integer or negative.
    """
    return _scaled("l1_regularizer", scope, scale, lambda weights: reduce_sum(math.abs(weights)))


@export(*_names("l2_regularizer"))
def l2_regularizer(scale: float, scope: str | None = None) -> Callable[..., Any]:
    """Returns an L2 regularizer (weight decay): a function of weights that computes scale * sum(w**2) / 2.

    Args:
        scale: a float, not negative; 0 makes the function give None.
        scope: a name for the operations.

    Raises:
        ValueError: `scale` is an integer or negative.
    """
    return _scaled("l2_regularizer", scope, scale, lambda weights: activations.l2_loss(convert_to_tensor(weights)))


@export(*_names("l1_l2_regularizer"))
def l1_l2_regularizer(scale_l1: float = 1.0, scale_l2: float = 1.0, scope: str | None = None) -> Callable[..., Any]:
    """Returns the sum of an L1 and an L2 regularizer (elastic net).

    Args:
        scale_l1: the strength of the first.
        scale_l2: that of the second.

    Raises:
        ValueError: a scale is an integer or negative.
    """
    for scale in (scale_l1, scale_l2):
        if isinstance(scale, numbers.Integral):
            raise ValueError(f"scale cannot be an integer: {scale}")
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope or "l1_l2_regularizer")


@export(*_names("sum_regularizer"))
def sum_regularizer(regularizer_list: list[Any], scope: str | None = None) -> Callable[..., Any] | None:
    """A function of weights: the sum of what the regularizers say; None when there are none."""
    regularizers = [regularizer for regularizer in regularizer_list if regularizer is not None]
    if not regularizers:
        return None

    def regularize(weights: Any) -> Any:
        with name_scope(scope, "sum_regularizer", [weights]) as inner:
            penalties = [penalty for penalty in (r(weights) for r in regularizers) if penalty is not None]
            return math.add_n(penalties, name=inner) if penalties else None
    return regularize


@export(*_names("apply_regularization"))
def apply_regularization(regularizer: Callable[[Any], Any], weights_list: list[Any] | None = None) -> Any:
    """Sums a regularizer's penalties over weights and adds the sum to the REGULARIZATION_LOSSES.

    Args:
        regularizer: a function of weights.
        weights_list: the weights; by default those of the WEIGHTS collection.

    Raises:
        ValueError: the regularizer gives something that is no scalar, or there are no weights.
    """
    weights_list = weights_list or get_collection(GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError("No weights to regularize.")
    with name_scope("get_regularization_penalty", values=weights_list) as scope:
        penalties = [penalty if penalty is not None else constant(0.0)
                     for penalty in (regularizer(weights) for weights in weights_list)]
        for penalty in penalties:
            if penalty.shape.rank != 0:
                raise ValueError(f"a regularizer must return a scalar, got rank {penalty.shape.rank}")
        total = math.add_n(penalties, name=scope)
        add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
        return total


# ---- tf.keras.regularizers

@export("keras.regularizers.Regularizer")
class Regularizer:
    """A price on weights, with a configuration it can be made from again."""

    def __call__(self, x: Any) -> Any:
        return 0.0

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Regularizer:
        """A regularizer with these arguments."""
        return cls(**config)


@export("keras.regularizers.L1L2")
class L1L2(Regularizer):
    """l1 times the sum of absolute values plus l2 times the sum of squares."""

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = np.float32(l1), np.float32(l2)

    def __call__(self, x: Any) -> Any:
        if not self.l1 and not self.l2:
            return constant(0.0)
        parts = []
        if self.l1:
            parts.append(reduce_sum(self._factor(self.l1, x) * math.abs(x)))
        if self.l2:
            parts.append(reduce_sum(self._factor(self.l2, x) * math.square(x)))
        return parts[0] if len(parts) == 1 else parts[0] + parts[1]

    @staticmethod
    def _factor(scale: np.float32, x: Any) -> Any:
        return array.constant(scale, x.dtype.base_dtype)

    def get_config(self) -> dict[str, float]:
        """The arguments to make an equal regularizer from."""
        return {"l1": float(self.l1), "l2": float(self.l2)}


@export("keras.regularizers.l1")
def l1(l: float = 0.01) -> L1L2:
    """`l` times the sum of absolute values."""
    return L1L2(l1=l)


@export("keras.regularizers.l2")
def l2(l: float = 0.01) -> L1L2:
    """`l` times the sum of squares."""
    return L1L2(l2=l)


@export("keras.regularizers.l1_l2")
def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """`l1` times the sum of absolute values plus `l2` times the sum of squares."""
    return L1L2(l1=l1, l2=l2)


_BY_NAME = {"L1L2": L1L2, "l1": l1, "l2": l2, "l1_l2": l1_l2}
_IN_FILES = {"L1": L1L2, "L2": L1L2}  # the classes of TensorFlow 2


@export("keras.regularizers.serialize")
def serialize(regularizer: Any) -> dict[str, Any]:
    """The name of the regularizer's class and its configuration."""
    return {"class_name": type(regularizer).__name__, "config": regularizer.get_config()}


@export("keras.regularizers.deserialize")
def deserialize(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
    """The regularizer that `serialize` described.

    Args:
        config: what `serialize` gave.
        custom_objects: further classes by name.

    Raises:
        ValueError: there is no such class.
    """
    name = config["class_name"]
    found = {**_BY_NAME, **_IN_FILES, **CUSTOM, **(custom_objects or {})}.get(name)
    if found is None:
        raise ValueError(f"Unknown regularizer: {name}")
    return found.from_config(config["config"]) if hasattr(found, "from_config") else found(**config["config"])


@export("keras.regularizers.get")
def get(identifier: Any) -> Any:
    """The regularizer that is meant: a function, a name, a configuration, or None.

    Raises:
        ValueError: there is no such regularizer.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, dict):
        return deserialize(identifier)
    known = {**_BY_NAME, **CUSTOM}
    if isinstance(identifier, str) and identifier in known:
        return known[identifier]()
    raise ValueError(f"Could not interpret regularizer identifier: {identifier}")
