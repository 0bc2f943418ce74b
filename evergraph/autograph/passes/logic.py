"""Makes and, or, not, ==, chained comparisons and conditional expressions calls of operators."""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.passes.expressions import Expressions
from evergraph.autograph.template import expression

SYMBOLS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}
BINDING = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""Expressions that mean something else inside of a lambda."""


def convert_logic(function: ast.AST) -> None:
    """Replaces the logical expressions of the function."""
    _Logic().visit(function)


class _Logic(Expressions):
    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        if _binds(node):
            return node
        call = expression("ag__.and_()" if isinstance(node.op, ast.And) else "ag__.or_()", node)
        call.args = [node.values[0], *(_later(each) for each in node.values[1:])]
        return call

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        return expression("ag__.not_(value)", node, value=node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        if len(node.ops) > 1 and not _binds(node):
            call = expression("ag__.compare(first)", node, first=node.left)
            for sign, value in zip(node.ops, node.comparators):
                call.args += [ast.copy_location(ast.Constant(SYMBOLS[type(sign)]), value), _later(value)]
            return call
        name = {ast.Eq: "eq", ast.NotEq: "not_eq"}.get(type(node.ops[0]))
        if name is None or len(node.ops) > 1:
            return node
        return expression(f"ag__.{name}(a, b)", node, a=node.left, b=node.comparators[0])

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        if _binds(node):
            return node
        return expression("ag__.choose(test, a, b)", node, test=node.test, a=_later(node.body), b=_later(node.orelse))


def _binds(node: ast.AST) -> bool:
    return any(isinstance(each, BINDING) for each in ast.walk(node))


def _later(value: Any) -> Any:
    """The expression as a function without parameters."""
    return expression("lambda: value", value, value=value)
