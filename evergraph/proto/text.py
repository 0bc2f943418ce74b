"""Messages as text, as TensorFlow writes them to .pbtxt files."""

import functools
import re
from array import array
from typing import Any

from google.protobuf import message, text_encoding, text_format

from evergraph import native


def to_text(value: Any) -> str:
    """A message in protobuf's text form; the entries of a map are sorted."""
    if native.messages is not None:
        text = native.messages.to_text(value.SerializePartialToString(), _schema(value.DESCRIPTOR))
        if text is not None:
            return text.decode()
    return _text(value)


# ---------------------------------------------------------------- in C


@functools.lru_cache(maxsize=64)
def _schema(kind: Any) -> tuple[bytes, ...]:
    """A type of messages, and those inside of it, as native/messages.c takes them."""
    kinds, enums, names = [kind], [], bytearray()
    fields, field_starts, values, value_starts = array("i"), array("i"), array("i"), array("i")

    def place(items: list[Any], item: Any) -> int:
        if item not in items:
            items.append(item)
        return items.index(item)

    def name(text: str) -> tuple[int, int]:
        names.extend(text.encode())
        return len(names) - len(text), len(text)

    for each in kinds:  # which grows
        field_starts.append(len(fields) // 6)
        for field in sorted(each.fields, key=lambda field: field.number):
            inner, enum = field.message_type, field.enum_type
            target = place(kinds, inner) if inner is not None else place(enums, enum) if enum is not None else 0
            is_map = inner is not None and inner.GetOptions().map_entry
            fields.extend([field.number, field.type, is_map, *name(field.name), target])
    for each in enums:
        value_starts.append(len(values) // 3)
        for value in each.values:
            values.extend([value.number, *name(value.name)])
    field_starts.append(len(fields) // 6)
    value_starts.append(len(values) // 3)
    return *(part.tobytes() for part in (fields, field_starts, values, value_starts)), bytes(names)


# ---------------------------------------------------------------- in Python

_SEVERAL_ENTRIES = re.compile(
    r"^( *)(\w+) {\n\1  key: .*\n(?:\1  .*\n)*\1}\n(?:\1\2 {\n\1  key: .*\n(?:\1  .*\n)*\1}\n)+", re.MULTILINE)


def _text(value: Any) -> str:
    """The text of a message.

    `str` of a message runs in C, in a tenth of the time of `text_format`, but leaves maps in the order of their hash
    tables. A text has no line breaks inside of strings, so that blocks of lines can be told by how they are indented.
    """
    return _with_sorted(str(value), _maps_in(value.DESCRIPTOR))


def _with_sorted(text: str, maps: frozenset[str]) -> str:
    """The text with the entries of maps sorted, and those of maps inside of them."""

    def in_order(entries: re.Match[str]) -> str:
        start, end = f"{entries[1]}{entries[2]} {{\n", f"{entries[1]}}}\n"
        if entries[2] not in maps:
            return entries[0]
        found = sorted(entries[0][len(start) : -len(end)].split(end + start), key=_key)
        inner = [_with_sorted(entry, maps) if entry.count("key: ") > 2 else entry for entry in found]
        return start + (end + start).join(inner) + end

    return _SEVERAL_ENTRIES.sub(in_order, text)


def _key(entry: str) -> Any:
    """The key of an entry of a map, which is a number, a boolean or a string, from its first line."""
    text = entry[: entry.index("\n")].partition("key: ")[2]
    if text[0] != '"':
        return text if text[0] in "ft" else int(text)
    return text_encoding.CUnescape(text[1:-1]).decode() if "\\" in text else text[1:-1]


@functools.cache
def _maps_in(kind: Any) -> frozenset[str]:
    """The names of the fields that are maps, in messages of a type and in those inside of them."""
    found, kinds = set(), {kind.full_name: kind}
    left = [kind]
    while left:
        inner = [field for field in left.pop().fields if field.message_type is not None]
        found |= {field.name for field in inner if field.message_type.GetOptions().map_entry}
        left += [field.message_type for field in inner if field.message_type.full_name not in kinds]
        kinds |= {field.message_type.full_name: field.message_type for field in inner}
    return frozenset(found)


def from_text(text: str, value: Any) -> Any:
    """Fills a message from its text form and returns it.

    Raises:
        ValueError: the text is no such message.
    """
    try:
        return text_format.Parse(text, value)
    except text_format.ParseError as error:
        raise ValueError(str(error)) from None


def from_bytes_or_text(data: bytes, value: Any) -> Any:
    """Fills a message from a file's content, whichever form that has, and returns it.

    Raises:
        ValueError: it is neither.
    """
    try:
        value.ParseFromString(data)
        return value
    except message.DecodeError:
        value.Clear()
    try:
        return from_text(data.decode(), value)
    except UnicodeDecodeError as error:
        raise ValueError(f"neither a message nor its text form: {error}") from None
