"""A dataset's own threads, as programs asked for them before tf.data.Options had them."""

from __future__ import annotations

from dataclasses import dataclass

from evergraph.data.options import Options


@dataclass(frozen=True)
class PrivateThreadPool:
    """Says how many threads a dataset has of its own.

    Attributes:
        num_threads: how many.
        display_name: the name of the threads in TensorFlow's traces; nothing reads it here.
        max_intra_op_parallelism: how many threads one op may use.
    """

    num_threads: int
    display_name: str | None = None
    max_intra_op_parallelism: int = 1


def override_threadpool(dataset, thread_pool):
    """The dataset with the pool as its tf.data.experimental.ThreadingOptions, which have no meaning here."""
    options = Options()
    options.experimental_threading.private_threadpool_size = thread_pool.num_threads
    options.experimental_threading.max_intra_op_parallelism = thread_pool.max_intra_op_parallelism
    return dataset.with_options(options)
