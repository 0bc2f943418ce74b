# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.preprocessing."""

from typing import Any, Self
from evergraph.contrib.learn.preprocessing import (
    categorical as categorical, categorical_vocabulary as categorical_vocabulary, text as text,
)

class ByteProcessor:
    """Documents as rows of the bytes of their UTF-8, cut or filled up with 0 to one length."""
    def fit(self, x: Any) -> Self:
        """There is nothing to learn from documents."""
    def fit_transform(self, x: Any) -> Any:
        """The same as `transform`: there is nothing to learn."""
    def transform(self, x: Any) -> Any:
        """Yields a uint8 row for each document, which may be bytes or a string."""
    def reverse(self, x: Any) -> Any:
        """Yields the string of each row; bytes that are no UTF-8 make an empty one."""
    def __init__(self, max_document_length: Any) -> None: ...
    max_document_length: Any

class CategoricalProcessor:
    """Rows of categories as rows of numbers, by a vocabulary for each column."""
    def freeze(self, freeze: Any = True) -> None:
        """Whether unknown categories get no number any more."""
    def fit(self, x: Any, unused_y: Any = None) -> Self:
        """Numbers the categories of rows, those that occur at most `min_frequency` times excepted."""
    def fit_transform(self, x: Any, unused_y: Any = None) -> Any:
        """fit, then transform."""
    def transform(self, x: Any) -> Any:
        """Yields an int64 row for each row; what is missing or unknown is 0."""
    def __init__(self, min_frequency: Any = 0, share: Any = False, vocabularies: Any = None) -> None: ...
    vocabularies_: Any
    min_frequency: Any
    share: Any

class CategoricalVocabulary:
    """Numbers for categories: 0 for what is unknown, then 1, 2, ... in the order in which they are met."""
    def freeze(self, freeze: Any = True) -> None:
        """Whether unknown categories get no number any more."""
    def get(self, category: Any) -> Any:
        """The number of a category, a new one if it has none; 0 when frozen."""
    def add(self, category: Any, count: Any = 1) -> None:
        """Notes that a category has occurred, unless it is unknown and the vocabulary frozen."""
    def trim(self, min_frequency: Any, max_frequency: Any = -1) -> None:
        """Keeps the categories that occur more than `min_frequency` times, and fewer than `max_frequency` if
        that is not negative; the most frequent gets the lowest number, and ties are in alphabetical order."""
    def reverse(self, class_id: Any) -> Any:
        """The category of a number."""
    def __len__(self) -> int: ...
    def __init__(self, unknown_token: Any = '<UNK>', support_reverse: Any = True) -> None: ...

class VocabularyProcessor:
    """Documents as rows of word numbers, cut or filled up with 0 to one length."""
    def fit(self, raw_documents: Any, unused_y: Any = None) -> Self:
        """Numbers the words of the documents, those that occur at most `min_frequency` times excepted."""
    def fit_transform(self, raw_documents: Any, unused_y: Any = None) -> Any:
        """fit, then transform."""
    def transform(self, raw_documents: Any) -> Any:
        """Yields an int64 row for each document."""
    def reverse(self, documents: Any) -> Any:
        """Yields the words of each row, with spaces between them."""
    def save(self, filename: Any) -> None:
        """Writes the processor to a file."""
    @classmethod
    def restore(cls, filename: Any) -> Any:
        """What `save` wrote, here or in TensorFlow."""
    def __init__(
        self, max_document_length: Any, min_frequency: Any = 0, vocabulary: Any = None,
        tokenizer_fn: Any = None,
    ) -> None: ...
    max_document_length: Any
    min_frequency: Any
    vocabulary_: Any

def setup_processor_data_feeder(x: Any) -> Any:
    """The rows of an array or of a table, as a list."""

def tokenizer(iterator: Any) -> Any:
    """The list of words of each text: letters, digits, "'" and "-"; parts of CamelCase are words."""
