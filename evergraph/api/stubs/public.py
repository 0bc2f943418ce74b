"""The public objects, and the type that a class or an annotation is called by in the stubs.

A type is a text in which every name stands as <module:name>: "<evergraph:Tensor> | None". The file that shows it
decides how to import the names; see files.py.
"""

import ast
import inspect
import sys
import types
import typing
from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

from evergraph.api.namespace import OPS

ROOT = "evergraph"
ANY = "<typing:Any>"
MESSAGE = "<google.protobuf.message:Message>"
# Packages whose classes a stub may name; that of any other, ours included, is called by its nearest public base.
TYPED = frozenset({*sys.stdlib_module_names, "numpy", "absl", "google"}) - {"abc"}
# Names that programs use only where the plain one is missing.
REMOTE = ("raw_ops", "compat", "contrib", "examples")


class Public:
    """Every public name with its object.

    Attributes:
        objects: public name -> object.
        modules: namespace ("" for the root) -> the public names directly in it, sorted.
    """

    def __init__(self, objects: Mapping[str, Any]) -> None:
        self.objects = objects
        self.modules: dict[str, list[str]] = {}
        for name in sorted(objects):
            self.modules.setdefault(name.rpartition(".")[0], []).append(name)

    @cached_property
    def _homes(self) -> Mapping[int, str]:
        """The public name under which each function and class is defined; its other names are aliases."""
        homes: dict[int, str] = {}
        for name, value in self.objects.items():
            known = homes.get(id(value))
            if is_defined(value) and (known is None or _rank(name, value) < _rank(known, value)):
                homes[id(value)] = name
        return homes

    def home(self, value: Any) -> str | None:
        """The public name under which a function or class is defined, None where it is not public."""
        return self._homes.get(id(value))

    def class_type(self, cls: type) -> str | None:
        """What a class is called by: its own name or, where it is not public, that of its nearest public base."""
        for base in cls.__mro__:
            home = self.home(base)
            if home is not None:
                return reference(home)
            if is_message(base):
                return MESSAGE
            if is_foreign(base) or cls is object:
                return _foreign_type(base)
        return None

    def value_type(self, value: Any) -> str:
        """The type of a constant."""
        if value is None:
            return "None"
        if type(value) in (list, set, frozenset, tuple, dict):
            return f"<builtins:{type(value).__name__}>[{', '.join(self._elements(value))}]"
        return self.class_type(type(value)) or ANY

    def _elements(self, value: Any) -> list[str]:
        def common(values: Any) -> str:
            found = {"<builtins:type>" if isinstance(each, type) else self.value_type(each) for each in values}
            return found.pop() if len(found) == 1 else ANY

        if isinstance(value, dict):
            return [common(value), common(value.values())]
        return [common(value), "..."] if isinstance(value, tuple) else [common(value)]

    def annotation(self, annotation: Any, scope: Mapping[str, Any]) -> str:
        """The type that an annotation says; `scope` holds what its names mean."""
        if not isinstance(annotation, str):
            return self._of_object(annotation)
        try:
            return self._of_syntax(ast.parse(annotation.strip(), mode="eval").body, scope)
        except SyntaxError:
            return ANY

    def _of_syntax(self, node: ast.expr, scope: Mapping[str, Any]) -> str:
        match node:
            case ast.Constant(value=None):
                return "None"
            case ast.Constant(value=str(text)):
                return self.annotation(text, scope)
            case ast.Constant(value=value) if value is ...:
                return "..."
            case ast.Name() | ast.Attribute():
                return self._of_object(_looked_up(node, scope))
            case ast.Subscript(value=generic, slice=inner):
                parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                of = self._of_syntax(generic, scope)
                if of == "<typing:Literal>":
                    return f"{of}[{', '.join(ast.unparse(part) for part in parts)}]"
                return _applied(of, [self._of_syntax(part, scope) for part in parts])
            case ast.List(elts=parts):
                return f"[{', '.join(self._of_syntax(part, scope) for part in parts)}]"
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return union([self._of_syntax(left, scope), self._of_syntax(right, scope)])
        return ANY

    def _of_object(self, value: Any) -> str:
        if value is None or value is type(None):
            return "None"
        if value is ...:
            return "..."
        origin, arguments = typing.get_origin(value), typing.get_args(value)
        if origin in (typing.Union, types.UnionType):
            return union([self._of_object(part) for part in arguments])
        if origin is not None:
            parts = [f"[{', '.join(map(self._of_object, part))}]" if isinstance(part, list) else self._of_object(part)
                     for part in arguments]
            return _applied(self._of_object(origin), parts)
        if isinstance(value, type):
            return self.class_type(value) or ANY
        name = getattr(value, "__name__", None) or getattr(value, "_name", None)
        return f"<typing:{name}>" if getattr(typing, name or "", self) is value else ANY


def reference(public: str) -> str:
    """The type that a public class is."""
    namespace, _, leaf = public.rpartition(".")
    return f"<{module_of(namespace)}:{leaf}>"


def module_of(namespace: str) -> str:
    return f"{ROOT}.{namespace}" if namespace else ROOT


def union(parts: list[str]) -> str:
    return ANY if ANY in parts else " | ".join(dict.fromkeys(parts))


def is_op(value: Any) -> bool:
    return type(value).__name__ == "OpDef" and sys.modules[OPS].REGISTRY.get(value.name) is value


def is_message(value: Any) -> bool:
    """Whether this is a class of protocol messages."""
    return isinstance(value, type) and hasattr(value, "DESCRIPTOR")


def is_foreign(cls: type) -> bool:
    """Whether a class belongs to a package whose types every checker knows."""
    return cls.__module__.partition(".")[0] in TYPED and cls is not object and cls.__name__ != "Generic"


def is_defined(value: Any) -> bool:
    """Whether stubs define this once and give it its other names by alias; constants are declared at each name."""
    return isinstance(value, type | partial) or inspect.isroutine(value) or is_op(value)


def _rank(name: str, value: Any) -> tuple[Any, ...]:
    """What orders the names of one object; the least is its home."""
    parts = name.split(".")
    own = getattr(value, "__name__", None)
    return parts[0] in REMOTE, parts[-1].startswith("_"), len(parts), parts[-1] != own, name


def _applied(generic: str, arguments: list[str]) -> str:
    """A generic type of these; classes that are not generic in the stubs are taken as they are."""
    if generic == "<typing:Optional>":
        return union([*arguments, "None"])
    if generic == "<typing:Union>":
        return union(arguments)
    if generic == ANY or generic.startswith(f"<{ROOT}"):
        return generic
    return f"{generic}[{', '.join(arguments)}]"


def _foreign_type(cls: type) -> str:
    """A class of another package, by the module that programs import it from."""
    top = cls.__module__.partition(".")[0].lstrip("_")
    for module in ("collections.abc", top, cls.__module__):
        if getattr(sys.modules.get(module), cls.__name__, None) is cls:
            return f"<{module}:{cls.__name__}>"
    return next((f"<types:{name}>" for name, value in vars(types).items() if value is cls), ANY)


def _looked_up(node: ast.expr, scope: Mapping[str, Any]) -> Any:
    """The object that a dotted name means; Any where it means none."""
    if isinstance(node, ast.Attribute):
        return getattr(_looked_up(node.value, scope), node.attr, Any)
    assert isinstance(node, ast.Name)
    return scope.get(node.id, vars(sys.modules["builtins"]).get(node.id, Any))
