# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.optimizers."""

from evergraph.compat.v2.keras.optimizers import schedules as schedules

from evergraph.keras.optimizers import Adadelta as Adadelta
from evergraph.keras.optimizers import Adagrad as Adagrad
from evergraph.keras.optimizers import Adam as Adam
from evergraph.keras.optimizers import Adamax as Adamax
from evergraph.keras.optimizers import Ftrl as Ftrl
from evergraph.keras.optimizers import Nadam as Nadam
from evergraph.keras.optimizers import Optimizer as Optimizer
from evergraph.keras.optimizers import RMSprop as RMSprop
from evergraph.keras.optimizers import SGD as SGD
from evergraph.keras.optimizers import deserialize as deserialize
from evergraph.keras.optimizers import get as get
from evergraph.keras.optimizers import serialize as serialize
