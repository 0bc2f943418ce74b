"""Classification and regression: requests of Examples, and what a model says of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base.errors import invalid
from evergraph.save import saved_model_constants as constants
from evergraph.serving.json_tensors import from_base64
from evergraph.serving.json_text import shown
from evergraph.serving.signature import Signature

INPUTS = "inputs"
CLASSES, SCORES, OUTPUTS = "classes", "scores", "outputs"

# ---------------------------------------------------------------- requests


def serialized(request: Any) -> np.ndarray:
    """The Examples of an Input message as strings; a context is joined to each of them.

    Raises:
        InvalidArgumentError: there are none.
    """
    kind = request.WhichOneof("kind")
    examples = list(getattr(request, kind).examples) if kind else []
    if not examples:
        raise invalid("Input is empty.")
    start = request.example_list_with_context.context.SerializeToString()  # b"" without one
    strings = np.empty(len(examples), object)
    strings[:] = [start + example.SerializeToString() for example in examples]
    return strings


def input_of_json(request: Mapping[str, Any]) -> Any:
    """The Input message of a classify or regress request.

    Raises:
        InvalidArgumentError: it has no list of examples, or one of them is not sound.
    """
    examples = request.get("examples")
    if type(examples) is not list or not examples:
        raise invalid(f"'examples' wants a list of objects that is not empty, not {shown(examples)}")
    message = proto.serving_pb2.Input()
    home = message.example_list
    if "context" in request:
        home = message.example_list_with_context
        _fill_example(home.context, request["context"])
    for example in examples:
        _fill_example(home.examples.add(), example)
    return message


def _fill_example(message: Any, features: Any) -> None:
    if type(features) is not dict:
        raise invalid(f"An example must be a JSON object, not {shown(features)}")
    for name, value in features.items():
        feature = message.features.feature[name]
        elements = value if type(value) is list else [value]
        if not elements:
            continue
        kinds = {_FEATURES.get(type(element)) for element in elements}
        if len(kinds) != 1 or None in kinds:
            raise invalid(f"The feature {name!r} must be of numbers, or of strings, and all alike: {shown(value)}")
        _fill_feature(feature, kinds.pop(), elements, name)


_FEATURES = {bool: "int64_list", int: "int64_list", float: "float_list", str: "bytes_list", dict: "bytes_list"}


def _fill_feature(feature: Any, kind: Any, elements: Sequence[Any], name: str) -> None:
    try:
        if kind == "bytes_list":
            elements = [each.encode() if type(each) is str else from_base64(each["b64"]) for each in elements]
        getattr(feature, kind).value.extend(elements)
    except (KeyError, TypeError, ValueError) as error:  # no base64, a number beyond 64 bits, text that is no UTF-8
        raise invalid(f"The feature {name!r} has an element that cannot be one: {error}") from None


# ---------------------------------------------------------------- answers


def outputs_for(signature: Signature, method: str) -> tuple[str, ...]:
    """The outputs that a method of inference needs of a signature.

    Raises:
        InvalidArgumentError: the signature is not of the method's form.
    """
    known = (CLASSES, SCORES) if method == constants.CLASSIFY_METHOD_NAME else (OUTPUTS,)
    found = tuple(name for name in known if name in signature.outputs)
    if signature.names != (INPUTS,) or not found or len(signature.outputs) > len(found):
        raise invalid(f"The signature {signature.name!r} has inputs {list(signature.names)} and outputs "
                      f"{list(signature.output_names)}; {method} needs {[INPUTS]} and {list(known)}")  # fmt: skip
    return found


def classes_of(values: Mapping[str, np.ndarray], count: int) -> list[list[tuple[str, float]]]:
    """The (label, score) pairs of each example; a label is "" and a score 0 where the model gives none.

    Raises:
        InvalidArgumentError: the outputs are no matrices with a row for each example.
    """
    for name, value in values.items():
        if value.ndim != 2 or len(value) != count:
            raise invalid(f"The output {name!r} has the shape {list(value.shape)}; there are {count} examples")
    labels, scores = values.get(CLASSES), values.get(SCORES)
    if labels is not None and scores is not None and labels.shape != scores.shape:
        raise invalid(f"There are classes of shape {list(labels.shape)} and scores of shape {list(scores.shape)}")
    shape = (labels if labels is not None else scores).shape  # type: ignore[union-attr]
    texts = [["" for _ in range(shape[1])]] * count if labels is None else [list(map(_label, row)) for row in labels]
    numbers = np.zeros(shape) if scores is None else scores
    return [list(zip(row, map(float, points))) for row, points in zip(texts, numbers)]


def _label(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def regressions_of(values: Mapping[str, np.ndarray], count: int) -> np.ndarray:
    """One number for each example.

    Raises:
        InvalidArgumentError: the output is no vector or column with an element for each example.
    """
    value = values[OUTPUTS]
    if value.size != count or value.shape not in ((count,), (count, 1)) or value.dtype.kind not in "f":
        raise invalid(f"The output {OUTPUTS!r} has the shape {list(value.shape)}; there are {count} examples")
    return value.reshape(count).astype(np.float32)
