"""Rewrites what a program's sources do that only arrays of older NumPys allow.

`int(x)` and `"%d" % x` of an array with one element, `a[i] = x` with such an array and `x.tostring()` were the array's
own, as was the arithmetic of its scalars, and an array is a C object whose type cannot be given them; `np.array` of
rows of different lengths fails today, which other packages rely on. So the program's calls of these go through
functions, and nobody else's do. Sources that the program itself hands to `exec` and `compile` belong to it.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

from evergraph.cli.legacy.generators import GeneratorStops
from evergraph.cli.legacy.ledger import lend
from evergraph.cli.legacy.names import CASTS, FUNCTIONS, METHODS
from evergraph.cli.python2.convert import converted

_NUMBER, _METHOD, _SET, _TEXT = "_evergraph_number", "_evergraph_method", "_evergraph_set", "_evergraph_text"
_OPERATION, _IN_PLACE = "_evergraph_operation", "_evergraph_in_place"
_COMPILE, _CODE = "_evergraph_compile", "_evergraph_code"
_HEAD = (
    f"from evergraph.cli.legacy.arrays import number as {_NUMBER}, set_element as {_SET}, text as {_TEXT}\n"
    f"from evergraph.cli.legacy.promotion import IN_PLACE as {_IN_PLACE}, OPERATIONS as {_OPERATION}\n"
    f"from evergraph.cli.legacy.rewrite import method as {_METHOD}, compiled as {_COMPILE}, code as {_CODE}"
)
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor",
}  # fmt: skip


def rewritten(source: str | bytes, path: str, python2: bool = False) -> CodeType:
    """The code of a source, with its calls rewritten; a source without any is compiled as it is.

    With `python2` it is converted from Python 2 first.
    """
    floors = False
    if python2:
        source, floors = converted(source, path)
    return compile(_rewritten_tree(ast.parse(source, path), floors), path, "exec", dont_inherit=True)


def _rewritten_tree(tree: ast.Module, floors: bool) -> ast.Module:
    calls = _Calls(_names_of_numpy(tree), floors)
    tree = calls.visit(GeneratorStops().visit(tree))
    if calls.changed:
        tree.body[_after_future(tree) : _after_future(tree)] = ast.parse(_HEAD).body
        ast.fix_missing_locations(tree)
    return tree


class CellCalls:
    """Rewrites the calls of a notebook's cells: one of the transformers that IPython takes."""

    def visit(self, tree: ast.Module) -> ast.Module:
        return _rewritten_tree(tree, False)


def method(name: str, owner: Any) -> Callable[..., Any]:
    """A method of an object; of an array also one that arrays no longer have, of NumPy one that takes old values."""
    if name in FUNCTIONS and getattr(owner, "__name__", None) == "numpy":
        return functools.partial(_fetched(FUNCTIONS[name]), getattr(owner, name))
    if hasattr(owner, name) or type(owner).__module__.partition(".")[0] != "numpy":
        return getattr(owner, name)
    lend(f"numpy.ndarray.{name}")
    return functools.partial(_fetched(METHODS[name]), owner)


def compiled(make: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """compile(source, filename, "exec") of the program, whose source is rewritten, too."""
    if make is builtins.compile and args[2:3] == ("exec",) and isinstance(args[0], (str, bytes)):
        return rewritten(args[0], args[1])
    return make(*args, **kwargs)


def code(source: Any, namespace: Any = None) -> Any:
    """What the program gives to exec, rewritten if it is a text that may import what that needs."""
    known = namespace.get("__builtins__") if isinstance(namespace, dict) else None
    may_import = not isinstance(known, dict) or "__import__" in known
    return rewritten(source, "<string>") if may_import and isinstance(source, (str, bytes)) else source


class _Calls(ast.NodeTransformer):
    """Sends calls, arithmetic, formatted texts and assignments to elements through functions."""

    changed = False

    def __init__(self, numpy: set[str], floors: bool) -> None:
        self._numpy = numpy
        self._operators = {**_OPERATORS, ast.Div: "div"} if floors else _OPERATORS

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in CASTS and node.args:
            return self._called(_NUMBER, [node.func, *node.args], node, node.keywords)
        if isinstance(node.func, ast.Name) and node.func.id == "compile" and node.args:
            return self._called(_COMPILE, [node.func, *node.args], node, node.keywords)
        if isinstance(node.func, ast.Name) and node.func.id == "exec" and node.args:
            namespace = [each for each in node.args[1:2] if isinstance(each, ast.Name)]  # others are evaluated once
            node.args[0] = self._called(_CODE, [node.args[0], *namespace], node)
        elif isinstance(node.func, ast.Attribute) and self._is_old(node.func):
            node.func = self._called(_METHOD, [ast.Constant(node.func.attr), node.func.value], node)
        return node

    def _is_old(self, function: ast.Attribute) -> bool:
        of_numpy = isinstance(function.value, ast.Name) and function.value.id in self._numpy
        return function.attr in METHODS or of_numpy and function.attr in FUNCTIONS

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            return self._called(_TEXT, [node.left, node.right], node) if isinstance(node.op, ast.Mod) else node
        operation = self._operators.get(type(node.op))
        constants = isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant) and operation != "div"
        if operation is None or constants:
            return node
        return self._called(_OPERATION, [node.left, node.right], node, of=operation)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        # Any other target has parts, which must be evaluated once only.
        if not isinstance(node.target, ast.Name) or type(node.op) not in _OPERATORS:
            return node
        value = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        result = self._called(_IN_PLACE, [value, node.value], node, of=self._operators[type(node.op)])
        return ast.copy_location(ast.Assign([node.target], result), node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        target = node.targets[0]
        # A slice is set by arrays, of one element or more, as ever.
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript) or _has_slice(target.slice):
            return node
        # Python, too, evaluates the value before the object and the index.
        call = self._called(_SET, [node.value, target.value, target.slice], node)
        return ast.copy_location(ast.Expr(call), node)

    def _called(
        self, name: str, args: list[ast.expr], place: ast.AST, keywords: Sequence[ast.keyword] = (), of: str = ""
    ) -> ast.Call:
        """The call of a function, or of the one that a table has under a name."""
        self.changed = True
        function: ast.expr = ast.Name(name, ast.Load())
        if of:
            function = ast.Subscript(function, ast.Constant(of), ast.Load())
        return ast.fix_missing_locations(ast.copy_location(ast.Call(function, args, list(keywords)), place))


def _names_of_numpy(tree: ast.Module) -> set[str]:
    """The names under which a source may know NumPy."""
    imports = (alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names)
    return {"np", "numpy"} | {alias.asname or alias.name for alias in imports if alias.name == "numpy"}


def _has_slice(index: ast.AST) -> bool:
    return any(isinstance(part, (ast.Slice, ast.Starred)) for part in ast.walk(index))


def _fetched(home: str) -> Any:
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(module), name)


def _after_future(tree: ast.Module) -> int:
    """The first place for a statement: behind the docstring and the imports from __future__."""
    place = 0
    for statement in tree.body:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not (is_text or isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        place += 1
    return place
