"""tf.keras.utils.get_source_inputs, and kernels in the order of another backend."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.keras import history, session
from evergraph.keras.convolution import Convolution, Transposed
from evergraph.keras.inputs import InputLayer


@export("keras.utils.get_source_inputs")
def get_source_inputs(tensor: Any, layer: Any = None, node_index: int | None = None) -> list[Any]:
    """The inputs of a functional model that a tensor comes from.

    Args:
        tensor: the tensor.
        layer: the layer that produced it; by default it is known from the tensor.
        node_index: the number of the layer's call.
    """
    if layer is None or node_index:
        found = history.history(tensor)
        if found is None:
            return [tensor]
        layer, node_index = found.layer, found.node_index
    nodes = layer.keras_nodes
    if not nodes:
        return [tensor]
    node = nodes[node_index or 0]
    if isinstance(layer, InputLayer):
        return [node.outputs]
    sources = [source for each in node.flat_inputs for source in get_source_inputs(each)]
    return [source for place, source in enumerate(sources) if not any(source is each for each in sources[:place])]


@export("keras.utils.convert_all_kernels_in_model")
def convert_all_kernels_in_model(model: Any) -> None:
    """Turns the kernels of a model's convolutions around in space: between TensorFlow's and Theano's order."""
    kernels = [layer.kernel for layer in model.layers if isinstance(layer, (Convolution, Transposed))]
    values = session.batch_get_value(kernels)
    session.batch_set_value([(kernel, convert_kernel(value)) for kernel, value in zip(kernels, values)])


def convert_kernel(kernel: Any) -> Any:
    """A kernel that is turned around in space.

    Raises:
        ValueError: it is not one of 1, 2 or 3 dimensions in space.
    """
    kernel = np.asarray(kernel)
    if not 3 <= kernel.ndim <= 5:
        raise ValueError("Invalid kernel shape:", kernel.shape)
    return np.copy(kernel[(slice(None, None, -1),) * (kernel.ndim - 2)])
