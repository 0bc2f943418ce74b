# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.compiler.jit."""

from evergraph.xla.experimental import jit_scope

experimental_jit_scope = jit_scope
