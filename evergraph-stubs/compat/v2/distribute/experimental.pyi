# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.distribute.experimental."""

from evergraph.distribute.experimental import CentralStorageStrategy as CentralStorageStrategy
from evergraph.distribute.experimental import CollectiveCommunication as CollectiveCommunication
from evergraph.distribute.experimental import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from evergraph.distribute.experimental import ParameterServerStrategy as ParameterServerStrategy
from evergraph.distribute.experimental import TPUStrategy as TPUStrategy
