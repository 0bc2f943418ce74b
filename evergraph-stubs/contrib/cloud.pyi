# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.cloud."""

from evergraph.estimator import SessionRunHook
from typing import Any

class BigQueryReader:
    """Reads rows of BigQuery; it is not here and says so."""
    use: str
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class BigtableClient:
    """A client of Bigtable; it is not here and says so."""
    use: str
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class BigtableTable:
    """A table of Bigtable; it is not here and says so."""
    use: str
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class BlockCacheParams:
    """How files of Google Cloud Storage are kept in memory."""
    @property
    def block_size(self) -> int:
        """The bytes of a block."""
    @property
    def max_bytes(self) -> int:
        """The bytes of all blocks."""
    @property
    def max_staleness(self) -> int:
        """The seconds after which a file is read anew."""
    def __init__(
        self, block_size: int | None = None, max_bytes: int | None = None, max_staleness: int | None = None,
    ) -> None: ...

class ConfigureGcsHook(SessionRunHook):
    """Calls `tf.contrib.cloud.configure_gcs` when a session is made."""
    def after_create_session(self, session: Any, coord: Any) -> None: ...
    def __init__(self, credentials: Any = None, block_cache: BlockCacheParams | None = None) -> None: ...

def configure_colab_session(session: Any) -> None:
    """Gives a session the credentials of the notebook's user, from the file that Colab keeps them in."""

def configure_gcs(
    session: Any, credentials: Any = None, block_cache: BlockCacheParams | None = None, device: Any = None,
) -> None:
    """Tells fsspec's file system of `gs://` the credentials and the size of its blocks, in this process."""
