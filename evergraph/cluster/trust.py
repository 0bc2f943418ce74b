"""Whom the processes of a cluster trust, as their environment says: who knows a token, and who has a certificate.

    EVERGRAPH_TOKEN           a secret that all processes of a cluster have
    EVERGRAPH_TLS_CERT        a file with this process's certificate, in PEM form ...
    EVERGRAPH_TLS_KEY         ... and one with its key
    EVERGRAPH_TLS_CA          a file with the certificates of those who sign the certificates of others
    EVERGRAPH_TLS_NAME        whose certificate servers have, if it is not that of the host in their address
"""

from __future__ import annotations

import hmac
import os
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from evergraph.base import errors


@dataclass(frozen=True)
class Trust:
    """What a process has, and asks for; empty where it asks for nothing.

    Attributes:
        token: the secret.
        certificate, key, authority: names of files.
        name: whose certificate servers have.
    """

    token: str = ""
    certificate: str = ""
    key: str = ""
    authority: str = ""
    name: str = ""

    @property
    def has_tls(self) -> bool:
        return bool(self.certificate or self.key or self.authority)

    def admits(self, token: object) -> bool:
        """Whether who shows this token may come in."""
        return not self.token or isinstance(token, str) and hmac.compare_digest(token.encode(), self.token.encode())

    @property
    def metadata(self) -> list[tuple[str, str]]:
        """What goes with each call by gRPC."""
        return [("authorization", f"Bearer {self.token}")] if self.token else []

    def admits_call(self, metadata: Any) -> bool:
        """Whether a call by gRPC may come in."""
        shown = next((value for key, value in metadata or () if key == "authorization"), "")
        return self.admits(str(shown).removeprefix("Bearer "))

    def channel(self, grpc: ModuleType, address: str, options: tuple[Any, ...]) -> Any:
        """A channel to a server. Raises InvalidArgumentError if a file cannot be read."""
        if not self.has_tls:
            return grpc.insecure_channel(address, options=options)
        credentials = grpc.ssl_channel_credentials(
            _content(self.authority), _content(self.key), _content(self.certificate))
        named = (("grpc.ssl_target_name_override", self.name),) if self.name else ()
        return grpc.secure_channel(address, credentials, options=(*options, *named))

    def listen(self, grpc: ModuleType, server: Any, address: str) -> int:
        """Has a server listen; its port. With an authority it asks clients for certificates, too.

        Raises:
            InvalidArgumentError: it has no certificate, or a file cannot be read.
            RuntimeError: the port is in use.
        """
        if not self.has_tls:
            return server.add_insecure_port(address)
        if not (self.certificate and self.key):
            raise errors.InvalidArgumentError(
                None, None, "a server with TLS needs EVERGRAPH_TLS_CERT and EVERGRAPH_TLS_KEY")
        pair = _content(self.key), _content(self.certificate)
        return server.add_secure_port(address, grpc.ssl_server_credentials(
            [pair], _content(self.authority), require_client_auth=bool(self.authority)))


def trust() -> Trust:
    """That of this process."""
    given = os.environ.get
    return Trust(given("EVERGRAPH_TOKEN", ""), given("EVERGRAPH_TLS_CERT", ""), given("EVERGRAPH_TLS_KEY", ""),
                 given("EVERGRAPH_TLS_CA", ""), given("EVERGRAPH_TLS_NAME", ""))


def _content(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes() if path else None
    except OSError as error:
        raise errors.InvalidArgumentError(None, None, f"a file for TLS cannot be read: {error}") from None
