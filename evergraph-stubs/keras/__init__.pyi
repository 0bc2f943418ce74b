# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras."""

from evergraph.keras.layers import Layer
from typing import Any
from evergraph.keras import (
    activations as activations, backend as backend, constraints as constraints, datasets as datasets,
    experimental as experimental, initializers as initializers, layers as layers, losses as losses,
    metrics as metrics, models as models, optimizers as optimizers, regularizers as regularizers,
    utils as utils,
)

import sys
if sys.platform == "":
    del (
        advanced, arithmetic, attention, bytecode, cached_files, catalogue, cells, conv_lstm, convolution,
        core, cudnn, embedding, feature_layers, feature_linear, frames, function, history, inputs, layer,
        layers_by_name, local, loop, loss_classes, merge, metric_areas, metric_counts, model, noise,
        normalization, objects, optimizer, outline, pooling, recurrent, recurrent_layers, resize,
        sequential, session, settings, tensors, utilities, wrappers,
    )

def Input(
    shape: Any = None, batch_size: Any = None, name: str | None = None, dtype: Any = None,
    sparse: Any = False, tensor: Any = None, ragged: Any = False, **kwargs: Any,
) -> Any:
    """Creates an input placeholder of a functional model."""

class Model(Layer):
    """A model: a graph of layers that acts as one layer."""
    computes_masks_itself: bool
    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The model's computation."""
    def build(self, input_shape: Any) -> None:
        """Creates the variables, by calling the model on placeholders of this shape."""
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape."""
    @property
    def layers(self) -> list[Any]:
        """The layers, from inputs to outputs; in a subclass, in the order of assignment to attributes."""
    @property
    def weights(self) -> list[Any]:
        """All variables, layer by layer."""
    @property
    def state_updates(self) -> list[Any]:
        """The state updates of stateful layers."""
    def reset_states(self) -> None:
        """Resets the states of stateful layers to zero."""
    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """A layer by name or index."""
    @property
    def input(self) -> Any:
        """The inputs of a functional model; else those of the model's call."""
    @property
    def output(self) -> Any:
        """The outputs of a functional model; else those of the model's call."""
    @property
    def input_shape(self) -> Any:
        """The shape of the inputs."""
    @property
    def output_shape(self) -> Any:
        """The shape of the outputs."""
    def summary(self, line_length: int | None = None, positions: Any = None, print_fn: Any = None) -> None:
        """Prints the layers with their output shapes and numbers of parameters."""
    def get_config(self) -> dict[str, Any]:
        """Raises UnimplementedError: only `tf.keras.Sequential` has a configuration."""
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
        """A subclassed model from its arguments; functional models are not supported."""
    def compile(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. compile is Keras' own training."""
    def fit(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. fit is Keras' own training."""
    def evaluate(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. evaluate is Keras' own training."""
    def predict(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. predict is Keras' own training."""
    def fit_generator(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. fit_generator is Keras' own training."""
    def evaluate_generator(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. evaluate_generator is Keras' own training."""
    def predict_generator(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. predict_generator is Keras' own training."""
    def train_on_batch(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. train_on_batch is Keras' own training."""
    def test_on_batch(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. test_on_batch is Keras' own training."""
    def predict_on_batch(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. predict_on_batch is Keras' own training."""
    def reset_metrics(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. reset_metrics is Keras' own training."""
    def save(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. save is Keras' own training."""
    def save_weights(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. save_weights is Keras' own training."""
    def load_weights(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. load_weights is Keras' own training."""
    def to_json(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. to_json is Keras' own training."""
    def to_yaml(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. to_yaml is Keras' own training."""
    def predict_classes(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. predict_classes is Keras' own training."""
    def predict_proba(self, *args: Any, **kwargs: Any) -> Any:
        """Not supported: raises UnimplementedError. predict_proba is Keras' own training."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    inputs: Any
    outputs: Any
    input_names: Any
    output_names: Any
    built: Any

class Sequential(Model):
    """A linear stack of layers."""
    def add(self, layer: Any) -> None:
        """Appends a layer."""
    def pop(self) -> None:
        """Removes the last layer."""
    @property
    def layers(self) -> list[Any]:
        """The layers, without the input layer."""
    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The output of the last layer."""
    def build(self, input_shape: Any = None) -> None:
        """Creates the variables, by calling the model on a placeholder of this shape."""
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
    ) -> Sequential:
        """A model with these layers."""
    def __init__(self, layers: Any = None, name: str | None = None) -> None: ...
