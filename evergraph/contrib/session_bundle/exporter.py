"""tf.contrib.session_bundle.exporter: writes models in the form from before SavedModels."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from evergraph.base import files, logging
from evergraph.base.export import export
from evergraph.contrib.session_bundle.versions import Kept, Path, get_paths, negation
from evergraph.frontend.collections import add_to_collection
from evergraph.graph.graph import default_graph
from evergraph.graph.shaping import static_value
from evergraph.proto import graph_pb2, manifest_pb2, meta_graph_pb2
from evergraph.train.global_step import global_step as step_of

ASSETS_DIRECTORY = "assets"
ASSETS_KEY = "serving_assets"
GRAPH_KEY = "serving_graph"
INIT_OP_KEY = "serving_init_op"
META_GRAPH_DEF_FILENAME = "export.meta"
SIGNATURES_KEY = "serving_signatures"
VARIABLES_FILENAME = "export"
VARIABLES_FILENAME_PATTERN = "export-?????-of-?????"
VERSION_FORMAT_SPECIFIER = "%08d"
for _constant in ("ASSETS_DIRECTORY", "ASSETS_KEY", "GRAPH_KEY", "INIT_OP_KEY", "META_GRAPH_DEF_FILENAME",
                  "SIGNATURES_KEY", "VARIABLES_FILENAME", "VARIABLES_FILENAME_PATTERN", "VERSION_FORMAT_SPECIFIER"):
    export(f"contrib.session_bundle.constants.{_constant}")(globals()[_constant])


for _message in ("AssetFile", "ClassificationSignature", "GenericSignature", "RegressionSignature", "Signature",
                 "Signatures", "TensorBinding"):
    globals()[_message] = export(f"contrib.session_bundle.manifest_pb2.{_message}")(getattr(manifest_pb2, _message))


def _named(name: str) -> Any:
    return export(f"contrib.session_bundle.exporter.{name}")


@_named("gfile_copy_callback")
def gfile_copy_callback(files_to_copy: Mapping[str, str], export_dir_path: str) -> None:
    """Copies assets into an export.

    Args:
        files_to_copy: path of a file -> its path below `export_dir_path`.
        export_dir_path: where to.
    """
    files.makedirs(export_dir_path)
    for source, target in files_to_copy.items():
        files.copy(source, os.path.join(export_dir_path, target))


def _binding(tensor: Any) -> Any:
    return manifest_pb2.TensorBinding(tensor_name=tensor.name)


@_named("regression_signature")
def regression_signature(input_tensor: Any, output_tensor: Any) -> Any:
    """The signature of a model that predicts numbers from an input."""
    return manifest_pb2.Signature(regression_signature=manifest_pb2.RegressionSignature(
        input=_binding(input_tensor), output=_binding(output_tensor)))


@_named("classification_signature")
def classification_signature(input_tensor: Any, classes_tensor: Any = None, scores_tensor: Any = None) -> Any:
    """The signature of a model that predicts classes, or their scores, from an input.

    Args:
        input_tensor: the input, strings.
        classes_tensor: the names of classes.
        scores_tensor: their scores.
    """
    signature = manifest_pb2.ClassificationSignature(input=_binding(input_tensor))
    if classes_tensor is not None:
        signature.classes.CopyFrom(_binding(classes_tensor))
    if scores_tensor is not None:
        signature.scores.CopyFrom(_binding(scores_tensor))
    return manifest_pb2.Signature(classification_signature=signature)


@_named("generic_signature")
def generic_signature(name_tensor_map: Mapping[str, Any]) -> Any:
    """The signature of tensors by name."""
    return manifest_pb2.Signature(generic_signature=manifest_pb2.GenericSignature(
        map={name: _binding(tensor) for name, tensor in name_tensor_map.items()}))


def _packed(message: Any) -> Any:
    packed = meta_graph_pb2.CollectionDef.AnyList().value.add()
    packed.Pack(message)
    return packed


@_named("Exporter")
class Exporter:
    """Writes the variables of a session and the graph, with signatures, for a server.

    Args:
        saver: the tf.train.Saver of the variables.
    """

    def __init__(self, saver: Any) -> None:
        self._saver, self._has_init = saver, False
        self._assets_to_copy: dict[str, str] = {}
        self._assets_callback: Any = None

    def init(self, graph_def: Any = None, init_op: Any = None, clear_devices: bool = False,
             default_graph_signature: Any = None, named_graph_signatures: Mapping[str, Any] | None = None,
             assets_collection: Any = None, assets_callback: Callable[..., None] | None = gfile_copy_callback) -> None:
        """Says what is exported.

        Args:
            graph_def: the GraphDef to serve, if that is not the graph of the session.
            init_op: an operation for a server to run after it has restored variables.
            clear_devices: whether devices are left out.
            default_graph_signature: the signature of the model.
            named_graph_signatures: further ones by name.
            assets_collection: constants with the names of files that the model needs.
            assets_callback: copies these files: a function of ({path: name in the export}, directory).

        Raises:
            RuntimeError: it was called before.
            ValueError: the signatures are named by something else than a mapping.
        """
        if self._has_init:
            raise RuntimeError("init should be called only once")
        self._has_init = True
        if graph_def is not None or clear_devices:
            copy = graph_pb2.GraphDef()
            copy.CopyFrom(default_graph().as_graph_def() if graph_def is None else graph_def)
            if clear_devices:
                for node in copy.node:
                    node.device = ""
            add_to_collection(GRAPH_KEY, _packed(copy))
        if init_op is not None:
            add_to_collection(INIT_OP_KEY, init_op)
        signatures = manifest_pb2.Signatures()
        if default_graph_signature is not None:
            signatures.default_signature.CopyFrom(default_graph_signature)
        if named_graph_signatures is not None and not isinstance(named_graph_signatures, Mapping):
            raise ValueError(f"named_graph_signatures is a mapping, got {named_graph_signatures!r}")
        for name, signature in (named_graph_signatures or {}).items():
            signatures.named_signatures[name].CopyFrom(signature)
        add_to_collection(SIGNATURES_KEY, _packed(signatures))
        for filename_tensor in assets_collection or ():
            self._add_asset(filename_tensor)
        self._assets_callback = assets_callback

    def _add_asset(self, filename_tensor: Any) -> None:
        value = static_value(filename_tensor)
        if value is None:
            raise ValueError(f"an asset is a constant with the name of a file; {filename_tensor} is none")
        path = os.fsdecode(value.item())
        name = os.path.basename(path)
        self._assets_to_copy[path] = name
        asset = manifest_pb2.AssetFile(filename=name, tensor_binding=_binding(filename_tensor))
        add_to_collection(ASSETS_KEY, _packed(asset))

    def export(self, export_dir_base: Any, global_step_tensor: Any, sess: Any = None,
               exports_to_keep: Kept | None = None) -> str:
        """Writes an export in a new directory, whose name is the global step.

        Args:
            export_dir_base: where to make the directory.
            global_step_tensor: the global step.
            sess: the session with the variables; the default session otherwise.
            exports_to_keep: which exports to keep: a function of `tf.contrib.session_bundle.gc`; None keeps all.

        Returns:
            The directory.

        Raises:
            RuntimeError: `init` was not called, or there is an export of this step.
        """
        if not self._has_init:
            raise RuntimeError("init must be called first")
        base = os.fsdecode(export_dir_base)
        step = step_of(sess, global_step_tensor)
        folder = os.path.join(base, VERSION_FORMAT_SPECIFIER % step)
        if files.exists(folder):
            raise RuntimeError(f"Overwriting exports can cause corruption and are not allowed. Duplicate export dir: "
                               f"{folder}")
        unfinished = f"{folder}-tmp"
        files.makedirs(unfinished)
        self._saver.save(sess, os.path.join(unfinished, VARIABLES_FILENAME), latest_filename="checkpoint",
                         meta_graph_suffix="meta", write_state=False)
        if self._assets_callback and self._assets_to_copy:
            self._assets_callback(self._assets_to_copy, os.path.join(unfinished, ASSETS_DIRECTORY))
        files.rename(unfinished, folder)
        if exports_to_keep is not None:
            for stale in negation(exports_to_keep)(get_paths(base, _version)):
                logging.info("removing the old export %s", stale.path)
                files.rmtree(stale.path)
        return folder


def _version(path: Path) -> Path | None:
    name = os.path.basename(path.path)
    return path._replace(export_version=int(name)) if re.fullmatch(r"\d{8,}", name) else None
