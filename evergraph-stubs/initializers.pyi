# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.initializers."""

from evergraph import (
    Tensor, constant_initializer, global_variables_initializer, glorot_normal_initializer,
    glorot_uniform_initializer, local_variables_initializer, ones_initializer, orthogonal_initializer,
    random_normal_initializer, random_uniform_initializer, truncated_normal_initializer,
    uniform_unit_scaling_initializer, variables_initializer, variance_scaling_initializer,
    zeros_initializer,
)
from evergraph.keras.initializers import Initializer
from typing import Any

constant = constant_initializer
global_variables = global_variables_initializer
glorot_normal = glorot_normal_initializer
glorot_uniform = glorot_uniform_initializer

def he_normal(seed: int | None = None) -> variance_scaling_initializer:
    """Truncated normal random numbers with variance 2 / inputs."""

def he_uniform(seed: int | None = None) -> variance_scaling_initializer:
    """Uniform random numbers within sqrt(6 / inputs)."""

class identity(Initializer):
    """A matrix with `gain` on its diagonal."""
    fields: tuple[str, ...]
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...
    def __init__(self, gain: float = 1.0, dtype: Any = ...) -> None: ...
    gain: Any
    dtype: Any

def lecun_normal(seed: int | None = None) -> variance_scaling_initializer:
    """Truncated normal random numbers with variance 1 / inputs."""

def lecun_uniform(seed: int | None = None) -> variance_scaling_initializer:
    """Uniform random numbers within sqrt(3 / inputs)."""

local_variables = local_variables_initializer
ones = ones_initializer
orthogonal = orthogonal_initializer
random_normal = random_normal_initializer
random_uniform = random_uniform_initializer
from evergraph import tables_initializer as tables_initializer
truncated_normal = truncated_normal_initializer
uniform_unit_scaling = uniform_unit_scaling_initializer
variables = variables_initializer
variance_scaling = variance_scaling_initializer
zeros = zeros_initializer
