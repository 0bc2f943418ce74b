# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.regularizers."""

from evergraph.keras.regularizers import L1L2 as L1L2
from evergraph.keras.regularizers import Regularizer as Regularizer
from evergraph.keras.regularizers import deserialize as deserialize
from evergraph.keras.regularizers import get as get
from evergraph.keras.regularizers import l1 as l1
from evergraph.keras.regularizers import l1_l2 as l1_l2
from evergraph.keras.regularizers import l2 as l2
from evergraph.keras.regularizers import serialize as serialize
