"""Inner loops in C, for those who have them: built where a compiler was found at install, and never needed.

`files` is the module with them, or None: without a compiler, on a platform it was not built for, or with
EVERGRAPH_NATIVE=0 in the environment. Everything it does is done in Python as well, with the same results.
"""

from __future__ import annotations

import os
from typing import Any


def _loaded() -> Any:
    if os.environ.get("EVERGRAPH_NATIVE", "1") == "0":
        return None
    try:
        from evergraph.native import _files  # type: ignore[attr-defined]
    except ImportError:
        return None
    return _files


files: Any = _loaded()
