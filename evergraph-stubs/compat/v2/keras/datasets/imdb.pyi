# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.datasets.imdb."""

from evergraph.keras.datasets.imdb import get_word_index as get_word_index
from evergraph.keras.datasets.imdb import load_data as load_data
