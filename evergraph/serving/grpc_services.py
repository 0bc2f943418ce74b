"""TensorFlow Serving's gRPC services, PredictionService and ModelService, as functions from message to message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.formats.tensor_messages import proto_to_array, tensor_to_proto
from evergraph.proto import serving_pb2
from evergraph.save import saved_model_constants as constants
from evergraph.serving import descriptions
from evergraph.serving.config import sources_of
from evergraph.serving.core import Core
from evergraph.serving.examples import INPUTS, classes_of, outputs_for, regressions_of, serialized
from evergraph.serving.servable import DEFAULT, Servable


@dataclass(frozen=True)
class Method:
    """A method of a service: the messages that it takes and gives, and the function between them."""

    request: Any
    response: Any
    function: Callable[[Any, float | None], Any]
    api: str


class Services:
    """The methods, each as a function of a request and the time at which its answer is no longer of use.

    Args:
        core: the models.
        reload: serves other models from now on; raises OpError if it cannot.
    """

    def __init__(self, core: Core, reload: Callable[[Any], None]) -> None:
        self._core, self._reload = core, reload

    def methods(self) -> dict[str, dict[str, Method]]:
        """The methods by service and name."""
        messages = serving_pb2
        return {
            "tensorflow.serving.PredictionService": {
                "Predict": Method(messages.PredictRequest, messages.PredictResponse, self.predict, "Predict"),
                "Classify": Method(
                    messages.ClassificationRequest, messages.ClassificationResponse, self.classify, "Classify"),
                "Regress": Method(messages.RegressionRequest, messages.RegressionResponse, self.regress, "Regress"),
                "MultiInference": Method(
                    messages.MultiInferenceRequest, messages.MultiInferenceResponse, self.multi_inference,
                    "MultiInference"),
                "GetModelMetadata": Method(
                    messages.GetModelMetadataRequest, messages.GetModelMetadataResponse, self.metadata,
                    "GetModelMetadata"),
            },
            "tensorflow.serving.ModelService": {
                "GetModelStatus": Method(
                    messages.GetModelStatusRequest, messages.GetModelStatusResponse, self.status, "GetModelStatus"),
                "HandleReloadConfigRequest": Method(
                    messages.ReloadConfigRequest, messages.ReloadConfigResponse, self.reload,
                    "HandleReloadConfigRequest"),
            },
        }  # fmt: skip

    # ---- PredictionService

    def predict(self, request: Any, deadline: float | None) -> Any:
        servable = self._find(request)
        key = request.model_spec.signature_name or DEFAULT
        signature = servable.signature(key, errors.FailedPreconditionError)
        values = signature.in_order(request.inputs)
        outputs = signature.select(request.output_filter)
        results = self._core.answer(servable, key, [_array(value) for value in values], outputs, deadline)
        response = serving_pb2.PredictResponse(model_spec=_spec(servable, key))
        for name, result in zip(outputs, results):
            dtype = signature.outputs[name].dtype.base_dtype
            response.outputs[name].CopyFrom(tensor_to_proto(result, dtype, pack=False))
        return response

    def classify(self, request: Any, deadline: float | None) -> Any:
        response = serving_pb2.ClassificationResponse()
        results, count = self._answered(request, constants.CLASSIFY_METHOD_NAME, response, deadline)
        _fill_classes(response.result, results, count)
        return response

    def regress(self, request: Any, deadline: float | None) -> Any:
        response = serving_pb2.RegressionResponse()
        results, count = self._answered(request, constants.REGRESS_METHOD_NAME, response, deadline)
        _fill_regressions(response.result, results, count)
        return response

    def _answered(self, request: Any, method: str, response: Any, deadline: float | None) -> tuple[Any, int]:
        """Runs a signature on the Examples of a request, and names it in the response; what it gave, for how many."""
        servable, key = self._find(request), request.model_spec.signature_name
        response.model_spec.CopyFrom(_spec(servable, key))
        return self._infer(servable, key, method, request.input, deadline)

    def multi_inference(self, request: Any, deadline: float | None) -> Any:
        tasks = list(request.tasks)
        if not tasks or len({task.model_spec.name for task in tasks}) != 1 or not tasks[0].model_spec.name:
            raise invalid("The tasks of a MultiInferenceRequest must be of one model, which they name")
        keys = [task.model_spec.signature_name or DEFAULT for task in tasks]
        if len(set(keys)) < len(keys):
            raise invalid(f"A signature is asked twice: {keys}")
        response = serving_pb2.MultiInferenceResponse()
        for task, key in zip(tasks, keys):
            servable = self._find(task)
            results, count = self._infer(servable, key, task.method_name, request.input, deadline)
            told = response.results.add(model_spec=_spec(servable, key))
            if task.method_name == constants.CLASSIFY_METHOD_NAME:
                _fill_classes(told.classification_result, results, count)
            else:
                _fill_regressions(told.regression_result, results, count)
        return response

    def metadata(self, request: Any, deadline: float | None) -> Any:
        wanted = list(request.metadata_field)
        if not request.HasField("model_spec"):
            raise invalid("Missing ModelSpec")
        if not wanted or set(wanted) != {descriptions.SIGNATURES}:
            raise invalid(f"The metadata_field must be {descriptions.SIGNATURES!r}, not {wanted}")
        return descriptions.metadata(self._find(request))

    def _infer(
        self, servable: Servable, key: str, method: str, given: Any, deadline: float | None
    ) -> tuple[dict[str, np.ndarray], int]:
        """(the outputs that a method of inference needs by name, the number of examples)."""
        if method not in (constants.CLASSIFY_METHOD_NAME, constants.REGRESS_METHOD_NAME):
            raise errors.UnimplementedError(None, None, f"Unsupported signature method_name: {method}")
        signature = servable.signature(key)
        names = outputs_for(signature, method)
        examples = serialized(given)
        values = signature.in_order({INPUTS: examples})
        return dict(zip(names, self._core.answer(servable, signature.name, values, names, deadline))), len(examples)

    def _find(self, request: Any) -> Servable:
        if not request.HasField("model_spec") or not request.model_spec.name:
            raise invalid("Missing ModelSpec")
        return self._core.models.find(request.model_spec.name, *_which(request.model_spec))

    # ---- ModelService

    def status(self, request: Any, deadline: float | None) -> Any:
        if not request.HasField("model_spec"):
            raise invalid("Missing ModelSpec")
        return descriptions.status(self._core.models.model(request.model_spec.name), *_which(request.model_spec))

    def reload(self, request: Any, deadline: float | None) -> Any:
        if request.metric_names:
            raise errors.UnimplementedError(None, None, "metric_names cannot be asked for; metrics are at their path")
        sources_of(request.config)
        self._reload(request.config)
        return serving_pb2.ReloadConfigResponse(status=descriptions.status_of(None))


def _which(spec: Any) -> tuple[int | None, str | None]:
    """The version and the label that a ModelSpec names."""
    choice = spec.WhichOneof("version_choice")
    if choice == "version_label":
        return None, spec.version_label
    return spec.version.value if choice == "version" else None, None


def _spec(servable: Servable, key: str) -> Any:
    spec = serving_pb2.ModelSpec(name=servable.name, signature_name=key or DEFAULT)
    spec.version.value = servable.version
    return spec


def _array(message: Any) -> np.ndarray:
    try:
        return proto_to_array(message)
    except (ValueError, TypeError) as error:
        raise invalid(f"Tensor parsing error: {error}") from None


def _fill_classes(message: Any, results: Mapping[str, np.ndarray], count: int) -> None:
    for row in classes_of(results, count):
        classes = message.classifications.add().classes
        for label, score in row:
            classes.add(label=label, score=score)


def _fill_regressions(message: Any, results: Mapping[str, np.ndarray], count: int) -> None:
    for value in regressions_of(results, count).tolist():
        message.regressions.add(value=value)
