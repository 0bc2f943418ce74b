"""Sockets that listen, and why one cannot."""

from __future__ import annotations

import os
import socket
import stat

MOST_PORT = 2**16 - 1


def bound(host: str, port: int, is_shared: bool = False) -> socket.socket:
    """A TCP socket at an address, for its owner to listen at.

    Args:
        host: the interface.
        port: the port; 0 for any that is free.
        is_shared: whether other processes may have sockets there, too.

    Raises:
        OSError: there is no such address, or its port is taken; it says which, and why.
    """
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not 0 <= port <= MOST_PORT:  # the system would take the last 16 bits
        raise OSError(f"cannot listen at {place}: a port is a number up to {MOST_PORT}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, is_shared)
            found.bind(address)
        except OSError:
            found.close()
            raise
    except OSError as error:
        raise OSError(f"cannot listen at {place}: {error.strerror}") from None
    return found


def bound_path(path: str) -> socket.socket:
    """A Unix socket at a path, for its owner to listen at and to remove; one that a dead process left is replaced.

    Raises:
        OSError: somebody listens there, or there cannot be a socket; it says why.
    """
    found = socket.socket(socket.AF_UNIX)
    try:
        if os.path.exists(path) and stat.S_ISSOCK(os.stat(path).st_mode) and not _answers(path):
            os.unlink(path)
        found.bind(path)
    except OSError as error:
        found.close()
        raise OSError(f"cannot listen at unix:{path}: {error.strerror or error}") from None
    return found


def _answers(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(path) == 0


def why_not(address: str) -> str | None:
    """Why nothing can listen at "host:port"; None if something can."""
    host, _, port = address.rpartition(":")
    try:
        bound(host.strip("[]"), int(port)).close()
    except OSError as error:
        return str(error)
    return None
