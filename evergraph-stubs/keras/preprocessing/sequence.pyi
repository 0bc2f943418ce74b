# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.preprocessing.sequence."""

from evergraph.keras.utils import Sequence
from typing import Any

class TimeseriesGenerator(Sequence):
    """Makes batches of windows of a series, with the value after each."""

def make_sampling_table(size: Any, sampling_factor: Any = 1e-05) -> Any:
    """Generates a word rank-based probabilistic sampling table."""

def pad_sequences(
    sequences: Any, maxlen: Any = None, dtype: Any = 'int32', padding: Any = 'pre', truncating: Any = 'pre',
    value: Any = 0.0,
) -> Any:
    """Pads sequences to the same length."""

def skipgrams(
    sequence: Any, vocabulary_size: Any, window_size: Any = 4, negative_samples: Any = 1.0,
    shuffle: Any = True, categorical: Any = False, sampling_table: Any = None, seed: Any = None,
) -> tuple[Any, Any]:
    """Generates skipgram word pairs."""
