"""Loads SavedModels: the message, one of its graphs, the variables, the assets."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from evergraph import proto
from evergraph.base import files, logging
from evergraph.base.export import export
from evergraph.base.text import as_text, path_to_str
from evergraph.frontend.collections import get_collection
from evergraph.graph import encode
from evergraph.graph.graph import Graph
from evergraph.graph.registry import lookup
from evergraph.proto.text import from_text
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_assets import asset_feeds
from evergraph.save.saved_model_signatures import load_op_from_signature_def
from evergraph.save.saver import Saver, import_with_elements, saveable_objects

# ---------------------------------------------------------------- the message


def parse_saved_model(export_dir: Any) -> Any:
    """The SavedModel message of a directory, binary or text.

    Raises:
        OSError: there is no such file, or it is damaged.
    """
    folder = as_text(path_to_str(export_dir))
    for name, parse in ((constants.SAVED_MODEL_FILENAME_PB, _from_bytes),
                        (constants.SAVED_MODEL_FILENAME_PBTXT, _from_text)):  # fmt: skip
        path = os.path.join(folder, name)
        if files.exists(path):
            return _parsed(path, parse)
    raise OSError(f"SavedModel file does not exist at: {folder}{os.path.sep}{{{constants.SAVED_MODEL_FILENAME_PBTXT}|"
                  f"{constants.SAVED_MODEL_FILENAME_PB}}}")  # fmt: skip


def _parsed(path: str, parse: Callable[[bytes], Any]) -> Any:
    try:
        return parse(files.read_file(path))
    except Exception as error:  # protobuf's classes differ between its implementations; a directory cannot be read
        raise OSError(f"Cannot parse file {path!r}: {error}") from None


def _from_bytes(data: bytes) -> Any:
    return proto.saved_model_pb2.SavedModel.FromString(data)


def _from_text(data: bytes) -> Any:
    return from_text(data.decode(), proto.saved_model_pb2.SavedModel())


@export("saved_model.contains_saved_model")
def contains_saved_model(export_dir: Any) -> bool:
    """Whether a directory contains a SavedModel; does not check its content."""
    folder = as_text(path_to_str(export_dir))
    names = (constants.SAVED_MODEL_FILENAME_PB, constants.SAVED_MODEL_FILENAME_PBTXT)
    return any(files.exists(os.path.join(folder, name)) for name in names)


@export("saved_model.maybe_saved_model_directory", "saved_model.loader.maybe_saved_model_directory")
def maybe_saved_model_directory(export_dir: Any) -> bool:
    """The older name of `tf.saved_model.contains_saved_model`."""
    return contains_saved_model(export_dir)


# ---------------------------------------------------------------- init and train ops


def get_init_op(meta_graph_def: Any, import_scope: str | None = None) -> Any:
    """The operation to run after importing the graph and restoring its variables, or None.

    Raises:
        RuntimeError: there are several.
    """
    found = _op_of_signature(meta_graph_def, constants.INIT_OP_SIGNATURE_KEY, import_scope)
    for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
        found = found if found is not None else _op_of_collection(meta_graph_def, key)
    return found


def get_train_op(meta_graph_def: Any, import_scope: str | None = None) -> Any:
    """The operation or tensor that runs one training step, or None.

    Raises:
        RuntimeError: there are several.
    """
    found = _op_of_signature(meta_graph_def, constants.TRAIN_OP_SIGNATURE_KEY, import_scope)
    return found if found is not None else _op_of_collection(meta_graph_def, constants.TRAIN_OP_KEY)


def _op_of_signature(meta_graph: Any, key: str, scope: str | None) -> Any:
    """The operation or tensor that a model stores under a reserved signature key.

    Raises:
        NotFoundError: the graph has no such operation.
    """
    if key not in meta_graph.signature_def or key not in meta_graph.signature_def[key].outputs:
        return None
    return load_op_from_signature_def(meta_graph.signature_def[key], key, scope)


def _op_of_collection(meta_graph: Any, key: str) -> Any:
    if key not in meta_graph.collection_def:
        return None
    items = get_collection(key)
    if len(items) != 1:
        raise RuntimeError(f"One operation is wanted in the collection {key!r}, got {items}")
    return items[0]


# ---------------------------------------------------------------- loading


class SavedModelLoader:
    """Loads graphs of a SavedModel, in one call or in three: the graph, its variables, the init op.

    Args:
        export_dir: the directory of the model.

    Raises:
        OSError: the model does not exist.
    """

    def __init__(self, export_dir: Any) -> None:
        self._export_dir = as_text(path_to_str(export_dir))
        self._saved_model = parse_saved_model(self._export_dir)

    @property
    def export_dir(self) -> str:
        """The directory."""
        return self._export_dir

    @property
    def variables_path(self) -> str:
        """The prefix of the variables' files."""
        return os.path.join(self._export_dir, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME)

    @property
    def saved_model(self) -> Any:
        """The SavedModel message."""
        return self._saved_model

    def get_meta_graph_def_from_tags(self, tags: Iterable[str]) -> Any:
        """The MetaGraphDef with exactly these tags.

        Raises:
            RuntimeError: there is none.
        """
        wanted = set(tags)
        for graph in self._saved_model.meta_graphs:
            if set(graph.meta_info_def.tags) == wanted:
                return graph
        there = [list(graph.meta_info_def.tags) for graph in self._saved_model.meta_graphs]
        asked = ", ".join(sorted(map(repr, wanted)))
        raise RuntimeError(f"a graph with the tags {asked} could not be found in SavedModel "
                           f"{self._export_dir}: it has graphs with the tags {there}")  # fmt: skip

    def load_graph(
        self, graph: Graph, tags: Iterable[str], import_scope: str | None = None, **saver_kwargs: Any
    ) -> tuple[Saver | None, list[Any] | None]:
        """Imports a graph of the model into another graph.

        Args:
            graph: the graph to import into.
            tags: the tags of the graph.
            import_scope: the prefix of all names.
            **saver_kwargs: additional arguments of `tf.train.import_meta_graph`; and `return_elements`, names of
                elements to return.

        Returns:
            The saver of the variables, None without variables; and the elements of `return_elements`, or None.
        """
        message = self.get_meta_graph_def_from_tags(tags)
        with graph.as_default():
            return import_with_elements(message, import_scope=import_scope, **saver_kwargs)

    def restore_variables(self, sess: Any, saver: Saver | None, import_scope: str | None = None) -> None:
        """Restores the variables of the model.

        Args:
            sess: the session to restore into.
            saver: the saver that `load_graph` returned.
            import_scope: the name scope of the imported graph.

        Raises:
            ValueError: there are variables, but no saver.
        """
        with sess.graph.as_default():
            if saver is None and not saveable_objects(import_scope):
                logging.info(f"{self._export_dir}: the graph has no variables to restore")
            elif isinstance(saver, Saver):
                saver.restore(sess, self.variables_path)
            else:
                raise ValueError(f"A tf.train.Saver is needed to restore the variables of the graph, not {saver!r}")

    def run_init_ops(self, sess: Any, tags: Iterable[str], import_scope: str | None = None) -> None:
        """Runs the model's init op, with the paths of its assets fed."""
        message = self.get_meta_graph_def_from_tags(tags)
        with sess.graph.as_default():
            feeds = asset_feeds(message, self._export_dir, import_scope)
            init_op = get_init_op(message, import_scope)
            if init_op is not None:
                sess.run(fetches=[init_op], feed_dict=feeds)

    def load(self, sess: Any, tags: Iterable[str], import_scope: str | None = None, **saver_kwargs: Any) -> Any:
        """All three steps; returns the MetaGraphDef, with stripped default attrs added."""
        tags = list(tags)
        saver, _ = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
        self.restore_variables(sess, saver, import_scope)
        self.run_init_ops(sess, tags, import_scope)
        return with_our_types(with_defaults(self.get_meta_graph_def_from_tags(tags)))


def with_defaults(meta_graph: Any) -> Any:
    """Adds the default attrs that the nodes of a MetaGraphDef lack; returns it."""
    functions = {function.signature.name for function in meta_graph.graph_def.library.function}
    missing: dict[str, list[Any]] = {}
    for node in meta_graph.graph_def.node:
        if node.op in functions:
            continue
        if node.op not in missing:
            missing[node.op] = [attr for attr in encode.op_def(lookup(node.op)).attr if attr.HasField("default_value")]
        for attr in missing[node.op]:
            if attr.name not in node.attr:
                node.attr[attr.name].CopyFrom(attr.default_value)
    return meta_graph


def with_our_types(meta_graph: Any) -> Any:
    """Renames TensorFlow's asset message to the one here, so that programs can unpack it; returns the MetaGraphDef."""
    ours = proto.meta_graph_pb2.AssetFileDef.DESCRIPTOR.full_name
    for entry in meta_graph.collection_def.values():
        for item in entry.any_list.value:
            item.type_url = item.type_url.replace("tensorflow.AssetFileDef", ours)
    return meta_graph


@export("saved_model.load", "saved_model.loader.load")
def load(sess: Any, tags: Iterable[str], export_dir: Any, import_scope: str | None = None, **saver_kwargs: Any) -> Any:
    """Loads a SavedModel into a session: imports a graph, restores its variables and runs its init op.

    Models of TensorFlow 2 can be loaded too, by their signatures.

    >>> x = tf.placeholder(tf.float32, [None], name="x")
    >>> with tf.Session() as sess:
    ...     tf.saved_model.simple_save(sess, "memory://thirds", {"x": x}, {"y": x / 3.0})
    >>> with tf.Session(graph=tf.Graph()) as sess:
    ...     model = tf.saved_model.load(sess, [tf.saved_model.SERVING], "memory://thirds")
    ...     signature = model.signature_def["serving_default"]
    ...     sess.run(signature.outputs["y"].name, {signature.inputs["x"].name: [6.0]})
    array([2.], dtype=float32)

    Args:
        sess: the session.
        tags: the tags of the graph.
        export_dir: the directory of the model.
        import_scope: the prefix of all names.
        **saver_kwargs: additional arguments of `tf.train.import_meta_graph`.

    Returns:
        The MetaGraphDef.

    Raises:
        OSError: the model does not exist, or cannot be read.
        RuntimeError: the model has no graph with these tags.
    """
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)
