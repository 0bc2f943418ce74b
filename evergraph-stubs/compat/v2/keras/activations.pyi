# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.activations."""

from evergraph.keras.activations import deserialize as deserialize
from evergraph.keras.activations import elu as elu
from evergraph.keras.activations import exponential as exponential
from evergraph.keras.activations import get as get
from evergraph.keras.activations import hard_sigmoid as hard_sigmoid
from evergraph.keras.activations import linear as linear
from evergraph.keras.activations import relu as relu
from evergraph.keras.activations import selu as selu
from evergraph.keras.activations import serialize as serialize
from evergraph.keras.activations import sigmoid as sigmoid
from evergraph.keras.activations import softmax as softmax
from evergraph.keras.activations import softplus as softplus
from evergraph.keras.activations import softsign as softsign
from evergraph.keras.activations import tanh as tanh
