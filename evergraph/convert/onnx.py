"""Models as ONNX, by tf2onnx, which sees evergraph where it looks for TensorFlow."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any

from evergraph.convert.model import Inconvertible, Model, told
from evergraph.frontend.importer import import_graph_def
from evergraph.graph.graph import Graph
from evergraph.graph.traits import CALLS
from evergraph.run.session import Session

OPSET = 17
"""The version of ONNX's operators that is asked for by default."""

_TENSORFLOW_JS = "tf2onnx.tfjs_utils"


def converted(model: Model, opset: int) -> bytes:
    """The content of an ONNX file.

    From here on `import tensorflow` means evergraph in this process.

    Raises:
        Inconvertible: tf2onnx is not installed, or has no counterpart of some node.
    """
    tfonnx, optimizer, onnx = _libraries()
    graph = Graph()
    with graph.as_default():
        import_graph_def(model.message, name="")
    callers = [f"{node.type} '{node.name}'" for node in graph.get_operations() if node.opdef.kind in CALLS]
    if callers:
        raise Inconvertible(f"tf2onnx takes loops and branches of Enter and Switch nodes alone, not {told(callers)}")
    inputs = {each.tensor: name for name, each in model.inputs.items()}
    outputs = {tensor: name for name, tensor in model.outputs.items()}
    try:
        with Session(graph=graph):
            made = tfonnx.process_tf_graph(
                graph, opset=opset, input_names=list(inputs), output_names=list(outputs),
                tensors_to_rename={**outputs, **inputs})
        message = optimizer.optimize_graph(made).make_model("evergraph")
        onnx.checker.check_model(message)
    except Exception as error:  # tf2onnx and onnx raise what they like
        raise Inconvertible(f"tf2onnx: {error}") from error
    content: bytes = message.SerializeToString()
    return content


def _libraries() -> tuple[Any, Any, Any]:
    if importlib.util.find_spec("tf2onnx") is None:
        raise Inconvertible("ONNX files are written by tf2onnx: pip install 'evergraph[onnx]'")
    importlib.import_module("evergraph.as_tensorflow")
    _without_tensorflow_js()
    names = ("tf2onnx.tfonnx", "tf2onnx.optimizer", "onnx")
    tfonnx, optimizer, onnx = [importlib.import_module(name) for name in names]
    importlib.import_module("onnx.checker")
    return tfonnx, optimizer, onnx


def _without_tensorflow_js() -> None:
    """Takes the place of tf2onnx's reader of TensorFlow.js, which asks TensorFlow's C API for its ops when imported."""
    if _TENSORFLOW_JS not in sys.modules:
        stand_in = ModuleType(_TENSORFLOW_JS)
        vars(stand_in)["graphs_from_tfjs"] = _refuse
        sys.modules[_TENSORFLOW_JS] = stand_in


def _refuse(*args: Any, **kwargs: Any) -> Any:
    raise NotImplementedError("models of TensorFlow.js are not read")
