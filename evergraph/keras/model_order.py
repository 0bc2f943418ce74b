"""The order of the calls and layers of a functional model, and what its results follow from."""
from __future__ import annotations

from typing import Any

from evergraph.base import nest
from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind
from evergraph.keras import history
from evergraph.layers import layer as base


def ordered(inputs: list[Any], outputs: list[Any]) -> tuple[list[history.Node], list[base.Layer]]:
    """The calls between inputs and outputs in topological order; and the layers, farthest from the outputs first.

    The order of layers determines that of weights in files and in `get_weights`: by longest distance from an output,
    then by the order of the traversal from outputs to inputs.
    """
    ends = {id(tensor) for tensor in inputs}
    finished: list[history.Node] = []
    met: dict[Any, int] = {}
    for output in outputs:
        _visit(output, ends, finished, met)
    distance: dict[history.Node, int] = {}
    layer_distance: dict[Any, int] = {}
    for node in reversed(finished):
        here = max(distance.get(node, 0), layer_distance.get(node.layer, 0))
        distance[node] = layer_distance[node.layer] = here
        for tensor in [] if _is_end(node, ends) else node.flat_inputs:
            earlier = history.node_of(tensor)
            distance[earlier] = max(distance.get(earlier, 0), here + 1)
    layers = sorted(layer_distance, key=lambda each: (-layer_distance[each], met[each]))
    for tensor in inputs:  # unused inputs
        own = history.history(tensor).layer
        if own not in layers:
            layers.append(own)
    return finished, layers


def _is_end(node: history.Node, ends: set[int]) -> bool:
    return all(id(tensor) in ends for tensor in nest.flatten(node.outputs))


def _visit(output: Any, ends: set[int], finished: list[history.Node], met: dict[Any, int]) -> None:
    """Adds the calls that a tensor depends on, in post-order."""
    done = set(finished)
    waiting = [(history.node_of(output), False)]
    while waiting:
        node, entered = waiting.pop()
        if node in done:
            continue
        if entered:
            done.add(node)
            finished.append(node)
            continue
        met.setdefault(node.layer, len(met))
        waiting.append((node, True))
        if not _is_end(node, ends):
            if not node.flat_inputs:
                raise ValueError(f"{nest.flatten(node.outputs)[0]}, which layer {node.layer.name} gives, does not "
                                 f"follow from the inputs of the model")
            waiting += [(history.node_of(tensor), False) for tensor in reversed(node.flat_inputs)]


def origins(results: list[Any], fed: set[Any]) -> list[tuple[bool, bool]]:
    """For each tensor or operation, whether it follows from these operations, and whether from any placeholder."""
    known: dict[Any, tuple[bool, bool]] = {}
    waiting = [_operation(each) for each in results]
    while waiting:
        op = waiting[-1]
        before = [tensor.op for tensor in op.inputs] + list(op.control_inputs)
        later = [each for each in before if each not in known] if op not in known else []
        if later:
            waiting += later
            continue
        waiting.pop()
        known.setdefault(op, (op in fed or any(known[each][0] for each in before),
                              op in fed or op.opdef.kind is Kind.PLACEHOLDER or any(known[each][1] for each in before)))
    return [known[_operation(each)] for each in results]


def _operation(result: Any) -> Any:
    return result if isinstance(result, Operation) else result.op


def distinct(names: list[str]) -> list[str]:
    """Names with numbers where they repeat: a layer may have several outputs."""
    return [name if name not in names[:place] else f"{name}_{names[:place].count(name)}"
            for place, name in enumerate(names)]
