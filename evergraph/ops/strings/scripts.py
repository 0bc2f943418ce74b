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


@functools.cache
def _runs():
    """The starts of runs of one script, and the script of each run."""
    spans = sorted((first, last, number) for number, _, ranges in _rows() for first, last in ranges)
    starts, numbers = [0], [UNKNOWN]
    for first, last, number in spans:
        if starts[-1] == first:
            starts.pop(), numbers.pop()
        starts += [first, last + 1]
        numbers += [number, UNKNOWN]
    return np.array(starts), np.array(numbers, np.int32)


def script_of(codes):
    """ICU's number of the script of each code point."""
    starts, numbers = _runs()
    codes = np.asarray(codes, np.int64)
    found = numbers[np.searchsorted(starts, np.clip(codes, 0, None), side="right") - 1]
    return np.where((codes < 0) | (codes > 0x10FFFF), INVALID, found).astype(np.int32)
