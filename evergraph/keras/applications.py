"""tf.keras.applications: the models of the package keras-applications, built of evergraph's layers."""
from __future__ import annotations

import functools
from typing import Any

from evergraph.base.export import export
from evergraph.keras import history
from evergraph.keras.packages import applications, keras_module

_MODELS = {
    "densenet": ("DenseNet121", "DenseNet169", "DenseNet201"), "inception_resnet_v2": ("InceptionResNetV2",),
    "inception_v3": ("InceptionV3",), "mobilenet": ("MobileNet",), "mobilenet_v2": ("MobileNetV2",),
    "nasnet": ("NASNetLarge", "NASNetMobile"), "resnet": ("ResNet50", "ResNet101", "ResNet152"),
    "resnet_v2": ("ResNet50V2", "ResNet101V2", "ResNet152V2"), "vgg16": ("VGG16",), "vgg19": ("VGG19",),
    "xception": ("Xception",),
}
"""Module -> its models."""


class _Backend:
    """tf.keras.backend with the functions that keras-applications takes from it besides."""

    is_keras_tensor = staticmethod(lambda tensor: history.history(tensor) is not None)

    def __getattr__(self, name: str) -> Any:
        return getattr(keras_module("backend"), name)


def _with_evergraph(function: Any) -> Any:
    """A function of keras-applications that uses evergraph's layers."""
    @functools.wraps(function)
    def injected(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **{"backend": _Backend(), "layers": keras_module("layers"),
                                  "models": keras_module("models"), "utils": keras_module("utils"), **kwargs})
    return injected


def _exported(part: str, name: str, *more: str) -> Any:
    return export(f"keras.applications.{part}.{name}", *more)(_with_evergraph(getattr(applications(part), name)))


for _part, _names in _MODELS.items():
    for _name in _names:
        globals()[_name] = _exported(_part, _name, f"keras.applications.{_name}")
    for _name in ("preprocess_input", "decode_predictions"):
        globals()[f"{_part}_{_name}"] = _exported(_part, _name)
for _name in ("preprocess_input", "decode_predictions"):
    globals()[f"imagenet_utils_{_name}"] = _exported("imagenet_utils", _name)
export("keras.applications.resnet50.ResNet50")(globals()["ResNet50"])
for _name in ("preprocess_input", "decode_predictions"):
    export(f"keras.applications.resnet50.{_name}")(globals()[f"resnet_{_name}"])
