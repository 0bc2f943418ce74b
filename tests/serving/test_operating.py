"""Tokens, TLS, limits, logs, refused ops, KServe's protocol, and clients that behave badly."""

import gzip
import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
import zlib

import grpc
import pytest

import evergraph as tf
from evergraph.serving.batching import Batching
from evergraph.serving.config import Source, read_tls
from evergraph.serving.listening import Limits
from evergraph.serving.metrics import Metrics, exposition, summed
from evergraph.serving.options import Options
from evergraph.serving.servable import Loading
from evergraph.serving.server import Server
from tests.serving.harness import Client, Stub, export, golden, serving
from tests.serving.malformed import hostile, hostile_frames, hostile_messages

HALF = golden("half_plus_two_cpu", "half")
ASKED = b'{"instances": [1.0]}'


@pytest.fixture(scope="module")
def server():
    with serving(HALF, limits=Limits(body=1000, head=1000, seconds=0.2, connections=40), grpc_port=0) as server:
        yield server


def raw(server, *parts, ends=True):
    """What a server says to bytes; parts are sent one after another."""
    with socket.create_connection(("127.0.0.1", server.rest_port), timeout=20) as connection:
        for part in parts:
            connection.sendall(part)
        if ends:
            connection.shutdown(socket.SHUT_WR)
        said = b""
        while data := connection.recv(65536):
            said += data
        return said


def post(body=ASKED, headers=b"", path=b"/v1/models/half:predict"):
    return b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n%b\r\n%b" % (path, len(body), headers, body)


# ---- HTTP


def test_requests_one_after_another(server):
    said = raw(server, post() * 200 + post(headers=b"Connection: close\r\n"), ends=False)
    assert said.count(b"HTTP/1.1 200 OK") == said.count(b'{"predictions":[2.5]}') == 201


def test_a_request_in_pieces(server):
    request = post(headers=b"Connection: close\r\n")
    pieces = [request[place : place + 1] for place in range(len(request))]
    assert raw(server, *pieces, ends=False).endswith(b'{"predictions":[2.5]}')
    chunked = b"POST /v1/models/half:predict HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    assert raw(server, chunked, b"8\r\n" + ASKED[:8] + b"\r\n", b"c\r\n" + ASKED[8:] + b"\r\n0\r\n\r\n",
               ends=False).endswith(b'{"predictions":[2.5]}')  # fmt: skip


def test_a_client_that_waits_for_leave_to_send(server):
    said = raw(server, post(headers=b"Expect: 100-continue\r\nConnection: close\r\n"), ends=False)
    assert said.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK")


def test_a_client_that_ends_its_half_of_the_connection():
    """As `nc` does behind what it was given; the answer may take a while."""
    with serving(HALF, batching=Batching(max_batch_size=8, batch_timeout_micros=50_000)) as server:
        assert raw(server, post() * 3).count(b'{"predictions":[2.5]}') == 3
        assert raw(server, post()[:-1]) == b""


def test_a_client_of_http_1_0(server):
    old = post().replace(b"HTTP/1.1", b"HTTP/1.0")
    keeps = old.replace(b"Host: x", b"Connection: keep-alive")
    said = raw(server, keeps + keeps + old, ends=False)
    assert said.count(b"HTTP/1.1 200 OK") == 3
    assert said.count(b"Connection: keep-alive\r\n") == 2 and said.count(b"Connection: close\r\n") == 1


def test_heads_alone(server):
    said = raw(server, b"HEAD /v1/models/half HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", ends=False)
    assert said.startswith(b"HTTP/1.1 200 OK\r\n") and b"Content-Length: 1" in said and said.endswith(b"\r\n\r\n")


WISH = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"


def test_clients_that_wish_for_another_protocol(server):
    """They get HTTP/1.1, whole bodies among it, however their bytes come."""
    sent = post(headers=WISH) * 2000 + post(headers=b"Connection: close\r\n")
    assert raw(server, sent, ends=False).count(b'{"predictions":[2.5]}') == 2001
    request = post(headers=WISH) + post(headers=b"Connection: close\r\n")
    pieces = [request[place : place + 1] for place in range(len(request))]
    assert raw(server, *pieces, ends=False).count(b'{"predictions":[2.5]}') == 2
    assert raw(server, b"GET /v1/models/half HTTP/1.1\r\n" + WISH + b"\r\n").startswith(b"HTTP/1.1 200 OK")
    assert raw(server, b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_names_of_packing(server):
    packed = gzip.compress(ASKED)
    deflated = zlib.compress(ASKED)
    for name, body in ((b"GZIP", packed), (b"x-gzip", packed), (b"Identity", ASKED), (b"deflate", deflated)):
        said = raw(server, post(body, b"Connection: close\r\nContent-Encoding: %b\r\n" % name), ends=False)
        assert said.endswith(b'{"predictions":[2.5]}')


@pytest.mark.parametrize("request_, status", [
    (post(b" " * 1001), 413),
    (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"400\r\n" + b" " * 1024 + b"\r\n", 413),
    (b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nA: " + b"a" * 1100 + b"\r\n\r\n", 431),
    (b"GET /" + b"a" * 1100 + b" HTTP/1.1\r\n\r\n", 431),
    (b"GARBAGE\r\n\r\n", 400),
    (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
])
def test_requests_that_are_refused(server, request_, status):
    assert raw(server, request_, ends=False).startswith(b"HTTP/1.1 %d " % status)


def test_slow_clients(server):
    for started in (b"POST /v1/models/half:predict HTTP/1.1\r\nContent-Le", post()[:-5]):
        assert raw(server, started, ends=False).startswith(b"HTTP/1.1 408 ")


def test_too_many_connections(server):
    held = [socket.create_connection(("127.0.0.1", server.rest_port)) for _ in range(45)]
    said = [connection.recv(20) for connection in held[40:] if connection.settimeout(10) is None]
    for connection in held:
        connection.close()
    assert any(each.startswith(b"HTTP/1.1 503 ") for each in said)


def test_hostile_requests(server):
    """A part of `python -m tests.serving.malformed`, which sends 100,000."""
    assert hostile(server.rest_port, 300, seed=0) == {}
    assert hostile_messages(server.grpc_port, 100, seed=0) == {}
    assert hostile_frames(server.grpc_port, 100, seed=0) == {}
    assert raw(server, post(headers=b"Connection: close\r\n"), ends=False).endswith(b'{"predictions":[2.5]}')


# ---- who may ask


def test_a_token(tmp_path):
    with serving(HALF, token="secret") as server:
        client = Client(server)
        answers = [client.send("POST", "/v1/models/half:predict", ASKED, Authorization=given)[0]
                   for given in ("", "Bearer wrong", "Basic secret", "Bearer secret")]  # fmt: skip
        assert answers == [401, 401, 401, 200]
        assert client.get("/v2/health/ready") == (200, {"ready": True})
        assert client.send("GET", "/monitoring/prometheus/metrics")[0] == 401
        client.close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl to make a certificate")
def test_tls(tmp_path):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", tmp_path / "key", "-out",
                    tmp_path / "cert", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)  # fmt: skip
    key, certificate = (json.dumps((tmp_path / name).read_text()) for name in ("key", "cert"))
    (tmp_path / "config").write_text(f"server_key: {key}\nserver_cert: {certificate}")
    found = read_tls(str(tmp_path / "config"))
    with serving(HALF, grpc_port=0, tls=(found.server_key.encode(), found.server_cert.encode(), None)) as server:
        trusted = ssl.create_default_context(cafile=str(tmp_path / "cert"))
        plain = socket.create_connection(("127.0.0.1", server.rest_port), timeout=20)
        with trusted.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
            connection.sendall(post(headers=b"Connection: close\r\n"))
            said = b""
            while data := connection.recv(65536):
                said += data
        credentials = grpc.ssl_channel_credentials((tmp_path / "cert").read_bytes())
        with grpc.secure_channel(f"127.0.0.1:{server.grpc_port}", credentials) as channel:
            assert channel.unary_unary("/grpc.health.v1.Health/Check")(b"", timeout=30) == b"\x08\x01"
    assert said.endswith(b'{"predictions":[2.5]}')


def test_the_log_of_answers(tmp_path):
    with serving(HALF, access_log=str(tmp_path / "log"), grpc_port=0) as server:
        client, stub = Client(server), Stub(server)
        client.ask("half", instances=[1.0])
        client.get("/nowhere")
        stub.predict("half", x=[1.0])
        stub.predict("nobody", x=[1.0])
        client.close()
        stub.close()
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    lines.sort(key=lambda line: line["method"] == "gRPC")  # the two kinds are answered by different threads
    predict = "/tensorflow.serving.PredictionService/Predict"
    assert [(line["method"], line["path"], line["status"]) for line in lines] == [
        ("POST", "/v1/models/half:predict", 200), ("GET", "/nowhere", 404), ("gRPC", predict, 0), ("gRPC", predict, 5)]
    assert all(0 < line["seconds"] < 10 for line in lines) and lines[2]["bytes"] > 0


# ---- what models may do


def reads_a_file():
    name = tf.placeholder(tf.string, [], name="name")
    return {"file": ({"name": name}, {"y": tf.io.read_file(name)}), "echo": ({"name": name}, {"y": tf.identity(name)})}


def test_a_model_may_not_read_files(tmp_path, graph):
    source = Source("m", export(tmp_path / "1", reads_a_file))
    (tmp_path / "secret").write_text("content")
    for allowed, status in ((False, 403), (True, 200)):
        with serving(source, loading=Loading(allow_outside=allowed)) as server:
            client = Client(server)
            assert client.ask("m", signature_name="file", inputs=str(tmp_path / "secret"))[0] == status
            assert client.ask("m", signature_name="echo", inputs="x") == (200, {"outputs": "x"})
            client.close()


def loops():
    x = tf.placeholder(tf.int64, [], name="x")
    return {"x": x}, {"y": tf.while_loop(lambda i: i < x, lambda i: i + 1, [tf.constant(0, tf.int64)])}


def test_a_request_that_takes_too_long(tmp_path, graph):
    """The loop runs in another thread, and the server answers others meanwhile."""
    source = Source("m", export(tmp_path / "1", loops))
    with serving(source, timeout=0.3) as server:
        client, other = Client(server), Client(server)
        assert client.ask("m", inputs=10) == (200, {"outputs": 10})
        late = []
        thread = threading.Thread(target=lambda: late.append(client.ask("m", inputs=2**60)[0]))
        thread.start()
        assert other.get("/v1/models/m")[0] == 200
        thread.join()
        assert late == [504]
        client.close()
        other.close()
        until = time.monotonic() + 30  # the run itself is ended, too
        while server.core.models.find("m").queues["serving_default"].is_running and time.monotonic() < until:
            time.sleep(0.01)
        assert time.monotonic() < until


def test_a_port_that_is_taken(server):
    for ports in ({"rest_port": server.rest_port}, {"rest_port": None, "grpc_port": server.grpc_port}):
        with pytest.raises(OSError, match=r"^cannot listen at 127\.0\.0\.1:\d+: Address already in use$"):
            Server(Options([HALF], poll_seconds=0, warms_up=False, **{"grpc_port": None, **ports})).run(False)


def test_addresses_that_cannot_be_had():
    for host, port, why in (("127.0.0.1", 70000, "a port is a number up to 65535"), ("192.0.2.1", 0, "annot assign"),
                            ("::2", 0, r"cannot listen at \[::2\]:0"), ("no.invalid", 0, "at no.invalid:0")):
        options = Options([HALF], poll_seconds=0, warms_up=False, host=host, rest_port=port, grpc_port=None)
        with pytest.raises(OSError, match=why):
            Server(options).run(False)


# ---- KServe


def test_kserve():
    with serving(HALF) as server:
        client = Client(server)
        assert client.get("/v2/health/live")[0] == client.get("/v2/health/ready")[0] == 200
        assert client.get("/v2")[1]["name"] == "evergraph"
        assert client.get("/v2/models/half") == (200, {
            "name": "half", "versions": ["123"], "platform": "tensorflow_savedmodel",
            "inputs": [{"name": "x", "datatype": "FP32", "shape": [-1, 1]}],
            "outputs": [{"name": "y", "datatype": "FP32", "shape": [-1, 1]}]})
        assert client.get("/v2/models/half/versions/123/ready")[0] == 200
        given = {"name": "x", "datatype": "FP32", "shape": [2, 1], "data": [1, 2]}
        wanted = [{"name": "y", "datatype": "FP32", "shape": [2, 1], "data": [2.5, 3.0]}]
        assert client.post("/v2/models/half/infer", {"id": "7", "inputs": [given], "outputs": [{"name": "y"}]}) == (
            200, {"id": "7", "model_name": "half", "model_version": "123", "outputs": wanted})
        for change in ({"datatype": "INT32"}, {"shape": [3, 1]}, {"shape": "x"}, {"name": "z"}, {"data": ["a"]},
                       {"shape": [2**40, 2**40]}, {"data": [[1], 2]}):  # fmt: skip
            assert client.post("/v2/models/half/infer", {"inputs": [{**given, **change}]})[0] == 400
        for body in ({}, {"inputs": [1]}, {"inputs": [given, given]}, {"inputs": [given], "outputs": [{"name": "z"}]},
                     {"inputs": [given], "parameters": 1}):  # fmt: skip
            assert client.post("/v2/models/half/infer", body)[0] == 400
        assert client.get("/v2/models/nobody")[0] == client.get("/v2/models/half/infer")[0] == 404
        client.close()


def test_the_pages():
    with serving(HALF) as server:
        client = Client(server)
        status, headers, body = client.send("GET", "/")
        assert status == 200 and headers["Content-Type"].startswith("text/html") and b"evergraph serve" in body
        (model,) = client.get("/catalogue.json")[1]["models"]
        assert model["name"] == "half" and len(model["signatures"]) == 5
        document = client.get("/openapi.json")[1]
        assert document["openapi"].startswith("3.") and "post" in document["paths"]["/v1/models/half:predict"]
        client.close()


# ---- metrics


def test_the_metrics_of_several_processes():
    ours, theirs = Metrics(), Metrics()
    for each in (ours, theirs):
        each.counter("request_count", model_name='a"b', status="OK").add(2)
        each.histogram("request_latency", (1.0, 2.0), model_name="m").add(1.5)
    total = summed([ours.snapshot(), json.loads(json.dumps(theirs.snapshot()))])
    text = exposition(total)
    assert ':tensorflow:serving:request_count{model_name="a\\"b",status="OK"} 4' in text
    assert ':tensorflow:serving:request_latency_sum{model_name="m"} 3' in text
    assert ':tensorflow:serving:request_latency_count{model_name="m"} 2' in text
