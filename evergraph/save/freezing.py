"""Frozen graphs, whose variables are constants, from a SavedModel, a checkpoint or a GraphDef."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph import proto
from evergraph.base import dtypes, errors, files
from evergraph.formats.replace import replace_file
from evergraph.frontend.graph_util import extract_sub_graph
from evergraph.frontend.importer import import_graph_def
from evergraph.frontend.variables.freeze import convert_variables_to_constants
from evergraph.graph.graph import Graph
from evergraph.graph.traits import Kind
from evergraph.ops.arrays.search import top_k_v2
from evergraph.ops.math.elementwise import sigmoid, tanh
from evergraph.ops.math.matmul import mat_mul
from evergraph.ops.math.reduce import arg_max
from evergraph.ops.nn.activations import bias_add, log_softmax, softmax
from evergraph.ops.state.variables import read_variable_op
from evergraph.proto.text import from_bytes_or_text
from evergraph.run.session import Session
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_loader import contains_saved_model, load
from evergraph.save.saver import Saver, import_meta_graph
from evergraph.save.state import checkpoint_exists, latest_checkpoint, meta_graph_filename


@dataclass(frozen=True)
class Wish:
    """The options of a frozen graph.

    Attributes:
        outputs: the names of the output nodes; for a SavedModel by default those of a signature.
        checkpoint: the checkpoint with the variables of a GraphDef.
        tags: the tags of a SavedModel's graph.
        signature: the signature of a SavedModel whose outputs are kept.
        variables: the variables to convert; all if empty.
        left: variables not to convert.
        clear_devices: whether to drop the nodes' devices.
    """

    outputs: list[str] = field(default_factory=list)
    checkpoint: str | None = None
    tags: list[str] = field(default_factory=lambda: [constants.SERVING])
    signature: str = constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    variables: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    clear_devices: bool = False


def frozen(path: str, wish: Wish) -> Any:
    """The frozen GraphDef of a model.

    Args:
        path: a SavedModel; a checkpoint with its .meta file, or a directory with one; a .meta file, with its variables
            in `wish.checkpoint` or else beside it; or a GraphDef, in binary or text form.
        wish: the options.

    Raises:
        ValueError: there is no model, or it lacks an output, a variable or a signature of the options.
        OpError, OSError: its files cannot be read.
    """
    graph = Graph()
    with graph.as_default(), Session(graph=graph) as session:
        return frozen_session(session, loaded(session, path, wish), wish)


def loaded(session: Any, path: str, wish: Wish) -> list[str]:
    """Loads a model into a session, whose graph is the default one; returns the names of the output nodes, if any."""
    return _loader(path)(session, path, wish)


def frozen_session(session: Any, outputs: Sequence[str], wish: Wish) -> Any:
    """The frozen GraphDef of what a session computes in some nodes.

    Raises:
        ValueError: there are no such nodes, or none are named.
    """
    _check_outputs(session.graph, outputs)
    message = convert_variables_to_constants(
        session, session.graph.as_graph_def(), outputs, wish.variables or None, wish.left)  # fmt: skip
    for node in message.node if wish.clear_devices else ():
        node.device = ""
    return _without_idle_functions(message)


def _without_idle_functions(message: Any) -> Any:
    """The GraphDef without functions that are no longer called, such as those with variables."""
    functions = {function.signature.name: function for function in message.library.function}
    gradients = {each.function_name: each.gradient_func for each in message.library.gradient}
    reached: set[str] = set()
    waiting = [name for node in message.node for name in _called(node)]
    while waiting:
        name = waiting.pop()
        if name in functions and name not in reached:
            reached.add(name)
            waiting += [gradients.get(name, ""), *(each for node in functions[name].node_def for each in _called(node))]
    kept = [function for name, function in functions.items() if name in reached]
    pairs = [each for each in message.library.gradient if each.function_name in reached]
    library = proto.function_pb2.FunctionDefLibrary(function=kept, gradient=pairs)
    message.library.CopyFrom(library)
    return message


def _called(node: Any) -> list[str]:
    """The possible names of functions that a node calls."""
    named = [function.name for attr in node.attr.values() for function in (attr.func, *attr.list.func)]
    return [node.op, *named]


def _loader(path: str) -> Callable[[Any, str, Wish], list[str]]:
    if contains_saved_model(path):
        return _load_saved_model
    if checkpoint_exists(path) and files.exists(meta_graph_filename(path)) or files.isdir(path):
        return _load_checkpoint
    if files.exists(path):
        return _load_meta_graph if path.endswith(".meta") else _load_graph
    raise ValueError(f"There is no SavedModel, no checkpoint with a .meta file and no graph at {path}")


def _load_saved_model(session: Any, path: str, wish: Wish) -> list[str]:
    model = load(session, wish.tags, path)
    if wish.outputs:
        return wish.outputs
    if wish.signature not in model.signature_def:
        raise ValueError(f"The model has no signature {wish.signature!r}, only {sorted(model.signature_def)}")
    infos = model.signature_def[wish.signature].outputs.values()
    return sorted({info.name.partition(":")[0] for info in infos})


def _load_checkpoint(session: Any, path: str, wish: Wish) -> list[str]:
    prefix = latest_checkpoint(path) if files.isdir(path) else path
    if prefix is None:
        raise ValueError(f"The directory {path} holds neither a SavedModel nor a checkpoint")
    return _restore(session, meta_graph_filename(prefix), prefix, wish)


def _load_meta_graph(session: Any, path: str, wish: Wish) -> list[str]:
    return _restore(session, path, wish.checkpoint or path.removesuffix(".meta"), wish)


def _restore(session: Any, meta_graph: str, checkpoint: str, wish: Wish) -> list[str]:
    saver = import_meta_graph(meta_graph)
    if saver is not None:
        saver.restore(session, checkpoint)
    return wish.outputs


def _load_graph(session: Any, path: str, wish: Wish) -> list[str]:
    message = read_graph_def(path)
    if wish.outputs and {node.name for node in message.node}.issuperset(wish.outputs):
        message = extract_sub_graph(message, wish.outputs)
    import_graph_def(message, name="")
    saved = _variables(session.graph)
    if saved and wish.checkpoint is None:
        raise ValueError(f"The graph has variables ({', '.join(sorted(saved)[:3])} ...) but no checkpoint is named")
    if saved:
        Saver(saved).restore(session, str(wish.checkpoint))
    return wish.outputs


def _variables(graph: Graph) -> dict[str, Any]:
    """Name in a checkpoint -> the tensor of the variable, for the variables of a graph."""
    found = {}
    for node in list(graph.get_operations()):
        if node.opdef.kind is not Kind.VARIABLE:
            continue
        if node.outputs[0]._dtype.is_ref:
            found[node.name] = node.outputs[0]
        else:
            found[node.attrs["shared_name"] or node.name] = read_variable_op(
                node.outputs[0], node.attrs["dtype"], name=f"{node.name}/freeze")  # fmt: skip
    return found


_ANSWERS = (softmax, sigmoid, log_softmax, arg_max, top_k_v2)
_LIKELY = (*_ANSWERS, tanh, bias_add, mat_mul)
"""Ops that models end in, the likeliest first; the first ones also where something else reads them, such as a loss."""
_UNLIKELY = ("save/", "save_", "gradients/", "init", "report_uninitialized_variables")
_IDLE = (Kind.CONSTANT, Kind.PLACEHOLDER, Kind.VARIABLE, Kind.ASSIGN)


def likely_outputs(graph: Graph) -> list[str]:
    """Nodes that a model may end in: by their op, those of one op from the last on, then nodes that no other uses."""
    nodes = [node for node in reversed(graph.get_operations()) if _may_be_output(node)]
    used = {tensor.op for node in graph.get_operations() for tensor in node.inputs}
    ends = [node for node in nodes if node not in used]
    first = [node for op in _LIKELY for node in [each for each in nodes if each.opdef is op][:2]
             if op in _ANSWERS or op is bias_add or node in ends]  # fmt: skip
    return list(dict.fromkeys(node.name for node in [*first, *ends]))


def _may_be_output(node: Any) -> bool:
    """Whether a node computes something that is neither for training nor for saving, nor a summary."""
    if node.opdef.kind in _IDLE or not node.outputs:
        return False
    dtype = node.outputs[0].dtype
    reads = len(node.inputs) == 1 and node.inputs[0].op.opdef.kind is Kind.VARIABLE
    computes = dtype.base_dtype != dtypes.string and not dtype.is_ref and not reads
    return computes and not node.name.startswith(_UNLIKELY) and "/Initializer/" not in node.name


def _check_outputs(graph: Graph, outputs: Iterable[str]) -> None:
    names = {node.name for node in graph.get_operations()}
    missing = [name for name in outputs if name not in names]
    if missing or not outputs:
        what = f"The graph has no nodes {missing}" if missing else "No output nodes are named"
        raise ValueError(f"{what}; likely ones are {', '.join(likely_outputs(graph)[:10])}")


def read_graph_def(path: str) -> Any:
    """The GraphDef of a file, in binary or text form.

    Raises:
        ValueError: the file holds none.
        OpError: it cannot be read.
    """
    try:
        return from_bytes_or_text(files.read_file(path), proto.graph_pb2.GraphDef())
    except ValueError as error:
        raise ValueError(f"{path} holds no GraphDef: {error}") from None


def write_graph_def(path: str, message: Any, text: str | None) -> None:
    """Writes a GraphDef atomically: as `text` if given, else in binary form."""
    folder = os.path.dirname(path)
    if folder:
        files.makedirs(folder)
    try:
        replace_file(path, message.SerializeToString() if text is None else text.encode())
    except ValueError as error:  # protobuf cannot serialize a message of more than 2 GB
        raise errors.ResourceExhaustedError(None, None, f"The frozen graph is too large: {error}") from None
