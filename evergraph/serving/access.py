"""Who may ask: a token that requests bear, and the log of what was answered."""

from __future__ import annotations

import hmac
import sys
import time
from typing import IO

from evergraph.serving.http import Log, Request
from evergraph.serving.json_text import written


def bears(authorization: str, token: str) -> bool:
    """Whether an Authorization header bears the token. Takes the same time for any wrong one."""
    scheme, _, given = authorization.partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode())


def access_log(path: str) -> Log:
    """Writes a line of JSON for each answer: to a file, or to standard output for "-"."""
    stream: IO[bytes] = sys.stdout.buffer if path == "-" else open(path, "ab", buffering=0)  # noqa: SIM115

    def log(request: Request, status: int, size: int) -> None:
        now = time.time()
        stream.write(written({
            "time": now, "method": request.method, "path": request.path[:1000], "status": status, "bytes": size,
            "seconds": round(time.monotonic() - request.began, 6)}) + b"\n")  # fmt: skip
        if path == "-":
            stream.flush()

    return log
