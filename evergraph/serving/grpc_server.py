"""The gRPC server: listens, takes requests apart, and turns errors into statuses."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import grpc

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.serving.access import AccessLog, bears
from evergraph.serving.core import Core
from evergraph.serving.grpc_services import Method, Services
from evergraph.serving.statuses import as_op_error

MOST_WAITING = 1000  # requests beyond those under way; what comes then is refused
_AGES = 1e6  # seconds
_STATUS = {status.value[0]: status for status in grpc.StatusCode}


@dataclass(frozen=True)
class GrpcOptions:
    """How the gRPC server listens.

    Attributes:
        address: the host and port.
        is_shared: whether other processes listen there, too.
        threads: how many requests may be under way.
        most_bytes: of a message.
        token: what requests must bear in their metadata; None for nothing.
        tls: (key, certificate, certificates of clients or None), in PEM form; None for no TLS.
    """

    address: str
    is_shared: bool
    threads: int
    most_bytes: int
    token: str | None = None
    tls: tuple[bytes, bytes, bytes | None] | None = None


Handler = Callable[[bytes, Any], bytes]
"""The answer to a request, whose context takes the status of an error."""


def start(
    services: Services, core: Core, is_ready: Callable[[], bool], options: GrpcOptions, log: AccessLog | None = None
) -> tuple[Any, int]:
    """(the server, which has begun to listen; its port).

    Raises:
        OSError: the port is taken.
    """
    pool = ThreadPoolExecutor(options.threads, "evergraph-serve-grpc")
    server = grpc.server(pool, maximum_concurrent_rpcs=options.threads + MOST_WAITING, options=[
        ("grpc.max_receive_message_length", options.most_bytes), ("grpc.max_send_message_length", -1),
        ("grpc.so_reuseport", int(options.is_shared))])  # fmt: skip
    check = _bearing(options.token) if options.token is not None else None
    handlers = {service: {name: _handler(method, core, check) for name, method in methods.items()}
                for service, methods in services.methods().items()}  # fmt: skip
    handlers["grpc.health.v1.Health"] = {"Check": _health(is_ready)}
    server.add_generic_rpc_handlers(tuple(
        grpc.method_handlers_generic_handler(service, {
            name: grpc.unary_unary_rpc_method_handler(_logged(handler, f"/{service}/{name}", log))
            for name, handler in methods.items()}) for service, methods in handlers.items()))  # fmt: skip
    port = _port(server, options)
    server.start()
    return server, port


def _port(server: Any, options: GrpcOptions) -> int:
    try:
        if options.tls is None:
            return server.add_insecure_port(options.address)
        key, certificate, clients = options.tls
        return server.add_secure_port(options.address, grpc.ssl_server_credentials(
            [(key, certificate)], clients, require_client_auth=clients is not None))  # fmt: skip
    except RuntimeError as error:
        raise OSError(f"gRPC cannot listen at {options.address}: {error}") from None


def deadline_of(left: float | None, now: float) -> float | None:
    """When a request is over by its client's deadline; one without a deadline comes with none, or with ages."""
    return now + left if left is not None and left < _AGES else None


def _handler(method: Method, core: Core, check: Callable[[Any], None] | None) -> Handler:
    empty = method.response().SerializeToString()

    def handle(request: bytes, context: Any) -> bytes:
        began, model = time.monotonic(), ""
        try:
            if check is not None:
                check(context)
            message = method.request()
            try:
                message.ParseFromString(request)
            except Exception as error:  # protobuf's classes differ between its implementations
                raise invalid(f"The request is no {method.request.DESCRIPTOR.name}: {error}") from None
            model = message.model_spec.name if hasattr(message, "model_spec") else ""
            response = method.function(message, deadline_of(context.time_remaining(), began)).SerializeToString()
        except Exception as error:  # whatever it is, the client gets a status, and the server goes on
            told = as_op_error(error)
            core.count(model, method.api, "gRPC", told, 0.0)
            context.set_code(_STATUS.get(told.error_code, grpc.StatusCode.UNKNOWN))
            context.set_details(told.message)
            return empty
        core.count(model, method.api, "gRPC", None, time.monotonic() - began)
        return response

    return handle


def _logged(handler: Handler, path: str, log: AccessLog | None) -> Handler:
    """The same handler, whose answers the log is told of."""
    if log is None:
        return handler

    def handle(request: bytes, context: Any) -> bytes:
        began = time.monotonic()
        answer = handler(request, context)
        log.of_grpc(path, (context.code() or grpc.StatusCode.OK).value[0], len(answer), began)
        return answer

    return handle


def _bearing(token: str) -> Callable[[Any], None]:
    def check(context: Any) -> None:
        given = dict(context.invocation_metadata()).get("authorization", "")
        if not bears(given if isinstance(given, str) else given.decode("latin-1"), token):
            raise errors.UnauthenticatedError(None, None, "The request bears no valid token")

    return check


# ---- health: messages of one field


def _health(is_ready: Callable[[], bool]) -> Handler:
    """The method Check; a request may name any service, and all are as ready as the models."""

    def check(request: bytes, context: Any) -> bytes:
        return b"\x08\x01" if is_ready() else b"\x08\x02"  # SERVING, NOT_SERVING

    return check
