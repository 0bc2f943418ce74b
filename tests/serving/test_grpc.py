"""gRPC with our own messages; tests/interop/test_serving.py asks with TensorFlow Serving's."""

import threading
import time

import numpy as np
import pytest

import evergraph as tf
from evergraph.proto import serving_pb2
from evergraph.serving.batching import Batching
from evergraph.serving.config import Source
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
