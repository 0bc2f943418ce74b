"""Gives the loops in functions of a GraphDef the loop variables by which TensorFlow differentiates them.

TensorFlow takes the first two variables of a While for the number of iterations so far and the most that there may be,
where -1 is no limit: the gradient runs as often as the first counts, with lists as long as the second allows. The loops
of evergraph have no such variables, because its own gradient needs none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes
from evergraph.formats.tensor_messages import tensor_to_proto
from evergraph.graph import codec
from evergraph.graph.registry import find
from evergraph.graph.traits import Kind
from evergraph.ops.arrays.basic import const, identity
from evergraph.ops.math.elementwise import add, add_v2

_ARGUMENTS = ("loop_counter", "maximum_iterations")
_STARTS = (0, -1)


def add_loop_counters(library: Any) -> None:
    """Adds the two variables to each loop of a FunctionDefLibrary that lacks them, in place.

    The functions of such a loop are replaced by copies with the two arguments, because something else may call them.
    """
    functions = {each.signature.name: each for each in library.function}
    copies: dict[str, Any] = {}
    waiting = list(library.function)
    while waiting:
        function = waiting.pop()
        counted = set()
        for node in list(function.node_def):
            if _is_loop(node) and not _counts(functions[node.attr["body"].func.name]):
                waiting += _add_counter(function, node, functions, copies)
                counted.add(node.name)
        _shift_uses(function, counted)
    library.function.extend(copies.values())
    _remove_idle(library, set(copies))


def _is_loop(node: Any) -> bool:
    opdef = find(node.op)
    return opdef is not None and opdef.kind is Kind.WHILE


def _counts(body: Any) -> bool:
    """Whether the body of a loop has the two variables first: it adds one to an int32, and keeps the next."""
    arguments, nodes = body.signature.input_arg, {node.name: node for node in body.node_def}
    if len(arguments) < 2 or any(each.type != dtypes.int32.enum for each in arguments[:2]):
        return False
    first, second = (_origin(body.ret[each.name], nodes) for each in body.signature.output_arg[:2])
    adds = nodes.get(first.partition(":")[0])
    return (second == arguments[1].name and adds is not None and adds.op in (add.name, add_v2.name)
            and _origin(adds.input[0], nodes) == arguments[0].name)


def _origin(name: str, nodes: dict[str, Any]) -> str:
    """The name of a tensor in a function behind nodes of Identity."""
    node = nodes.get(name.partition(":")[0])
    return name if node is None or node.op != identity.name else _origin(node.input[0], nodes)


def _add_counter(function: Any, node: Any, functions: dict[str, Any], copies: dict[str, Any]) -> list[Any]:
    """Gives a loop the two variables; returns the copies of its functions that are new."""
    starts = [_add_constant(function, f"{node.name}/{name}", start)
              for name, start in zip(_ARGUMENTS, _STARTS, strict=True)]  # fmt: skip
    node.input[:] = [*starts, *node.input]
    kinds = codec.decode_attr("list(type)", node.attr["T"])
    node.attr["T"].CopyFrom(codec.encode_attr("list(type)", [dtypes.int32, dtypes.int32, *kinds]))
    for name in ("output_shapes", "_output_shapes"):
        shapes = codec.decode_attr("list(shape)", node.attr[name]) if name in node.attr else ()
        if shapes:
            node.attr[name].CopyFrom(codec.encode_attr("list(shape)", [(), (), *shapes]))
    new = []
    for attr in ("cond", "body"):
        called = node.attr[attr].func
        name = f"{called.name}_counted_{attr}"
        if name not in copies:
            copies[name] = _copied(functions[called.name], name, attr == "body")
            functions[name] = copies[name]
            new.append(copies[name])
        called.name = name
    return new


def _copied(function: Any, name: str, is_body: bool) -> Any:
    """The function of a loop with the two arguments first; a body returns them too."""
    copy = proto.function_pb2.FunctionDef()
    copy.CopyFrom(function)
    copy.signature.name = name
    arguments = [_unused(copy, each) for each in _ARGUMENTS]
    _prepend(copy.signature.input_arg, arguments)
    _shift_positions(copy.arg_attr)
    _shift_positions(copy.resource_arg_unique_id)
    if is_body:
        one = _add_constant(copy, f"{arguments[0]}/one", 1)
        entry = copy.node_def.add(name=_unused(copy, f"{arguments[0]}/add"), op=add_v2.name, input=[arguments[0], one])
        entry.attr["T"].type = dtypes.int32.enum
        results = [_unused(copy, f"next_{each}") for each in _ARGUMENTS]
        _prepend(copy.signature.output_arg, results)
        copy.ret[results[0]], copy.ret[results[1]] = f"{entry.name}:z:0", arguments[1]
    return copy


def _prepend(arguments: Any, names: Any) -> None:
    made = [proto.op_def_pb2.OpDef.ArgDef(name=name, type=dtypes.int32.enum) for name in names]
    kept = [*made, *arguments]
    kept = [type(made[0]).FromString(each.SerializeToString()) for each in kept]
    del arguments[:]
    arguments.extend(kept)


def _shift_positions(entries: Any) -> None:
    """Moves what a message holds by the position of an argument."""
    for position in sorted(entries, reverse=True):
        if isinstance(entries[position], int):
            entries[position + 2] = entries[position]
        else:
            entries[position + 2].CopyFrom(entries[position])
        del entries[position]


def _add_constant(function: Any, name: str, value: int) -> str:
    """Adds a scalar to a function; returns the name of its tensor."""
    entry = function.node_def.add(name=_unused(function, name), op=const.name)
    entry.attr["dtype"].type = dtypes.int32.enum
    entry.attr["value"].tensor.CopyFrom(tensor_to_proto(np.int32(value), dtypes.int32))
    return f"{entry.name}:output:0"


def _unused(function: Any, name: str) -> str:
    """A name that no node and no argument of a function has yet."""
    taken = {each.name for each in (*function.node_def, *function.signature.input_arg, *function.signature.output_arg)}
    found, count = name, 0
    while found in taken:
        count += 1
        found = f"{name}_{count}"
    return found


def _shift_uses(function: Any, loops: set[str]) -> None:
    """Lets a function take the outputs of loops from where they are behind the two new ones."""
    for node in function.node_def if loops else ():
        node.input[:] = [_shifted(each, loops) for each in node.input]
    for name in function.ret if loops else ():
        function.ret[name] = _shifted(function.ret[name], loops)


def _shifted(name: str, loops: set[str]) -> str:
    node, _, place = name.partition(":")
    if node not in loops or not place:
        return name
    output, _, index = place.partition(":")
    return f"{node}:{output}:{int(index) + 2}"


def _remove_idle(library: Any, copies: set[str]) -> None:
    """Removes the functions that were copied and that nothing calls any more."""
    called = {name for function in library.function for node in function.node_def for name in _names(node)}
    originals = {name.rpartition("_counted_")[0] for name in copies}
    kept = [each for each in library.function if each.signature.name not in originals - called]
    kept = [type(each).FromString(each.SerializeToString()) for each in kept]
    del library.function[:]
    library.function.extend(kept)


def _names(node: Any) -> list[str]:
    """The functions that a node calls."""
    held = [each for value in node.attr.values() for each in [value.func, *value.list.func]]
    return [node.op, *(each.name for each in held)]
