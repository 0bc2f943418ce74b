# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.applications.densenet."""

from typing import Any

from evergraph.keras.applications import DenseNet121 as DenseNet121
from evergraph.keras.applications import DenseNet169 as DenseNet169
from evergraph.keras.applications import DenseNet201 as DenseNet201

def decode_predictions(preds: Any, top: Any = 5, **kwargs: Any) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, data_format: str | None = None, **kwargs: Any) -> Any:
    """Preprocesses a numpy array encoding a batch of images."""
