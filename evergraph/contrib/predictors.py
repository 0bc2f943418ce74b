"""tf.contrib.predictor: a model and its session behind one function from arrays to arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.contrib.saved_model_reader import get_signature_def_by_key
from evergraph.graph.graph import Graph
from evergraph.run.session import Session
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_loader import load
from evergraph.save.saved_model_signatures import get_tensor_from_tensor_info


@export("contrib.predictor.predictor.Predictor")
class Predictor:
    """Answers questions to a graph: called with the values of its inputs, it gives back those of its outputs.

    Subclasses set the four attributes that the properties show.
    """

    _graph: Graph
    _session: Any
    _feed_tensors: dict[str, Any]
    _fetch_tensors: dict[str, Any]

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self._graph

    @property
    def session(self) -> Any:
        """The session that holds the variables."""
        return self._session

    @property
    def feed_tensors(self) -> dict[str, Any]:
        """The inputs by name."""
        return self._feed_tensors

    @property
    def fetch_tensors(self) -> dict[str, Any]:
        """The outputs by name."""
        return self._fetch_tensors

    def __call__(self, input_dict: Mapping[str, Any]) -> dict[str, Any]:
        """The outputs for these inputs.

        Args:
            input_dict: name -> value. An input that is left out has to have a default in the graph.

        Raises:
            ValueError: there is an input of another name.
        """
        unknown = set(input_dict) - set(self._feed_tensors)
        if unknown:
            raise ValueError(f"There are no inputs {sorted(unknown)}; there are {sorted(self._feed_tensors)}")
        feeds = {self._feed_tensors[name]: value for name, value in input_dict.items() if value is not None}
        return self._session.run(fetches=self._fetch_tensors, feed_dict=feeds)

    def __repr__(self) -> str:
        return f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors {self._fetch_tensors}"


@export("contrib.predictor.saved_model_predictor.SavedModelPredictor")
class SavedModelPredictor(Predictor):
    """What `tf.contrib.predictor.from_saved_model` makes; see there for the arguments."""

    def __init__(
        self,
        export_dir: Any,
        signature_def_key: str | None = None,
        signature_def: Any = None,
        input_names: Mapping[str, str] | None = None,
        output_names: Mapping[str, str] | None = None,
        tags: str | Iterable[str] | None = None,
        graph: Graph | None = None,
        config: Any = None,
    ) -> None:
        _check(signature_def_key, signature_def, input_names, output_names)
        self._graph = graph or Graph()
        with self._graph.as_default():
            self._session = Session(config=config)
            model = load(self._session, _listed(tags), export_dir)
        if input_names is not None and output_names is not None:
            self._feed_tensors = {key: self._graph.get_tensor_by_name(name) for key, name in input_names.items()}
            self._fetch_tensors = {key: self._graph.get_tensor_by_name(name) for key, name in output_names.items()}
            return
        if signature_def is None:
            key = signature_def_key or constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
            signature_def = get_signature_def_by_key(model, key)
        self._feed_tensors = _tensors(signature_def.inputs, self._graph)
        self._fetch_tensors = _tensors(signature_def.outputs, self._graph)


def _check(key: Any, signature: Any, input_names: Any, output_names: Any) -> None:
    """At most one way to say which tensors are meant."""
    if (input_names is None) != (output_names is None):
        raise ValueError("input_names and output_names must both be given, or neither of them")
    if sum(given is not None for given in (key, signature, input_names)) > 1:
        raise ValueError("Give one of signature_def_key, signature_def and input_names with output_names, or none; got "
                         f"signature_def_key={key!r}, signature_def={signature!r}, input_names={input_names!r}")
    if key is signature is input_names is None:
        logging.info(f"The signature is {constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY!r}, as none is named")


def _listed(tags: str | Iterable[str] | None) -> list[str]:
    """The tags of a list, or of a text with commas between them."""
    if tags is None:
        return [constants.SERVING]
    return tags.split(",") if isinstance(tags, str) else list(tags)


def _tensors(infos: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
    return {name: get_tensor_from_tensor_info(info, graph) for name, info in infos.items()}


@export("contrib.predictor.from_saved_model")
def from_saved_model(
    export_dir: Any,
    signature_def_key: str | None = None,
    signature_def: Any = None,
    input_names: Mapping[str, str] | None = None,
    output_names: Mapping[str, str] | None = None,
    tags: str | Iterable[str] | None = None,
    graph: Graph | None = None,
    config: Any = None,
) -> SavedModelPredictor:
    """A predictor of a SavedModel.

    >>> x = tf.placeholder(tf.float32, [], name="x")
    >>> with tf.Session() as sess:
    ...     tf.saved_model.simple_save(sess, "memory://squares", {"x": x}, {"y": x * x})
    >>> predict = tf.contrib.predictor.from_saved_model("memory://squares")
    >>> float(predict({"x": 3.0})["y"])
    9.0

    Args:
        export_dir: the directory of the model.
        signature_def_key: which of its signatures to ask; "serving_default" by default.
        signature_def: another signature.
        input_names: name -> name of a tensor, in place of a signature; goes together with `output_names`.
        output_names: name -> name of a tensor.
        tags: those of the graph, a list or a text with commas between them; "serve" by default.
        graph: where to load it into; a new graph by default.
        config: the ConfigProto of the session.

    Raises:
        ValueError: the arguments contradict each other, or there is no such signature.
    """
    return SavedModelPredictor(
        export_dir, signature_def_key=signature_def_key, signature_def=signature_def, input_names=input_names,
        output_names=output_names, tags=tags, graph=graph, config=config)  # fmt: skip
