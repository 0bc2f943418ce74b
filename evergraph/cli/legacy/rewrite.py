"""Rewrites calls in a program's sources that only arrays of older NumPys allow.

`int(x)` and `"%d" % x` of an array with one element, `a[i] = x` with such an array and `x.tostring()` were the array's
own, and an array is a C object whose type cannot be given them; `np.array` of rows of different lengths fails today,
which other packages rely on. So the program's calls of these go through functions, and nobody else's do.
"""

from __future__ import annotations

import ast
import functools
import importlib
from collections.abc import Callable
from types import CodeType
from typing import Any

from evergraph.cli.legacy.ledger import lend
from evergraph.cli.legacy.names import CASTS, METHODS, RAGGED

_NUMBER, _METHOD, _SET, _TEXT = "_evergraph_number", "_evergraph_method", "_evergraph_set", "_evergraph_text"
_HEAD = (
    f"from evergraph.cli.legacy.arrays import number as {_NUMBER}, set_element as {_SET}, text as {_TEXT}\n"
    f"from evergraph.cli.legacy.rewrite import method as {_METHOD}"
)


def rewritten(source: str | bytes, path: str) -> CodeType:
    """The code of a source, with its calls rewritten; a source without any is compiled as it is."""
    tree = ast.parse(source, path)
    calls = _Calls()
    tree = calls.visit(tree)
    if calls.changed:
        tree.body[_after_future(tree) : _after_future(tree)] = ast.parse(_HEAD).body
        ast.fix_missing_locations(tree)
    return compile(tree, path, "exec", dont_inherit=True)


def method(name: str, owner: Any) -> Callable[..., Any]:
    """A method of an object; of an array also one that arrays no longer have, of NumPy one that takes ragged rows."""
    if name in RAGGED and getattr(owner, "__name__", None) == "numpy":
        return functools.partial(importlib.import_module("evergraph.cli.legacy.arrays").ragged, getattr(owner, name))
    if hasattr(owner, name) or type(owner).__module__.partition(".")[0] != "numpy":
        return getattr(owner, name)
    module, _, function = METHODS[name].partition(":")
    lend(f"numpy.ndarray.{name}")
    return functools.partial(getattr(importlib.import_module(module), function), owner)


class _Calls(ast.NodeTransformer):
    """Sends calls of casts and of lost methods, formatted texts, and assignments to elements, through functions."""

    changed = False

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in CASTS and node.args:
            node.args.insert(0, node.func)
            node.func = _name(_NUMBER, node)
        elif isinstance(node.func, ast.Attribute) and (node.func.attr in METHODS or node.func.attr in RAGGED):
            said = ast.copy_location(ast.Constant(node.func.attr), node)
            node.func = ast.copy_location(ast.Call(_name(_METHOD, node), [said, node.func.value], []), node)
        else:
            return node
        self.changed = True
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        is_text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        if not is_text or not isinstance(node.op, ast.Mod):
            return node
        self.changed = True
        return ast.copy_location(ast.Call(_name(_TEXT, node), [node.left, node.right], []), node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        target = node.targets[0]
        # A slice is set by arrays, of one element or more, as ever.
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript) or _has_slice(target.slice):
            return node
        self.changed = True
        # Python, too, evaluates the value before the object and the index.
        arguments = [node.value, target.value, target.slice]
        call = ast.copy_location(ast.Call(_name(_SET, node), arguments, []), node)
        return ast.copy_location(ast.Expr(call), node)


def _has_slice(index: ast.AST) -> bool:
    return any(isinstance(part, (ast.Slice, ast.Starred)) for part in ast.walk(index))


def _name(word: str, place: ast.AST) -> ast.Name:
    return ast.copy_location(ast.Name(word, ast.Load()), place)


def _after_future(tree: ast.Module) -> int:
    """The first place for a statement: behind the docstring and the imports from __future__."""
    place = 0
    for statement in tree.body:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not (is_text or isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        place += 1
    return place
