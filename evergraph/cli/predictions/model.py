"""A model with its inputs and outputs by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evergraph.base.files import read_file
from evergraph.cli.predictions.values import Unusable
from evergraph.cli.reports.graph import INPUTS, unused
from evergraph.frontend.importer import import_graph_def
from evergraph.graph.graph import Graph
from evergraph.proto import graph_pb2
from evergraph.proto.text import from_bytes_or_text
from evergraph.run.session import Session
from evergraph.save.saved_model_loader import contains_saved_model, load
from evergraph.save.saved_model_signatures import get_tensor_from_tensor_info


@dataclass(frozen=True)
class Model:
    """A session with tensors by name."""

    session: Any
    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]

    def run(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The outputs for values of the inputs."""
        return self.session.run(dict(self.outputs), {self.inputs[name]: value for name, value in values.items()})


def opened(path: str, signature: str, tags: Sequence[str], outputs: Sequence[str]) -> Model:
    """Loads a SavedModel, or imports a frozen graph.

    Raises:
        Unusable: there is no such signature or output.
        OpError, OSError, ValueError: it cannot be read.
    """
    graph = Graph()
    with graph.as_default():
        session = Session(graph=graph)
        if contains_saved_model(path):
            return _with_signature(session, graph, load(session, list(tags), path), signature, outputs)
        message = from_bytes_or_text(read_file(path), graph_pb2.GraphDef())
        import_graph_def(message, name="")
        tensor = lambda name: graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
        names = outputs or [node.name for node in unused(message)]
        return Model(session, {node.name: tensor(node.name) for node in message.node if node.op in INPUTS},
                     {name: tensor(name) for name in names})  # fmt: skip


def _with_signature(session: Any, graph: Graph, meta: Any, key: str, outputs: Sequence[str]) -> Model:
    if key not in meta.signature_def:
        raise Unusable(f"the model has no signature {key!r}, only {', '.join(sorted(meta.signature_def)) or 'none'}")
    signature = meta.signature_def[key]
    tensor = lambda info: get_tensor_from_tensor_info(info, graph)
    unknown = [name for name in outputs if name not in signature.outputs]
    if unknown:
        raise Unusable(f"the signature has no output {unknown[0]!r}, only {', '.join(sorted(signature.outputs))}")
    return Model(
        session,
        {name: tensor(info) for name, info in signature.inputs.items()},
        {name: tensor(info) for name, info in sorted(signature.outputs.items()) if not outputs or name in outputs},
    )
