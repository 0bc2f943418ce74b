# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.preprocessing.text."""

from evergraph.contrib.learn.preprocessing import ByteProcessor as ByteProcessor
from evergraph.contrib.learn.preprocessing import VocabularyProcessor as VocabularyProcessor
from evergraph.contrib.learn.preprocessing import tokenizer as tokenizer
