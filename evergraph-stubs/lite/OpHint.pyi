# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.lite.OpHint."""

from typing import Any

class OpHintArgumentTracker:
    """Keeps the inputs or outputs of a hint."""
    def add(
        self, arg: Any, tag: str | None = None, name: str | None = None, aggregate: str | None = None,
        index_override: int | None = None,
    ) -> None:
        """Marks a tensor as one of them."""
    def __init__(
        self, function_name: str, unique_function_id: str, node_name_prefix: str, attr_name: str,
        level: int = 1, children_inputs_mappings: Any = None,
    ) -> None: ...
