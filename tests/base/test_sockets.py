"""Who cannot listen says at which address, and why."""

import socket

import pytest

import evergraph as tf
from evergraph.base.sockets import bound, bound_path, why_not
from evergraph.cluster.links import Doorway


@pytest.fixture
def taken():
    """The number of a port at which another one listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_a_port_that_is_taken(taken):
    why = rf"cannot listen at 127\.0\.0\.1:{taken}: Address already in use"
    with pytest.raises(OSError, match=f"^{why}$"):
        bound("127.0.0.1", taken)
    with pytest.raises(OSError, match=why):
        Doorway("127.0.0.1", taken)
    with pytest.raises(tf.errors.UnknownError, match=f"Could not start a server: {why}"):
        tf.train.Server({"worker": [f"localhost:{taken}"]})


def test_ports_that_no_machine_has():
    with pytest.raises(OSError, match="65535"):
        bound("127.0.0.1", 65536)  # the system would take 0, any that is free
    with pytest.raises(tf.errors.InvalidArgumentError, match="65535"):
        tf.train.Server({"worker": ["localhost:65536"]})


def test_sockets_that_are_free():
    with bound("127.0.0.1", 0) as first:
        first.listen()
        port = first.getsockname()[1]
        assert why_not(f"127.0.0.1:{port}") == f"cannot listen at 127.0.0.1:{port}: Address already in use"
    assert why_not(f"127.0.0.1:{port}") is None
    with bound("127.0.0.1", 0, is_shared=True) as first:
        bound("127.0.0.1", first.getsockname()[1], is_shared=True).close()


def test_a_socket_with_a_path(tmp_path):
    path = str(tmp_path / "socket")
    with bound_path(path) as left:
        left.listen()
        with pytest.raises(OSError, match=f"^cannot listen at unix:{path}: Address already in use$"):
            bound_path(path)
    bound_path(path).close()  # whoever had it is gone
    for wrong, why in ((tmp_path / "none/socket", "No such file"), ("a" * 200, "too long")):
        with pytest.raises(OSError, match=why):
            bound_path(str(wrong))
    (tmp_path / "file").write_text("content")
    with pytest.raises(OSError, match="Address already in use"):
        bound_path(str(tmp_path / "file"))
    assert (tmp_path / "file").read_text() == "content"
