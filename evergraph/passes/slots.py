"""Finds the variables of a stage that nothing but one update of an optimizer uses: its slots."""

from __future__ import annotations

from collections import Counter

from evergraph.base import dtypes
from evergraph.passes.partition import Stage
from evergraph.passes.state import cell_key, owner, touched, with_inner


def slots(stage: Stage) -> tuple[str, ...]:
    """The keys of the slots, in the order of the updates."""
    found = [cell_key(owner(tensor).op) for node in stage.nodes if node.opdef.slots
             for arg, tensor in zip(node.opdef.plan.inputs, node._inputs) if arg.name in node.opdef.slots]
    if not found:
        return ()
    uses = Counter(cell_key(storage.op) for node in with_inner(stage.nodes) for storage, _ in touched(node))
    uses.update(cell_key(owner(tensor).op) for tensor in stage.outputs
                if tensor._dtype.is_ref or tensor._dtype is dtypes.resource)
    return tuple(key for key in dict.fromkeys(found) if uses[key] == 1)
