"""tf.contrib.predictor: an Estimator's model, of either kind, and its session behind one function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.learn.estimator import BaseEstimator
from evergraph.contrib.predictors import Predictor
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.export.signatures import build_all_signature_defs
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.graph.graph import Graph
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_signatures import get_tensor_from_tensor_info
from evergraph.train.monitored import ChiefSessionCreator, MonitoredSession


@export("contrib.predictor.core_estimator_predictor.CoreEstimatorPredictor")
class CoreEstimatorPredictor(Predictor):
    """What `tf.contrib.predictor.from_estimator` makes; see there for the arguments."""

    def __init__(
        self,
        estimator: Estimator,
        serving_input_receiver_fn: Callable[[], Any],
        output_key: str | None = None,
        graph: Graph | None = None,
        config: Any = None,
    ) -> None:
        self._graph = graph or Graph()
        with self._graph.as_default():
            receiver = serving_input_receiver_fn()
            signature = _signature(estimator, receiver, output_key)
            creator = ChiefSessionCreator(config=config, checkpoint_dir=estimator.model_dir)
            self._session = MonitoredSession(session_creator=creator)
        self._feed_tensors = dict(receiver.receiver_tensors)
        self._fetch_tensors = {
            key: get_tensor_from_tensor_info(info, self._graph) for key, info in signature.outputs.items()}


def _signature(estimator: Estimator, receiver: Any, output_key: str | None) -> Any:
    """The signature of the model for predictions, built in the default graph.

    Raises:
        KeyError: it has no such output.
    """
    spec = estimator.model_fn(receiver.features, None, ModeKeys.PREDICT, estimator.config)
    made = build_all_signature_defs(
        receiver.receiver_tensors, spec.export_outputs, receiver.receiver_tensors_alternatives)
    key = output_key or constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    if key not in made:
        raise KeyError(f"There is no output {key!r}; there are {sorted(made)}")
    return made[key]


@export("contrib.predictor.from_estimator")
def from_estimator(
    estimator: Estimator,
    serving_input_receiver_fn: Callable[[], Any],
    output_key: str | None = None,
    graph: Graph | None = None,
    config: Any = None,
) -> CoreEstimatorPredictor:
    """A predictor of an Estimator, from its latest checkpoint.

    >>> predict = tf.contrib.predictor.from_estimator(estimator, serving_input_receiver_fn)
    >>> predict({"x": [[1.0]]})

    Args:
        estimator: a tf.estimator.Estimator.
        serving_input_receiver_fn: builds the input; returns a ServingInputReceiver.
        output_key: which of the exported outputs to give; "serving_default" by default.
        graph: where to build it; a new graph by default.
        config: the ConfigProto of the session.

    Raises:
        TypeError: `estimator` is no Estimator.
        KeyError: there is no such output.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(f"Expected estimator to be of type tf.estimator.Estimator, but got type {type(estimator)}")
    return CoreEstimatorPredictor(
        estimator, serving_input_receiver_fn, output_key=output_key, graph=graph, config=config)  # fmt: skip


@export("contrib.predictor.contrib_estimator_predictor.ContribEstimatorPredictor")
class ContribEstimatorPredictor(Predictor):
    """What `tf.contrib.predictor.from_contrib_estimator` makes; see there for the arguments."""

    def __init__(self, estimator: Any, prediction_input_fn: Callable[[], Any],
                 input_alternative_key: str | None = None, output_alternative_key: str | None = None,
                 graph: Graph | None = None, config: Any = None) -> None:
        self._graph = graph or Graph()
        with self._graph.as_default():
            features, _, inputs = prediction_input_fn()
            self._feed_tensors = dict(inputs if input_alternative_key is None else inputs[input_alternative_key])
            spec = estimator.core(head=output_alternative_key).model_fn(
                features, None, ModeKeys.PREDICT, estimator.config)
            made = build_all_signature_defs(self._feed_tensors, spec.export_outputs)
            creator = ChiefSessionCreator(config=config, checkpoint_dir=estimator.model_dir)
            self._session = MonitoredSession(session_creator=creator)
        outputs = made[constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY].outputs
        self._fetch_tensors = {
            key: get_tensor_from_tensor_info(info, self._graph) for key, info in outputs.items()}


@export("contrib.predictor.from_contrib_estimator")
def from_contrib_estimator(estimator: Any, prediction_input_fn: Callable[[], Any],
                           input_alternative_key: str | None = None, output_alternative_key: str | None = None,
                           graph: Graph | None = None, config: Any = None) -> ContribEstimatorPredictor:
    """A predictor of an Estimator of tf.contrib.learn, from its latest checkpoint.

    Args:
        estimator: a tf.contrib.learn.Estimator.
        prediction_input_fn: builds the input; returns InputFnOps.
        input_alternative_key: which of several alternatives of inputs to feed.
        output_alternative_key: which head to ask; needed where there are several.
        graph: where to build it; a new graph by default.
        config: the ConfigProto of the session.

    Raises:
        TypeError: `estimator` is no such Estimator.
        ValueError: there is no such head, or none is named where there are several.
    """
    if not isinstance(estimator, BaseEstimator):
        raise TypeError(f"from_contrib_estimator takes an Estimator of tf.contrib.learn, and not {type(estimator)}")
    return ContribEstimatorPredictor(estimator, prediction_input_fn, input_alternative_key, output_alternative_key,
                                     graph, config)
