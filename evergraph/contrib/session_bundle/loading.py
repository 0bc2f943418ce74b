"""tf.contrib.session_bundle: loads session bundles, and session bundles or SavedModels whichever a directory holds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from evergraph.base import files
from evergraph.base.export import export
from evergraph.contrib.session_bundle.exporter import (
    ASSETS_DIRECTORY,
    ASSETS_KEY,
    INIT_OP_KEY,
    META_GRAPH_DEF_FILENAME,
    SIGNATURES_KEY,
    VARIABLES_FILENAME,
    VARIABLES_FILENAME_PATTERN,
)
from evergraph.frontend.collections import get_collection
from evergraph.graph.graph import default_graph
from evergraph.proto import manifest_pb2, meta_graph_pb2
from evergraph.run.session import Session
from evergraph.save import saved_model_constants as constants
from evergraph.save.meta_graph import read
from evergraph.save.saved_model_loader import load, maybe_saved_model_directory
from evergraph.save.saver import import_meta_graph


@export("contrib.session_bundle.session_bundle.maybe_session_bundle_dir",
        "contrib.session_bundle.session_bundle.maybe_session_bundle_directory")
def maybe_session_bundle_dir(export_dir: Any) -> bool:
    """Whether a directory holds a session bundle."""
    return files.exists(os.path.join(os.fsdecode(export_dir), META_GRAPH_DEF_FILENAME))


@export("contrib.session_bundle.session_bundle.load_session_bundle_from_path")
def load_session_bundle_from_path(export_dir: Any, target: str = "", config: Any = None,
                                  meta_graph_def: Any = None) -> tuple[Session, Any]:
    """A session with a model of a session bundle, and its MetaGraphDef.

    Args:
        export_dir: the directory.
        target: the target of the session.
        config: the ConfigProto of the session.
        meta_graph_def: the MetaGraphDef, if it was read already.

    Raises:
        RuntimeError: there is no meta graph or no variables, or an asset is not what it should be.
    """
    folder = os.fsdecode(export_dir)
    if meta_graph_def is None:
        path = os.path.join(folder, META_GRAPH_DEF_FILENAME)
        if not files.exists(path):
            raise RuntimeError(f"Expected meta graph file missing {path}")
        meta_graph_def = read(path)
    session = Session(target, config=config)
    saver = import_meta_graph(meta_graph_def)
    if saver is not None:
        saver.restore(session, _variables(folder))
    init_ops = get_collection(INIT_OP_KEY)
    if init_ops:
        session.run(init_ops[0], _assets(folder, meta_graph_def))
    return session, meta_graph_def


def _variables(folder: str) -> str:
    """The checkpoint of a bundle: one file, files of parts, or those of the later format."""
    whole = os.path.join(folder, VARIABLES_FILENAME)
    if files.exists(whole) or files.exists(f"{whole}.index"):
        return whole
    pattern = os.path.join(folder, VARIABLES_FILENAME_PATTERN)
    if files.glob(pattern):
        return pattern
    raise RuntimeError(f"Expected checkpoint file missing: {whole} or {pattern}")


def _assets(folder: str, meta_graph_def: Any) -> dict[str, str]:
    """The path of each asset, by the tensor to feed it to."""
    found = {}
    for packed in meta_graph_def.collection_def[ASSETS_KEY].any_list.value \
            if ASSETS_KEY in meta_graph_def.collection_def else ():
        asset = manifest_pb2.AssetFile()
        if not packed.Unpack(asset):
            raise RuntimeError(f"Asset expected, and the collection {ASSETS_KEY} holds {packed.type_url}")
        found[asset.tensor_binding.tensor_name] = os.path.join(folder, ASSETS_DIRECTORY, asset.filename)
    return found


# ---- signatures of bundles as those of SavedModels


def add_input_to_signature_def(tensor_name: str, map_key: str, signature_def: Any) -> None:
    """Names an input of a signature, in place of one that has the key."""
    signature_def.inputs[map_key].CopyFrom(meta_graph_pb2.TensorInfo(name=tensor_name))


def add_output_to_signature_def(tensor_name: str, map_key: str, signature_def: Any) -> None:
    """Names an output of a signature, in place of one that has the key."""
    signature_def.outputs[map_key].CopyFrom(meta_graph_pb2.TensorInfo(name=tensor_name))


def convert_default_signature_to_signature_def(signatures: Any) -> Any:
    """The default signature of a bundle as a SignatureDef; None for a generic one.

    Raises:
        RuntimeError: it is of no known kind.
    """
    default = signatures.default_signature
    kind = default.WhichOneof("type")
    found = meta_graph_pb2.SignatureDef()
    if kind == "regression_signature":
        found.method_name = constants.REGRESS_METHOD_NAME
        add_input_to_signature_def(default.regression_signature.input.tensor_name, constants.REGRESS_INPUTS, found)
        add_output_to_signature_def(default.regression_signature.output.tensor_name, constants.REGRESS_OUTPUTS, found)
        return found
    if kind == "classification_signature":
        one = default.classification_signature
        found.method_name = constants.CLASSIFY_METHOD_NAME
        add_input_to_signature_def(one.input.tensor_name, constants.CLASSIFY_INPUTS, found)
        add_output_to_signature_def(one.classes.tensor_name, constants.CLASSIFY_OUTPUT_CLASSES, found)
        add_output_to_signature_def(one.scores.tensor_name, constants.CLASSIFY_OUTPUT_SCORES, found)
        return found
    return None


def convert_named_signatures_to_signature_def(signatures: Any) -> Any:
    """The named signatures "inputs" and "outputs" of a bundle as one SignatureDef.

    Raises:
        RuntimeError: one of them is no generic signature.
    """
    inputs, outputs = (signatures.named_signatures[key]
                       for key in (constants.PREDICT_INPUTS, constants.PREDICT_OUTPUTS))
    for signature in (inputs, outputs):
        if signature.WhichOneof("type") != "generic_signature":
            raise RuntimeError("Named input and output signatures must be generic: "
                               f"one is a {signature.WhichOneof('type')}")
    found = meta_graph_pb2.SignatureDef(method_name=constants.PREDICT_METHOD_NAME)
    for key, binding in inputs.generic_signature.map.items():
        add_input_to_signature_def(binding.tensor_name, key, found)
    for key, binding in outputs.generic_signature.map.items():
        add_output_to_signature_def(binding.tensor_name, key, found)
    return found


def convert_signatures_to_signature_defs(metagraph_def: Any) -> tuple[Any, Any]:
    """(the default signature of a bundle's MetaGraphDef, the named one) as SignatureDefs, None where there is none."""
    packed = metagraph_def.collection_def[SIGNATURES_KEY].any_list.value
    signatures = manifest_pb2.Signatures()
    if len(packed) != 1 or not packed[0].Unpack(signatures):
        raise RuntimeError(f"Expected exactly one Signatures proto in the collection {SIGNATURES_KEY}")
    default = convert_default_signature_to_signature_def(signatures) if signatures.HasField(
        "default_signature") else None
    named = convert_named_signatures_to_signature_def(signatures) if signatures.named_signatures else None
    return default, named


@export("contrib.session_bundle.bundle_shim.load_session_bundle_or_saved_model_bundle_from_path")
def load_session_bundle_or_saved_model_bundle_from_path(
        export_dir: Any, tags: Any = None, target: str = "", config: Any = None) -> tuple[Session, Any]:
    """A session with the model in a directory, and its MetaGraphDef, whose signatures are those of SavedModels.

    Args:
        export_dir: the directory of a session bundle or a SavedModel.
        tags: the tags of the MetaGraph of a SavedModel.
        target: the target of the session.
        config: the ConfigProto of the session.

    Raises:
        RuntimeError: the directory holds neither.
    """
    if maybe_session_bundle_dir(export_dir):
        session, meta_graph_def = load_session_bundle_from_path(export_dir, target, config)
        default, named = convert_signatures_to_signature_defs(meta_graph_def)
        known: Mapping[str, Any] = {constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: default or named}
        if default is not None and named is not None:
            known = {**known, f"{constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY}_from_named": named}
        for key, signature in known.items():
            if signature is not None:
                meta_graph_def.signature_def[key].CopyFrom(signature)
        return session, meta_graph_def
    if maybe_saved_model_directory(export_dir):
        session = Session(target, graph=default_graph(), config=config)
        return session, load(session, tags, export_dir)
    raise RuntimeError(f"SessionBundle or SavedModelBundle not found at specified export location: {export_dir}")
