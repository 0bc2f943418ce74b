"""The page on which people try models, and what it and others read: a catalogue and an OpenAPI document."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from evergraph.serving import metrics
from evergraph.serving.core import Core
from evergraph.serving.http import JSON
from evergraph.serving.json_tensors import NAMED_BYTES, plain
from evergraph.serving.json_text import written
from evergraph.serving.models import Model
from evergraph.serving.signature import Signature

Page = Callable[[], tuple[bytes, str]]
"""Makes a body, and says what it is."""


def pages(core: Core) -> dict[str, Page]:
    """The pages by path."""
    html = Path(__file__).with_name("page.html").read_bytes()
    return {
        "/": lambda: (html, "text/html; charset=utf-8"),
        "/catalogue.json": lambda: (written(catalogue(core)), JSON),
        "/openapi.json": lambda: (written(openapi(core)), JSON),
    }


# ---------------------------------------------------------------- the catalogue


def catalogue(core: Core) -> dict[str, Any]:
    """All models with their versions and signatures, an example for each, and how long requests take."""
    return {"models": [_model(model) for model in core.models.by_name.values()], "latency": _latency(core)}


def _model(model: Model) -> dict[str, Any]:
    versions = [{"version": str(number), "state": fate.state, "error": fate.error.message if fate.error else ""}
                for number, fate in sorted(model.versions.items(), reverse=True)]  # fmt: skip
    current = model.current
    signatures = [_signature(each) for each in current.signatures.values()] if current is not None else []
    return {"name": model.source.name, "versions": versions, "labels": dict(model.source.labels),
            "signatures": signatures}  # fmt: skip


def _signature(signature: Signature) -> dict[str, Any]:
    return {"name": signature.name, "inputs": _tensors(signature.inputs), "outputs": _tensors(signature.outputs),
            "example": {"signature_name": signature.name, "inputs": _example(signature)}}  # fmt: skip


def _tensors(tensors: Any) -> list[dict[str, str]]:
    return [{"name": name, "dtype": tensor.dtype.name, "shape": str(tensor.shape)} for name, tensor in tensors.items()]


_MOST_SHOWN = 10_000  # elements of an input's example


def _example(signature: Signature) -> dict[str, Any]:
    """Inputs that a request may have, small ones alone."""
    values = dict(zip(signature.names, signature.example(1)))
    return {name: _shown(value if value.size <= _MOST_SHOWN else np.empty(0, value.dtype), name)
            for name, value in values.items() if value.dtype.kind not in "c"}  # fmt: skip


def _shown(value: np.ndarray, name: str) -> Any:
    """As `plain`; strings that are not empty are Examples, which are no text."""
    return plain(value, NAMED_BYTES if value.dtype.kind == "O" and any(value.flat) else name)


def _latency(core: Core) -> list[dict[str, Any]]:
    """How many requests there were of each kind, and how long they took on average, in microseconds."""
    found = []
    for name, labels, values in core.snapshot():
        if name == metrics.REQUEST_LATENCY and (count := sum(values[:-1])):
            found.append({**dict(labels), "count": count, "mean": values[-1] / count})
    return found


# ---------------------------------------------------------------- OpenAPI


def openapi(core: Core) -> dict[str, Any]:
    """The OpenAPI document of the REST interface, with the models that are there now."""
    paths: dict[str, Any] = {
        "/v2/health/live": {"get": _operation("Whether the server runs")},
        "/v2/health/ready": {"get": _operation("Whether every model has a version")},
    }
    for model in core.models.by_name.values():
        name = model.source.name
        paths[f"/v1/models/{name}"] = {"get": _operation(f"The state of the versions of {name}")}
        paths[f"/v1/models/{name}/metadata"] = {"get": _operation(f"The signatures of {name}")}
        paths[f"/v2/models/{name}"] = {"get": _operation(f"The inputs and outputs of {name}")}
        for path in (f"/v1/models/{name}:predict", f"/v2/models/{name}/infer"):
            paths[path] = {"post": _operation(f"Asks {name}", _body(model) if path.startswith("/v1") else {})}
    info = {"title": "evergraph serve", "version": importlib.metadata.version("evergraph")}
    return {"openapi": "3.1.0", "info": info, "paths": paths}


def _operation(summary: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    answers = {str(status): {"description": text} for status, text in _ANSWERS.items()}
    operation: dict[str, Any] = {"summary": summary, "responses": answers}
    if body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": {"type": "object"}, **body}}}
    return operation


_ANSWERS = {
    200: "the answer", 400: "the request makes no sense", 404: "there is no such model or version",
    429: "too many requests wait", 503: "the server is not ready", 504: "the request took too long",
}  # fmt: skip


def _body(model: Model) -> dict[str, Any]:
    if model.current is None:
        return {}
    return {"examples": {key: {"value": _signature(each)["example"]} for key, each in model.current.signatures.items()}}
