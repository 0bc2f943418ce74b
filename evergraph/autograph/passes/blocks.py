"""What the passes for conditionals and loops share: statements become functions."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from evergraph.autograph.names import SCOPES, Fresh, is_block, written
from evergraph.autograph.template import placed


class Blocks(ast.NodeTransformer):
    """Goes through the statements of one function, and not into those of the user's functions inside it."""

    def __init__(self, fresh: Fresh) -> None:
        self.fresh = fresh

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


def function_of(name: str, body: list[Any], place: Any, *parameters: str) -> ast.FunctionDef:
    """The statements as a function; `declare_variables` says later which names it shares with those around it."""
    given = ast.arguments([], [placed(ast.arg(each), place) for each in parameters], None, [], [], None, [])
    made = ast.FunctionDef(name, given, body, [])
    made.type_params = []  # type: ignore[attr-defined]
    made.is_block = True  # type: ignore[attr-defined]
    return ast.copy_location(made, place)


def names_tuple(names: Iterable[str], place: Any) -> Any:
    """The names as a tuple of strings."""
    return placed(ast.Tuple([ast.Constant(each) for each in sorted(names)], ast.Load()), place)
