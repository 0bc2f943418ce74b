"""tf.contrib.labeled_tensor: placeholders, and tensors parsed from Examples."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.labeled_tensor.axes import Axes, Axis, as_axis
from evergraph.contrib.labeled_tensor.tensor import LabeledTensor, convert_to_labeled_tensor
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.input import features as plain
from evergraph.frontend.input import parsing


@export("contrib.labeled_tensor.FixedLenFeature")
class FixedLenFeature(namedtuple("FixedLenFeature", ["axes", "dtype", "default_value"])):
    """A feature with the same axes in every Example; see `tf.FixedLenFeature`.

    Args:
        axes: axes of known sizes.
        dtype: the dtype of the values.
        default_value: what stands for a feature that is missing.
    """

    __slots__ = ()

    def __new__(cls, axes: Any, dtype: Any, default_value: Any = None) -> FixedLenFeature:
        return super().__new__(cls, [as_axis(axis) for axis in axes], dtype, default_value)


def _plain(features: dict[str, Any]) -> dict[str, Any]:
    result = {}
    for name, feature in features.items():
        sizes = [axis.size for axis in feature.axes]
        if None in sizes:
            raise ValueError(f"feature {name!r} has an axis of unknown size: {feature.axes}")
        result[name] = plain.FixedLenFeature(sizes, feature.dtype, feature.default_value)
    return result


def _labeled(parsed: dict[str, Any], features: dict[str, Any], before: list[Any]) -> dict[str, LabeledTensor]:
    return {name: LabeledTensor(parsed[name], [*before, *feature.axes]) for name, feature in features.items()}


@export("contrib.labeled_tensor.parse_example")
def parse_example(serialized: Any, features: dict[str, Any], name: str | None = None,
                  example_names: Any = None) -> dict[str, LabeledTensor]:
    """The features of a vector of serialized Examples; see `tf.parse_example`.

    Raises:
        ValueError: an axis of a feature has an unknown size.
    """
    with name_scope(name, "lt_parse_example", [serialized]):
        value = convert_to_labeled_tensor(serialized)
        parsed = parsing.parse_example(value.tensor, _plain(features), example_names=example_names)
        return _labeled(parsed, features, list(value.axes.values()))


@export("contrib.labeled_tensor.parse_single_example")
def parse_single_example(serialized: Any, features: dict[str, Any], name: str | None = None,
                         example_names: Any = None) -> dict[str, LabeledTensor]:
    """The features of one serialized Example; see `tf.parse_single_example`.

    Raises:
        ValueError: an axis of a feature has an unknown size.
    """
    with name_scope(name, "lt_parse_single_example", [serialized]):
        value = convert_to_labeled_tensor(serialized)
        parsed = parsing.parse_single_example(value.tensor, _plain(features), example_names=example_names)
        return _labeled(parsed, features, [])


@export("contrib.labeled_tensor.placeholder")
def placeholder(dtype: Any, axes: Any, name: str | None = None) -> LabeledTensor:
    """A placeholder with the given axes; see `tf.placeholder`."""
    with name_scope(name, "lt_placeholder", []) as scope:
        found = Axes(Axis(axis, None) if isinstance(axis, str) else axis for axis in axes)
        return LabeledTensor(array.placeholder(dtype, [axis.size for axis in found.values()], name=scope), found)
