"""The receptive field of a node: size, stride and padding, by a walk back from the output (Araujo et al., 2019)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.contrib.receptive_field.layers import base_name, layer_params
from evergraph.contrib.receptive_field.order import get_compute_order
from evergraph.graph.graph import Graph


class ReceptiveField:
    """The part of an image that an element of a feature map is computed from; unpacks as a tuple of six numbers.

    Args:
        size: its size along x and y.
        stride: how many pixels lie between those of neighbouring elements.
        padding: how many pixels the first one begins before the image; elements may be None.
    """

    def __init__(self, size: Any, stride: Any, padding: Any) -> None:
        self.size, self.stride, self.padding = np.asarray(size), np.asarray(stride), np.asarray(padding)

    def _parts(self, axis: Any) -> tuple[Any, Any, Any]:
        """(size, stride, padding) along axes.

        Raises:
            ValueError: the padding is not known.
        """
        axis = list(range(len(self.size))) if axis is None else axis
        padding = self.padding[axis]
        if np.any(np.equal(padding, None)):
            raise ValueError("The padding depends on the size of the image: give input_resolution")
        return self.size[axis], self.stride[axis], np.asarray(padding, np.int64)

    def compute_input_center_coordinates(self, y: Any, axis: Any = None) -> Any:
        """The middle of what elements are computed from, as places in the image.

        Args:
            y: places in the feature map, [..., axes].
            axis: which axes they are, 0 for x and 1 for y; both by default.
        """
        size, stride, padding = self._parts(axis)
        return -padding + np.asarray(y) * stride + (size - 1) / 2

    def compute_feature_coordinates(self, x: Any, axis: Any = None) -> Any:
        """The places in the feature map that have their middle at places in the image, as floats.

        Args:
            x: places in the image, [..., axes].
            axis: which axes they are; both by default.
        """
        size, stride, padding = self._parts(axis)
        return (np.asarray(x) + padding + (1 - size) / 2) / stride

    def __iter__(self) -> Iterator[Any]:
        return iter([*self.size.tolist(), *self.stride.tolist(), *self.padding.tolist()])


class _Field:
    """What is known of a node along one axis, seen from the output."""

    def __init__(self, size: int = 1, stride: int = 1, padding: int | None = 0) -> None:
        self.size, self.stride, self.padding = size, stride, padding

    def before(self, kernel: int, stride: int, padding: int | None) -> _Field:
        """What is known of the input of a layer, given that of its output."""
        unknown = padding is None or self.padding is None
        return _Field(stride * self.size + kernel - stride, self.stride * stride,
                      None if unknown else stride * self.padding + padding)

    def joined(self, other: _Field, name: str) -> _Field:
        """The field by two ways.

        Raises:
            ValueError: they have other strides or other centers, so that there is no one field.
        """
        if self.stride != other.stride:
            raise ValueError(f"{name} is reached with strides {self.stride} and {other.stride}: it has no one field")
        if self.padding is None or other.padding is None:
            return _Field(max(self.size, other.size), self.stride, None)
        if 2 * self.padding - self.size != 2 * other.padding - other.size:
            raise ValueError(f"Ways to {name} have fields with different centers: it has no one field")
        return self if self.size >= other.size else other


@export("contrib.receptive_field.compute_receptive_field_from_graph_def",
        "contrib.receptive_field.receptive_field_api.compute_receptive_field_from_graph_def")
def compute_receptive_field_from_graph_def(graph_def: Any, input_node: str, output_node: str,
                                           stop_propagation: Sequence[str] | None = None,
                                           input_resolution: Sequence[int] | None = None) -> ReceptiveField:
    """The receptive field of an output of a convolutional network.

    Args:
        graph_def: a GraphDef, or a graph.
        input_node: the name of the node with the images.
        output_node: the name of the output.
        stop_propagation: names of nodes whose inputs are not followed.
        input_resolution: [height, width] of the images; None if it is not known, and paddings that depend on it are
            None as well.

    Returns:
        The field, which unpacks as (size x, size y, stride x, stride y, padding x, padding y).

    Raises:
        ValueError: a node is not in the graph or of a kind that is not known, or the output has no one field.
    """
    if isinstance(graph_def, Graph):
        graph_def = graph_def.as_graph_def()
    infos, name_to_node = get_compute_order(graph_def, input_node, input_resolution)
    for name in (input_node, output_node):
        if name not in infos:
            raise ValueError(f"There is no node {name} in the graph")
    fields: dict[str, tuple[_Field, _Field]] = {output_node: (_Field(), _Field())}
    stops = frozenset(stop_propagation or ())
    for info in sorted(infos.values(), key=lambda each: each.order, reverse=True):
        name = info.node.name
        if name not in fields or name == input_node or name in stops or not info.node.input:
            continue
        params = layer_params(info.node, name_to_node, info.input_size)
        made = tuple(fields[name][axis].before(*params[axis:6:2]) for axis in (0, 1))
        for source in info.node.input:
            at = base_name(source)
            if source.startswith("^") or at not in infos or at in stops:
                continue
            fields[at] = made if at not in fields else tuple(
                old.joined(new, at) for old, new in zip(fields[at], made))
    if input_node not in fields:
        raise ValueError(f"{output_node} does not depend on {input_node}")
    across, down = fields[input_node]
    return ReceptiveField([across.size, down.size], [across.stride, down.stride], [across.padding, down.padding])
