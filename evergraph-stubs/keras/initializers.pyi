# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.initializers."""

from evergraph import (
    Tensor, constant_initializer, glorot_normal_initializer, glorot_uniform_initializer, ones_initializer,
    orthogonal_initializer, random_normal_initializer, random_uniform_initializer,
    truncated_normal_initializer, variance_scaling_initializer, zeros_initializer,
)
from evergraph.initializers import identity as _identity
from typing import Any

Constant = constant_initializer
Identity = _identity

class Initializer:
    """Called with a shape, a dtype and perhaps the part of a variable that is asked for, gives a tensor."""
    fields: tuple[str, ...]
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal initializer from."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer with these arguments."""
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...

Ones = ones_initializer
Orthogonal = orthogonal_initializer

class RandomNormal(random_normal_initializer):
    """Initializes with normal random numbers."""
    def __init__(
        self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None, dtype: Any = ...,
    ) -> None: ...

class RandomUniform(random_uniform_initializer):
    """Uniform random numbers in [minval, maxval)."""
    def __init__(
        self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None, dtype: Any = ...,
    ) -> None: ...

class TruncatedNormal(truncated_normal_initializer):
    """Normal random numbers, drawn again where they are more than two standard deviations off the mean."""
    def __init__(
        self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None, dtype: Any = ...,
    ) -> None: ...

VarianceScaling = variance_scaling_initializer
Zeros = zeros_initializer
constant = constant_initializer

def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The initializer of a serialized configuration or a name."""

def get(identifier: Any) -> Any:
    """Resolves an initializer: an object, a name, a configuration, or None for none."""

glorot_normal = glorot_normal_initializer
glorot_uniform = glorot_uniform_initializer
from evergraph.initializers import he_normal as he_normal
from evergraph.initializers import he_uniform as he_uniform
from evergraph.initializers import identity as identity
from evergraph.initializers import lecun_normal as lecun_normal
from evergraph.initializers import lecun_uniform as lecun_uniform
normal = RandomNormal
ones = ones_initializer
orthogonal = orthogonal_initializer
random_normal = RandomNormal
random_uniform = RandomUniform

def serialize(initializer: Any) -> Any:
    """The name of the initializer's class and its configuration."""

truncated_normal = TruncatedNormal
uniform = RandomUniform
zeros = zeros_initializer
