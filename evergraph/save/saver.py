"""tf.train.Saver: saves the variables of a session to checkpoints and restores them."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import errors, files, logging
from evergraph.base.export import export
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.variables.base import within_scope, without_scope
from evergraph.graph.convert import constant
from evergraph.graph.graph import default_graph
from evergraph.save import meta_graph, state
from evergraph.save.builder import SHARDS, BulkSaverBuilder
from evergraph.save.fit import check_shapes
from evergraph.save.object_message import keys_by_name
from evergraph.save.proto_functions import register_proto_function
from evergraph.save.saveables import names_of, saveables_of
from evergraph.save.state import V1, V2

_NAMES = ("filename_tensor_name", "save_tensor_name", "restore_op_name")


@export("train.Saver", "contrib.slim.learning.tf_saver.Saver")
class Saver:
    """Saves variables to checkpoints and restores them.

    A checkpoint is a set of files with a common prefix. The file `checkpoint` of the directory lists the existing
    checkpoints and the latest. A program that crashes during a save leaves the previous checkpoint intact.

    >>> w = tf.get_variable("w", initializer=[1.0, 2.0])
    >>> saver = tf.train.Saver()
    >>> with tf.Session() as sess:
    ...     sess.run(tf.global_variables_initializer())
    ...     path = saver.save(sess, "/tmp/evergraph_model", global_step=3)
    >>> with tf.Session() as sess:
    ...     saver.restore(sess, path)
    ...     sess.run(w)
    array([1., 2.], dtype=float32)

    Args:
        var_list: the variables and saveable objects, as a list or as a dictionary from their names in the checkpoint.
            By default all global variables and everything in the collection SAVEABLE_OBJECTS.
        reshape: whether to reshape restored values to the variable's shape, if the number of elements is the same.
        sharded: whether to write one file per device.
        max_to_keep: the number of checkpoints to keep; 0 or None keeps all.
        keep_checkpoint_every_n_hours: the interval in hours after which one checkpoint is kept permanently.
        name: the name scope of the new nodes, "save" by default.
        restore_sequentially: has no effect: a step runs its operations sequentially.
        saver_def: a SaverDef whose nodes are already in the graph.
        builder: the builder of the nodes, with the methods of `BaseSaverBuilder`.
        defer_build: whether to add the nodes only when `build` is called.
        allow_empty: whether a saver without variables is allowed, and does nothing; otherwise it is an error.
        write_version: the file format, `tf.train.SaverDef.V2` or `V1`.
        pad_step_number: whether to pad step numbers to eight digits, so that names sort by step.
        save_relative_paths: whether the `checkpoint` file has paths relative to its directory.
        filename: the default path, used if none is fed.

    Raises:
        TypeError: `var_list` has items of other types.
        ValueError: two variables have the same name, or there are none.
    """

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: Any = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: int = V2,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
    ) -> None:
        if defer_build and var_list:
            raise ValueError("a Saver that is built later (defer_build) takes all variables there are then: give it no "
                             "var_list")  # fmt: skip
        self._var_list, self._reshape, self._sharded = var_list, reshape, sharded
        self._max_to_keep, self._keep_hours = max_to_keep, keep_checkpoint_every_n_hours
        self._name, self._restore_sequentially, self._builder = name, restore_sequentially, builder
        self.saver_def, self._allow_empty, self._write_version = saver_def, allow_empty, write_version
        self._pad_step_number, self._save_relative_paths = pad_step_number, save_relative_paths
        self._filename = filename
        self._is_built = self._is_empty = False
        self._last_checkpoints: list[tuple[str, float]] = []
        self._to_be_deleted: list[tuple[str, float]] = []
        self._next_checkpoint_time = 0.0
        self._for_objects: dict[Any, Saver] = {}
        if saver_def is not None:
            self._take(saver_def)
        if not defer_build:
            self.build()

    # ---- nodes

    def build(self) -> None:
        """Adds the nodes to the default graph, for savers created with `defer_build`."""
        if self._is_built:
            return
        self._is_built = True
        if self.saver_def is None:
            self._build_nodes()
        elif self._name:
            scoped = proto.saver_pb2.SaverDef.FromString(self.saver_def.SerializeToString())
            for field in _NAMES:
                setattr(scoped, field, within_scope(getattr(scoped, field), self._name))
            self.saver_def = scoped
        if self.saver_def is not None:
            _check(self.saver_def)
            self._next_checkpoint_time = time.time() + self.saver_def.keep_checkpoint_every_n_hours * 3600

    def _build_nodes(self) -> None:
        if default_graph().is_eager:
            if self._var_list is None:
                raise RuntimeError("an eager Saver needs var_list, a list or dict of the variables, got None")
            return
        items = saveable_objects() if self._var_list is None else self._var_list
        if not items and isinstance(items, (list, tuple, dict, set)):
            if not self._allow_empty:
                raise ValueError("No variables to save")
            self._is_empty = True
            return
        builder = self._builder or BulkSaverBuilder(self._write_version)
        self.saver_def = builder.build(
            items, reshape=self._reshape, sharded=self._sharded, max_to_keep=self._max_to_keep,
            keep_checkpoint_every_n_hours=self._keep_hours, name=self._name,
            restore_sequentially=self._restore_sequentially, filename=self._filename or "model")  # fmt: skip

    def _take(self, saver_def: Any) -> None:
        """The settings of a SaverDef take precedence over the arguments."""
        _check(saver_def)
        self._sharded, self._max_to_keep = saver_def.sharded, saver_def.max_to_keep
        self._keep_hours, self._write_version = saver_def.keep_checkpoint_every_n_hours, saver_def.version

    # ---- saving

    def save(
        self,
        sess: Any,
        save_path: Any,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str | None:
        """Saves the variables of a session to a checkpoint.

        Args:
            sess: the session; None with eager execution.
            save_path: the prefix of the file names.
            global_step: a number, or a tensor or variable with it, to append to `save_path`.
            latest_filename: the name of the state file, "checkpoint" by default.
            meta_graph_suffix: the suffix of the MetaGraphDef file.
            write_meta_graph: whether to write the graph too.
            write_state: whether to make this the directory's latest checkpoint and remove those beyond `max_to_keep`.
            strip_default_attrs: whether to drop attrs with default values from the MetaGraphDef.
            save_debug_info: not supported with `write_meta_graph`: evergraph has no debug information.

        Returns:
            The path to pass to `restore`; None if the saver is empty.

        Raises:
            RuntimeError: the saver is not built.
            TypeError: `sess` is not a session.
            ValueError: the directory cannot be created, or `latest_filename` is invalid.
        """
        if not self._is_built:
            raise RuntimeError("a Saver made with defer_build saves after build()")
        save_path = _text(save_path)
        latest_filename = state.STATE_FILE if latest_filename is None else latest_filename
        if default_graph().is_eager:
            write_meta_graph = False  # there is no graph
        else:
            _check_session(sess)
        self._check_latest_filename(latest_filename, save_path, global_step)
        path = self._numbered(sess, save_path, global_step)
        written = None if self._is_empty else self._write(sess, path)
        if write_meta_graph:
            with sess.graph.as_default():
                self.export_meta_graph(
                    state.meta_graph_filename(path, meta_graph_suffix), strip_default_attrs=strip_default_attrs,
                    save_debug_info=save_debug_info)  # fmt: skip
        if written is not None and write_state:
            self._record(written)
            state.write_state(os.path.dirname(save_path), written, self.last_checkpoints, latest_filename,
                              self._save_relative_paths)  # fmt: skip
            self._remove_old(meta_graph_suffix)
        return written

    def _check_latest_filename(self, latest: str, save_path: str, global_step: Any) -> None:
        if os.path.split(latest)[0]:
            raise ValueError(f"latest_filename must be a file name without folders, got '{latest}'")
        if global_step is None and os.path.basename(save_path) == latest and not self._sharded:
            raise ValueError(f"'latest_filename' collides with 'save_path': '{latest}' and '{save_path}'")

    def _numbered(self, sess: Any, save_path: str, global_step: Any) -> str:
        if global_step is None:
            return save_path
        if not isinstance(global_step, (int, np.integer)) and default_graph().is_eager:
            global_step = int(global_step)
        if not isinstance(global_step, (int, np.integer)):
            global_step = int(sess.run(global_step))
        return f"{save_path}-{global_step:08d}" if self._pad_step_number else f"{save_path}-{global_step:d}"

    def _write(self, sess: Any, path: str) -> str:
        if self._write_version == V1:
            logging.warning("writing the older of the two formats; write_version=tf.train.SaverDef.V2 is the newer")
        try:
            if default_graph().is_eager:
                builder = self._builder or BulkSaverBuilder(self._write_version)
                return _text(builder._add_save(constant(path), saveables_of(self._var_list)).numpy())
            return _text(sess.run(self.saver_def.save_tensor_name, {self.saver_def.filename_tensor_name: path}))
        except (errors.FailedPreconditionError, errors.NotFoundError):
            if not files.isdir(os.path.dirname(path) or "."):
                raise ValueError(f"Parent directory of {path} doesn't exist, can't save.") from None
            raise
        except errors.OpError:
            unmerged = os.path.dirname(path + SHARDS)
            if files.isdir(unmerged):
                files.rmtree(unmerged)
            raise

    # ---- the list of checkpoints

    def _record(self, path: str) -> None:
        if not self._max_to_keep:
            return
        self._last_checkpoints = [pair for pair in self._last_checkpoints if pair[0] != path]
        self._last_checkpoints.append((path, time.time()))
        if len(self._last_checkpoints) > self._max_to_keep:
            self._to_be_deleted.append(self._last_checkpoints.pop(0))

    def _remove_old(self, meta_graph_suffix: str) -> None:
        """Removes the oldest checkpoint beyond `max_to_keep`, unless it is due to be kept permanently."""
        if not self._to_be_deleted:
            return
        path, written_at = self._to_be_deleted.pop(0)
        if written_at > self._next_checkpoint_time:
            self._next_checkpoint_time += self._keep_hours * 3600
            return
        try:
            state.remove_checkpoint(path, self._write_version, meta_graph_suffix)
        except (OSError, errors.OpError) as error:
            logging.warning(f"Ignoring: {error}")

    @property
    def last_checkpoints(self) -> list[str]:
        """The checkpoints that this saver wrote and has not removed, oldest first."""
        return [path for path, _ in self._last_checkpoints]

    def set_last_checkpoints(self, last_checkpoints: Sequence[str]) -> None:
        """Sets the list of checkpoints, without timestamps; none of them will be kept permanently."""
        if not isinstance(last_checkpoints, list):
            raise AssertionError("a list of paths is wanted")
        self._last_checkpoints = [(path, np.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: Sequence[tuple[str, float]]) -> None:
        """Sets the list of checkpoints, with their timestamps in seconds since the epoch."""
        if not isinstance(last_checkpoints_with_time, list):
            raise AssertionError("a list of (path, time) is wanted")
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths: Iterable[str]) -> None:
        """Takes over the existing ones of these checkpoints, written by another saver."""
        there = [path for path in checkpoint_paths if state.checkpoint_exists(path)]
        self.set_last_checkpoints_with_time(list(zip(there, state.get_checkpoint_mtimes(there))))

    # ---- restoring

    def restore(self, sess: Any, save_path: Any) -> None:
        """Restores the variables of a session from a checkpoint. They need not be initialized.

        Args:
            sess: the session; None with eager execution.
            save_path: a path that `save` or `tf.train.latest_checkpoint` returned.

        Raises:
            ValueError: the checkpoint does not exist.
            NotFoundError: a variable is not in the checkpoint.
            InvalidArgumentError: a variable's shape or dtype differs.
            DataLossError, OutOfRangeError: the checkpoint is corrupt.
        """
        if self._is_empty:
            return
        if save_path is None:
            raise ValueError("save_path is None: there is nothing to restore")
        path = _text(save_path)
        if not state.checkpoint_exists(path):
            advice = f". {_advice(path)}" if files.glob(f"{path}.*") else ""
            raise ValueError(f"The passed save_path is not a valid checkpoint: {path}{advice}")
        logging.info(f"Restoring parameters from {path}")
        try:
            if default_graph().is_eager:
                builder = self._builder or BulkSaverBuilder(self._write_version)
                builder._add_restore(constant(path), saveables_of(self._var_list), False, self._reshape)
                return
            check_shapes(sess.graph, self.saver_def.restore_op_name, path)
            sess.run(self.saver_def.restore_op_name, {self.saver_def.filename_tensor_name: path})
        except (errors.DataLossError, errors.OutOfRangeError) as error:
            raise _damaged(error, path) from None
        except errors.NotFoundError as error:
            if not files.glob(f"{path}.data-*") and files.exists(f"{path}.index"):
                raise _damaged(error, path) from None
            keys = keys_by_name(path)
            if keys is not None:
                self._restore_objects(sess, path, keys)
                return
            raise _explained(error, "a name that the checkpoint does not have") from None
        except errors.InvalidArgumentError as error:
            raise _explained(error, "a shape or dtype that is another in the checkpoint") from None

    def _restore_objects(self, sess: Any, path: str, keys: dict[str, str]) -> None:
        """Restores from an object-based checkpoint, by the names that the variables had."""
        with contextlib.nullcontext() if default_graph().is_eager else sess.graph.as_default():
            items = self._var_list if self._var_list is not None else saveable_objects()
            named = items if isinstance(items, dict) else names_of(items)
            missing = sorted(named.keys() - keys.keys())
            if missing:
                reason = f"{path} is a checkpoint of objects without variables named {', '.join(missing)}"
                raise errors.NotFoundError(None, None, reason)
            used = tuple((name, keys[name]) for name in sorted(named))
            if used not in self._for_objects:
                self._for_objects[used] = Saver({key: named[name] for name, key in used})
        self._for_objects[used].restore(sess, path)

    # ---- messages

    def as_saver_def(self) -> Any:
        """The SaverDef message that describes the nodes."""
        return self.saver_def

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The SaverDef message with names relative to `export_scope`; None if the nodes are outside."""
        if export_scope is None:
            return self.saver_def
        if not self.saver_def.filename_tensor_name.startswith(export_scope):
            return None
        message = proto.saver_pb2.SaverDef.FromString(self.saver_def.SerializeToString())
        for field in _NAMES:
            setattr(message, field, without_scope(getattr(message, field), export_scope))
        return message

    @staticmethod
    def from_proto(saver_def: Any, import_scope: str | None = None) -> Saver:
        """The saver of a SaverDef; its nodes must be in the graph, below `import_scope`."""
        return Saver(saver_def=saver_def, name=import_scope)

    def export_meta_graph(
        self,
        filename: str | None = None,
        collection_list: Iterable[str] | None = None,
        as_text: bool = False,
        export_scope: str | None = None,
        clear_devices: bool = False,
        clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> Any:
        """Exports the default graph as a MetaGraphDef with this saver; see `tf.train.export_meta_graph`."""
        return meta_graph.export_meta_graph(
            filename=filename, saver_def=self.saver_def, collection_list=collection_list, as_text=as_text,
            export_scope=export_scope, clear_devices=clear_devices, clear_extraneous_savers=clear_extraneous_savers,
            strip_default_attrs=strip_default_attrs, save_debug_info=save_debug_info)  # fmt: skip


register_proto_function(GraphKeys.SAVERS, proto.saver_pb2.SaverDef, Saver.to_proto, Saver.from_proto)


def saveable_objects(scope: str | None = None) -> list[Any]:
    """The variables and saveable objects that a saver of the default graph saves."""
    graph = default_graph()
    return [*graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope),
            *graph.get_collection(GraphKeys.SAVEABLE_OBJECTS, scope)]  # fmt: skip


def _text(value: Any) -> str:
    value = value.item() if isinstance(value, np.ndarray) else os.fspath(value)
    return value.decode() if isinstance(value, bytes) else value


def _check_session(sess: Any) -> None:
    if not all(hasattr(sess, name) for name in ("graph", "sess_str", "run")):
        raise TypeError(f"'sess' must be a Session; {sess}")


def _check(saver_def: Any) -> None:
    if not isinstance(saver_def, proto.saver_pb2.SaverDef):
        raise ValueError(f"saver_def must be a SaverDef message, got {saver_def!r}")
    if not saver_def.save_tensor_name:
        raise ValueError(f"saver_def has no save_tensor_name, got {saver_def}")
    if not saver_def.restore_op_name:
        raise ValueError(f"saver_def has no restore_op_name, got {saver_def}")


def _explained(error: Any, cause: str) -> Exception:
    return type(error)(
        error.node_def, error.op,
        "Restoring from checkpoint failed: a mismatch between the current graph and the graph that was saved. "
        f"The graph asks for {cause}.\n\n{error.message}")  # fmt: skip


def _damaged(error: Any, path: str) -> Exception:
    return type(error)(error.node_def, error.op, f"{error.message}\n\n{_advice(path)}")


def _advice(path: str) -> str:
    """What to do about a damaged checkpoint: which others there are, and how to go on from them."""
    folder, name = os.path.split(path)
    known = state.get_checkpoint_state(folder)
    others = [each for each in (known.all_model_checkpoint_paths if known else ()) if each != path]
    others = [each for each in others if files.exists(f"{each}.index")]
    if not others:
        return f"The checkpoint {path} is damaged or incomplete, and {folder} has no other. Remove the files {path}.*"
    return (f"The checkpoint {path} is damaged or incomplete. To go on from an earlier one, write its name as "
            f"model_checkpoint_path in {os.path.join(folder, state.STATE_FILE)} in place of {name}; there are: "
            f"{', '.join(map(os.path.basename, others))}")  # fmt: skip


# ---- importing graphs


@export("train.import_meta_graph")
def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None, **kwargs: Any
) -> Saver | None:
    """Imports the graph and the collections of a MetaGraphDef into the default graph.

    Args:
        meta_graph_or_file: the message, or the name of a file with one.
        clear_devices: whether to drop the nodes' devices.
        import_scope: the prefix of all names.
        **kwargs: `input_map`, as in `tf.import_graph_def`; `graph`, the graph to import into; and the other arguments
            of `import_scoped_meta_graph`.

    Returns:
        The saver of the message; a new one if it has variables but no saver; None without variables.

    Raises:
        OSError: the file does not exist, or is not a MetaGraphDef.
        ValueError: the message contradicts itself, or has inputs that `input_map` does not map.
    """
    return import_with_elements(meta_graph_or_file, clear_devices, import_scope, **kwargs)[0]


def import_with_elements(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None,
    return_elements: Iterable[str] | None = None, **kwargs: Any,
) -> tuple[Saver | None, list[Any] | None]:  # fmt: skip
    """The result of `tf.train.import_meta_graph`, and the requested elements of the graph."""
    message = meta_graph_or_file
    if not isinstance(message, proto.meta_graph_pb2.MetaGraphDef):
        message = meta_graph.read(message)
    graph = kwargs.get("graph") or default_graph()
    scope = meta_graph.scope_for(graph, import_scope)
    variables, elements = meta_graph.import_scoped_meta_graph(
        message, clear_devices, import_scope=import_scope, return_elements=return_elements or [], **kwargs)  # fmt: skip
    elements = elements if return_elements is not None else None
    with graph.as_default():
        if message.HasField("saver_def"):
            return Saver(saver_def=message.saver_def, name=scope), elements
        if variables or saveable_objects(f"{scope}/" if scope else None):
            return Saver(), elements
    logging.info("the graph has no variables, so there is no Saver")
    return None, elements
