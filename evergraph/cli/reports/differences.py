"""How two checkpoints, graphs or SavedModels differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from evergraph.cli.reports.graph import dtype_name, shape_list
from evergraph.cli.reports.kinds import Parts, parts_of
from evergraph.cli.reports.report import Report, Table

_LEFT_OUT = ("_output_shapes",)
"""Attributes that say nothing about what a node computes."""


class Incomparable(Exception):
    """One path has a graph alone, the other tensors alone."""


def differences(first: str, second: str, tolerance: float) -> Report:
    """What the second path has otherwise than the first: a report whose tables are empty when they agree.

    Args:
        first, second: a checkpoint, graph, MetaGraph or SavedModel each.
        tolerance: how far values may be apart, as a part of the largest of the tensor.

    Raises:
        Unknown, OpError, OSError, ValueError: one of them cannot be read.
        Incomparable: they have nothing in common to compare.
    """
    one, two = parts_of(first), parts_of(second)
    tables: list[Table] = []
    if one.tensors is not None and two.tensors is not None:
        tables.append(
            Table("tensors", ["name", "difference", "largest"], list(_tensors(one.tensors, two.tensors, tolerance)))
        )
    if one.graph is not None and two.graph is not None:
        tables.append(Table("nodes", ["name", "difference"], list(_nodes(one.graph, two.graph))))
    if one.signatures is not None and two.signatures is not None:
        tables.append(Table("signatures", ["signature", "argument", "difference"], list(_signatures(one, two))))
    if not tables:
        raise Incomparable(f"{first} is a {one.kind}, {second} a {two.kind}: they have nothing to compare")
    same = {f"same_{table.name}": _common(table.name, one, two) - len(_changed(table)) for table in tables}
    return Report("differences", f"{first} and {second}", same, tables)


def _changed(table: Table) -> set[str]:
    only = ("only in the first", "only in the second")
    return {row[0] for row in table.rows if not str(row[1]).startswith(only)}


def _common(what: str, one: Parts, two: Parts) -> int:
    sides = {
        "tensors": lambda each: set(each.tensors.names()),
        "nodes": lambda each: {node.name for node in each.graph.node},
        "signatures": lambda each: set(each.signatures),
    }
    return len(sides[what](one) & sides[what](two))


def _tensors(one: Any, two: Any, tolerance: float) -> Iterator[list[Any]]:
    names, others = set(one.names()), set(two.names())
    for name in sorted(names | others):
        if name not in others:
            yield [name, "only in the first", None]
        elif name not in names:
            yield [name, "only in the second", None]
        elif said := _unlike(one, two, name):
            yield [name, said, None]
        else:
            yield from _values(name, one.read(name), two.read(name), tolerance)


def _unlike(one: Any, two: Any, name: str) -> str | None:
    if one.dtype(name) != two.dtype(name):
        return f"{one.dtype(name).name} became {two.dtype(name).name}"
    if list(one.shape(name)) != list(two.shape(name)):
        return f"shape {list(one.shape(name))} became {list(two.shape(name))}"
    return None


def _values(name: str, a: Any, b: Any, tolerance: float) -> Iterator[list[Any]]:
    if a.dtype == object or a.dtype.kind not in "fiubc":
        # Custom dtypes such as bfloat16 compare as numbers after a cast.
        unlike = np.asarray(a != b) if a.dtype == object else np.asarray(a.astype(np.float64) != b.astype(np.float64))
        if unlike.any():
            yield [name, f"{int(unlike.sum()):,} of {unlike.size:,} values differ", None]
        return
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    apart = np.abs(a.astype(wide) - b.astype(wide))
    apart = np.where(np.isnan(apart), np.where(np.isnan(a) & np.isnan(b) | (a == b), 0, np.inf), apart)
    limit = tolerance * max(float(np.abs(a.astype(wide)).max(initial=0, where=np.isfinite(a))), 0.0)
    count = int((apart > limit).sum())
    if count:
        yield [name, f"{count:,} of {apart.size:,} values differ", float(apart.max())]


def _nodes(one: Any, two: Any) -> Iterator[list[Any]]:
    mine, theirs = ({node.name: node for node in graph.node} for graph in (one, two))
    for name in sorted(mine.keys() | theirs.keys()):
        if name not in theirs:
            yield [name, f"only in the first: {mine[name].op}"]
        elif name not in mine:
            yield [name, f"only in the second: {theirs[name].op}"]
        elif said := "; ".join(_node(mine[name], theirs[name])):
            yield [name, said]


def _node(a: Any, b: Any) -> Iterator[str]:
    if a.op != b.op:
        yield f"op {a.op} became {b.op}"
    if list(a.input) != list(b.input):
        yield f"inputs {', '.join(a.input) or 'none'} became {', '.join(b.input) or 'none'}"
    if a.device != b.device:
        yield f"device {a.device or 'none'} became {b.device or 'none'}"
    for key in sorted({*a.attr, *b.attr}):
        if key not in _LEFT_OUT and a.op == b.op and a.attr[key] != b.attr[key]:
            yield "another value" if key == "value" else f"attribute {key}"


def _signatures(one: Parts, two: Parts) -> Iterator[list[Any]]:
    for key in sorted({*one.signatures, *two.signatures}):
        if key not in two.signatures or key not in one.signatures:
            yield [key, None, f"only in the {'first' if key in one.signatures else 'second'}"]
            continue
        mine, theirs = _arguments(one.signatures[key]), _arguments(two.signatures[key])
        for name in sorted(mine.keys() | theirs.keys()):
            if mine.get(name) != theirs.get(name):
                yield [key, name, f"{mine.get(name, 'none')} became {theirs.get(name, 'none')}"]


def _arguments(signature: Any) -> dict[str, str]:
    return {f"{role} {name}": f"{dtype_name(info.dtype)} {shape_list(info.tensor_shape)}"
            for role, side in (("input", signature.inputs), ("output", signature.outputs))
            for name, info in side.items()}  # fmt: skip
