# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.prefetch_queue."""

from typing import Any

def prefetch_queue(
    tensors: Any, capacity: int = 8, num_threads: int = 1, dynamic_pad: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """A queue that threads fill with the tensors, ahead of their use; `dequeue` gives them in their
    structure."""
