"""Reads and writes TensorFlow's outcomes: tests/goldens/random_graphs.npz, and files like it.

`index` is JSON with a row for each seed, `data` holds the numbers of all arrays end to end, rounded to 34 bits. A row
is [checksum of the program, error] or [checksum, first, last, state]; an array is [dtype, shape, noise], strings follow
in the row, and a fetch that the last run gave as the first did is 0.
"""

import json

import ml_dtypes
import numpy as np

from tests.harness.goldens import FOLDER
from tests.random_graphs.play import Outcome

FILE = FOLDER / "random_graphs.npz"
BITS = 34


def write(outcomes, file=FILE):
    """Stores {seed: (checksum, outcome)}."""
    rows, data = {}, []
    for seed, (checksum, outcome) in sorted(outcomes.items()):
        rows[seed] = [checksum, *packed(outcome, data)]
    index = np.frombuffer(json.dumps(rows, separators=(",", ":")).encode(), np.uint8)
    np.savez_compressed(file, index=index, data=np.array(data, np.float64))


def packed(outcome, data):
    """The outcome as JSON; numbers go to the end of the list `data`."""
    if outcome.error:
        return [outcome.error]
    noise = iter(outcome.noise)
    first = [_row(array, next(noise), data) for array in outcome.first]
    last = [0 if _same(before, array) and next(noise) is not None else _row(array, next(noise), data)
            for before, array in zip(outcome.first, outcome.last)]
    return [first, last, [_row(array, next(noise), data) for array in outcome.state]]


def _same(first, second):
    return first is None and second is None or first is not None and second is not None and (
        first.shape == second.shape and first.tolist() == second.tolist())


def _row(array, noise, data):
    if array is None:
        return None
    head = [_dtype(array), list(array.shape), float(f"{noise:.1e}")]
    if array.dtype.kind in "OSU":
        return [*head, [item.decode("latin-1") for item in array.astype(object).ravel().tolist()]]
    wide = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64).ravel()
    data.extend(_rounded(wide.view(np.float64)))
    return head


def _dtype(array):
    return "string" if array.dtype.kind in "OSU" else array.dtype.name


def _rounded(numbers):
    """Zeros in the last bits compress well."""
    mantissa, exponent = np.frexp(numbers)
    with np.errstate(over="ignore"):
        rounded = np.ldexp(np.round(mantissa * 2.0**BITS), exponent - BITS)
    return np.where(np.isinf(rounded), numbers, rounded).tolist()  # the largest number stays finite


def read(file=FILE):
    """{seed: (checksum, outcome)}; empty when nothing was recorded."""
    if not file.exists():
        return {}
    with np.load(file) as held:
        rows, data = json.loads(held["index"].tobytes()), held["data"]
    found, at = {}, 0
    for seed, (checksum, *parts) in rows.items():
        outcome, at = unpacked(parts, data, at)
        found[int(seed)] = checksum, outcome
    return found


def unpacked(parts, data, at=0):
    """(what was packed, where its numbers end in `data`)."""
    if isinstance(parts[0], str):
        return Outcome(parts[0]), at
    outcome = Outcome()
    for name, rows in zip(("first", "last", "state"), parts):
        for place, row in enumerate(rows):
            if row == 0:
                array, noise = outcome.first[place], outcome.noise[place]
            else:
                array, noise, at = _array(row, data, at)
            getattr(outcome, name).append(array)
            outcome.noise.append(noise)
    return outcome, at


def _array(row, data, at):
    if row is None:
        return None, 0.0, at
    dtype, shape, noise, *texts = row
    size = int(np.prod(shape, dtype=int))
    if texts:
        array = np.empty(size, object)
        array[:] = [item.encode("latin-1") for item in texts[0]]
        return array.reshape(shape), noise, at
    kind = np.dtype(getattr(ml_dtypes, dtype)) if dtype == "bfloat16" else np.dtype(dtype)
    count = 2 * size if kind.kind == "c" else size
    numbers = data[at:at + count]
    wide = numbers.view(np.complex128) if kind.kind == "c" else numbers
    return wide.astype(kind).reshape(shape), noise, at + count
