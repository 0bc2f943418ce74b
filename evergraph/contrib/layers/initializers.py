"""tf.contrib.layers' initializers: Xavier and variance scaling."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.layers.names import everywhere
from evergraph.frontend.random import random_uniform, truncated_normal


@export(*everywhere("xavier_initializer", "xavier_initializer_conv2d", module="initializers"))
def xavier_initializer(uniform: bool = True, seed: int | None = None,
                       dtype: Any = dtypes.float32) -> Callable[..., Any]:
    """The Xavier initializer (Glorot and Bengio, 2010), which keeps the variance of activations and gradients.

    Args:
        uniform: whether to draw uniformly within sqrt(6 / (inputs + outputs)); False for truncated normal.
        seed: the seed of the random numbers.
        dtype: a floating-point dtype.
    """
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer


@export(*everywhere("variance_scaling_initializer", module="initializers"))
def variance_scaling_initializer(factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False,
                                 seed: int | None = None, dtype: Any = dtypes.float32) -> Callable[..., Any]:
    """Variance scaling: random numbers of variance `factor` / n, with n the number of inputs, outputs, or their mean.

    Args:
        factor: 2 for ReLUs (He et al., 2015), 1 for linear units.
        mode: "FAN_IN" for the number of inputs, "FAN_OUT" for that of outputs, "FAN_AVG" for their mean.
        uniform: whether to draw uniformly; False for truncated normal.
        seed: the seed of the random numbers.
        dtype: a floating-point dtype.

    Returns:
        A function of shape and dtype.

    Raises:
        TypeError: `dtype` is not floating-point, or `mode` is unknown.
    """
    _require_floating(dtype)
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError(f"Unknown mode {mode}: one of FAN_IN, FAN_OUT, FAN_AVG is wanted.")

    def initialize(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> Any:
        _require_floating(dtype)
        inputs, outputs = _fans(list(shape) if partition_info is None else list(partition_info.full_shape))
        count = {"FAN_IN": inputs, "FAN_OUT": outputs, "FAN_AVG": (inputs + outputs) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / count)
            return random_uniform(shape, -limit, limit, dtype, seed=seed)
        # 1.3 compensates for the variance lost by the truncation.
        return truncated_normal(shape, 0.0, math.sqrt(1.3 * factor / count), dtype, seed=seed)
    return initialize


def _require_floating(dtype: Any) -> None:
    if not dtypes.as_dtype(dtype).is_floating:
        raise TypeError(f"Cannot create initializer for non-floating point type. It draws floats, got {dtype}")


def _fans(shape: list[Any]) -> tuple[float, float]:
    """The fan-in and fan-out of weights of this shape; filters count with their area."""
    sizes = [float(int(size)) for size in shape]
    if not sizes:
        return 1.0, 1.0
    area = math.prod(sizes[:-2])
    return sizes[-2 if len(sizes) > 1 else -1] * area, sizes[-1] * area
