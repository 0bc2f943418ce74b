# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.preprocessing.text."""

from typing import Any

class Tokenizer:
    """Text tokenization utility class."""
    def fit_on_texts(self, texts: Any) -> None:
        """Updates internal vocabulary based on a list of texts."""
    def fit_on_sequences(self, sequences: Any) -> None:
        """Updates internal vocabulary based on a list of sequences."""
    def texts_to_sequences(self, texts: Any) -> Any:
        """Transforms each text in texts to a sequence of integers."""
    def texts_to_sequences_generator(self, texts: Any) -> Any:
        """Transforms each text in `texts` to a sequence of integers."""
    def sequences_to_texts(self, sequences: Any) -> Any:
        """Transforms each sequence into a list of text."""
    def sequences_to_texts_generator(self, sequences: Any) -> Any:
        """Transforms each sequence in `sequences` to a list of texts(strings)."""
    def texts_to_matrix(self, texts: Any, mode: Any = 'binary') -> Any:
        """Convert a list of texts to a Numpy matrix."""
    def sequences_to_matrix(self, sequences: Any, mode: Any = 'binary') -> Any:
        """Converts a list of sequences into a Numpy matrix."""
    def get_config(self) -> Any:
        """Returns the tokenizer configuration as Python dictionary."""
    def to_json(self, **kwargs: Any) -> Any:
        """Returns a JSON string containing the tokenizer configuration."""
    def __init__(
        self, num_words: Any = None, filters: Any = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n', lower: Any = True,
        split: Any = ' ', char_level: Any = False, oov_token: Any = None, document_count: Any = 0,
        **kwargs: Any,
    ) -> None: ...
    word_counts: Any
    word_docs: Any
    filters: Any
    split: Any
    lower: Any
    num_words: Any
    document_count: Any
    char_level: Any
    oov_token: Any
    index_docs: Any
    word_index: Any
    index_word: Any

def hashing_trick(
    text: Any, n: Any, hash_function: Any = None, filters: Any = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n',
    lower: Any = True, split: Any = ' ',
) -> Any:
    """Converts a text to a sequence of indexes in a fixed-size hashing space."""

def one_hot(
    text: Any, n: Any, filters: Any = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n', lower: Any = True,
    split: Any = ' ',
) -> Any:
    """One-hot encodes a text into a list of word indexes of size n."""

def text_to_word_sequence(
    text: Any, filters: Any = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n', lower: Any = True, split: Any = ' ',
) -> Any:
    """Converts a text to a sequence of words (or tokens)."""

def tokenizer_from_json(json_string: Any) -> Tokenizer:
    """Parses a JSON tokenizer configuration file and returns a tokenizer instance."""
