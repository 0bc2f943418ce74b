"""Sends a server what it should not get: `python -m tests.serving.malformed` sends 100,000 requests.

Each is a sound request that was changed: bytes turned, cut out, doubled or put in, headers that lie, bodies of other
shapes; a tenth are messages to gRPC's methods, and a tenth HTTP/2 that was changed. The server has to answer each with
a status, or close the connection, and to stay as large as it is.
"""

import argparse
import os
import random
import re
import socket
import struct
import subprocess
import sys

import grpc

from evergraph.formats.tensor_messages import tensor_to_proto
from evergraph.proto import serving_pb2
from evergraph.serving.hpack import written
from evergraph.serving.http2 import PREFACE

BODIES = [
    b'{"instances": [1.0, 2.0]}',
    b'{"inputs": {"x": [[1.0]]}}',
    b'{"signature_name": "regress_x_to_y", "examples": [{"x": 1}]}',
    b'{"instances": [' + b"[" * 2000,
    b'{"instances": [1e999, -1e999, NaN]}',
    b'{"instances": {"b64": "////"}}',
    b"\xff\xfe{}",
    b'{"id": "1", "inputs": [{"name": "x", "shape": [1, 1], "datatype": "FP32", "data": [1]}]}',
    b'{"instances": ["\\ud800"]}',
    b'{"instances": [' + b"9" * 5000 + b"]}",
]
PATHS = [
    b"/v1/models/half:predict", b"/v1/models/half:regress", b"/v2/models/half/infer", b"/v1/models/half/metadata",
    b"/v1/models/%ff%00:predict", b"/", b"/v1/models/half/versions/99999999999999999999:predict",
]  # fmt: skip
HEADERS = [
    b"Content-Encoding: gzip\r\n", b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n", b"A: \xff\r\n",
    b"Content-Length: 5\r\n", b"Authorization: Bearer \xff\r\n", b"Connection: upgrade\r\nUpgrade: h2c\r\n", b"",
]  # fmt: skip
STATUSES = {200, 400, 401, 403, 404, 408, 413, 415, 429, 431, 501, 503}


def changed(random_, data):
    """Some bytes turned, cut out, doubled or put in."""
    data = bytearray(data)
    for _ in range(random_.choice([0, 1, 1, 2, 8])):
        at = random_.randrange(len(data) + 1)
        match random_.randrange(4):
            case 0:
                data[at : at + 1] = random_.randbytes(1)
            case 1:
                del data[at : at + random_.randrange(1, 20)]
            case 2:
                data[at:at] = data[at : at + random_.randrange(1, 20)]
            case 3:
                data[at:at] = random_.randbytes(random_.randrange(1, 20))
    return bytes(data)


def request(random_):
    body = changed(random_, random_.choice(BODIES))
    head = b"%b %b HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n%b\r\n" % (
        random_.choice([b"POST", b"POST", b"GET", b"PUT", b"OPTIONS"]), random_.choice(PATHS),
        random_.choice([len(body)] * 6 + [0, len(body) + 3]), random_.choice(HEADERS))  # fmt: skip
    return (head if random_.random() < 0.7 else changed(random_, head)) + body


def hostile(port, count, seed):
    """Sends requests; returns those with odd answers, by answer. Some are cut off by the end of the connection."""
    random_, odd = random.Random(seed), {}
    for _ in range(count):
        sent = request(random_)
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            try:
                connection.sendall(sent)
                connection.shutdown(socket.SHUT_WR)
                said = b""
                while data := connection.recv(65536):
                    said += data
            except ConnectionError:
                continue
            except TimeoutError:
                odd.setdefault("none", []).append(sent)
        for status in map(int, re.findall(rb"^HTTP/1\.1 (\d+)", said, re.MULTILINE)):
            if status not in STATUSES | {100}:
                odd.setdefault(status, []).append(sent)
    return odd


METHODS = ["PredictionService/Predict", "PredictionService/Classify", "PredictionService/Regress",
           "PredictionService/MultiInference", "PredictionService/GetModelMetadata", "ModelService/GetModelStatus",
           "ModelService/HandleReloadConfigRequest"]  # fmt: skip
CODES = {"OK", "INVALID_ARGUMENT", "NOT_FOUND", "FAILED_PRECONDITION", "UNIMPLEMENTED"}


def message():
    """A sound request; its first field is that of most others."""
    sound = serving_pb2.PredictRequest()
    sound.model_spec.name, sound.model_spec.version.value = "half", 123
    sound.inputs["x"].CopyFrom(tensor_to_proto([[1.0], [2.0]]))
    sound.output_filter.append("y")
    return sound.SerializeToString()


def hostile_messages(port, count, seed):
    """As `hostile`, for gRPC."""
    random_, odd, sound = random.Random(seed), {}, message()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        calls = [channel.unary_unary(f"/tensorflow.serving.{method}") for method in METHODS]
        for _ in range(count):
            sent = changed(random_, sound)
            try:
                random_.choice(calls)(sent, timeout=30)
            except grpc.RpcError as error:
                if error.code().name not in CODES:
                    odd.setdefault(error.code().name, []).append(sent)
    return odd


HEAD = written([(":method", "POST"), (":scheme", "http"), (":path", f"/tensorflow.serving.{METHODS[0]}"),
                ("te", "trailers"), ("content-type", "application/grpc"), ("grpc-timeout", "9S")])  # fmt: skip
PACKED = bytes.fromhex("0084f8a9d29b8f") + b"\x40\x83\xac\x9c\x71\x84\x1c\x64\x2e\x03"  # Huffman's code, and the table


def frame(kind, flags, number, content):
    return struct.pack(">HBBBL", len(content) >> 8, len(content) & 0xFF, kind, flags, number) + content


def conversation(random_):
    """The frames of a client that asks twice, of which some are changed."""
    asked = message()
    body = b"\0" + struct.pack(">L", len(asked)) + asked
    frames = [frame(4, 0, 0, struct.pack(">HLHL", 4, random_.choice([10, 65_535]), 5, 16_384)),
              frame(1, 4, 1, HEAD), frame(0, 1, 1, body), frame(6, 0, 0, bytes(8)), frame(1, 0, 3, HEAD[:40]),
              frame(9, 4, 3, HEAD[40:]), frame(0, 8, 3, b"\x03" + body + bytes(3)), frame(0, 1, 3, b""),
              frame(8, 0, 1, struct.pack(">L", 10)), frame(1, 5, 5, HEAD + PACKED), frame(3, 0, 5, bytes(4)),
              frame(7, 0, 0, bytes(8))]  # fmt: skip
    match random_.randrange(3):
        case 0:
            random_.shuffle(frames)
        case 1:
            place = random_.randrange(len(frames))
            frames[place] = changed(random_, frames[place])
    sent = b"".join(frames)
    return PREFACE + (changed(random_, sent) if random_.random() < 0.5 else sent)


def hostile_frames(port, count, seed):
    """As `hostile`, for HTTP/2: what comes back has to be frames."""
    random_, odd = random.Random(seed), {}
    for _ in range(count):
        sent, said = conversation(random_), b""
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            try:
                connection.sendall(sent)
                connection.shutdown(socket.SHUT_WR)
                while data := connection.recv(65536):
                    said += data
            except ConnectionError:
                continue
            except TimeoutError:
                odd.setdefault("none", []).append(sent)
        while said and (size := int.from_bytes(said[:3])) < 2**14 and len(said) >= 9 + size and said[3] < 9:
            said = said[9 + size :]
        if said:
            odd.setdefault("frames", []).append(sent)
    return odd


def resident(process):
    """The memory that a process has, in MB."""
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    given = parser.parse_args()
    model = os.path.join(os.path.dirname(__file__), "../data/serving/saved_model_half_plus_two_cpu")
    server = subprocess.Popen([sys.executable, "-m", "evergraph", "serve", "--model", f"half={model}", "--port", "0",
                               "--rest-api-port", "0"], stdout=subprocess.PIPE, text=True)  # fmt: skip
    rest_port, grpc_port = map(int, re.findall(r":(\d+)", server.stdout.readline()))
    wrong, sizes, part = {}, [], given.count // 100
    for start in range(0, given.count, 10 * part):
        for found in (hostile(rest_port, 8 * part, start), hostile_messages(grpc_port, part, start),
                      hostile_frames(grpc_port, part, start)):  # fmt: skip
            for status, requests in found.items():
                wrong.setdefault(status, []).extend(requests)
        sizes.append(resident(server.pid))
        print(f"{start + 10 * part} requests, {sizes[-1]:.1f} MB, odd answers {sorted(map(str, wrong))}", flush=True)
    has_ended = server.poll() is not None
    server.terminate()
    server.wait()
    for status, requests in wrong.items():
        print(status, requests[:3])
    return 1 if wrong or has_ended or sizes[-1] > 1.05 * sizes[1] else 0


if __name__ == "__main__":
    sys.exit(main())
