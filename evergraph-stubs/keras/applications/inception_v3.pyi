# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.applications.inception_v3."""

from typing import Any

from evergraph.keras.applications import InceptionV3 as InceptionV3

def decode_predictions(preds: Any, top: Any = 5, **kwargs: Any) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, **kwargs: Any) -> Any:
    """Preprocesses a numpy array encoding a batch of images."""
