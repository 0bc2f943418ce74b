# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.saved_model.builder."""

from evergraph.saved_model import Builder

SavedModelBuilder = Builder
