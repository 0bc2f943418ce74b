"""Lets every call ask `call` for the converted form of what it calls."""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.passes.expressions import Expressions
from evergraph.autograph.template import expression, is_operator

BY_FRAME = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec"})
"""Builtins that look at the frame of their caller."""


def convert_calls(function: ast.AST) -> None:
    """Replaces `f(x)` by `ag__.call(f)(x)`."""
    _Calls().visit(function)


class _Calls(Expressions):
    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        is_special = isinstance(node.func, ast.Name) and node.func.id in BY_FRAME
        if not is_special and not is_operator(node.func):
            node.func = expression("ag__.call(function)", node.func, function=node.func)
        return node
