"""Makes assignments to elements of local variables, `x[i] = y`, assignments of a changed `x`.

A tensor cannot change; a list or an array changes in place as before, and is the same object.
"""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.names import Fresh, outer, parameters, plain, walk, written
from evergraph.autograph.passes.blocks import Blocks
from evergraph.autograph.template import expression, statements

SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}


def local_names(function: ast.FunctionDef) -> set[str]:
    """The names that the function binds itself."""
    return (plain(written(function.body)) | parameters(function)) - outer(function.body)


def convert_items(function: ast.FunctionDef, fresh: Fresh) -> None:
    """Replaces the assignments to elements in the function."""
    _Items(function, fresh).visit_body(function)


class _Items(Blocks):
    def __init__(self, function: ast.FunctionDef, fresh: Fresh) -> None:
        super().__init__(fresh)
        self._local = local_names(function)

    def _is_local(self, target: Any) -> bool:
        binds = any(isinstance(each, ast.NamedExpr) for each in walk([target]))
        return isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and \
            target.value.id in self._local and not binds

    def visit_Assign(self, node: ast.Assign) -> Any:
        target: Any = node.targets[0]
        if len(node.targets) != 1 or not self._is_local(target):
            return node
        return statements("name = ag__.set_item(name, index, value)", node, name=target.value.id,
                          index=_index(target.slice), value=node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        target: Any = node.target
        if not self._is_local(target):
            return node
        return statements("name = ag__.update_item(name, index, sign, value)", node, name=target.value.id,
                          index=_index(target.slice), sign=ast.Constant(SIGNS[type(node.op)]), value=node.value)


def _index(node: Any) -> Any:
    """What stands in the brackets, as an expression."""
    if isinstance(node, ast.Slice):
        return expression("slice(a, b, c)", node, **{name: part or ast.Constant(None) for name, part in
                                                     zip("abc", (node.lower, node.upper, node.step))})
    if isinstance(node, ast.Tuple):
        node.elts = [_index(each) for each in node.elts]
    return node
