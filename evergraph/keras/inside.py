"""The names that programs import from inside TensorFlow: tensorflow.python.keras and tensorflow.python.layers."""
from __future__ import annotations

from evergraph.base.export import EXPORTS, export
from evergraph.keras import (  # noqa: F401 - each exports its names
    arithmetic,
    catalogue,
    frames,
    function,
    loop,
    loss_classes,
    losses,
    model,
    tensors,
    utilities,
)
from evergraph.layers import convolution, functional, normalization, pooling, separable, transpose  # noqa: F401
from evergraph.layers.dense import Dense  # noqa: F401
from evergraph.layers.dropout import Dropout  # noqa: F401
from evergraph.layers.flatten import Flatten  # noqa: F401
from evergraph.layers.layer import Layer  # noqa: F401
from evergraph.layers.style import keras_style_scope  # noqa: F401

# Which module of tensorflow.python.layers a name of tf.layers is found in: by what it contains.
_LAYERS = {"onv": "convolutional", "ormalization": "normalization", "ooling": "pooling", "ense": "core",
           "ropout": "core", "latten": "core", "Layer": "base", "InputSpec": "base", "keras_style": "base"}


def _name_inside() -> None:
    """Names everything of tf.keras and tf.layers below tensorflow.python too."""
    for name, (home, value) in list(EXPORTS.items()):
        if name.startswith("keras."):
            export(f"python.{name}", module=home)(value)
        room, _, last = name.rpartition(".")
        if room in ("layers", "layers.experimental"):
            for word, module in _LAYERS.items():
                if word in last:
                    export(f"python.layers.{module}.{last}", module=home)(value)


_name_inside()
