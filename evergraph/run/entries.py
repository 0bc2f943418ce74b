"""Encodes the entries of step stats, thousands at once: what is said of a node once, and each time that it ran."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph import proto
from evergraph.formats.wire import sized, varint

_FIELDS = proto.step_stats_pb2.NodeExecStats.DESCRIPTOR.fields_by_name
_ENTRY = proto.step_stats_pb2.DeviceStepStats.DESCRIPTOR.fields_by_name["node_stats"].number
_SINCE_EPOCH, _LENGTH, _THREAD = 9, 7, 5  # bytes of such a number: its last groups of seven bits may be zeros
_TIMES = {
    "scheduled_micros": _SINCE_EPOCH, "scheduled_nanos": _SINCE_EPOCH, "thread_id": _THREAD,
    "all_start_micros": _SINCE_EPOCH, "all_start_nanos": _SINCE_EPOCH, "op_end_rel_micros": _LENGTH,
    "all_end_rel_micros": _LENGTH, "op_end_rel_nanos": _LENGTH, "all_end_rel_nanos": _LENGTH}
_TAGS = {name: varint(_FIELDS[name].number << 3) for name in _TIMES}
_SHIFTS, _GOES_ON = np.arange(0, 63, 7), np.array([128] * 8 + [0])  # of seven bits, and whether others follow
_SIZE = sum(len(_TAGS[name]) + size for name, size in _TIMES.items())


class Entries:
    """The entries of a device, in order.

    Args:
        device: a DeviceStepStats message, which gets them.
    """

    def __init__(self, device: Any) -> None:
        self.device = device
        self._heads: list[bytes] = []
        self._times: list[tuple[int, int, int, int]] = []

    def add(self, head: bytes, start: int, stop: int, scheduled: int, thread: int) -> None:
        """Adds an entry: what `head_of` returns, times in nanoseconds since the epoch, and the number of a thread."""
        self._heads.append(head)
        self._times.append((start, stop, scheduled, thread))

    def encode(self) -> None:
        """Has the message get the entries."""
        start, stop, scheduled, thread = np.array(self._times, np.int64).reshape(-1, 4).T
        micros, nanos = -((start - stop) // 1000), stop - start
        values = (scheduled // 1000, scheduled, thread, start // 1000, start, micros, micros, nanos, nanos)
        tails = np.empty((len(start), _SIZE), np.uint8)
        at = 0
        for (name, size), numbers in zip(_TIMES.items(), values, strict=True):
            tag = _TAGS[name]
            tails[:, at : at + len(tag)] = np.frombuffer(tag, np.uint8)
            at += len(tag)
            tails[:, at : at + size] = numbers[:, None] >> _SHIFTS[:size] & 127 | _GOES_ON[-size:]
            at += size
        content = tails.tobytes()
        places = range(0, len(content), _SIZE)
        parts = (part for head, at in zip(self._heads, places) for part in (head, content[at : at + _SIZE]))
        self.device.MergeFromString(b"".join(parts))


def head_of(stats: Any) -> bytes:
    """The beginning of an entry: a NodeExecStats message without when it ran, which follows."""
    return sized(_ENTRY, stats.SerializeToString() + bytes(_SIZE))[:-_SIZE]
