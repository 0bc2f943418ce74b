"""Keeps the scopes of variables as they were when statements become functions."""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.names import Fresh, bound, declared, is_block, outer, parameters, plain, walk, written
from evergraph.autograph.passes.blocks import Blocks
from evergraph.autograph.template import placed, statements


def hoist_declarations(function: ast.FunctionDef, fresh: Fresh) -> None:
    """Moves the global and nonlocal statements of the function to its head."""
    kinds = {kind: sorted(declared(function.body, kind)) for kind in (ast.Global, ast.Nonlocal)}
    if any(kinds.values()):
        _Dropping(fresh).visit_body(function)
        begin = _begin(function)
        function.body[begin:begin] = [placed(kind(names), function) for kind, names in kinds.items() if names]


class _Dropping(Blocks):
    def visit_Global(self, node: Any) -> Any:
        return placed(ast.Pass(), node)

    visit_Nonlocal = visit_Global


def declare_variables(function: ast.FunctionDef) -> None:
    """Says which names the blocks of the function share with it; it gets those as variables that only blocks assign."""
    shared = declared(function.body, ast.Global)
    for block in _blocks(function.body):
        _declare_in(block, shared)
    missing = plain(written(function.body)) - bound(function.body) - parameters(function) - outer(function.body)
    begin = _begin(function)
    while begin < len(function.body) and isinstance(function.body[begin], (ast.Global, ast.Nonlocal)):
        begin += 1
    function.body[begin:begin] = [each for name in sorted(missing)
                                  for each in statements("name: 'local'", function, name=name)]


def _declare_in(block: Any, shared: set[str]) -> None:
    for inner in _blocks(block.body):
        _declare_in(inner, shared)
    changed = plain(written(block.body)) - parameters(block)
    kinds = {ast.Global: sorted(changed & shared), ast.Nonlocal: sorted(changed - shared)}
    block.body[:0] = [placed(kind(names), block) for kind, names in kinds.items() if names]


def _blocks(body: list[Any]) -> list[Any]:
    """The outermost blocks among statements."""
    return [each for each in walk(body) if is_block(each)]


def _begin(function: ast.FunctionDef) -> int:
    """Where the statements begin that follow the docstring."""
    return 0 if ast.get_docstring(function) is None else 1
