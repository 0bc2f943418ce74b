"""Writes a model in one of the formats of `evergraph convert`."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evergraph.base import dtypes, files
from evergraph.convert import jax_module, onnx, stablehlo
from evergraph.convert.model import Inconvertible, Model, told
from evergraph.formats.replace import replace_file
from evergraph.frontend.importer import import_graph_def
from evergraph.graph.graph import Graph
from evergraph.lite import converting
from evergraph.lite.choices import ConverterError
from evergraph.lite.libraries import MissingLibrary
from evergraph.proto.text import to_text
from evergraph.run.session import Session
from evergraph.save.freezing import write_graph_def
from evergraph.save.saved_model_builder import simple_save


@dataclass(frozen=True)
class Options:
    """How a model is written.

    Attributes:
        platforms: for `stablehlo` and `jax`: where the program is to run.
        weights: for `tflite`: "float32", or "float16" or "int8" to store weights so.
        samples: for `tflite`: gives lists with an array for each input, to quantize the whole model.
        opset: for `onnx`: the version of the operators.
    """

    platforms: Sequence[str] = ()
    weights: str = "float32"
    samples: Callable[[], Iterable[Sequence[Any]]] | None = None
    opset: int = onnx.OPSET


def write(model: Model, kind: str, path: str, options: Options) -> list[str]:
    """Writes a model; returns the paths of the files.

    Raises:
        Inconvertible: the format has no counterpart of something in the model.
        OpError, OSError: it cannot be written.
    """
    return KINDS[kind](model, path, options)


def _file(path: str, content: bytes) -> list[str]:
    folder = os.path.dirname(path)
    if folder:
        files.makedirs(folder)
    replace_file(path, content)
    return [path]


def _frozen(model: Model, path: str, options: Options) -> list[str]:
    write_graph_def(path, model.message, to_text(model.message) if path.endswith(".pbtxt") else None)
    return [path]


def _saved_model(model: Model, path: str, options: Options) -> list[str]:
    graph = Graph()
    with graph.as_default(), Session(graph=graph) as session:
        import_graph_def(model.message, name="")
        handles = [tensor for node in graph.get_operations() for tensor in node.outputs
                   if tensor.dtype.base_dtype == dtypes.resource or tensor.dtype.is_ref]
        if handles:
            raise Inconvertible("the frozen graph cannot initialize its tables: "
                                f"{told([tensor.op.name for tensor in handles])}")
        tensor = graph.get_tensor_by_name
        simple_save(session, path, {name: tensor(each.tensor) for name, each in model.inputs.items()},
                    {name: tensor(each) for name, each in model.outputs.items()})  # fmt: skip
    return [path]


def _lite(model: Model, path: str, options: Options) -> list[str]:
    inputs = [converting.Input(each.node, each.dtype, each.shape) for each in model.inputs.values()]
    wish = converting.Wish(weights=options.weights, samples=options.samples)
    try:
        return _file(path, converting.convert(model.message, inputs, list(model.outputs.values()), wish))
    except (ConverterError, MissingLibrary) as error:
        raise Inconvertible(str(error)) from error


def _stablehlo(model: Model, path: str, options: Options) -> list[str]:
    """A file of `jax.export`, or MLIR for one platform: as text, or as bytecode that other versions read, too."""
    ending = os.path.splitext(path)[1]
    is_mlir = ending in (".mlir", ".mlirbc")
    made = stablehlo.exported(model, options.platforms or (("cpu",) if is_mlir else stablehlo.PLATFORMS))
    if is_mlir and len(made.platforms) > 1:
        raise Inconvertible("a module of MLIR is for one platform (--platforms)")
    if not is_mlir:
        _need_flatbuffers()
    content = {".mlir": stablehlo.mlir, ".mlirbc": lambda each: bytes(each.mlir_module_serialized)}.get(
        ending, lambda each: bytes(each.serialize()))(made)
    return _file(path, content)


def _jax(model: Model, path: str, options: Options) -> list[str]:
    base, ending = os.path.splitext(path)
    if ending != ".py":
        raise Inconvertible(f"a module is a file NAME.py, not {path}")
    _need_flatbuffers()
    parts = jax_module.files(model, os.path.basename(base), options.platforms or stablehlo.PLATFORMS)
    return [written for last, content in parts.items() for written in _file(base + last, content)]


def _need_flatbuffers() -> None:
    if importlib.util.find_spec("flatbuffers") is None:
        raise Inconvertible("files of jax.export need flatbuffers: pip install flatbuffers")


def _onnx(model: Model, path: str, options: Options) -> list[str]:
    return _file(path, onnx.converted(model, options.opset))


KINDS: dict[str, Callable[[Model, str, Options], list[str]]] = {
    "tflite": _lite, "stablehlo": _stablehlo, "onnx": _onnx, "frozen": _frozen, "savedmodel": _saved_model, "jax": _jax,
}  # fmt: skip
"""Format -> what writes it."""
