# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.data_provider."""

from collections.abc import Sequence
from typing import Any

class DataProvider:
    """Gives items by name."""
    def get(self, items: Sequence[str]) -> list[Any]:
        """The items with these names."""
    def list_items(self) -> list[str]:
        """The names of all items."""
    def num_samples(self) -> Any:
        """How many samples there are."""
    def __init__(self, items_to_tensors: dict[str, Any], num_samples: Any) -> None: ...
