# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.train."""

from evergraph.compat.v2.train import experimental as experimental

from evergraph.train import BytesList as BytesList
from evergraph.train import Checkpoint as Checkpoint
from evergraph.train import CheckpointManager as CheckpointManager
from evergraph.train import ClusterDef as ClusterDef
from evergraph.train import ClusterSpec as ClusterSpec
from evergraph.train import Coordinator as Coordinator
from evergraph.train import Example as Example
from evergraph.train import ExponentialMovingAverage as ExponentialMovingAverage
from evergraph.train import Feature as Feature
from evergraph.train import FeatureList as FeatureList
from evergraph.train import FeatureLists as FeatureLists
from evergraph.train import Features as Features
from evergraph.train import FloatList as FloatList
from evergraph.train import Int64List as Int64List
from evergraph.train import JobDef as JobDef
from evergraph.train import SequenceExample as SequenceExample
from evergraph.train import ServerDef as ServerDef
from evergraph.train import checkpoints_iterator as checkpoints_iterator
from evergraph.train import get_checkpoint_state as get_checkpoint_state
from evergraph.train import latest_checkpoint as latest_checkpoint
from evergraph.train import list_variables as list_variables
from evergraph.train import load_checkpoint as load_checkpoint
from evergraph.train import load_variable as load_variable
