"""Serves for a while and prints the server's memory by the minute: `python -m tests.serving.soak --minutes 10`.

REST and gRPC requests go on all the time; every few seconds there is a new version, and the oldest is deleted.
"""

import argparse
import itertools
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import grpc

import evergraph as tf
from evergraph.formats.tensor_messages import tensor_to_proto
from evergraph.proto import serving_pb2
from tests.serving.harness import Client, export
from tests.serving.malformed import resident

EVERY = 5.0  # seconds between versions


def model(version):
    def build():
        x = tf.placeholder(tf.float32, [None, 64], name="x")
        return {"x": x}, {"y": tf.layers.dense(x, 256) * float(version)}

    return build


def put(folder, version):
    export(folder / f".{version}", model(version))
    (folder / f".{version}").rename(folder / str(version))


class Load:
    """Clients that ask until they are told to end; `failed` has what went wrong."""

    def __init__(self, server):
        self.answered, self.failed, self._ends = 0, [], threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(act,)) for act in (self._rest, self._grpc)]
        self._server = server
        for thread in self._threads:
            thread.start()

    def _work(self, act):
        try:
            act()
        except Exception as error:
            self.failed.append(error)

    def _rest(self):
        client = Client(self._server)
        while not self._ends.is_set():
            status, _ = client.ask("m", instances=[[1.0] * 64])
            assert status == 200, status
            self.answered += 1

    def _grpc(self):
        request = serving_pb2.PredictRequest()
        request.model_spec.name = "m"
        request.inputs["x"].CopyFrom(tensor_to_proto([[1.0] * 64], tf.float32))
        sent = request.SerializeToString()
        with grpc.insecure_channel(f"127.0.0.1:{self._server.grpc_port}") as channel:
            call = channel.unary_unary("/tensorflow.serving.PredictionService/Predict")
            while not self._ends.is_set():
                call(sent, timeout=60)
                self.answered += 1

    def end(self):
        self._ends.set()
        for thread in self._threads:
            thread.join()


class Ports:
    def __init__(self, rest_port, grpc_port):
        self.rest_port, self.grpc_port = rest_port, grpc_port


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    put(folder, 1)
    process = subprocess.Popen([sys.executable, "-m", "evergraph", "serve", "--model", f"m={folder}", "--port", "0",
                                "--rest-api-port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True)  # fmt: skip
    load = Load(Ports(*map(int, re.findall(r":(\d+)", process.stdout.readline()))))
    began, minute, sizes = time.monotonic(), 0, []
    for version in itertools.count(2):
        time.sleep(EVERY)
        put(folder, version)
        if version > 3:
            shutil.rmtree(folder / str(version - 2))
        passed = (time.monotonic() - began) / 60
        if passed >= minute + 1:
            minute += 1
            sizes.append(resident(process.pid))
            print(f"minute {minute}: {sizes[-1]:.1f} MB, {load.answered} answers, version {version}", flush=True)
        if passed >= given.minutes or load.failed:
            break
    load.end()
    process.terminate()
    status = process.wait()
    print(f"{load.answered} answers, failed: {load.failed}, ended with {status}")
    return 1 if load.failed or status or len(sizes) > 3 and sizes[-1] > 1.1 * sizes[2] else 0


if __name__ == "__main__":
    sys.exit(main())
