# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.datasets.imdb."""

from numpy import ndarray
from typing import Any

def get_word_index(path: str = 'imdb_word_index.json') -> dict[str, int]:
    """The numbers of the words of `tf.keras.datasets.imdb`, before `index_from` is added."""

def load_data(
    path: str = 'imdb.npz', num_words: int | None = None, skip_top: int = 0, maxlen: int | None = None,
    seed: int = 113, start_char: int | None = 1, oov_char: int | None = 2, index_from: int = 3,
    **kwargs: Any,
) -> tuple[tuple[ndarray[Any, Any], ndarray[Any, Any]], tuple[ndarray[Any, Any], ndarray[Any, Any]]]:
    """25,000 and 25,000 reviews of films as lists of word numbers, with whether they are good."""
