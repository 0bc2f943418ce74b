# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.session_bundle.gc."""

from collections.abc import Callable
from typing import Any, NamedTuple

class Path(NamedTuple):
    """The path of an export, and its version."""
    path: Any
    export_version: Any

def get_paths(base_dir: Any, parser: Callable[[Path], Path | None]) -> list[Path]:
    """The exports in a directory, sorted."""

def largest_export_versions(n: int) -> Callable[[list[Path]], list[Path]]:
    """A function that keeps the `n` exports of the largest versions, in the order of versions."""

def mod_export_version(n: int) -> Callable[[list[Path]], list[Path]]:
    """A function that keeps the versions that `n` divides."""

def negation(f: Callable[[list[Path]], list[Path]]) -> Callable[[list[Path]], list[Path]]:
    """A function that keeps what another one does not."""

def one_of_every_n_export_versions(n: int) -> Callable[[list[Path]], list[Path]]:
    """A function that keeps the largest of every `n` versions: of 1 to n, with 0, of n + 1 to 2 n, and so
    on."""

def union(
    lf: Callable[[list[Path]], list[Path]], rf: Callable[[list[Path]], list[Path]],
) -> Callable[[list[Path]], list[Path]]:
    """A function that keeps what one of two functions, `lf` and `rf`, keeps."""
