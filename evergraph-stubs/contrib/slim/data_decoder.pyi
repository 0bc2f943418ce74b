# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.data_decoder."""

from collections.abc import Sequence
from typing import Any

class DataDecoder:
    """Makes items of data, by their names."""
    def decode(self, data: Any, items: Sequence[str]) -> list[Any]:
        """The items with these names."""
    def list_items(self) -> list[str]:
        """The names of all items."""
