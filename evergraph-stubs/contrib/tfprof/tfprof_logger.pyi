# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tfprof.tfprof_logger."""

from evergraph.profiler import write_op_log as write_op_log
