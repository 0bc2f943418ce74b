"""What nodes of a signature may do besides computing: touch files, run Python, change variables, wait for others."""

from __future__ import annotations

from collections.abc import Iterable

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.ops.control import effects
from evergraph.ops.state import lookup
from evergraph.passes.prune import needed
from evergraph.passes.state import touched, with_inner

# The files of ops/ all of whose ops read or write files, or call functions of Python.
_OUTSIDE = frozenset(f"evergraph.ops.{name}" for name in (
    "data.csv_files", "data.databases", "data.file_cache", "data.generating", "data.key_values", "data.reading",
    "data.writing", "state.checkpoints", "state.file_contents", "state.readers", "state.record_input", "state.remap",
    "state.summary_writers"))  # fmt: skip
# Those with ops that may wait for another step, and those of pipelines.
_WAITING = ("evergraph.ops.data.", *(f"evergraph.ops.state.{name}" for name in (
    "accumulators", "barriers", "batching", "mutex", "queues", "readers", "staging")))  # fmt: skip
_OTHERS = frozenset([
    effects.py_func, effects.py_func_stateless, effects.eager_py_func,
    lookup.initialize_table_from_text_file, lookup.initialize_table_from_text_file_v2])  # fmt: skip


def reaching_outside(nodes: Iterable[Operation]) -> list[str]:
    """Those of the nodes that touch files or run Python, as `name (op)`."""
    return [f"{node.name} ({node.opdef.name})" for node in nodes
            if node.opdef.__module__ in _OUTSIDE or node.opdef in _OTHERS]  # fmt: skip


def nodes_of(outputs: Iterable[Tensor], inputs: Iterable[Tensor]) -> list[Operation]:
    """All nodes that a run may compute, those inside of functions that it may call among them."""
    return list(with_inner(needed(list(outputs), list(inputs))))


def changes_state(nodes: Iterable[Operation]) -> bool:
    """Whether a run may change variables, tables or other objects."""
    return any(is_written for node in nodes for _, is_written in touched(node))


def may_wait_or_loop(nodes: Iterable[Operation]) -> bool:
    """Whether the time that nodes take may depend on more than the sizes of their inputs."""
    return any(node.opdef.kind in (Kind.WHILE, Kind.MERGE) or node.opdef.__module__.startswith(_WAITING)
               for node in nodes)  # fmt: skip
