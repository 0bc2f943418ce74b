# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.staging."""

from evergraph import Operation, Tensor
from typing import Any

class StagingArea:
    """A buffer between steps: a step puts an element, a later one gets it, in the same order."""
    def put(self, values: Any, name: str | None = None) -> Operation:
        """An operation that appends an element, waiting for room."""
    def get(self, name: str | None = None) -> Any:
        """The oldest element, which leaves the area; the step waits for one."""
    def peek(self, index: Any, name: str | None = None) -> Any:
        """The element at a position, which stays."""
    def size(self, name: str | None = None) -> Tensor:
        """The number of elements."""
    def clear(self, name: str | None = None) -> Operation:
        """An operation that removes all elements."""
    @property
    def name(self) -> Any: ...
    @property
    def dtypes(self) -> Any: ...
    @property
    def shapes(self) -> Any: ...
    @property
    def names(self) -> Any: ...
    @property
    def capacity(self) -> Any: ...
    @property
    def memory_limit(self) -> Any: ...
    def __init__(
        self, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None,
        capacity: int = 0, memory_limit: int = 0,
    ) -> None: ...
