"""Says which nodes of a region run under which conditions: the branches that TensorFlow 1 writes with Switch and Merge.

A Switch gives its data to one of two outputs and leaves the other one without a value; what needs such an output does
not run; a Merge takes whichever of its inputs there is. So every unit has a path: the predicates on the way to it,
outermost first, each with the value that it must have. The units of a region whose path is empty run in any case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evergraph.base import errors
from evergraph.graph.node import Operation, Tensor
from evergraph.passes.frames import ENTERS, MERGES, SWITCHES, Frame, is_loop_switch

Literal = tuple[Tensor, bool]
Path = tuple[Literal, ...]


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


@dataclass(eq=False)
class Region:
    """Units in the order they run, with the conditions they run under.

    Attributes:
        units: in order.
        producer: tensor -> the unit that makes it.
        owner: node -> the unit it is in.
        path: the conditions of each unit.
        choices: Merge unit -> what it chooses by.
    """

    units: Sequence[Unit]
    producer: Mapping[Tensor, Unit] = field(init=False)
    owner: Mapping[Operation, Unit] = field(init=False)
    path: dict[Unit, Path] = field(init=False, default_factory=dict)
    choices: dict[Unit, Choice] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.producer = {t: u for u in self.units for t in u.makes}
        self.owner = {n: u for u in self.units for n in u.nodes}
        self._place = {u: i for i, u in enumerate(self.units)}
        self._conditions: dict[Unit, frozenset[Literal]] = {}
        for unit in self.units:
            self._conditions[unit] = self._condition_of_unit(unit)
            self.path[unit] = self._ordered(self._conditions[unit])

    # ---- conditions

    def _condition_of_unit(self, unit: Unit) -> frozenset[Literal]:
        if unit.is_merge:
            return self._merged(unit)
        if unit.loop is None and unit.node.type == "ControlTrigger":  # runs whatever it waits for
            return frozenset()
        found: frozenset[Literal] = frozenset()
        for tensor in unit.reads:
            found |= self.condition(tensor)
        for node in unit.waits:
            found |= self._condition_of_node(node)
        for predicate, value in found:
            if (predicate, not value) in found:
                raise errors.UnimplementedError(
                    None, unit.node, f"'{unit.node.name}' takes values of both branches of '{predicate.op.name}'"
                )
        return found

    def condition(self, tensor: Tensor) -> frozenset[Literal]:
        """The conditions under which a tensor has a value."""
        found: frozenset[Literal] = frozenset()
        while is_switched(tensor):
            predicate = behind_identities(tensor.op._inputs[1])
            found |= {(predicate, bool(tensor.value_index))} | self.condition(predicate)
            tensor = tensor.op._inputs[0]
        unit = self.producer.get(tensor)
        return found if unit is None else found | self._conditions[unit]

    def _condition_of_node(self, node: Operation) -> frozenset[Literal]:
        if node.type in SWITCHES and not is_loop_switch(node):
            return self.condition(node._inputs[0]) | self.condition(node._inputs[1])
        unit = self.owner.get(node)
        return frozenset() if unit is None else self._conditions[unit]

    def _merged(self, unit: Unit) -> frozenset[Literal]:
        """The conditions of a Merge: those of its inputs, without the predicate that it chooses by."""
        node = unit.node
        if len(node._inputs) == 1:
            return self.condition(node._inputs[0])
        if len(node._inputs) == 2:
            a, b = (self.condition(t) for t in node._inputs)
            for predicate, value in sorted((a | b) - (a & b), key=self._nesting, reverse=True):
                for first, second, swapped in ((a, b, False), (b, a, True)):
                    rest = first - {(predicate, value)}
                    if (predicate, value) in first and rest == second - {(predicate, not value)}:
                        taken = int(swapped)  # which input has a value when the predicate is `value`
                        self.choices[unit] = Choice(predicate, (1 - taken, taken) if value else (taken, 1 - taken))
                        return rest
        raise errors.UnimplementedError(
            None, node, f"Merge '{node.name}' does not choose between the two branches of one predicate"
        )

    # ---- order

    def _nesting(self, literal: Literal) -> tuple[int, int, bool]:
        """Sorts literals: a predicate comes after those that have to hold for it to have a value."""
        predicate, value = literal
        unit = self.producer.get(resolved(predicate))
        return len(self.condition(predicate)), -1 if unit is None else self._place[unit], value

    def _ordered(self, literals: frozenset[Literal]) -> Path:
        return tuple(sorted(literals, key=self._nesting)) if literals else ()

    # ---- dependencies

    def sources(self, unit: Unit) -> list[Unit]:
        """The units that run before a unit: for what it reads, waits for, and for the predicates of its path."""
        found = [self.producer.get(resolved(t)) for t in unit.reads]
        found += [self.producer.get(resolved(predicate)) for predicate, _ in self.path[unit]]
        if unit in self.choices:
            found.append(self.producer.get(resolved(self.choices[unit].predicate)))
        for node in unit.waits:
            found += [self.owner.get(n) for n in waited_for(node)]
        return [u for u in dict.fromkeys(found) if u is not None and u is not unit]


def is_switched(tensor: Tensor) -> bool:
    """Whether a tensor is the output of a Switch that belongs to a conditional."""
    return tensor.op.type in SWITCHES and not is_loop_switch(tensor.op)


def resolved(tensor: Tensor) -> Tensor:
    """The tensor that has the value: a Switch and an Enter only hand it on."""
    while is_switched(tensor) or tensor.op.type in ENTERS:
        tensor = tensor.op._inputs[0]
    return tensor


def waited_for(node: Operation) -> list[Operation]:
    """The nodes behind a control input: those that a Switch or Enter hands on the values of."""
    if node.type in SWITCHES and not is_loop_switch(node):
        return [resolved(t).op for t in node._inputs]
    return [resolved(node._inputs[0]).op] if node.type in ENTERS else [node]


def behind_identities(tensor: Tensor) -> Tensor:
    """A predicate under its first name: conditionals make an Identity of it."""
    while tensor.op.type == "Identity":
        tensor = tensor.op._inputs[0]
    return tensor
