"""CRC-32C: known values, and the two ways to compute it agree."""

import numpy as np
import pytest

from evergraph.formats import checksum


@pytest.mark.parametrize("data, wanted", [(b"", 0), (b"123456789", 0xE3069283), (bytes(32), 0x8A9136AA),
                                          (b"\xff" * 32, 0x62A8AB43), (bytes(range(32)), 0x46DD794E)])
def test_known_values(data, wanted):
    assert checksum.crc32c(data) == checksum.extend_with_numpy(0, data) == wanted


@pytest.mark.parametrize("size", [1, 65535, 65536, 100_003, 1 << 20])
def test_both_ways_agree_and_go_on(size):
    data = np.random.RandomState(size).bytes(size)
    whole = checksum.crc32c(data)
    assert checksum.extend_with_numpy(0, data) == whole
    assert checksum.extend_with_numpy(checksum.crc32c(data[:77]), memoryview(data)[77:]) == whole


def test_masks():
    for crc in (0, 1, 0xE3069283, 0xFFFFFFFF):
        assert checksum.unmask(checksum.mask(crc)) == crc
    assert checksum.masked_crc32c(b"") == 0xA282EAD8
