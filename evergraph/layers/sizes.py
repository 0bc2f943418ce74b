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


def as_tuple(value: Any, n: int, name: str) -> tuple[int, ...]:
    """One integer for each axis: `value` itself, or the same for all.

    Raises:
        ValueError: it is neither an integer nor so many of them.
    """
    if isinstance(value, int):
        return (value,) * n
    try:
        values = tuple(value)
    except TypeError:
        raise ValueError(f"`{name}` takes one integer or {n} of them, not {value}") from None
    if len(values) != n:
        raise ValueError(f"`{name}` takes one integer or {n} of them, not {value}")
    for each in values:
        try:
            int(each)
        except (TypeError, ValueError):
            raise ValueError(f"`{name}` takes one integer or {n} of them, not {value}: "
                             f"{each!r} is a {type(each)}") from None
    return values


def known_format(value: Any) -> str:
    """"channels_last", which is the default, or "channels_first".

    Raises:
        ValueError: it is neither.
    """
    found = "channels_last" if value is None else value.lower()
    if found not in ("channels_first", "channels_last"):
        raise ValueError('data_format must be "channels_first" or "channels_last", got '
                         f"{value!r}")
    return found


def known_padding(value: Any, allowed: tuple[str, ...] = ("valid", "same")) -> str:
    """The padding in lower case.

    Raises:
        ValueError: it is none of those that are allowed.
    """
    found = value.lower()
    if found not in allowed:
        words = " or ".join(f'"{word}"' for word in allowed)
        raise ValueError(f"The `padding` argument must be one of {words}. Received: {value}")
    return found


def layout(data_format: str, ndim: int) -> str:
    """The layout as ops know it: "channels_last" of rank 4 is "NHWC".

    Raises:
        ValueError: there is no such layout.
    """
    if ndim not in (3, 4, 5) or data_format not in ("channels_last", "channels_first"):
        raise ValueError(f"there is no layout {data_format!r} of rank {ndim}")
    space = {3: "W", 4: "HW", 5: "DHW"}[ndim]
    return f"N{space}C" if data_format == "channels_last" else f"NC{space}"


def channel_axis(data_format: str) -> int:
    return -1 if data_format == "channels_last" else 1


def convolved_size(input_length: int | None, filter_size: int, padding: str, stride: int, dilation: int = 1
                   ) -> int | None:
    """The size of an axis after a convolution or pooling along it; `padding` is "valid", "same" or "full"."""
    if input_length is None:
        return None
    reach = (filter_size - 1) * dilation
    kept = input_length + {"valid": -reach, "full": reach}.get(padding, 0)
    return (kept + stride - 1) // stride


def transposed_size(input_length: int | None, filter_size: int, padding: str, stride: int) -> int | None:
    """The size of an axis after a transposed convolution along it; `padding` is "valid", "same" or "full"."""
    if input_length is None:
        return None
    window = int(filter_size)  # it may be a Dimension of a shape
    more = {"valid": max(window - stride, 0), "full": 2 - stride - window}
    return input_length * stride + more.get(padding, 0)
