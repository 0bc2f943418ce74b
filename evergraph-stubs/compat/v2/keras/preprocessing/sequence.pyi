# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.preprocessing.sequence."""

from evergraph.keras.preprocessing.sequence import TimeseriesGenerator as TimeseriesGenerator
from evergraph.keras.preprocessing.sequence import make_sampling_table as make_sampling_table
from evergraph.keras.preprocessing.sequence import pad_sequences as pad_sequences
from evergraph.keras.preprocessing.sequence import skipgrams as skipgrams
