# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.util.loader."""

from evergraph import load_op_library as load_op_library
