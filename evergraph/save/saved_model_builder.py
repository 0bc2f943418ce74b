"""Writes SavedModels: graphs with signatures, shared variables, and assets.

The message that makes a directory a SavedModel is written last, atomically. A program that crashes before leaves a
directory that no loader accepts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from evergraph import proto
from evergraph.base import files, logging
from evergraph.base.export import export
from evergraph.base.text import as_bytes, as_text, path_to_str
from evergraph.formats.replace import replace_file
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.graph.node import Operation, Tensor
from evergraph.proto.text import to_text
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_assets import asset_defs, copy_assets, packed
from evergraph.save.saved_model_signatures import check_signatures, op_signature_def, predict_signature_def
from evergraph.save.saver import Saver, saveable_objects
from evergraph.save.state import V2


class _SavedModelBuilder:
    """Writes a SavedModel that stores init ops and assets in fields of the message.

    Args:
        export_dir: the directory of the new model.

    Raises:
        AssertionError: the directory is not empty.
    """

    def __init__(self, export_dir: Any) -> None:
        self._saved_model = proto.saved_model_pb2.SavedModel(
            saved_model_schema_version=constants.SAVED_MODEL_SCHEMA_VERSION)  # fmt: skip
        self._export_dir = as_text(path_to_str(export_dir))
        if files.exists(self._export_dir):
            if files.listdir(self._export_dir):
                raise AssertionError(f"There is something in {self._export_dir} already. A SavedModel is written to a "
                                     "directory that is new or empty.")  # fmt: skip
        else:
            files.makedirs(self._export_dir)
        self._has_saved_variables = False

    def add_meta_graph_and_variables(
        self,
        sess: Any,
        tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_list: Iterable[Tensor] | None = None,
        clear_devices: bool = False,
        init_op: Operation | None = None,
        train_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph, and writes the variables that all graphs of the model share.

        Args:
            sess: the session with the variables.
            tags: the tags that identify this graph.
            signature_def_map: name -> SignatureDef.
            assets_list: constant string tensors, the paths of files to copy.
            clear_devices: whether to drop the nodes' devices.
            init_op: an operation that a loader runs after restoring the variables.
            train_op: an operation or tensor that runs one training step.
            strip_default_attrs: whether to drop attrs with default values.
            saver: the saver of the variables; by default a new one for all of them.

        Raises:
            AssertionError: the variables are already written, or a signature has no tensors.
            KeyError: a signature has a reserved name.
            TypeError: an operation or an asset has the wrong type.
        """
        self._check_first()
        check_signatures(signature_def_map)
        _check_op(init_op)
        _check_train_op(train_op)
        definitions = self._save_assets(assets_list)
        saver = self._save_variables(sess, saver)
        message = self._exported(saver, clear_devices, strip_default_attrs)
        self._describe(message, tags, signature_def_map, definitions, init_op, train_op)

    def add_meta_graph(
        self,
        tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_list: Iterable[Tensor] | None = None,
        clear_devices: bool = False,
        init_op: Operation | None = None,
        train_op: Any = None,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph, which shares the variables already written. See `add_meta_graph_and_variables`."""
        self._check_later()
        check_signatures(signature_def_map)
        _check_op(init_op)
        _check_train_op(train_op)
        definitions = self._save_assets(assets_list)
        message = self._exported(saver or _default_saver(), clear_devices, False)
        self._describe(message, tags, signature_def_map, definitions, init_op, train_op)

    def _describe(
        self, message: Any, tags: Any, signatures: Any, assets: Iterable[Any], init_op: Any, train_op: Any
    ) -> None:
        """Adds tags, signatures, assets and ops to a MetaGraphDef."""
        _tag(message, tags, signatures)
        message.asset_file_def.extend(assets)
        for op, key in ((init_op, constants.INIT_OP_SIGNATURE_KEY), (train_op, constants.TRAIN_OP_SIGNATURE_KEY)):
            if op is not None:
                message.signature_def[key].CopyFrom(op_signature_def(op, key))

    # ---- common to both builders

    def _check_first(self) -> None:
        if self._has_saved_variables:
            raise AssertionError("The variables of this model are written already: add further graphs by "
                                 "add_meta_graph")  # fmt: skip

    def _check_later(self) -> None:
        if not self._has_saved_variables:
            raise AssertionError("The first graph of a model comes with its variables: add it by "
                                 "add_meta_graph_and_variables")  # fmt: skip

    def _save_assets(self, assets: Iterable[Tensor] | None) -> list[Any]:
        definitions, sources = asset_defs(assets or ())
        copy_assets(sources, self._export_dir)
        return definitions

    def _save_variables(self, sess: Any, saver: Saver | None) -> Saver:
        folder = os.path.join(self._export_dir, constants.VARIABLES_DIRECTORY)
        files.makedirs(folder)
        saver = saver or _default_saver()
        saver.save(sess, os.path.join(folder, constants.VARIABLES_FILENAME), write_meta_graph=False, write_state=False)
        self._has_saved_variables = True
        return saver

    def _exported(self, saver: Saver, clear_devices: bool, strip_default_attrs: bool) -> Any:
        message = saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)
        return self._saved_model.meta_graphs.append(message) or self._saved_model.meta_graphs[-1]

    def save(self, as_text: bool = False) -> bytes:
        """Writes the message that makes the directory a SavedModel, and returns its path.

        Args:
            as_text: whether to write protobuf's text format.
        """
        name = constants.SAVED_MODEL_FILENAME_PBTXT if as_text else constants.SAVED_MODEL_FILENAME_PB
        path = os.path.join(self._export_dir, name)
        text = to_text(self._saved_model).encode() if as_text else None
        files.makedirs(self._export_dir)
        replace_file(path, self._saved_model.SerializeToString(deterministic=True) if text is None else text)
        logging.info(f"SavedModel written to: {path}")
        return as_bytes(path)


@export("saved_model.Builder", "saved_model.builder.SavedModelBuilder")
class SavedModelBuilder(_SavedModelBuilder):
    """Writes a SavedModel: graphs with signatures, and shared variables.

    >>> x = tf.placeholder(tf.float32, [None], name="x")
    >>> y = x * tf.get_variable("w", initializer=2.0, use_resource=True)
    >>> builder = tf.saved_model.Builder("memory://twice")
    >>> with tf.Session() as sess:
    ...     sess.run(tf.global_variables_initializer())
    ...     signature = tf.saved_model.predict_signature_def({"x": x}, {"y": y})
    ...     builder.add_meta_graph_and_variables(sess, [tf.saved_model.SERVING], {"serving_default": signature})
    >>> builder.save()
    b'memory://twice/saved_model.pb'

    Args:
        export_dir: the directory of the new model.

    Raises:
        AssertionError: the directory is not empty.
    """

    def add_meta_graph_and_variables(  # type: ignore[override]
        self,
        sess: Any,
        tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Iterable[Tensor] | None = None,
        legacy_init_op: Operation | None = None,
        clear_devices: bool = False,
        main_op: Operation | None = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph, and writes the variables that all graphs of the model share.

        Args:
            sess: the session with the variables.
            tags: the tags that identify this graph.
            signature_def_map: name -> SignatureDef.
            assets_collection: constant string tensors, the paths of files to copy.
            legacy_init_op: the older name of `main_op`.
            clear_devices: whether to drop the nodes' devices.
            main_op: an operation that a loader runs after restoring the variables.
            strip_default_attrs: whether to drop attrs with default values.
            saver: the saver of the variables; by default a new one for all of them.

        Raises:
            AssertionError: the variables are already written, or a signature has no tensors.
            KeyError: a signature has a reserved name.
            TypeError: an operation or an asset has the wrong type.
            ValueError: the graph already has a main op.
        """
        self._check_first()
        check_signatures(signature_def_map)
        self._add_collections(assets_collection, main_op or legacy_init_op)
        saver = self._save_variables(sess, saver)
        _tag(self._exported(saver, clear_devices, strip_default_attrs), tags, signature_def_map)

    def add_meta_graph(  # type: ignore[override]
        self,
        tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Iterable[Tensor] | None = None,
        legacy_init_op: Operation | None = None,
        clear_devices: bool = False,
        main_op: Operation | None = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph, which shares the variables already written. See `add_meta_graph_and_variables`."""
        self._check_later()
        check_signatures(signature_def_map)
        self._add_collections(assets_collection, main_op or legacy_init_op)
        message = self._exported(saver or _default_saver(), clear_devices, strip_default_attrs)
        _tag(message, tags, signature_def_map)

    def _add_collections(self, assets: Iterable[Tensor] | None, main_op: Operation | None) -> None:
        """Stores assets and the main op in collections of the graph, where loaders before 1.13 look for them."""
        _check_op(main_op)
        if main_op is not None:
            for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
                if get_collection(key):
                    raise ValueError(f"Graph already contains an operation to run, in its collection {key!r}")
        for definition in self._save_assets(assets):
            add_to_collection(constants.ASSETS_KEY, packed(definition))
        if main_op is not None:
            add_to_collection(constants.MAIN_OP_KEY, main_op)


def _default_saver() -> Saver:
    return Saver(saveable_objects(), sharded=True, write_version=V2, allow_empty=True)


def _tag(message: Any, tags: Iterable[str], signatures: Mapping[str, Any] | None) -> None:
    message.meta_info_def.tags.extend(tags)
    for key, signature in (signatures or {}).items():
        message.signature_def[key].CopyFrom(signature)


def _check_op(op: Any) -> None:
    if op is not None and not isinstance(op, Operation):
        raise TypeError(f"What runs when a model is loaded is an Operation, not {op!r}")


def _check_train_op(op: Any) -> None:
    if op is not None and not isinstance(op, (Operation, Tensor)):
        raise TypeError(f"train_op is an Operation or Tensor, not {op!r}")


@export("saved_model.simple_save")
def simple_save(
    session: Any,
    export_dir: Any,
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    legacy_init_op: Operation | None = None,
) -> None:
    """Writes a SavedModel of the default graph with one signature, `serving_default`, and the tag `serve`.

    >>> x = tf.placeholder(tf.float32, [None], name="x")
    >>> with tf.Session() as sess:
    ...     tf.saved_model.simple_save(sess, "memory://halves", {"x": x}, {"y": x / 2.0})

    Args:
        session: the session with the variables.
        export_dir: the directory of the new model.
        inputs: name -> tensor.
        outputs: name -> tensor.
        legacy_init_op: an operation that a loader runs after restoring the variables.
    """
    signature = predict_signature_def(inputs, outputs)
    assets = get_collection(GraphKeys.ASSET_FILEPATHS)
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session, [constants.SERVING], {constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature}, assets,
        main_op=legacy_init_op, clear_devices=True)  # fmt: skip
    builder.save()
