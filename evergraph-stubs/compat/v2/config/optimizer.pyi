# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.config.optimizer."""

from evergraph.config.optimizer import get_experimental_options as get_experimental_options
from evergraph.config.optimizer import get_jit as get_jit
from evergraph.config.optimizer import set_experimental_options as set_experimental_options
from evergraph.config.optimizer import set_jit as set_jit
