# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.saved_model.utils."""

from evergraph.saved_model import build_tensor_info as build_tensor_info
from evergraph.saved_model import get_tensor_from_tensor_info as get_tensor_from_tensor_info
