"""Ends the threads that a notebook leaves behind, as Jupyter does when it shuts a kernel down."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE = 5.0
"""Seconds that threads get to end by themselves after the last cell."""


@contextmanager
def ended() -> Iterator[None]:
    """Has the process end after the block, even where threads of it go on that Python would wait for."""
    status = 1
    try:
        yield
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        raise
    finally:
        threading.Thread(target=_end, args=(status,), name="ends the notebook", daemon=True).start()


def _end(status: int) -> None:
    main = threading.main_thread()
    main.join()
    last = time.monotonic() + _PATIENCE
    others = [each for each in threading.enumerate() if each is not main and not each.daemon]
    for each in others:
        each.join(max(0.0, last - time.monotonic()))
    if left := [each.name for each in others if each.is_alive()]:
        print(f"evergraph run: threads of the notebook went on after its last cell and were ended: {', '.join(left)}",
              file=sys.stderr)  # fmt: skip
        atexit._run_exitfuncs()  # what Python would do had they ended: event files are closed
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
