"""Writes new code as text with names to fill in."""

from __future__ import annotations

import ast
from typing import Any

RUNTIME = "ag__"
"""The name under which converted code finds its operators."""


def statements(text: str, place: ast.AST, **parts: Any) -> list[Any]:
    """The statements of `text`, on the line of `place`, with names replaced.

    Args:
        text: Python source.
        place: the node whose line the new nodes get.
        **parts: for each name, another name, an expression, or statements for the name on a line of its own.
    """
    made = [_Filling(parts).visit(each) for each in ast.parse(text).body]
    flat = [each for item in made for each in (item if isinstance(item, list) else [item])]
    for each in flat:
        placed(each, place)
    return flat


def expression(text: str, place: ast.AST, **parts: Any) -> Any:
    """As `statements`, for one expression."""
    return statements(text, place, **parts)[0].value


def placed(node: Any, place: Any) -> Any:
    """The node, with the line of `place` wherever it has none."""
    for each in ast.walk(node):
        if "lineno" in each._attributes and not hasattr(each, "_kept"):
            ast.copy_location(each, place)
            each._kept = True
    return node


_PLACE = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}


def located(node: Any, around: dict[str, int] = _PLACE) -> Any:
    """The node, with places of the nodes around them wherever nodes below it have none.

    The standard library's function for this leaves a reference cycle at every call.
    """
    own = {name: getattr(node, name, None) for name in around}
    around = {name: around[name] if value is None else value for name, value in own.items()}
    for name, value in around.items() if "lineno" in node._attributes else ():
        setattr(node, name, value)
    for child in ast.iter_child_nodes(node):
        located(child, around)
    return node


class _Filling(ast.NodeTransformer):
    def __init__(self, parts: dict[str, Any]) -> None:
        self._parts = parts
        for part in parts.values():
            for node in part if isinstance(part, list) else [part]:
                if isinstance(node, ast.AST):
                    _keep(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Name) and isinstance(self._parts.get(node.value.id), list):
            return self._parts[node.value.id]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        part = self._parts.get(node.id, node)
        return ast.Name(part, node.ctx) if isinstance(part, str) else part

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.name = self._parts.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> Any:
        node.arg = self._parts.get(node.arg, node.arg)
        return node


def _keep(node: ast.AST) -> None:
    """Marks nodes as having the line that they stand on in the user's file."""
    for each in ast.walk(node):
        each._kept = True  # type: ignore[attr-defined]


def is_operator(node: Any) -> bool:
    """Whether an expression names an operator of ours."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == RUNTIME
