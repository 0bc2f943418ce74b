"""KServe's inference protocol, version 2, as REST: health, metadata and inference."""

from __future__ import annotations

import functools
import importlib.metadata
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.dtypes import DType
from evergraph.base.errors import invalid
from evergraph.serving.asking import Asking, Question
from evergraph.serving.core import Core
from evergraph.serving.http import Connection, Request
from evergraph.serving.json_tensors import array_of, plain, written_out
from evergraph.serving.json_text import parsed_object, shown, written
from evergraph.serving.rest import MOST_CACHED
from evergraph.serving.signature import Signature

HEALTH = "/v2/health/"
_PATH = re.compile(r"/v2/models/(?P<name>[^/]+)(?:/versions/(?P<version>\d{1,18}))?(?:/(?P<verb>ready|infer))?")

TYPES = {
    "BOOL": dtypes.bool, "INT8": dtypes.int8, "INT16": dtypes.int16, "INT32": dtypes.int32, "INT64": dtypes.int64,
    "UINT8": dtypes.uint8, "UINT16": dtypes.uint16, "UINT32": dtypes.uint32, "UINT64": dtypes.uint64,
    "FP16": dtypes.float16, "BF16": dtypes.bfloat16, "FP32": dtypes.float32, "FP64": dtypes.float64,
    "BYTES": dtypes.string,
}  # fmt: skip
_NAMES = {dtype: name for name, dtype in TYPES.items()}


@functools.lru_cache(maxsize=1024)
def _route(path: str) -> tuple[str, int | None, str] | None:
    """(the model, its version, what is asked of it), or None."""
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    return unquote(match["name"]), int(match["version"]) if match["version"] else None, match["verb"] or ""


class KServe:
    """Handles requests of the protocol, in the thread of the event loop.

    Args:
        core: the models.
        asking: asks them.
        is_ready: whether the server is.
    """

    def __init__(self, core: Core, asking: Asking, is_ready: Callable[[], bool]) -> None:
        self._core, self._asking, self._is_ready = core, asking, is_ready

    def handle(self, request: Request, connection: Connection) -> None:
        """Answers a request whose path begins with /v2."""
        where = (_route if len(request.path) <= MOST_CACHED else _route.__wrapped__)(request.path)
        try:
            if where is not None and where[2] == "infer" and request.method == "POST":
                self._infer(*where[:2], request, connection)
            elif request.method != "GET":
                raise errors.NotFoundError(None, None, f"Not Found: {request.method} {request.path}")
            elif where is not None:
                self._tell(*where, connection)
            else:
                self._tell_of_server(request.path, connection)
        except Exception as error:  # whatever it is, the client gets an answer, and the server goes on
            self._asking.fail(connection, where[0] if where else "", "infer", error)

    def _tell_of_server(self, path: str, connection: Connection) -> None:
        if path in ("/v2", "/v2/"):
            connection.reply(200, written({
                "name": "evergraph", "version": importlib.metadata.version("evergraph"), "extensions": []}))
        elif path == f"{HEALTH}live":
            connection.reply(200, written({"live": True}))
        elif path == f"{HEALTH}ready":
            is_ready = self._is_ready()
            connection.reply(200 if is_ready else 503, written({"ready": is_ready}))
        else:
            raise errors.NotFoundError(None, None, f"Not Found: GET {path}")

    def _tell(self, name: str, version: int | None, verb: str, connection: Connection) -> None:
        servable = self._core.models.find(name, version)
        if verb == "ready":
            return connection.reply(200, written({"name": name, "ready": True}))
        if verb:
            raise errors.NotFoundError(None, None, f"Not Found: {verb} wants POST")
        signature = servable.signature("")
        connection.reply(200, written({
            "name": name, "versions": [str(each) for each in sorted(self._core.models.model(name).loaded)],
            "platform": "tensorflow_savedmodel", "inputs": _described(signature.inputs),
            "outputs": _described(signature.outputs)}))  # fmt: skip

    def _infer(self, name: str, version: int | None, request: Request, connection: Connection) -> None:
        servable = self._core.models.find(name, version)
        body = parsed_object(request.body)
        key = _parameters(body).get("signature_name", "")
        signature = servable.signature(key if type(key) is str else shown(key))
        values = signature.in_order(_inputs(body, signature))
        names = signature.select(_wanted(body))

        def answered(results: Sequence[np.ndarray]) -> bytes:
            told = {"model_name": name, "model_version": str(servable.version), "outputs": [
                _output(output, value, signature) for output, value in zip(names, results)]}  # fmt: skip
            return written_out({"id": body["id"], **told} if "id" in body else told, results)

        self._asking.answer(request, connection, Question(servable, key, values, names), "infer", answered)


def _parameters(body: Mapping[str, Any]) -> Mapping[str, Any]:
    found = body.get("parameters", {})
    if type(found) is not dict:
        raise invalid(f"'parameters' must be an object, not {shown(found)}")
    return found


def _described(tensors: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"name": name, "datatype": _datatype(tensor.dtype.base_dtype), "shape": _shape(tensor)}
            for name, tensor in tensors.items()]  # fmt: skip


def _datatype(dtype: DType) -> str:
    return _NAMES.get(dtype, dtype.name.upper())


def _shape(tensor: Any) -> list[int]:
    """The sizes of a tensor's dimensions, -1 for any; [-1] if not even their number is known."""
    return [-1] if tensor.shape.ndims is None else [-1 if size is None else size for size in tensor.shape.as_list()]


def _inputs(body: Mapping[str, Any], signature: Signature) -> dict[str, np.ndarray]:
    given = body.get("inputs")
    if type(given) is not list or not all(type(each) is dict and type(each.get("name")) is str for each in given):
        raise invalid(f"'inputs' must be a list of objects with a name, not {shown(given)}")
    found = {each["name"]: _input(each, signature) for each in given if each["name"] in signature.inputs}
    unknown = [each["name"] for each in given if each["name"] not in signature.inputs]
    if unknown or len(found) < len(given):
        raise invalid(f"The inputs of {signature.name!r} are {list(signature.names)}; not known or twice: {unknown}")
    return found


def _input(given: Mapping[str, Any], signature: Signature) -> np.ndarray:
    """An input from its name, type, shape and elements, which may be in nested lists or in one."""
    name, shape, datatype = given["name"], given.get("shape"), given.get("datatype")
    dtype = signature.inputs[name].dtype.base_dtype
    if datatype != _datatype(dtype):
        raise invalid(f"The input {name!r} is of datatype {_datatype(dtype)}, not {shown(datatype)}")
    if type(shape) is not list or not all(type(size) is int and 0 <= size < 2**31 for size in shape):
        raise invalid(f"The shape of {name!r} must be a list of sizes, not {shown(shape)}")
    array = array_of(given.get("data"), dtype, name)
    if array.size != math.prod(shape):
        raise invalid(f"The input {name!r} of shape {shown(shape)} has {array.size} elements")
    return array.reshape(shape)


def _wanted(body: Mapping[str, Any]) -> list[str]:
    outputs = body.get("outputs", [])
    if type(outputs) is not list or not all(type(each) is dict and type(each.get("name")) is str for each in outputs):
        raise invalid(f"'outputs' must be a list of objects with a name, not {shown(outputs)}")
    return [each["name"] for each in outputs]


def _output(name: str, value: np.ndarray, signature: Signature) -> dict[str, Any]:
    flat = value.reshape(-1)
    return {"name": name, "datatype": _datatype(signature.outputs[name].dtype.base_dtype), "shape": list(value.shape),
            "data": plain(flat, name)}  # fmt: skip
