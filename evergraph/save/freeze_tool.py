"""`tensorflow.python.tools.freeze_graph`: one file from a model's files, by the arguments of TensorFlow's tool."""

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
    """Writes a graph whose variables are constants, and returns its GraphDef.

    Args:
        input_graph: a file with a GraphDef, whose variables are in `input_checkpoint`.
        input_checkpoint: the path of a checkpoint.
        output_node_names: the nodes to keep, with what they need, separated by commas.
        output_graph: where to write; nowhere when empty.
        clear_devices: whether to leave out on which devices nodes run.
        variable_names_whitelist, variable_names_blacklist: the only variables to convert; those to leave as they are.
        input_meta_graph: a file with a MetaGraphDef, in the place of `input_graph`.
        input_saved_model_dir: a SavedModel, in the place of `input_graph` and `input_checkpoint`.
        saved_model_tags: those of its graph, separated by commas.
        input_binary, checkpoint_version: have no meaning here: files tell which form they have.
        restore_op_name, filename_tensor_name: have no meaning, as in TensorFlow.
        input_saver, initializer_nodes: leave them empty.

    Raises:
        UnimplementedError: `input_saver` or `initializer_nodes` is given.
        ValueError: there is no model, or it has no such nodes.
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
