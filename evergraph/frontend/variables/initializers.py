"""Initializers: what variables start with, as functions of shape and dtype."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, random
from evergraph.graph.convert import constant
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.diagonal import diag_part
from evergraph.ops.arrays.index import slice_
from evergraph.ops.arrays.reshape import reshape, transpose
from evergraph.ops.math.decompose import qr
from evergraph.ops.math.elementwise import mul, sign


class Initializer:
    """Called with a shape, a dtype and perhaps the part of a variable that is asked for, gives a tensor.

    The arguments of the constructor are kept as attributes and are what `get_config` gives back.
    """

    fields: tuple[str, ...] = ()

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal initializer from."""
        config = {name: getattr(self, name) for name in self.fields}
        return {**config, "dtype": self.dtype.name} if "dtype" in config else config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer with these arguments."""
        return cls(**config)

    def _dtype(self, asked: Any) -> dtypes.DType:
        return self.dtype if asked is None else dtypes.as_dtype(asked)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_config().items())})"


def _floating(dtype: Any) -> dtypes.DType:
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype.name}.")
    return dtype


def _sizes(shape: Any) -> list[int]:
    return TensorShape(shape).as_list() if not isinstance(shape, (list, tuple)) else [int(d) for d in shape]


# ---- the same value everywhere

@export("zeros_initializer", "initializers.zeros")
class zeros_initializer(Initializer):  # noqa: N801 - TensorFlow's own spelling, here and below
    """Zeros."""

    fields = ("dtype",)

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return array.zeros(shape, self._dtype(dtype))


@export("ones_initializer", "initializers.ones")
class ones_initializer(Initializer):  # noqa: N801
    """Ones."""

    fields = ("dtype",)

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return array.ones(shape, self._dtype(dtype))


@export("constant_initializer", "initializers.constant")
class constant_initializer(Initializer):  # noqa: N801
    """A constant: one value everywhere, or a list of them that fills the shape in order.

    Args:
        value: a number, a list, or an array.
        dtype: used when the call names none.
        verify_shape: True refuses values of another shape than the variable's.

    Raises:
        TypeError: `value` is none of these.
    """

    fields = ("value", "dtype")

    def __init__(self, value: Any = 0, dtype: Any = dtypes.float32, verify_shape: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(f"an initial value is a number, a list of numbers or an array, got {type(value)}")
        self.value, self.dtype, self._verify_shape = value, dtypes.as_dtype(dtype), verify_shape

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None,
                 verify_shape: bool | None = None) -> Tensor:
        verify = self._verify_shape if verify_shape is None else verify_shape
        return constant(self.value, self._dtype(dtype), shape, verify_shape=verify)


@export("initializers.identity")
class identity_initializer(Initializer):  # noqa: N801
    """A matrix with `gain` on its diagonal."""

    fields = ("gain", "dtype")

    def __init__(self, gain: float = 1.0, dtype: Any = dtypes.float32) -> None:
        self.gain, self.dtype = gain, _floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        whole = _sizes(shape) if partition_info is None else partition_info.full_shape
        if len(whole) != 2:
            raise ValueError(f"only a matrix can be initialized as the identity, got shape {shape}")
        dtype = self._dtype(dtype)
        matrix = array.eye(*whole, dtype=dtype)
        if partition_info is not None:
            matrix = slice_(matrix, partition_info.var_offset, _sizes(shape))
        return mul(np.array(self.gain, dtype.np), matrix, name="mul")


# ---- random

@export("random_uniform_initializer", "initializers.random_uniform")
class random_uniform_initializer(Initializer):  # noqa: N801
    """Uniform random numbers in [minval, maxval); integers need a `maxval`."""

    fields = ("minval", "maxval", "seed", "dtype")

    def __init__(self, minval: Any = 0, maxval: Any = None, seed: int | None = None,
                 dtype: Any = dtypes.float32) -> None:
        self.minval, self.maxval, self.seed, self.dtype = minval, maxval, seed, dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return random.random_uniform(shape, self.minval, self.maxval, self._dtype(dtype), seed=self.seed)


@export("random_normal_initializer", "initializers.random_normal")
class random_normal_initializer(Initializer):  # noqa: N801
    """Normal random numbers."""

    fields = ("mean", "stddev", "seed", "dtype")

    def __init__(self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None,
                 dtype: Any = dtypes.float32) -> None:
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, _floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return random.random_normal(shape, self.mean, self.stddev, self._dtype(dtype), seed=self.seed)


@export("truncated_normal_initializer", "initializers.truncated_normal")
class truncated_normal_initializer(Initializer):  # noqa: N801
    """Normal random numbers, drawn again where they lie more than two standard deviations from the mean."""

    fields = ("mean", "stddev", "seed", "dtype")

    def __init__(self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None,
                 dtype: Any = dtypes.float32) -> None:
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, _floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return random.truncated_normal(shape, self.mean, self.stddev, self._dtype(dtype), seed=self.seed)


@export("uniform_unit_scaling_initializer", "initializers.uniform_unit_scaling")
class uniform_unit_scaling_initializer(Initializer):  # noqa: N801
    """Uniform random numbers that keep the scale of a layer's input: within sqrt(3 / inputs) * factor."""

    fields = ("factor", "seed", "dtype")

    def __init__(self, factor: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.factor, self.seed, self.dtype = factor, seed, _floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        whole = _sizes(shape) if partition_info is None else partition_info.full_shape
        limit = math.sqrt(3 / max(1.0, float(math.prod(whole[:-1])))) * self.factor
        return random.random_uniform(shape, -limit, limit, self._dtype(dtype), seed=self.seed)


# The standard deviation of a normal distribution that was cut off at two standard deviations.
_TRUNCATED_STDDEV = 0.87962566103423978


@export("variance_scaling_initializer", "initializers.variance_scaling")
class variance_scaling_initializer(Initializer):  # noqa: N801
    """Random numbers whose variance is `scale` over the number of a layer's inputs, outputs, or their mean.

    Args:
        scale: positive.
        mode: "fan_in", "fan_out" or "fan_avg".
        distribution: "truncated_normal" (or "normal", the same), "untruncated_normal" or "uniform".
        seed: of the random numbers.
        dtype: used when the call names none.

    Raises:
        ValueError: an argument is not one of these.
    """

    fields = ("scale", "mode", "distribution", "seed", "dtype")

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal",
                 seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError("Invalid `mode` argument:", mode)
        distribution = distribution.lower()
        if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError("Invalid `distribution` argument:", distribution)
        self.scale, self.mode, self.seed, self.dtype = scale, mode, seed, _floating(dtype)
        self.distribution = distribution

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        whole = _sizes(shape) if partition_info is None else partition_info.full_shape
        inputs, outputs = fans(whole)
        fan = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2.0}[self.mode]
        variance, dtype = self.scale / max(1.0, fan), self._dtype(dtype)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return random.random_uniform(shape, -limit, limit, dtype, seed=self.seed)
        if self.distribution == "untruncated_normal":
            return random.random_normal(shape, 0.0, math.sqrt(variance), dtype, seed=self.seed)
        return random.truncated_normal(shape, 0.0, math.sqrt(variance) / _TRUNCATED_STDDEV, dtype, seed=self.seed)


def fans(shape: list[int]) -> tuple[float, float]:
    """The numbers of inputs and outputs of a layer with weights of this shape; filters count with their area."""
    if len(shape) < 1:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    area = math.prod(shape[:-2])
    return shape[-2] * area, shape[-1] * area


@export("glorot_uniform_initializer", "initializers.glorot_uniform")
class glorot_uniform_initializer(variance_scaling_initializer):  # noqa: N801
    """Uniform random numbers within sqrt(6 / (inputs + outputs)); the default for float variables."""

    fields = ("seed", "dtype")

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)


@export("glorot_normal_initializer", "initializers.glorot_normal")
class glorot_normal_initializer(variance_scaling_initializer):  # noqa: N801
    """Truncated normal random numbers with variance 2 / (inputs + outputs)."""

    fields = ("seed", "dtype")

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)


@export("initializers.he_normal")
def he_normal(seed: int | None = None) -> variance_scaling_initializer:
    """Truncated normal random numbers with variance 2 / inputs."""
    return variance_scaling_initializer(2.0, "fan_in", "truncated_normal", seed)


@export("initializers.he_uniform")
def he_uniform(seed: int | None = None) -> variance_scaling_initializer:
    """Uniform random numbers within sqrt(6 / inputs)."""
    return variance_scaling_initializer(2.0, "fan_in", "uniform", seed)


@export("initializers.lecun_normal")
def lecun_normal(seed: int | None = None) -> variance_scaling_initializer:
    """Truncated normal random numbers with variance 1 / inputs."""
    return variance_scaling_initializer(1.0, "fan_in", "truncated_normal", seed)


@export("initializers.lecun_uniform")
def lecun_uniform(seed: int | None = None) -> variance_scaling_initializer:
    """Uniform random numbers within sqrt(3 / inputs)."""
    return variance_scaling_initializer(1.0, "fan_in", "uniform", seed)


@export("orthogonal_initializer", "initializers.orthogonal")
class orthogonal_initializer(Initializer):  # noqa: N801
    """A random matrix with orthonormal rows or columns, times `gain`; more dimensions are taken as rows.

    Raises:
        ValueError: the variable has fewer than two dimensions.
    """

    fields = ("gain", "seed", "dtype")

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.gain, self.seed, self.dtype = gain, seed, _floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        sizes, dtype = _sizes(shape), self._dtype(dtype)
        if len(sizes) < 2:
            raise ValueError("only tensors of rank 2 or more can be initialized as orthogonal")
        rows, columns = math.prod(sizes[:-1]), sizes[-1]
        tall = random.random_normal([max(rows, columns), min(rows, columns)], dtype=dtype, seed=self.seed)
        q, r = qr(tall, full_matrices=False)
        # QR leaves the signs of the columns open: those of R's diagonal make the distribution uniform.
        q = mul(q, sign(diag_part(r)), name="mul")
        if rows < columns:
            q = transpose(q, [1, 0])
        return mul(np.array(self.gain, dtype.np), reshape(q, sizes), name="mul")
