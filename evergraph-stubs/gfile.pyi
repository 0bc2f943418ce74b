# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.gfile."""

from collections.abc import Iterator
from typing import Any

def Copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    """See `tf.io.gfile.copy`."""

def DeleteRecursively(dirname: Any) -> None:
    """See `tf.io.gfile.rmtree`."""

def Exists(filename: Any) -> bool:
    """See `tf.io.gfile.exists`."""

FastGFile = GFile

class GFile:
    """A file, opened for reading or writing at the first such operation."""
    @property
    def name(self) -> Any:
        """The path as given."""
    @property
    def mode(self) -> str:
        """The mode as given."""
    def size(self) -> int:
        """The length of the file in bytes, without unflushed writes."""
    def read(self, n: int = -1) -> Any:
        """Reads `n` bytes, fewer at the end of the file; the rest of the file for -1."""
    def readline(self) -> Any:
        """The next line with its newline; empty at the end of the file."""
    def readlines(self) -> list[Any]:
        """Reads the remaining lines."""
    def write(self, file_content: Any) -> None:
        """Writes text or bytes, in any mode."""
    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Sets the read position."""
    def tell(self) -> int:
        """The read position; the write position in a file that is open for writing only."""
    def seekable(self) -> bool:
        """True: files that are open for reading support `seek`."""
    def flush(self) -> None:
        """Writes buffered data to the file system."""
    def close(self) -> None:
        """Closes the file."""
    def next(self) -> Any:
        """The next line."""
    def __enter__(self) -> GFile: ...
    def __exit__(self, *exception: object) -> None: ...
    def __iter__(self) -> GFile: ...
    def __next__(self) -> Any: ...
    def __init__(self, name: Any, mode: str = 'r') -> None: ...

def Glob(filename: Any) -> list[str]:
    """See `tf.io.gfile.glob`."""

def IsDirectory(dirname: Any) -> bool:
    """See `tf.io.gfile.isdir`."""

def ListDirectory(dirname: Any) -> list[str]:
    """See `tf.io.gfile.listdir`."""

def MakeDirs(dirname: Any) -> None:
    """See `tf.io.gfile.makedirs`."""

def MkDir(dirname: Any) -> None:
    """See `tf.io.gfile.mkdir`."""

Open = GFile

def Remove(filename: Any) -> None:
    """See `tf.io.gfile.remove`."""

def Rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    """See `tf.io.gfile.rename`."""

def Stat(filename: Any) -> tuple:
    """See `tf.io.gfile.stat`."""

def Walk(top: Any, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """See `tf.io.gfile.walk`; `in_order` is its `topdown`."""
