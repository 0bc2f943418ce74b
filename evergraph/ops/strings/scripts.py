"""Unicode scripts: which characters are Latin, Greek, Han and so on."""
import functools
import pathlib

import numpy as np

UNKNOWN, INVALID = 103, -1
"""ICU's number for code points without a script, and TensorFlow's for what is no code point."""

_TABLE = pathlib.Path(__file__).with_name("unicode_scripts.txt")


@functools.cache
def ranges_by_name():
    """The ranges (first, last) of code points of each script, by name."""
    return {name: ranges for _, name, ranges in _rows()}


def _rows():
    rows = []
    for line in _TABLE.read_text().splitlines():
        if not line.startswith("#"):
            number, name, *spans = line.split()
            bounds = [[int(end, 16) for end in span.split("-")] for span in spans]
            rows.append((int(number), name, [(b[0], b[-1]) for b in bounds]))
    return rows


_BEYOND = 0x110000  # the first number that is no code point


@functools.cache
def _numbers():
    """The script of each code point, and of what is none."""
    numbers = np.full(_BEYOND + 1, UNKNOWN, np.int16)
    for number, _, ranges in _rows():
        for first, last in ranges:
            numbers[first:last + 1] = number
    numbers[_BEYOND] = INVALID
    return numbers


def script_of(codes):
    """ICU's number of the script of each code point."""
    codes = np.asarray(codes, np.int32).view(np.uint32)  # in which negative numbers are large
    return _numbers()[np.minimum(codes, _BEYOND)].astype(np.int32)
