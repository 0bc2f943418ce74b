# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.lookup."""

from evergraph import Operation
from evergraph.contrib.lookup import InitializableLookupTableBase, LookupInterface, TableInitializerBase
from typing import Any
from evergraph.lookup import experimental as experimental

class KeyValueTensorInitializer(TableInitializerBase):
    """A table initializer from two tensors: keys and values."""
    def fill(self, handle: Any) -> Operation:
        """The operation that puts the entries into the table of a handle."""
    def initialize(self, table: Any) -> Any: ...
    def __init__(
        self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None,
    ) -> None: ...

class StaticHashTable(InitializableLookupTableBase):
    """An immutable hash table, initialized once."""
    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """All keys and values."""
    def __init__(self, initializer: Any, default_value: Any, name: str | None = None) -> None: ...

class StaticVocabularyTable(LookupInterface):
    """A vocabulary: ids for known words, and hash buckets for out-of-vocabulary words."""
    @property
    def name(self) -> Any:
        """The name of the table."""
    @property
    def initializer(self) -> Any:
        """The operation that initializes the table of known words."""
    @property
    def init(self) -> Any:
        """The operation that initializes the table of known words."""
    @property
    def resource_handle(self) -> Any: ...
    def size(self, name: str | None = None) -> Any:
        """The number of ids."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Looks up the id of each word; sparse if the words are sparse."""
    def __init__(
        self, initializer: Any, num_oov_buckets: Any, lookup_key_dtype: Any = None, name: str | None = None,
    ) -> None: ...

class TextFileIndex:
    """Sources of a key or value in a text file other than a column number."""
    WHOLE_LINE: int
    LINE_NUMBER: int

class TextFileInitializer(TableInitializerBase):
    """A table initializer from the lines of a text file, which is read at initialization."""
    def fill(self, handle: Any) -> Operation:
        """The operation that reads the file into the table of a handle."""
    def initialize(self, table: Any) -> Any: ...
    def __init__(
        self, filename: Any, key_dtype: Any, key_index: Any, value_dtype: Any, value_index: Any,
        vocab_size: Any = None, delimiter: Any = '\t', name: str | None = None,
    ) -> None: ...
