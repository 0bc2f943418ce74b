"""Messages as text, as TensorFlow writes them to .pbtxt files."""

from typing import Any

from google.protobuf import message, text_format


def to_text(value: Any) -> str:
    """A message in protobuf's text form."""
    return text_format.MessageToString(value)


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
