"""SavedModels of graphs as objects, whose signatures are callable with tensors of the program's graph.

The variables and tables of a model are created once, in the default graph at load time. Each call of a signature adds
the nodes that it needs, with the given tensors in place of the model's placeholders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evergraph import proto
from evergraph.base import dtypes, errors
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.collections import GraphKeys, add_to_collection
from evergraph.frontend.graph_util import extract_sub_graph, source_of
from evergraph.frontend.importer import import_graph_def
from evergraph.frontend.variables.base import Variable
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.registry import lookup
from evergraph.graph.traits import Kind
from evergraph.ops.arrays.basic import identity
from evergraph.ops.state.variables import read_variable_op, var_handle_op
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_assets import asset_feeds
from evergraph.save.saved_model_loader import SavedModelLoader
from evergraph.save.tracking import AutoTrackable


class _Model:
    """The graph of a model, parts of which are added to the program's graph."""

    def __init__(self, graph_def: Any, graph: Graph) -> None:
        self.graph_def, self.graph = graph_def, graph
        self.state: dict[str, Tensor] = {}
        nodes = [node for node in graph_def.node if _holds_state(node)]
        names = [f"{node.name}:0" for node in nodes]
        self.ops = {node.name: lookup(node.op) for node in nodes}
        if nodes:
            part = proto.graph_pb2.GraphDef(node=nodes, versions=graph_def.versions)
            for node in part.node:  # loaded models share no state, whatever their shared names
                node.attr["shared_name"].s = b""
            found = import_graph_def(_without_groups(part), return_elements=names, name="loaded")
            self.state = dict(zip(self.ops, found or ()))

    def build(self, wanted: list[str], given: Mapping[str, Tensor]) -> list[Any]:
        """Adds the nodes that some operations and tensors need, with the given tensors replacing others; returns them.

        Raises:
            KeyError: the model has no such nodes.
        """
        try:
            part = extract_sub_graph(self.graph_def, [source_of(name) for name in wanted])
        except AssertionError as error:
            raise KeyError(str(error)) from None
        instead = {f"{name}:0": tensor for name, tensor in self.state.items()} | dict(given)
        gone = {name.removesuffix(":0") for name in instead if name.endswith(":0")}
        kept = [node for node in part.node if node.name not in gone]
        del part.node[:]
        part.node.extend(kept)
        used = {text for node in kept for text in node.input}
        full = {text if ":" in text or text.startswith("^") else f"{text}:0" for text in used} | set(wanted)
        mapped: dict[str, Any] = {name: tensor for name, tensor in instead.items() if name in full}
        for name, tensor in instead.items():
            if f"^{source_of(name)}" in full and source_of(name) in gone:
                mapped[f"^{source_of(name)}"] = tensor
        found = import_graph_def(_without_groups(part), mapped, wanted, name="call")
        return found or []


def _holds_state(node: Any) -> bool:
    """Whether a node without inputs keeps state between steps: a variable, a table or the like."""
    if node.input:
        return False
    op = lookup(node.op)
    return op.stateful and (op.kind is Kind.VARIABLE or any(
        arg.type is dtypes.resource for arg in op.plan.outputs))  # fmt: skip


def _without_groups(message: Any) -> Any:
    """The GraphDef without colocation groups, whose nodes may be missing."""
    for node in message.node:
        node.attr.pop("_class", None)
    return message


# ---------------------------------------------------------------- signatures


class SignatureFunction:
    """A callable signature of a loaded model, which adds nodes to the graph and returns its outputs.

    Attributes:
        name: the signature's name.
        inputs: name -> TensorInfo of its inputs.
        outputs: name -> TensorInfo of its outputs.
    """

    def __init__(self, model: _Model, name: str, signature: Any) -> None:
        self._model, self.name = model, name
        self.inputs, self.outputs = dict(signature.inputs), dict(signature.outputs)

    def __call__(self, *args: Any, **kwargs: Any) -> dict[str, Tensor]:
        """The outputs for these inputs.

        Args:
            *args: the input, if there is only one.
            **kwargs: the inputs by name: tensors, sparse tensors, or values to convert.

        Raises:
            TypeError: an input is missing or unknown.
        """
        if len(self.inputs) == len(args) == 1 and not kwargs:
            args, kwargs = (), dict(zip(self.inputs, args))
        if args or set(kwargs) != set(self.inputs):
            raise TypeError(f"The signature {self.name!r} takes {sorted(self.inputs)} by name, got {len(args)} without "
                            f"one and {sorted(kwargs)}")  # fmt: skip
        wanted = [info.name for info in self.outputs.values()]
        with self._model.graph.as_default(), name_scope(self.name):
            given = {name: tensor for key, info in self.inputs.items() for name, tensor in _fed(info, kwargs[key])}
            return dict(zip(self.outputs, self._model.build(wanted, given)))


def _fed(info: Any, value: Any) -> list[tuple[str, Tensor]]:
    """(name of a tensor of the model, its replacement) for one input."""
    if info.WhichOneof("encoding") == "coo_sparse":
        if not isinstance(value, SparseTensor):
            raise TypeError(f"A SparseTensor is wanted, got {value!r}")
        parts = info.coo_sparse
        return [(parts.indices_tensor_name, value.indices), (parts.values_tensor_name, value.values),
                (parts.dense_shape_tensor_name, value.dense_shape)]  # fmt: skip
    if info.WhichOneof("encoding") != "name":
        raise errors.UnimplementedError(None, None, "inputs of several parts, other than sparse ones, by call")
    return [(info.name, convert_to_tensor(value, dtypes.as_dtype(info.dtype)))]


# ---------------------------------------------------------------- loading


def loaded_signatures(loader: SavedModelLoader, message: Any) -> Any:
    """The object of a model that has graphs only: its signatures are callable with tensors of the default graph.

    Args:
        loader: of the model.
        message: the MetaGraphDef.
    """
    graph = default_graph()
    model = _Model(message.graph_def, graph)
    loaded = AutoTrackable()
    loaded.tensorflow_version = message.meta_info_def.tensorflow_version  # type: ignore[attr-defined]
    restore = _restored(model, message, loader.variables_path)
    loaded.variables = _variables(model, restore)  # type: ignore[attr-defined]
    init = _initialized(model, message, loader.export_dir, restore)
    loaded.initializer = init if init is not None else restore  # type: ignore[attr-defined]
    loaded.graph = graph  # type: ignore[attr-defined]
    loaded.signatures = {  # type: ignore[attr-defined]
        key: SignatureFunction(model, key, signature) for key, signature in message.signature_def.items()
        if key not in constants.RESERVED_SIGNATURE_KEYS}  # fmt: skip
    return loaded


def graph_of(loader: SavedModelLoader, tags: Any) -> Any:
    """The MetaGraphDef with these tags, or the only one.

    Raises:
        ValueError: there are several graphs and no tags.
        RuntimeError: there is none with these tags.
    """
    if tags is not None:
        return loader.get_meta_graph_def_from_tags([tags] if isinstance(tags, str) else tags)
    graphs = loader.saved_model.meta_graphs
    if len(graphs) != 1:
        there = [list(graph.meta_info_def.tags) for graph in graphs]
        raise ValueError(f"The model has {len(graphs)} graphs; say by its tags which one is meant: {there}")
    return graphs[0]


def _restored(model: _Model, message: Any, path: str) -> Operation | None:
    """The operation that restores the variables; None if there are none."""
    saver = message.saver_def
    if not saver.restore_op_name or not any(op.kind is Kind.VARIABLE for op in model.ops.values()):
        return None
    with name_scope("restore"):
        (done,) = model.build([saver.restore_op_name], {saver.filename_tensor_name: array.constant(path)})
    return done


def _variables(model: _Model, restore: Operation | None) -> list[Variable]:
    found = []
    for name, op in model.ops.items():
        if op.kind is not Kind.VARIABLE or restore is None:
            continue
        tensor = model.state[name]
        is_resource = op is var_handle_op
        value = read_variable_op(tensor, tensor.op.attrs["dtype"]) if is_resource else identity(tensor)
        variable = Variable.from_proto(proto.variable_pb2.VariableDef(
            variable_name=tensor.name, initializer_name=restore.name, snapshot_name=value.name,
            is_resource=is_resource))  # fmt: skip
        add_to_collection(GraphKeys.GLOBAL_VARIABLES, variable)
        found.append(variable)
    return found


def _initialized(model: _Model, message: Any, export_dir: str, restore: Operation | None) -> Operation | None:
    """The model's init op, after the variables are restored; None if it has none."""
    name = _init_op_name(message)
    if name is None:
        return None
    waits: Iterable[Operation] = [] if restore is None else [restore]
    with name_scope("initialize"):
        assets = {tensor: array.constant(path) for tensor, path in asset_feeds(message, export_dir, None).items()}
        with control_dependencies(waits):
            (done,) = model.build([name], assets)
    done = done.op if isinstance(done, Tensor) else done
    add_to_collection(GraphKeys.TABLE_INITIALIZERS, done)
    return done


def _init_op_name(message: Any) -> str | None:
    key = constants.INIT_OP_SIGNATURE_KEY
    if key in message.signature_def and key in message.signature_def[key].outputs:
        return message.signature_def[key].outputs[key].name
    for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
        names = message.collection_def[key].node_list.value if key in message.collection_def else ()
        if names:
            return names[0]
    return None
