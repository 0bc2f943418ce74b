"""Asks models for requests of any protocol: in the event loop where that takes no time, or in another thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evergraph.base import errors
from evergraph.serving.batching import Call
from evergraph.serving.core import Core
from evergraph.serving.http import Connection, Request
from evergraph.serving.json_text import written
from evergraph.serving.servable import DEFAULT, Servable
from evergraph.serving.signature import Arrays
from evergraph.serving.statuses import OF_CODE, as_op_error

LIGHT_BYTES = 64 * 1024  # of a request's body; what a larger one asks for is computed in another thread


@dataclass(slots=True)
class Question:
    """What a model is asked.

    Attributes:
        servable, key: which signature of which model; "" for the default one.
        values: the inputs in the signature's order.
        names: the outputs to ask for.
    """

    servable: Servable
    key: str
    values: Sequence[Any]
    names: tuple[str, ...]


Told = Callable[[Any, Exception | None], None]
"""Takes the answer to a question, or why there is none."""


class Asking:
    """Asks models.

    Args:
        core: the models.
        loop: the event loop, in whose thread this object is made and its methods are called.
        timeout: seconds that a request over HTTP may take.
    """

    def __init__(self, core: Core, loop: Any, timeout: float) -> None:
        self._core, self._loop, self._timeout = core, loop, timeout
        self._thread = threading.get_ident()

    def ask(
        self, question: Question, size: int, until: float | None, answered: Callable[[Arrays], Any], told: Told
    ) -> Call:
        """Has a model asked.

        Args:
            question: what it is asked.
            size: bytes of the request.
            until: when the answer is no longer of use, by `time.monotonic`; None for never.
            answered: makes the answer of the outputs, in whichever thread computed them.
            told: takes the answer, in the thread of the event loop.

        Raises:
            OpError: the question cannot be taken.
        """
        queue = question.servable.queues[question.key or DEFAULT]
        timer: Any = None

        def done(call: Call) -> None:
            answer, error = None, call.error
            if call.results is not None:
                try:
                    answer = answered(call.results)
                except Exception as wrong:  # outputs for which the protocol has no form
                    error = wrong
            if timer is not None:
                self.in_loop(timer.cancel)
            self.in_loop(told, answer, error)

        call = Call(question.values, question.names, until, done, question.servable)
        if queue.signature.is_light and size <= LIGHT_BYTES:
            self._core.ask_here(queue, call, self._later)
            return call
        if until is not None:
            timer = self._loop.call_later(max(0.0, until - time.monotonic()), expire, call)
        try:
            self._core.ask_elsewhere(queue, call)
        except errors.OpError:
            if timer is not None:
                timer.cancel()
            raise
        return call

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        if seconds:
            self._loop.call_later(seconds, act)
        else:
            self._loop.call_soon(act)

    def in_loop(self, act: Callable[..., None], *arguments: Any) -> None:
        """Calls a function in the thread of the event loop; may be called in any."""
        if threading.get_ident() == self._thread:
            act(*arguments)
        else:
            self._loop.call_soon_threadsafe(act, *arguments)

    # ---- requests over HTTP

    def answer(
        self, request: Request, connection: Connection, question: Question, verb: str,
        answered: Callable[[Arrays], bytes],
    ) -> None:  # fmt: skip
        """Has a model asked, and the request answered.

        Args:
            request, connection: what came, and where the answer goes.
            question: what the model is asked.
            verb: what the request is counted as.
            answered: makes the answer of the outputs.

        Raises:
            OpError: the question cannot be taken.
        """
        model = question.servable.name

        def told(body: bytes, error: Exception | None) -> None:
            if error is not None:
                return self.fail(connection, model, verb, error)
            self._core.count(model, verb, "REST", None, time.monotonic() - request.began)
            connection.reply(200, body)

        self.ask(question, len(request.body), time.monotonic() + self._timeout, answered, told)

    def fail(self, connection: Connection, model: str, verb: str, error: Exception) -> None:
        """Answers with an error."""
        told = as_op_error(error)
        self._core.count(model, verb, "REST", told, 0.0)
        message = told.message.encode(errors="replace").decode()
        connection.reply(OF_CODE.get(told.error_code, 500), written({"error": message}))


def expire(call: Call) -> None:
    """Ends a call whose time is over."""
    call.finish(None, errors.DeadlineExceededError(None, None, "The model took longer than the request may take"))
