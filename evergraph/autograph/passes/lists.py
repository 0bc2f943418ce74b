"""Makes append and pop of local variables, `x.append(y)`, assignments of a changed `x`."""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.names import Fresh
from evergraph.autograph.passes.blocks import Blocks
from evergraph.autograph.passes.items import local_names
from evergraph.autograph.template import statements


def convert_lists(function: ast.FunctionDef, fresh: Fresh) -> None:
    """Replaces append and pop in statements of their own, and `y = x.pop()`."""
    _Lists(function, fresh).visit_body(function)


class _Lists(Blocks):
    def __init__(self, function: ast.FunctionDef, fresh: Fresh) -> None:
        super().__init__(fresh)
        self._local = local_names(function)

    def _name(self, node: Any, method: str, most: int) -> str | None:
        """The local variable whose method is called here, None if this is another expression."""
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method
        if not is_call or node.keywords or len(node.args) > most or any(isinstance(each, ast.Starred)
                                                                         for each in node.args):
            return None
        owner = node.func.value
        return owner.id if isinstance(owner, ast.Name) and owner.id in self._local else None

    def visit_Expr(self, node: ast.Expr) -> Any:
        call: Any = node.value
        name = self._name(call, "append", 1)
        if name is not None and call.args:
            return statements("name = ag__.append(name, value)", node, name=name, value=call.args[0])
        name = self._name(call, "pop", 0)
        if name is not None:
            return statements("name, _ = ag__.pop(name)", node, name=name, _=self.fresh.name("popped"))
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        name = self._name(node.value, "pop", 0)
        if name is None or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            return node
        return statements("name, value = ag__.pop(name)", node, name=name, value=node.targets[0].id)
