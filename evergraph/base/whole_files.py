"""Files read and written in one call: what `tensorflow.python.lib.io.file_io` has besides tf.gfile."""

from __future__ import annotations

from evergraph.base.files import read_file, write_file, write_file_atomically


def read_file_to_string(filename: str, binary_mode: bool = False) -> str | bytes:
    """The content of a file, as bytes when `binary_mode` is true."""
    content = read_file(filename)
    return content if binary_mode else content.decode()


def write_string_to_file(filename: str, file_content: str | bytes) -> None:
    """Makes this the content of a file."""
    write_file(filename, file_content)


def atomic_write_string_to_file(filename: str, contents: str | bytes, overwrite: bool = True) -> None:
    """Makes this the content of a file in one step: who reads it meanwhile finds the old content or the new one.

    Raises:
        AlreadyExistsError: there is such a file, and it is not to be overwritten.
    """
    write_file_atomically(filename, contents, overwrite)
