"""Writes out what the compiler adds in the body of a class: the arguments of super(), the class in private names."""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.template import expression


def write_out_methods(function: ast.FunctionDef, qualified_name: str) -> None:
    """Gives `super()` its arguments, and `__name` the name of the class.

    Args:
        function: the definition of a function, which may be a method.
        qualified_name: its __qualname__, such as "Model.call".
    """
    owner = qualified_name.split(".")[-2:-1]
    owner_name = owner[0].lstrip("_") if owner and owner[0] != "<locals>" else ""
    positional = [*function.args.posonlyargs, *function.args.args]
    _Methods(owner_name, positional[0].arg if positional else None).visit(function)


class _Methods(ast.NodeTransformer):
    def __init__(self, owner: str, first: str | None) -> None:
        self._owner, self._first = owner, first

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and self._first:
            return expression("super(__class__, first)", node, first=self._first)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        node.attr = self._mangled(node.attr)
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        node.id = self._mangled(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> Any:
        node.arg = self._mangled(node.arg)
        return node

    def visit_keyword(self, node: ast.keyword) -> Any:
        self.generic_visit(node)
        node.arg = node.arg and self._mangled(node.arg)
        return node

    def _mangled(self, name: str) -> str:
        is_private = self._owner and name.startswith("__") and not name.endswith("__")
        return f"_{self._owner}{name}" if is_private else name
