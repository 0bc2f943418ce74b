"""tf.contrib.cloud: settings of Google Cloud Storage, whose files are read by fsspec here."""

from __future__ import annotations

import json
from typing import Any

from evergraph.base.errors import UnimplementedError
from evergraph.base.export import export
from evergraph.base.files import GFile, configure_protocol
from evergraph.train.session_run_hook import SessionRunHook


@export("contrib.cloud.BlockCacheParams")
class BlockCacheParams:
    """How files of Google Cloud Storage are kept in memory.

    Args:
        block_size: the bytes of a block; by default 16 MiB.
        max_bytes: the bytes of all blocks; by default that of one block.
        max_staleness: after how many seconds a file is read anew; by default 0.
    """

    def __init__(self, block_size: int | None = None, max_bytes: int | None = None,
                 max_staleness: int | None = None) -> None:
        self._block_size = block_size or 16 * 1024 * 1024
        self._max_bytes = max_bytes or self._block_size
        self._max_staleness = max_staleness or 0

    @property
    def block_size(self) -> int:
        """The bytes of a block."""
        return self._block_size

    @property
    def max_bytes(self) -> int:
        """The bytes of all blocks."""
        return self._max_bytes

    @property
    def max_staleness(self) -> int:
        """The seconds after which a file is read anew."""
        return self._max_staleness


def _checked_credentials(credentials: Any) -> None:
    """Raises ValueError unless credentials are a dictionary of JSON, or its text."""
    if isinstance(credentials, dict):
        json.dumps(credentials)
    elif credentials is not None:
        json.loads(credentials)


@export("contrib.cloud.configure_gcs")
def configure_gcs(session: Any, credentials: Any = None, block_cache: BlockCacheParams | None = None,
                  device: Any = None) -> None:
    """Tells fsspec's file system of `gs://` the credentials and the size of its blocks, in this process.

    Args:
        session: has no meaning: files are read by the process.
        credentials: a dictionary, or a text in JSON; None for what the environment says.
        block_cache: sizes; its staleness has no meaning, files that changed are read anew.
        device: has no meaning.

    Raises:
        ValueError: the credentials are no JSON.
    """
    _checked_credentials(credentials)
    settings: dict[str, Any] = {}
    if credentials is not None:
        settings["token"] = credentials if isinstance(credentials, dict) else json.loads(credentials)
    if block_cache is not None:
        settings["default_block_size"] = block_cache.block_size
    configure_protocol("gcs", settings)


@export("contrib.cloud.configure_colab_session")
def configure_colab_session(session: Any) -> None:
    """Gives a session the credentials of the notebook's user, from the file that Colab keeps them in.

    Args:
        session: see `configure_gcs`.

    Raises:
        NotFoundError: there is no such file.
    """
    with GFile("/content/adc.json") as file:
        configure_gcs(session, credentials=file.read())


@export("contrib.cloud.ConfigureGcsHook")
class ConfigureGcsHook(SessionRunHook):
    """Calls `tf.contrib.cloud.configure_gcs` when a session is made.

    Args:
        credentials: see there.
        block_cache: see there.

    Raises:
        ValueError: the credentials are no JSON.
    """

    def __init__(self, credentials: Any = None, block_cache: BlockCacheParams | None = None) -> None:
        _checked_credentials(credentials)
        self._credentials, self._block_cache = credentials, block_cache

    def after_create_session(self, session: Any, coord: Any) -> None:
        configure_gcs(session, self._credentials, self._block_cache)


class _NotHere:
    """A client of a service whose library TensorFlow was built with.

    Args:
        *args: what the client takes.
        **kwargs: likewise.

    Raises:
        UnimplementedError: always.
    """

    use = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise UnimplementedError(None, None, f"tf.contrib.cloud.{type(self).__name__} is not here: {self.use}")


@export("contrib.cloud.BigQueryReader")
class BigQueryReader(_NotHere):
    """Reads rows of BigQuery; it is not here and says so."""

    use = "read rows with google-cloud-bigquery in a function for tf.data.Dataset.from_generator"


@export("contrib.cloud.BigtableClient")
class BigtableClient(_NotHere):
    """A client of Bigtable; it is not here and says so."""

    use = "read rows with google-cloud-bigtable in a function for tf.data.Dataset.from_generator"


@export("contrib.cloud.BigtableTable")
class BigtableTable(_NotHere):
    """A table of Bigtable; it is not here and says so."""

    use = BigtableClient.use
