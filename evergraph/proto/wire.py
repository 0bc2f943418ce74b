"""Messages from their serialized form."""

from typing import TypeVar

M = TypeVar("M")


def from_bytes(data: bytes, message: M) -> M:
    """Fills a message from its serialized form and returns it.

    Raises:
        ValueError: the bytes are no such message.
    """
    from google.protobuf.message import DecodeError  # protobuf loads with the first message, not before

    try:
        message.ParseFromString(data)  # type: ignore[attr-defined]
    except DecodeError as error:
        raise ValueError(f"no serialized {type(message).__name__}: {error}") from None
    return message
