"""Finds out whether fetch lists can share one step: `train`, `[train, loss]`, `[train, loss, summary]`.

The lists run the same updates, and differ in what they look at beside them. A step that was compiled for one list
serves another if it makes the same updates. What the other list looks at is then computed after it, from its outputs.
To make that likely, a step has outputs that no fetch asks for: small tensors of which other nodes of the graph make a
scalar.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from math import prod

from evergraph.graph.function import functions_of
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.values import is_host_dtype
from evergraph.passes.partition import Stage, only_computes
from evergraph.passes.reads_after_writes import late_reads
from evergraph.passes.state import is_handle, owner, touched

_SMALL = 1024  # elements of an output that is worth having in case that another fetch list asks for it
_MOST = 32  # such outputs of a step
_SILENT = (Kind.CONSTANT, Kind.NO_OP, Kind.READ, Kind.VARIABLE, Kind.PLACEHOLDER)


def updating(stages: Sequence[Stage]) -> int | None:
    """The position of the stage that fetch lists may share: the last one, if it is for the device, that updates."""
    found = [place for place, stage in enumerate(stages) if _written([stage])]
    return found[-1] if found and not stages[found[-1]].on_host else None


def with_foreseen(stages: Sequence[Stage], nodes: Sequence[Operation], feeds: Collection[Tensor]) -> list[Stage]:
    """The stages, of which the one that updates variables has outputs for other fetch lists."""
    place = updating(stages)
    if place is None:
        return list(stages)
    stage, running = stages[place], set(nodes)
    is_padded = bool(stage.fixed or stage.padding.rooms or stage.lengths)
    found = [t for n in stage.nodes if n in running and n.opdef.kind is not Kind.CONSTANT and not touched(n)
             for t in n.outputs if t not in feeds and t not in stage.outputs and _is_small(t, is_padded)
             and _is_looked_at(t, running)]
    wider = dataclasses.replace(stage, outputs=(*stage.outputs, *found[:_MOST]))
    return [*stages[:place], wider, *stages[place + 1:]]


def _is_small(tensor: Tensor, needs_all_sizes: bool) -> bool:
    """Whether the tensor is small, by the sizes that are known; padded ones must not leave their stage."""
    dtype, shape = tensor._dtype, tensor._shape
    if shape is None or dtype.is_ref or is_host_dtype(dtype) or needs_all_sizes and None in shape:
        return False
    return prod(size for size in shape if size is not None) <= _SMALL


def _is_looked_at(tensor: Tensor, running: Collection[Operation]) -> bool:
    """Whether nodes that do not run make a scalar of the tensor, as losses, accuracies and summaries are."""
    seen: set[Operation] = set()
    left = [user for user in tensor._consumers if user not in running and user.opdef.kind is not Kind.SHAPE]
    while left and len(seen) < _MOST:
        node = left.pop()
        if any(output._shape == () for output in node.outputs):
            return True
        seen.add(node)
        left += [user for output in node.outputs for user in output._consumers if user not in seen]
    return False


def left_beside(
    nodes: Sequence[Operation], fetches: Sequence[Tensor | Operation], feeds: Collection[Tensor], done: Sequence[Stage],
    checked: Collection[Operation] = (),
) -> list[Operation] | None:
    """The nodes of a fetch list that are left when stages of another one have run; None if these do not serve it.

    Args:
        nodes: the nodes of the fetch list, in order.
        fetches: its tensors and operations.
        feeds: its feeds, which are those of the other list.
        done: the stages, up to the one that updates variables.
        checked: the nodes of that stage that may fail it.
    """
    ran = {node for stage in done for node in stage.nodes}
    before = {node for stage in done[:-1] for node in stage.nodes}
    if not all(_is_silent(node) and node not in checked and not (node in before and "check" in node.opdef.wants)
               for node in ran.difference(nodes)):
        return None
    if any(isinstance(f, Operation) and f in ran and only_computes(f) and not any(f in stage.asked for stage in done)
           for f in fetches):
        return None
    left = [node for node in nodes if node not in ran]
    late = late_reads(nodes, feeds)
    written = _written(done)
    if not all(_is_silent(node) and node not in late and _reads_nothing_of(written, node) for node in left):
        return None
    known = {*feeds, *(t for stage in done for t in stage.outputs)}
    used = [*(t for node in left for t in node._inputs), *(f for f in fetches if isinstance(f, Tensor))]
    missing = [t for t in used if t.op in ran and t not in known and not _stands_for_storage(t)]
    return None if missing else left


def _is_silent(node: Operation) -> bool:
    """Whether nobody could tell that the node runs: it only computes or reads."""
    if node.opdef.kind in _SILENT or is_handle(node):
        return True
    return node.opdef.is_pure and not functions_of(node) and not any(writes for _, writes in touched(node))


def _written(stages: Sequence[Stage]) -> set[Tensor]:
    return {storage for stage in stages for node in stage.nodes for storage, writes in touched(node) if writes}


def _reads_nothing_of(written: Collection[Tensor], node: Operation) -> bool:
    """Whether the node reads none of these variables: it would see what the step before it has written."""
    return all(storage not in written for storage, _ in touched(node))


def _stands_for_storage(tensor: Tensor) -> bool:
    """Whether the tensor is a constant or a variable, of which each stage may have a copy."""
    return tensor.op.opdef.kind is Kind.CONSTANT or tensor._dtype.is_ref and is_handle(owner(tensor).op)
