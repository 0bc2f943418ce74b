"""REST as TensorFlow Serving speaks it, on its own test models and on one with an input of every dtype."""

import base64
import gzip
import json

import numpy as np
import pytest
import requests

import evergraph as tf
from evergraph.serving.config import Source
from tests.serving.harness import DATA, Client, export, golden, serving

KINDS = {
    "f": tf.float32, "d": tf.float64, "h": tf.float16, "i": tf.int32, "l": tf.int64, "u": tf.uint8, "b": tf.bool,
    "s": tf.string}  # fmt: skip


def one_of_each():
    """A signature for each dtype that gives back what it gets, one for two inputs, and one with odd outputs."""
    signatures = {}
    for key, dtype in KINDS.items():
        x = tf.placeholder(dtype, None, name=key)
        signatures[key] = {"x": x}, {"y": tf.identity(x)}
    a, b = tf.placeholder(tf.float32, [None], name="a"), tf.placeholder(tf.int32, [None], name="b2")
    signatures["two"] = {"a": a, "b": b}, {"sum": a + tf.cast(b, tf.float32), "b": tf.identity(b)}
    text = tf.placeholder(tf.string, [None], name="text")
    signatures["bytes"] = {"x": text}, {"image_bytes": tf.identity(text)}
    signatures["whole"] = {"x": a}, {"total": tf.reduce_sum(a), "x": tf.identity(a)}
    signatures["complex"] = {"x": tf.placeholder(tf.complex64, [None], name="c")}, {"y": tf.identity(a)}
    return signatures


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    with tf.Graph().as_default():
        echo = export(folder / "echo/7", one_of_each)
    sources = [golden("half_plus_two_cpu", "half"), golden("half_plus_three", "three"), golden("counter"),
               golden("half_plus_two_tf2_cpu", "tf2"), Source("echo", str(folder / "echo")), Source("one", echo),
               Source("default", str(DATA / "saved_model_half_plus_two_cpu")),
               Source("bad", str(DATA / "bad_half_plus_two"))]  # fmt: skip
    with serving(*sources, cors=True) as server:
        yield server


@pytest.fixture
def client(server):
    client = Client(server)
    yield client
    client.close()


# ---- TensorFlow Serving's own models


def test_the_answers_of_its_documentation(client):
    assert client.ask("half", instances=[1.0, 2.0, 5.0]) == (200, {"predictions": [2.5, 3.0, 4.5]})
    assert client.ask("three", instances=[1.0, 2.0, 5.0]) == (200, {"predictions": [3.5, 4.0, 5.5]})
    assert client.ask("half", signature_name="serving_default", instances=[{"x": [1.0]}])[1] == {"predictions": [[2.5]]}
    assert client.ask("half", inputs={"x": [[2.0], [4.0]]}) == (200, {"outputs": [[3.0], [4.0]]})
    assert client.ask("tf2", instances=[2.0]) == (200, {"predictions": [3.0]})


def test_classify_and_regress(client):
    examples = [{"x": 80.0}, {"x": [90.0]}]
    key = {"signature_name": "classify_x_to_y", "examples": examples}
    assert client.ask("half", "classify", **key) == (200, {"results": [[["", 42.0]], [["", 47.0]]]})
    key["signature_name"] = "regress_x_to_y"
    assert client.ask("half", "regress", **key) == (200, {"results": [42.0, 47.0]})
    assert client.ask("half", "regress", signature_name="regress_x_to_y", examples=[{}], context={"x": 2.0}) == (
        200, {"results": [3.0]})


def test_a_counter_counts(client):
    for want in (1.0, 2.0):
        assert client.ask("counter", signature_name="incr_counter", inputs={}) == (200, {"outputs": want})
    assert client.ask("counter", signature_name="incr_counter_by", inputs=3.0) == (200, {"outputs": 5.0})
    assert client.ask("counter", signature_name="reset_counter", inputs={}) == (200, {"outputs": 0.0})


def test_status(client):
    available = [{"version": "123", "state": "AVAILABLE", "status": {"error_code": "OK", "error_message": ""}}]
    for path in ("/v1/models/half", "/v1/models/half/versions/123"):
        assert client.get(path) == (200, {"model_version_status": available})
    status, answer = client.get("/v1/models/bad")
    assert status == 200 and answer["model_version_status"][0]["state"] == "END"
    assert answer["model_version_status"][0]["status"]["error_code"] == "NOT_FOUND"
    assert client.get("/v1/models/half/versions/9")[0] == client.get("/v1/models/none")[0] == 404
    assert client.get("/v1/models")[0] == 400


def test_metadata(client):
    wanted = json.loads((DATA / "half_plus_two_model_metadata.json").read_text())
    assert client.get("/v1/models/default/metadata") == (200, wanted)
    assert client.get("/v1/models/default/versions/123/metadata") == (200, wanted)


# ---- the forms of inputs

B64 = {"b64": base64.b64encode(b"\xff\x00").decode()}
FORMS = [
    # signature, body, answer
    ("f", {"instances": [1, 2.5]}, {"predictions": [1.0, 2.5]}),
    ("f", {"instances": [[1, 2], [3, 4]]}, {"predictions": [[1.0, 2.0], [3.0, 4.0]]}),
    ("f", {"instances": [{"x": 1}, {"x": 2}]}, {"predictions": [1.0, 2.0]}),
    ("f", {"instances": [{"x": [[1]]}, {"x": [[2]]}]}, {"predictions": [[[1.0]], [[2.0]]]}),
    ("f", {"instances": [[]]}, {"predictions": [[]]}),
    ("f", {"inputs": 3}, {"outputs": 3.0}),
    ("f", {"inputs": []}, {"outputs": []}),
    ("f", {"inputs": [[0.1], [0.2]]}, {"outputs": [[0.1], [0.2]]}),
    ("f", {"inputs": {"x": [1e30]}}, {"outputs": [1e30]}),
    ("f", {"inputs": [16777217]}, {"outputs": [16777216.0]}),
    ("d", {"inputs": [0.1, 1e300]}, {"outputs": [0.1, 1e300]}),
    ("h", {"inputs": [0.5]}, {"outputs": [0.5]}),
    ("i", {"instances": [1, -2]}, {"predictions": [1, -2]}),
    ("l", {"inputs": [2**63 - 1]}, {"outputs": [2**63 - 1]}),
    ("u", {"inputs": [[0, 255]]}, {"outputs": [[0, 255]]}),
    ("b", {"instances": [True, False]}, {"predictions": [True, False]}),
    ("s", {"instances": ["a", "ä"]}, {"predictions": ["a", "ä"]}),
    ("s", {"instances": [{"b64": "aGk="}, "x"]}, {"predictions": ["hi", "x"]}),
    ("s", {"instances": [{"x": {"b64": "aGk="}}]}, {"predictions": ["hi"]}),
    ("s", {"inputs": {"b64": "aGk"}}, {"outputs": "hi"}),
    ("s", {"inputs": [["a", "b"], ["c", "d"]]}, {"outputs": [["a", "b"], ["c", "d"]]}),
    ("s", {"inputs": []}, {"outputs": []}),
    ("bytes", {"instances": [B64]}, {"predictions": [B64]}),
    ("two", {"instances": [{"a": 1, "b": 2}, {"a": 3, "b": 4}]},
     {"predictions": [{"b": 2, "sum": 3.0}, {"b": 4, "sum": 7.0}]}),
    ("two", {"inputs": {"a": [1], "b": [2]}}, {"outputs": {"b": [2], "sum": [3.0]}}),
    ("whole", {"inputs": [1, 2]}, {"outputs": {"total": 3.0, "x": [1.0, 2.0]}}),
]  # fmt: skip


@pytest.mark.parametrize("key, body, answer", FORMS, ids=lambda value: json.dumps(value)[:40])
def test_forms(client, key, body, answer):
    assert client.ask("echo", signature_name=key, **body) == (200, answer)


REFUSED = [
    ("f", {"instances": ["1"]}), ("f", {"instances": [True]}), ("f", {"instances": [None]}), ("f", {}),
    ("f", {"instances": [[1], 2]}), ("f", {"instances": [[1], [1, 2]]}),
    ("f", {"instances": []}), ("f", {"instances": {"x": 1}}),
    ("f", {"instances": [1], "inputs": [1]}), ("f", {"instances": [{"y": 1}]}), ("f", {"instances": [{"x": 1}, 2]}),
    ("f", {"instances": [1, {"x": 2}]}), ("f", {"inputs": {"y": 1}}), ("f", {"inputs": {"b64": "aGk="}}),
    ("i", {"inputs": [1.0]}), ("i", {"inputs": [2**31]}), ("u", {"inputs": [-1]}), ("l", {"inputs": [2**63]}),
    ("b", {"inputs": [1]}), ("s", {"inputs": [1]}), ("s", {"inputs": ["a", ["b"]]}), ("s", {"inputs": [{"b64": "*"}]}),
    ("s", {"inputs": [{"b64": "a", "c": "d"}]}), ("two", {"instances": [1]}), ("two", {"inputs": [1]}),
    ("two", {"inputs": {"a": [1, 2], "b": [1, 2, 3]}}), ("whole", {"instances": [1]}), ("none", {"instances": [1]}),
    (1, {"instances": [1]}),
]  # fmt: skip


@pytest.mark.parametrize("key, body", REFUSED, ids=lambda value: json.dumps(value)[:40])
def test_what_makes_no_sense_is_a_bad_request(client, key, body):
    status, answer = client.ask("echo", signature_name=key, **body)
    assert status == 400 and list(answer) == ["error"]


def test_numbers_that_are_none(client):
    body = '{"signature_name": "f", "instances": [NaN, Infinity, -Infinity, 0.1]}'
    status, _, text = client.send("POST", "/v1/models/echo:predict", body)
    assert status == 200 and text == b'{"predictions":[NaN,Infinity,-Infinity,0.1]}'


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"\xff", b"NaN", b"[" * 100_000, b'{"instances": [NaN'])
def test_what_is_no_json_object(client, body):
    assert client.post("/v1/models/echo:predict", body)[0] == 400


def test_codes(client):
    assert client.ask("nobody", instances=[1])[0] == client.ask("bad", instances=[1])[0] == 404
    assert client.ask("half/versions/7", instances=[1])[0] == 404
    assert client.ask("half/versions/" + "9" * 30, instances=[1])[0] == 400
    assert client.ask("half/labels/stable", instances=[1])[0] == 400
    assert client.ask("echo", signature_name="complex", instances=[1])[0] == 501
    assert client.ask("half", "divide", instances=[1])[0] == 400
    assert client.get("/v2/nowhere")[0] == client.get("/nowhere")[0] == 404
    assert client.ask("half", "classify", examples=[{"x": 1.0}])[0] == 400  # of another form


@pytest.mark.parametrize("examples", [[], [1], {"x": 1}, [{"x": [1, "a"]}], [{"x": None}], [{"x": {"c": 1}}],
                                      [{"x": 2**63}], [{"x": [[1.0]]}]], ids=str)
def test_examples_that_are_none(client, examples):
    assert client.ask("half", "regress", signature_name="regress_x_to_y", examples=examples)[0] == 400


def test_a_model_that_is_no_directory_of_versions(client):
    assert client.ask("one/versions/7", signature_name="f", instances=[1]) == (200, {"predictions": [1.0]})


# ---- HTTP


def test_packed_bodies(client):
    body = gzip.compress(b'{"instances": [1.0]}')
    assert client.send("POST", "/v1/models/half:predict", body, Content_Encoding="gzip")[::2] == (
        200, b'{"predictions":[2.5]}')
    for odd, encoding in ((body[:-9], "gzip"), (b"{}", "gzip"), (b"{}", "br")):
        assert client.send("POST", "/v1/models/half:predict", odd, Content_Encoding=encoding)[0] in (400, 415)
        client.close()
    many = json.dumps({"signature_name": "f", "instances": [0.5] * 10_000})
    status, headers, text = client.send("POST", "/v1/models/echo:predict", many, Accept_Encoding="gzip")
    assert status == 200 and headers["Content-Encoding"] == "gzip"
    assert np.array(json.loads(gzip.decompress(text))["predictions"]).sum() == 5_000
    for accepted, is_packed in (("br, GZIP;q=0.5", True), ("x-gzip ; q=1.0", True), ("gzip;q=0", False),
                                ("gzip; q=0.000, br", False), ("notgzip", False)):  # fmt: skip
        _, headers, _ = client.send("POST", "/v1/models/echo:predict", many, Accept_Encoding=accepted)
        assert ("Content-Encoding" in headers) == is_packed


def test_pages_of_other_sites(client):
    status, headers, _ = client.send("OPTIONS", "/v1/models/half:predict", Origin="https://example.org")
    assert status == 200 and headers["Access-Control-Allow-Origin"] == "*"


def test_the_library_requests(server):
    """Its headers are those that most clients send: it takes packed answers, and keeps connections."""
    address = f"http://127.0.0.1:{server.rest_port}/v1/models"
    with requests.Session() as session:
        said = session.post(f"{address}/half:predict", json={"instances": [1.0, 2.0, 5.0]}, timeout=60)
        assert (said.status_code, said.json()) == (200, {"predictions": [2.5, 3.0, 4.5]})
        asked = {"signature_name": "f", "instances": [0.5] * 9000}
        many = session.post(f"{address}/echo:predict", json=asked, timeout=60)
        assert many.headers["Content-Encoding"] == "gzip" and many.json() == {"predictions": [0.5] * 9000}
        assert session.get(f"{address}/none", timeout=60).status_code == 404


def test_names_are_unquoted(client):
    assert client.ask("%68alf", instances=[1.0]) == (200, {"predictions": [2.5]})
