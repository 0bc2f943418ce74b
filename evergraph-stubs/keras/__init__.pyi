# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras."""

from evergraph.keras.layers import Layer
from typing import Any
from evergraph.keras import (
    activations as activations, backend as backend, constraints as constraints,
    experimental as experimental, initializers as initializers, layers as layers, losses as losses,
    metrics as metrics, models as models, regularizers as regularizers, utils as utils,
)

import sys
if sys.platform == "":
    del (
        advanced, arithmetic, attention, catalogue, cells, conv_lstm, convolution, core, cudnn, embedding,
        feature_layers, feature_linear, frames, function, history, inputs, layer, layers_by_name, local,
        loop, loss_classes, merge, model, noise, normalization, objects, outline, pooling, recurrent,
        recurrent_layers, resize, sequential, session, settings, tensors, utilities, wrappers,
    )

def Input(
    shape: Any = None, batch_size: Any = None, name: str | None = None, dtype: Any = None,
    sparse: Any = False, tensor: Any = None, ragged: Any = False, **kwargs: Any,
) -> Any:
    """A placeholder that functional models begin with."""

class Model(Layer):
    """Layers as one layer."""
    computes_masks_itself: bool
    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """What the model computes."""
    def build(self, input_shape: Any) -> None:
        """Makes the variables, by calling the model on placeholders of this shape."""
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape."""
    @property
    def layers(self) -> list[Any]:
        """The layers, from the inputs to the outputs; those of a subclass in the order they became
        attributes."""
    @property
    def weights(self) -> list[Any]:
        """All variables, layer by layer."""
    @property
    def state_updates(self) -> list[Any]:
        """The updates of the layers that keep states."""
    def reset_states(self) -> None:
        """Sets the states that layers keep to zero."""
    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """A layer by its name or its place."""
    @property
    def input(self) -> Any:
        """The inputs of the functional description; else what the model was called with."""
    @property
    def output(self) -> Any:
        """The outputs of the functional description; else what the model gave."""
    @property
    def input_shape(self) -> Any:
        """The shape of the inputs."""
    @property
    def output_shape(self) -> Any:
        """The shape of the outputs."""
    def summary(self, line_length: int | None = None, positions: Any = None, print_fn: Any = None) -> None:
        """Prints the layers, the shapes of their outputs and the numbers of their variables."""
    def get_config(self) -> dict[str, Any]:
        """Configurations of models are not supported, but for those of `tf.keras.Sequential`."""
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
        """A subclass made from its arguments; that of a functional description is not supported."""
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
    """Layers one after the other."""
    def add(self, layer: Any) -> None:
        """Adds a layer at the end."""
    def pop(self) -> None:
        """Takes the last layer away."""
    @property
    def layers(self) -> list[Any]:
        """The layers, that of the input aside."""
    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The output of the last layer."""
    def build(self, input_shape: Any = None) -> None:
        """Makes the variables, by calling the model on a placeholder of this shape."""
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make a like model from."""
    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
    ) -> Sequential:
        """A model with these layers."""
    def __init__(self, layers: Any = None, name: str | None = None) -> None: ...
