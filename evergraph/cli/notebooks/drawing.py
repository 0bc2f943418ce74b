"""Draws a graph as SVG: a box for each node, or each name scope where there are many, in layers from its inputs on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from evergraph.graph.traits import Kind

_MOST, _SCOPES = 40, 24
"""Nodes that are drawn one by one; graphs with more are drawn by name scopes, in about so many boxes."""

_WIDTH, _HEIGHT, _GAP, _RISE = 150, 38, 18, 44
_COLOURS = {Kind.PLACEHOLDER: "#fff3cd", Kind.CONSTANT: "#eceff1", Kind.VARIABLE: "#d7ecd9"}
_SCOPE, _OTHER = "#dbe7f6", "#ffffff"
_ARROW = ("<defs><marker id='evergraph-end' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' "
          "orient='auto'><path d='M0 0 8 4 0 8z' fill='#78909c'/></marker></defs>")  # fmt: skip
_AUXILIARY = ("gradients", "save", "init", "report_uninitialized_variables", "beta1_power", "beta2_power")


@dataclass
class Box:
    """One box: its name, what stands below the name, its colour, and the boxes that it takes from."""

    name: str
    about: str
    colour: str
    sources: set[str] = field(default_factory=set)


def drawn(nodes: Sequence[Any]) -> str:
    """An SVG of the nodes of a graph."""
    boxes = boxed(nodes)
    layers = layered(boxes)
    widest = max(map(len, layers))
    width, height = widest * (_WIDTH + _GAP) + _GAP, len(layers) * (_HEIGHT + _RISE)
    places = {name: (x, y) for name, x, y in _placed(layers, width)}
    parts = [_edge(way(places[source], places[box.name], places.values()))
             for box in boxes.values() for source in sorted(box.sources)]  # fmt: skip
    parts += [_box(box, *places[box.name]) for box in boxes.values()]
    return (f"<div style='max-height:560px;overflow:auto'><svg xmlns='http://www.w3.org/2000/svg' width='{width}' "
            f"height='{height}' viewBox='0 0 {width} {height}' font-family='system-ui,sans-serif' font-size='11' "
            f"role='img' aria-label='a graph of {len(nodes)} nodes'>{_ARROW}"
            f"{''.join(parts)}</svg></div>")  # fmt: skip


def boxed(nodes: Sequence[Any]) -> dict[str, Box]:
    """Name -> box, in the order of the nodes: a node each while there are few, else the scopes that fit."""
    kept = list(nodes) if len(nodes) <= _MOST else [node for node in nodes if not node.name.startswith(_AUXILIARY)]
    depth = _depth([node.name for node in kept])
    held = Counter(_cut(node.name, depth) for node in kept)
    boxes: dict[str, Box] = {}
    for node in kept:
        name = _cut(node.name, depth)
        alone = held[name] == 1
        about = node.type if alone else f"{held[name]} nodes"
        colour = _COLOURS.get(node.opdef.kind, _OTHER) if alone else _SCOPE
        box = boxes.setdefault(name, Box(name, about, colour))
        taken = {_cut(each.op.name, depth) for each in node.inputs} | {
            _cut(each.name, depth) for each in node.control_inputs
        }
        box.sources |= taken & held.keys() - {name}
    if len(boxes) > _MOST:
        names = list(boxes)[:_MOST]
        boxes = {name: boxes[name] for name in names}
        for box in boxes.values():
            box.sources &= boxes.keys()
    return boxes


def _depth(names: Sequence[str]) -> int:
    """How many words of names make few enough boxes."""
    if len(names) <= _MOST:
        return 100
    return next((depth for depth in (4, 3, 2) if len({_cut(name, depth) for name in names}) <= _SCOPES), 1)


def _cut(name: str, depth: int) -> str:
    return "/".join(name.split("/")[:depth])


def layered(boxes: Mapping[str, Box]) -> list[list[str]]:
    """The boxes in layers, each below all that it takes from, as far as scopes have such an order."""
    level: dict[str, int] = {}
    for name in boxes:
        _set_level(name, boxes, level, set())
    readers: defaultdict[str, list[str]] = defaultdict(list)
    for name, box in boxes.items():
        for source in box.sources:
            readers[source].append(name)
    layers: defaultdict[int, list[str]] = defaultdict(list)
    for name, box in boxes.items():  # what takes from none stands right above what takes from it
        place = level[name] if box.sources else max(min((level[each] for each in readers[name]), default=0) - 1, 0)
        layers[place].append(name)
    rows = [layers[place] for place in sorted(layers)]
    for above, row in zip(rows, rows[1:]):
        order = {name: place for place, name in enumerate(above)}
        row.sort(key=lambda name: _mean([order[source] for source in boxes[name].sources if source in order]))
    return rows


def _set_level(root: str, boxes: Mapping[str, Box], level: dict[str, int], on_path: set[str]) -> None:
    """Longest path from the inputs, without recursion; an edge back into the path, as between scopes, counts not."""
    stack = [(root, iter(sorted(boxes[root].sources)))]
    on_path.add(root)
    while stack:
        name, sources = stack[-1]
        fresh = next((each for each in sources if each not in level and each not in on_path), None)
        if fresh is not None:
            on_path.add(fresh)
            stack.append((fresh, iter(sorted(boxes[fresh].sources))))
            continue
        level.setdefault(name, 1 + max((level[each] for each in boxes[name].sources if each in level), default=-1))
        on_path.discard(name)
        stack.pop()


def _mean(places: Sequence[int]) -> float:
    return sum(places) / len(places) if places else 0.0


def _placed(layers: Sequence[Sequence[str]], width: int) -> Iterable[tuple[str, float, float]]:
    for row, names in enumerate(layers):
        left = (width - len(names) * (_WIDTH + _GAP) + _GAP) / 2
        for place, name in enumerate(names):
            yield name, left + place * (_WIDTH + _GAP), 4 + row * (_HEIGHT + _RISE)


def _box(box: Box, x: float, y: float) -> str:
    middle = x + _WIDTH / 2
    text = lambda words, below, shade: (f"<text x='{middle}' y='{y + below}' text-anchor='middle' fill='{shade}'>"
                                        f"{escape(_short(words))}</text>")  # fmt: skip
    return (f"<g><title>{escape(box.name)}: {escape(box.about)}</title><rect x='{x}' y='{y}' width='{_WIDTH}' "
            f"height='{_HEIGHT}' rx='6' fill='{box.colour}' stroke='#90a4ae'/>{text(box.name, 16, '#102027')}"
            f"{text(box.about, 30, '#546e7a')}</g>")  # fmt: skip


Point = tuple[float, float]


def way(start: Point, end: Point, corners: Iterable[Point]) -> list[Point]:
    """The points of an edge between two boxes: rows between them are crossed where no box stands."""
    x, y = start[0] + _WIDTH / 2, start[1] + _HEIGHT
    to_x, to_y = end[0] + _WIDTH / 2, end[1]
    way = [(x, y)]
    for row in sorted({top for _, top in corners if y < top < to_y}):
        across = x + (to_x - x) * (row - y) / (to_y - y)
        hit = next((left for left, top in corners if top == row and left < across < left + _WIDTH), None)
        if hit is not None:
            across = hit - _GAP / 2 if across < hit + _WIDTH / 2 else hit + _WIDTH + _GAP / 2
        way += [(across, row), (across, row + _HEIGHT)]
    return [*way, (to_x, to_y)]


def _edge(way: Sequence[Point]) -> str:
    path = f"M{way[0][0]:.0f} {way[0][1]:.0f}"
    for (x, y), (to_x, to_y) in zip(way, way[1:]):
        bend = max((to_y - y) / 2, 16)
        path += f"C{x:.0f} {y + bend:.0f} {to_x:.0f} {to_y - bend:.0f} {to_x:.0f} {to_y:.0f}"
    return f"<path d='{path}' fill='none' stroke='#78909c' marker-end='url(#evergraph-end)'/>"


def _short(text: str, most: int = 24) -> str:
    return text if len(text) <= most else f"…{text[1 - most :]}"
