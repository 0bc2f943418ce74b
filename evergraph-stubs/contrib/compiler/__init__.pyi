# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.compiler."""

from evergraph.contrib.compiler import jit as jit, xla as xla
