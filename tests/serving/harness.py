"""A server in a thread of the test, and models for it."""

import contextlib
import http.client
import json
import threading
from pathlib import Path

import grpc

import evergraph as tf
from evergraph.formats.tensor_messages import proto_to_array, tensor_to_proto
from evergraph.proto import serving_pb2
from evergraph.serving.config import Source
from evergraph.serving.options import Options
from evergraph.serving.server import Server

DATA = Path(__file__).parents[1] / "data/serving"


@contextlib.contextmanager
def serving(*sources, **options):
    """A Server of these models, which listens at ports that were free."""
    options = {"rest_port": 0, "grpc_port": None, "poll_seconds": 0, "grace": 5.0, **options}
    server, started = Server(Options(sources, **options)), threading.Event()
    thread = threading.Thread(target=server.run, args=(False, started.set))
    thread.start()
    try:
        assert started.wait(60)
        yield server
    finally:
        server.stop()
        thread.join()


def golden(name, model=None):
    """One of TensorFlow Serving's own test models."""
    return Source(model or name, str(DATA / f"saved_model_{name}"))


class Client:
    """A connection that is kept open; answers are (status, JSON)."""

    def __init__(self, server):
        self._connection = http.client.HTTPConnection("127.0.0.1", server.rest_port, timeout=60)

    def send(self, method, path, body=None, **headers):
        """(status, headers, body)."""
        self._connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
        answer = self._connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()

    def get(self, path):
        status, _, body = self.send("GET", path)
        return status, json.loads(body)

    def post(self, path, body):
        text = body if isinstance(body, (str, bytes)) else json.dumps(body)
        status, _, answer = self.send("POST", path, text)
        return status, json.loads(answer)

    def ask(self, model, verb="predict", **body):
        """As `post` to a verb of a model."""
        return self.post(f"/v1/models/{model}:{verb}", body)

    def close(self):
        self._connection.close()


def export(path, build):
    """Writes a SavedModel: `build()` returns its inputs and outputs, or signatures of those by name."""
    with tf.Graph().as_default(), tf.Session() as session:
        made = build()
        signatures = made if isinstance(made, dict) else {"serving_default": made}
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        builder = tf.saved_model.Builder(str(path))
        builder.add_meta_graph_and_variables(session, ["serve"], {
            key: tf.saved_model.predict_signature_def(inputs, outputs)
            for key, (inputs, outputs) in signatures.items()})
        builder.save()
    return str(path)


_ANY_SIZE = [("grpc.max_receive_message_length", -1)]


class Stub:
    """A channel to a server, or to an address; calls return a message, or the name of the status."""

    def __init__(self, server, token=None, compression=None):
        address = server if isinstance(server, str) else f"127.0.0.1:{server.grpc_port}"
        self._channel = grpc.insecure_channel(address, _ANY_SIZE, compression=compression)
        self._metadata = [("authorization", f"Bearer {token}")] if token else []

    def call(self, method, request, response, timeout=30):
        asked = self._channel.unary_unary(f"/tensorflow.serving.{method}", type(request).SerializeToString,
                                          response.FromString)  # fmt: skip
        try:
            return asked(request, timeout=timeout, metadata=self._metadata)
        except grpc.RpcError as error:
            return error.code().name

    def predict(self, model, timeout=30, **inputs):
        request = serving_pb2.PredictRequest()
        request.model_spec.name = model
        for name, value in inputs.items():
            request.inputs[name].CopyFrom(tensor_to_proto(value))
        said = self.call("PredictionService/Predict", request, serving_pb2.PredictResponse, timeout)
        if isinstance(said, str):
            return said
        return {name: proto_to_array(each).tolist() for name, each in said.outputs.items()}

    def close(self):
        self._channel.close()
