# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.config."""

from evergraph.compat.v2.config import experimental as experimental, optimizer as optimizer, threading as threading

from evergraph.config import experimental_connect_to_cluster as experimental_connect_to_cluster
from evergraph.config import experimental_connect_to_host as experimental_connect_to_host
from evergraph.config import experimental_run_functions_eagerly as experimental_run_functions_eagerly
from evergraph.config import get_soft_device_placement as get_soft_device_placement
from evergraph.config import set_soft_device_placement as set_soft_device_placement
