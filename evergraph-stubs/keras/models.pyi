# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.models."""

from collections.abc import Callable
from typing import Any

from evergraph.keras import Model as Model
from evergraph.keras import Sequential as Sequential

def clone_model(
    model: Any, input_tensors: Any = None, clone_function: Callable[[Any], Any] | None = None,
) -> Any:
    """A model with the same layers as another one, whose variables are new and initialized."""

def load_model(
    filepath: Any, custom_objects: dict[str, Any] | None = None, compile: bool = True,
) -> Any:
    """A model from what `save` wrote: here, in TensorFlow 1.13 to 2.15, or in Keras 2.2 and 2.3."""

def model_from_config(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
    """A model from its class name and configuration, without weights."""

def model_from_json(json_string: str, custom_objects: dict[str, Any] | None = None) -> Any:
    """A model from what `to_json` wrote, without weights."""

def model_from_yaml(yaml_string: str, custom_objects: dict[str, Any] | None = None) -> Any:
    """A model from what `to_yaml` wrote, without weights."""

def save_model(
    model: Any, filepath: Any, overwrite: bool = True, include_optimizer: bool = True,
    save_format: str | None = None, signatures: Any = None,
) -> None:
    """Saves a model: how its layers are connected, their weights, how it is trained, and the state of the
    optimizer."""
