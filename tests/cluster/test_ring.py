"""Groups of processes: their sums, and what happens to the others when one differs, ends or stands still."""

import threading

import numpy as np
import pytest

import evergraph as tf
from evergraph.cluster.ring import Group
from tests.cluster.processes import Process, free_addresses


def together(size, work, **options):
    """What `work(group)` gives in each member; members are threads, each with links of its own."""
    addresses, found, errors = free_addresses(size), [None] * size, []
    groups = [Group(rank, addresses, **options) for rank in range(size)]

    def run(rank):
        try:
            found[rank] = work(groups[rank])
        except BaseException as error:
            errors.append(error)
            groups[rank].close()

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for group in groups:
        group.close()
    if errors:
        raise errors[0]
    return found


@pytest.fixture(params=["unix", "tcp"])
def sockets(request, monkeypatch):
    monkeypatch.setenv("EVERGRAPH_SOCKETS", request.param)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("length", [0, 1, 7, 40_000])
def test_sums(sockets, size, length):
    def work(group):
        own = np.arange(length) * (group.rank + 1.0)
        return group.all_reduce([own.astype("f"), np.int64(group.rank), own])

    for single, ranks, double in together(size, work):
        np.testing.assert_allclose(single, np.arange(length) * size * (size + 1) / 2)
        assert ranks == sum(range(size)) and ranks.dtype == np.int64
        assert single.dtype == np.float32 and double.dtype == np.float64


def test_all_members_get_the_same_bits():
    found = together(3, lambda group: group.all_reduce([np.random.RandomState(group.rank).randn(50_001)])[0])
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


@pytest.mark.parametrize("how, value", [("min", 1), ("max", 3), ("product", 6)])
def test_other_combinations(how, value):
    assert together(3, lambda group: group.all_reduce([np.int32(group.rank + 1)], how)[0].item()) == [value] * 3


def test_gathering():
    for found in together(3, lambda group: group.all_gather(np.full((group.rank, 2), group.rank))):
        assert [each.tolist() for each in found] == [[], [[1, 1]], [[2, 2], [2, 2]]]


def test_gathering_strings():
    for found in together(2, lambda group: group.all_gather(np.array([b"", b"x" * group.rank], object))):
        assert [each.tolist() for each in found] == [[b"", b""], [b"", b"x"]]


@pytest.mark.parametrize("root", [0, 1, 2])
def test_broadcasts(root):
    def work(group):
        return group.broadcast([np.arange(200_000.0) * group.rank, np.array([b"%d" % group.rank], object)], root)

    for numbers, text in together(3, work):
        assert numbers[3] == 3 * root and text.tolist() == [b"%d" % root]


def test_members_that_do_different_things():
    with pytest.raises(tf.errors.OpError, match="different things|connection|ended"):
        together(2, lambda group: group.all_reduce([np.zeros(3 + group.rank)]))


def test_a_member_that_does_not_come():
    group = Group(0, free_addresses(2), gathering=0.3)
    try:
        with pytest.raises(tf.errors.DeadlineExceededError, match="rank 1 .localhost:"):
            group.barrier()
    finally:
        group.close()


MEMBER = """
import sys
import numpy as np
from evergraph.cluster.ring import Group

rank, addresses, steps = int(sys.argv[1]), sys.argv[2].split(","), int(sys.argv[3])
group = Group(rank, addresses, silence=1.5)
for step in range(steps):
    print("sum", group.all_reduce([np.ones(20_000)])[0][0], flush=True)
sys.stdin.read()
"""


def member(rank, addresses, steps):
    return Process(["-c", MEMBER, str(rank), ",".join(addresses), str(steps)])


def test_a_member_that_ends_and_comes_back():
    addresses = free_addresses(2)
    group = Group(0, addresses, silence=600)  # nobody waits for that where a connection ends
    try:
        with member(1, addresses, 1) as other:
            assert group.all_reduce([np.ones(20_000)])[0][0] == 2
            other.kill()
            with pytest.raises(tf.errors.UnavailableError, match="rank 1"):
                group.all_reduce([np.ones(20_000)])
        with member(1, addresses, 1):
            assert group.all_reduce([np.ones(20_000)])[0][0] == 2
    finally:
        group.close()


def test_a_member_that_stands_still():
    import signal

    addresses = free_addresses(2)
    group = Group(0, addresses, silence=1.5)
    try:
        with member(1, addresses, 1) as other:
            group.all_reduce([np.ones(20_000)])
            other.popen.send_signal(signal.SIGSTOP)
            with pytest.raises(tf.errors.UnavailableError, match="rank 1 .* no sign of life"):
                group.all_reduce([np.ones(20_000)])
            other.popen.send_signal(signal.SIGCONT)
    finally:
        group.close()


def test_strangers_at_the_door():
    import socket

    addresses = free_addresses(2)
    groups = [Group(rank, addresses) for rank in range(2)]
    strangers = []
    for content in (b"", b"\xff" * 8, b"\x02\0\0\0{}", b"GET / HTTP/1.1\r\n\r\n"):
        stranger = socket.create_connection(("localhost", int(addresses[0].rpartition(":")[2])))
        stranger.sendall(content)
        stranger.shutdown(socket.SHUT_WR)
        strangers.append(stranger)
    found = []
    other = threading.Thread(target=lambda: found.append(groups[1].all_reduce([np.ones(3)])), daemon=True)
    other.start()
    assert groups[0].all_reduce([np.ones(3)])[0].tolist() == [2, 2, 2]
    other.join(30)
    for each in (*groups, *strangers):
        each.close()
