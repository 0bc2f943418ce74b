# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.optimizers.schedules."""

from evergraph.keras.optimizers.schedules import ExponentialDecay as ExponentialDecay
from evergraph.keras.optimizers.schedules import InverseTimeDecay as InverseTimeDecay
from evergraph.keras.optimizers.schedules import LearningRateSchedule as LearningRateSchedule
from evergraph.keras.optimizers.schedules import PiecewiseConstantDecay as PiecewiseConstantDecay
from evergraph.keras.optimizers.schedules import PolynomialDecay as PolynomialDecay
from evergraph.keras.optimizers.schedules import deserialize as deserialize
from evergraph.keras.optimizers.schedules import serialize as serialize
