# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.saved_model.tag_constants."""

GPU: str
SERVING: str
TPU: str
TRAINING: str
