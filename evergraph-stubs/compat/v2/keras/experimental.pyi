# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.experimental."""

from evergraph.keras.experimental import CosineDecay as CosineDecay
from evergraph.keras.experimental import CosineDecayRestarts as CosineDecayRestarts
from evergraph.keras.experimental import LinearModel as LinearModel
from evergraph.keras.experimental import PeepholeLSTMCell as PeepholeLSTMCell
from evergraph.keras.experimental import SequenceFeatures as SequenceFeatures
from evergraph.keras.experimental import WideDeepModel as WideDeepModel
