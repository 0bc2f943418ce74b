# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras."""

from evergraph.keras.callbacks import History
from evergraph.keras.layers import Layer
from typing import Any
from evergraph.keras import (
    activations as activations, applications as applications, backend as backend, callbacks as callbacks,
    config as config, constraints as constraints, datasets as datasets, estimator as estimator,
    experimental as experimental, initializers as initializers, layers as layers, losses as losses,
    metrics as metrics, mixed_precision as mixed_precision, models as models, optimizers as optimizers,
    preprocessing as preprocessing, regularizers as regularizers, utils as utils, wrappers as wrappers,
)

import sys
if sys.platform == "":
    del (
        added_layers, advanced, arithmetic, as_json, attention, batches, bytecode, cached_files,
        callbacks_files, callbacks_monitor, catalogue, cells, cloning, compilation, conv_lstm, convolution,
        core, cudnn, datasets_text, eager_training, embedding, estimators, exported_models, feature_layers,
        feature_linear, frames, function, given_arrays, graph_rewrite, graph_training, hdf5, hdf5_matrix,
        hdf5_models, hdf5_weights, history, inputs, internals, lambda_config, layer, layers_by_name, local,
        loop, loops, loss_classes, loss_scale_optimizer, losses_by_name, merge, metric_areas, metric_counts,
        metric_functions, metric_tensors, metrics_by_name, model, model_from_text, model_inspection,
        model_loading, model_order, model_plot, model_saving, model_text, multi_gpu, network, newer_configs,
        noise, normalization, objective, objects, operation_layer, optimizer, optimizers_adam,
        optimizers_by_name, outline, packages, plain_pickles, policy, pooling, premade, preprocessing_image,
        preprocessing_text, progress, recurrent, recurrent_layers, recurrent_weights, replay,
        replicated_training, resize, revived_models, saved_metadata, saved_model_reading,
        saved_model_writing, schedules, scikit_learn, sequences, sequential, session, settings, tensorboard,
        tensors, training, training_config, training_data, utilities, version, weight_files,
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
    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds losses to those that training minimizes."""
    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Adds a metric, whose value `fit` and `evaluate` report; see `tf.keras.layers.Layer.add_metric`."""
    @property
    def updates(self) -> list[Any]:
        """The updates of the layers; in a graph, those that follow from the inputs of the model, or from
        none."""
    @property
    def layers(self) -> list[Any]:
        """The layers, from inputs to outputs; in a subclass, in the order of assignment to attributes."""
    @property
    def weights(self) -> list[Any]:
        """All variables: those of the layers, one layer after the other, then the model's own."""
    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that training changes; raises as `weights` does."""
    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables; raises as `weights` does."""
    @property
    def state_updates(self) -> list[Any]:
        """The state updates of stateful layers."""
    def reset_states(self) -> None:
        """Resets the states of stateful layers to zero."""
    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses of the layers that depend on these inputs; for None, those that depend on no input."""
    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates of the layers that depend on these inputs; for None, those that depend on no input."""
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
        """The layers and their connections, for `from_config`."""
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
        """A model from its configuration, with new variables."""
    def to_json(self, **kwargs: Any) -> str:
        """The model's configuration as JSON, for `tf.keras.models.model_from_json`."""
    def to_yaml(self, **kwargs: Any) -> str:
        """The model's configuration as YAML, for `tf.keras.models.model_from_yaml`."""
    def save(
        self, filepath: Any, overwrite: bool = True, include_optimizer: bool = True,
        save_format: str | None = None, signatures: Any = None,
    ) -> None:
        """Saves the model to a file or folder; see `tf.keras.models.save_model`."""
    def save_weights(self, filepath: Any, overwrite: bool = True, save_format: str | None = None) -> None:
        """Saves the values of the variables."""
    def load_weights(self, filepath: Any, by_name: bool = False) -> Any:
        """Sets the variables from an HDF5 file or a checkpoint."""
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    optimizer: Any
    loss: Any
    loss_weights: Any
    sample_weight_mode: Any
    history: Any
    stop_training: bool
    def compile(
        self, optimizer: Any = 'rmsprop', loss: Any = None, metrics: Any = None, loss_weights: Any = None,
        sample_weight_mode: Any = None, weighted_metrics: Any = None, target_tensors: Any = None,
        distribute: Any = None, **kwargs: Any,
    ) -> None:
        """Settles how the model is trained."""
    @property
    def metrics(self) -> list[Any]:
        """The metrics of `compile`, then those of layers."""
    @property
    def metrics_names(self) -> list[str]:
        """The names of what `evaluate` returns."""
    @property
    def run_eagerly(self) -> bool:
        """Whether steps run as Python, with eager execution."""
    @run_eagerly.setter
    def run_eagerly(self, value: Any) -> None: ...
    @property
    def total_loss(self) -> Any:
        """The tensor of the loss that is minimized, in a graph."""
    @property
    def targets(self) -> list[Any]:
        """The tensors of the labels, in a graph."""
    def fit(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, epochs: int = 1, verbose: int = 1,
        callbacks: Any = None, validation_split: float = 0.0, validation_data: Any = None, shuffle: Any = True,
        class_weight: Any = None, sample_weight: Any = None, initial_epoch: int = 0,
        steps_per_epoch: int | None = None, validation_steps: int | None = None, validation_freq: Any = 1,
        max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False, **kwargs: Any,
    ) -> History:
        """Trains the model."""
    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, verbose: int = 1,
        sample_weight: Any = None, steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False,
    ) -> Any:
        """The loss and the metrics of the model on data."""
    def predict(
        self, x: Any, batch_size: int | None = None, verbose: int = 0, steps: int | None = None,
        callbacks: Any = None, max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False,
    ) -> Any:
        """The outputs of the model for inputs, batch by batch."""
    def fit_generator(
        self, generator: Any, steps_per_epoch: int | None = None, epochs: int = 1, verbose: int = 1,
        callbacks: Any = None, validation_data: Any = None, validation_steps: int | None = None,
        validation_freq: Any = 1, class_weight: Any = None, max_queue_size: int = 10, workers: int = 1,
        use_multiprocessing: bool = False, shuffle: bool = True, initial_epoch: int = 0,
    ) -> Any:
        """Trains the model on a generator or a `tf.keras.utils.Sequence`; `fit` does the same."""
    def evaluate_generator(
        self, generator: Any, steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:
        """The loss and the metrics on a generator or a `tf.keras.utils.Sequence`; `evaluate` does the same."""
    def predict_generator(
        self, generator: Any, steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:
        """The outputs for the inputs of a generator or a `tf.keras.utils.Sequence`; `predict` does the same."""
    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None,
        reset_metrics: bool = True,
    ) -> Any:
        """Trains on one batch."""
    def test_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, reset_metrics: bool = True,
    ) -> Any:
        """The loss and the metrics of one batch; arguments as for `train_on_batch`."""
    def predict_on_batch(self, x: Any) -> Any:
        """The outputs for one batch: an array, or a list of them."""
    def reset_metrics(self) -> None:
        """Sets the metrics to zero."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    inputs: Any
    outputs: Any
    input_names: Any
    output_names: Any
    built: Any

class Sequential(Model):
    """A linear stack of layers."""
    def add(self, layer: Any) -> None:
        """Appends a layer; what `tf.keras.Input` gives stands for the layer that made it."""
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
    def predict_proba(self, x: Any, batch_size: int | None = 32, verbose: int = 0) -> Any:
        """The outputs for inputs; the same as `predict`, with a warning if they are no probabilities."""
    def predict_classes(self, x: Any, batch_size: int | None = 32, verbose: int = 0) -> Any:
        """The classes with the largest outputs; for a single output, whether it is above 0.5."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: Any, custom_objects: dict[str, Any] | None = None) -> Sequential:
        """A model with these layers, as `get_config` describes them; or of a list of their descriptions."""
    def __init__(self, layers: Any = None, name: str | None = None) -> None: ...
    output_names: Any

__version__: str
