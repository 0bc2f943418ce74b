# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.tpu.experimental."""

from evergraph.tpu.experimental import DeviceAssignment as DeviceAssignment
from evergraph.tpu.experimental import initialize_tpu_system as initialize_tpu_system
