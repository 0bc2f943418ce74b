# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.utils.saved_model_export_utils."""

from evergraph.contrib.learn import make_export_strategy as make_export_strategy
