# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.distribute."""

from evergraph.compat.v2.distribute import cluster_resolver as cluster_resolver, experimental as experimental

from evergraph.distribute import CrossDeviceOps as CrossDeviceOps
from evergraph.distribute import HierarchicalCopyAllReduce as HierarchicalCopyAllReduce
from evergraph.distribute import InputContext as InputContext
from evergraph.distribute import InputReplicationMode as InputReplicationMode
from evergraph.distribute import MirroredStrategy as MirroredStrategy
from evergraph.distribute import NcclAllReduce as NcclAllReduce
from evergraph.distribute import OneDeviceStrategy as OneDeviceStrategy
from evergraph.distribute import ReduceOp as ReduceOp
from evergraph.distribute import ReductionToOneDevice as ReductionToOneDevice
from evergraph.distribute import ReplicaContext as ReplicaContext
from evergraph.distribute import Server as Server
from evergraph.distribute import Strategy as Strategy
from evergraph.distribute import StrategyExtended as StrategyExtended
from evergraph.distribute import experimental_set_strategy as experimental_set_strategy
from evergraph.distribute import get_replica_context as get_replica_context
from evergraph.distribute import get_strategy as get_strategy
from evergraph.distribute import has_strategy as has_strategy
from evergraph.distribute import in_cross_replica_context as in_cross_replica_context
