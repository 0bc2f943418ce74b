"""`tensorflow.python.tools.freeze_graph`: TensorFlow's tool to freeze a model's files, with its arguments."""

from __future__ import annotations

from typing import Any

from evergraph.base import errors
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


def _listed(text: str) -> list[str]:
    return [word for word in text.replace(" ", "").split(",") if word]
