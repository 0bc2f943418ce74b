# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.distribute.cluster_resolver."""

from evergraph.distribute.cluster_resolver import ClusterResolver as ClusterResolver
from evergraph.distribute.cluster_resolver import GCEClusterResolver as GCEClusterResolver
from evergraph.distribute.cluster_resolver import KubernetesClusterResolver as KubernetesClusterResolver
from evergraph.distribute.cluster_resolver import SimpleClusterResolver as SimpleClusterResolver
from evergraph.distribute.cluster_resolver import SlurmClusterResolver as SlurmClusterResolver
from evergraph.distribute.cluster_resolver import TFConfigClusterResolver as TFConfigClusterResolver
from evergraph.distribute.cluster_resolver import TPUClusterResolver as TPUClusterResolver
from evergraph.distribute.cluster_resolver import UnionResolver as UnionResolver
