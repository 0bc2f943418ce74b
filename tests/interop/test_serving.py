"""TensorFlow Serving's own client asks our server every call that it has."""

import grpc
import pytest

from evergraph.formats.tensor_messages import proto_to_array, tensor_to_proto
from evergraph.proto import serving_pb2
from evergraph.serving.config import Source, every
from evergraph.serving.servable import Loading
from tests.interop.judge import ask
from tests.interop.test_saved_models import OBJECTS, ROOT, check, tensorflow_writes, tensorflow_writes_objects
from tests.serving.harness import DATA, golden, serving


@pytest.fixture(scope="module")
def server():
    half = Source("half", str(DATA / "saved_model_half_plus_two_2_versions"), every)
    with serving(half, golden("counter"), golden("half_plus_two_tf2_cpu", "tf2"), grpc_port=0) as server:
        yield server


def predicts(tf, port):
    import grpc
    from tensorflow_serving.apis import predict_pb2, prediction_service_pb2_grpc

    stub = prediction_service_pb2_grpc.PredictionServiceStub(grpc.insecure_channel(f"127.0.0.1:{port}"))

    def told(name, inputs, signature="", version=None, wanted=(), timeout=30):
        request = predict_pb2.PredictRequest()
        request.model_spec.name, request.model_spec.signature_name = name, signature
        if version is not None:
            request.model_spec.version.value = version
        for key, value in inputs.items():
            request.inputs[key].CopyFrom(value if hasattr(value, "dtype") else tf.make_tensor_proto(value, tf.float32))
        request.output_filter.extend(wanted)
        try:
            response = stub.Predict(request, timeout)
        except grpc.RpcError as error:
            return error.code().name
        spec = response.model_spec
        outputs = {key: (list(value.float_val), tf.make_ndarray(value).tolist())
                   for key, value in response.outputs.items()}  # fmt: skip
        return spec.name, spec.version.value, spec.signature_name, outputs

    broken = tf.make_tensor_proto([1.0, 2.0])
    broken.tensor_content = b"abc"
    return [
        told("half", {"x": [[1.0], [2.0]]}),
        told("half", {"x": [[1.0]]}, version=123, wanted=["y"]),
        told("tf2", {"x": [2.0]}),
        told("counter", {}, "incr_counter"),
        told("nobody", {"x": [1.0]}),
        told("", {"x": [1.0]}),
        told("half", {"x": [[1.0]]}, version=9),
        told("half", {"x": [[1.0]]}, "none"),
        told("half", {"y": [[1.0]]}),
        told("half", {}),
        told("half", {"x": [[1.0]], "y": [1.0]}),
        told("half", {"x": [[1.0]]}, wanted=["z"]),
        told("half", {"x": [[1.0]]}, wanted=["y", "y"]),
        told("half", {"x": tf.make_tensor_proto(["a"])}),
        told("half", {"x": broken}),
        told("half", {"x": [[1.0, 2.0]]}),
    ]


def test_predict(server, tmp_path):
    found = ask(predicts, tmp_path, port=server.grpc_port)
    assert found[:4] == [
        ("half", 124, "serving_default", {"y": ([2.5, 3.0], [[2.5], [3.0]])}),
        ("half", 123, "serving_default", {"y": ([2.5], [[2.5]])}),
        ("tf2", 123, "serving_default", {"y": ([3.0], [3.0])}),
        ("counter", 123, "incr_counter", {"output": ([1.0], 1.0)}),
    ]
    assert found[4:8] == ["NOT_FOUND", "INVALID_ARGUMENT", "NOT_FOUND", "FAILED_PRECONDITION"]
    assert found[8:] == ["INVALID_ARGUMENT"] * 8


def infers(tf, port):
    import grpc
    from tensorflow_serving.apis import classification_pb2, inference_pb2, prediction_service_pb2_grpc, regression_pb2

    stub = prediction_service_pb2_grpc.PredictionServiceStub(grpc.insecure_channel(f"127.0.0.1:{port}"))

    def filled(request, signature, values, context=None):
        if hasattr(request, "model_spec"):
            request.model_spec.name, request.model_spec.signature_name = "half", signature
        home = request.input.example_list if context is None else request.input.example_list_with_context
        for value in values:
            example = home.examples.add()
            if value is not None:
                example.features.feature["x"].float_list.value.append(value)
        if context is not None:
            home.context.features.feature["x"].float_list.value.append(context)
        return request

    def code(call, request):
        try:
            return call(request)
        except grpc.RpcError as error:
            return error.code().name

    classes = stub.Classify(filled(classification_pb2.ClassificationRequest(), "classify_x_to_y", [1.0, 2.0]), 30)
    values = stub.Regress(filled(regression_pb2.RegressionRequest(), "regress_x_to_y", [1.0, 2.0]), 30)
    joined = stub.Regress(filled(regression_pb2.RegressionRequest(), "regress_x_to_y", [None, None], 4.0), 30)
    several = filled(inference_pb2.MultiInferenceRequest(), "", [1.0])
    for signature, method in (("regress_x_to_y", "regress"), ("classify_x_to_y", "classify")):
        task = several.tasks.add(method_name=f"tensorflow/serving/{method}")
        task.model_spec.name, task.model_spec.signature_name = "half", signature
    both = stub.MultiInference(several, 30)
    several.tasks.add().CopyFrom(several.tasks[0])
    return [
        [[(each.label, each.score) for each in row.classes] for row in classes.result.classifications],
        [each.value for each in values.result.regressions],
        [each.value for each in joined.result.regressions],
        [result.WhichOneof("result") for result in both.results],
        both.results[0].regression_result.regressions[0].value,
        both.results[1].model_spec.signature_name,
        code(stub.MultiInference, several),
        code(stub.Regress, filled(regression_pb2.RegressionRequest(), "regress_x_to_y", [])),
        code(stub.Classify, filled(classification_pb2.ClassificationRequest(), "regress_x_to_y", [1.0])),
    ]


def test_classify_regress_and_both(server, tmp_path):
    assert ask(infers, tmp_path, port=server.grpc_port) == [
        [[("", 2.5)], [("", 3.0)]], [2.5, 3.0], [4.0, 4.0], ["regression_result", "classification_result"], 2.5,
        "classify_x_to_y", "INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT"]  # fmt: skip


def describes(tf, port, other):
    import grpc
    from tensorflow_serving.apis import (
        get_model_metadata_pb2,
        get_model_status_pb2,
        model_management_pb2,
        model_service_pb2_grpc,
        prediction_service_pb2_grpc,
    )

    channel = grpc.insecure_channel(f"127.0.0.1:{port}")
    stub = prediction_service_pb2_grpc.PredictionServiceStub(channel)
    models = model_service_pb2_grpc.ModelServiceStub(channel)
    request = get_model_metadata_pb2.GetModelMetadataRequest(metadata_field=["signature_def"])
    request.model_spec.name = "half"
    response = stub.GetModelMetadata(request, 30)
    signatures = get_model_metadata_pb2.SignatureDefMap()
    is_one = response.metadata["signature_def"].Unpack(signatures)

    def states(name):
        asked = get_model_status_pb2.GetModelStatusRequest()
        asked.model_spec.name = name
        try:
            told = models.GetModelStatus(asked, 30)
        except grpc.RpcError as error:
            return error.code().name
        return [(each.version, each.state, each.status.error_code) for each in told.model_version_status]

    before = [states("half"), states("bad"), states("new")]
    reload = model_management_pb2.ReloadConfigRequest()
    reload.config.model_config_list.config.add(name="new", base_path=other, model_platform="tensorflow")
    code = models.HandleReloadConfigRequest(reload, 60).status.error_code
    health = channel.unary_unary("/grpc.health.v1.Health/Check")(b"", 30)
    return [is_one, sorted(signatures.signature_def), before, code, [states("half"), states("new")], health]


def test_models_and_health(tmp_path):
    sources = [golden("half_plus_two_2_versions", "half"), Source("bad", str(DATA / "bad_half_plus_two"))]
    with serving(*sources, grpc_port=0) as server:
        found = ask(describes, tmp_path, port=server.grpc_port, other=str(DATA / "saved_model_half_plus_three"))
    keys = ["classify_x2_to_y3", "classify_x_to_y", "regress_x2_to_y3", "regress_x_to_y", "regress_x_to_y2",
            "serving_default"]  # fmt: skip
    assert found == [True, keys, [[(124, 30, 0)], [(123, 50, 5)], "NOT_FOUND"], 0, ["NOT_FOUND", [(123, 30, 0)]],
                     b"\x08\x01"]  # fmt: skip


# ---- exports of TensorFlow: the server says what TensorFlow's own session said


@pytest.fixture(scope="module")
def exports(tmp_path_factory):
    """The path, the tags and the questions of each export: (signature, feeds, what TensorFlow said)."""
    folder = tmp_path_factory.mktemp("exports")
    models, (estimator, asked), frozen = ask(tensorflow_writes, folder, root=ROOT, where=str(folder))
    objects = ask(tensorflow_writes_objects, folder, root=ROOT, where=str(folder))
    found = {name: (f"{folder}/{name}", rows) for name, rows in {**models, **objects}.items()}
    found["estimator"] = estimator, asked
    found["frozen"] = f"{folder}/frozen.pb", [(["serve"], "serving_default", {"x": frozen[0]}, {"y": frozen[1]})]
    return {name: (path, rows[0][0], [(key, feeds, wanted) for tags, key, feeds, wanted in rows if tags == rows[0][0]
                                      and not any(isinstance(value, tuple) for value in feeds.values())])
            for name, (path, rows) in found.items()}  # fmt: skip


@pytest.mark.parametrize("name", ["simple", "assets", "branching", *OBJECTS, "estimator", "frozen"])
def test_exports(exports, name):
    path, tags, asked = exports[name]
    ends = {"inputs": {"x": "x"}, "outputs": {"y": "y"}} if name == "frozen" else {}
    assert asked
    with serving(Source(name, path), grpc_port=0, loading=Loading(tags, **ends)) as server:
        call = grpc.insecure_channel(f"127.0.0.1:{server.grpc_port}").unary_unary(
            "/tensorflow.serving.PredictionService/Predict", serving_pb2.PredictRequest.SerializeToString,
            serving_pb2.PredictResponse.FromString)
        for key, feeds, wanted in asked:
            request = serving_pb2.PredictRequest()
            request.model_spec.name, request.model_spec.signature_name = name, key
            for feed, value in feeds.items():
                request.inputs[feed].CopyFrom(tensor_to_proto(value))
            check({output: proto_to_array(value) for output, value in call(request).outputs.items()}, wanted)
