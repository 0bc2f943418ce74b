"""Bytes turned in messages to a server: an answer or an error for each, and the server goes on.

As many as EVERGRAPH_FUZZ says, else a few.
"""

import contextlib
import os
import random
import socket

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import errors
from evergraph.cluster import calls, frames, links, messages
from tests.cluster.processes import Process, free_addresses

COUNT = int(os.environ.get("EVERGRAPH_FUZZ", 400))
EACH = 200  # messages that are damaged of one conversation
SECONDS = 20  # that a server has for an answer

BOUNDED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))  # an error for who asks for more
import evergraph as tf

server = tf.train.Server({"ps": [sys.argv[1]], "worker": [sys.argv[2]]}, "ps", 0)
print("up", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def recorded(monkeypatch):
    """A list that gets the method and the bytes of each request meanwhile."""
    found, start = [], calls.Caller.start

    def recording(self, method, request, timeout=None, waits=False):
        found.append((method, request))
        return start(self, method, request, timeout, waits)

    with monkeypatch.context() as patch:
        patch.setattr(calls.Caller, "start", recording)
        yield found


def converse(target, worker):
    """Uses a server as a client and as a master do."""
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 2])
        with tf.device("/job:ps/task:0"):
            v = tf.get_variable("v", initializer=[[1.0], [2.0]])
        loss = tf.reduce_sum(tf.matmul(x, v))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        words = tf.strings.join([tf.constant("a"), tf.placeholder_with_default("b", [])])
        for session in (tf.Session(target), tf.Session(worker)):
            session.run(v.initializer)
            session.run([train, loss], {x: np.ones([3, 2])}, options=tf.RunOptions(trace_level=1),
                        run_metadata=tf.RunMetadata())
            session.run(words)
            session.list_devices()
            yield session


def damaged(request, rng):
    changed = bytearray(request)
    for _ in range(rng.choice([1, 1, 2, 8])):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed[:rng.randrange(len(changed) + 1)] if rng.random() < 0.1 else changed)


def test_turned_bytes(monkeypatch):
    rng, (address, own) = random.Random(0), free_addresses(2)
    outcomes = {"answered": 0}
    with Process(["-c", BOUNDED, address, own]) as server:
        server.wait_for("up")
        worker = tf.train.Server({"ps": [address], "worker": [own]}, "worker", 0)
        caller = calls.Caller(address, "the server")
        for _ in range(-(-COUNT // EACH)):
            with recorded(monkeypatch) as requests:
                sessions = list(converse(f"grpc://{address}", worker.target))
            for _ in range(EACH):
                method, request = rng.choice(requests)
                try:
                    caller.call(method, damaged(request, rng), timeout=SECONDS)
                    outcomes["answered"] += 1
                except errors.OpError as error:
                    outcomes[type(error).__name__] = outcomes.get(type(error).__name__, 0) + 1
            for session in sessions:
                session.close()
        assert server.popen.poll() is None, server.text
        with tf.Session(f"grpc://{address}") as session:
            assert session.run(tf.constant(2.0) * 3.0) == 6.0
        caller.close()
    print(outcomes)
    assert not outcomes.keys() & {"UnavailableError", "DeadlineExceededError"}, outcomes
    assert outcomes["answered"] and sum(outcomes.values()) >= COUNT


def test_turned_bytes_in_steps():
    """What goes over the links for steps: the server closes a link, or answers, and goes on."""
    rng, (address, own) = random.Random(2), free_addresses(2)
    found, send = [], messages.Messages.send

    def recording(self, code, parts, left):
        found.append(b"".join(bytes(part) for part in parts))
        send(self, code, parts, left)

    with Process(["-c", BOUNDED, address, own]) as server, pytest.MonkeyPatch.context() as patch:
        server.wait_for("up")
        worker = tf.train.Server({"ps": [address], "worker": [own]}, "worker", 0)
        patch.setattr(messages.Messages, "send", recording)
        sessions = list(converse(f"grpc://{address}", worker.target))
        peer = worker._task.beyond.peer(address)
        for _ in range(COUNT):
            with contextlib.closing(links.opened(peer._pipes.address, {})) as link:
                link.settimeout(SECONDS)
                frame = rng.choice(found)
                head = messages.HEAD.pack(messages.MAGIC, 0, len(frame), -1.0, rng.choice([-1, -1, -1, 0, 7]))
                content = head + damaged(frame, rng) if rng.random() < 0.7 else damaged(head + frame, rng)
                with contextlib.suppress(ConnectionError):  # it is closed already
                    link.sendall(content)
                    link.shutdown(socket.SHUT_WR)
                    while link.recv(1 << 16):
                        continue
        assert server.popen.poll() is None, server.text
        for session in sessions:
            session.close()
        with tf.Session(worker.target) as session, tf.device("/job:ps/task:0"):
            assert session.run(tf.Variable(6.0).initializer) is None


@pytest.mark.parametrize("array", [np.zeros([2, 3], np.float32), np.array([b"abc", b""], object), np.array(True)])
def test_frames(array):
    frame = frames.packed({"a": 1}, [array])
    fields, (found,) = frames.unpacked(frame)
    assert fields == {"a": 1} and found.dtype == array.dtype and found.tolist() == array.tolist()
    rng = random.Random(1)
    for _ in range(COUNT):
        try:
            frames.unpacked(damaged(frame, rng))
        except errors.DataLossError:
            continue


def test_what_cannot_travel():
    for value in (object(), np.array([object()])):
        with pytest.raises(errors.UnimplementedError, match="another task"):
            frames.packed({}, [value])
