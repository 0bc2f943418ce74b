"""Hashes that do not depend on what is installed."""

import pytest

from evergraph.ops.strings import hashing

farmhash = pytest.importorskip("farmhash")  # has no wheels for the newest Pythons


@pytest.mark.parametrize("size", [*range(70), 96, 127, 128, 129, 191, 192, 193, 1000])
def test_fingerprints_in_python_are_farmhash(size):
    data = bytes((7 * i + size) % 256 for i in range(size))
    assert hashing.farm64(data) == farmhash.fingerprint64(data)


def test_without_farmhash_python_computes(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "farmhash", None)
    hashing._farmhash.cache_clear()
    try:
        assert hashing._farmhash() is hashing.farm64
        assert hashing.fingerprint64(b"hello") == farmhash.fingerprint64(b"hello")
    finally:
        hashing._farmhash.cache_clear()


def test_siphash_of_its_paper():
    # The example of the SipHash paper, appendix A.
    key = int.from_bytes(bytes(range(8)), "little"), int.from_bytes(bytes(range(8, 16)), "little")
    assert hashing.siphash(key, bytes(range(15))) == 0xA129CA6149BE45E5
