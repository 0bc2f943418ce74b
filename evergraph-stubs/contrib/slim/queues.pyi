# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.queues."""

from contextlib import AbstractContextManager
from typing import Any

class NestedQueueRunnerError(Exception):
    """A block with queue runners stands inside another one."""

def QueueRunners(session: Any) -> AbstractContextManager[None]:
    """A block during which the queue runners of the graph run in a session."""
