"""Exports models: the graphs of one or several modes as a SavedModel in a new directory."""
from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from evergraph.base import errors, files, logging
from evergraph.base.text import as_bytes, as_text, path_to_str
from evergraph.estimator.export.signatures import TAGS, build_all_signature_defs, outputs_for
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.graph.graph import Graph
from evergraph.run.session import Session
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_builder import SavedModelBuilder
from evergraph.save.saver import Saver
from evergraph.train.scaffold import Scaffold, default_init_op

Build = Callable[[Callable[[], Any], str, "str | None"], tuple[Any, Any]]
"""Builds the model of a mode in the default graph, given the function of its input, the mode and the checkpoint."""

_TRIES = 10


def export_models(build: Build, receiver_fns: Mapping[str, Callable[[], Any]], export_dir_base: Any,
                  checkpoint_path: str | None, session_config: Any, assets_extra: Mapping[str, Any] | None,
                  text: bool, strip_default_attrs: bool) -> bytes:
    """Writes a SavedModel with the graph of each mode; gives its directory, which appears when it is complete.

    Args:
        build: builds the model and its input; gives (receiver, EstimatorSpec).
        receiver_fns: mode -> function that builds its input.
        export_dir_base: where to make the directory.
        checkpoint_path: the checkpoint; None initializes the variables.
        session_config: the ConfigProto of the session.
        assets_extra: files to add: path below "assets.extra" -> path of the file.
        text: whether the message is written as text.
        strip_default_attrs: whether to drop attrs with default values from the graphs.

    Raises:
        ValueError: there is no function, or the checkpoint lacks variables that a mode has.
    """
    # The graph for training has the most variables, and the first graph writes them for all.
    modes = [mode for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT) if receiver_fns.get(mode)]
    if not modes:
        raise ValueError(f"none of the modes {sorted(receiver_fns)} can be exported")
    folder = get_timestamped_export_dir(export_dir_base)
    unfinished = get_temp_export_dir(folder)
    builder = SavedModelBuilder(unfinished)
    for mode in modes:
        with Graph().as_default():
            receiver, spec = build(receiver_fns[mode], mode, checkpoint_path)
            _add_graph(builder, mode, receiver, spec, checkpoint_path, session_config, strip_default_attrs,
                       is_first=mode == modes[0])
    builder.save(text)
    _add_files(unfinished, assets_extra)
    files.rename(unfinished, folder)
    return folder


def _add_graph(builder: SavedModelBuilder, mode: str, receiver: Any, spec: Any, checkpoint_path: str | None,
               session_config: Any, strip_default_attrs: bool, is_first: bool) -> None:
    """Adds the default graph to the model, the first one with its variables."""
    outputs = outputs_for(mode, spec.export_outputs, spec.predictions, spec.loss, spec.eval_metric_ops)
    signatures = build_all_signature_defs(
        receiver.receiver_tensors, outputs, getattr(receiver, "receiver_tensors_alternatives", None),
        serving_only=mode == ModeKeys.PREDICT)
    if spec.train_op is not None:
        add_to_collection(constants.TRAIN_OP_KEY, spec.train_op)
    main_op = spec.scaffold.local_init_op
    graph = {
        "tags": TAGS[mode], "signature_def_map": signatures,
        "assets_collection": get_collection(GraphKeys.ASSET_FILEPATHS),
        "main_op": Scaffold.default_local_init_op() if main_op is None else main_op,
        "saver": spec.scaffold.saver or Saver(sharded=True, allow_empty=True),
        "strip_default_attrs": strip_default_attrs}
    with Session(config=session_config) as session:
        _set_variables(session, graph["saver"], mode, spec.scaffold, checkpoint_path)
        if is_first:
            builder.add_meta_graph_and_variables(session, **graph)
        else:
            builder.add_meta_graph(**graph)


def _set_variables(session: Any, saver: Any, mode: str, scaffold: Scaffold, checkpoint_path: str | None) -> None:
    if checkpoint_path is None:
        session.run(scaffold.init_op if scaffold.init_op is not None else default_init_op())
        return
    try:
        saver.restore(session, checkpoint_path)
    except errors.NotFoundError as error:
        raise ValueError(f"Could not load all requested variables: model_fn in mode `{mode}` creates some that the "
                         f"checkpoint `{checkpoint_path}` does not hold:\n\n{error}") from error


def _add_files(folder: bytes, assets_extra: Mapping[str, Any] | None) -> None:
    for name, source in (assets_extra or {}).items():
        target = os.path.join(as_text(folder), "assets.extra", as_text(name))
        files.makedirs(os.path.dirname(target))
        files.copy(source, target)


# ---- directories


def get_timestamped_export_dir(export_dir_base: Any) -> bytes:
    """The path of a directory that does not exist yet, whose name is the time in seconds.

    Raises:
        RuntimeError: those of the last seconds all exist.
    """
    base = as_bytes(path_to_str(export_dir_base))
    for attempt in range(_TRIES):
        folder = os.path.join(base, as_bytes(str(int(time.time()))))
        if not files.exists(folder):
            return folder
        logging.warning("the folder %s is taken (try %d of %d)", as_text(folder), attempt + 1, _TRIES)
        time.sleep(1)
    raise RuntimeError(f"every folder for the export was taken in {_TRIES} tries")


def get_temp_export_dir(timestamped_export_dir: bytes) -> bytes:
    """The directory that an export is written to before it gets its name: "temp-<time>" beside it."""
    base, name = os.path.split(as_bytes(timestamped_export_dir))
    return os.path.join(base, b"temp-" + name)
