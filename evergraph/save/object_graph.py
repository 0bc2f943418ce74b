"""The object graph of an object-based checkpoint, and its matching with a program's objects.

The key of a value in the checkpoint is its path: `layer/kernel/.ATTRIBUTES/VARIABLE_VALUE`. The message under
`_CHECKPOINTABLE_OBJECT_GRAPH` holds the edges between objects with their names, so that a program with a different
arrangement of objects still finds its values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from evergraph import proto
from evergraph.base import errors
from evergraph.frontend.variables.base import Variable
from evergraph.frontend.variables.saveable import SaveableObject
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.save.saveables import ReferenceVariableSaveable, ResourceVariableSaveable
from evergraph.save.tracking import children_of, values_of

_ATTRIBUTES, _SLOT = ".ATTRIBUTES", ".OPTIMIZER_SLOT"


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


def _path(*parts: str) -> str:
    return "/".join(part for part in parts if part)


# ---- a program's objects


@dataclass(eq=False)  # `==` of values that are variables may compare their elements
class Item:
    """An object of the program.

    Attributes:
        value: the object.
        path: the shortest path to it.
        children: name -> number of the item.
        slots: (number of the variable, name of the slot, number of the slot), for an optimizer.
    """

    value: Any
    path: str
    children: dict[str, int] = field(default_factory=dict)
    slots: list[tuple[int, str, int]] = field(default_factory=list)


def listed(root: Any, children: Callable[[Any], dict[str, Any]] = children_of) -> list[Item]:
    """The objects reachable from a root in breadth-first order, the slots of optimizers last.

    Args:
        root: the object to begin with.
        children: the children of an object by name.
    """
    items = [Item(root, "")]
    numbers = {id(root): 0}
    for item in items:  # grows during the iteration
        for name, child in children(item.value).items():
            if id(child) not in numbers:
                numbers[id(child)] = len(items)
                items.append(Item(child, _path(item.path, _escaped(name))))
            item.children[name] = numbers[id(child)]
    _add_slots(items, numbers)
    return items


def _add_slots(items: list[Item], numbers: dict[int, int]) -> None:
    variables = [(number, item) for number, item in enumerate(items) if isinstance(item.value, Variable)]
    for item in [item for item in items if hasattr(item.value, "get_slot_names")]:
        for name in item.value.get_slot_names():
            for number, owner in variables:
                slot = item.value.get_slot(owner.value, name)
                if slot is None or id(slot) in numbers:
                    continue
                numbers[id(slot)] = len(items)
                item.slots.append((number, name, len(items)))
                items.append(Item(slot, _path(owner.path, _SLOT, item.path, _escaped(name))))


def described(items: list[Item]) -> Any:
    """The object graph message of these objects."""
    message = proto.trackable_object_graph_pb2.TrackableObjectGraph()
    for item in items:
        node = message.nodes.add()
        for name, number in item.children.items():
            node.children.add(node_id=number, local_name=name)
        for attribute, key, _ in attributes(item):
            full_name = item.value._shared_name if isinstance(item.value, Variable) else ""
            node.attributes.add(name=attribute, full_name=full_name, checkpoint_key=key)
        for variable, name, slot in item.slots:
            node.slot_variables.add(original_variable_node_id=variable, slot_name=name, slot_variable_node_id=slot)
    _note_values(message)
    return message


def _note_values(message: Any) -> None:
    """Marks each object that has values, or a descendant with values: TensorFlow 2 reads the mark."""
    users: dict[int, list[int]] = {}
    for number, node in enumerate(message.nodes):
        below = [*(child.node_id for child in node.children), *(s.slot_variable_node_id for s in node.slot_variables)]
        for child in below:
            users.setdefault(child, []).append(number)
    waiting = [number for number, node in enumerate(message.nodes) if node.attributes]
    while waiting:
        number = waiting.pop()
        if not message.nodes[number].has_checkpoint_values.value:
            message.nodes[number].has_checkpoint_values.value = True
            waiting += users.get(number, ())


def attributes(item: Item) -> Iterator[tuple[str, str, Any]]:
    """(name, key in the checkpoint, variable or function) of an object's own values."""
    for name, target in values_of(item.value).items():
        yield name, _path(item.path, _ATTRIBUTES, _escaped(name)), target


def saveable(target: Any, key: str) -> SaveableObject:
    """The saveable of a variable, or of a function that makes one, under a key."""
    if hasattr(target, "_as_saveable"):
        return target._as_saveable(key)
    if isinstance(target, Variable):
        kind = ResourceVariableSaveable if isinstance(target, ResourceVariable) else ReferenceVariableSaveable
        return kind(target, "", key)
    made = target(name=key) if callable(target) else target
    if isinstance(made, Variable):
        return saveable(made, key)
    if not isinstance(made, SaveableObject):
        raise ValueError(f"An object gives {made!r} as the way it is saved; a variable or SaveableObject is wanted")
    return made


# ---- matching


@dataclass
class Matches:
    """The matched objects of a program and of a checkpoint.

    Attributes:
        items: the objects of the program.
        message: the objects of the checkpoint.
        pairs: number in the checkpoint -> the object of the program.
    """

    items: list[Item]
    message: Any
    pairs: dict[int, Item]

    def restorable(self) -> Iterator[tuple[Any, str]]:
        """(variable or function, key) of everything that is in the checkpoint, each object once."""
        seen: set[int] = set()
        for number, item in self.pairs.items():
            if id(item.value) in seen:
                continue
            seen.add(id(item.value))
            targets = values_of(item.value)
            for stored in self.message.nodes[number].attributes:
                if stored.name in targets:
                    yield targets[stored.name], stored.checkpoint_key

    def not_in_program(self) -> list[str]:
        """The checkpoint's values without a matching object."""
        rest = (node for number, node in enumerate(self.message.nodes) if number not in self.pairs)
        return [stored.checkpoint_key for node in rest for stored in node.attributes]

    def not_in_checkpoint(self) -> list[Any]:
        """The program's objects with values that are not in the checkpoint."""
        known = set()
        for number, item in self.pairs.items():
            stored = {each.name for each in self.message.nodes[number].attributes}
            if stored >= values_of(item.value).keys():
                known.add(id(item.value))
        return [item.value for item in self.items if values_of(item.value) and id(item.value) not in known]


def matched(root: Any, message: Any) -> Matches:
    """Matches both graphs from their roots along equal edge names.

    Raises:
        DataLossError: the message contradicts itself.
    """
    items = _with_made(root, message, listed(root))
    count = len(message.nodes)
    by_id = {id(item.value): item for item in items}
    pairs: dict[int, Item] = {0: items[0]} if count else {}
    waiting = list(pairs)

    def add(number: int, item: Item) -> None:
        if not 0 <= number < count:
            raise errors.DataLossError(None, None, f"the graph of objects has no node {number}")
        if number not in pairs:
            pairs[number] = item
            waiting.append(number)

    while waiting:
        number = waiting.pop(0)
        item = pairs[number]
        for child in message.nodes[number].children:
            if child.local_name in item.children:
                add(child.node_id, items[item.children[child.local_name]])
    _match_slots(message, dict(pairs), by_id, add)
    return Matches(items, message, pairs)


def _with_made(root: Any, message: Any, items: list[Item]) -> list[Item]:
    """The objects, after those that make children as a checkpoint has them have made theirs."""
    makers = {id(item.value) for item in items if hasattr(item.value, "_make_checkpoint_child")}
    if not makers or not message.nodes:
        return items
    waiting, seen = [(0, items[0])], set()
    for number, item in waiting:  # grows during the iteration
        if number in seen or not 0 <= number < len(message.nodes):
            continue
        seen.add(number)
        for child in message.nodes[number].children:
            if id(item.value) in makers:
                item.value._make_checkpoint_child(child.local_name)
            elif child.local_name in item.children:
                waiting.append((child.node_id, items[item.children[child.local_name]]))
    return listed(root)


def _match_slots(
    message: Any, pairs: dict[int, Item], by_id: dict[int, Item], add: Callable[[int, Item], None]
) -> None:
    for number, item in pairs.items():
        for slot in message.nodes[number].slot_variables if hasattr(item.value, "get_slot") else ():
            owner = pairs.get(slot.original_variable_node_id)
            if owner is None or not isinstance(owner.value, Variable):
                continue
            variable = item.value.get_slot(owner.value, slot.slot_name)
            if variable is not None and id(variable) in by_id:
                add(slot.slot_variable_node_id, by_id[id(variable)])
