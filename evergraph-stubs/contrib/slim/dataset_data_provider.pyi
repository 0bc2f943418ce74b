# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.dataset_data_provider."""

from evergraph.contrib.slim.data_provider import DataProvider
from typing import Any

class DatasetDataProvider(DataProvider):
    """Gives the items of a dataset, read from its files in the background by queue runners."""
    def __init__(
        self, dataset: Any, num_readers: int = 1, reader_kwargs: Any = None, shuffle: bool = True,
        num_epochs: int | None = None, common_queue_capacity: int = 256, common_queue_min: int = 128,
        record_key: str = 'record_key', seed: int | None = None, scope: str | None = None,
    ) -> None: ...
