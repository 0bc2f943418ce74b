"""How fast `evergraph serve` answers: `python -m benchmarks.serve [PART OF A NAME ...]`.

A row is a model (MLP, Wide&Deep, CNN) over REST or gRPC with some connections, each of which asks again as soon as it
has its answer. Columns are requests a second, half and 99% of the times that requests took, and the processor time of
the server for one request. The client runs in this process, beside the server: on two cores it takes one of them. It
writes its requests itself, byte by byte, so that it takes less time than the server; "grpcio" is Python's own client,
which takes more.

    --workers N      processes that serve (1)
    --seconds S      for each row (3)
    --wait US        microseconds that a run waits for more requests (1000)
    --threads        what it costs to hand a run to another thread, which `serving/warmup.py` weighs
    --warmup         after how many runs of each size models are compiled, which `serving/warmup.py` waits for

TensorFlow Serving has the same rows where `tensorflow_model_server` is on the PATH.
"""

import argparse
import contextlib
import functools
import json
import os
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import numpy as np

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.formats.tensor_messages import tensor_to_proto
from evergraph.proto import serving_pb2
from evergraph.serving.batching import Batching, Call
from evergraph.serving.config import Source
from evergraph.serving.core import Core
from evergraph.serving.hpack import written
from evergraph.serving.servable import Loading

CONNECTIONS = (1, 16, 64, 256)
BATCHING = """max_batch_size { value: 64 } max_enqueued_batches { value: 1000 } num_batch_threads { value: 1 }
    batch_timeout_micros { value: %d }"""
TICK = os.sysconf("SC_CLK_TCK")

# ---------------------------------------------------------------- models


def mlp():
    x = hidden = tf.placeholder(tf.float32, [None, 16], name="x")
    for _ in range(2):
        hidden = tf.layers.dense(hidden, 32, tf.nn.relu)
    return {"x": x}, {"y": tf.nn.softmax(tf.layers.dense(hidden, 4))}


def wide_and_deep():
    ids = tf.placeholder(tf.int64, [None, 8], name="ids")
    numbers = tf.placeholder(tf.float32, [None, 8], name="numbers")
    rows = tf.nn.embedding_lookup(tf.get_variable("table", [10_000, 16]), ids)
    deep = tf.layers.dense(tf.concat([tf.reshape(rows, [-1, 128]), numbers], 1), 64, tf.nn.relu)
    wide = tf.reduce_sum(tf.nn.embedding_lookup(tf.get_variable("weights", [10_000, 1]), ids), 1)
    return {"ids": ids, "numbers": numbers}, {"y": tf.sigmoid(tf.layers.dense(deep, 1) + wide)}


def cnn():
    x = hidden = tf.placeholder(tf.float32, [None, 28, 28, 1], name="x")
    for filters in (16, 32):
        hidden = tf.layers.max_pooling2d(tf.layers.conv2d(hidden, filters, 3, activation=tf.nn.relu), 2, 2)
    return {"x": x}, {"y": tf.nn.softmax(tf.layers.dense(tf.layers.flatten(hidden), 10))}


MODELS = {"MLP": mlp, "Wide&Deep": wide_and_deep, "CNN": cnn}


def export(path, build):
    with tf.Graph().as_default(), tf.Session() as session:
        inputs, outputs = build()
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, path, inputs, outputs)
        return {name: np.ones([size or 1 for size in tensor.shape.as_list()], tensor.dtype.as_numpy_dtype)
                for name, tensor in inputs.items()}


# ---------------------------------------------------------------- servers


class Server:
    """A server in a process of its own."""

    def __init__(self, words, pattern):
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self._process.stdout:
            if found := re.search(pattern, line):
                self.ports = [int(port) for port in found.groups()]
                break
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def spent(self):
        """The processor time of the server and its workers so far, in seconds."""
        family = [self._process.pid]
        for process in family:
            with open(f"/proc/{process}/task/{process}/children") as file:
                family += map(int, file.read().split())
        return sum(_ticks(process) for process in family) / TICK

    def close(self):
        self._process.terminate()
        self._process.wait()


def _ticks(process):
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def ours(workers, folder, path):
    return Server([sys.executable, "-m", "evergraph", "serve", "--model", f"m={path}", "--port", "0", "--rest-api-port",
                   "0", "--workers", str(workers), "--batching-parameters-file", str(folder / "batching")],
                  r"http://[\d.]+:(\d+) and grpc://[\d.]+:(\d+)")


def theirs(folder, path):
    server = Server(["tensorflow_model_server", "--model_name=m", f"--model_base_path={path}", "--port=18500",
                     "--rest_api_port=18501", "--enable_batching", f"--batching_parameters_file={folder / 'batching'}"],
                    r"(?:Exporting|Running).*:(1850\d)")
    server.ports = [18501, 18500]
    return server


# ---------------------------------------------------------------- clients


def message(inputs):
    """A PredictRequest."""
    found = serving_pb2.PredictRequest()
    found.model_spec.name = "m"
    for name, value in inputs.items():
        found.inputs[name].CopyFrom(tensor_to_proto(value))
    return found.SerializeToString()


PREDICT = "/tensorflow.serving.PredictionService/Predict"


class RestClient:
    """A connection that asks one thing again and again over REST."""

    first = b""

    def __init__(self, inputs):
        body = json.dumps({"inputs": {name: value.tolist() for name, value in inputs.items()}}).encode()
        self._asked = b"POST /v1/models/m:predict HTTP/1.1\r\nHost: m\r\nContent-Length: %d\r\n\r\n%b" % (
            len(body), body)  # fmt: skip

    def request(self):
        return self._asked

    def take(self, said):
        """(whether the answer is there, what to send before the next request)."""
        assert said.startswith(b"HTTP/1.1 200"), said
        return True, b""


def frame(kind, flags, number, content):
    return struct.pack(">HBBBL", len(content) >> 8, len(content) & 0xFF, kind, flags, number) + content


class GrpcClient:
    """The same over gRPC: whole frames of HTTP/2, and headers without a table."""

    first = (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, struct.pack(">HL", 4, 2**31 - 1))
             + frame(8, 0, 0, struct.pack(">L", 2**30)))  # fmt: skip

    def __init__(self, inputs):
        asked = message(inputs)
        self._head = written([(":method", "POST"), (":scheme", "http"), (":path", PREDICT), (":authority", "m"),
                              ("te", "trailers"), ("content-type", "application/grpc")])  # fmt: skip
        self._body, self._number, self._rest = b"\0" + struct.pack(">L", len(asked)) + asked, -1, b""

    def request(self):
        self._number += 2
        return frame(1, 4, self._number, self._head) + frame(0, 1, self._number, self._body)

    def take(self, said):
        self._rest, is_there, answer = self._rest + said, False, b""
        while len(self._rest) >= 9 and len(self._rest) >= 9 + (size := int.from_bytes(self._rest[:3])):
            kind, flags, content = self._rest[3], self._rest[4], self._rest[9 : 9 + size]
            self._rest = self._rest[9 + size :]
            if kind in (4, 6) and not flags & 1:  # settings and pings want an answer
                answer += frame(kind, 1, 0, content if kind == 6 else b"")
            if kind == 1 and flags & 1:
                assert content.endswith(b"grpc-status\x010"), content
                is_there = True
            assert kind not in (3, 7), content
        return is_there, answer


def asked_by(make, port, connections, seconds, inputs):
    """The times that requests took, in seconds: one thread, and connections that ask again once they are answered."""
    times, began, poll = [], {}, select.epoll()
    with contextlib.ExitStack() as stack:
        by_number = {}
        for _ in range(connections):
            each, client = stack.enter_context(socket.create_connection(("127.0.0.1", port))), make(inputs)
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            by_number[each.fileno()] = each, client
            poll.register(each, select.EPOLLIN)
            began[each.fileno()] = time.perf_counter()
            each.sendall(client.first + client.request())
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            for number, _ in poll.poll(1):
                each, client = by_number[number]
                is_there, answer = client.take(each.recv(1 << 16))
                if is_there:
                    now = time.perf_counter()
                    times.append(now - began[number])
                    began[number] = now
                    answer += client.request()
                if answer:
                    each.sendall(answer)
    return times


def asked_by_grpcio(port, connections, seconds, inputs):
    """As `asked_by`, with a thread and a channel for each connection."""
    asked, times = message(inputs), []
    until = time.perf_counter() + seconds

    def ask(_):
        with grpc.insecure_channel(f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)]) as channel:
            call = channel.unary_unary(PREDICT)
            call(asked)  # what connects is not counted
            while (start := time.perf_counter()) < until:
                call(asked)
                times.append(time.perf_counter() - start)

    with ThreadPoolExecutor(connections) as pool:
        list(pool.map(ask, range(connections)))
    return times


CLIENTS = {"rest": (0, functools.partial(asked_by, RestClient)), "grpc": (1, functools.partial(asked_by, GrpcClient)),
           "grpcio": (1, asked_by_grpcio)}
"""Which of the server's ports they ask, and how."""


def rows(kinds, given):
    print(f"{'':44} {'requests/s':>10} {'p50 ms':>8} {'p99 ms':>8} {'us/request':>11}")
    for name, build in MODELS.items():
        for kind, start in kinds.items():
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder)
                inputs = export(str(path / "models/1"), build)
                (path / "batching").write_text(BATCHING % given.wait)
                server = start(path, str(path / "models"))
                for client, (place, ask) in CLIENTS.items():
                    for connections in CONNECTIONS:
                        label = f"{name}, {client}, {connections} connections, {kind}"
                        if all(part.lower() in label.lower() for part in given.parts):
                            row(label, server, ask, server.ports[place], connections, given.seconds, inputs)
                server.close()


def row(label, server, ask, port, connections, seconds, inputs):
    ask(port, connections, seconds / 4, inputs)
    start = server.spent()
    times = np.array(ask(port, connections, seconds, inputs))
    if not times.size:
        print(f"{label:44} no answer in {seconds:g} s", flush=True)
        return
    spent = (server.spent() - start) / len(times)
    half, most = np.percentile(times, [50, 99]) * 1e3
    print(f"{label:44} {len(times) / seconds:10.0f} {half:8.2f} {most:8.2f} {spent * 1e6:11.1f}", flush=True)


# ---------------------------------------------------------------- what the server's numbers come from


def core_of(path, batching=None):
    core = Core([Source("m", path)], Loading(), batching, warms_up=False)
    core.models.update()
    return core, core.models.find("m")


def threads():
    """The processor time of a call that this thread runs, and of one that another thread does."""
    with tempfile.TemporaryDirectory() as folder:
        inputs = export(f"{folder}/1", mlp)
        core, servable = core_of(folder)
        queue, pool = servable.queues["serving_default"], ThreadPoolExecutor(1)

        def here():
            queue.add(Call(list(inputs.values()), queue.signature.output_names, None, lambda call: None))
            queue.drain()

        for name, act in (("in this thread", here), ("in another one", lambda: pool.submit(here).result())):
            spent = []
            for _ in range(10):
                start = time.process_time()
                for _ in range(500):
                    act()
                spent.append((time.process_time() - start) / 500)
            print(f"a run of the MLP {name}: {min(spent) * 1e6:.1f} us")
        pool.shutdown()
        core.close()


def warmup():
    """The run of each size at which a model was compiled."""
    for name, build in MODELS.items():
        with tempfile.TemporaryDirectory() as folder:
            export(f"{folder}/1", build)
            core, servable = core_of(folder)
            signature, found = servable.signatures["serving_default"], {}
            for size in Batching(max_batch_size=64).sizes:
                values = signature.example(size)
                for number in range(1, 101):
                    before = compilations.count
                    signature.run(values, signature.output_names)
                    if compilations.count > before:
                        found[size] = number
            print(f"{name}: compiled at run {found}" if found else f"{name}: never compiled in 100 runs of each size")
            core.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--wait", type=int, default=1000)
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--warmup", action="store_true")
    given = parser.parse_args()
    if given.threads or given.warmup:
        return threads() if given.threads else warmup()
    kinds = {"evergraph": functools.partial(ours, given.workers)}
    if shutil.which("tensorflow_model_server"):
        kinds["TensorFlow"] = theirs
    rows(kinds, given)


if __name__ == "__main__":
    main()
