# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.preprocessing.text."""

from evergraph.keras.preprocessing.text import Tokenizer as Tokenizer
from evergraph.keras.preprocessing.text import hashing_trick as hashing_trick
from evergraph.keras.preprocessing.text import one_hot as one_hot
from evergraph.keras.preprocessing.text import text_to_word_sequence as text_to_word_sequence
from evergraph.keras.preprocessing.text import tokenizer_from_json as tokenizer_from_json
