"""Views of a profile: the tree of name scopes, and the chain of types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph import proto
from evergraph.base import errors
from evergraph.debug.profiler.nodes import COSTS, Node

ROOT = "_TFProfRoot"
_FIELDS = {  # cost: its field in the messages
    "micros": "exec_micros", "accelerator_micros": "accelerator_exec_micros", "cpu_micros": "cpu_exec_micros",
    "bytes": "requested_bytes", "peak_bytes": "peak_bytes", "residual_bytes": "residual_bytes",
    "output_bytes": "output_bytes", "params": "parameters", "float_ops": "float_ops",
}
_COLUMNS = {  # cost: (heading, unit)
    "micros": ("total execution time", "us"), "accelerator_micros": ("accelerator execution time", "us"),
    "cpu_micros": ("cpu execution time", "us"), "bytes": ("requested bytes", "B"),
    "peak_bytes": ("peak bytes", "B"), "residual_bytes": ("residual bytes", "B"), "output_bytes": ("output bytes", "B"),
    "params": ("# parameters", " params"), "float_ops": ("# float_ops", " flops"),
    "occurrence": ("op occurrence", "x"), "device": ("assigned devices", ""), "op_types": ("op types", ""),
    "input_shapes": ("input shapes", ""),
}
_LIMITS = {"min_bytes": "bytes", "min_peak_bytes": "peak_bytes", "min_residual_bytes": "residual_bytes",
           "min_output_bytes": "output_bytes", "min_micros": "micros", "min_accelerator_micros": "accelerator_micros",
           "min_cpu_micros": "cpu_micros", "min_params": "params", "min_float_ops": "float_ops"}


@dataclass
class Place:
    """A node in a view: what it costs itself, what it costs with all below it, and what is below it."""

    node: Node
    total: dict[str, int] = field(default_factory=dict)
    children: list[Place] = field(default_factory=list)
    is_counted: bool = False
    count: int = 0  # the definitions below, and this one


def by_scope(nodes: Iterable[Node], options: Any) -> Place:
    """The tree of name scopes."""
    root = _tree(nodes)
    _count(root, options)
    _add_up(root)
    starts = list(_starting(root, options)) if _narrows(options["start_name_regexes"]) else [root]
    shown = [place for start in starts for place in _shown(start, options, 0)]
    top = shown[0] if starts == [root] else Place(root.node, root.total, shown, False, root.count)
    if options["account_displayed_op_only"]:
        _add_up(top)
    _sort(top, options["order_by"])
    return top


def by_type(nodes: Iterable[Node], options: Any) -> list[Place]:
    """The types of nodes, each with its nodes below; the total of one counts those that come after it."""
    groups: dict[str, Place] = {}
    for node in nodes:
        if not _matches_any(options["account_type_regexes"], node.types):
            continue
        if not _is_named(node.op, options):
            continue
        place = groups.setdefault(node.op, Place(Node(node.op, {node.op}, node.op)))
        place.children.append(Place(node, dict(node.costs), [], True, 1))
        for cost in COSTS:
            place.node.costs[cost] += node.costs[cost]
    kept = [place for place in groups.values() if _is_enough(place.node, options)
            and place.node.costs["occurrence"] >= options["min_occurrence"]]
    order = options["order_by"]
    kept.sort(key=(lambda p: p.node.name) if order == "name" else (lambda p: (-p.node.costs[order], p.node.name)))
    rest = dict.fromkeys(COSTS, 0)
    for place in reversed(kept):
        rest = {cost: rest[cost] + place.node.costs[cost] for cost in COSTS}
        place.total = dict(rest)
    return kept


# ---- the tree


def _tree(nodes: Iterable[Node]) -> Place:
    root = Place(Node(ROOT))
    places: dict[str, Place] = {"": root}

    def place_of(name: str) -> Place:
        if name not in places:
            places[name] = Place(Node(name))
            place_of(name.rpartition("/")[0]).children.append(places[name])
        return places[name]

    for node in nodes:
        place_of(node.name).node = node
    return root


def _count(place: Place, options: Any) -> bool:
    """Marks what is counted; returns whether anything in the tree is."""
    place.is_counted = bool(place.node.op) and _matches_any(options["account_type_regexes"], place.node.types)
    below = [_count(child, options) for child in place.children]
    if not place.is_counted:
        place.node = Node(place.node.name, set(), place.node.op, place.node.device)
    place.children = [child for child, counts in zip(place.children, below) if counts]
    return place.is_counted or any(below)


def _starting(place: Place, options: Any) -> Iterator[Place]:
    if _matches_any(options["start_name_regexes"], [place.node.name]):
        yield place
    else:
        for child in place.children:
            yield from _starting(child, options)


def _shown(place: Place, options: Any, depth: int) -> list[Place]:
    """The place with what is shown below it, or what is shown below it where it is not shown itself."""
    is_root = place.node.name == ROOT
    if depth > options["max_depth"] or _matches_any(options["trim_name_regexes"], [place.node.name]):
        return []
    is_shown = is_root or _is_named(place.node.name, options) and _is_enough(place.node, options)
    below = [found for child in place.children for found in _shown(child, options, depth + 1)]
    if not is_shown:
        return below
    return [Place(place.node, place.total, below, place.is_counted, place.count)]


def _add_up(place: Place) -> None:
    """Totals: what a place costs with all below it."""
    place.total, place.count = dict(place.node.costs), 1
    for child in place.children:
        _add_up(child)
        place.count += child.count
        place.total = {cost: place.total[cost] + child.total[cost] for cost in COSTS}


def _sort(place: Place, order: str) -> None:
    for child in place.children:
        _sort(child, order)
    by_name: Callable[[Place], Any] = lambda child: child.node.name
    place.children.sort(key=by_name)
    if order != "name":
        place.children.sort(key=lambda child: -child.total[order])


def _narrows(patterns: Sequence[str]) -> bool:
    return bool(patterns) and ".*" not in patterns


def _is_named(name: str, options: Any) -> bool:
    return _matches_any(options["show_name_regexes"], [name]) and not _matches_any(options["hide_name_regexes"], [name])


def _is_enough(node: Node, options: Any) -> bool:
    return all(node.costs[cost] >= options.get(limit, 0) for limit, cost in _LIMITS.items())


def _matches_any(patterns: Sequence[str], words: Iterable[str]) -> bool:
    words = list(words)
    return any(re.fullmatch(pattern, word) for pattern in patterns for word in words)


# ---- as messages


def scope_message(place: Place) -> Any:
    """A GraphNodeProto."""
    message = proto.tfprof_output_pb2.GraphNodeProto(name=place.node.name, run_count=place.node.runs,
                                                     total_definition_count=place.count)
    _fill(message, place)
    if place.node.device:
        message.devices.append(place.node.device)
    if place.node.shape:
        message.shapes.add().dim.extend(_dims(place.node.shape))
    for at, sizes in place.node.input_shapes.items():
        message.input_shapes[at].dim.extend(_dims(sizes))
    message.children.extend(scope_message(child) for child in place.children)
    return message


def type_message(places: Sequence[Place]) -> Any:
    """A MultiGraphNodeProto: each type has the next one as its child."""
    root = message = proto.tfprof_output_pb2.MultiGraphNodeProto(name=ROOT)
    if places:
        _fill(root, Place(Node(ROOT), places[0].total))
    for place in places:
        message = message.children.add(name=place.node.name)
        _fill(message, place)
        for child in place.children:
            message.graph_nodes.append(scope_message(child))
    return root


def _fill(message: Any, place: Place) -> None:
    for cost, name in _FIELDS.items():
        setattr(message, name, place.node.costs[cost])
        setattr(message, f"total_{name}", place.total.get(cost, 0))


def _dims(sizes: Sequence[int]) -> list[Any]:
    return [proto.tensor_shape_pb2.TensorShapeProto.Dim(size=size) for size in sizes]


# ---- as text


def heading(select: Sequence[str]) -> str:
    """The names of the columns.

    Raises:
        UnimplementedError: there is no such column here.
    """
    unknown = [column for column in select if column not in _COLUMNS]
    if unknown:
        raise errors.UnimplementedError(None, None, f"tf.profiler: select={unknown}; there are {sorted(_COLUMNS)}")
    return " | ".join(["node name", *(_COLUMNS[column][0] for column in select)])


def scope_lines(place: Place, select: Sequence[str], depth: int = 0) -> Iterator[str]:
    """The tree as lines."""
    yield f"{'  ' * depth}{place.node.name} ({', '.join(_cell(place, column) for column in select)})"
    for child in place.children:
        yield from scope_lines(child, select, depth + 1)


def _cell(place: Place, column: str) -> str:
    node = place.node
    if column == "device":
        return node.device or "--"
    if column == "op_types":
        return "|".join(sorted(node.types)) or "--"
    if column == "input_shapes":
        return "|".join(f"{at}:{'x'.join(map(str, sizes))}" for at, sizes in node.input_shapes.items()) or "--"
    shape = f"{'x'.join(map(str, node.shape))}, " if column == "params" and node.shape else ""
    own = _short(node.costs[column]) if place.is_counted else "--"
    return f"{shape}{own}/{_short(place.total[column])}{_COLUMNS[column][1]}"


def type_lines(places: Sequence[Place], select: Sequence[str]) -> Iterator[str]:
    """The types as lines: what the nodes of each cost, its share with those that come after it, and its own share."""
    width = max([len(place.node.name) for place in places], default=0)
    for place in places:
        cells = [_type_cell(place, places[0], column) for column in select if column in COSTS]
        yield f"{place.node.name:{width}}  {', '.join(cells)}"


def _type_cell(place: Place, first: Place, column: str) -> str:
    own, whole = place.node.costs[column], first.total[column]
    return f"{_short(own)}{_COLUMNS[column][1]} ({_share(place.total[column], whole)}, {_share(own, whole)})"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole if whole else 0:.2f}%"


def _short(number: int) -> str:
    for size, letter in ((10**9, "b"), (10**6, "m"), (10**3, "k")):
        if number >= size:
            return f"{number / size:.2f}{letter}"
    return str(number)
