"""tf.contrib.learn's inputs of served models: from serialized Examples, or from the features themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.learn.estimator import InputFnOps
from evergraph.frontend import array
from evergraph.frontend.input.parsing import parse_example


def _named(name: str) -> Any:
    return export(*(f"contrib.learn.{home}{name}" for home in ("", "utils.", "utils.input_fn_utils.")))


@_named("build_parsing_serving_input_fn")
def build_parsing_serving_input_fn(feature_spec: Mapping[str, Any], default_batch_size: int | None = None
                                   ) -> Callable[[], InputFnOps]:
    """A function that builds an input of serialized Examples.

    Args:
        feature_spec: how features are read, as in tf.parse_example.
        default_batch_size: the number of Examples; any by default.
    """
    def input_fn() -> InputFnOps:
        examples = array.placeholder(dtypes.string, [default_batch_size], name="input_example_tensor")
        return InputFnOps(parse_example(examples, feature_spec), None, {"examples": examples})
    return input_fn


@_named("build_default_serving_input_fn")
def build_default_serving_input_fn(features: Mapping[str, Any], default_batch_size: int | None = None
                                   ) -> Callable[[], InputFnOps]:
    """A function that builds an input of which each feature is fed by itself.

    Args:
        features: tensors by name, whose dtypes and shapes are taken.
        default_batch_size: the number of examples; any by default.
    """
    def input_fn() -> InputFnOps:
        found = {name: array.placeholder(
            tensor.dtype, TensorShape([default_batch_size]).concatenate(tensor.shape[1:]), name=tensor.op.name)
            for name, tensor in features.items()}
        return InputFnOps(found, None, found)
    return input_fn
