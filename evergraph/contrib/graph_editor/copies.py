"""Views of parts of a graph, and copies of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.contrib.graph_editor.select import (
    get_name_scope_ops,
    make_list_of_op,
    make_list_of_t,
    select_ops_and_ts,
)
from evergraph.frontend.array import placeholder
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor


@export("contrib.graph_editor.SubGraphView")
class SubGraphView:
    """Some operations of a graph, with the tensors that enter and those that leave.

    Args:
        inside_ops: the operations.
        passthrough_ts: tensors that enter and leave unchanged.
    """

    def __init__(self, inside_ops: Any = (), passthrough_ts: Any = ()) -> None:
        self._ops = make_list_of_op(inside_ops)
        self._passthroughs = make_list_of_t(passthrough_ts)
        inside = set(self._ops)
        entering = dict.fromkeys(t for op in self._ops for t in op.inputs if t.op not in inside)
        leaving = [t for op in self._ops for t in op.outputs
                   if not t.consumers() or any(user not in inside for user in t.consumers())]
        self._inputs = [*entering, *self._passthroughs]
        self._outputs = [*leaving, *self._passthroughs]

    ops = property(lambda self: list(self._ops))
    inputs = property(lambda self: list(self._inputs))
    outputs = property(lambda self: list(self._outputs))
    passthroughs = property(lambda self: list(self._passthroughs))

    @property
    def graph(self) -> Graph | None:
        """The graph of the operations; None without any."""
        things = [*self._ops, *self._passthroughs]
        return things[0].graph if things else None

    def op(self, op_id: int) -> Operation:
        """The operation at a position."""
        return self._ops[op_id]

    def find_op_by_name(self, op_name: str) -> Operation:
        """The operation of a name.

        Raises:
            ValueError: there is none.
        """
        for op in self._ops:
            if op.name == op_name:
                return op
        raise ValueError(f"the view has no operation {op_name!r}")

    def consumers(self) -> list[Operation]:
        """The operations that use what leaves, outside of the view."""
        inside = set(self._ops)
        return list(dict.fromkeys(user for t in self._outputs for user in t.consumers() if user not in inside))

    def __bool__(self) -> bool:
        return self.graph is not None


@export("contrib.graph_editor.make_view", "contrib.graph_editor.sgv")
def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """A view of operations and tensors, given as `tf.contrib.graph_editor.select_ops` takes them, or of a graph."""
    if len(args) == 1 and isinstance(args[0], SubGraphView):
        return args[0]
    if len(args) == 1 and isinstance(args[0], Graph):
        return SubGraphView(args[0])
    ops, tensors = select_ops_and_ts(*args, **kwargs)
    return SubGraphView(ops, tensors)


@export("contrib.graph_editor.make_view_from_scope", "contrib.graph_editor.sgv_scope")
def make_view_from_scope(scope: str, graph: Graph) -> SubGraphView:
    """A view of the operations in a name scope."""
    return SubGraphView(get_name_scope_ops(graph, scope))


class TransformerInfo:
    """What became of each operation and tensor of a copied part.

    Attributes:
        sgv: the part.
        sgv_: the copy.
    """

    def __init__(self, sgv: SubGraphView, graph: Graph, ops: Mapping[Operation, Operation],
                 tensors: Mapping[Tensor, Tensor]) -> None:
        self.graph, self.graph_ = sgv.graph, graph
        self.sgv, self.sgv_ = sgv, SubGraphView(list(ops.values()))
        self._transformed_ops, self._transformed_ts = dict(ops), dict(tensors)

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


@export("contrib.graph_editor.copy")
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


@export("contrib.graph_editor.copy_with_input_replacements")
def copy_with_input_replacements(sgv: Any, replacement_ts: Mapping[Any, Any], dst_graph: Graph | None = None,
                                 dst_scope: str = "", src_scope: str = "",
                                 reuse_dst_scope: bool = False) -> tuple[SubGraphView, TransformerInfo]:
    """Copies a part of a graph, with other tensors entering it; see `tf.contrib.graph_editor.copy`.

    In its own graph the copy uses the tensors that enter the part; in another one it gets placeholders for them.
    """
    view = make_view(sgv)
    graph = dst_graph or view.graph or default_graph()
    if not isinstance(graph, Graph):
        raise TypeError(f"dst_graph must be a tf.Graph, not {graph!r}")
    scope = _scope(graph, dst_scope, reuse_dst_scope)
    known = {t: new for t, new in replacement_ts.items() if t in set(view.inputs)}
    with graph.as_default():
        ops, tensors = _copied(view, graph, known, lambda name: scope + _without(name, src_scope))
    info = TransformerInfo(view, graph, ops, tensors)
    return info.sgv_, info


def _scope(graph: Graph, dst_scope: str, reuse: bool) -> str:
    scope = dst_scope.rstrip("/")
    if not scope:
        return ""
    return f"{scope if reuse else graph.unique_name(scope)}/"


def _without(name: str, scope: str) -> str:
    scope = scope.rstrip("/")
    return name.removeprefix(f"{scope}/") if scope else name


def _copied(view: SubGraphView, graph: Graph, known: dict[Any, Any],
            renamed: Any) -> tuple[dict[Operation, Operation], dict[Tensor, Tensor]]:
    """The copies of operations and of their outputs. Operations are copied in the order of their creation."""
    ops: dict[Operation, Operation] = {}
    tensors: dict[Tensor, Tensor] = {}
    for op in sorted(view.ops, key=lambda each: each.age):
        inputs = [tensors[t] if t in tensors else _entering(t, graph, known) for t in op.inputs]
        name = graph.unique_name(renamed(op.name))
        with graph.control_dependencies(None), graph.device(None):
            copied = graph.add_node(op.opdef, name, inputs, dict(op.attrs))
        copied.extra.update(op.extra)
        copied._set_device(op.device)
        waits = [ops.get(each, each if each.graph is graph else None) for each in op.control_inputs]
        copied._add_control_inputs([each for each in waits if each is not None])
        for tensor, new in zip(op.outputs, copied.outputs):
            new.set_shape(tensor.shape)
            tensors[tensor] = new
        ops[op] = copied
    return ops, tensors


def _entering(tensor: Tensor, graph: Graph, known: dict[Any, Any]) -> Tensor:
    if tensor not in known:
        name = f"geph__{tensor.op.name.replace('/', '_')}"
        known[tensor] = tensor if tensor.graph is graph else placeholder(tensor.dtype.base_dtype, tensor.shape, name)
    return known[tensor]


@export("contrib.graph_editor.graph_replace")
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
