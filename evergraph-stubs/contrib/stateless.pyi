# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.stateless."""

from evergraph.random import stateless_normal, stateless_uniform

from evergraph.random import stateless_multinomial as stateless_multinomial
stateless_random_normal = stateless_normal
stateless_random_uniform = stateless_uniform
from evergraph.random import stateless_truncated_normal as stateless_truncated_normal
