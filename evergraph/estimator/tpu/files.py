"""StreamingFilesDataset: records of many files for a TPU, read by another machine than the TPU's own."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.data.dataset import DatasetV1, DatasetV2
from evergraph.data.experimental.interleaving import parallel_interleave
from evergraph.data.readers import TextLineDataset, TFRecordDataset

_READERS: dict[str, Callable[[Any], Any]] = {"tfrecord": TFRecordDataset, "textline": TextLineDataset,
                                             "text": TextLineDataset}


def StreamingFilesDataset(  # noqa: N802 (TensorFlow's name)
    files: Any, filetype: str | Callable[[Any], Any] | None = None, file_reader_job: str | None = None,
    worker_job: str | None = None, num_epochs: int | None = None,
    filename_shuffle_buffer_size: int | bool | None = None, num_parallel_reads: int | None = None,
    batch_transfer_size: int | None = None, sloppy: bool | None = None,
) -> Any:
    """A dataset of the elements of many files, several of which are read at a time.

    Args:
        files: a pattern of file names, or a dataset of names.
        filetype: "tfrecord", which is the default, "textline" or "text", or a function that makes a dataset of a name.
        file_reader_job: the job that reads files. It has no meaning here: the session reads them itself.
        worker_job: the job that gets the elements. It has no meaning here either.
        num_epochs: how often all files are read; without end if it is None.
        filename_shuffle_buffer_size: how many names are shuffled at a time, 10,000 by default; False for none.
        num_parallel_reads: how many files are open at a time, 8 by default.
        batch_transfer_size: how many elements are sent to the worker at a time. It has no meaning here.
        sloppy: allows another order; see `tf.data.experimental.parallel_interleave`.

    Raises:
        ValueError: `filetype` or `files` is of another kind.
    """
    reader = _READERS.get(filetype or "tfrecord") if filetype is None or isinstance(filetype, str) else filetype
    if not callable(reader):
        raise ValueError(f"filetype must be one of {', '.join(_READERS)} or a function, got {filetype!r}")
    if not isinstance(files, (str, DatasetV2)):
        raise ValueError(f"files must be a pattern or a tf.data.Dataset, got {files!r}")
    names = DatasetV1.list_files(files) if isinstance(files, str) else files
    if filename_shuffle_buffer_size is not False:
        names = names.shuffle(filename_shuffle_buffer_size or 10_000)
    names = names.repeat(num_epochs)
    return names.apply(parallel_interleave(reader, num_parallel_reads or 8, sloppy=sloppy is None or sloppy))
