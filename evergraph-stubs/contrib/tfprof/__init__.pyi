# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tfprof."""

from evergraph.contrib.tfprof import model_analyzer as model_analyzer, tfprof_logger as tfprof_logger

from evergraph.profiler import ProfileOptionBuilder as ProfileOptionBuilder
