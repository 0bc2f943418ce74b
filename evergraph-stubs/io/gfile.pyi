# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.io.gfile."""

from collections.abc import Callable, Iterator
from evergraph import OpError
from typing import Any

from evergraph.gfile import GFile as GFile

def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copies a file, also between file systems."""

def exists(path: Any) -> bool:
    """Whether a file or directory exists at this path."""

def glob(pattern: Any) -> list[str]:
    """The paths of files and directories that match a pattern, sorted."""

def isdir(path: Any) -> bool:
    """Whether the path is a directory."""

def listdir(path: Any) -> list[str]:
    """The names in a directory, sorted, without "." and ".."."""

def makedirs(path: Any) -> None:
    """Creates a directory and its missing parents."""

def mkdir(path: Any) -> None:
    """Creates a directory, unless it exists."""

def remove(path: Any) -> None:
    """Deletes a file."""

def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Renames a file or directory; atomic within one file system."""

def rmtree(path: Any) -> None:
    """Deletes a directory with its contents, or a file."""

def stat(path: Any) -> tuple:
    """The length of a file, the time of its last modification, and whether it is a directory."""

def walk(
    top: Any, topdown: bool = True, onerror: Callable[[OpError], Any] | None = None,
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Walks a directory tree: yields (directory, subdirectories' names, files' names) for each
    directory."""
