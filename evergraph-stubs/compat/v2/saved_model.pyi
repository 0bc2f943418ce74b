# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.saved_model."""

from evergraph.saved_model import load_v2

load = load_v2
from evergraph.saved_model import save as save
