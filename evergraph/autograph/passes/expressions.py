"""What the passes over expressions share: where they do not go."""

from __future__ import annotations

import ast
from typing import Any


class Expressions(ast.NodeTransformer):
    """Goes through all expressions of a function and of functions inside it, except in classes, generators,
    decorators and annotations."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        if not getattr(node, "is_left_alone", False):
            node.args.defaults = [self.visit(each) for each in node.args.defaults]
            node.args.kw_defaults = [each and self.visit(each) for each in node.args.kw_defaults]
            node.body = [self.visit(each) for each in node.body]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node.value = node.value and self.visit(node.value)
        return node
