"""gRPC with our own messages; tests/interop/test_serving.py asks with TensorFlow Serving's."""

import struct
import threading
import time
import zlib
from types import SimpleNamespace

import grpc
import numpy as np
import pytest

import evergraph as tf
from evergraph.base import errors
from evergraph.proto import serving_pb2
from evergraph.serving.batching import Batching
from evergraph.serving.config import Source
from evergraph.serving.grpc_server import HEALTH, Grpc, Head, content_of, escaped
from evergraph.serving.listening import Limits
from evergraph.serving.options import Options
from evergraph.serving.server import Server
from evergraph.serving.workers import serve
from tests.serving.harness import Client, Stub, export, golden, serving

HALF = golden("half_plus_two_cpu", "half")


@pytest.fixture
def asked():
    """`asked(*sources, **options)` gives the stub of a server."""
    stack = []

    def start(*sources, token=None, **options):
        context = serving(*sources, grpc_port=0, token=token, **options)
        server = context.__enter__()
        stub = Stub(server, token)
        stack.append((stub, context))
        return stub, server

    yield start
    for stub, context in stack:
        stub.close()
        context.__exit__(None, None, None)


def test_predict_and_its_errors(asked):
    stub, _ = asked(HALF)
    assert stub.predict("half", x=np.float32([[1], [2]])) == {"y": [[2.5], [3.0]]}
    assert stub.predict("nobody", x=np.float32([[1]])) == "NOT_FOUND"
    assert stub.predict("half", x=np.float32([[1, 2]])) == stub.predict("half") == "INVALID_ARGUMENT"
    request, response = serving_pb2.GetModelStatusRequest(), serving_pb2.GetModelStatusResponse
    assert stub.call("ModelService/GetModelStatus", request, response) == "INVALID_ARGUMENT"
    request.model_spec.name = "half"
    (status,) = stub.call("ModelService/GetModelStatus", request, response).model_version_status
    assert (status.version, status.state) == (123, 30)
    reload, response = serving_pb2.ReloadConfigRequest(metric_names=["a"]), serving_pb2.ReloadConfigResponse
    assert stub.call("ModelService/HandleReloadConfigRequest", reload, response) == "UNIMPLEMENTED"


def test_a_token(asked):
    stub, server = asked(HALF, token="secret")
    assert stub.predict("half", x=np.float32([[1]])) == {"y": [[2.5]]}
    other = Stub(server, "wrong")
    assert other.predict("half", x=np.float32([[1]])) == "UNAUTHENTICATED"
    other.close()


def test_a_unix_socket(tmp_path):
    path = str(tmp_path / "socket")
    with serving(HALF, grpc_path=path, rest_port=None) as server:
        assert server.rest_port is server.grpc_port is None
        stub = Stub(f"unix:{path}")
        assert stub.predict("half", x=np.float32([[1]])) == {"y": [[2.5]]}
        stub.close()
        with pytest.raises(OSError, match="Address already in use"):
            Server(Options([HALF], poll_seconds=0, warms_up=False, rest_port=None, grpc_port=None,
                           grpc_path=path)).run(False)  # fmt: skip
    assert not (tmp_path / "socket").exists()
    with pytest.raises(ValueError, match="grpc_socket_path"):
        serve(Options([HALF], grpc_path=path), 2)


@pytest.mark.parametrize("packing", [grpc.Compression.Gzip, grpc.Compression.Deflate])
def test_messages_that_are_packed(asked, packing):
    _, server = asked(HALF)
    stub = Stub(server, compression=packing)
    value = np.ones((50_000, 1), np.float32)
    assert len(stub.predict("half", x=value)["y"]) == 50_000
    stub.close()


def test_large_messages(asked):
    """They are taken apart in another thread; one that is too large is refused, and the connection goes on."""
    stub, _ = asked(HALF, limits=Limits(body=1_000_000))
    assert len(stub.predict("half", x=np.ones((200_000, 1), np.float32))["y"]) == 200_000
    assert stub.predict("half", x=np.ones((300_000, 1), np.float32)) == "RESOURCE_EXHAUSTED"
    assert stub.predict("half", x=np.zeros((100_000, 2), np.float32)) == "INVALID_ARGUMENT"
    assert stub.predict("half", x=np.float32([[1]])) == {"y": [[2.5]]}


def test_what_is_no_message():
    def refused(body, encoding=b"identity"):
        with pytest.raises(errors.OpError) as error:
            content_of(body, encoding, 100)
        return type(error.value)

    assert content_of(b"\0\0\0\0\2ab", b"gzip", 100) == b"ab"
    assert content_of(b"\1\0\0\0\x0a" + zlib.compress(b"ab"), b"deflate", 100) == b"ab"
    for body in (b"", b"\0\0\0\0", b"\0\0\0\0\3ab", b"\0\0\0\0\1ab", b"\1\0\0\0\2ab"):
        assert refused(body) is errors.InternalError
    assert refused(b"\1\0\0\0\2ab", b"gzip") is errors.InternalError
    assert refused(b"\1\0\0\0\2ab", b"snappy") is errors.UnimplementedError
    bomb = zlib.compress(bytes(101))
    assert refused(b"\1" + struct.pack(">L", len(bomb)) + bomb, b"deflate") is errors.ResourceExhaustedError


def test_what_headers_say():
    grpc_server = Grpc(SimpleNamespace(methods=dict), None, None, lambda: True, 100)

    def head(**changes):
        given = {":method": "POST", ":path": HEALTH, "content-type": "application/grpc", **changes}
        return grpc_server.head([(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()])

    assert head() == Head(HEALTH)
    assert [head(grpc_timeout=each).timeout for each in ("2S", "3M", "1H", "500m", "10u", "20n")] == [
        2, 180, 3600, 0.5, pytest.approx(1e-5), pytest.approx(2e-8)]  # fmt: skip
    for timeout in ("", "5", "S", "-1S", "123456789S", "1.5S"):
        assert head(grpc_timeout=timeout).error.error_code == errors.INVALID_ARGUMENT
    assert head(**{":path": "/nowhere"}).error.error_code == errors.UNIMPLEMENTED
    assert not head(**{":method": "GET"}).is_grpc and not head(content_type="text/plain").is_grpc
    assert head(X="a") is None and head(**{":path": ""}) is None


def test_texts_of_errors_on_the_wire():
    assert escaped("50% of\n\u00fcber") == "50%25 of%0A%C3%BCber"
    assert escaped("a" * 10_000) == "a" * 4096


def waits():
    x = tf.placeholder(tf.float32, [None], name="x")
    queue = tf.FIFOQueue(1, tf.float32, [[]])
    return {"x": x}, {"y": x + queue.dequeue()}


def test_a_deadline_ends_a_request(asked, tmp_path, graph):
    """The model waits for a queue that nobody fills."""
    stub, server = asked(Source("m", export(tmp_path / "1", waits)), timeout=0.5, warms_up=False)
    assert stub.predict("m", timeout=0.2, x=np.float32([1])) == "DEADLINE_EXCEEDED"
    assert stub.predict("m", timeout=None, x=np.float32([1])) == "DEADLINE_EXCEEDED"  # no run takes longer than 0.5 s
    until = time.monotonic() + 30
    while server.core.models.find("m").queues["serving_default"].is_running:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_both_ports_share_runs(asked):
    """Requests over REST and gRPC wait in the same queue, and each gets its own answer."""
    stub, server = asked(HALF, batching=Batching(max_batch_size=8, max_enqueued_batches=100, batch_timeout_micros=500))
    wrong = []

    def over_rest(number):
        client = Client(server)
        for _ in range(40):
            if client.ask("half", instances=[float(number)]) != (200, {"predictions": [number / 2 + 2]}):
                wrong.append(number)
        client.close()

    def over_grpc(number):
        for _ in range(40):
            if stub.predict("half", x=np.float32([[number]])) != {"y": [[number / 2 + 2]]}:
                wrong.append(number)

    threads = [threading.Thread(target=act, args=(number,)) for number, act in enumerate([over_rest, over_grpc] * 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
