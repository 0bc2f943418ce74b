"""The stub of a class: its public bases, and what it and the private classes between it and them hold."""

import enum
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from evergraph.api.stubs import source
from evergraph.api.stubs.functions import Functions, literal, signature
from evergraph.api.stubs.page import Page, defined, docstring, indented, summary
from evergraph.api.stubs.public import ANY, Public, is_defined, is_foreign
from evergraph.api.stubs.returns import OPERATORS, SELF, SPECIAL

# Special methods that programs call through syntax.
SHOWN = frozenset({*OPERATORS, *SPECIAL, "__call__", "__enter__", "__exit__", "__iter__", "__next__", "__reversed__",
                   "__eq__", "__ne__", "__getattr__", "__array__"})  # fmt: skip
MAKERS = ("__init__", "__new__")
NAMED_TUPLE = "<typing:NamedTuple>"


class Classes:
    """Writes classes on a page."""

    def __init__(self, public: Public, functions: Functions) -> None:
        self.public, self.functions, self.returns = public, functions, functions.returns

    def lines(self, page: Page, name: str, cls: type) -> list[str]:
        """The class, after the named tuples that it privately derives from."""
        bases, shown = self.parts(cls)
        before: list[str] = []
        words = []
        for base in bases:
            if is_named_tuple(base) and self.public.home(base) is None:
                before += [*self._named_tuple(page, f"_{base.__name__.lstrip('_')}", base), ""]
                words.append(f"_{base.__name__.lstrip('_')}")
            else:
                words.append(page.show(self.public.class_type(base) or ANY))
        if is_named_tuple(cls):
            return self._named_tuple(page, name, cls)
        said = summary(vars(cls).get("__doc__")) if not _is_made_up(cls) else None
        body = [*(docstring(said) if said else []), *self._members(page, cls, shown)]
        head = f"class {name}({', '.join(words)}):" if words else f"class {name}:"
        return [*before, head, *indented(body)] if body else [*before, f"{head} ..."]

    def parts(self, cls: type) -> tuple[list[type], list[type]]:
        """The bases that the stub names, and the classes whose members it shows as the class's own."""
        bases: list[type] = []
        shown = [cls]

        def visit(below: type) -> None:
            for base in below.__bases__:
                if self.public.home(base) is not None or is_named_tuple(base) or is_foreign(base):
                    bases.append(base)
                elif base.__module__.partition(".")[0] == "evergraph":
                    shown.append(base)
                    visit(base)

        visit(cls)
        least = [base for base in bases if not any(issubclass(other, base) for other in bases if other is not base)]
        return list(dict.fromkeys(least)), shown

    def _members(self, page: Page, cls: type, shown: list[type]) -> Iterator[str]:
        seen: set[str] = set()
        for owner in (each for each in cls.__mro__ if each in shown):
            for name, value in _in_order(vars(owner)):
                if name not in seen and _owner(cls, name) is owner and not inspect.ismemberdescriptor(value):
                    seen.add(name)
                    yield from self._member(page, cls, owner, name, value)
        if any(name in vars(owner) for owner in shown for name in MAKERS):
            yield from self._maker(page, cls, shown)
        yield from self._attributes(page, cls, shown, seen)

    def _member(self, page: Page, cls: type, owner: type, name: str, value: Any) -> Iterator[str]:
        if name == "__hash__":
            yield from defined(name, ["self"], page.show(SPECIAL[name]), None) if value is not None else ()
        elif isinstance(value, property):
            yield from self._property(page, owner, name, value)
        elif isinstance(value, staticmethod | classmethod):
            first = "cls" if isinstance(value, classmethod) else None
            yield "@" + page.name("builtins", type(value).__name__)
            yield from self._method(page, owner, name, value.__func__, first)
        elif inspect.isfunction(value):
            yield from self._method(page, owner, name, value, "self")
        elif isinstance(value, type) and value.__qualname__.startswith(f"{owner.__qualname__}."):
            yield from self.lines(page, name, value)
        elif is_defined(value) and not isinstance(value, type):
            yield f"{name}: {page.show('<collections.abc:Callable>')}[..., {page.show(ANY)}]"
        elif isinstance(value, enum.Enum) and isinstance(value, cls):
            yield f"{name} = {literal(value.value)}"
        elif not isinstance(value, type) and hasattr(type(value), "__get__"):  # a property of another kind
            yield f"{name}: {page.show(ANY)}"
        else:
            yield f"{name}: {page.show(self._declared(owner).get(name) or self.public.value_type(value))}"

    def _method(self, page: Page, owner: type, name: str, function: Any, first: str | None) -> Iterator[str]:
        result = page.show(self.returns.of(function, name, owner if first else None))
        parameters = self.functions.parameters(page, signature(function), function, first)
        yield from defined(name, parameters, result, summary(function.__doc__) if not name.startswith("__") else None)

    def _property(self, page: Page, owner: type, name: str, value: property) -> Iterator[str]:
        result = page.show(self.returns.of(value.fget, name, owner) if value.fget else ANY)
        yield "@" + page.name("builtins", "property")
        yield from defined(name, ["self"], result, summary(value.__doc__))
        if value.fset is not None:
            yield f"@{name}.setter"
            yield from defined(name, ["self", f"value: {page.show(ANY)}"], "None", None)

    def _maker(self, page: Page, cls: type, shown: list[type]) -> Iterator[str]:
        """How instances are made, as a call of the class takes its arguments."""
        makers = {name: _owner(cls, name) for name in MAKERS}
        new = makers["__init__"] not in shown and makers["__new__"] in shown
        maker = vars(makers["__new__" if new else "__init__"]).get("__new__" if new else "__init__")
        function = maker if inspect.isfunction(maker) else cls
        parameters = self.functions.parameters(page, signature(cls), function)
        first, result = ("cls", page.show(SELF)) if new else ("self", "None")
        yield from defined("__new__" if new else "__init__", [first, *parameters], result, None)

    def _attributes(self, page: Page, cls: type, shown: list[type], seen: set[str]) -> Iterator[str]:
        """The attributes that instances get when they are made, or that the class declares."""
        types: dict[str, str] = {}
        for owner in shown:
            scope = source.globals_of(owner.__module__)
            types = {**self._declared(owner), **types}
            for name, annotation in source.instance_attributes(owner).items():
                types.setdefault(name, self.public.annotation(annotation, scope) if annotation else ANY)
            for name, value in vars(owner).items():
                if inspect.ismemberdescriptor(value):
                    types.setdefault(name, ANY)
        for name, type_text in types.items():
            if name not in seen and not name.startswith("_") and (_owner(cls, name) in (None, *shown)):
                yield f"{name}: {page.show(type_text)}"

    def _declared(self, owner: type) -> Mapping[str, str]:
        """The annotations in a class's body."""
        scope = source.globals_of(owner.__module__)
        return {name: self.public.annotation(annotation, scope)
                for name, annotation in inspect.get_annotations(owner).items()}  # fmt: skip

    def _named_tuple(self, page: Page, name: str, cls: Any) -> list[str]:
        declared = self._declared(cls)
        lines = [f"class {name}({page.show(NAMED_TUPLE)}):"]
        said = summary(cls.__doc__) if not _is_made_up(cls) else None
        lines += indented(docstring(said)) if said else []
        for field in cls._fields:
            default = f" = {literal(cls._field_defaults[field])}" if field in cls._field_defaults else ""
            lines.append(f"    {field}: {page.show(declared.get(field, ANY))}{default}")
        own = [name for name in vars(cls) if _is_shown(name) and name not in cls._fields]
        return [*lines, *indented(line for name in own if inspect.isfunction(vars(cls)[name]) and name != "__new__"
                                  for line in self._member(page, cls, cls, name, vars(cls)[name]))]  # fmt: skip


def is_named_tuple(cls: type) -> bool:
    return cls.__bases__ == (tuple,) and hasattr(cls, "_fields")


def _is_made_up(cls: type) -> bool:
    """Whether a class's docstring is the one that namedtuple or dataclass writes."""
    return (cls.__doc__ or "").startswith(f"{cls.__name__}(")


def _in_order(members: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """What of a class's members is shown: as defined; special methods last, sorted, as some are added in no order."""
    shown = [item for item in members.items() if _is_shown(item[0])]
    special = [item for item in shown if item[0].startswith("__")]
    plain = [item for item in shown if not item[0].startswith("__")]
    return plain + sorted(special, key=lambda item: item[0])


def _is_shown(name: str) -> bool:
    return name in SHOWN - {"__init__"} if name.startswith("__") else not name.startswith("_")


def _owner(cls: type, name: str) -> type | None:
    """The class whose attribute this is."""
    return next((base for base in cls.__mro__ if name in vars(base)), None)
