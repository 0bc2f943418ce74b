"""Views of a profile: nodes by name scope, by data flow, by type, and by the line of the program that made them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph import proto
from evergraph.debug.profiler.costs import COSTS, NOTHING, added, costs_of, input_shapes

ROOT = "_TFProfRoot"
_SCOPE = "_kTFScopeParent"  # the type of a name scope that is no node itself
GRADIENT = " (gradient)"
_OF_GRADIENT = re.compile(r"(?:.*?)gradients/(?P<forward>.+?)_grad/")
_LIMITS = {"min_bytes": "bytes", "min_peak_bytes": "peak_bytes", "min_residual_bytes": "residual_bytes",
           "min_output_bytes": "output_bytes", "min_micros": "micros", "min_accelerator_micros": "accelerator_micros",
           "min_cpu_micros": "cpu_micros", "min_params": "params", "min_float_ops": "float_ops"}
_OWN_LIMITS = ("min_params", "min_float_ops")  # by scope and by data flow these ask for what a node has itself


@dataclass
class Place:
    """One place of a view: the nodes that are there, what they cost, and what is below it.

    Attributes:
        name: what the view calls it.
        nodes: ProfileNodes: one by scope and data flow, any number by type and line.
        own, total: what it costs itself, and with what is below it.
        is_counted: whether its types are those that the options count.
        shown: what is shown below it.
        trace: the CodeDef.Trace of a line, by line.
    """

    name: str
    nodes: list[Any] = field(default_factory=list)
    types: set[str] = field(default_factory=set)
    children: list[Place] = field(default_factory=list)
    own: dict[str, int] = field(default_factory=NOTHING.copy)
    total: dict[str, int] = field(default_factory=NOTHING.copy)
    is_counted: bool = False
    shown: list[Place] = field(default_factory=list)
    trace: Any = None

    @property
    def devices(self) -> list[str]:
        return sorted({node.canonical_device for node in self.nodes if node.canonical_device})


def viewed(profile: Any, cmd: str, options: Any) -> Place:
    """The root of the view `cmd`, with what the options have it show."""
    root = _BUILDERS[cmd](profile)
    if cmd == "op":
        return _chained(root, options)
    root.children = _counted(root.children, options, cmd == "graph", set())
    starts = list(_starting(root.children, options["start_name_regexes"]))
    own_limits = () if cmd == "code" else _OWN_LIMITS
    if cmd == "code":  # lines that are not shown, such as those of libraries, count where they are called
        options = {**options, "account_displayed_op_only": False}
    root.shown = _sorted(_shown(starts, options, 1, own_limits, set()), options["order_by"])
    counted = root.shown if options["account_displayed_op_only"] else starts
    root.total = added({**NOTHING, "definition_count": 1}, *(place.total for place in counted))
    return root


# ---- trees of all places


def _by_scope(profile: Any) -> Place:
    root = Place(ROOT, types={_SCOPE})
    places = {"": root}

    def place_of(name: str) -> Place:
        if name not in places:
            places[name] = Place(name, types={_SCOPE})
            place_of(name.rpartition("/")[0]).children.append(places[name])
        return places[name]

    for node in _by_name(profile):
        place = place_of(node.name)
        place.nodes, place.types = [node], set(node.op_types)
    return root


def _by_flow(profile: Any) -> Place:
    """What nobody uses stands at the top, and below each node are its inputs."""
    nodes = _by_name(profile)
    places = {node.id: Place(node.name, [node], set(node.op_types)) for node in nodes}
    used = {number for node in nodes for number in node.inputs.values()}
    for node in nodes:
        places[node.id].children = [places[number] for _, number in sorted(node.inputs.items())]
    return Place(ROOT, children=[places[node.id] for node in nodes if node.id not in used])


def _by_type(profile: Any) -> Place:
    places: dict[str, Place] = {}
    for node in _by_name(profile):
        place = places.setdefault(node.op, Place(node.op))
        place.nodes.append(node)
        place.types |= set(node.op_types)
    return Place(ROOT, children=[places[name] for name in sorted(places)])


def _by_line(profile: Any) -> Place:
    """A tree of calls. A gradient stands at the lines of the node that it is the gradient of."""
    root, by_name = Place(ROOT), {node.name: node for node in profile.nodes.values()}
    words = profile.id_to_string
    for node in _by_name(profile):
        gradient = _OF_GRADIENT.match(node.name)
        made = by_name.get(gradient["forward"]) if gradient else node
        if made is None or not node.trace.traces:
            continue
        place = root
        for trace in made.trace.traces:
            place = _line(place, line_name(trace, words) + (GRADIENT if gradient else ""), trace)
        place.nodes.append(node)
        place.types |= set(node.op_types)
    return root


def _line(above: Place, name: str, trace: Any) -> Place:
    for child in above.children:
        if child.name == name:
            return child
    above.children.append(Place(name, trace=trace))
    return above.children[-1]


def line_name(trace: Any, words: Any) -> str:
    """`file.py:12:function`."""
    function = words[trace.function_id]
    short = function if len(function) < 20 else f"{function[:17]}..."
    return f"{words[trace.file_id].rpartition('/')[2]}:{trace.lineno}:{short}"


def _by_name(profile: Any) -> list[Any]:
    return sorted(profile.nodes.values(), key=lambda node: node.name)


_BUILDERS: dict[str, Callable[[Any], Place]] = {"scope": _by_scope, "graph": _by_flow, "op": _by_type, "code": _by_line}


# ---- what is counted, and what is shown of it


def _counted(places: Iterable[Place], options: Any, is_flow: bool, seen: set[int]) -> list[Place]:
    """The places with something that counts, each once, with totals. By data flow, only those that count themselves."""
    found = []
    for place in places:
        if id(place) in seen:
            continue
        seen.add(id(place))
        place.children = _counted(place.children, options, is_flow, seen)
        _count(place, options)
        if is_flow and not place.is_counted:
            found += place.children
        elif place.is_counted or place.children:
            place.total = added(place.own, *(child.total for child in place.children))
            found.append(place)
    return found


def _count(place: Place, options: Any) -> None:
    patterns = options["account_type_regexes"]
    place.nodes = [node for node in place.nodes if _matches(patterns, node.op_types)]
    place.is_counted = bool(place.nodes) or _matches(patterns, place.types) or ".*" in patterns
    place.own = added(NOTHING, *(costs_of(node, options["step"]) for node in place.nodes))
    place.own["definition_count"] = max(len(place.nodes), 1)


def _starting(places: Iterable[Place], patterns: Sequence[str]) -> Iterator[Place]:
    for place in places:
        if _matches(patterns, [place.name]):
            yield place
        else:
            yield from _starting(place.children, patterns)


def _shown(places: Iterable[Place], options: Any, depth: int, own_limits: Sequence[str],
           seen: set[int]) -> list[Place]:
    """The places that are shown; in the stead of one that is not, those below it."""
    found = []
    for place in places:
        if id(place) in seen:
            continue
        seen.add(id(place))
        is_shown = depth <= options["max_depth"] and _is_wanted(place, options, own_limits)
        below: list[Place] = []
        if depth <= options["max_depth"] and not _matches(options["trim_name_regexes"], [place.name]):
            below = _shown(place.children, options, depth + 1, own_limits, seen)
        if not is_shown:
            found += below
            continue
        place.shown = _sorted(below, options["order_by"])
        if options["account_displayed_op_only"]:
            place.total = added(place.own, *(child.total for child in below))
        found.append(place)
    return found


def _is_wanted(place: Place, options: Any, own_limits: Sequence[str]) -> bool:
    return (all((place.own if limit in own_limits else place.total)[cost] >= options.get(limit, 0)
                for limit, cost in _LIMITS.items())
            and _matches(options["show_name_regexes"], [place.name])
            and not _matches(options["hide_name_regexes"], [place.name]))


def _chained(root: Place, options: Any) -> Place:
    """The types, one after the other: the total of each counts those that come after it."""
    for place in root.children:
        _count(place, options)
        place.total = place.own
    counted = _sorted([place for place in root.children if place.is_counted], options["order_by"])
    _add_up(root, counted)
    start = next((at for at, place in enumerate(counted) if _matches(options["start_name_regexes"], [place.name])),
                 len(counted))
    chain = counted[start:start + options["max_depth"] + 1]
    trims = options["trim_name_regexes"]
    end = next((at for at, place in enumerate(chain) if _matches(trims, [place.name])), len(chain))
    root.shown = [place for place in chain[:end] if _is_wanted(place, options, ())
                  and len(place.nodes) >= options["min_occurrence"]]
    if options["account_displayed_op_only"]:
        _add_up(root, root.shown)
    return root


def _add_up(root: Place, places: Sequence[Place]) -> None:
    rest = NOTHING
    for place in reversed(places):
        rest = place.total = added(rest, place.own)
    root.total = rest


_ORDERS = {"occurrence": "definition_count", **{cost: cost for cost in COSTS}}


def is_order(word: str) -> bool:
    """Whether places can be sorted by it."""
    return word == "name" or word in _ORDERS


def _sorted(places: Sequence[Place], order: str) -> list[Place]:
    """By what they have most of, or by name."""
    return sorted(places, key=lambda place: place.name if order == "name" else -place.total[_ORDERS[order]])


def _matches(patterns: Sequence[str], words: Iterable[str]) -> bool:
    return any(pattern == ".*" or re.fullmatch(pattern, word) for word in words for pattern in patterns)


# ---- as messages

_FIELDS = {  # cost: its field in the messages
    "micros": "exec_micros", "accelerator_micros": "accelerator_exec_micros", "cpu_micros": "cpu_exec_micros",
    "bytes": "requested_bytes", "peak_bytes": "peak_bytes", "residual_bytes": "residual_bytes",
    "output_bytes": "output_bytes", "params": "parameters", "float_ops": "float_ops",
}


def node_message(place: Place, profile: Any) -> Any:
    """A GraphNodeProto of a place by scope or data flow, with what is shown below it."""
    message = proto.tfprof_output_pb2.GraphNodeProto(
        name=place.name, devices=place.devices, total_definition_count=place.total["definition_count"],
        total_run_count=place.total["run_count"])
    _fill(message, place)
    for node in place.nodes:
        message.run_count = place.own["run_count"]
        for at, sizes in input_shapes(node, profile.nodes).items():
            message.input_shapes[at].dim.extend(_dims(sizes))
            message.input_shapes[at].unknown_rank = not sizes
    message.children.extend(node_message(child, profile) for child in place.shown)
    return message


def many_message(place: Place, profile: Any, is_chain: bool, step: int) -> Any:
    """A MultiGraphNodeProto of a place by line, or of types, where each has the next one as its child."""
    message = proto.tfprof_output_pb2.MultiGraphNodeProto(name=place.name)
    _fill(message, place)
    for node in place.nodes:
        own = costs_of(node, step)
        message.graph_nodes.append(node_message(Place(node.name, [node], own=own, total=own), profile))
    if is_chain:
        last = message
        for child in place.shown:
            last = last.children.add()
            last.CopyFrom(many_message(child, profile, False, step))
    else:
        message.children.extend(many_message(child, profile, False, step) for child in place.shown)
    return message


def _fill(message: Any, place: Place) -> None:
    for cost, name in _FIELDS.items():
        setattr(message, name, place.own[cost])
        setattr(message, f"total_{name}", place.total[cost])


def _dims(sizes: Sequence[int]) -> list[Any]:
    return [proto.tensor_shape_pb2.TensorShapeProto.Dim(size=size) for size in sizes]
