"""What the parts of a syntax tree bind, catch and stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def stored(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that a function's statements bind, but for imports, `global` and the functions in it."""
    found: set[str] = set()
    shared: set[str] = set()
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            shared |= set(node.names)
        targets = [*getattr(node, "targets", ()), getattr(node, "target", None)]
        targets += [item.optional_vars for item in getattr(node, "items", ()) if isinstance(item, ast.withitem)]
        for target in filter(None, targets):
            found |= {target.id} if isinstance(target, ast.Name) else _names_in(target)
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting.extend(getattr(node, part, ()))
    return found - shared


def _names_in(target: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}


def taken_apart(node: ast.AST) -> tuple[ast.AST, list[str]]:
    """`a.b.c` -> (a, ["b", "c"])."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    return node, words[::-1]


def caught(handler: ast.ExceptHandler) -> Iterator[str]:
    """The classes that a handler catches, by their last words."""
    if handler.type is None:
        yield "Exception"
        return
    for each in getattr(handler.type, "elts", [handler.type]):
        yield getattr(each, "id", None) or getattr(each, "attr", "")


def root(path: str) -> str:
    return path.partition(".")[0]
