"""Finds the tensor arrays and stacks of a graph that TensorFlow 1 wrote, so that tensor lists can take their place.

An array there is an object: ops name it by its handle, and a float, its flow, goes from each op on it to those that
must come after. So the flow can be the list itself, and the handle nothing. What tells writes to an array of gradients
from writes to the array itself is the handle; their flow starts from that of the array, which stands for zeros then,
and where several gradients meet, their flows are added up: as lists of gradients are.

A stack has no flow. The order in which its values come and go is that of the nodes, as functionalize.py puts them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from evergraph.graph.node import Operation, Tensor
from evergraph.passes.imported.branches import is_switched
from evergraph.passes.imported.frames import BACK_EDGES, ENTERS, EXITS, MERGES, SWITCHES, Frame

MAKES, MAKES_GRADIENT, CLOSES = "TensorArrayV3", "TensorArrayGradV3", "TensorArrayCloseV3"
WRITES = {"TensorArrayWriteV3": 3, "TensorArrayScatterV3": 3, "TensorArraySplitV3": 3}
READS = {"TensorArrayReadV3": 2, "TensorArrayGatherV3": 2, "TensorArrayConcatV3": 1, "TensorArraySizeV3": 1}
FLOW_INPUT = {**WRITES, **READS, MAKES_GRADIENT: 1}
"""Op -> which of its inputs is the flow; the first one is the handle."""

STACK, PUSH, POP, CLOSE_STACK = "StackV2", "StackPushV2", "StackPopV2", "StackCloseV2"
SUMS = frozenset({"AddN", "Add", "AddV2"})
_HANDS_ON = MERGES | SWITCHES | ENTERS | EXITS | BACK_EDGES | {"Identity"}
_CHANGES = MERGES | EXITS | BACK_EDGES  # handles and names go by Enter alone, unless they change
ARRAY_OPS = frozenset({*FLOW_INPUT, MAKES, CLOSES})
STACK_OPS = frozenset({STACK, PUSH, POP, CLOSE_STACK})


@dataclass(frozen=True)
class Array:
    """What a handle or a flow stands for: the array that a node makes, or an array of its gradients."""

    maker: Operation
    is_gradient: bool = False


@dataclass(eq=False)
class Lists:
    """The arrays and stacks that become lists.

    Attributes:
        handles: the tensors that name an array; they have no value any more.
        flows: the tensors that stand for an array.
        hollow: those flows that have no value either, because a stack kept them.
        stacks: the tensors that name a stack -> the node that makes it.
        pushes: stack -> the nodes that push on it.
        lengths: array of no fixed size -> a flow whose length gradients have.
    """

    handles: dict[Tensor, Array] = field(default_factory=dict)
    flows: dict[Tensor, Array] = field(default_factory=dict)
    hollow: set[Tensor] = field(default_factory=set)
    stacks: dict[Tensor, Operation] = field(default_factory=dict)
    pushes: dict[Operation, list[Operation]] = field(default_factory=dict)
    lengths: dict[Operation, Tensor] = field(default_factory=dict)

    def keeps_nothing(self, stack: Operation) -> bool:
        """Whether what is pushed on a stack has no value: handles and flows."""
        return any(_is_of_array(self, node._inputs[1]) for node in self.pushes.get(stack, ()))

    def touched(self, nodes: Iterable[Operation]) -> list[Operation]:
        """The stacks that nodes push on or pop from, without those that are made among them."""
        own = {node for node in nodes if node.type == STACK}
        found = [self.stacks[node._inputs[0]] for node in nodes if node.type in (PUSH, POP)] if self.stacks else []
        return [s for s in dict.fromkeys(found) if s not in own and not self.keeps_nothing(s)]


class _Declined(Exception):
    """The graph does something with an array or stack that a list cannot stand for."""


def find_lists(whole: Frame, fed: Collection[Tensor], fetched: Collection[Tensor], with_arrays: bool = True) -> Lists:
    """What can become lists: all arrays and stacks of a graph, or all of its stacks, or nothing.

    Args:
        whole: the graph.
        fed: tensors whose values are given.
        fetched: tensors whose values are wanted.
        with_arrays: whether arrays may become lists.
    """
    nodes = whole.all_nodes()
    makers = ({MAKES} if with_arrays else set()) | {STACK}
    if not any(node.type in makers for node in nodes):
        return Lists()
    try:
        lists = _spread(nodes, makers)
        for node in nodes if with_arrays else ():
            _require_known_use_of_array(lists, node)
        for node in nodes:
            _require_known_use_of_stack(lists, node)
        if any(t in lists.flows or t in lists.handles or t in lists.stacks for t in (*fed, *fetched)):
            raise _Declined
        if with_arrays:
            _find_lengths(lists, whole)
    except _Declined:
        # A stack has to be a list where a loop pushes to it: what a loop does for no result of its is not done.
        return find_lists(whole, fed, fetched, with_arrays=False) if with_arrays else Lists()
    return lists


# ---------------------------------------------------------------- which tensors


def _spread(nodes: Sequence[Operation], makers: Collection[str]) -> Lists:
    """Says of every tensor which array or stack it stands for, from where they are made to where they are used."""
    lists = Lists()
    users: dict[Tensor, list[Operation]] = {}
    for node in nodes:
        for tensor in node._inputs:
            users.setdefault(tensor, []).append(node)
    left = [node for node in nodes if node.type in makers]
    pops: dict[Operation, list[Operation]] = {}
    while left:
        node = left.pop()
        if node.type in (PUSH, POP) and node._inputs[0] in lists.stacks:
            stack = lists.stacks[node._inputs[0]]
            known = lists.pushes.setdefault(stack, []) if node.type == PUSH else pops.setdefault(stack, [])
            if node not in known:
                known.append(node)
            left += _popped(lists, stack, pops.get(stack, ()), users)
        if _marked(lists, node):
            left += [user for tensor in node.outputs for user in users.get(tensor, ())]
    return lists


def _popped(
    lists: Lists, stack: Operation, pops: Sequence[Operation], users: dict[Tensor, list[Operation]]
) -> list[Operation]:
    """Says what is popped from a stack that keeps handles or flows; gives those who use it."""
    found: list[Operation] = []
    for push in lists.pushes.get(stack, ()):
        kept = push._inputs[1]
        for table in (lists.handles, lists.flows):
            for tensor in [node.outputs[0] for node in (*pops, push)] if kept in table else ():
                if _note(table, tensor, table[kept]):
                    lists.hollow.add(tensor)
                    found += users.get(tensor, ())
    return found


def _marked(lists: Lists, node: Operation) -> bool:
    """Says what the outputs of a node stand for; whether anything is new."""
    if node.type == MAKES:
        _note(lists.handles, node.outputs[0], Array(node))
        return _note(lists.flows, node.outputs[1], Array(node))
    if node.type == STACK:
        return _note(lists.stacks, node.outputs[0], node)
    if node.type == MAKES_GRADIENT and node._inputs[0] in lists.handles:
        array = lists.handles[node._inputs[0]]
        if array.is_gradient:
            raise _Declined
        return _note(lists.handles, node.outputs[0], Array(array.maker, True))
    if node.type in WRITES and node._inputs[0] in lists.handles:
        return _note(lists.flows, node.outputs[0], lists.handles[node._inputs[0]])
    if node.type in _HANDS_ON or node.type in SUMS:
        return _handed_on(lists, node)
    return False


def _handed_on(lists: Lists, node: Operation) -> bool:
    news = False
    outputs = node.outputs[:1] if node.type in MERGES else node.outputs
    for table in (lists.handles, lists.flows, lists.stacks):
        for tensor in node._inputs:
            if tensor in table:
                for output in outputs:
                    news |= _note(table, output, table[tensor])
                    if tensor in lists.hollow and output not in lists.hollow:
                        lists.hollow.add(output)
                        news = True
    return news


def _note(table: dict[Tensor, Array] | dict[Tensor, Operation], tensor: Tensor, what: Array | Operation) -> bool:
    if tensor in table:
        if table[tensor] != what:
            raise _Declined
        return False
    table[tensor] = what  # type: ignore[assignment]
    return True


def _is_of_array(lists: Lists, tensor: Tensor) -> bool:
    return tensor in lists.handles or tensor in lists.flows


# ---------------------------------------------------------------- whether that is all


def _require_known_use_of_array(lists: Lists, node: Operation) -> None:
    """Declines what does something else with a handle or flow than what they are for."""
    if node.type in FLOW_INPUT:
        _require_array_op(lists, node)
    elif node.type in SUMS | MERGES and node.outputs[0] in lists.flows:
        _require(all(t in lists.flows or _is_zero(t) for t in node._inputs))
        _require(not any(t in lists.hollow for t in node._inputs))
    elif node.type not in (_HANDS_ON | {PUSH, POP, CLOSES}):
        _require(not any(_is_of_array(lists, t) for t in node._inputs))
    elif node.type in _CHANGES:
        _require(not any(t in lists.handles for t in node._inputs))


def _require_known_use_of_stack(lists: Lists, node: Operation) -> None:
    """The same for the name of a stack."""
    if node.type in (PUSH, POP):
        _require(node._inputs[0] in lists.stacks)
    elif node.type not in _HANDS_ON - _CHANGES | {CLOSE_STACK}:
        _require(not any(t in lists.stacks for t in node._inputs))


def _require_array_op(lists: Lists, node: Operation) -> None:
    handle, flow = node._inputs[0], node._inputs[FLOW_INPUT[node.type]]
    _require(handle in lists.handles and flow in lists.flows)
    array, given = lists.handles[handle], lists.flows[flow]
    _require(array.maker is given.maker)
    if node.type == MAKES_GRADIENT:
        return
    starts = node.type in WRITES and array.is_gradient and not given.is_gradient
    _require(starts or array == given and flow not in lists.hollow)


def _is_zero(tensor: Tensor) -> bool:
    while tensor.op.type in ENTERS or tensor.op.type == "Identity" or is_switched(tensor):
        tensor = tensor.op._inputs[0]
    return tensor.op.type == "ZerosLike" or tensor.op.type == "Const" and not np.any(tensor.op.attrs["value"])


def _find_lengths(lists: Lists, whole: Frame) -> None:
    """Sees to it that gradients of an array know how many elements it has."""
    outside = set(whole.nodes)
    for node in whole.all_nodes():
        if node.type == MAKES_GRADIENT:
            maker, flow = lists.handles[node._inputs[0]].maker, node._inputs[1]
            while flow.op.type in ENTERS or flow.op.type == "Identity":
                flow = flow.op._inputs[0]
            if flow in lists.flows and not lists.flows[flow].is_gradient and _frame_is(flow.op, outside, whole):
                lists.lengths.setdefault(maker, flow)
    for array in {*lists.handles.values()}:
        if array.is_gradient and not _has_known_size(array.maker, outside):
            _require(array.maker in lists.lengths)


def _has_known_size(maker: Operation, outside: Collection[Operation]) -> bool:
    if maker.attrs["dynamic_size"]:
        return False
    return maker in outside or maker._inputs[0].op.type == "Const"


def _frame_is(node: Operation, outside: Collection[Operation], whole: Frame) -> bool:
    return node in outside or node.type in EXITS and any(node in frame.nodes for frame in whole.inner)


def _require(ok: bool) -> None:
    if not ok:
        raise _Declined
