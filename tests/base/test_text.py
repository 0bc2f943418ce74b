import datetime
import pathlib

import numpy as np
import pytest

from evergraph.base import compat, text


def test_bytes_and_text():
    assert text.as_bytes("é") == "é".encode() and text.as_bytes("é", "latin-1") == b"\xe9"
    assert text.as_bytes(bytearray(b"ab")) == text.as_bytes(b"ab") == b"ab"
    assert text.as_text(b"a") == text.as_str("a") == "a"
    assert [text.as_str_any(v) for v in (b"x", "y", 3)] == ["x", "y", "3"]
    for convert in text.as_bytes, text.as_text:
        with pytest.raises(TypeError):
            convert(3)
        with pytest.raises(LookupError):
            convert("a", "no-such-encoding")


def test_paths():
    assert [text.path_to_str(p) for p in (pathlib.Path("/a/b"), "x", b"x", 3)] == ["/a/b", "x", b"x", 3]


def test_number_classes():
    assert isinstance(np.int8(1), compat.integral_types) and not isinstance(1.0, compat.integral_types)
    assert isinstance(np.float32(1), compat.real_types) and not isinstance(1j, compat.real_types)
    assert isinstance(1j, compat.complex_types)


def test_forward_compatibility():
    assert compat.forward_compatible(2019, 1, 1) and not compat.forward_compatible(datetime.date.today().year, 1, 1)
    with compat.forward_compatibility_horizon(2018, 1, 1):
        assert compat.forward_compatible(2017, 12, 31) and not compat.forward_compatible(2018, 1, 1)
    assert compat.forward_compatible(2018, 1, 1)
