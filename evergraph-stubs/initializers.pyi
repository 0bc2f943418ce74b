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
    """He normal initialization (He et al., 2015) for layers with rectifiers: truncated normal, variance 2 /
    fan_in."""

def he_uniform(seed: int | None = None) -> variance_scaling_initializer:
    """He uniform initialization (He et al., 2015) for layers with rectifiers: uniform on +-sqrt(6 /
    fan_in)."""

class identity(Initializer):
    """Initializes a matrix with `gain` times the identity."""
    fields: tuple[str, ...]
    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor: ...
    def __init__(self, gain: float = 1.0, dtype: Any = ...) -> None: ...
    gain: Any
    dtype: Any

def lecun_normal(seed: int | None = None) -> variance_scaling_initializer:
    """LeCun normal initialization (LeCun et al., 1998): truncated normal, variance 1 / fan_in."""

def lecun_uniform(seed: int | None = None) -> variance_scaling_initializer:
    """LeCun uniform initialization (LeCun et al., 1998): uniform on +-sqrt(3 / fan_in)."""

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
