"""Sockets that listen, and why one cannot."""

from __future__ import annotations

import socket

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


def why_not(address: str) -> str | None:
    """Why nothing can listen at "host:port"; None if something can."""
    host, _, port = address.rpartition(":")
    try:
        bound(host.strip("[]"), int(port)).close()
    except OSError as error:
        return str(error)
    return None
