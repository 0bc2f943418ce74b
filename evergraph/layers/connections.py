"""What a layer was called with and what it gave, call by call."""
from __future__ import annotations

from typing import Any, NamedTuple

from evergraph.base import nest


class Call(NamedTuple):
    """One call of a layer."""

    inputs: Any
    outputs: Any


def shapes_of(structure: Any) -> Any:
    return nest.map_structure(lambda tensor: tensor.shape, structure)


def mask_of(tensor: Any) -> Any:
    """The Keras mask of a tensor, or None.

    Layers and programs that are written for Keras get and set the attribute `_keras_mask` themselves, so a mask is kept
    there and nowhere else.
    """
    return getattr(tensor, "_keras_mask", None)


def set_mask(tensor: Any, mask: Any) -> None:
    """Makes `mask` the Keras mask of a tensor."""
    tensor._keras_mask = mask


def masks_of(structure: Any) -> Any:
    """The Keras masks of the tensors in a structure, None for tensors without one."""
    return nest.map_structure(mask_of, structure)


class Connected:
    """The part of a layer that answers for its calls; the layer appends to `_inbound_nodes`."""

    name: str

    def __init__(self) -> None:
        self._inbound_nodes: list[Call] = []
        self._outbound_nodes: list[Call] = []

    inbound_nodes = property(lambda self: self._inbound_nodes, doc="The calls of this layer.")
    outbound_nodes = property(lambda self: self._outbound_nodes, doc="The calls of other layers on its outputs.")

    def _at(self, node_index: int, what: str) -> Call:
        if not self._inbound_nodes:
            raise RuntimeError(f"layer {self.name} has no {what} before its first call")
        if not len(self._inbound_nodes) > node_index:
            raise ValueError(f"the layer was called {len(self._inbound_nodes)} times: there is no "
                             f"{what} at node {node_index}")
        return self._inbound_nodes[node_index]

    def get_input_at(self, node_index: int) -> Any:
        """What the layer was called with the `node_index`-th time.

        Raises:
            RuntimeError: the layer was never called.
            ValueError: it was not called so often.
        """
        return self._at(node_index, "input").inputs

    def get_output_at(self, node_index: int) -> Any:
        """What the layer gave the `node_index`-th time; raises as `get_input_at` does."""
        return self._at(node_index, "output").outputs

    def get_input_shape_at(self, node_index: int) -> Any:
        """The shape of what the layer was called with; raises as `get_input_at` does."""
        return shapes_of(self._at(node_index, "input shape").inputs)

    def get_output_shape_at(self, node_index: int) -> Any:
        """The shape of what the layer gave; raises as `get_input_at` does."""
        return shapes_of(self._at(node_index, "output shape").outputs)

    def get_input_mask_at(self, node_index: int) -> Any:
        """The mask of what the layer was called with; raises as `get_input_at` does."""
        return masks_of(self.get_input_at(node_index))

    def get_output_mask_at(self, node_index: int) -> Any:
        """The mask of what the layer gave; raises as `get_input_at` does."""
        return masks_of(self.get_output_at(node_index))

    def _only_call(self, what: str) -> Call:
        if not self._inbound_nodes:
            raise AttributeError(f"Layer {self.name} is not connected, no {what} to return.")
        if len(self._inbound_nodes) > 1:
            raise AttributeError(f'Layer {self.name} has multiple inbound nodes, hence the notion of "layer {what}" is '
                                 f"ill-defined. Use `get_{what}_at(node_index)` instead.")
        return self._inbound_nodes[0]

    @property
    def input(self) -> Any:
        """What the layer was called with; AttributeError unless it was called exactly once."""
        return self._only_call("input").inputs

    @property
    def output(self) -> Any:
        """What the layer gave; AttributeError unless it was called exactly once."""
        return self._only_call("output").outputs

    @property
    def input_mask(self) -> Any:
        """The mask of the input; AttributeError unless the layer was called exactly once."""
        return masks_of(self.input)

    @property
    def output_mask(self) -> Any:
        """The mask of the output; AttributeError unless the layer was called exactly once."""
        return masks_of(self.output)

    def _only_shape(self, what: str) -> Any:
        if not self._inbound_nodes:
            raise AttributeError(f"layer {self.name} has no {what} shape before its first call")
        shapes = [shapes_of(getattr(call, f"{what}s")) for call in self._inbound_nodes]
        if any(str(shape) != str(shapes[0]) for shape in shapes):
            raise AttributeError(f"layer {self.name} was called with several {what} shapes; "
                                 f"get_{what}_shape_at says that of one call")
        return shapes[0]

    @property
    def input_shape(self) -> Any:
        """The shape of the input; AttributeError unless it was the same in all calls."""
        return self._only_shape("input")

    @property
    def output_shape(self) -> Any:
        """The shape of the output; AttributeError unless it was the same in all calls."""
        return self._only_shape("output")
