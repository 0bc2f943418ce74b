"""Tells code of the user's program from code of libraries, which is not converted."""

from __future__ import annotations

import functools
import os
import sysconfig

from evergraph.graph.node import is_own

_FOLDERS = tuple({os.path.join(os.path.realpath(sysconfig.get_path(name)), "")
                  for name in ("stdlib", "platstdlib", "purelib", "platlib")})


@functools.cache
def is_library(file: str) -> bool:
    """Whether a file belongs to evergraph, the standard library or an installed package."""
    return is_own(file) or file.startswith("<frozen") or os.path.realpath(file).startswith(_FOLDERS)
