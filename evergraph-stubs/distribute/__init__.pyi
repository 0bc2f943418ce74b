# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.distribute."""

from typing import Any
from evergraph.distribute import cluster_resolver as cluster_resolver

class Server:
    """A task of a cluster."""
    @property
    def server_def(self) -> Any:
        """The ServerDef that describes this server."""
    @property
    def target(self) -> str:
        """What a tf.Session takes to use this server."""
    def start(self) -> None:
        """Lets sessions of this process use the server."""
    def join(self) -> None:
        """Waits for the server to stop, which it never does: it ends with the process."""
    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """A server of a cluster of its own, with one task, at a free port."""
    def __init__(
        self, server_or_cluster_def: Any, job_name: str | None = None, task_index: int | None = None,
        protocol: str | None = None, config: Any = None, start: bool = True,
    ) -> None: ...
