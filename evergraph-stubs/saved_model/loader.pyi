# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.saved_model.loader."""

from evergraph.saved_model import load as load
from evergraph.saved_model import maybe_saved_model_directory as maybe_saved_model_directory
