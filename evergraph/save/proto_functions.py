"""The registered conversions of collection items to and from messages, for items that are not names or numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ProtoFunctions:
    """The message class of a collection's items, with the functions that encode and decode them.

    `to_proto(item, export_scope=)` may return None for an item outside the scope; `from_proto(message, import_scope=)`.
    """

    proto_type: Any
    to_proto: Callable[..., Any] | None
    from_proto: Callable[..., Any] | None


_known: dict[str, ProtoFunctions] = {}


def register_proto_function(
    collection_name: str,
    proto_type: Any = None,
    to_proto: Callable[..., Any] | None = None,
    from_proto: Callable[..., Any] | None = None,
) -> None:
    """Registers how items of a collection are written to a MetaGraphDef and read back.

    Args:
        collection_name: the collection.
        proto_type: the message class.
        to_proto: given an item and `export_scope`, returns a message, or None if the item is outside the scope.
        from_proto: given a message and `import_scope`, returns an item.

    Raises:
        TypeError: one of the functions is not callable.
    """
    for function in (to_proto, from_proto):
        if function is not None and not callable(function):
            raise TypeError("to_proto and from_proto must be callable.")
    _known[collection_name] = ProtoFunctions(proto_type, to_proto, from_proto)


def proto_functions(collection_name: str) -> ProtoFunctions | None:
    """The conversions registered for a collection."""
    return _known.get(collection_name)


def get_to_proto_function(collection_name: str) -> Callable[..., Any] | None:
    """The registered function from an item of a collection to its message."""
    found = proto_functions(collection_name)
    return None if found is None else found.to_proto


def get_from_proto_function(collection_name: str) -> Callable[..., Any] | None:
    """The registered function from a message to an item of a collection."""
    found = proto_functions(collection_name)
    return None if found is None else found.from_proto


def get_collection_proto_type(collection_name: str) -> Any:
    """The registered message class of a collection's items."""
    found = proto_functions(collection_name)
    return None if found is None else found.proto_type
