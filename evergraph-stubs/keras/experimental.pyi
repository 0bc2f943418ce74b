# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.experimental."""

from collections.abc import Mapping
from evergraph import Tensor
from evergraph.keras import Model
from evergraph.keras.layers import LSTMCell, Layer
from evergraph.keras.optimizers.schedules import LearningRateSchedule
from typing import Any

class CosineDecay(LearningRateSchedule):
    """Cosine decay (Loshchilov and Hutter, 2016)."""
    @staticmethod
    def formula(
        learning_rate: Any, global_step: Any, decay_steps: Any, alpha: float = 0.0, name: str | None = None,
    ) -> Tensor:
        """Cosine decay (Loshchilov and Hutter, 2016, without restarts): half a period of a cosine within
        `decay_steps`."""
    def __call__(self, step: Any) -> Any: ...
    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, alpha: float = 0.0, name: str | None = None,
    ) -> None: ...

class CosineDecayRestarts(LearningRateSchedule):
    """Cosine decay with warm restarts (Loshchilov and Hutter, 2016)."""
    @staticmethod
    def formula(
        learning_rate: Any, global_step: Any, first_decay_steps: Any, t_mul: Any = 2.0, m_mul: Any = 1.0,
        alpha: Any = 0.0, name: str | None = None,
    ) -> Tensor:
        """Cosine decay with warm restarts, SGDR (Loshchilov and Hutter, 2016)."""
    def __call__(self, step: Any) -> Any: ...
    def __init__(
        self, initial_learning_rate: Any, first_decay_steps: Any, t_mul: float = 2.0, m_mul: float = 1.0,
        alpha: float = 0.0, name: str | None = None,
    ) -> None: ...

class LinearCosineDecay(LearningRateSchedule):
    """Linear cosine decay (Bello et al., 2017): (alpha + linear) * cosine + beta, times the first rate."""
    @staticmethod
    def formula(
        learning_rate: Any, global_step: Any, decay_steps: Any, num_periods: Any = 0.5, alpha: Any = 0.0,
        beta: Any = 0.001, name: str | None = None,
    ) -> Tensor:
        """Linear cosine decay (Bello et al., 2017): a linear decay times a cosine."""
    def __call__(self, step: Any) -> Any: ...
    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, num_periods: float = 0.5, alpha: float = 0.0,
        beta: float = 0.001, name: str | None = None,
    ) -> None: ...

class LinearModel(Model):
    """A linear model: the sum of a product for each input, plus a bias."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any:
        """The sum over the inputs: a tensor, a list or tuple, or a dictionary of them."""
    def get_config(self) -> Any:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """A model with these arguments; `custom_objects` holds functions and classes by name."""
    def __init__(
        self, units: Any = 1, activation: Any = None, use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None, **kwargs: Any,
    ) -> None: ...
    dense_layers: list[Any]
    bias: Any

class NoisyLinearCosineDecay(LearningRateSchedule):
    """Linear cosine decay with normal noise on the linear part, whose variance falls with the steps."""
    @staticmethod
    def formula(
        learning_rate: Any, global_step: Any, decay_steps: Any, initial_variance: Any = 1.0,
        variance_decay: Any = 0.55, num_periods: Any = 0.5, alpha: Any = 0.0, beta: Any = 0.001,
        name: str | None = None,
    ) -> Tensor:
        """Linear cosine decay with noise (Bello et al., 2017): `tf.train.linear_cosine_decay` with noise added
        to linear."""
    def __call__(self, step: Any) -> Any: ...
    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, initial_variance: float = 1.0,
        variance_decay: float = 0.55, num_periods: float = 0.5, alpha: float = 0.0, beta: float = 0.001,
        name: str | None = None,
    ) -> None: ...

class PeepholeLSTMCell(LSTMCell):
    """An LSTM cell whose gates see its state (Gers and Schmidhuber, 2000); see
    `tf.keras.layers.LSTMCell`."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, states: Any, training: Any = None) -> tuple[Any, Any]:
        """One step: (output, [output, cell state])."""
    input_gate_peephole_weights: Any
    forget_gate_peephole_weights: Any
    output_gate_peephole_weights: Any

class SequenceFeatures(Layer):
    """A layer that makes one tensor of sequences: what columns give for each step, sorted by their
    names."""
    kind: type
    word: str
    def call(self, features: Mapping[str, Any]) -> tuple[Any, Any]:
        """(a tensor [batch, steps, width], the number of steps of each example)."""
    def compute_output_shape(self, input_shape: Any) -> tuple[Any, Any, int]:
        """The shape of the tensor, for a shape whose first sizes are batch and steps."""
    def build(self, _: Any) -> None:
        """Makes the variables of the columns."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make a like layer from."""
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Layer:
        """A layer with these arguments; `custom_objects` holds functions and classes by name."""
    def __call__(self, features: Any, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(
        self, feature_columns: Any, trainable: bool = True, name: str | None = None, **kwargs: Any,
    ) -> None: ...

class WideDeepModel(Model):
    """A wide and deep model (Cheng et al., 2016): the sum of a linear model and a deep one."""
    def call(self, inputs: Any) -> Any:
        """The sum of both models' outputs, for a pair of their inputs, or the same input of both."""
    def get_config(self) -> Any:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """A model with these arguments."""
    def __init__(self, linear_model: Any, dnn_model: Any, activation: Any = None, **kwargs: Any) -> None: ...
    activation: Any
    linear_model: Any
    dnn_model: Any

def export_saved_model(
    model: Any, saved_model_path: Any, custom_objects: dict[str, Any] | None = None, as_text: bool = False,
    input_signature: Any = None, serving_only: bool = False,
) -> None:
    """Exports a model as a SavedModel that servers read, with its weights, and its configuration as
    JSON."""

def load_from_saved_model(saved_model_path: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The model that `export_saved_model` wrote, with its weights, and not compiled."""

def terminate_keras_multiprocessing_pools(grace_period: float = 0.1, use_sigkill: bool = False) -> None:
    """Ends the worker processes of all enqueuers of this process."""
