"""What only the text of a module tells: a function's statements, imports for type checkers, attributes of instances."""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

Definition = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def tree(module: str) -> ast.Module:
    """The syntax tree of a module that has been imported; an empty one where it has no text."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return ast.parse(Path(file).read_text() if file and file.endswith(".py") else "")


@cache
def _definitions(module: str) -> Mapping[int, Definition]:
    """The functions of a module by the line on which Python says they begin, that of the first decorator."""
    functions = (node for node in _statements(tree(module)) if isinstance(node, Definition))
    return {min([node.lineno, *(word.lineno for word in node.decorator_list)]): node for node in functions}


def _statements(block: Any) -> Iterator[ast.stmt]:
    """The statements in a block and in the blocks inside it."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(block, part, ()):
            yield node
            yield from _statements(node)


def definition(function: Any) -> Definition | None:
    """The statements of a function; none for a lambda or one that was made at run time."""
    inner = inspect.unwrap(function)
    if not isinstance(inner, FunctionType):
        return None
    found = _definitions(inner.__globals__.get("__name__", "")).get(inner.__code__.co_firstlineno)
    return found if found is not None and found.name == inner.__code__.co_name else None


@cache
def globals_of(module: str) -> Mapping[str, Any]:
    """What a module's annotations may name: its globals, and what it imports for type checkers alone."""
    return {**dict(_typing_imports(module)), **vars(sys.modules[module])}


def _typing_imports(module: str) -> Iterator[tuple[str, Any]]:
    for block in tree(module).body:
        if not (isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"):
            continue
        for node in block.body:
            if isinstance(node, ast.ImportFrom) and node.module in sys.modules:
                held = vars(sys.modules[node.module])
                yield from ((name.asname or name.name, held[name.name]) for name in node.names if name.name in held)


@cache
def _classes(module: str) -> Mapping[str, ast.ClassDef]:
    """The classes of a module by qualified name; those inside functions are left out."""
    found: dict[str, ast.ClassDef] = {}

    def visit(nodes: list[ast.stmt], above: str) -> None:
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                found[above + node.name] = node
                visit(node.body, f"{above}{node.name}.")

    visit(tree(module).body, "")
    return found


def instance_attributes(cls: type) -> dict[str, str | None]:
    """The attributes that a class's methods set on `self`, with the annotation where the assignment has one."""
    known: dict[str, str | None] = {}
    node = _classes(cls.__module__).get(cls.__qualname__)
    methods = [method for method in node.body if isinstance(method, Definition)] if node else []
    for method in methods:
        first = next((argument.arg for argument in method.args.args), None)
        for name, annotation in _assigned(method, first):
            known[name] = annotation or known.get(name)
    return known


def _assigned(method: Definition, instance: str | None) -> Iterator[tuple[str, str | None]]:
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id == instance:
                yield node.attr, None
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
            yield node.target.attr, ast.unparse(node.annotation)
