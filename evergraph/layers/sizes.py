"""The sizes, paddings and layouts that layers over space take as arguments."""
from __future__ import annotations

from typing import Any

# In docstrings, by the number of spatial dimensions: what a size may be, and the shapes of inputs.
SIZES = {1: "an integer", 2: "an integer, or two for height and width",
         3: "an integer, or three for depth, height and width"}
LAST = {1: "[batch, length, channels]", 2: "[batch, height, width, channels]",
        3: "[batch, depth, height, width, channels]"}
FIRST = {1: "[batch, channels, length]", 2: "[batch, channels, height, width]",
         3: "[batch, channels, depth, height, width]"}


def as_tuple(value: Any, count: int, name: str) -> tuple[int, ...]:
    """One integer for each axis: `value` itself, or the same for all.

    Raises:
        ValueError: it is neither an integer nor so many of them.
    """
    if isinstance(value, int):
        return (value,) * count
    try:
        values = tuple(value)
    except TypeError:
        raise ValueError(f"The `{name}` argument must be a tuple of {count} integers. Received: {value}") from None
    if len(values) != count:
        raise ValueError(f"The `{name}` argument must be a tuple of {count} integers. Received: {value}")
    for each in values:
        try:
            int(each)
        except (TypeError, ValueError):
            raise ValueError(f"The `{name}` argument must be a tuple of {count} integers. Received: {value} including "
                             f"element {each} of type {type(each)}") from None
    return values


def known_format(data_format: Any) -> str:
    """"channels_last", which is the default, or "channels_first".

    Raises:
        ValueError: it is neither.
    """
    found = "channels_last" if data_format is None else data_format.lower()
    if found not in ("channels_first", "channels_last"):
        raise ValueError('data_format must be "channels_first" or "channels_last", got '
                         f"{data_format!r}")
    return found


def known_padding(padding: Any, allowed: tuple[str, ...] = ("valid", "same")) -> str:
    """The padding in lower case.

    Raises:
        ValueError: it is none of those that are allowed.
    """
    found = padding.lower()
    if found not in allowed:
        words = " or ".join(f'"{word}"' for word in allowed)
        raise ValueError(f"The `padding` argument must be one of {words}. Received: {padding}")
    return found


def layout(data_format: str, rank: int) -> str:
    """The layout as ops know it: "channels_last" of rank 4 is "NHWC"."""
    space = {3: "W", 4: "HW", 5: "DHW"}[rank]
    return f"N{space}C" if data_format == "channels_last" else f"NC{space}"


def channel_axis(data_format: str) -> int:
    return -1 if data_format == "channels_last" else 1


def convolved_size(size: int | None, window: int, padding: str, stride: int, dilation: int = 1) -> int | None:
    """The size of an axis after a convolution or pooling along it."""
    if size is None:
        return None
    span = window + (window - 1) * (dilation - 1)
    kept = size - span + 1 if padding == "valid" else size
    return (kept + stride - 1) // stride


def transposed_size(size: int | None, window: int, padding: str, stride: int) -> int | None:
    """The size of an axis after a transposed convolution along it."""
    if size is None:
        return None
    return size * stride if padding == "same" else size * stride + max(window - stride, 0)
