"""Says where evergraph keeps compiled programs and how large they are; deletes them.

    evergraph cache                  where, how many files, how large
    evergraph cache clear            delete them: programs are compiled again when they next run
    evergraph cache location         the directory alone, for scripts
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from evergraph.cli.reports.report import as_text

_ENDS = ("-cache", "-atime")
"""What the names of JAX's files end in; whatever else a user keeps beside them is not touched."""


def execute(words: list[str]) -> int:
    """Shows or clears the cache."""
    parser = argparse.ArgumentParser(
        prog="evergraph cache", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", choices=("show", "clear", "location"), default="show",
                        help="show (what there is), clear or location")  # fmt: skip
    given = parser.parse_args(words)
    folder = location()
    if given.what == "location":
        print(folder)
        return 0
    count, size = measured(folder)
    if given.what == "show":
        print(f"{folder}: {count:,} files, {as_text(size, 'bytes')}")
        return 0
    failed = [path for path in files(folder) if not _is_deleted(path)]
    print(f"{folder}: {count - len(failed):,} of {count:,} files deleted, {as_text(size, 'bytes')} before")
    if failed:
        print(f"evergraph cache: {failed[0]} cannot be deleted", file=sys.stderr)
    return 1 if failed else 0


def location() -> str:
    """The directory of the compiled programs: JAX_COMPILATION_CACHE_DIR, or evergraph's own below the user's caches."""
    if told := os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        return told
    from evergraph.compile.backend import cache_directory  # takes NumPy, which --help need not wait for

    return str(cache_directory() or "(no place to write)")


def measured(folder: str) -> tuple[int, int]:
    """How many files a directory has, and how many bytes these."""
    sizes = [os.path.getsize(path) for path in files(folder)]
    return len(sizes), sum(sizes)


def files(folder: str) -> Iterator[str]:
    """JAX's files in a directory; none where there is no such directory."""
    if os.path.isdir(folder):
        yield from (entry.path for entry in list(os.scandir(folder)) if entry.name.endswith(_ENDS))


def _is_deleted(path: str) -> bool:
    try:
        os.remove(path)
    except FileNotFoundError:  # another process trims the cache
        return True
    except OSError:
        return False
    return True
