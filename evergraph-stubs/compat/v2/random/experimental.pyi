# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.random.experimental."""

from evergraph.random.experimental import Generator as Generator
from evergraph.random.experimental import create_rng_state as create_rng_state
from evergraph.random.experimental import get_global_generator as get_global_generator
from evergraph.random.experimental import set_global_generator as set_global_generator
