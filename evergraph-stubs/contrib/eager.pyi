# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.eager."""

from evergraph import py_function

from evergraph.contrib.checkpoint import Checkpointable as Checkpointable
py_func = py_function
