"""Compares an array with the one that was wanted."""

import numpy as np

# Enough for two good implementations to differ in the last bits, too little for a different formula.
RTOL = {"bfloat16": 1.6e-2, "float16": 2e-3, "float32": 2e-5, "complex64": 2e-5, "float64": 1e-9, "complex128": 1e-9}


def assert_same(found, wanted, case=None, what="value"):
    """Raises AssertionError unless dtype and shape are equal and the numbers as near as the dtype allows."""
    found = plain(found)
    assert found.dtype == wanted.dtype, f"{what}: dtype is {found.dtype}, wanted {wanted.dtype}"
    assert found.shape == wanted.shape, f"{what}: shape is {found.shape}, wanted {wanted.shape}"
    if wanted.dtype.name not in RTOL:
        assert found.ravel().tolist() == wanted.ravel().tolist(), f"{what} is\n{found}\nwanted\n{wanted}"
        return
    rtol = case.rtol if case is not None and case.rtol is not None else RTOL[wanted.dtype.name]
    atol = case.atol if case is not None and case.atol is not None else rtol / 10
    np.testing.assert_allclose(_wide(found), _wide(wanted), rtol, atol, err_msg=what)


def plain(value):
    """A fetched value as an array without structured types: quantized numbers as integers, text as bytes."""
    value = np.asarray(value)
    if value.dtype.fields:
        return value[value.dtype.names[0]]
    return value.astype(object) if value.dtype.kind in "SU" else value


def _wide(value):
    return value.astype(np.complex128 if value.dtype.kind == "c" else np.float64)
