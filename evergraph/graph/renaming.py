"""Gives the functions of messages other names, in their definitions and in the nodes that call them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def rename_functions(library: Any, names: Mapping[str, str]) -> None:
    """Renames functions of a FunctionDefLibrary: by their names, what they are to be called."""
    for function in library.function:
        function.signature.name = names.get(function.signature.name, function.signature.name)
        rename_calls(function.node_def, names)
    for gradient in library.gradient:
        gradient.function_name = names.get(gradient.function_name, gradient.function_name)
        gradient.gradient_func = names.get(gradient.gradient_func, gradient.gradient_func)


def rename_calls(nodes: Iterable[Any], names: Mapping[str, str]) -> None:
    """Lets NodeDefs call functions by their new names."""
    for node in nodes:
        node.op = names.get(node.op, node.op)
        for function in functions_in(node):
            function.name = names.get(function.name, function.name)


def functions_in(node: Any) -> Iterator[Any]:
    """The functions that the attrs of a NodeDef name, as NameAttrLists."""
    for value in node.attr.values():
        held = value.WhichOneof("value")
        yield from [value.func] if held == "func" else value.list.func if held == "list" else ()
