# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.applications.vgg16."""

from typing import Any

from evergraph.keras.applications import VGG16 as VGG16

def decode_predictions(preds: Any, top: Any = 5, **kwargs: Any) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, data_format: str | None = None, mode: Any = 'caffe', **kwargs: Any) -> Any:
    """Preprocesses a tensor or Numpy array encoding a batch of images."""
