"""Opens models to convert: SavedModels, frozen graphs, checkpoints with their graphs, and files of Keras models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph.base import dtypes, files
from evergraph.convert.model import Inconvertible, Model, Shape, model_of, node_names, told
from evergraph.graph.graph import Graph
from evergraph.graph.node import Tensor
from evergraph.graph.traits import Kind
from evergraph.keras import model_loading
from evergraph.keras import session as keras_session
from evergraph.keras.settings import set_learning_phase
from evergraph.ops.arrays.basic import placeholder, placeholder_v2
from evergraph.passes.prune import needed
from evergraph.run.session import Session
from evergraph.save import saved_model_constants as constants
from evergraph.save.freezing import Wish, frozen_session, likely_outputs, loaded
from evergraph.save.saved_model_loader import contains_saved_model, load

_HDF5 = b"\x89HDF\r\n\x1a\n"

Tensors = dict[str, Tensor]


@dataclass(frozen=True)
class Asked:
    """Which part of a model is meant.

    Attributes:
        inputs, outputs: tensors or nodes, "NAME" or "WORD=NAME" to call them WORD; by default those of the signature,
            of the Keras model, or all placeholders that the outputs need and all nodes that no other uses.
        shapes: name of an input -> its shape, in place of the one that the graph tells.
        signature, tags: of a SavedModel.
        checkpoint: the variables of a graph.
    """

    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    signature: str = constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    tags: Sequence[str] = (constants.SERVING,)
    checkpoint: str | None = None


def opened(path: str, asked: Asked) -> Model:
    """The model at a path, with constants in place of its variables.

    Raises:
        Inconvertible: it lacks what is asked for.
        OpError, OSError, ValueError: it cannot be read.
    """
    graph = Graph()
    with graph.as_default(), Session(graph=graph) as session:
        inputs, outputs = _loader(path)(session, path, asked)
        inputs = _named(graph, asked.inputs) or inputs
        outputs = _named(graph, asked.outputs) or outputs
        if not outputs:
            raise Inconvertible(f"no outputs are named (--outputs); likely ones are {told(likely_outputs(graph))}")
        inputs = inputs or _placeholders(outputs)
        message = frozen_session(session, node_names(tensor.name for tensor in outputs.values()), Wish())
        shown = {name: tensor.name for name, tensor in outputs.items()}
        return model_of(message, inputs, shown, asked.shapes)


def _loader(path: str) -> Any:
    if contains_saved_model(path):
        return _from_saved_model
    return _from_keras if _is_hdf5(path) else _from_graph


def _is_hdf5(path: str) -> bool:
    """Whether there is a file of the HDF5 format; this needs no package that reads them."""
    if not files.exists(path) or files.isdir(path):
        return False
    with files.GFile(path, "rb") as file:
        return bool(file.read(len(_HDF5)) == _HDF5)


def _from_saved_model(session: Any, path: str, asked: Asked) -> tuple[Tensors, Tensors]:
    signatures = load(session, list(asked.tags), path).signature_def
    if asked.inputs and asked.outputs:
        return {}, {}
    if asked.signature not in signatures:
        known = told(sorted(signatures)) or "none"
        raise Inconvertible(f"the model has no signature {asked.signature!r}, only {known}")
    signature = signatures[asked.signature]
    inputs, outputs = ({name: _of_info(session.graph, name, info) for name, info in sorted(infos.items())}
                       for infos in (signature.inputs, signature.outputs))  # fmt: skip
    return inputs, outputs


def _of_info(graph: Graph, name: str, info: Any) -> Tensor:
    if not info.name:
        raise Inconvertible(f"{name!r} of the signature is no dense tensor")
    return graph.get_tensor_by_name(info.name)


def _from_keras(session: Any, path: str, asked: Asked) -> tuple[Tensors, Tensors]:
    set_learning_phase(0)
    model = model_loading.load_model(path, compile=False)
    keras_session.get_session()  # gives what the file does not hold its first value
    return dict(zip(model.input_names, model.inputs)), dict(zip(model.output_names, model.outputs))


def _from_graph(session: Any, path: str, asked: Asked) -> tuple[Tensors, Tensors]:
    names = node_names(text.rpartition("=")[2] for text in asked.outputs)
    loaded(session, path, Wish(outputs=names, checkpoint=asked.checkpoint))
    has_variables = any(node.opdef.kind is Kind.VARIABLE for node in session.graph.get_operations())
    if asked.outputs or has_variables:  # a graph of training ends in many nodes
        return {}, {}
    return {}, _ends(session.graph)


def _ends(graph: Graph) -> Tensors:
    """The tensors that no node uses, by the names of their nodes."""
    ends = [tensor for node in graph.get_operations() for tensor in node.outputs[:1]
            if not any(each._consumers for each in node.outputs) and tensor.dtype.base_dtype != dtypes.string]
    return {tensor.op.name: tensor for tensor in ends}


def _placeholders(outputs: Tensors) -> Tensors:
    """The placeholders that some tensors need, in the order of the graph."""
    nodes = sorted(needed(outputs.values(), ()), key=lambda node: node.age)
    return {node.name: node.outputs[0] for node in nodes if node.opdef in (placeholder, placeholder_v2)}


def _named(graph: Graph, texts: Sequence[str]) -> Tensors:
    """The tensors that the user names."""
    found = {}
    for text in texts:
        word, _, name = text.rpartition("=")
        try:
            found[word or name.removesuffix(":0")] = graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
        except (KeyError, ValueError):
            raise Inconvertible(f"the graph has no tensor {name!r}; likely outputs are {told(likely_outputs(graph))}"
                                ) from None  # fmt: skip
    return found
