"""The file that a program of tf.contrib.learn downloads once."""

from __future__ import annotations

import os

from evergraph.base.export import export
from evergraph.keras.cached_files import get_file


@export("contrib.learn.datasets.base.maybe_download")
def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """The path of a file, which is downloaded if it is not there.

    Args:
        filename: its name.
        work_directory: its directory, which is made if it is not there.
        source_url: where to get it from.
    """
    os.makedirs(work_directory, exist_ok=True)
    return get_file(os.path.abspath(os.path.join(work_directory, filename)), source_url)
