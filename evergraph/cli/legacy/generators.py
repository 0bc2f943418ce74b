"""Lets `raise StopIteration` end a generator, as it did up to Python 3.6; today it is an error there."""

from __future__ import annotations

import ast

from evergraph.cli.legacy.ledger import lend

_CATCHING = {"StopIteration", "Exception", "BaseException"}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class GeneratorStops(ast.NodeTransformer):
    """Makes such statements returns, except where a handler around them may catch the exception."""

    _is_generator = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        outside, self._is_generator = self._is_generator, any(
            isinstance(each, (ast.Yield, ast.YieldFrom)) for each in _inside(node))
        self.generic_visit(node)
        self._is_generator = outside
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        if not any(_may_catch(handler) for handler in node.handlers):
            return self.generic_visit(node)
        for handler in node.handlers:  # what a handler raises, its own try does not catch
            self.generic_visit(handler)
        node.orelse = [self.visit(each) for each in node.orelse]
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if not self._is_generator or not isinstance(error, ast.Name) or error.id != "StopIteration":
            return node
        lend("generators that end by raise StopIteration")
        return ast.copy_location(ast.Return(None), node)


def _inside(function: ast.FunctionDef) -> list[ast.AST]:
    """The nodes of a function that are not of a scope inside it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)
    return found


def _may_catch(handler: ast.ExceptHandler) -> bool:
    """Whether a handler is for StopIteration, or for what it may be."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(not isinstance(kind, ast.Name) or kind.id in _CATCHING for kind in kinds)
