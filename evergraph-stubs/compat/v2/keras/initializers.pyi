# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.initializers."""

from evergraph import (
    constant_initializer, glorot_normal_initializer, glorot_uniform_initializer, ones_initializer,
    orthogonal_initializer, variance_scaling_initializer, zeros_initializer,
)
from evergraph.initializers import identity

Constant = constant_initializer
GlorotNormal = glorot_normal_initializer
GlorotUniform = glorot_uniform_initializer
Identity = identity
from evergraph.keras.initializers import Initializer as Initializer
Ones = ones_initializer
Orthogonal = orthogonal_initializer
from evergraph.keras.initializers import RandomNormal as RandomNormal
from evergraph.keras.initializers import RandomUniform as RandomUniform
from evergraph.keras.initializers import TruncatedNormal as TruncatedNormal
VarianceScaling = variance_scaling_initializer
Zeros = zeros_initializer
from evergraph.keras.initializers import deserialize as deserialize
from evergraph.keras.initializers import get as get
glorot_normal = glorot_normal_initializer
glorot_uniform = glorot_uniform_initializer
from evergraph.initializers import he_normal as he_normal
from evergraph.initializers import he_uniform as he_uniform
from evergraph.initializers import lecun_normal as lecun_normal
from evergraph.initializers import lecun_uniform as lecun_uniform
from evergraph.keras.initializers import serialize as serialize
