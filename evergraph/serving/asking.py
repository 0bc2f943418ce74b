"""Asks models for requests that came over HTTP: in the event loop where that takes no time, or in another thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from evergraph.base import errors
from evergraph.serving.batching import Call
from evergraph.serving.core import Core
from evergraph.serving.http import Connection, Request
from evergraph.serving.json_text import written
from evergraph.serving.servable import DEFAULT, Servable
from evergraph.serving.statuses import OF_CODE, as_op_error

LIGHT_BYTES = 64 * 1024  # of a request's body; what a larger one asks for is computed in another thread


class Asking:
    """Asks models, and answers the requests.

    Args:
        core: the models.
        loop: the event loop, in whose thread this object is made and its methods are called.
        timeout: seconds that a request may take.
    """

    def __init__(self, core: Core, loop: Any, timeout: float) -> None:
        self._core, self._loop, self._timeout = core, loop, timeout
        self._thread = threading.get_ident()

    def ask(
        self, request: Request, connection: Connection, servable: Servable, verb: str, key: str, values: list[Any],
        names: tuple[str, ...], answered: Callable[[Any], bytes],
    ) -> None:  # fmt: skip
        """Has a model asked, and the request answered.

        Args:
            request, connection: what came, and where the answer goes.
            servable, key: which signature to ask; "" for the default one.
            verb: what the request is counted as.
            values: the inputs in the signature's order.
            names: the outputs to ask for.
            answered: makes the answer of their values.

        Raises:
            OpError: the question cannot be taken.
        """
        queue = servable.queues[key or DEFAULT]
        is_here = queue.signature.is_light and len(request.body) <= LIGHT_BYTES
        timer: Any = None

        def finish(call: Call) -> None:
            if timer is not None:
                timer.cancel()
            if call.error is not None:
                return self.fail(connection, servable.name, verb, call.error)
            try:
                body = answered(call.results)
            except Exception as error:  # outputs for which JSON has no form
                return self.fail(connection, servable.name, verb, error)
            self._core.count(servable.name, verb, "REST", None, time.monotonic() - request.began)
            connection.reply(200, body)

        def done(call: Call) -> None:
            """Whoever drains the queue ends the call; the answer is sent in the thread of the event loop."""
            if threading.get_ident() == self._thread:
                finish(call)
            else:
                self._loop.call_soon_threadsafe(finish, call)

        call = Call(values, names, time.monotonic() + self._timeout, done)
        if is_here:
            return self._core.ask_here(queue, call, self._later)
        timer = self._loop.call_later(self._timeout, _expire, call)
        try:
            self._core.ask_elsewhere(queue, call)
        except errors.OpError:
            timer.cancel()
            raise

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        if seconds:
            self._loop.call_later(seconds, act)
        else:
            self._loop.call_soon(act)

    def fail(self, connection: Connection, model: str, verb: str, error: Exception) -> None:
        """Answers with an error."""
        told = as_op_error(error)
        self._core.count(model, verb, "REST", told, 0.0)
        message = told.message.encode(errors="replace").decode()
        connection.reply(OF_CODE.get(told.error_code, 500), written({"error": message}))


def _expire(call: Call) -> None:
    call.finish(None, errors.DeadlineExceededError(None, None, "The model took longer than a request may take"))
