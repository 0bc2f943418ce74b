"""Makes assert statements calls of `assert_`."""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.passes.expressions import Expressions
from evergraph.autograph.template import expression, statements


def convert_asserts(function: ast.AST) -> None:
    """Replaces the assert statements of the function."""
    _Asserts().visit(function)


class _Asserts(Expressions):
    def visit_Assert(self, node: ast.Assert) -> Any:
        if node.msg is None:
            return statements("ag__.assert_(test)", node, test=node.test)[0]
        message = expression("lambda: message", node.msg, message=node.msg)
        return statements("ag__.assert_(test, message)", node, test=node.test, message=message)[0]
