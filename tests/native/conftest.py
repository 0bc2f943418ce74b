"""What tests of the C code find."""

import pytest

from evergraph import native


@pytest.fixture
def without(request, monkeypatch):
    """Runs a function as if there were no C code of the module that a file tests: `test_random.py` tests `random`."""
    def run(function, *args):
        with monkeypatch.context() as patch:
            patch.setattr(native, request.module.__name__.rpartition("test_")[2], None)
            return function(*args)
    return run
