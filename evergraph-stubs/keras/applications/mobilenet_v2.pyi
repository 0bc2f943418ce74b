# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.applications.mobilenet_v2."""

from typing import Any

from evergraph.keras.applications import MobileNetV2 as MobileNetV2

def decode_predictions(preds: Any, top: Any = 5, **kwargs: Any) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, **kwargs: Any) -> Any:
    """Preprocesses a numpy array encoding a batch of images."""
