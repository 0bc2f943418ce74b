"""Marks each conditional and loop of a function with the names whose values are read later.

The marks are attributes of the nodes: `live`, what is read after the statement, and for loops also what an iteration
may read from the one before. Jumps have been lowered to flags before, so control flow follows the syntax.
"""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.names import FUNCTIONS, outer, plain, read, targets, walk, written


def mark_live(function: ast.FunctionDef) -> None:
    """Gives `live` to each If, While and For of the function."""
    _mark_closures(function.body, set())
    _Backward().block(function.body, outer(function.body))


def _mark_closures(body: list[Any], known: set[str]) -> None:
    """Gives each statement in `closed_over` what functions that exist before it read."""
    for statement in body:
        statement.closed_over = set(known)
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            if not isinstance(statement, FUNCTIONS):
                _mark_closures(getattr(statement, name, []), known)
        for node in walk([statement]):
            if isinstance(node, FUNCTIONS):
                known |= read(node)


class _Backward:
    """Goes through statements from the last to the first.

    Attributes:
        rescued: what exception handlers around the current statement read.
    """

    def __init__(self) -> None:
        self.rescued: set[str] = set()

    def block(self, body: list[Any], live: set[str]) -> set[str]:
        """What is live before the statements if `live` is after them."""
        for statement in reversed(body):
            visit = getattr(self, f"_{type(statement).__name__}", self._other)
            live = visit(statement, live) | self.rescued
        return live

    def _If(self, node: ast.If, live: set[str]) -> set[str]:
        node.live = live | node.closed_over  # type: ignore[attr-defined]
        return read(node.test) | self.block(node.body, live) | self.block(node.orelse, live)

    def _While(self, node: ast.While, live: set[str]) -> set[str]:
        head = live | read(node.test)
        for _ in range(2):
            head |= self.block(node.body, head)
        node.live = head | node.closed_over  # type: ignore[attr-defined]
        return head

    def _For(self, node: ast.For, live: set[str]) -> set[str]:
        test = getattr(node, "until", None)
        head = live | (read(test) if test is not None else set())
        for _ in range(2):
            head |= self.block(node.body, head) - plain(targets(node.target))
        node.live = head | node.closed_over  # type: ignore[attr-defined]
        return head | read(node.iter) | read(node.target)

    def _Try(self, node: ast.Try, live: set[str]) -> set[str]:
        after = self.block(node.finalbody, live)
        handlers = set().union(*(self.block(each.body, after) | read(each.type) for each in node.handlers))
        before, self.rescued = self.rescued, self.rescued | handlers | (after if node.finalbody else set())
        try:
            return self.block(node.body, self.block(node.orelse, after) | handlers)
        finally:
            self.rescued = before

    def _With(self, node: ast.With, live: set[str]) -> set[str]:
        live = self.block(node.body, live)
        for item in reversed(node.items):
            live = (live - plain(targets(item.optional_vars))) | read(item)
        return live

    def _Match(self, node: ast.Match, live: set[str]) -> set[str]:
        cases = [self.block(each.body, live) | read([each.pattern, each.guard]) for each in node.cases]
        return live | read(node.subject) | set().union(*cases)

    def _Return(self, node: ast.Return, live: set[str]) -> set[str]:
        return live | read(node)

    def _other(self, node: Any, live: set[str]) -> set[str]:
        kills = set() if isinstance(node, ast.AugAssign) else written(node)
        return (live - kills) | read(node)
