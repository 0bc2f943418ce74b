# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.estimator.inputs."""

from collections.abc import Callable
from typing import Any

import sys
if sys.platform == "":
    del (
        feeding, numpy_io, pandas_io,
    )

def numpy_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: bool | None = None,
    queue_capacity: int = 1000, num_threads: int = 1,
) -> Callable[[], Any]:
    """A function that adds a queue of rows of arrays to the graph, and gives the tensors of a batch."""

def pandas_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: bool | None = None,
    queue_capacity: int | None = 1000, num_threads: int = 1, target_column: str = 'target',
) -> Callable[[], Any]:
    """A function that adds a queue of rows of a DataFrame to the graph, and gives the tensors of a
    batch."""
