"""`tensorflow.python.tools.freeze_graph`: TensorFlow's tool to freeze a model's files, with its arguments."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from evergraph.base import errors
from evergraph.formats.replace import replace_file
from evergraph.save import saved_model_constants as constants
from evergraph.save.freezing import Wish, frozen, write_graph_def


def freeze_graph(
    input_graph: str | None, input_saver: str, input_binary: bool, input_checkpoint: str | None, output_node_names: str,
    restore_op_name: str | None, filename_tensor_name: str | None, output_graph: str, clear_devices: bool,
    initializer_nodes: str, variable_names_whitelist: str = "", variable_names_blacklist: str = "",
    input_meta_graph: str | None = None, input_saved_model_dir: str | None = None,
    saved_model_tags: str = constants.SERVING, checkpoint_version: int = 2,
) -> Any:  # fmt: skip
    """Writes a frozen graph, whose variables are constants, and returns its GraphDef.

    Args:
        input_graph: a file with a GraphDef, whose variables are in `input_checkpoint`.
        input_checkpoint: the path of a checkpoint.
        output_node_names: the output nodes, separated by commas; they are kept with their dependencies.
        output_graph: the path to write to; empty for none.
        clear_devices: whether to drop the nodes' devices.
        variable_names_whitelist, variable_names_blacklist: the variables to convert; those not to convert.
        input_meta_graph: a file with a MetaGraphDef, instead of `input_graph`.
        input_saved_model_dir: a SavedModel, instead of `input_graph` and `input_checkpoint`.
        saved_model_tags: the tags of its graph, separated by commas.
        input_binary, checkpoint_version: have no effect: the file format is detected.
        restore_op_name, filename_tensor_name: have no effect, as in TensorFlow.
        input_saver, initializer_nodes: must be empty.

    Raises:
        UnimplementedError: `input_saver` or `initializer_nodes` is given.
        ValueError: there is no model, or it lacks a node.
        OpError, OSError: a file cannot be read or written.
    """
    for name, given in (("input_saver", input_saver), ("initializer_nodes", initializer_nodes)):
        if given:
            raise errors.UnimplementedError(None, None, f"freeze_graph: {name}={given!r} is not supported")
    model = input_saved_model_dir or input_meta_graph or input_graph
    if not model:
        raise ValueError("name the model: input_graph, input_meta_graph or input_saved_model_dir")
    wish = Wish(_listed(output_node_names), input_checkpoint, _listed(saved_model_tags),
                variables=_listed(variable_names_whitelist), left=_listed(variable_names_blacklist),
                clear_devices=bool(clear_devices))  # fmt: skip
    message = frozen(model, wish)
    if output_graph:
        write_graph_def(output_graph, message, None)
    return message


def freeze_graph_with_def_protos(
    input_graph_def: Any, input_saver_def: Any, input_checkpoint: str | None, output_node_names: str,
    restore_op_name: str | None, filename_tensor_name: str | None, output_graph: str, clear_devices: bool,
    initializer_nodes: str, variable_names_whitelist: str = "", variable_names_blacklist: str = "",
    input_meta_graph_def: Any = None, input_saved_model_dir: str | None = None, saved_model_tags: Any = None,
    checkpoint_version: int = 2,
) -> Any:  # fmt: skip
    """As `freeze_graph`, with messages in place of the files that hold them.

    Raises:
        UnimplementedError: `input_saver_def` or `initializer_nodes` is given.
        ValueError: there is no graph or checkpoint, or a node or variable is missing.
    """
    if input_saver_def is not None:
        raise errors.UnimplementedError(None, None, "freeze_graph: input_saver_def is not supported")
    if input_saved_model_dir:
        tags = saved_model_tags if isinstance(saved_model_tags, str) else ",".join(saved_model_tags or [])
        return freeze_graph(None, "", True, input_checkpoint, output_node_names, restore_op_name, filename_tensor_name,
                            output_graph, clear_devices, initializer_nodes, variable_names_whitelist,
                            variable_names_blacklist, None, input_saved_model_dir, tags or constants.SERVING)
    message, suffix = (input_meta_graph_def, ".meta") if input_meta_graph_def else (input_graph_def, ".pb")
    if message is None:
        raise ValueError("give input_graph_def, input_meta_graph_def or input_saved_model_dir")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"graph{suffix}")
        replace_file(path, message.SerializeToString())
        files = {"input_meta_graph": path} if input_meta_graph_def else {}
        try:
            return freeze_graph(None if files else path, "", True, input_checkpoint, output_node_names, restore_op_name,
                                filename_tensor_name, output_graph, clear_devices, initializer_nodes,
                                variable_names_whitelist, variable_names_blacklist, **files)
        except errors.NotFoundError as error:  # parts of a partitioned variable have no name of their own
            raise ValueError(f"the checkpoint lacks a variable of the graph: {error.message}") from error


def _listed(text: str) -> list[str]:
    return [word for word in text.replace(" ", "").split(",") if word]
