# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.lookup.experimental."""

from evergraph import Operation, Tensor
from evergraph.contrib.lookup import LookupInterface
from typing import Any

class DenseHashTable(LookupInterface):
    """A mutable hash table with open addressing, whose keys may be vectors."""
    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """As `insert`."""
    def erase(self, keys: Any, name: str | None = None) -> Any:
        """As `remove`."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Looks up the value of each key, or the default; sparse if the keys are sparse."""
    def insert(self, keys: Any, values: Any, name: str | None = None) -> Operation:
        """An operation that inserts entries; overwrites existing keys."""
    def remove(self, keys: Any, name: str | None = None) -> Operation:
        """An operation that removes entries; missing keys are ignored."""
    def export(self, name: str | None = None) -> Any:
        """All keys and values."""
    @property
    def resource_handle(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    def size(self, name: str | None = None) -> Tensor: ...
    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
        initial_num_buckets: Any = None, name: str = 'MutableDenseHashTable', checkpoint: Any = True,
    ) -> None: ...
