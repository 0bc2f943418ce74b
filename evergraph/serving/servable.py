"""Loads one version of a model: a SavedModel, or a frozen graph with names for its inputs and outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph import proto
from evergraph.base import errors, files, logging
from evergraph.base.errors import invalid
from evergraph.frontend.importer import import_graph_def
from evergraph.graph.graph import Graph
from evergraph.proto.text import from_bytes_or_text
from evergraph.run.session import Session
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_loader import contains_saved_model, load
from evergraph.save.saved_model_signatures import build_tensor_info, get_tensor_from_tensor_info
from evergraph.serving.batching import Queue
from evergraph.serving.signature import Signature, unfit

DEFAULT = constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY


@dataclass(frozen=True)
class Loading:
    """How models are loaded.

    Attributes:
        tags: the tags of a SavedModel's graph.
        inputs, outputs: tensors of a frozen graph by the names that requests use.
        allow_outside: whether signatures may touch files and run Python.
        tier: "numpy" or "xla" forces how the model runs; None lets the policy decide.
    """

    tags: Sequence[str] = (constants.SERVING,)
    inputs: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    allow_outside: bool = False
    tier: str | None = None


class Servable:
    """One version of a model, loaded.

    Attributes:
        name, version, path: which one it is, and where it was loaded from.
        signature_def: the messages of all its signatures by key.
        signatures: those that it can be asked by.
        refused: why it cannot be asked by the other ones, by key.
        queues: what waits for each signature; made when the version has been warmed up.
    """

    def __init__(self, name: str, version: int, path: str, loading: Loading) -> None:
        self.name, self.version, self.path = name, version, path
        graph = Graph()
        config = proto.config_pb2.ConfigProto(allow_soft_placement=True)
        self.session = Session(graph=graph, config=config, tier=loading.tier)
        self.signature_def = dict(_load(self.session, graph, path, loading))
        self.signatures: dict[str, Signature] = {}
        self.refused: dict[str, str] = {}
        self.queues: dict[str, Queue] = {}
        for key, message in sorted(self.signature_def.items()):
            if key not in constants.RESERVED_SIGNATURE_KEYS:
                self._add(key, message, graph, loading)

    def _add(self, key: str, message: Any, graph: Graph, loading: Loading) -> None:
        why = unfit(message)
        if why is None:
            signature = Signature(key, self.session, _tensors(message.inputs, graph), _tensors(message.outputs, graph))
            if not signature.outside or loading.allow_outside:
                self.signatures[key] = signature
                return
            why = f"it touches files or runs Python: {', '.join(signature.outside[:5])}"
        self.refused[key] = why
        logging.warning(f"{self.path}: the signature {key!r} is not served: {why}")

    def signature(self, key: str, missing: type[errors.OpError] = errors.InvalidArgumentError) -> Signature:
        """The signature with this key, the default one for "".

        Raises:
            OpError: of the class `missing`, if the model has none.
            PermissionDeniedError: it is refused.
        """
        found = self.signatures.get(key or DEFAULT)
        if found is not None:
            return found
        if (key or DEFAULT) in self.refused:
            raise errors.PermissionDeniedError(
                None, None, f"The signature {key or DEFAULT!r} is not served: {self.refused[key or DEFAULT]}")
        raise missing(
            None, None, f"Serving signature name: {key or DEFAULT!r} not found in {sorted(self.signatures)}")

    def close(self) -> None:
        self.session.close()


def _load(session: Session, graph: Graph, path: str, loading: Loading) -> Mapping[str, Any]:
    with graph.as_default():
        if contains_saved_model(path):
            return load(session, loading.tags, path).signature_def
        if loading.outputs and not files.isdir(path):
            return {DEFAULT: _import_frozen(graph, path, loading)}
    raise errors.NotFoundError(None, None, f"{path} is no SavedModel, and no frozen graph with --input and --output")


def _import_frozen(graph: Graph, path: str, loading: Loading) -> Any:
    """Imports a frozen graph; returns the message of its one signature."""
    import_graph_def(from_bytes_or_text(files.read_file(path), proto.graph_pb2.GraphDef()), name="")
    message = proto.meta_graph_pb2.SignatureDef(method_name=constants.PREDICT_METHOD_NAME)
    for infos, wanted in ((message.inputs, loading.inputs), (message.outputs, loading.outputs)):
        for name, tensor in wanted.items():
            full = tensor if ":" in tensor else f"{tensor}:0"
            infos[name].CopyFrom(build_tensor_info(graph.get_tensor_by_name(full)))
    return message


def _tensors(infos: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
    return {name: get_tensor_from_tensor_info(info, graph) for name, info in infos.items()}


def load_servable(name: str, version: int, path: str, loading: Loading) -> Servable:
    """Loads a version.

    Raises:
        OpError: it cannot be loaded, or has no signature to be asked by.
    """
    try:
        servable = Servable(name, version, path, loading)
    except errors.OpError:
        raise
    except Exception as error:  # a damaged file fails anywhere in the loader
        raise invalid(f"{path} cannot be loaded: {error}") from error
    if not servable.signatures:
        raise invalid(f"{path} has no signature that can be served: {servable.refused or 'none at all'}")
    return servable
