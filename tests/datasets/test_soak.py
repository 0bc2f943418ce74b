"""The short form of `make soak`."""

import os

import pytest

from tests.datasets.soak import draw, open_and_close


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system does not tell the memory of a process")
@pytest.mark.skipif("sanitized" in os.environ.get("EVERGRAPH_NATIVE", ""), reason="checks keep memory that is freed")
def test_memory_stays_flat():
    assert draw(50_000) < 8 * 2**20


def test_sessions_leave_no_thread():
    assert not open_and_close(10)
