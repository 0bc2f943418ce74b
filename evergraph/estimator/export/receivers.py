"""What exported models are fed with: ServingInputReceiver and its siblings, and the functions that build them."""
from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.estimator.input_result import features_and_labels
from evergraph.frontend.array import placeholder
from evergraph.frontend.input.parsing import parse_example
from evergraph.graph.convert import convert_to_tensor, is_tensor
from evergraph.graph.graph import Graph

_FEATURE, _LABEL, _RECEIVER = "feature", "label", "input"
"""The names of single tensors."""


def _check_tensor(value: Any, what: str, kind: str = "a Tensor or SparseTensor") -> None:
    """Raises ValueError for what is no tensor. Labelled tensors hold one in their attribute `tensor`."""
    if is_tensor(value):
        return
    if hasattr(value, "tensor"):
        try:
            convert_to_tensor(value)
            return
        except TypeError:
            pass
    raise ValueError(f"{what} must be {kind}, not {value!r}")


def _checked(values: Any, what: str) -> Any:
    """Features or labels: a tensor, or a dict of tensors."""
    if not isinstance(values, dict):
        _check_tensor(values, what)
        return values
    for key, value in values.items():
        if not isinstance(key, (str, int)):
            raise ValueError(f"{what} keys must be strings or ints: {key}.")
        _check_tensor(value, f"{what} {key}")
    return values


def _checked_features(features: Any) -> Any:
    if features is None:
        raise ValueError("features must be defined.")
    return _checked(features, _FEATURE)


def named_receivers(receivers: Any) -> dict[str, Any]:
    """The tensors that are fed, by name; a single one has the name "input".

    Raises:
        ValueError: there are none, a name is no string, or a value is no tensor.
    """
    if receivers is None:
        raise ValueError("receiver_tensors must be defined.")
    named = receivers if isinstance(receivers, dict) else {_RECEIVER: receivers}
    for key, value in named.items():
        if not isinstance(key, str):
            raise ValueError(f"receiver_tensor keys must be strings: {key}.")
        _check_tensor(value, f"receiver_tensor {key}", "a Tensor")
    return named


def _checked_alternatives(alternatives: Any) -> Any:
    if alternatives is None:
        return None
    if not isinstance(alternatives, dict):
        raise ValueError(f"receiver_tensors_alternatives maps names to receiver tensors in a dict, got {alternatives}")
    return {name: named_receivers(receivers) for name, receivers in alternatives.items()}


_SERVING = ("features", "receiver_tensors", "receiver_tensors_alternatives")


@export("estimator.export.ServingInputReceiver")
class ServingInputReceiver(collections.namedtuple("ServingInputReceiver", _SERVING)):
    """The input of a served model: the tensors that are fed, and the features that follow from them.

    Args:
        features: name -> tensor or sparse tensor, or a single one, whose name is "feature".
        receiver_tensors: name -> tensor that is fed, or a single one, whose name is "input".
        receiver_tensors_alternatives: name -> other receiver_tensors that may be fed instead, each of which becomes a
            signature of its own.

    Raises:
        ValueError: something is missing, or is no tensor.
    """

    __slots__ = ()

    def __new__(cls, features: Any, receiver_tensors: Any,
                receiver_tensors_alternatives: Any = None) -> ServingInputReceiver:
        features = _checked_features(features)
        named = features if isinstance(features, dict) else {_FEATURE: features}
        return super().__new__(cls, named, named_receivers(receiver_tensors),
                               _checked_alternatives(receiver_tensors_alternatives))


@export("estimator.export.TensorServingInputReceiver")
class TensorServingInputReceiver(collections.namedtuple("TensorServingInputReceiver", _SERVING)):
    """The input of a served model whose features are a single tensor rather than a dict.

    Args:
        features: a tensor or sparse tensor.
        receiver_tensors: name -> tensor that is fed, or a single one, whose name is "input".
        receiver_tensors_alternatives: name -> other receiver_tensors that may be fed instead.

    Raises:
        ValueError: something is missing, or is no tensor.
    """

    __slots__ = ()

    def __new__(cls, features: Any, receiver_tensors: Any,
                receiver_tensors_alternatives: Any = None) -> TensorServingInputReceiver:
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, _FEATURE)
        return super().__new__(cls, features, named_receivers(receiver_tensors),
                               _checked_alternatives(receiver_tensors_alternatives))


class UnsupervisedInputReceiver(ServingInputReceiver):
    """The input of a graph that trains or evaluates without labels."""

    def __new__(cls, features: Any, receiver_tensors: Any) -> UnsupervisedInputReceiver:
        return super().__new__(cls, features, receiver_tensors, None)


class SupervisedInputReceiver(
        collections.namedtuple("SupervisedInputReceiver", ["features", "labels", "receiver_tensors"])):
    """The input of a graph that trains or evaluates: features, labels, and the tensors that are fed.

    Args:
        features: a tensor or sparse tensor, or a dict of them.
        labels: the same.
        receiver_tensors: name -> tensor that is fed, or a single one, whose name is "input".

    Raises:
        ValueError: something is missing, or is no tensor.
    """

    __slots__ = ()

    def __new__(cls, features: Any, labels: Any, receiver_tensors: Any) -> SupervisedInputReceiver:
        if labels is None:
            raise ValueError("labels must be defined.")
        return super().__new__(cls, _checked_features(features), _checked(labels, _LABEL),
                               named_receivers(receiver_tensors))


# ---- the functions that build them


@export("estimator.export.build_parsing_serving_input_receiver_fn")
def build_parsing_serving_input_receiver_fn(feature_spec: Mapping[str, Any],
                                            default_batch_size: int | None = None) -> Callable[[], Any]:
    """A function that builds an input of serialized tf.Examples.

    >>> spec = {"x": tf.FixedLenFeature([1], tf.float32)}
    >>> receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)()
    >>> sorted(receiver.features), sorted(receiver.receiver_tensors)
    (['x'], ['examples'])

    Args:
        feature_spec: name -> FixedLenFeature, VarLenFeature or SparseFeature, as for `tf.parse_example`.
        default_batch_size: the number of examples; by default any.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        examples = placeholder(dtypes.string, [default_batch_size], name="input_example_tensor")
        return ServingInputReceiver(parse_example(examples, dict(feature_spec)), {"examples": examples})

    return serving_input_receiver_fn


def _like(tensor: Any, batch_size: int | None, name: str) -> Any:
    """A placeholder for batches of what a tensor holds."""
    shape = tensor.shape
    if shape.ndims:
        shape = TensorShape([batch_size, *shape.as_list()[1:]])
    return placeholder(tensor.dtype.base_dtype, shape, name=getattr(getattr(tensor, "op", None), "name", name))


def _placeholders(tensors: Any, batch_size: int | None, only: str) -> Any:
    """Placeholders in place of the tensors of features or labels."""
    if not isinstance(tensors, dict):
        return _like(tensors, batch_size, only)
    return {key: _like(tensor, batch_size, str(key)) for key, tensor in tensors.items()}


@export("estimator.export.build_raw_serving_input_receiver_fn")
def build_raw_serving_input_receiver_fn(features: Mapping[str, Any],
                                        default_batch_size: int | None = None) -> Callable[[], Any]:
    """A function that builds an input of the features themselves.

    Args:
        features: name -> tensor, whose dtype and shape, but for the batch, the placeholders have.
        default_batch_size: the number of examples; by default any.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        receivers = _placeholders(dict(features), default_batch_size, _FEATURE)
        return ServingInputReceiver(receivers, receivers)

    return serving_input_receiver_fn


@export("estimator.experimental.build_raw_supervised_input_receiver_fn",
        "contrib.estimator.build_raw_supervised_input_receiver_fn")
def build_raw_supervised_input_receiver_fn(features: Any, labels: Any,
                                           default_batch_size: int | None = None) -> Callable[[], Any]:
    """A function that builds an input of features and labels, for graphs that train or evaluate.

    Args:
        features: a tensor, or name -> tensor, whose dtypes and shapes, but for the batch, the placeholders have.
        labels: the same.
        default_batch_size: the number of examples; by default any.

    Raises:
        ValueError: a feature and a label have the same name.
    """
    same = set(features) & set(labels) if isinstance(features, dict) and isinstance(labels, dict) else set()
    if same:
        raise ValueError(f"a feature and a label have the same key: {sorted(same)}")

    def supervised_input_receiver_fn() -> SupervisedInputReceiver:
        made = _placeholders(features, default_batch_size, _RECEIVER)
        labelled = _placeholders(labels, default_batch_size, _LABEL)
        receivers = {**(made if isinstance(made, dict) else {_RECEIVER: made}),
                     **(labelled if isinstance(labelled, dict) else {_LABEL: labelled})}
        return SupervisedInputReceiver(made, labelled, receivers)

    return supervised_input_receiver_fn


@export("contrib.estimator.build_supervised_input_receiver_fn_from_input_fn")
def build_supervised_input_receiver_fn_from_input_fn(input_fn: Callable[..., Any],
                                                     **input_fn_args: Any) -> Callable[[], Any]:
    """A function that builds an input like that of an input function, of placeholders.

    Args:
        input_fn: gives (features, labels), or a Dataset of them.
        **input_fn_args: its arguments.
    """
    with Graph().as_default():
        features, labels, _ = features_and_labels(input_fn(**input_fn_args))
        features, labels = nest.map_structure(convert_to_tensor, (features, labels))
    return build_raw_supervised_input_receiver_fn(features, labels)
