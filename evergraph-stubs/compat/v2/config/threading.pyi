# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.config.threading."""

from evergraph.config.threading import get_inter_op_parallelism_threads as get_inter_op_parallelism_threads
from evergraph.config.threading import get_intra_op_parallelism_threads as get_intra_op_parallelism_threads
from evergraph.config.threading import set_inter_op_parallelism_threads as set_inter_op_parallelism_threads
from evergraph.config.threading import set_intra_op_parallelism_threads as set_intra_op_parallelism_threads
