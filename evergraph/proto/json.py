"""Messages from JSON."""

from typing import TypeVar

M = TypeVar("M")


def from_json(text: bytes | str, message: M) -> M:
    """Fills a message from its JSON form and returns it.

    Raises:
        ValueError: the text is no JSON, or not that of such a message.
    """
    from google.protobuf import json_format  # protobuf loads with the first message, not before

    try:
        json_format.Parse(text, message)  # type: ignore[type-var]
    except (json_format.ParseError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from None
    return message
