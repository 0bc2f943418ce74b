"""`evergraph serve`: what it says it would serve, its options, SIGTERM under load, workers that die."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import grpc
import pytest

import evergraph as tf
from evergraph.cli import main
from evergraph.cli.serve import _options, _parser
from evergraph.proto import serving_pb2
from tests.serving.harness import DATA

HALF = str(DATA / "saved_model_half_plus_two_cpu")


def given(*words):
    return _options(_parser().parse_args(list(words)))


def test_words():
    options = given(HALF, "--rest_api_port=8600", "--port", "-1", "--enable-batching", "--grpc_max_threads=3")
    assert [(source.name, source.base_path) for source in options.sources] == [("saved_model_half_plus_two_cpu", HALF)]
    assert (options.rest_port, options.grpc_port, options.threads) == (8600, None, 3) and options.batching is not None
    assert [source.name for source in given("--model", "a=/x", "--model", "b=/y").sources] == ["a", "b"]
    assert given(f"{HALF}/00000123").sources[0].name == "saved_model_half_plus_two_cpu"
    assert given("models/resnet.v2").sources[0].name == "resnet.v2" and given("f.pb").sources[0].name == "f"
    assert given(HALF, "--model_name=m", "--enable_model_warmup=false").sources[0].name == "m"
    assert given("f.pb", "--input", "x=features", "--output", "probabilities").loading.outputs == {
        "probabilities": "probabilities"}


@pytest.mark.parametrize("words", [[], [HALF, "--model_config_file", "x"], ["/y/a", "--model", "a=/x"],
                                   [HALF, "--batching_parameters_file", "/none"], [HALF, "--tls-key", "k"],
                                   [HALF, "--workers", "0"], ["--model", "a=/x", "--model", "a=/y"],
                                   ["--model", "a=/x", "--model_name", "b"]])  # fmt: skip
def test_words_that_make_no_sense(words, capsys):
    assert main(["serve", *words]) == 1
    assert capsys.readouterr().err.startswith("evergraph serve: ")


def test_check(capsys, tmp_path):
    assert main(["serve", "--check", "--model", f"half={HALF}", "--model", f"bad={DATA / 'bad_half_plus_two'}"]) == 1
    said = capsys.readouterr().out
    assert "serving_default\n      input x: float32 (?, 1)\n      output y: float32 (?, 1)" in said
    assert "version 123 cannot be served" in said
    assert main(["serve", "--check", HALF, "--saved_model_tags", "nothing"]) == 1
    (tmp_path / "empty").mkdir()
    assert main(["serve", "--check", str(tmp_path / "empty")]) == 1
    assert "no versions" in capsys.readouterr().out


def test_check_of_a_frozen_graph(capsys, tmp_path, graph):
    x = tf.placeholder(tf.float32, [None], name="features")
    tf.add(x, 1.0, name="more")
    (tmp_path / "frozen.pb").write_bytes(graph.as_graph_def().SerializeToString())
    assert main(["serve", "--check", str(tmp_path / "frozen.pb"), "--input", "x=features", "--output", "y=more"]) == 0
    assert "input x: float32 (?,)" in capsys.readouterr().out


def wait_for(condition):
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


class Served:
    """The command in a process of its own."""

    def __init__(self, *words, grpc_port="-1"):
        environment = {**os.environ, "PYTHONPATH": os.getcwd(), "JAX_PLATFORMS": "cpu"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "evergraph", "serve", *words, "--port", grpc_port, "--rest-api-port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True)  # fmt: skip
        self.port, *others = map(int, re.findall(r"//127.0.0.1:(\d+)", self.process.stdout.readline()))
        self.grpc_port = others[0] if others else None

    def get(self, path):
        """What is said to a connection of its own."""
        own = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        own.request("GET", path)
        said = own.getresponse().read().decode()
        own.close()
        return said

    def ask(self, connection=None):
        """(status, answer, whether the connection goes on)."""
        own = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        own.request("POST", "/v1/models/half:predict", '{"instances": [1.0]}')
        answer = own.getresponse()
        said = answer.status, json.loads(answer.read()), answer.getheader("Connection") != "close"
        if connection is None:
            own.close()
        return said

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, err


def test_sigterm_under_load():
    """Every request that was sent is answered, and the last answer says that it is the last one."""
    served = Served("--model", f"half={HALF}")
    answers, odd = [], []

    def load():
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        try:
            while True:
                answers.append(served.ask(connection))
                if not answers[-1][2]:
                    return connection.close()
        except Exception as error:
            odd.append(error)

    threads = [threading.Thread(target=load) for _ in range(3)]
    for thread in threads:
        thread.start()
    while len(answers) < 50:
        time.sleep(0.01)
    status, err = served.end()
    for thread in threads:
        thread.join()
    assert status == 0 and not odd, (odd, err)
    assert {status for status, _, _ in answers} == {200}


def test_workers_share_metrics_and_configurations():
    served = Served("--model", f"half={HALF}", "--workers", "2", grpc_port="0")
    try:
        assert [served.ask()[0] for _ in range(8)] == [200] * 8
        counted = 'request_count{model_name="half",status="OK"} 8'
        wait_for(lambda: counted in served.get("/monitoring/prometheus/metrics"))
        request = serving_pb2.ReloadConfigRequest()
        request.config.model_config_list.config.add(name="other", base_path=HALF)
        with grpc.insecure_channel(f"127.0.0.1:{served.grpc_port}") as channel:
            channel.unary_unary("/tensorflow.serving.ModelService/HandleReloadConfigRequest")(
                request.SerializeToString(), timeout=60)
        # Each connection goes to one of the workers: thirty of them reach both.
        wait_for(lambda: all("AVAILABLE" in served.get("/v1/models/other") for _ in range(30)))
    finally:
        assert served.end()[0] == 0


def test_workers_that_die_are_replaced():
    served = Served("--model", f"half={HALF}", "--workers", "2")
    listed = Path(f"/proc/{served.process.pid}/task/{served.process.pid}/children")

    def children():
        return set(map(int, listed.read_text().split()))

    try:
        assert served.ask()[:2] == (200, {"predictions": [2.5]})
        first = children()
        assert len(first) == 2
        os.kill(min(first), signal.SIGKILL)
        wait_for(lambda: children() - first)
        assert len(children()) == 2 and len(children() & first) == 1
        assert served.ask()[0] == 200  # the other one serves
    finally:
        status, err = served.end()
    assert status == 0 and "another one begins" in err
