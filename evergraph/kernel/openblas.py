"""The number of threads of OpenBLAS, of which NumPy's and SciPy's wheels each bring a library of their own.

OpenBLAS' threads wait for each other by spinning. Where another process or XLA wants the same cores, a small product or
decomposition takes up to a thousand times as long as on one thread.
"""

from __future__ import annotations

import ctypes
import functools
import glob
import os
from collections.abc import Callable
from typing import NamedTuple

_NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads64_",
          "openblas_{}_num_threads")  # fmt: skip


class Threads(NamedTuple):
    """Reads and changes the number of threads of one library."""

    get: Callable[[], int]
    set: Callable[[int], None]


@functools.cache
def threads_of(init_file: str) -> Threads | None:
    """The threads of the OpenBLAS in the wheel of a package; None if it was built in another way.

    Args:
        init_file: the `__file__` of the package.
    """
    package = os.path.dirname(init_file)
    for path in sorted(glob.glob(os.path.join(f"{package}.libs", "*openblas*"))):
        try:
            library = ctypes.PyDLL(path)  # keeps the interpreter's lock, which other threads might hold on to
        except OSError:
            continue
        for name in _NAMES:
            if hasattr(library, name.format("get")) and hasattr(library, name.format("set")):
                return Threads(getattr(library, name.format("get")), getattr(library, name.format("set")))
    return None
