# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.layers.summaries."""

from evergraph.contrib.layers import summarize_activation as summarize_activation
from evergraph.contrib.layers import summarize_activations as summarize_activations
from evergraph.contrib.layers import summarize_collection as summarize_collection
from evergraph.contrib.layers import summarize_tensor as summarize_tensor
from evergraph.contrib.layers import summarize_tensors as summarize_tensors
