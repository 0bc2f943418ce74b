# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.preprocessing.categorical."""

from evergraph.contrib.learn.preprocessing import CategoricalProcessor as CategoricalProcessor
