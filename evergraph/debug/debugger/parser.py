"""Takes the commands of the debugger apart: words, slices of tensors, intervals, sizes and times."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

_QUOTES = re.compile(r"""(\[[^\]]*\]|"[^"]*"|'[^']*'|`[^`]*`|[^\s"'\[]+)+""")
_LIMIT = re.compile(r"=?[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?(us|ms|s|k|M|G|T)?B?")
_SLICE = re.compile(r"\[(?P<parts>[\d\s,:\-\.]+)\]")
_INTERVAL = re.compile(r"(?P<open>[\[(])(?P<low>[^,]*),(?P<high>[^\])]*)(?P<close>[\])])")
_BOUND = re.compile(r"(?P<relation>>=|<=|>|<)(?P<value>.+)")
_SIZES = {"T": 1 << 40, "G": 1 << 30, "M": 1 << 20, "k": 1 << 10, "": 1}


class Interval:
    """An interval of numbers."""

    def __init__(self, start: Any, start_included: bool, end: Any, end_included: bool) -> None:
        self.start, self.start_included, self.end, self.end_included = start, start_included, end, end_included

    def contains(self, value: Any) -> bool:
        """Whether a number is in it."""
        return not (value < self.start or value == self.start and not self.start_included
                    or value > self.end or value == self.end and not self.end_included)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interval) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


def parse_command(command: str) -> list[str]:
    """The words of a command. What is in brackets belongs to the word before it; quotes are removed."""
    words = []
    for found in _QUOTES.finditer(command.strip()):
        word = found.group()
        words.append(word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word)
    return words


def extract_output_file_path(args: list[str]) -> tuple[list[str], str | None]:
    """(the words, the file) of a command whose answer is redirected by `> file`.

    What follows a flag and looks like an interval, such as `-e >2ms`, is one.

    Raises:
        SyntaxError: there is a sign without a file.
    """
    if not args:
        return args, None
    if args[-1].endswith(">"):
        raise SyntaxError("Redirect file path is empty")
    before, sign, path = args[-1].partition(">")
    if sign:
        is_flagged = before.startswith("-") if before else len(args) > 1 and args[-2].startswith("-")
        if is_flagged and _LIMIT.fullmatch(path):
            return args, None
        return [*args[:-1], before] if before else args[:-1], path
    if len(args) > 1 and args[-2].endswith(">"):
        word = args[-2][:-1]
        return [*args[:-2], word] if word else args[:-2], args[-1]
    return args, None


def parse_tensor_name_with_slicing(in_str: str) -> tuple[str, str]:
    """("a:0", "[1, :]") of "a:0[1, :]"."""
    if in_str.count("[") == 1 and in_str.endswith("]"):
        name, _, rest = in_str.partition("[")
        return name, f"[{rest}"
    return in_str, ""


def validate_slicing_string(slicing_string: str) -> bool:
    """Whether it is a slice such as [1, :, 2:]."""
    return bool(_SLICE.fullmatch(slicing_string)) or bool(re.fullmatch(r"\[(\d|,|\s|:|-)+\]", slicing_string))


def evaluate_tensor_slice(tensor: Any, tensor_slicing: str) -> Any:
    """A slice of an array.

    Raises:
        ValueError: it is no slice.
    """
    if not validate_slicing_string(tensor_slicing):
        raise ValueError("Invalid tensor-slicing string.")
    parts = [part.strip() for part in tensor_slicing[1:-1].split(",")]
    return tensor[tuple(_index(part) for part in parts if part)]


def _index(part: str) -> Any:
    if part == "...":
        return Ellipsis
    if ":" not in part:
        return int(part)
    return slice(*(int(number) if number.strip() else None for number in part.split(":")))


def parse_indices(indices_string: str) -> list[int]:
    """The numbers of "[1, 2]"; the brackets may be left out."""
    text = indices_string.strip()
    return [int(number) for number in (text[1:-1] if text[:1] + text[-1:] == "[]" else text).split(",")]


def parse_ranges(range_string: str) -> list[list[float]]:
    """The ranges of "0,1", "[0, 1]" or "[[-inf, -1], [1, inf]]".

    Raises:
        SyntaxError, ValueError: it is no such text.
    """
    text = range_string.strip()
    if not text:
        return []
    quoted = re.sub(r"[+-]?(inf|nan)\b", lambda found: f"'{found.group()}'", text)
    found = ast.literal_eval(quoted)
    found = list(found) if isinstance(found, (list, tuple)) else [found]
    ranges = found if found and isinstance(found[0], (list, tuple)) else [found]
    if any(len(each) != 2 for each in ranges):
        raise ValueError("Incorrect number of elements in range")
    try:
        numbers = [[float(end) for end in each] for each in ranges]
    except (TypeError, ValueError) as error:
        raise ValueError(f"Incorrect type in {range_string}") from error
    return numbers


def parse_memory_interval(interval_str: str) -> Interval:
    """An interval of bytes: "[0, 1k)", ">=2M".

    Raises:
        ValueError: it is none, or ends before it begins.
    """
    return _ordered(_parsed_interval(interval_str), parse_readable_size_str)


def parse_time_interval(interval_str: str) -> Interval:
    """An interval of microseconds: "[1us, 2ms]", "<3s".

    Raises:
        ValueError: it is none, or ends before it begins.
    """
    return _ordered(_parsed_interval(interval_str), parse_readable_time_str)


def _ordered(found: tuple[str, bool, str, bool, Sequence[str]], read: Any) -> Interval:
    low, has_low, high, has_high, places = found
    ends = []
    for text, place, otherwise in zip((low, high), places, (0, float("inf")), strict=True):
        try:
            ends.append(read(text) if text else otherwise)
        except ValueError as error:
            raise ValueError(f"{place} {text}: {error}") from error
    if ends[1] < ends[0]:
        raise ValueError(f"Invalid interval: {low} comes after {high}")
    return Interval(ends[0], has_low, ends[1], has_high)


def _parsed_interval(text: str) -> tuple[str, bool, str, bool, Sequence[str]]:
    text = text.strip()
    bound = _BOUND.fullmatch(text)
    if bound:
        is_low, includes = bound["relation"][0] == ">", bound["relation"].endswith("=")
        value, place = bound["value"].strip(), f"Invalid value string after {bound['relation']}"
        return (*((value, includes, "", False) if is_low else ("", False, value, includes)), (place, place))
    found = _INTERVAL.fullmatch(text)
    if found is None:
        raise ValueError(f"Invalid interval format: {text}, which is none such as [1, 2], (1, 2), <2 or >1")
    return (found["low"].strip(), found["open"] == "[", found["high"].strip(), found["close"] == "]",
            ("Invalid first item in interval:", "Invalid second item in interval:"))


def parse_readable_size_str(size_str: str) -> int:
    """The bytes of "12", "1.5k", "2MB".

    Raises:
        ValueError: it is no size.
    """
    text = size_str.strip().removesuffix("B")
    unit = text[-1:] if text[-1:] in ("T", "G", "M", "k") else ""
    return int(float(text[:-1] if unit else text) * _SIZES[unit])


def parse_readable_time_str(time_str: str) -> int:
    """The microseconds of "12", "3us", "1.5ms", "2s".

    Raises:
        ValueError: it is no time, or a negative one.
    """
    text = time_str.strip()
    for unit, micros in (("us", 1), ("ms", 1000), ("s", 1_000_000)):
        if text.endswith(unit):
            text, factor = text[:-len(unit)].strip(), micros
            break
    else:
        factor = 1
    value = float(text)
    if value < 0:
        raise ValueError(f"Invalid time {time_str}. Time value must be positive.")
    return round(value * factor)


def get_print_tensor_argparser(description: str) -> argparse.ArgumentParser:
    """The parser of commands that print a tensor."""
    parser = argparse.ArgumentParser(description=description, usage=argparse.SUPPRESS)
    parser.add_argument("tensor_name", type=str, help="Name of the tensor, followed by any slicing indices, "
                        "e.g., hidden1/Wx_plus_b/MatMul:0, hidden1/Wx_plus_b/MatMul:0[1, :]")
    parser.add_argument("-n", "--number", dest="number", type=int, default=-1,
                        help="0-based dump number for the specified tensor. Required for tensor with multiple dumps.")
    parser.add_argument("-r", "--ranges", dest="ranges", type=str, default="",
                        help="Numerical ranges to highlight tensor elements in. Examples: -r 0,1e-8, -r [-0.1,0.1], "
                        '-r "[[-inf, -0.1], [0.1, inf]]"')
    parser.add_argument("-a", "--all", dest="print_all", action="store_true",
                        help="Print the tensor in its entirety, i.e., do not use ellipses.")
    parser.add_argument("-s", "--numeric_summary", action="store_true", help="Include summary for non-empty tensors of "
                        "numeric (int*, float*, complex*) and Boolean types.")
    parser.add_argument("-w", "--write_path", type=str, default="", help="Path of the numpy file to write the tensor "
                        "data to, using numpy.save().")
    return parser


def in_ranges(ranges: list[list[float]]) -> Any:
    """A function that says which elements of an array are in ranges."""
    return lambda array: np.any([(array >= low) & (array <= high) for low, high in ranges], axis=0)
