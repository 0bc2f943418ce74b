"""How the items of a collection become messages and come back, where they are more than names and numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ProtoFunctions:
    """The message class of a collection's items, and the functions there and back.

    `to_proto(item, export_scope=)` may give None for an item outside the scope; `from_proto(message, import_scope=)`.
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
    """Says how items of a collection are written to a MetaGraphDef and read back.

    Args:
        collection_name: the collection.
        proto_type: the message class.
        to_proto: given an item and `export_scope`, makes a message, or None when the item is outside the scope.
        from_proto: given a message and `import_scope`, makes an item.

    Raises:
        TypeError: one of the functions cannot be called.
    """
    for function in (to_proto, from_proto):
        if function is not None and not callable(function):
            raise TypeError("to_proto and from_proto must be callable.")
    _known[collection_name] = ProtoFunctions(proto_type, to_proto, from_proto)


def proto_functions(collection_name: str) -> ProtoFunctions | None:
    """What was registered for a collection."""
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
