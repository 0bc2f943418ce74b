"""Entries of step stats, which are encoded many at once."""

import pytest

from evergraph import proto
from evergraph.run.entries import Entries, head_of


@pytest.mark.parametrize("start, stop", [
    (0, 0), (1_700_000_000_123_456_789, 1_700_000_000_123_456_790), (10**18, 10**18 + 86_400 * 10**9),
    (2**62, 2**62 + 2**40 - 1)])
def test_entries_are_what_a_message_says(start, stop):
    message = proto.step_stats_pb2.DeviceStepStats(device="d")
    entries = Entries(message)
    for name in ("a", "b" * 300):
        entries.add(head_of(proto.step_stats_pb2.NodeExecStats(node_name=name)), start, stop, start // 2, 77)
    entries.encode()
    micros = -(-(stop - start) // 1000)
    assert list(message.node_stats) == [proto.step_stats_pb2.NodeExecStats(
        node_name=name, scheduled_micros=start // 2000, scheduled_nanos=start // 2, thread_id=77,
        all_start_micros=start // 1000, all_start_nanos=start, op_end_rel_micros=micros, all_end_rel_micros=micros,
        op_end_rel_nanos=stop - start, all_end_rel_nanos=stop - start) for name in ("a", "b" * 300)]


def test_no_entries():
    message = proto.step_stats_pb2.DeviceStepStats(device="d")
    Entries(message).encode()
    assert message == proto.step_stats_pb2.DeviceStepStats(device="d")
