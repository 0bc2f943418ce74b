# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.lookup."""

from evergraph.compat.v2.lookup import experimental as experimental

from evergraph.lookup import KeyValueTensorInitializer as KeyValueTensorInitializer
from evergraph.lookup import StaticHashTable as StaticHashTable
from evergraph.lookup import StaticVocabularyTable as StaticVocabularyTable
from evergraph.lookup import TextFileIndex as TextFileIndex
from evergraph.lookup import TextFileInitializer as TextFileInitializer
