"""Which names a piece of code reads, writes and declares. An attribute of a name counts as a name: `self.x`."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable
from typing import Any

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, ast.ClassDef)


def dotted(node: Any) -> str | None:
    """`a.b.c` as text, None for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return None if owner is None else f"{owner}.{node.attr}"
    return None


# ---- reads


def read(node: Any) -> set[str]:
    """The names that the code reads, functions inside it included as if they were called."""
    found: set[str] = set()
    _read(node, found)
    return found


def _read(node: Any, found: set[str]) -> None:
    if isinstance(node, (list, tuple)):
        for each in node:
            _read(each, found)
    elif isinstance(node, FUNCTIONS):
        found |= _free(node)
    elif isinstance(node, COMPREHENSIONS):
        inner = read(list(ast.iter_child_nodes(node)))
        found |= inner - {name for each in node.generators for name in targets(each.target)}
    elif isinstance(node, ast.AugAssign):
        found |= {name for name in targets(node.target)} | read(node.value)
        _read_children(node.target, found)
    elif isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Store):
            found.add(node.id)
    elif isinstance(node, ast.AST):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Store) and dotted(node):
            found.add(str(dotted(node)))
        _read_children(node, found)


def _read_children(node: ast.AST, found: set[str]) -> None:
    for child in ast.iter_child_nodes(node):
        _read(child, found)


def _free(node: Any) -> set[str]:
    """What a function reads from around it, its decorators and defaults included."""
    given = node.args
    own = {each.arg for each in ast.walk(given) if isinstance(each, ast.arg)}
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    own |= written(body) - outer(body)
    outside = read([*given.defaults, *(d for d in given.kw_defaults if d), *getattr(node, "decorator_list", ())])
    return {name for name in read(body) if name.partition(".")[0] not in own} | outside


# ---- writes


def targets(node: Any) -> set[str]:
    """The names that an assignment to this target binds: plain names and attributes of names."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return set().union(*(targets(each) for each in node.elts))
    if isinstance(node, ast.Starred):
        return targets(node.value)
    name = dotted(node)
    return set() if name is None else {name}


def written(node: Any) -> set[str]:
    """The names that statements bind in their own scope, and those that blocks made of statements bind in it."""
    inner = (written(each.body) - parameters(each) for each in walk(node) if is_block(each))
    return bound(node).union(*inner)


def is_block(node: Any) -> bool:
    """Whether a function was made of statements of the user's function."""
    return getattr(node, "is_block", False)


def bound(node: Any) -> set[str]:
    """The names that statements bind in their own scope themselves."""
    found: set[str] = set()
    for each in walk(node):
        if is_block(each):
            continue
        if isinstance(each, (ast.Name, ast.Attribute)) and isinstance(each.ctx, (ast.Store, ast.Del)):
            found |= targets(each)
        elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(each.name)
        elif isinstance(each, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in each.names}
        elif isinstance(each, ast.ExceptHandler) and each.name:
            found.add(each.name)
        elif isinstance(each, (ast.MatchAs, ast.MatchStar)) and each.name:
            found.add(each.name)
        elif isinstance(each, ast.MatchMapping) and each.rest:
            found.add(each.rest)
    return found


def walk(node: Any) -> Iterable[Any]:
    """The nodes of one scope: those of functions, classes and comprehensions inside it are left out."""
    todo = list(node) if isinstance(node, (list, tuple)) else [node]
    while todo:
        each = todo.pop()
        yield each
        if isinstance(each, COMPREHENSIONS):
            todo += [inner for inner in ast.walk(each) if isinstance(inner, ast.NamedExpr)]
        elif not isinstance(each, SCOPES):
            todo += ast.iter_child_nodes(each)


def plain(names: Iterable[str]) -> set[str]:
    """Those that are names, not attributes."""
    return {name for name in names if "." not in name}


def outer(body: Any) -> set[str]:
    """The names that the statements declare `global` or `nonlocal`."""
    return declared(body, ast.Global) | declared(body, ast.Nonlocal)


def declared(body: Any, kind: Any) -> set[str]:
    """The names in declarations of one kind."""
    return {name for each in walk(body) if isinstance(each, kind) for name in each.names}


def parameters(node: Any) -> set[str]:
    """The names of a function's parameters."""
    return {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}


class Fresh:
    """Makes names that the function does not use."""

    def __init__(self, tree: ast.AST) -> None:
        self._taken = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
        self._taken |= {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
        self._taken |= {each.name for each in ast.walk(tree) if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
        self._taken |= {name for each in ast.walk(tree) if isinstance(each, (ast.Global, ast.Nonlocal))
                        for name in each.names}

    def name(self, wanted: str) -> str:
        """`wanted`, with a number if it is taken."""
        found = next(each for n in itertools.count(1) if (each := wanted if n == 1 else f"{wanted}_{n}")
                     not in self._taken)
        self._taken.add(found)
        return found
