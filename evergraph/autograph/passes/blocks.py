"""What the passes for conditionals and loops share: statements become functions that assign to the names around them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from evergraph.autograph.names import SCOPES, Fresh, declared, is_block, plain, written
from evergraph.autograph.template import placed


class Blocks(ast.NodeTransformer):
    """Goes through the statements of one function, and not into those of the user's functions inside it.

    Attributes:
        outer: the names that the function declares global.
    """

    def __init__(self, function: ast.FunctionDef, fresh: Fresh) -> None:
        self.fresh, self.outer = fresh, declared(function.body, ast.Global)

    def visit_body(self, function: ast.FunctionDef) -> None:
        """Transforms the statements of the function."""
        function.body = [each for item in map(self.visit, function.body)
                         for each in (item if isinstance(item, list) else [item])]

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, SCOPES) and not is_block(node) else super().visit(node)

    @staticmethod
    def state(node: Any, body: list[Any]) -> set[str]:
        """The names that the statements change and that are read later; attributes may always be."""
        return {name for name in written(body) if name in node.live or "." in name}


def function_of(name: str, body: list[Any], place: Any, outer: set[str], *parameters: str) -> ast.FunctionDef:
    """The statements as a function that assigns to the names of the function around it."""
    changed = plain(written(body)) - set(parameters)
    begin: list[Any] = []
    if changed & outer:
        begin.append(ast.Global(sorted(changed & outer)))
    if changed - outer:
        begin.append(ast.Nonlocal(sorted(changed - outer)))
    given = ast.arguments([], [ast.arg(each) for each in parameters], None, [], [], None, [])
    made = ast.FunctionDef(name, given, [*(placed(each, place) for each in begin), *body], [])
    made.type_params = []  # type: ignore[attr-defined]
    made.is_block = True  # type: ignore[attr-defined]
    for each in ast.walk(given):
        placed(each, place)
    return ast.copy_location(made, place)


def names_tuple(names: Iterable[str], place: Any) -> Any:
    """The names as a tuple of strings."""
    return placed(ast.Tuple([ast.Constant(each) for each in sorted(names)], ast.Load()), place)
