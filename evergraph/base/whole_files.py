"""Functions that read or write a whole file: `tensorflow.python.lib.io.file_io` beyond tf.gfile."""

from __future__ import annotations

from evergraph.base.files import read_file, write_file, write_file_atomically


def read_file_to_string(filename: str, binary_mode: bool = False) -> str | bytes:
    """Reads a file; returns bytes if `binary_mode` is true, else text."""
    content = read_file(filename)
    return content if binary_mode else content.decode()


def write_string_to_file(filename: str, file_content: str | bytes) -> None:
    """Writes a file with this content."""
    write_file(filename, file_content)


def atomic_write_string_to_file(filename: str, contents: str | bytes, overwrite: bool = True) -> None:
    """Replaces a file's content atomically: a concurrent reader sees the old content or the new.

    Raises:
        AlreadyExistsError: the file exists, and `overwrite` is false.
    """
    write_file_atomically(filename, contents, overwrite)
