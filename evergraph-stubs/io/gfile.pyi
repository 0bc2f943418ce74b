# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.io.gfile."""

from collections.abc import Callable, Iterator
from evergraph import OpError
from typing import Any

from evergraph.gfile import GFile as GFile

def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copies a file, also from one file system to another."""

def exists(path: Any) -> bool:
    """Whether a file or directory of this name is there."""

def glob(pattern: Any) -> list[str]:
    """The files and directories whose names match, sorted."""

def isdir(path: Any) -> bool:
    """Whether there is a directory of this name."""

def listdir(path: Any) -> list[str]:
    """The names in a directory, sorted, without "." and ".."."""

def makedirs(path: Any) -> None:
    """Makes a directory, and those above it that are missing."""

def mkdir(path: Any) -> None:
    """Makes a directory, unless it is there."""

def remove(path: Any) -> None:
    """Deletes a file."""

def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Gives a file or directory another name, on the same file system in one step."""

def rmtree(path: Any) -> None:
    """Deletes a directory and everything in it, or a file."""

def stat(path: Any) -> tuple:
    """The length of a file, when it changed, and whether it is a directory."""

def walk(
    top: Any, topdown: bool = True, onerror: Callable[[OpError], Any] | None = None,
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Goes through a directory and those below it: (directory, names of those in it, names of its files)
    for each."""
