"""Keeps the scopes of variables as they were when statements become functions."""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.names import Fresh, bound, declared, outer, parameters, plain, written
from evergraph.autograph.passes.blocks import Blocks
from evergraph.autograph.template import placed, statements


def hoist_declarations(function: ast.FunctionDef, fresh: Fresh) -> None:
    """Moves the global and nonlocal statements of the function to its head."""
    kinds = {kind: sorted(declared(function.body, kind)) for kind in (ast.Global, ast.Nonlocal)}
    if any(kinds.values()):
        _Dropping(function, fresh).visit_body(function)
        begin = _begin(function)
        function.body[begin:begin] = [placed(kind(names), function) for kind, names in kinds.items() if names]


class _Dropping(Blocks):
    def visit_Global(self, node: Any) -> Any:
        return placed(ast.Pass(), node)

    visit_Nonlocal = visit_Global


def declare_locals(function: ast.FunctionDef) -> None:
    """Makes what only blocks assign to a variable of the function, without a value."""
    missing = plain(written(function.body)) - bound(function.body) - parameters(function) - outer(function.body)
    begin = _begin(function)
    while begin < len(function.body) and isinstance(function.body[begin], (ast.Global, ast.Nonlocal)):
        begin += 1
    function.body[begin:begin] = [each for name in sorted(missing)
                                  for each in statements("name: 'local'", function, name=name)]


def _begin(function: ast.FunctionDef) -> int:
    """Where the statements begin that follow the docstring."""
    return 0 if ast.get_docstring(function) is None else 1
