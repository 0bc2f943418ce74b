"""gRPC over HTTP/2: takes requests apart, has them answered, and turns errors into statuses."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.serving import hpack
from evergraph.serving.access import AccessLog, bears
from evergraph.serving.asking import LIGHT_BYTES, Asking
from evergraph.serving.batching import Call
from evergraph.serving.core import Core
from evergraph.serving.grpc_services import Asked, Method, Services
from evergraph.serving.http import unpacked
from evergraph.serving.http2 import Stream
from evergraph.serving.listening import Refusal
from evergraph.serving.signature import Arrays
from evergraph.serving.statuses import as_op_error

HEALTH = "/grpc.health.v1.Health/Check"
_SERVING, _NOT_SERVING = b"\x08\x01", b"\x08\x02"  # a HealthCheckResponse

_PREFIX = 5  # bytes before a message: whether it is packed, and its length
_MOST_MESSAGE = 4096  # bytes of an error's message; clients do not take headers of any length
_TIMEOUT = re.compile(r"(\d{1,8})([HMSmun])")
_UNITS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_OF_HTTP = {408: errors.DeadlineExceededError, 413: errors.ResourceExhaustedError, 415: errors.UnimplementedError,
            503: errors.UnavailableError}  # fmt: skip

_ENCODINGS = ("grpc-accept-encoding", "identity,deflate,gzip")
_BEGIN = [(":status", "200"), ("content-type", "application/grpc"), _ENCODINGS]
_HEAD = hpack.written(_BEGIN)
_OK = hpack.written([("grpc-status", "0")])
_NOT_GRPC = hpack.written([(":status", "415")])


@dataclass(frozen=True, slots=True)
class Head:
    """What the headers of a request say.

    Attributes:
        path: the method.
        method: the same; None for the health check.
        timeout: the seconds in which the client wants an answer; None for any.
        encoding: how messages are packed that say that they are.
        error: why the request is refused; None if it is not.
        is_grpc: whether the client understands errors.
    """

    path: str
    method: Method | None = None
    timeout: float | None = None
    encoding: bytes = b"identity"
    error: errors.OpError | None = None
    is_grpc: bool = True


class Grpc:
    """Handles the requests of HTTP/2 connections.

    Args:
        services, core, asking: the methods, the models, and how they are asked.
        is_ready: whether the server is.
        most_bytes: of a message.
        token: what requests must bear in their metadata; None for nothing.
        log: is told of each answer; None for nobody.
    """

    def __init__(
        self, services: Services, core: Core, asking: Asking, is_ready: Callable[[], bool], most_bytes: int,
        token: str | None = None, log: AccessLog | None = None,
    ) -> None:  # fmt: skip
        self._methods: dict[str, Method | None] = {HEALTH: None, **services.methods()}
        self.core, self.asking, self.most_bytes = core, asking, most_bytes
        self._is_ready, self._token, self._log = is_ready, token, log

    # ---- what HTTP/2 tells

    def head(self, headers: hpack.Headers) -> Head | None:
        given = dict(headers)
        if not given.get(b":path") or b":method" not in given or any(name != name.lower() for name in given):
            return None
        path = given[b":path"].decode("latin-1")
        if given[b":method"] != b"POST" or not given.get(b"content-type", b"").startswith(b"application/grpc"):
            return Head(path, is_grpc=False)
        try:
            return self._head(path, given)
        except errors.OpError as error:
            return Head(path, error=error)

    def _head(self, path: str, given: dict[bytes, bytes]) -> Head:
        if path not in self._methods:
            raise errors.UnimplementedError(None, None, f"There is no method {path[:200]}")
        method, said = self._methods[path], given.get(b"authorization", b"").decode("latin-1")
        if self._token is not None and method is not None and not bears(said, self._token):
            raise errors.UnauthenticatedError(None, None, "The request bears no valid token")
        timeout = _seconds(given[b"grpc-timeout"].decode("latin-1")) if b"grpc-timeout" in given else None
        return Head(path, method, timeout, given.get(b"grpc-encoding", b"identity"))

    def begin(self, stream: Stream) -> None:
        head = stream.head
        if not head.is_grpc:
            stream.reply(_NOT_GRPC)
        elif head.error is not None:
            self.fail(stream, "", head.error)

    def end(self, stream: Stream) -> None:
        if stream.head.method is not None:
            return Exchange(self, stream, stream.head.method).start()
        self.answer(stream, _SERVING if self._is_ready() else _NOT_SERVING)

    def refuse(self, stream: Stream, refusal: Refusal) -> None:
        self.fail(stream, "", _as_error(refusal))

    # ---- answers

    def answer(self, stream: Stream, message: bytes) -> None:
        """Answers a request."""
        stream.reply(_HEAD, b"\0%b%b" % (len(message).to_bytes(4), message), _OK)
        if self._log is not None:
            self._log.of_grpc(stream.head.path, 0, len(message), stream.began)

    def fail(self, stream: Stream, model: str, error: Exception) -> None:
        """Answers with an error."""
        told, method = as_op_error(error), stream.head.method
        self.core.count(model, method.api if method is not None else "", "gRPC", told, 0.0)
        stream.reply(hpack.written([
            *_BEGIN, ("grpc-status", str(told.error_code)), ("grpc-message", escaped(told.message))]))  # fmt: skip
        if self._log is not None:
            self._log.of_grpc(stream.head.path, told.error_code, 0, stream.began)


class Exchange:
    """One request, until it is answered.

    Args:
        server: answers it.
        stream: brought it.
        method: what it asks for.
    """

    __slots__ = ("_server", "_stream", "_method", "_model", "_asked", "_results", "_call")

    def __init__(self, server: Grpc, stream: Stream, method: Method) -> None:
        self._server, self._stream, self._method = server, stream, method
        self._model = ""
        self._asked = Asked((), lambda _: None)
        self._results: list[Arrays] = []
        self._call: Call | None = None

    def start(self) -> None:
        """Takes the request apart, a large one in another thread, and asks what it asks."""
        self._stream.left = self._cancel
        if self._method.waits or len(self._stream.body) > LIGHT_BYTES:
            return self._server.core.elsewhere(self._start_elsewhere)
        try:
            self._take_apart()
        except Exception as error:  # whatever it is, the client gets a status, and the server goes on
            return self._fail(error)
        self._go_on()

    def _start_elsewhere(self) -> None:
        try:
            self._take_apart()
        except Exception as error:
            return self._server.asking.in_loop(self._fail, error)
        self._server.asking.in_loop(self._go_on)

    def _take_apart(self) -> None:
        content = content_of(self._stream.body, self._stream.head.encoding, self._server.most_bytes)
        message = self._method.request()
        try:
            message.ParseFromString(content)
        except Exception as error:  # protobuf's classes differ between its implementations
            raise invalid(f"The request is no {self._method.request.DESCRIPTOR.name}: {error}") from None
        self._model = message.model_spec.name if hasattr(message, "model_spec") else ""
        self._asked = self._method.function(message)

    def _go_on(self) -> None:
        """Asks the next question; answers if there is none."""
        questions, timeout = self._asked.questions, self._stream.head.timeout
        if len(self._results) == len(questions):
            return self._finish(self._message([]), None)
        until = self._stream.began + timeout if timeout is not None else None
        is_last = len(self._results) + 1 == len(questions)
        try:
            self._call = self._server.asking.ask(
                questions[len(self._results)], len(self._stream.body), until,
                self._message if is_last else _as_they_are, self._finish if is_last else self._take_result)
        except Exception as error:
            self._fail(error)

    def _message(self, results: Arrays) -> bytes:
        """The response, when the last question is answered."""
        return self._asked.answered([*self._results, results]).SerializeToString()

    def _take_result(self, results: Arrays, error: Exception | None) -> None:
        if error is not None:
            return self._fail(error)
        self._results.append(results)
        self._go_on()

    def _finish(self, message: bytes, error: Exception | None) -> None:
        if error is not None:
            return self._fail(error)
        server = self._server
        server.core.count(self._model, self._method.api, "gRPC", None, time.monotonic() - self._stream.began)
        server.answer(self._stream, message)

    def _fail(self, error: Exception) -> None:
        self._server.fail(self._stream, self._model, error)

    def _cancel(self) -> None:
        if self._call is not None:
            self._call.finish(None, errors.CancelledError(None, None, "The client no longer wants the answer"))


def _as_they_are(results: Arrays) -> Arrays:
    return results


# ---- messages, times and texts on the wire


def content_of(body: bytes | bytearray, encoding: bytes, most: int) -> bytes | bytearray:
    """The one message that the body of a request has.

    Raises:
        OpError: it has none, or more; or it is packed in a way that is not known; or it is damaged.
    """
    if len(body) < _PREFIX or int.from_bytes(body[1:_PREFIX]) != len(body) - _PREFIX:
        raise errors.InternalError(None, None, "The request is not one whole message")
    content = body[_PREFIX:]
    if not body[0]:
        return content
    if encoding == b"identity":
        raise errors.InternalError(None, None, "The message is packed, and no header says how")
    try:
        return unpacked(content, encoding, most)
    except Refusal as refusal:
        raise _as_error(refusal) from None


def _as_error(refusal: Refusal) -> errors.OpError:
    return _OF_HTTP.get(refusal.status, errors.InternalError)(None, None, refusal.text)


@functools.lru_cache(maxsize=64)
def _seconds(timeout: str) -> float:
    """The seconds of a grpc-timeout.

    Raises:
        InvalidArgumentError: it is none.
    """
    match = _TIMEOUT.fullmatch(timeout)
    if match is None:
        raise invalid(f"The header grpc-timeout is {timeout[:20]!r}; it must be up to eight digits and a unit")
    return int(match[1]) * _UNITS[match[2]]


def escaped(message: str) -> str:
    """An error's message as a header may have it."""
    data = message.encode(errors="replace")[:_MOST_MESSAGE]
    return "".join([chr(byte) if 0x20 <= byte < 0x7F and byte != 0x25 else f"%{byte:02X}" for byte in data])
