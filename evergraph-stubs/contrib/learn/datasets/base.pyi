# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.datasets.base."""

from typing import Any, NamedTuple

class Datasets(NamedTuple):
    train: Any
    validation: Any
    test: Any

def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """The path of a file, which is downloaded if it is not there."""
