"""Splits off the parts of a stage that draw random numbers in the same way, as initializers of one shape do.

In one program each part would be compiled by itself, which takes most of the time until a large network starts. As
stages of their own they share a program.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind
from evergraph.passes.partition import Stage
from evergraph.passes.state import cell_key, has_storage, may_call, touched

_NAMES = ("seed", "seed2", "shared_name", "container")  # attrs that tell which state a node uses, not what it computes
_MOST_BYTES = 1 << 12  # of a constant in such a part


def split_alike(stage: Stage) -> list[Stage]:
    """The stage in several: one for each part that has its like in the stage, and one for the rest.

    A part consists of nodes that depend on each other or use the same variable. Only a stage without inputs and outputs
    is split.
    """
    if stage.on_host or stage.inputs or stage.outputs or stage.fixed or stage.late or not _draws_twice(stage.nodes):
        return [stage]
    groups: dict[Hashable, list[list[Operation]]] = {}
    for part in _parts(stage.nodes):
        if (form := _form(part)) is not None:
            groups.setdefault(form, []).append(part)
    repeated = [(form, part) for form, parts in groups.items() if len(parts) > 1 for part in parts]
    if not repeated:
        return [stage]
    split = [dataclasses.replace(stage, nodes=tuple(part), donates=False, alike=(form, stage.place))
             for form, part in repeated]
    gone = {node for _, part in repeated for node in part if not _is_free(node)}
    return [*split, dataclasses.replace(stage, nodes=tuple(n for n in stage.nodes if n not in gone))]


def _draws_twice(nodes: Iterable[Operation]) -> bool:
    return sum("rng" in node.opdef.wants for node in nodes) > 1


def _parts(nodes: Sequence[Operation]) -> list[list[Operation]]:
    """The parts, each with its nodes in order and with the constants that it uses."""
    waited = {c for node in nodes for c in node._control_inputs}
    joining = [n for n in nodes if not _is_free(n) and (n.opdef.kind is not Kind.NO_OP or n in waited)]
    first: dict[Any, Any] = {}

    def root(item: Any) -> Any:
        while (above := first.setdefault(item, item)) is not item:
            first[item] = item = first.setdefault(above, above)
        return item

    for node in joining:
        for other in (*_before(node), *_keys(node)):
            first[root(other)] = root(node)
    parts: dict[Any, dict[Operation, None]] = {}
    for node in joining:
        part = parts.setdefault(root(node), {})
        part.update(dict.fromkeys(t.op for t in node._inputs if _is_free(t.op)))
        part[node] = None
    return [list(part) for part in parts.values()]


def _before(node: Operation) -> Iterable[Operation]:
    """The nodes that a node depends on, except constants."""
    return [n for n in (*(t.op for t in node._inputs), *node._control_inputs) if not _is_free(n)]


def _is_free(node: Operation) -> bool:
    """Whether each part may have the node: it is a constant that waits for nothing."""
    return node.opdef.kind is Kind.CONSTANT and not node._control_inputs


def _keys(node: Operation) -> list[str]:
    """The names of the stored values that a node uses."""
    own = [cell_key(node)] if has_storage(node) else []
    return own + [cell_key(storage.op) for storage, _ in touched(node)]


def _form(part: Sequence[Operation]) -> Hashable | None:
    """Equal for parts that compute the same from their stored values; None for those that share no program."""
    if not any("rng" in node.opdef.wants for node in part) or any(map(may_call, part)):
        return None
    place = {node: number for number, node in enumerate(part)}
    keys: dict[str, int] = {}
    lines = []
    for node in part:
        attrs = [(name, _hashable(value)) for name, value in sorted(node.attrs.items()) if name not in _NAMES]
        if any(isinstance(value, np.ndarray) for _, value in attrs) or any(t.op not in place for t in node._inputs):
            return None
        stored = tuple([keys.setdefault(key, len(keys)) for key in _keys(node)])
        lines.append((node.type, tuple(attrs), tuple([(place[t.op], t.value_index) for t in node._inputs]), stored))
    return tuple(lines)


def _hashable(value: Any) -> Any:
    """An attr in a form that can be compared; a large array stays as it is."""
    if isinstance(value, np.ndarray):
        is_small = value.nbytes <= _MOST_BYTES and value.dtype != object
        return (value.shape, value.dtype, value.tobytes()) if is_small else value
    return tuple(map(_hashable, value)) if isinstance(value, (list, tuple)) else value
