# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.experimental."""

from evergraph.keras.experimental import PeepholeLSTMCell as PeepholeLSTMCell
from evergraph.keras.experimental import SequenceFeatures as SequenceFeatures
