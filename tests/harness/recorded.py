"""What whole programs did in TensorFlow: numbers in `tests/goldens/<file>.npz`, texts in `<file>.json`, by program."""

import json

import numpy as np

from tests.harness.goldens import FOLDER


def numbers(file):
    """The recorded arrays by key."""
    return np.load(FOLDER / f"{file}.npz")


def texts(file):
    """The recorded texts by program."""
    return json.loads((FOLDER / f"{file}.json").read_text())


def keyed(program, values):
    """The values of one program by their keys."""
    return {f"{program}|{number}": value for number, value in enumerate(values)}


def assert_as_recorded(stored, program, values, **tolerance):
    """The values are as many, and have the dtypes, shapes and numbers, as those that were recorded."""
    assert len(values) == sum(key.split("|")[0] == program for key in stored.files)
    for key, value in keyed(program, values).items():
        found, wanted = np.asarray(value), stored[key]
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), key
        np.testing.assert_allclose(found, wanted, err_msg=key, **tolerance)


def write(file, programs):
    """Replaces both files; `programs` gives (values, text) of each program."""
    write_numbers(file, {key: value for program, (values, _) in programs.items()
                         for key, value in keyed(program, values).items()})
    write_texts(file, {program: text for program, (_, text) in programs.items()})


def write_numbers(file, arrays):
    np.savez_compressed(FOLDER / f"{file}.npz", **arrays)


def write_texts(file, texts):
    (FOLDER / f"{file}.json").write_text(as_lines(texts))


def as_lines(table):
    """JSON with a line an entry, so that a difference shows which one changed."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()) + "\n}\n"
