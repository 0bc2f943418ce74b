# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.saved_model.experimental."""

from evergraph.saved_model import save as save
