# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.datasets.reuters."""

from numpy import ndarray
from typing import Any

def get_word_index(path: str = 'reuters_word_index.json') -> dict[str, int]:
    """The numbers of the words of `tf.keras.datasets.reuters`, before `index_from` is added."""

def load_data(
    path: str = 'reuters.npz', num_words: int | None = None, skip_top: int = 0, maxlen: int | None = None,
    test_split: float = 0.2, seed: int = 113, start_char: int | None = 1, oov_char: int | None = 2,
    index_from: int = 3, **kwargs: Any,
) -> tuple[tuple[ndarray[Any, Any], ndarray[Any, Any]], tuple[ndarray[Any, Any], ndarray[Any, Any]]]:
    """11,228 pieces of news as lists of word numbers, with their topics."""
