# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.eager."""

from evergraph import executing_eagerly as _executing_eagerly, py_function

ASYNC: int
from evergraph.contrib.checkpoint import Checkpointable as Checkpointable
DEVICE_PLACEMENT_EXPLICIT: int
DEVICE_PLACEMENT_SILENT: int
DEVICE_PLACEMENT_WARN: int
from evergraph import GradientTape as GradientTape
SYNC: int
from evergraph import enable_eager_execution as enable_eager_execution
from evergraph import executing_eagerly as executing_eagerly
in_eager_mode = _executing_eagerly
py_func = py_function
