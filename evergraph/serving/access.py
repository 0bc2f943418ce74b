"""Who may ask: a token that requests bear, and the log of what was answered."""

from __future__ import annotations

import hmac
import sys
import time
from typing import IO

from evergraph.serving.http import Request
from evergraph.serving.json_text import written


def bears(authorization: str, token: str) -> bool:
    """Whether an Authorization header bears the token. Takes the same time for any wrong one."""
    scheme, _, given = authorization.partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode())


class AccessLog:
    """Writes a line of JSON for each answer: to a file, or to standard output for "-". Threads share it."""

    def __init__(self, path: str) -> None:
        self._file: IO[bytes] | None = None if path == "-" else open(path, "ab", buffering=0)

    def of_http(self, request: Request, status: int, size: int) -> None:
        """Notes an answer with HTTP's status and the size of its body."""
        self._write(request.method, request.path[:_MOST_PATH], status, size, request.began)

    def of_grpc(self, path: str, code: int, size: int, began: float) -> None:
        """Notes an answer with gRPC's code, the size of its message, and when the request came."""
        self._write("gRPC", path, code, size, began)

    def _write(self, method: str, path: str, status: int, size: int, began: float) -> None:
        line = written({
            "time": time.time(), "method": method, "path": path, "status": status, "bytes": size,
            "seconds": round(time.monotonic() - began, 6)}) + b"\n"  # fmt: skip
        if self._file is not None:
            self._file.write(line)
        else:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


_MOST_PATH = 1000  # characters of a path that are logged
