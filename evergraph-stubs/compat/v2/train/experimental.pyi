# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.train.experimental."""

from evergraph.train.experimental import PythonState as PythonState
