# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.examples."""

from evergraph.examples import tutorials as tutorials
