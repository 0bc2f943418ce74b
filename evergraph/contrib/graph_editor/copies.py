"""Views of parts of a graph, and copies of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export, names_in
from evergraph.contrib.graph_editor.names import make_placeholder_from_tensor
from evergraph.contrib.graph_editor.views import SubGraphView, make_view
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor

_names = names_in("contrib.graph_editor", "contrib.graph_editor.transform")


@export(*_names("TransformerInfo"))
class TransformerInfo:
    """What became of each operation and tensor of a copied part.

    Attributes:
        sgv: the part.
        sgv_: the copy.
    """

    def __init__(self, sgv: SubGraphView, graph: Graph, scope: str, src_scope: str) -> None:
        self.graph, self.graph_ = sgv.graph, graph
        self.scope, self.scope_ = src_scope, scope
        self.sgv, self.sgv_ = sgv, SubGraphView()
        self._transformed_ops: dict[Operation, Operation] = {}
        self._transformed_ts: dict[Tensor, Tensor] = {}

    def new_name(self, name: str) -> str:
        """The name of the copy of an operation."""
        return self.scope_ + _without(name, self.scope)

    def transformed(self, original: Any, missing_fn: Any = None) -> Any:
        """The copy of an operation or a tensor, or of a structure of them; `missing_fn` of what has none."""
        return nest.map_structure(lambda each: self._found(each, self._transformed_ops, self._transformed_ts,
                                                           missing_fn), original)

    def original(self, transformed: Any, missing_fn: Any = None) -> Any:
        """What an operation or a tensor is a copy of."""
        ops = {copy: op for op, copy in self._transformed_ops.items()}
        tensors = {copy: tensor for tensor, copy in self._transformed_ts.items()}
        return nest.map_structure(lambda each: self._found(each, ops, tensors, missing_fn), transformed)

    @staticmethod
    def _found(thing: Any, ops: Any, tensors: Any, missing_fn: Any) -> Any:
        known = (ops if isinstance(thing, Operation) else tensors).get(thing)
        return missing_fn(thing) if known is None and missing_fn is not None else known


@export(*_names("copy"))
def copy(sgv: Any, dst_graph: Graph | None = None, dst_scope: str = "", src_scope: str = "",
         reuse_dst_scope: bool = False) -> tuple[SubGraphView, TransformerInfo]:
    """Copies a part of a graph.

    Args:
        sgv: the part.
        dst_graph: where to; by default its own graph.
        dst_scope: the name scope of the copies.
        src_scope: the name scope that their names lose.
        reuse_dst_scope: whether that scope may exist; by default it then gets a number.

    Returns:
        (the copy, a TransformerInfo).
    """
    return copy_with_input_replacements(sgv, {}, dst_graph, dst_scope, src_scope, reuse_dst_scope)


@export(*_names("copy_with_input_replacements"))
def copy_with_input_replacements(sgv: Any, replacement_ts: Mapping[Any, Any], dst_graph: Graph | None = None,
                                 dst_scope: str = "", src_scope: str = "",
                                 reuse_dst_scope: bool = False) -> tuple[SubGraphView, TransformerInfo]:
    """Copies a part of a graph, with other tensors entering it; see `tf.contrib.graph_editor.copy`.

    In its own graph the copy uses the tensors that enter the part; in another one it gets placeholders for them.
    """
    entering = set(make_view(sgv).inputs)
    known = {t: new for t, new in replacement_ts.items() if t in entering}
    transformer = Transformer()
    transformer.transform_external_input_handler = \
        lambda info, t: known[t] if t in known else keep_t_if_possible_handler(info, t)
    return transformer(sgv, dst_graph, dst_scope, src_scope, reuse_dst_scope)


@export(*_names("Transformer"))
class Transformer:
    """Copies parts of graphs, by functions that programs may replace.

    Attributes:
        transform_op_handler: a function (info, op, new_inputs) -> (the new operation, the tensors that stand for the
            outputs of the old one); see `copy_op_handler`.
        transform_external_input_handler: a function (info, t) from a tensor that enters the part to one of the new
            graph; see `keep_t_if_possible_handler`.
    """

    def __init__(self) -> None:
        self.transform_op_handler: Any = copy_op_handler
        self.transform_external_input_handler: Any = keep_t_if_possible_handler

    def __call__(self, sgv: Any, dst_graph: Graph | None, dst_scope: str, src_scope: str = "",
                 reuse_dst_scope: bool = False) -> tuple[SubGraphView, TransformerInfo]:
        """Copies a part of a graph: see `tf.contrib.graph_editor.copy`.

        Raises:
            TypeError: `dst_graph` is no graph.
        """
        view = make_view(sgv)
        graph = dst_graph or view.graph or default_graph()
        if not isinstance(graph, Graph):
            raise TypeError(f"dst_graph must be a tf.Graph, not {graph!r}")
        info = TransformerInfo(view, graph, _scope(graph, dst_scope, reuse_dst_scope), src_scope)
        for name, function in (view.graph.library.items() if view.graph is not None else ()):
            graph.library.setdefault(name, function)
        entered: dict[Tensor, Tensor] = {}
        with graph.as_default():
            for op in sorted(view.ops, key=lambda each: each.age):
                inputs = [info._transformed_ts[t] if t in info._transformed_ts else self._entering(info, t, entered)
                          for t in op.inputs]
                made, outputs = self.transform_op_handler(info, op, inputs)
                info._transformed_ops[op] = made
                info._transformed_ts.update(zip(op.outputs, outputs))
        info.sgv_ = SubGraphView(list(info._transformed_ops.values()))
        return info.sgv_, info

    def _entering(self, info: TransformerInfo, tensor: Tensor, entered: dict[Tensor, Tensor]) -> Tensor:
        if tensor not in entered:
            entered[tensor] = self.transform_external_input_handler(info, tensor)
        return entered[tensor]


@export(*_names("keep_t_if_possible_handler"))
def keep_t_if_possible_handler(info: TransformerInfo, t: Tensor) -> Tensor:
    """The tensor `t` itself, in its own graph; in another one a placeholder for it. `info` is that of the copy."""
    return t if info.graph_ is t.graph else replace_t_with_placeholder_handler(info, t)


@export(*_names("replace_t_with_placeholder_handler"))
def replace_t_with_placeholder_handler(info: TransformerInfo, t: Tensor) -> Tensor:
    """A placeholder for the tensor `t`, in the new graph. `info` is that of the copy."""
    with info.graph_.as_default():
        return make_placeholder_from_tensor(t, scope=info.scope_)


@export(*_names("copy_op_handler"))
def copy_op_handler(info: TransformerInfo, op: Operation, new_inputs: Sequence[Tensor], copy_shape: bool = True,
                    nodedef_fn: Any = None) -> tuple[Operation, tuple[Tensor, ...]]:
    """A copy of an operation in the new graph.

    Args:
        info: what was copied before.
        op: the operation.
        new_inputs: its new inputs.
        copy_shape: whether the outputs get the static shapes of the old ones.
        nodedef_fn: a function from the NodeDef of the copy to one with other attrs.

    Returns:
        (the copy, its outputs).
    """
    graph = info.graph_
    with graph.control_dependencies(None), graph.device(None):
        copied = graph.add_node(op.opdef, graph.unique_name(info.new_name(op.name)), list(new_inputs), dict(op.attrs))
    copied.extra.update(op.extra)
    copied._set_device(op.device)
    if nodedef_fn is not None:
        changed = nodedef_fn(copied.node_def)
        copied.extra.clear()
        for name, value in changed.attr.items():
            copied._set_attr(name, value)
    waits = [info._transformed_ops.get(each, each if each.graph is graph else None) for each in op.control_inputs]
    copied._add_control_inputs([each for each in waits if each is not None])
    if copy_shape:
        for tensor, new in zip(op.outputs, copied.outputs):
            new.set_shape(tensor.shape)
    return copied, copied.values()


def _scope(graph: Graph, dst_scope: str, reuse: bool) -> str:
    scope = dst_scope.rstrip("/")
    if not scope:
        return ""
    return f"{scope if reuse else graph.unique_name(scope)}/"


def _without(name: str, scope: str) -> str:
    scope = scope.rstrip("/")
    return name.removeprefix(f"{scope}/") if scope else name


@export(*_names("graph_replace"))
def graph_replace(target_ts: Any, replacement_ts: Mapping[Any, Any], dst_scope: str = "", src_scope: str = "",
                  reuse_dst_scope: bool = False) -> Any:
    """Tensors computed as others are, but from other tensors.

    Args:
        target_ts: a tensor, or a structure of them.
        replacement_ts: tensors that they depend on, with those to use instead.
        dst_scope: the name scope of the new operations.
        src_scope: the name scope that their names lose.
        reuse_dst_scope: whether that scope may exist.

    Raises:
        ValueError: the targets do not depend on the tensors to replace.
    """
    targets = nest.flatten(target_ts)
    between = _between(list(replacement_ts), targets)
    if not between:
        raise ValueError("the targets do not depend on the tensors to replace")
    _, info = copy_with_input_replacements(between, replacement_ts, None, dst_scope, src_scope, reuse_dst_scope)
    return nest.map_structure(lambda t: replacement_ts.get(t, info.transformed(t, lambda missing: missing)), target_ts)


def _between(sources: list[Tensor], targets: list[Any]) -> list[Operation]:
    """The operations that depend on sources and that targets depend on."""
    stop = set(sources)
    depends: dict[Operation, bool] = {}
    order: list[Operation] = []
    stack = [(t.op, False) for t in targets if t not in stop]
    while stack:
        op, is_done = stack.pop()
        if is_done:
            depends[op] = any(t in stop or depends.get(t.op, False) for t in op.inputs)
            if depends[op]:
                order.append(op)
        elif op not in depends:
            depends[op] = False
            stack.append((op, True))
            stack += [(t.op, False) for t in op.inputs if t not in stop and t.op not in depends]
    return order
