# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.xla.experimental."""

from evergraph.xla.experimental import compile as compile
from evergraph.xla.experimental import jit_scope as jit_scope
