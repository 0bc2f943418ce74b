# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras."""

from evergraph.compat.v2.keras import (
    activations as activations, applications as applications, backend as backend, callbacks as callbacks,
    constraints as constraints, datasets as datasets, experimental as experimental,
    initializers as initializers, layers as layers, losses as losses, metrics as metrics, models as models,
    optimizers as optimizers, preprocessing as preprocessing, regularizers as regularizers, utils as utils,
)

from evergraph.keras import Input as Input
from evergraph.keras import Model as Model
from evergraph.keras import Sequential as Sequential
