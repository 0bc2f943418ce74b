"""TensorFlow Serving's REST interface: predict, classify, regress, the status and the metadata of a model."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import numpy as np

from evergraph.base.errors import invalid
from evergraph.save import saved_model_constants as constants
from evergraph.serving.asking import Asking, Question
from evergraph.serving.core import Core
from evergraph.serving.descriptions import metadata_json, status_json
from evergraph.serving.examples import INPUTS, classes_of, input_of_json, outputs_for, regressions_of, serialized
from evergraph.serving.http import Connection, Request
from evergraph.serving.json_tensors import inputs_of, predictions
from evergraph.serving.json_text import listed, parsed_object, written_with_infinities

_WHICH = r"(?:/versions/(?P<version>\d+)|/labels/(?P<label>[^/:]+))?"
_ASKING = re.compile(rf"/v1/models/(?P<name>[^/:]+){_WHICH}:(?P<verb>classify|regress|predict)", re.IGNORECASE)
_TELLING = re.compile(rf"/v1/models(?:/(?P<name>[^/:]+))?{_WHICH}(?:/(?P<verb>metadata))?", re.IGNORECASE)


MOST_CACHED = 200  # characters of a path that is remembered


@dataclass(frozen=True)
class Route:
    """What the path of a request asks for.

    Attributes:
        verb: predict, classify, regress, metadata or status.
        name, version, label: of which model.
    """

    verb: str
    name: str
    version: int | None
    label: str | None


@functools.lru_cache(maxsize=1024)
def route(method: str, path: str) -> Route | None:
    """What a request asks for; None if it is none of this interface.

    Raises:
        InvalidArgumentError: its version is no number of 64 bits.
    """
    pattern = {"POST": _ASKING, "GET": _TELLING}.get(method)
    match = pattern.fullmatch(path) if pattern is not None else None
    if match is None:
        return None
    version, label = match["version"], match["label"]
    if version is not None and int(version) >= 2**63:
        raise invalid(f"Failed to convert version: {version} to numeric")
    verb, name = (match["verb"] or "status").lower(), unquote(match["name"] or "")
    return Route(verb, name, int(version) if version is not None else None, unquote(label) if label else None)


class Rest:
    """Handles requests of the interface, in the thread of the event loop.

    Args:
        core: the models.
        asking: asks them.
    """

    def __init__(self, core: Core, asking: Asking) -> None:
        self._core, self._asking = core, asking

    def handle(self, request: Request, connection: Connection) -> None:
        """Answers a request whose path begins with /v1/models."""
        where = None
        try:
            find = route if len(request.path) <= MOST_CACHED else route.__wrapped__
            where = find(request.method, request.path)
            if where is None:
                raise invalid(f"Malformed request: {request.method} {request.path}")
            self._handlers[where.verb](self, where, request, connection)
        except Exception as error:  # whatever it is, the client gets an answer, and the server goes on
            self._asking.fail(connection, where.name if where else "", where.verb if where else "", error)

    # ---- telling

    def _status(self, where: Route, request: Request, connection: Connection) -> None:
        if not where.name:
            raise invalid("Missing model name in request.")
        connection.reply(200, status_json(self._core.models.model(where.name), where.version, where.label))

    def _metadata(self, where: Route, request: Request, connection: Connection) -> None:
        if not where.name:
            raise invalid("Missing model name in request.")
        connection.reply(200, metadata_json(self._core.models.find(where.name, where.version, where.label)))

    # ---- asking

    def _predict(self, where: Route, request: Request, connection: Connection) -> None:
        servable = self._core.models.find(where.name, where.version, where.label)
        body = parsed_object(request.body)
        key = _signature_name(body)
        signature = servable.signature(key)
        values, by_row = inputs_of(body, signature)
        names = signature.output_names

        def answered(results: Any) -> bytes:
            return predictions(results, names, by_row)

        self._asking.answer(request, connection, Question(servable, key, values, names), where.verb, answered)

    def _classify(self, where: Route, request: Request, connection: Connection) -> None:
        def answered(results: Mapping[str, np.ndarray], count: int) -> bytes:
            return written_with_infinities({"results": [
                [[label, listed(np.float32(score))] for label, score in row] for row in classes_of(results, count)]})

        self._infer(where, request, connection, constants.CLASSIFY_METHOD_NAME, answered)

    def _regress(self, where: Route, request: Request, connection: Connection) -> None:
        def answered(results: Mapping[str, np.ndarray], count: int) -> bytes:
            return written_with_infinities({"results": listed(regressions_of(results, count))})

        self._infer(where, request, connection, constants.REGRESS_METHOD_NAME, answered)

    def _infer(
        self, where: Route, request: Request, connection: Connection, method: str,
        written_out: Callable[[Mapping[str, np.ndarray], int], bytes],
    ) -> None:  # fmt: skip
        servable = self._core.models.find(where.name, where.version, where.label)
        body = parsed_object(request.body)
        key = _signature_name(body)
        signature = servable.signature(key)
        names = outputs_for(signature, method)
        examples = serialized(input_of_json(body))
        values = signature.in_order({INPUTS: examples})

        def answered(results: Any) -> bytes:
            return written_out(dict(zip(names, results)), len(examples))

        self._asking.answer(request, connection, Question(servable, key, values, names), where.verb, answered)

    _handlers = {"predict": _predict, "classify": _classify, "regress": _regress, "status": _status,
                 "metadata": _metadata}  # fmt: skip


def _signature_name(body: dict[str, Any]) -> str:
    name = body.get("signature_name", "")
    if type(name) is not str:
        raise invalid("'signature_name' key must be a string value")
    return name
