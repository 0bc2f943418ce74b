"""The stub of a class of protocol messages, from its descriptor: the fields and what they hold."""

from collections.abc import Iterator
from typing import Any

from evergraph.api.stubs.page import Page, defined, indented
from evergraph.api.stubs.public import ANY, MESSAGE, Public, reference

CONTAINERS = "google.protobuf.internal.containers"
# How Python holds a field, by the descriptor's number for it.
HELD = {1: "int", 2: "int", 3: "int", 4: "int", 5: "float", 6: "float", 7: "bool", 8: "int", 9: "str"}
BYTES = 12  # the declared type of a field that Python holds as bytes


class Messages:
    """Writes classes of messages on a page."""

    def __init__(self, public: Public) -> None:
        self.public = public

    def lines(self, page: Page, name: str, cls: type) -> list[str]:
        body = list(self._body(page, cls))
        return [f"class {name}({page.show(MESSAGE)}):", *indented(body or ["..."])]

    def _body(self, page: Page, cls: Any) -> Iterator[str]:
        descriptor = cls.DESCRIPTOR
        for nested in descriptor.nested_types:
            inner = getattr(cls, nested.name)
            if not nested.GetOptions().map_entry:
                home = self.public.home(inner)
                yield from self.lines(page, nested.name, inner) if home is None else [
                    f"{nested.name} = {page.show(self.public.class_type(inner) or ANY)}"]
        for values in descriptor.enum_types:
            yield f"{values.name}: {page.show(ANY)}"
            yield from (f"{value.name}: {page.show('<builtins:int>')}" for value in values.values)
        for field in descriptor.fields:
            yield f"{field.name}: {page.show(self._held(field))}"
        words = [f"{field.name}: {page.show(ANY)} = ..." for field in descriptor.fields]
        yield from defined("__init__", ["self", *(["*", *words] if words else [])], "None", None)

    def _held(self, field: Any) -> str:
        """The type of a field's value."""
        if _is_map(field):
            key, value = (self._single(field.message_type.fields_by_name[part]) for part in ("key", "value"))
            kind = "MessageMap" if field.message_type.fields_by_name["value"].message_type else "ScalarMap"
            return f"<{CONTAINERS}:{kind}>[{key}, {value}]"
        if _is_repeated(field):
            kind = "RepeatedCompositeFieldContainer" if field.message_type else "RepeatedScalarFieldContainer"
            return f"<{CONTAINERS}:{kind}>[{self._single(field)}]"
        return self._single(field)

    def _single(self, field: Any) -> str:
        if field.message_type is not None:
            home = self.public.home(field.message_type._concrete_class)
            return ANY if home is None else reference(home)
        return f"<builtins:{'bytes' if field.type == BYTES else HELD[field.cpp_type]}>"


def _is_repeated(field: Any) -> bool:
    return field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED


def _is_map(field: Any) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry
