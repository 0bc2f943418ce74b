# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.losses."""

from evergraph.keras.losses import (
    cosine_proximity as _cosine_proximity, kullback_leibler_divergence as _kullback_leibler_divergence,
    mean_absolute_error as _mean_absolute_error,
    mean_absolute_percentage_error as _mean_absolute_percentage_error,
    mean_squared_error as _mean_squared_error,
    mean_squared_logarithmic_error as _mean_squared_logarithmic_error,
)

from evergraph.keras.losses import BinaryCrossentropy as BinaryCrossentropy
from evergraph.keras.losses import CategoricalCrossentropy as CategoricalCrossentropy
from evergraph.keras.losses import CategoricalHinge as CategoricalHinge
from evergraph.keras.losses import CosineSimilarity as CosineSimilarity
from evergraph.keras.losses import Hinge as Hinge
from evergraph.keras.losses import Huber as Huber
KLD = _kullback_leibler_divergence
from evergraph.keras.losses import KLDivergence as KLDivergence
from evergraph.keras.losses import LogCosh as LogCosh
from evergraph.keras.losses import Loss as Loss
MAE = _mean_absolute_error
MAPE = _mean_absolute_percentage_error
MSE = _mean_squared_error
MSLE = _mean_squared_logarithmic_error
from evergraph.keras.losses import MeanAbsoluteError as MeanAbsoluteError
from evergraph.keras.losses import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from evergraph.keras.losses import MeanSquaredError as MeanSquaredError
from evergraph.keras.losses import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from evergraph.keras.losses import Poisson as Poisson
from evergraph.keras.losses import Reduction as Reduction
from evergraph.keras.losses import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from evergraph.keras.losses import SquaredHinge as SquaredHinge
from evergraph.keras.losses import binary_crossentropy as binary_crossentropy
from evergraph.keras.losses import categorical_crossentropy as categorical_crossentropy
from evergraph.keras.losses import categorical_hinge as categorical_hinge
cosine = _cosine_proximity
from evergraph.keras.losses import cosine_proximity as cosine_proximity
cosine_similarity = _cosine_proximity
from evergraph.keras.losses import deserialize as deserialize
from evergraph.keras.losses import get as get
from evergraph.keras.losses import hinge as hinge
kld = _kullback_leibler_divergence
from evergraph.keras.losses import kullback_leibler_divergence as kullback_leibler_divergence
from evergraph.keras.losses import logcosh as logcosh
mae = _mean_absolute_error
mape = _mean_absolute_percentage_error
from evergraph.keras.losses import mean_absolute_error as mean_absolute_error
from evergraph.keras.losses import mean_absolute_percentage_error as mean_absolute_percentage_error
from evergraph.keras.losses import mean_squared_error as mean_squared_error
from evergraph.keras.losses import mean_squared_logarithmic_error as mean_squared_logarithmic_error
mse = _mean_squared_error
msle = _mean_squared_logarithmic_error
from evergraph.keras.losses import poisson as poisson
from evergraph.keras.losses import serialize as serialize
from evergraph.keras.losses import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from evergraph.keras.losses import squared_hinge as squared_hinge
