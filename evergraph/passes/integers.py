"""Keeps integer work on results of host nodes on the host, so that sparse features take one host stage, not many.

Between two host ops on a sparse tensor stand casts, slices and comparisons of its coordinates and its shape. Before
them, where floats are fed, stand comparisons of these and the search for their buckets, and weights are taken as ids
are. A device stage for each of them would cost more than the work, and would be compiled anew for each number of
entries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from evergraph.base import dtypes
from evergraph.graph.function import functions_of
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind, Memory
from evergraph.kernel.calling import grouped
from evergraph.passes.prune import dependencies

_INTEGERS = (dtypes.int32, dtypes.int64, dtypes.bool)
_FLOATS = (dtypes.float32, dtypes.float64)


def integers_beside_host(
    nodes: Sequence[Operation], on_hosts: Collection[Operation], fed: Collection[Tensor],
    kept: Collection[Operation] = (), static: Collection[Tensor] = (),
) -> set[Operation]:
    """The device nodes that compute integers from results of host nodes or from feeds, and that run on the host too.

    They are those that other host nodes need, those whose values compiled programs depend on, and of those that follow
    from host nodes, those that compute something whose length only a run tells. Ids that are joined for nodes that stay
    on the device are joined there, where all of them may be padded. Of the nodes, `on_hosts` run on the host anyway,
    and `kept` stay on the device; compiled programs depend on the values of `static`.
    """
    found: dict[Operation, bool] = {}  # whether a host node comes before them
    for node in nodes:
        if node in on_hosts or node in kept or not (
                is_integer_work(node) or _prepares_ids(node) or _checks_integers(node)):
            continue
        awaited = [each for each in dependencies(node, fed) if each.opdef.kind is not Kind.CONSTANT]
        if all(each in on_hosts or each in found for each in awaited):
            found[node] = any(each in on_hosts or found[each] for each in awaited)
    wanted: set[Operation] = set()
    followers = _followers(found)
    for node in reversed(found):
        users = {user for t in node.outputs for user in t._consumers} | followers.get(node, set())
        computes = node.opdef.memory is not Memory.VIEW and any(map(_has_open_length, node.outputs)) \
            and is_integer_work(node) and not (node.opdef.kind is Kind.CONCAT and users and users <= set(kept))
        is_static = any(t in static for t in node.outputs)
        if found[node] and computes or is_static or any(user in on_hosts or user in wanted for user in users):
            wanted.add(node)
    return wanted


def is_integer_work(node: Operation) -> bool:
    """Whether the node computes integers from integers or shapes, and nothing else."""
    opdef = node.opdef
    if opdef.on != "device" or not opdef.is_foldable or opdef.kind is Kind.CONSTANT or not node._inputs:
        return False
    takes_any = opdef.kind is Kind.SHAPE
    return all(takes_any or t._dtype in _INTEGERS for t in node._inputs) \
        and all(t._dtype in _INTEGERS for t in node.outputs)


def _prepares_ids(node: Operation) -> bool:
    """Whether the node makes integers or booleans of each number of its inputs, or picks some of the numbers."""
    opdef = node.opdef
    if opdef.on != "device" or not opdef.is_foldable or opdef.kind is Kind.CONSTANT \
            or not all(t._dtype in _INTEGERS or t._dtype in _FLOATS for t in (*node._inputs, *node.outputs)):
        return False
    if opdef.reads_rows is not None:
        return True
    return (opdef.by_row or opdef.broadcasts) and all(t._dtype in _INTEGERS for t in node.outputs)


def _checks_integers(node: Operation) -> bool:
    """Whether the node has no other effect than to raise an error because of integers."""
    given = [t for t in node._inputs if t.op.opdef.kind is not Kind.CONSTANT]
    return node.opdef.stateful and node.opdef.in_batches is not None and not node.outputs and bool(given) \
        and all(t._dtype in _INTEGERS for t in given)


def _followers(nodes: Iterable[Operation]) -> dict[Operation, set[Operation]]:
    """The nodes that wait for each checking node."""
    found: dict[Operation, set[Operation]] = {}
    for node in nodes:
        for each in node._control_inputs:
            found.setdefault(each, set()).add(node)
    return found


def _has_open_length(tensor: Tensor) -> bool:
    return tensor._shape is None or tensor._shape[:1] == (None,)


def static_inputs(nodes: Iterable[Operation]) -> list[Tensor]:
    """The tensors that compiled programs of these nodes have to know."""
    given = [(node, grouped(node.opdef, node.attrs, node._inputs)) for node in nodes
             if node.opdef.static and not (node.opdef.moves is not None and node.opdef.moves(node))]
    found = [inputs[name] for node, inputs in given for name in node.opdef.static]
    return [t for each in found for t in (each if isinstance(each, list) else [each])]


def unknown_inputs(nodes: Sequence[Operation], given: Collection[Tensor]) -> list[Tensor]:
    """The integers among `static_inputs` that no trace of these nodes can know, because they follow from values.

    What a list or a function returns may be known, such as its length: such results do not count as values. The values
    of `given` are known when the stage runs.
    """
    values = {t for t in given if t._dtype is not dtypes.variant}
    for node in nodes:
        if node.opdef.kind is Kind.SHAPE or any(functions_of(node)):
            continue
        if not node.opdef.is_foldable or any(t in values for t in node._inputs):
            values.update(t for t in node.outputs if t._dtype is not dtypes.variant)
    return [t for t in dict.fromkeys(static_inputs(nodes)) if t in values and t._dtype in _INTEGERS]


def static_sources(tensor: Tensor, made: Collection[Tensor]) -> list[Tensor]:
    """The integers to know at trace time so that the tensor is known too: those that follow from results of the host.

    What else it depends on are shapes and constants. It is the tensor itself if it depends on something else. `made`
    are the results of host nodes, and feeds.
    """
    found: dict[Tensor, None] = {}
    return list(found) if _sources(tensor, made, found) is not None and found else [tensor]


def _sources(tensor: Tensor, made: Collection[Tensor], found: dict[Tensor, None]) -> bool | None:
    """Whether the host alone can compute the tensor; adds what it has to compute if not. None if neither can be."""
    node = tensor.op
    if tensor in made or node.opdef.kind is Kind.CONSTANT:
        return True
    if node.opdef.kind is Kind.SHAPE:
        return False
    if not is_integer_work(node):
        return None
    inputs = [t for t in node._inputs if t in made or t.op.opdef.kind is not Kind.CONSTANT]
    answers = [_sources(t, made, found) for t in inputs]
    if None in answers:
        return None
    if all(answers):
        return True
    found.update(dict.fromkeys(t for t, is_hosts in zip(inputs, answers, strict=True)
                               if is_hosts and not _follows_from_constants(t, made)))
    return False


def _follows_from_constants(tensor: Tensor, made: Collection[Tensor]) -> bool:
    """Whether the tensor is known at trace time anyway."""
    node = tensor.op
    return tensor not in made and (node.opdef.kind is Kind.CONSTANT or is_integer_work(node) and all(
        _follows_from_constants(t, made) for t in node._inputs))
