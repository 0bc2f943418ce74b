"""Messages as text, as TensorFlow writes them to .pbtxt files."""

import functools
import re
from array import array
from collections.abc import Iterator
from typing import Any

from google.protobuf import message, text_format

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
            is_map = inner is not None and _is_map(inner)
            fields.extend([field.number, field.type, is_map, *name(field.name), target])
    for each in enums:
        value_starts.append(len(values) // 3)
        for value in each.values:
            values.extend([value.number, *name(value.name)])
    field_starts.append(len(fields) // 6)
    value_starts.append(len(values) // 3)
    return *(part.tobytes() for part in (fields, field_starts, values, value_starts)), bytes(names)


# ---------------------------------------------------------------- in Python


def _text(value: Any) -> str:
    """The text of a message, from `str` where that is possible.

    `str` of a message runs in C, in a fiftieth of the time of `text_format`, but leaves maps in the order of their
    hash tables. So messages with maps further inside are put together here, and `str` writes everything else.
    """
    fields = [(field, content) for field in _fields_with_maps(value.DESCRIPTOR) if (content := _content(value, field))]
    if any(map(_holds_map, (each for field, content in fields for each in _messages(field, content)))):
        return "".join(text for field, content in value.ListFields() for text in _field_texts(value, field, content))
    text = str(value)
    for field, content in fields:
        if _is_map(field.message_type) and len(content) > 1:
            text = _with_sorted(text, field.name)
    return text


def _field_texts(parent: Any, field: Any, content: Any) -> Iterator[str]:
    """The text of each value of a field."""
    if field.message_type is None:
        yield str(type(parent)(**{field.name: content}))
    elif _is_map(field.message_type):
        yield from (_entry_text(parent, field, key, content[key]) for key in sorted(content))
    else:
        for each in content if field.is_repeated else [content]:
            yield f"{field.name} {{\n{_indented(_text(each))}}}\n"


def _entry_text(parent: Any, field: Any, key: Any, value: Any) -> str:
    """The text of an entry of a map, which has its key and its value even if they are 0 or empty."""
    if not isinstance(value, message.Message):
        return str(type(parent)(**{field.name: {key: value}}))
    around = str(type(parent)(**{field.name: {key: type(value)()}}))
    return around.replace("  value {\n", f"  value {{\n{_indented(_indented(_text(value)))}")


def _indented(lines: str) -> str:
    return f"{'  ' * bool(lines)}{lines}".replace("\n", "\n  ").removesuffix("  ")


def _with_sorted(text: str, name: str) -> str:
    """The text of a message with the entries of its map `name` sorted; they stand one after another."""
    entries = _entry_of(name).findall(text)
    start = text.index(entries[0])
    return text[:start] + "".join(sorted(entries)) + text[start + sum(map(len, entries)) :]


@functools.cache
def _entry_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"^{name} {{\n(?: .*\n)*}}\n", re.MULTILINE)


def _holds_map(value: Any) -> bool:
    """Whether there are entries of a map somewhere in a message."""
    if not isinstance(value, message.Message):
        return False
    for field in _fields_with_maps(value.DESCRIPTOR):
        content = _content(value, field)
        if content and (_is_map(field.message_type) or any(map(_holds_map, _messages(field, content)))):
            return True
    return False


def _content(value: Any, field: Any) -> Any:
    """What a message has in a field of messages; None for nothing."""
    return getattr(value, field.name) if field.is_repeated or value.HasField(field.name) else None


def _messages(field: Any, content: Any) -> Any:
    """The values of a field, of which those of a map may be no messages."""
    if _is_map(field.message_type):
        return content.values()
    return content if field.is_repeated else (content,)


@functools.cache
def _fields_with_maps(kind: Any) -> list[Any]:
    """The fields of a type of messages that are maps, or may have some inside."""
    return [field for field in kind.fields
            if field.message_type is not None and (_is_map(field.message_type) or _may_hold_map(field.message_type))]


@functools.cache
def _may_hold_map(kind: Any) -> bool:
    """Whether messages of a type have maps, or messages that have some."""
    seen, left = {kind.full_name}, [kind]
    while left:
        inner = {field.message_type.full_name: field.message_type for field in left.pop().fields if field.message_type}
        if any(map(_is_map, inner.values())):
            return True
        left += [inner[name] for name in inner.keys() - seen]
        seen |= inner.keys()
    return False


@functools.cache
def _is_map(kind: Any) -> bool:
    """Whether messages of a type are the entries of a map."""
    return kind.GetOptions().map_entry


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
