# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.lookup."""

from evergraph import Operation
from evergraph.contrib.lookup import InitializableLookupTableBase, LookupInterface, TableInitializerBase
from typing import Any
from evergraph.lookup import experimental as experimental

class KeyValueTensorInitializer(TableInitializerBase):
    """Keys and values of a table as two tensors."""
    def initialize(self, table: Any) -> Operation: ...
    def __init__(
        self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None,
    ) -> None: ...

class StaticHashTable(InitializableLookupTableBase):
    """A table that is filled once and never changes."""
    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """All keys, and their values."""
    def __init__(self, initializer: Any, default_value: Any, name: str | None = None) -> None: ...

class StaticVocabularyTable(LookupInterface):
    """Ids for the words of a vocabulary, and, by hash, for all others."""
    @property
    def name(self) -> Any: ...
    @property
    def initializer(self) -> Any:
        """The operation that fills the table of known words."""
    @property
    def init(self) -> Any:
        """The operation that fills the table of known words."""
    @property
    def resource_handle(self) -> Any: ...
    def size(self, name: str | None = None) -> Any:
        """How many different ids there are."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The id of each word; sparse if the words are sparse."""
    def __init__(
        self, initializer: Any, num_oov_buckets: Any, lookup_key_dtype: Any = None, name: str | None = None,
    ) -> None: ...

class TextFileIndex:
    """Where a line of a text file says a key or a value, other than by the number of a column."""
    WHOLE_LINE: int
    LINE_NUMBER: int

class TextFileInitializer(TableInitializerBase):
    """Keys and values of a table from the lines of a text file, which is read when the table is filled."""
    def initialize(self, table: Any) -> Operation: ...
    def __init__(
        self, filename: Any, key_dtype: Any, key_index: Any, value_dtype: Any, value_index: Any,
        vocab_size: Any = None, delimiter: Any = '\t', name: str | None = None,
    ) -> None: ...
