"""Makes each conditional a call of `if_` with its branches as functions."""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.names import Fresh
from evergraph.autograph.passes.blocks import Blocks, function_of, names_tuple
from evergraph.autograph.template import statements


def convert_conditionals(function: ast.FunctionDef, fresh: Fresh) -> None:
    """Replaces the conditionals of the function, which `mark_live` has marked."""
    _Conditionals(fresh).visit_body(function)


class _Conditionals(Blocks):
    def visit_If(self, node: Any) -> Any:
        state = names_tuple(self.state(node, [*node.body, *node.orelse]), node)
        self.generic_visit(node)
        branches = [function_of(self.fresh.name("then"), node.body, node)]
        if node.orelse:
            branches.append(function_of(self.fresh.name("otherwise"), node.orelse, node))
        otherwise = branches[1].name if node.orelse else ast.Constant(None)
        call = statements("ag__.if_(test, then, otherwise, state)", node, test=node.test, then=branches[0].name,
                          otherwise=otherwise, state=state)
        return [*branches, *call]
