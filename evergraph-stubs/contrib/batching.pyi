# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.batching."""

from evergraph import nondifferentiable_batch_function

batch_function = nondifferentiable_batch_function
