"""Finds the syntax tree of a function in the file that it came from."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import textwrap
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

Definition = ast.FunctionDef | ast.Lambda


class NoSource(ValueError):
    """The source of a function cannot be had, or is not what the function was made from."""


@dataclass(frozen=True)
class File:
    """The functions that one file defines.

    Attributes:
        functions: (name, first line, decorators included) -> definition.
        lambdas: line -> the lambdas that begin there.
    """

    functions: dict[tuple[str, int], ast.FunctionDef] = field(default_factory=dict)
    lambdas: dict[int, list[ast.Lambda]] = field(default_factory=dict)


def definition_of(function: FunctionType) -> Definition:
    """A copy of the function's syntax tree, with the lines and columns of its file.

    Raises:
        NoSource: the file cannot be read, or has no such function where the function says it is.
    """
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        raise NoSource(
            f"the source of {function.__qualname__} cannot be had: {code.co_filename} cannot be read. AutoGraph "
            f"converts functions that are defined in files or notebook cells, not ones made by exec or in a shell"
        )
    file = _file("".join(lines)) or _block(lines, code.co_firstlineno)
    found = None if file is None else _found(file, code)
    if found is None:
        raise NoSource(f"{code.co_filename}:{code.co_firstlineno} does not define {function.__qualname__}: the file "
                       f"has changed since it was imported, or is no Python")
    return clone(found)


@functools.lru_cache(maxsize=128)
def _file(text: str) -> File | None:
    """The functions of a text, None if not all of it is Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    return _indexed(tree)


def _block(lines: list[str], first: int) -> File | None:
    """The functions of the block that begins on a line of a file of which not all is Python, such as a page."""
    block = inspect.getblock(lines[first - 1:])
    indent = len(block[0]) - len(block[0].lstrip())
    try:
        tree = ast.parse(textwrap.dedent("".join(block)))
    except SyntaxError:
        return None
    for node in ast.walk(ast.increment_lineno(tree, first - 1)):
        if isinstance(node, (ast.stmt, ast.expr)):
            node.col_offset += indent
            node.end_col_offset = (node.end_col_offset or 0) + indent
    return _indexed(tree)


def _indexed(tree: ast.AST) -> File:
    file = File()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            file.functions[node.name, min(each.lineno for each in (node, *node.decorator_list))] = node
        elif isinstance(node, ast.Lambda):
            file.lambdas.setdefault(node.lineno, []).append(node)
    return file


def _found(file: File, code: CodeType) -> Definition | None:
    if code.co_name != "<lambda>":
        return file.functions.get((code.co_name, code.co_firstlineno))
    alike = [each for each in file.lambdas.get(code.co_firstlineno, ()) if _parameters(each) == _arguments(code)]
    if len(alike) == 1:
        return alike[0]
    # Several lambdas on one line: the code remembers where its instructions stand.
    places = [place for place in code.co_positions() if None not in place and place[2:] != (0, 0)]
    around = [each for each in alike if all(_contains(each.body, place) for place in places)]
    return max(around, key=lambda each: (each.body.lineno, each.body.col_offset), default=None)


def _parameters(node: ast.Lambda) -> tuple[str, ...]:
    given = node.args
    packed = [each.arg for each in (given.vararg, given.kwarg) if each is not None]
    return (*(each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)), *packed)


def _arguments(code: CodeType) -> tuple[str, ...]:
    packed = bool(code.co_flags & 4) + bool(code.co_flags & 8)  # *args, **kwargs
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + packed]


def _contains(node: Any, place: Any) -> bool:
    """Whether (first line, last line, first column, last column) lies within an expression."""
    first, last, left, right = place
    return (node.lineno, node.col_offset) <= (first, left) and (last, right) <= (node.end_lineno, node.end_col_offset)


def clone(node: Any) -> Any:
    """A copy of a syntax tree."""
    if isinstance(node, list):
        return [clone(each) for each in node]
    if not isinstance(node, ast.AST):
        return node
    copy = type(node).__new__(type(node))
    copy.__dict__.update({name: clone(value) for name, value in vars(node).items()})
    return copy
