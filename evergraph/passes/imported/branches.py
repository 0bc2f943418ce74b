"""Says which nodes of a region run under which conditions: the branches that TensorFlow 1 writes with Switch and Merge.

A Switch gives its data to one of two outputs and leaves the other one without a value; what needs such an output does
not run; a Merge takes whichever of its inputs there is. So every unit has a path: the predicates on the way to it,
outermost first, each with the value that it must have. The units of a region whose path is empty run in any case.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from evergraph.base import errors
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.passes.imported.frames import ENTERS, MERGES, SWITCHES, Frame, behind_identities, is_loop_switch
from evergraph.passes.prune import standing_for

Literal = tuple[Tensor, bool]
Path = tuple[Literal, ...]
Condition = frozenset[Literal] | None  # None: never


@dataclass(eq=False)
class Unit:
    """What runs together: one node, or a whole loop.

    Attributes:
        nodes: the nodes in it, at any depth.
        reads: the tensors it takes from outside.
        waits: the nodes outside that it waits for.
        makes: the tensors others may take from it.
        loop: the frame, for a loop.
    """

    nodes: Sequence[Operation]
    reads: Sequence[Tensor]
    waits: Sequence[Operation]
    makes: Sequence[Tensor]
    loop: Frame | None = None

    @property
    def node(self) -> Operation:
        return self.nodes[0]

    @property
    def is_merge(self) -> bool:
        return self.loop is None and self.node.type in MERGES


@dataclass(eq=False)
class Choice:
    """A Merge as a choice: the input to take when the predicate is false, and when it is true."""

    predicate: Tensor
    inputs: tuple[int, int]


@dataclass(frozen=True)
class Case:
    """An input of a Merge, and the literal that says that it has a value."""

    literal: Literal
    input: int


@dataclass(eq=False)
class Region:
    """Units in the order they run, with the conditions they run under.

    Attributes:
        units: in order, without those that never run.
        producer: tensor -> the unit that makes it.
        owner: node -> the unit it is in.
        path: the conditions of each unit.
        choices: Merge unit -> what it chooses by.
        cases: Merge unit -> its inputs, where predicates that have nothing to do with each other decide: the first that
            holds is taken.
        single: Merge unit -> its only input that ever has a value.
    """

    units: Sequence[Unit]
    producer: Mapping[Tensor, Unit] = field(init=False)
    owner: Mapping[Operation, Unit] = field(init=False)
    path: dict[Unit, Path] = field(init=False, default_factory=dict)
    choices: dict[Unit, Choice] = field(init=False, default_factory=dict)
    cases: dict[Unit, list[Case]] = field(init=False, default_factory=dict)
    single: dict[Unit, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.producer = {t: u for u in self.units for t in u.makes}
        self.owner = {n: u for u in self.units for n in u.nodes}
        self._place = {u: i for i, u in enumerate(self.units)}
        self._conditions: dict[Unit, Condition] = {}
        self._first: dict[Hashable, Tensor] = {}
        for unit in self.units:
            self._conditions[unit] = condition = self._condition_of_unit(unit)
            self.path[unit] = self._ordered(condition) if condition else ()
        self.units = [unit for unit in self.units if self._conditions[unit] is not None]

    # ---- conditions

    def _condition_of_unit(self, unit: Unit) -> Condition:
        if unit.is_merge:
            return self._merged(unit)
        if unit.loop is None and unit.node.type == "ControlTrigger":  # runs whatever it waits for
            return frozenset()
        found = [self.condition(tensor) for tensor in unit.reads]
        return _all_of([*found, *(self._condition_of_node(node) for node in unit.waits)])

    def condition(self, tensor: Tensor) -> Condition:
        """The conditions under which a tensor has a value."""
        found: list[Condition] = []
        tensor = standing_for(tensor)
        while is_switched(tensor):
            literal = self._literal(tensor.op._inputs[1], bool(tensor.value_index))
            found += [frozenset({literal}), self.condition(literal[0])]
            tensor = standing_for(tensor.op._inputs[0])
        unit = self.producer.get(tensor)
        return _all_of([*found, self._conditions[unit] if unit is not None else frozenset()])

    def _literal(self, predicate: Tensor, value: bool) -> Literal:
        """A predicate under its first name: that a Merge has taken a certain input says what the Merge chose by, and
        of predicates that compute the same the first stands for all."""
        predicate = behind_identities(predicate)
        if predicate.op.type == "Equal":
            index, number = predicate.op._inputs
            choice = self.choices.get(self.producer.get(index)) if index.value_index == 1 else None  # type: ignore[arg-type]
            if choice is not None and number.op.type == "Const" and number.op.attrs["value"] in choice.inputs:
                taken = choice.inputs.index(int(number.op.attrs["value"])) == 1
                return choice.predicate, taken is value
        return self._first.setdefault(_computation(predicate), predicate), value

    def _condition_of_node(self, node: Operation) -> Condition:
        if node.type in SWITCHES and not is_loop_switch(node):
            return _all_of([self.condition(node._inputs[0]), self.condition(node._inputs[1])])
        unit = self.owner.get(node)
        return frozenset() if unit is None else self._conditions[unit]

    def _merged(self, unit: Unit) -> Condition:
        """The conditions of a Merge: those of its inputs, without the predicate that it chooses by."""
        node = unit.node
        found = [(i, c) for i, c in enumerate(map(self.condition, node._inputs)) if c is not None]
        if len(found) < 2:
            self.single[unit] = found[0][0] if found else 0
            return found[0][1] if found else None
        for i, condition in found:  # a constant outside of all branches is there before anything else
            if not condition and _is_constant(node._inputs[i].op):
                self.single[unit] = i
                return condition
        if len(found) == 2:
            for (i, first), (j, second) in (found, found[::-1]):
                for predicate, value in sorted(first - second, key=self._nesting, reverse=True):
                    rest = first - {(predicate, value)}
                    if rest == second - {(predicate, not value)}:
                        self.choices[unit] = Choice(predicate, (j, i) if value else (i, j))
                        return rest
        common = frozenset.intersection(*(c for _, c in found))
        own = [(i, next(iter(c - common))) for i, c in found if len(c - common) == 1]
        if len(own) < len(found) or not all((self.condition(literal[0]) or common) <= common for _, literal in own):
            raise errors.UnimplementedError(
                None, node, f"Merge '{node.name}' does not choose by one predicate for each of its inputs")
        self.cases[unit] = [Case(literal, i) for i, literal in own]
        return common

    # ---- order

    def _nesting(self, literal: Literal) -> tuple[int, int, bool]:
        """Sorts literals: a predicate comes after those that have to hold for it to have a value."""
        predicate, value = literal
        unit = self.producer.get(resolved(predicate))
        return len(self.condition(predicate) or ()), -1 if unit is None else self._place[unit], value

    def _ordered(self, literals: frozenset[Literal]) -> Path:
        return tuple(sorted(literals, key=self._nesting))

    # ---- dependencies

    def needs(self, unit: Unit) -> list[Tensor]:
        """The tensors that a unit reads, and the predicates of its path and of what it chooses by."""
        found = [*unit.reads, *(predicate for predicate, _ in self.path[unit])]
        if unit in self.choices:
            found.append(self.choices[unit].predicate)
        found += [case.literal[0] for case in self.cases.get(unit, ())]
        return [resolved(tensor) for tensor in found]

    def sources(self, unit: Unit) -> list[Unit]:
        """The units that run before a unit: for what it needs and waits for."""
        found = [self.producer.get(tensor) for tensor in self.needs(unit)]
        for node in unit.waits:
            found += [self.owner.get(n) for n in waited_for(node)]
        return [u for u in dict.fromkeys(found) if u is not None and u is not unit and self._conditions[u] is not None]


def _computation(tensor: Tensor) -> Hashable:
    """A key that tensors share when they are the same output of the same pure op on the same tensors or constants."""
    node = tensor.op
    if not node.opdef.is_pure or not node._inputs:
        return tensor
    attrs = tuple(sorted((name, repr(value)) for name, value in node.attrs.items()))
    return node.type, tensor.value_index, attrs, tuple(map(_operand, node._inputs))


def _is_constant(node: Operation) -> bool:
    """Whether nothing but constants goes into the node. Constants of a branch wait for its switch."""
    seen: set[Operation] = set()
    left = [node]
    while left:
        each = left.pop()
        if each in seen:
            continue
        is_made = bool(each._inputs) and each.opdef.is_pure
        if each._control_inputs or not (is_made or each.opdef.kind is Kind.CONSTANT):
            return False
        seen.add(each)
        left += [tensor.op for tensor in each._inputs]
    return True


def _operand(tensor: Tensor) -> Hashable:
    tensor = behind_identities(tensor)
    value = tensor.op.attrs["value"] if tensor.op.type == "Const" else None
    return tensor if value is None else (str(value.dtype), value.shape, repr(value.tolist()))


def _all_of(conditions: Sequence[Condition]) -> Condition:
    """What holds when all of the conditions do; a predicate is never true and false."""
    found: set[Literal] = set()
    for condition in conditions:
        if condition is None or any((predicate, not value) in found for predicate, value in condition):
            return None
        found |= condition
    return frozenset(found)


def is_switched(tensor: Tensor) -> bool:
    """Whether a tensor is the output of a Switch that belongs to a conditional."""
    return tensor.op.type in SWITCHES and not is_loop_switch(tensor.op)


def resolved(tensor: Tensor) -> Tensor:
    """The tensor that has the value: a Switch and an Enter only hand it on, and others stand for something."""
    while True:
        if is_switched(tensor) or tensor.op.type in ENTERS:
            tensor = tensor.op._inputs[0]
        elif standing_for(tensor) is not tensor:
            tensor = standing_for(tensor)
        else:
            return tensor


def waited_for(node: Operation) -> list[Operation]:
    """The nodes behind a control input: those that a Switch or Enter hands on the values of."""
    if node.type in SWITCHES and not is_loop_switch(node):
        return [resolved(t).op for t in node._inputs]
    return [resolved(node._inputs[0]).op] if node.type in ENTERS else [node]
