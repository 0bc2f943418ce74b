"""The type that a function returns: what its annotation says or, where it says nothing, what its statements show.

Only what is certain is said: every return statement gives the same type, by calling an op, a class or a function whose
type is known. Anything else is Any.
"""

import ast
import contextlib
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from evergraph.api.stubs import source
from evergraph.api.stubs.public import ANY, Public, is_op, reference

SELF = "<typing:Self>"
MANAGER = "<contextlib:AbstractContextManager>"
TENSOR = reference("Tensor")
# Special methods whose result the language itself fixes.
SPECIAL = {"__init__": "None", "__setattr__": "None", "__delattr__": "None", "__setitem__": "None",
           "__delitem__": "None", "__len__": "<builtins:int>", "__bool__": "<builtins:bool>",
           "__contains__": "<builtins:bool>", "__int__": "<builtins:int>", "__float__": "<builtins:float>",
           "__index__": "<builtins:int>", "__hash__": "<builtins:int>"}  # fmt: skip
# Functions that return a tensor, which their statements do not show: those of tf.layers apply a layer, whose `call`
# says nothing of its result; the others call what they are given.
LAYERS = "layers."
TENSORS = frozenset({"evergraph.graph.convert.to_tensor", "evergraph.frontend.reduce._reduced"})
# Arithmetic on these gives tensors.
OPERANDS = frozenset({TENSOR, reference("Variable")})
_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "div", "mod", "pow", "matmul", "and", "or", "xor")
OPERATORS = frozenset({"__neg__", "__invert__", "__abs__", "__getitem__", "__lt__", "__le__", "__gt__", "__ge__",
                       *(f"__{side}{name}__" for name in _ARITHMETIC for side in ("", "r"))})  # fmt: skip


class Returns:
    """Finds and remembers what functions return."""

    def __init__(self, public: Public) -> None:
        self.public = public
        self._known: dict[int, str | None] = {}

    def of(self, function: Any, name: str = "", owner: type | None = None) -> str:
        """The type that a call gives; a method has the name that it has in the class `owner`."""
        if name in SPECIAL:
            return SPECIAL[name]
        if (self.public.home(function) or "").startswith(LAYERS):
            return TENSOR
        if owner is not None and name in OPERATORS and self.public.class_type(owner) in OPERANDS:
            return TENSOR
        return self._of_call(function, owner) or ANY

    def _of_call(self, function: Any, owner: type | None = None) -> str | None:
        """As `of`; None while a function that calls itself is being looked at: it adds nothing to what is found."""
        if isinstance(function, partial):
            return self._of_call(function.func)
        if isinstance(function, type):
            return self._of_class(function)
        if is_op(function):
            return self._of_op(function)
        if f"{function.__module__}.{function.__qualname__}" in TENSORS:
            return TENSOR
        if id(function) not in self._known:
            self._known[id(function)] = None
            said = self._said(function)
            self._known[id(function)] = said if said != ANY else self._shown(function, owner)
        return self._known[id(function)]

    def _of_class(self, cls: type) -> str:
        """What a call of a class gives; a metaclass may give something else than an instance."""
        home = self.public.home(cls)
        return reference(home) if home is not None and type(cls).__call__ is type.__call__ else ANY

    def _of_op(self, op: Any) -> str:
        outputs = op.signature.outputs
        if not outputs:
            return reference("Operation")
        if len(outputs) > 1:
            return f"<evergraph.raw_ops:_{op.name}>"
        return f"<builtins:list>[{TENSOR}]" if outputs[0].is_list else TENSOR

    def _said(self, function: Any) -> str:
        """What the annotation says. A context manager's is that of the generator it is made from."""
        inner = inspect.unwrap(function)
        annotation = getattr(inner, "__annotations__", {}).get("return", Any)
        said = self.public.annotation(annotation, source.globals_of(inner.__module__)) if annotation is not Any else ANY
        if not is_manager(function):
            return said
        held = re.fullmatch(r"<collections.abc:(?:Iterator|Iterable)>\[(.*)\]", said)
        return f"{MANAGER}[{held[1] if held else ANY}]"

    def _shown(self, function: Any, owner: type | None) -> str:
        """What the return statements show."""
        node = source.definition(function)
        nodes = list(_own_nodes(node)) if node is not None else []
        if node is None or any(isinstance(each, ast.Yield | ast.YieldFrom) for each in nodes):
            return ANY
        if isinstance(node.body[-1], ast.Raise):  # for a subclass to say, or never called
            return ANY
        values = [each.value for each in nodes if isinstance(each, ast.Return)]
        if all(value is None for value in values):
            return "None"
        body = Body(self, node, nodes, function=inspect.unwrap(function), owner=owner)
        return body.common([ast.Constant(None) if value is None else value for value in values])


class Body:
    """The expressions of one function."""

    def __init__(self, returns: Returns, node: source.Definition, nodes: list[ast.AST], function: Any,
                 owner: type | None) -> None:  # fmt: skip
        self.returns, self.owner, self.globals = returns, owner, function.__globals__
        arguments = node.args
        listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        self.parameters = [each.arg for each in listed if each is not None]
        self.assigned = _assignments(nodes)
        self.replaced = dict(_replaced(node.body))
        self.looking: set[str] = set()

    def common(self, values: list[ast.expr]) -> str:
        """The one type that all of these have."""
        found = {self.type_of(value) for value in values} - {None}
        return found.pop() or ANY if len(found) == 1 else ANY

    def type_of(self, node: ast.expr) -> str | None:
        """The type of an expression, Any where it is not certain, None where it depends on itself."""
        match node:
            case ast.Constant(value=None):
                return "None"
            case ast.Constant(value=bool() | int() | float() | str() | bytes() as value):
                return f"<builtins:{type(value).__name__}>"
            case ast.JoinedStr():
                return "<builtins:str>"
            case ast.Call(func=function):
                return self._of_call(function)
            case ast.Name(id=name):
                return self._of_name(name, getattr(node, "lineno", 0))
            case ast.IfExp(body=one, orelse=other):
                return self.common([one, other])
            case ast.Tuple(elts=parts) if parts and not any(isinstance(part, ast.Starred) for part in parts):
                return f"<builtins:tuple>[{', '.join(self.type_of(part) or ANY for part in parts)}]"
            case ast.BinOp(left=left, right=right) if TENSOR in (self.type_of(left), self.type_of(right)):
                return TENSOR
            case ast.UnaryOp(operand=operand) if self.type_of(operand) == TENSOR:
                return TENSOR
        return ANY

    def _of_name(self, name: str, line: int) -> str | None:
        if self.owner is not None and self.parameters[:1] == [name] and name not in self.assigned:
            return SELF
        is_given = name in self.parameters and line <= self.replaced.get(name, line)
        if is_given or name not in self.assigned:
            return ANY
        if name in self.looking:
            return None
        self.looking.add(name)
        try:
            return self.common(self.assigned[name])
        finally:
            self.looking.discard(name)

    def _of_call(self, function: ast.expr) -> str | None:
        """The type of a call of what a global, or a module's attribute, holds."""
        called = self._global(function)
        if isinstance(called, type) or inspect.isfunction(called) or is_op(called):
            return self.returns._of_call(called)
        return ANY

    def _global(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name) and node.id not in self.parameters and node.id not in self.assigned:
            return self.globals.get(node.id)
        if isinstance(node, ast.Attribute):
            holder = self._global(node.value)
            return vars(holder).get(node.attr) if inspect.ismodule(holder) else None
        return None


def _own_nodes(function: source.Definition) -> Iterator[ast.AST]:
    """The nodes of a function that are not in a function, lambda or class inside it."""
    left: list[ast.AST] = list(function.body)
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, source.Definition | ast.Lambda | ast.ClassDef):
            left.extend(ast.iter_child_nodes(node))


def _replaced(body: list[ast.stmt]) -> Iterator[tuple[str, int]]:
    """The names that are assigned on every way through a block, each with the line after which it is."""
    for node in reversed(body):
        if isinstance(node, ast.With):
            yield from _replaced(node.body)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.end_lineno or node.lineno


def _assignments(nodes: list[ast.AST]) -> Mapping[str, list[ast.expr]]:
    """Local name -> the values it is given; a value that is no expression of its own is an unknown one."""
    unknown = ast.Name("")
    values: dict[str, list[ast.expr]] = {}
    plain = {id(node.targets[0]): node.value for node in nodes if isinstance(node, ast.Assign)}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            values.setdefault(node.id, []).append(plain.get(id(node), unknown))
        if isinstance(node, source.Definition | ast.ClassDef):
            values.setdefault(node.name, []).append(unknown)
    return values


def is_manager(function: Any) -> bool:
    """Whether a function was made by contextlib.contextmanager."""
    code = getattr(function, "__code__", None)
    return code is not None and code.co_filename == contextlib.__file__

