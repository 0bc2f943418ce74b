# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.metrics."""

from evergraph.keras.losses import (
    cosine_proximity as _cosine_proximity, kullback_leibler_divergence as _kullback_leibler_divergence,
    mean_absolute_error as _mean_absolute_error,
    mean_absolute_percentage_error as _mean_absolute_percentage_error,
    mean_squared_error as _mean_squared_error,
    mean_squared_logarithmic_error as _mean_squared_logarithmic_error,
)

from evergraph.keras.metrics import AUC as AUC
from evergraph.keras.metrics import Accuracy as Accuracy
from evergraph.keras.metrics import BinaryAccuracy as BinaryAccuracy
from evergraph.keras.metrics import BinaryCrossentropy as BinaryCrossentropy
from evergraph.keras.metrics import CategoricalAccuracy as CategoricalAccuracy
from evergraph.keras.metrics import CategoricalCrossentropy as CategoricalCrossentropy
from evergraph.keras.metrics import CategoricalHinge as CategoricalHinge
from evergraph.keras.metrics import CosineSimilarity as CosineSimilarity
from evergraph.keras.metrics import FalseNegatives as FalseNegatives
from evergraph.keras.metrics import FalsePositives as FalsePositives
from evergraph.keras.metrics import Hinge as Hinge
KLD = _kullback_leibler_divergence
from evergraph.keras.metrics import KLDivergence as KLDivergence
from evergraph.keras.metrics import LogCoshError as LogCoshError
MAE = _mean_absolute_error
MAPE = _mean_absolute_percentage_error
MSE = _mean_squared_error
MSLE = _mean_squared_logarithmic_error
from evergraph.keras.metrics import Mean as Mean
from evergraph.keras.metrics import MeanAbsoluteError as MeanAbsoluteError
from evergraph.keras.metrics import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from evergraph.keras.metrics import MeanIoU as MeanIoU
from evergraph.keras.metrics import MeanRelativeError as MeanRelativeError
from evergraph.keras.metrics import MeanSquaredError as MeanSquaredError
from evergraph.keras.metrics import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from evergraph.keras.metrics import MeanTensor as MeanTensor
from evergraph.keras.metrics import Metric as Metric
from evergraph.keras.metrics import Poisson as Poisson
from evergraph.keras.metrics import Precision as Precision
from evergraph.keras.metrics import Recall as Recall
from evergraph.keras.metrics import RootMeanSquaredError as RootMeanSquaredError
from evergraph.keras.metrics import SensitivityAtSpecificity as SensitivityAtSpecificity
from evergraph.keras.metrics import SparseCategoricalAccuracy as SparseCategoricalAccuracy
from evergraph.keras.metrics import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from evergraph.keras.metrics import SparseTopKCategoricalAccuracy as SparseTopKCategoricalAccuracy
from evergraph.keras.metrics import SpecificityAtSensitivity as SpecificityAtSensitivity
from evergraph.keras.metrics import SquaredHinge as SquaredHinge
from evergraph.keras.metrics import Sum as Sum
from evergraph.keras.metrics import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from evergraph.keras.metrics import TrueNegatives as TrueNegatives
from evergraph.keras.metrics import TruePositives as TruePositives
from evergraph.keras.metrics import binary_accuracy as binary_accuracy
from evergraph.keras.losses import binary_crossentropy as binary_crossentropy
from evergraph.keras.metrics import categorical_accuracy as categorical_accuracy
from evergraph.keras.losses import categorical_crossentropy as categorical_crossentropy
cosine = _cosine_proximity
from evergraph.keras.losses import cosine_proximity as cosine_proximity
from evergraph.keras.metrics import deserialize as deserialize
from evergraph.keras.metrics import get as get
from evergraph.keras.losses import hinge as hinge
kld = _kullback_leibler_divergence
from evergraph.keras.losses import kullback_leibler_divergence as kullback_leibler_divergence
mae = _mean_absolute_error
mape = _mean_absolute_percentage_error
from evergraph.keras.losses import mean_absolute_error as mean_absolute_error
from evergraph.keras.losses import mean_absolute_percentage_error as mean_absolute_percentage_error
from evergraph.keras.losses import mean_squared_error as mean_squared_error
from evergraph.keras.losses import mean_squared_logarithmic_error as mean_squared_logarithmic_error
mse = _mean_squared_error
msle = _mean_squared_logarithmic_error
from evergraph.keras.losses import poisson as poisson
from evergraph.keras.metrics import serialize as serialize
from evergraph.keras.metrics import sparse_categorical_accuracy as sparse_categorical_accuracy
from evergraph.keras.losses import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from evergraph.keras.metrics import sparse_top_k_categorical_accuracy as sparse_top_k_categorical_accuracy
from evergraph.keras.losses import squared_hinge as squared_hinge
from evergraph.keras.metrics import top_k_categorical_accuracy as top_k_categorical_accuracy
