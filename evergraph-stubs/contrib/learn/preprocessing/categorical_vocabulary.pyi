# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.preprocessing.categorical_vocabulary."""

from evergraph.contrib.learn.preprocessing import CategoricalVocabulary as CategoricalVocabulary
