"""RecordInput: batches of the records of files, in random order, epoch after epoch."""

from __future__ import annotations

import threading

import numpy as np

from evergraph.base import errors, files
from evergraph.formats.records import RecordReader
from evergraph.graph.opdef import op


class ShuffledRecords:
    """The records of the files that match a pattern, without end. Each record comes once in an epoch.

    Args:
        pattern: the files.
        seed: of the order of files and records.
        shift: the share of the files by which their order moves from one epoch to the next.
        room: the number of records among which the next one is drawn.
        compression: of the files, as RecordReader takes it.
    """

    def __init__(self, pattern: str, seed: int, shift: float, room: int, compression: str) -> None:
        self._pattern, self._shift, self._room, self._compression = pattern, shift, max(1, room), compression
        self._random = np.random.default_rng(seed)
        self._lock = threading.Lock()
        self._epoch = 0
        self._held: list[bytes] = []
        self._coming = iter(())

    def take(self, count: int) -> list[bytes]:
        """The next records.

        Raises:
            NotFoundError: no file matches the pattern, or none has a record.
        """
        with self._lock:
            return [self._next() for _ in range(count)]

    def _next(self) -> bytes:
        self._fill()
        if not self._held:  # the epoch is over
            self._coming = self._records(self._files())
            self._epoch += 1
            self._fill()
        if not self._held:
            raise errors.NotFoundError(None, None, f"the files {self._pattern!r} have no records")
        at = int(self._random.integers(len(self._held)))
        self._held[at], self._held[-1] = self._held[-1], self._held[at]
        return self._held.pop()

    def _fill(self) -> None:
        while len(self._held) < self._room and (record := next(self._coming, None)) is not None:
            self._held.append(record)

    def _files(self) -> list[str]:
        """The files in the order of the next epoch."""
        names = sorted(files.glob(self._pattern))
        if not names:
            raise errors.NotFoundError(None, None, f"Found no files at {self._pattern}")
        self._random.shuffle(names)
        start = int(self._shift * self._epoch * len(names)) % len(names)
        return names[start:] + names[:start]

    def _records(self, names: list[str]):
        for name in names:
            yield from RecordReader(name, self._compression)


@op("RecordInput(*, file_pattern: string, file_random_seed: int = 301, file_shuffle_shift_ratio: float = 0.0, "
    "file_buffer_size: int = 10000, file_parallelism: int = 16, batch_size: int = 32, compression_type: string = '')"
    " -> records: string", stateful=True, on="host", shape=lambda batch_size: (batch_size,), outside=True)
def record_input(shared, node, file_pattern, file_random_seed, file_shuffle_shift_ratio, file_buffer_size, batch_size,
                 compression_type):
    """A batch of records. The step's thread reads the files, so `file_parallelism` has no meaning here."""
    source = shared(lambda: ShuffledRecords(file_pattern, file_random_seed, file_shuffle_shift_ratio, file_buffer_size,
                                            compression_type))
    batch = np.empty(batch_size, object)
    batch[:] = source.take(batch_size)
    return batch
