"""Finds the loops that TensorFlow 1 writes as frames.

A loop is a frame: values come in through Enter, each loop variable is a Merge of its Enter and its NextIteration,
LoopCond says whether to go on, a Switch by it hands the variable to the body or to an Exit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from evergraph.base import errors
from evergraph.graph.node import Operation, Tensor
from evergraph.passes.prune import dependencies

SWITCHES = frozenset({"Switch", "RefSwitch"})
MERGES = frozenset({"Merge", "RefMerge"})
ENTERS = frozenset({"Enter", "RefEnter"})
EXITS = frozenset({"Exit", "RefExit"})
BACK_EDGES = frozenset({"NextIteration", "RefNextIteration"})
PARTS = SWITCHES | MERGES | ENTERS | EXITS | BACK_EDGES | {"LoopCond"}


@dataclass(eq=False)
class LoopVariable:
    """One variable of a loop: where it comes in, its value at the start of an iteration, what the next one gets."""

    enter: Operation
    merge: Operation
    next: Tensor


@dataclass(eq=False)
class Frame:
    """The nodes of one loop, or of the whole graph.

    Attributes:
        name: the loop's name.
        parent: the frame around it; None for the graph itself.
        nodes: its own nodes, in order.
        inner: the loops directly in it.
    """

    name: str
    parent: Frame | None
    nodes: list[Operation] = field(default_factory=list)
    inner: list[Frame] = field(default_factory=list)

    @property
    def depth(self) -> int:
        return 0 if self.parent is None else self.parent.depth + 1

    def all_nodes(self) -> list[Operation]:
        """The nodes in it, at any depth."""
        return [*self.nodes, *(node for frame in self.inner for node in frame.all_nodes())]

    # ---- the parts of a loop

    def variables(self) -> list[LoopVariable]:
        """The loop variables, in order."""
        found = []
        for merge in self.nodes:
            if merge.type not in MERGES or not any(t.op.type in BACK_EDGES for t in merge._inputs):
                continue
            enters = [t.op for t in merge._inputs if t.op.type in ENTERS]
            backs = [t.op for t in merge._inputs if t.op.type in BACK_EDGES]
            if len(enters) != 1 or len(backs) != 1 or len(merge._inputs) != 2:
                raise _unknown_form(merge, "merges something else than an Enter and a NextIteration")
            found.append(LoopVariable(enters[0], merge, backs[0]._inputs[0]))
        return found

    def appended(self, variable: LoopVariable) -> Tensor | None:
        """What each iteration adds to the end of a variable that does nothing else than to grow; None for others.

        The gradient of rows that a loop takes from a table is such a variable.
        """
        node, merge, start = variable.next.op, variable.merge.outputs[0], variable.enter._inputs[0]._shape
        if node.type != "ConcatV2" or len(node._inputs) != 3 or not start or None in start[1:]:
            return None
        before, added, axis = node._inputs
        switches = [user for user in self.nodes if merge in user._inputs]
        users = [user for user in self.nodes if before in user._inputs]
        grows = len(switches) == 1 and before is switches[0].outputs[1] and users == [node] and added is not before
        return added if grows and axis.op.type == "Const" and axis.op.attrs["value"] == 0 else None

    def condition(self) -> Operation:
        """The LoopCond."""
        found = [node for node in self.nodes if node.type == "LoopCond"]
        if len(found) != 1:
            where = found[0] if found else self.nodes[0]
            raise _unknown_form(where, f"is in the loop '{self.name}', which has {len(found)} conditions")
        return found[0]

    def exits(self) -> dict[Operation, Operation]:
        """Exit -> the Merge of the loop variable that it brings out."""
        found = {}
        for node in self.nodes:
            if node.type in EXITS:
                source = behind_identities(node._inputs[0])
                if not is_loop_switch(source.op) or source.value_index != 0:
                    raise _unknown_form(node, "brings out something else than a loop variable")
                found[node] = source.op._inputs[0].op
        return found

    def after_the_end(self) -> set[Operation]:
        """The nodes that hand a loop variable on to an Exit: they run once, when the loop is over."""
        found: set[Operation] = set()
        for node in self.nodes:
            source = behind_identities(node.outputs[0]) if node.type == "Identity" else None
            if source is not None and is_loop_switch(source.op) and source.value_index == 0:
                found.add(node)
        return found


def behind_identities(tensor: Tensor) -> Tensor:
    """The tensor that Identities only hand on."""
    while tensor.op.type == "Identity":
        tensor = tensor.op._inputs[0]
    return tensor


def is_loop_switch(node: Operation) -> bool:
    """Whether the node hands a loop variable to the body or out of the loop."""
    return node.type in SWITCHES and node._inputs[1].op.type == "LoopCond"


def _unknown_form(node: Operation, what: str) -> errors.UnimplementedError:
    return errors.UnimplementedError(None, node, f"{node.type} '{node.name}' {what}")


def find_frames(nodes: Sequence[Operation], feeds: Collection[Tensor]) -> Frame:
    """The graph as a tree of frames.

    Args:
        nodes: in the order they run; the end of a loop's body comes after its start.
        feeds: tensors whose values are given.
    """
    whole = Frame("", None)
    home: dict[Operation, Frame] = {}
    known: dict[tuple[Frame, str], Frame] = {}
    for node in nodes:
        around = whole
        for source in dependencies(node, feeds):
            if source in home:
                around = _inner_of(node, around, _frame_of_outputs(source, home[source]))
        if node.type in ENTERS:
            around = _child(known, around, node.attrs["frame_name"])
        elif node.type in EXITS and around is whole:
            raise errors.InvalidArgumentError(None, node, f"{node.type} '{node.name}' is in no loop: it has no Enter")
        home[node] = around
        around.nodes.append(node)
    return whole


def _frame_of_outputs(node: Operation, frame: Frame) -> Frame:
    return frame.parent or frame if node.type in EXITS else frame


def _inner_of(node: Operation, a: Frame, b: Frame) -> Frame:
    """The inner one of two frames that a node has inputs from."""
    outer, inner = (a, b) if a.depth <= b.depth else (b, a)
    step: Frame | None = inner
    while step is not None and step is not outer:
        step = step.parent
    if step is None:
        raise ValueError(f"'{node.name}' has inputs from the loops '{a.name}' and '{b.name}', neither inside the other")
    return inner


def _child(known: dict[tuple[Frame, str], Frame], around: Frame, name: str) -> Frame:
    found = known.get((around, name))
    if found is None:
        found = known[around, name] = Frame(name, around)
        around.inner.append(found)
    return found
