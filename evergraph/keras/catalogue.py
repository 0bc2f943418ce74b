"""tf.keras.layers.serialize and deserialize, for all layers."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.keras import (  # noqa: F401 - each registers its layers
    advanced,
    attention,
    conv_lstm,
    convolution,
    core,
    cudnn,
    embedding,
    inputs,
    layers_by_name,
    local,
    merge,
    noise,
    normalization,
    operation_layer,
    pooling,
    recurrent_layers,
    resize,
    sequential,
    wrappers,
)


@export("keras.layers.serialize")
def serialize(layer: Any) -> dict[str, Any]:
    """The name of a layer's class and its configuration."""
    return layers_by_name.serialize(layer)


@export("keras.layers.deserialize")
def deserialize(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
    """The layer, or the sequential model, of a serialized configuration.

    Args:
        config: a result of `serialize`.
        custom_objects: additional classes by name.

    Raises:
        ValueError: the class is unknown.
    """
    return layers_by_name.deserialize(config, custom_objects)
