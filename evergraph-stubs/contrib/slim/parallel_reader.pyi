# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.parallel_reader."""

from evergraph import ReaderBase
from typing import Any

class ParallelReader(ReaderBase):
    """Several readers that fill one queue."""
    @property
    def num_readers(self) -> Any:
        """How many readers there are."""
    @property
    def common_queue(self) -> Any:
        """The queue that they fill."""
    def read(self, queue: Any, name: str | None = None) -> Any:
        """(key, value) of a record; readers take the names of files from the queue."""
    def read_up_to(self, queue: Any, num_records: int, name: str | None = None) -> Any:
        """(keys, values) of so many records, or of fewer at the end."""
    def num_records_produced(self, name: str | None = None) -> Any:
        """How many records were read."""
    def num_work_units_completed(self, name: str | None = None) -> Any:
        """How many files were read."""
    def __init__(
        self, reader_class: Any, common_queue: Any, num_readers: int = 4, reader_kwargs: Any = None,
    ) -> None: ...

def get_data_files(data_sources: Any) -> list[str]:
    """The files that are meant: by a name, a pattern, or a list of these."""

def parallel_read(
    data_sources: Any, reader_class: Any, num_epochs: int | None = None, num_readers: int = 4,
    reader_kwargs: Any = None, shuffle: bool = True, dtypes: Any = None, capacity: int = 256,
    min_after_dequeue: int = 128, seed: int | None = None, scope: str | None = None,
) -> Any:
    """(key, value) of the records of files, read by several readers at once."""

def single_pass_read(
    data_sources: Any, reader_class: Any, reader_kwargs: Any = None, scope: str | None = None,
) -> Any:
    """(key, value) of the records of files, once and in order."""
