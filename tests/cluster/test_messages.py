"""Messages between two processes of a machine: small ones through the socket, bulk data in memory that they share."""

import contextlib
import gc
import os
import resource
import socket
import threading

import numpy as np
import pytest

from evergraph.cluster import segments
from evergraph.cluster.links import Gone
from evergraph.cluster.messages import HEAD, MAGIC, Messages
from evergraph.cluster.pipes import Pipes, Reception

BULK = segments.LEAST_BYTES // 4


@pytest.fixture
def ends():
    """Both ends of a Unix socket."""
    with contextlib.ExitStack() as stack:
        links = [stack.enter_context(each) for each in socket.socketpair(socket.AF_UNIX)]
        yield [Messages(link) for link in links]


def sent(ends, array):
    """What comes of an array's bytes at the other end."""
    sending = threading.Thread(target=ends[0].send, args=(0, [memoryview(array)], None))
    sending.start()
    code, left, frame = ends[1].received()
    sending.join()
    assert (code, left) == (0, None)
    return np.frombuffer(frame, array.dtype)


def in_use(end):
    return [each[0] for each in end._outgoing._maps]


@pytest.mark.parametrize("count", [0, 3, BULK, 3 * BULK + 1])
def test_a_message(ends, count):
    array = np.arange(count, dtype=np.float32)
    assert sent(ends, array).tolist() == array.tolist()
    assert len(ends[0]._outgoing._maps) == (count >= BULK)


def test_memory_is_used_again_once_nobody_looks_at_it(ends):
    first = sent(ends, np.full(BULK, 1.0, np.float32))
    view = first[5:7]
    second = sent(ends, np.full(BULK, 2.0, np.float32))
    assert in_use(ends[0]) == [1, 1]
    del first
    third = sent(ends, np.full(BULK, 3.0, np.float32))
    assert view.tolist() == [1.0, 1.0] and second[0] == 2.0 and third[0] == 3.0
    del view, second, third
    gc.collect()
    assert in_use(ends[0]) == [0, 0, 0]
    assert sent(ends, np.full(BULK, 4.0, np.float32))[0] == 4.0
    assert len(ends[0]._outgoing._maps) == 3


def test_what_finds_no_memory_goes_through_the_socket(ends):
    kept = [sent(ends, np.full(BULK, float(n), np.float32)) for n in range(segments.MOST_SEGMENTS + 2)]
    assert [each[0] for each in kept] == [0, 1, 2, 3, 4, 5]
    assert len(ends[0]._outgoing._maps) == segments.MOST_SEGMENTS


def test_other_sizes_take_the_place_of_free_memory(ends):
    for count in (BULK, 20 * BULK, 2 * BULK, 100 * BULK, 500 * BULK, BULK):
        assert sent(ends, np.full(count, 7, np.float32)).sum() == 7 * count
    assert len(ends[0]._outgoing._maps) <= segments.MOST_SEGMENTS


def head(number, length=8):
    return HEAD.pack(MAGIC, 0, length, -1.0, number)


def test_memory_whose_size_may_change_is_refused(ends):
    """The other end could make it smaller while this one reads, which would end this process."""
    file = os.memfd_create("unsealed")
    os.ftruncate(file, 4096)
    socket.send_fds(ends[0].link, [head(0)], [file])
    with pytest.raises(ValueError, match="size may change"):
        ends[1].received()
    os.close(file)


@pytest.mark.parametrize("number, length", [(0, 8), (99, 8), (-7, 8), (0, 1 << 40)])
def test_memory_that_is_not_there(ends, number, length):
    ends[0].link.sendall(head(number, length))
    with pytest.raises(ValueError):
        ends[1].received()


def test_a_frame_that_is_longer_than_its_memory(ends):
    sent(ends, np.zeros(BULK, np.float32))
    ends[0].link.sendall(head(0, 4 * BULK + 1))
    with pytest.raises(ValueError, match="outside"):
        ends[1].received()


def test_the_other_end_closes_in_the_middle(ends):
    ends[0].link.sendall(head(-1, 100) + b"half")
    ends[0].close()
    with pytest.raises(Gone):
        ends[1].received()


@pytest.mark.parametrize("kind", ["unix", "tcp"])
def test_sockets_alone(monkeypatch, kind):
    monkeypatch.setenv("EVERGRAPH_SOCKETS", kind)
    family = socket.AF_UNIX if kind == "unix" else socket.AF_INET
    with contextlib.ExitStack() as stack:
        links = [stack.enter_context(each) for each in socket.socketpair(family)] if kind == "unix" else tcp(stack)
        ends = [Messages(link) for link in links]
        assert sent(ends, np.arange(BULK, dtype=np.int32))[-1] == BULK - 1
        assert ends[0]._outgoing is None


def tcp(stack):
    door = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    one = stack.enter_context(socket.create_connection(door.getsockname()))
    return [one, stack.enter_context(door.accept()[0])]


@pytest.fixture
def many_files():
    """More files than the system's select() knows numbers for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2000:
        pytest.skip("this process may not open 2,000 files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2000), hard))
    held = [os.open(os.devnull, os.O_RDONLY)]
    while held[-1] < 1100:
        held.append(os.dup(held[0]))
    yield
    for each in held:
        os.close(each)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_process_with_many_files(many_files):
    reception = Reception("127.0.0.1", lambda frame, left, stop: [bytes(frame)])
    reception.start()
    pipes = Pipes(f"localhost:{reception.port}", "a task", lambda: None)
    assert bytes(pipes.start([b"word"], 5.0).answer()) == b"word"
    pipes.close()
    reception.stop()
