"""TensorFlow Serving's gRPC services, PredictionService and ModelService: what a message asks, and the response."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.formats.tensor_messages import proto_to_array, tensor_to_proto
from evergraph.proto import serving_pb2
from evergraph.save import saved_model_constants as constants
from evergraph.serving import descriptions
from evergraph.serving.asking import Question
from evergraph.serving.config import sources_of
from evergraph.serving.core import Core
from evergraph.serving.examples import INPUTS, classes_of, outputs_for, regressions_of, serialized
from evergraph.serving.servable import DEFAULT, Servable
from evergraph.serving.signature import Arrays


@dataclass(frozen=True)
class Asked:
    """What a request asks.

    Attributes:
        questions: to models, one after another.
        answered: the response, for the outputs of each question.
    """

    questions: Sequence[Question]
    answered: Callable[[Sequence[Arrays]], Any]


@dataclass(frozen=True)
class Method:
    """A method of a service.

    Attributes:
        request: the message that it takes.
        function: says what a message asks; may wait if the method `waits`.
        api: what a request is counted as.
        waits: whether the function is called in a thread that may wait.
    """

    request: Any
    function: Callable[[Any], Asked]
    api: str
    waits: bool = False


class Services:
    """The methods.

    Args:
        core: the models.
        reload: serves other models from now on; raises OpError if it cannot.
    """

    def __init__(self, core: Core, reload: Callable[[Any], None]) -> None:
        self._core, self._reload = core, reload

    def methods(self) -> dict[str, Method]:
        """The methods by path."""
        messages = serving_pb2
        prediction = {
            "Predict": Method(messages.PredictRequest, self.predict, "Predict"),
            "Classify": Method(messages.ClassificationRequest, self.classify, "Classify"),
            "Regress": Method(messages.RegressionRequest, self.regress, "Regress"),
            "MultiInference": Method(messages.MultiInferenceRequest, self.multi_inference, "MultiInference"),
            "GetModelMetadata": Method(messages.GetModelMetadataRequest, self.metadata, "GetModelMetadata"),
        }
        models = {
            "GetModelStatus": Method(messages.GetModelStatusRequest, self.status, "GetModelStatus"),
            "HandleReloadConfigRequest": Method(
                messages.ReloadConfigRequest, self.reload, "HandleReloadConfigRequest", waits=True),
        }
        return {f"/tensorflow.serving.{service}/{name}": method
                for service, methods in (("PredictionService", prediction), ("ModelService", models))
                for name, method in methods.items()}  # fmt: skip

    # ---- PredictionService

    def predict(self, request: Any) -> Asked:
        servable = self._find(request)
        key = request.model_spec.signature_name or DEFAULT
        signature = servable.signature(key, errors.FailedPreconditionError)
        values = [_array(value) for value in signature.in_order(request.inputs)]
        names = signature.select(request.output_filter)

        def answered(results: Sequence[Arrays]) -> Any:
            response = serving_pb2.PredictResponse(model_spec=_spec(servable, key))
            for name, result in zip(names, results[0]):
                dtype = signature.outputs[name].dtype.base_dtype
                response.outputs[name].CopyFrom(tensor_to_proto(result, dtype, pack=False))
            return response

        return Asked([Question(servable, key, values, names)], answered)

    def classify(self, request: Any) -> Asked:
        return self._inferred(request, constants.CLASSIFY_METHOD_NAME, serving_pb2.ClassificationResponse)

    def regress(self, request: Any) -> Asked:
        return self._inferred(request, constants.REGRESS_METHOD_NAME, serving_pb2.RegressionResponse)

    def _inferred(self, request: Any, method: str, kind: Any) -> Asked:
        """Asks a signature about the Examples of a request."""
        servable, key = self._find(request), request.model_spec.signature_name
        question, count = _question(servable, key, method, request.input)

        def answered(results: Sequence[Arrays]) -> Any:
            response = kind(model_spec=_spec(servable, key))
            _FILL[method](response.result, dict(zip(question.names, results[0])), count)
            return response

        return Asked([question], answered)

    def multi_inference(self, request: Any) -> Asked:
        tasks = list(request.tasks)
        if not tasks or len({task.model_spec.name for task in tasks}) != 1 or not tasks[0].model_spec.name:
            raise invalid("The tasks of a MultiInferenceRequest must be of one model, which they name")
        keys = [task.model_spec.signature_name or DEFAULT for task in tasks]
        if len(set(keys)) < len(keys):
            raise invalid(f"A signature is asked twice: {keys}")
        asked = [_question(self._find(task), key, task.method_name, request.input) for task, key in zip(tasks, keys)]

        def answered(results: Sequence[Arrays]) -> Any:
            response = serving_pb2.MultiInferenceResponse()
            for task, (question, count), result in zip(tasks, asked, results):
                told = response.results.add(model_spec=_spec(question.servable, question.key))
                is_classes = task.method_name == constants.CLASSIFY_METHOD_NAME
                home = told.classification_result if is_classes else told.regression_result
                _FILL[task.method_name](home, dict(zip(question.names, result)), count)
            return response

        return Asked([question for question, _ in asked], answered)

    def metadata(self, request: Any) -> Asked:
        wanted = list(request.metadata_field)
        if not request.HasField("model_spec"):
            raise invalid("Missing ModelSpec")
        if not wanted or set(wanted) != {descriptions.SIGNATURES}:
            raise invalid(f"The metadata_field must be {descriptions.SIGNATURES!r}, not {wanted}")
        return _known(descriptions.metadata(self._find(request)))

    def _find(self, request: Any) -> Servable:
        if not request.HasField("model_spec") or not request.model_spec.name:
            raise invalid("Missing ModelSpec")
        return self._core.models.find(request.model_spec.name, *_which(request.model_spec))

    # ---- ModelService

    def status(self, request: Any) -> Asked:
        if not request.HasField("model_spec"):
            raise invalid("Missing ModelSpec")
        model = self._core.models.model(request.model_spec.name)
        return _known(descriptions.status(model, *_which(request.model_spec)))

    def reload(self, request: Any) -> Asked:
        if request.metric_names:
            raise errors.UnimplementedError(None, None, "metric_names cannot be asked for; metrics are at their path")
        sources_of(request.config)
        self._reload(request.config)
        return _known(serving_pb2.ReloadConfigResponse(status=descriptions.status_of(None)))


def _known(response: Any) -> Asked:
    """What needs no model to be answered."""
    return Asked([], lambda _: response)


def _question(servable: Servable, key: str, method: str, given: Any) -> tuple[Question, int]:
    """(what a method of inference asks, the number of Examples)."""
    if method not in _FILL:
        raise errors.UnimplementedError(None, None, f"Unsupported signature method_name: {method}")
    signature = servable.signature(key)
    names = outputs_for(signature, method)
    examples = serialized(given)
    return Question(servable, signature.name, signature.in_order({INPUTS: examples}), names), len(examples)


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


_FILL = {constants.CLASSIFY_METHOD_NAME: _fill_classes, constants.REGRESS_METHOD_NAME: _fill_regressions}
"""What writes the results of a method of inference into its message."""
