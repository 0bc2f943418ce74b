# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.layers."""

from collections.abc import Callable
from evergraph import Module, Tensor, TensorShape, name_scope as _name_scope
from typing import Any
from evergraph.layers import experimental as experimental

import sys
if sys.platform == "":
    del (
        connections, convolution, functional, identifiers, input_spec, layer, normalization, pooling, rnn,
        rnn_cell, rnn_static, rnn_wrappers, separable, sizes, style, transpose,
    )

class AveragePooling1D(Layer):
    """A 1-D average pooling layer: the mean of the elements in each window."""
    rank: int
    op: Callable[..., Any]
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
        name: str | None = None, **kwargs: Any,
    ) -> None: ...
    pool_size: Any
    strides: Any
    padding: Any
    data_format: Any

class AveragePooling2D(Layer):
    """A 2-D average pooling layer: the mean of the elements in each window."""
    rank: int
    op: Callable[..., Any]
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
        name: str | None = None, **kwargs: Any,
    ) -> None: ...
    pool_size: Any
    strides: Any
    padding: Any
    data_format: Any

class AveragePooling3D(Layer):
    """A 3-D average pooling layer: the mean of the elements in each window."""
    rank: int
    op: Callable[..., Any]
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
        name: str | None = None, **kwargs: Any,
    ) -> None: ...
    pool_size: Any
    strides: Any
    padding: Any
    data_format: Any

class BatchNormalization(Layer):
    """Batch normalization (Ioffe and Szegedy, 2015): gamma * (inputs - mean) / sqrt(variance + epsilon) +
    beta."""
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, training: Any = False) -> Any:
        """The normalized inputs."""
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, axis: Any = -1, momentum: Any = 0.99, epsilon: Any = 0.001, center: Any = True, scale: Any = True,
        beta_initializer: Any = ..., gamma_initializer: Any = ..., moving_mean_initializer: Any = ...,
        moving_variance_initializer: Any = ..., beta_regularizer: Any = None, gamma_regularizer: Any = None,
        beta_constraint: Any = None, gamma_constraint: Any = None, renorm: Any = False,
        renorm_clipping: Any = None, renorm_momentum: Any = 0.99, fused: Any = None, trainable: Any = True,
        virtual_batch_size: Any = None, adjustment: Any = None, name: str | None = None, **kwargs: Any,
    ) -> None: ...
    axis: Any
    beta_initializer: Any
    gamma_initializer: Any
    moving_mean_initializer: Any
    moving_variance_initializer: Any
    beta_regularizer: Any
    gamma_regularizer: Any
    beta_constraint: Any
    gamma_constraint: Any
    renorm_clipping: Any
    fused: Any
    supports_masking: Any
    momentum: Any
    epsilon: Any
    center: Any
    scale: Any
    renorm: Any
    renorm_momentum: Any
    virtual_batch_size: Any
    adjustment: Any
    built: Any
    gamma: Any
    beta: Any
    moving_mean: Any
    moving_variance: Any
    moving_stddev: Any
    renorm_mean: Any
    renorm_stddev: Any

class Conv1D(Layer):
    """A 1-D convolution layer, such as a temporal convolution: activation(conv1d(inputs, kernel) +
    bias)."""
    rank: int
    paddings: tuple[str, ...]
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: str = 'channels_last', dilation_rate: Any = 1, activation: Any = None,
        use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = ...,
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True,
        name: str | None = None, **kwargs: Any,
    ) -> None: ...
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel: Any
    built: Any
    bias: Any

class Conv2D(Layer):
    """A 2-D convolution layer, for images: activation(conv2d(inputs, kernel) + bias)."""
    rank: int
    paddings: tuple[str, ...]
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: str = 'channels_last', dilation_rate: Any = 1, activation: Any = None,
        use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = ...,
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True,
        name: str | None = None, **kwargs: Any,
    ) -> None: ...
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel: Any
    built: Any
    bias: Any

class Conv2DTranspose(Layer):
    """A transposed 2-D convolution layer, or deconvolution: the gradient of a 2-D convolution."""
    rank: int
    op: Callable[..., Any]
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    paddings: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: str = 'channels_last', activation: Any = None, use_bias: Any = True,
        kernel_initializer: Any = None, bias_initializer: Any = ..., kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, trainable: Any = True, name: str | None = None, **kwargs: Any,
    ) -> None: ...
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel: Any
    built: Any
    bias: Any

class Conv3D(Layer):
    """A 3-D convolution layer, for volumes and videos: activation(conv3d(inputs, kernel) + bias)."""
    rank: int
    paddings: tuple[str, ...]
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: str = 'channels_last', dilation_rate: Any = 1, activation: Any = None,
        use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = ...,
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True,
        name: str | None = None, **kwargs: Any,
    ) -> None: ...
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel: Any
    built: Any
    bias: Any

class Conv3DTranspose(Layer):
    """A transposed 3-D convolution layer, or deconvolution: the gradient of a 3-D convolution."""
    rank: int
    op: Callable[..., Any]
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    paddings: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: str = 'channels_last', activation: Any = None, use_bias: Any = True,
        kernel_initializer: Any = None, bias_initializer: Any = ..., kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, trainable: Any = True, name: str | None = None, **kwargs: Any,
    ) -> None: ...
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel: Any
    built: Any
    bias: Any

class Dense(Layer):
    """A dense, or fully connected, layer: activation(inputs @ kernel + bias)."""
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, units: Any, activation: Any = None, use_bias: Any = True, kernel_initializer: Any = None,
        bias_initializer: Any = ..., kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        trainable: Any = True, name: str | None = None, **kwargs: Any,
    ) -> None: ...
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    supports_masking: Any
    units: Any
    activation: Any
    use_bias: Any
    kernel: Any
    bias: Any
    built: Any

class Dropout(Layer):
    """Dropout (Srivastava et al., 2014): in training, sets elements to zero at random."""
    fields: tuple[str, ...]
    def call(self, inputs: Any, training: Any = False) -> Any:
        """Applies dropout to the inputs."""
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, rate: Any = 0.5, noise_shape: Any = None, seed: Any = None, name: str | None = None,
        **kwargs: Any,
    ) -> None: ...
    supports_masking: Any
    rate: Any
    noise_shape: Any
    seed: Any

class Flatten(Layer):
    """Flattens inputs of shape [batch, ...] to [batch, number of elements]."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

class InputSpec:
    """The dtype, rank and shape of an input; None says nothing about them."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal specification from."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """A specification with these arguments."""
    def __init__(
        self, dtype: Any = None, shape: Any = None, ndim: int | None = None, max_ndim: int | None = None,
        min_ndim: int | None = None, axes: dict[int, int] | None = None,
    ) -> None: ...
    dtype: Any
    shape: Any
    ndim: Any
    axes: Any
    max_ndim: Any
    min_ndim: Any

class Layer(Module):
    """The base of layers: a subclass makes its variables in `build` and computes in `call`."""
    to_themselves: bool
    collects_losses: bool
    def build(self, input_shape: Any) -> None:
        """Makes the variables; called once, before the first call."""
    def call(self, inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes."""
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape."""
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the output: that of the input."""
    def compute_output_signature(self, input_signature: Any) -> Any:
        """The shape and dtype of the output, as a TensorSpec, for an input of this TensorSpec."""
    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The same as calling the layer."""
    def add_weight(
        self, name: str, shape: Any, dtype: Any = None, initializer: Any = None, regularizer: Any = None,
        trainable: bool | None = None, constraint: Any = None, use_resource: bool | None = None,
        synchronization: Any = ..., aggregation: Any = ..., partitioner: Any = None, **kwargs: Any,
    ) -> Any:
        """A variable of the layer, made by `tf.get_variable` in the layer's scope."""
    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """The older name of `add_weight`."""
    @property
    def trainable(self) -> bool:
        """Whether the variables are trainable; setting it sets it for the layers inside too."""
    @trainable.setter
    def trainable(self, value: Any) -> None: ...
    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that training changes; none when the layer is not trainable."""
    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables."""
    @property
    def weights(self) -> list[Any]:
        """All variables, the trainable ones first."""
    @property
    def variables(self) -> Any:
        """All variables, the trainable ones first."""
    @property
    def trainable_variables(self) -> Any:
        """The variables that training changes."""
    @property
    def non_trainable_variables(self) -> Any:
        """The other variables."""
    def count_params(self) -> int:
        """How many numbers the variables hold."""
    def get_weights(self) -> list[Any]:
        """The values of the variables in the default session."""
    def set_weights(self, weights: list[Any]) -> None:
        """Sets the variables in the default session."""
    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds losses to those of the layer and, but for tf.keras, to the REGULARIZATION_LOSSES of the
        graph."""
    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds operations that are to run with each training step, such as updates of moving averages."""
    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Metrics of layers belong to tf.keras: raises UnimplementedError."""
    @property
    def losses(self) -> list[Any]:
        """The losses of the layer and of those inside."""
    @property
    def updates(self) -> list[Any]:
        """The updates of the layer and of those inside; none when the layer is not trainable."""
    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on these inputs; for None, those that depend on no input."""
    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates that depend on these inputs; for None, those that depend on no input."""
    @property
    def metrics(self) -> Any:
        """The metrics of the layer: none, they belong to tf.keras."""
    @property
    def name(self) -> Any:
        """The name of the layer."""
    @property
    def dtype(self) -> Any:
        """The name of the dtype of the variables."""
    @property
    def dynamic(self) -> Any:
        """Whether the layer can only run eagerly."""
    @property
    def graph(self) -> Any:
        """The graph that the layer was made in."""
    @property
    def input_spec(self) -> Any:
        """What the layer expects of its inputs: an InputSpec, a list of them, or None."""
    @input_spec.setter
    def input_spec(self, value: Any) -> None: ...
    @property
    def activity_regularizer(self) -> Any:
        """The function of the output whose result joins the losses."""
    @activity_regularizer.setter
    def activity_regularizer(self, value: Any) -> None: ...
    @property
    def scope_name(self) -> str:
        """The name of the layer's variable scope."""
    @property
    def name_scope(self) -> _name_scope:
        """A name scope of the layer's name."""
    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """The method, its operations named under the layer's name."""
    @property
    def submodules(self) -> tuple[Layer, ...]:
        """The layers inside, and those inside them."""
    fields: tuple[str, ...]
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Layer:
        """A layer with these arguments."""
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any: ...
    @property
    def inbound_nodes(self) -> Any:
        """The calls of this layer."""
    @property
    def outbound_nodes(self) -> Any:
        """The calls of other layers on its outputs."""
    def get_input_at(self, node_index: int) -> Any:
        """What the layer was called with the `node_index`-th time."""
    def get_output_at(self, node_index: int) -> Any:
        """What the layer gave the `node_index`-th time; raises as `get_input_at` does."""
    def get_input_shape_at(self, node_index: int) -> Any:
        """The shape of what the layer was called with; raises as `get_input_at` does."""
    def get_output_shape_at(self, node_index: int) -> Any:
        """The shape of what the layer gave; raises as `get_input_at` does."""
    def get_input_mask_at(self, node_index: int) -> Any:
        """The mask of what the layer was called with; raises as `get_input_at` does."""
    def get_output_mask_at(self, node_index: int) -> Any:
        """The mask of what the layer gave; raises as `get_input_at` does."""
    @property
    def input(self) -> Any:
        """What the layer was called with; AttributeError unless it was called exactly once."""
    @property
    def output(self) -> Any:
        """What the layer gave; AttributeError unless it was called exactly once."""
    @property
    def input_mask(self) -> Any:
        """The mask of the input; AttributeError unless the layer was called exactly once."""
    @property
    def output_mask(self) -> Any:
        """The mask of the output; AttributeError unless the layer was called exactly once."""
    @property
    def input_shape(self) -> Any:
        """The shape of the input; AttributeError unless it was the same in all calls."""
    @property
    def output_shape(self) -> Any:
        """The shape of the output; AttributeError unless it was the same in all calls."""
    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None: ...
    built: Any
    stateful: Any
    supports_masking: Any

class MaxPooling1D(Layer):
    """A 1-D max pooling layer: the maximum of the elements in each window."""
    rank: int
    op: Callable[..., Any]
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
        name: str | None = None, **kwargs: Any,
    ) -> None: ...
    pool_size: Any
    strides: Any
    padding: Any
    data_format: Any

class MaxPooling2D(Layer):
    """A 2-D max pooling layer: the maximum of the elements in each window."""
    rank: int
    op: Callable[..., Any]
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
        name: str | None = None, **kwargs: Any,
    ) -> None: ...
    pool_size: Any
    strides: Any
    padding: Any
    data_format: Any

class MaxPooling3D(Layer):
    """A 3-D max pooling layer: the maximum of the elements in each window."""
    rank: int
    op: Callable[..., Any]
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
        name: str | None = None, **kwargs: Any,
    ) -> None: ...
    pool_size: Any
    strides: Any
    padding: Any
    data_format: Any

class SeparableConv1D(Layer):
    """A depthwise separable 1-D convolution layer: one convolution for each channel, then a pointwise
    one."""
    rank: int
    def call(self, inputs: Any) -> Any: ...
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    paddings: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: str = 'channels_last', dilation_rate: Any = 1, depth_multiplier: Any = 1,
        activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = None,
        pointwise_initializer: Any = None, bias_initializer: Any = ..., depthwise_regularizer: Any = None,
        pointwise_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, pointwise_constraint: Any = None, bias_constraint: Any = None,
        trainable: Any = True, name: str | None = None, **kwargs: Any,
    ) -> None: ...
    depth_multiplier: Any
    depthwise_initializer: Any
    pointwise_initializer: Any
    depthwise_regularizer: Any
    pointwise_regularizer: Any
    depthwise_constraint: Any
    pointwise_constraint: Any
    depthwise_kernel: Any
    pointwise_kernel: Any
    built: Any
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel: Any
    bias: Any

class SeparableConv2D(Layer):
    """A depthwise separable 2-D convolution layer: one convolution for each channel, then a pointwise
    one."""
    rank: int
    def call(self, inputs: Any) -> Any: ...
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    paddings: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: str = 'channels_last', dilation_rate: Any = 1, depth_multiplier: Any = 1,
        activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = None,
        pointwise_initializer: Any = None, bias_initializer: Any = ..., depthwise_regularizer: Any = None,
        pointwise_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, pointwise_constraint: Any = None, bias_constraint: Any = None,
        trainable: Any = True, name: str | None = None, **kwargs: Any,
    ) -> None: ...
    depth_multiplier: Any
    depthwise_initializer: Any
    pointwise_initializer: Any
    depthwise_regularizer: Any
    pointwise_regularizer: Any
    depthwise_constraint: Any
    pointwise_constraint: Any
    depthwise_kernel: Any
    pointwise_kernel: Any
    built: Any
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel: Any
    bias: Any

def average_pooling1d(
    inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
    name: str | None = None,
) -> Tensor:
    """A 1-D average pooling layer: the mean of the elements in each window."""

def average_pooling2d(
    inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
    name: str | None = None,
) -> Tensor:
    """A 2-D average pooling layer: the mean of the elements in each window."""

def average_pooling3d(
    inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
    name: str | None = None,
) -> Tensor:
    """A 3-D average pooling layer: the mean of the elements in each window."""

def batch_normalization(
    inputs: Any, axis: Any = -1, momentum: Any = 0.99, epsilon: Any = 0.001, center: Any = True,
    scale: Any = True, beta_initializer: Any = ..., gamma_initializer: Any = ...,
    moving_mean_initializer: Any = ..., moving_variance_initializer: Any = ...,
    beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None,
    gamma_constraint: Any = None, training: Any = False, trainable: Any = True, name: str | None = None,
    reuse: Any = None, renorm: Any = False, renorm_clipping: Any = None, renorm_momentum: Any = 0.99,
    fused: Any = None, virtual_batch_size: Any = None, adjustment: Any = None,
) -> Tensor:
    """Applies batch normalization to `inputs`: the functional form of `tf.layers.BatchNormalization`."""

def conv1d(
    inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
    data_format: str = 'channels_last', dilation_rate: Any = 1, activation: Any = None,
    use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = ...,
    kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
    kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True,
    name: str | None = None, reuse: Any = None,
) -> Tensor:
    """A 1-D convolution layer, such as a temporal convolution: activation(conv1d(inputs, kernel) +
    bias)."""

def conv2d(
    inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
    data_format: str = 'channels_last', dilation_rate: Any = 1, activation: Any = None,
    use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = ...,
    kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
    kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True,
    name: str | None = None, reuse: Any = None,
) -> Tensor:
    """A 2-D convolution layer, for images: activation(conv2d(inputs, kernel) + bias)."""

def conv2d_transpose(
    inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
    data_format: str = 'channels_last', activation: Any = None, use_bias: Any = True,
    kernel_initializer: Any = None, bias_initializer: Any = ..., kernel_regularizer: Any = None,
    bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
    bias_constraint: Any = None, trainable: Any = True, name: str | None = None, reuse: Any = None,
) -> Tensor:
    """A transposed 2-D convolution layer, or deconvolution: the gradient of a 2-D convolution."""

def conv3d(
    inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
    data_format: str = 'channels_last', dilation_rate: Any = 1, activation: Any = None,
    use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = ...,
    kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
    kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True,
    name: str | None = None, reuse: Any = None,
) -> Tensor:
    """A 3-D convolution layer, for volumes and videos: activation(conv3d(inputs, kernel) + bias)."""

def conv3d_transpose(
    inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
    data_format: str = 'channels_last', activation: Any = None, use_bias: Any = True,
    kernel_initializer: Any = None, bias_initializer: Any = ..., kernel_regularizer: Any = None,
    bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
    bias_constraint: Any = None, trainable: Any = True, name: str | None = None, reuse: Any = None,
) -> Tensor:
    """A transposed 3-D convolution layer, or deconvolution: the gradient of a 3-D convolution."""

def dense(
    inputs: Any, units: Any, activation: Any = None, use_bias: Any = True, kernel_initializer: Any = None,
    bias_initializer: Any = ..., kernel_regularizer: Any = None, bias_regularizer: Any = None,
    activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
    trainable: Any = True, name: str | None = None, reuse: Any = None,
) -> Tensor:
    """A dense, or fully connected, layer: activation(inputs @ kernel + bias)."""

def dropout(
    inputs: Any, rate: Any = 0.5, noise_shape: Any = None, seed: Any = None, training: Any = False,
    name: str | None = None,
) -> Tensor:
    """Applies dropout to `inputs`: the functional form of `tf.layers.Dropout`."""

def flatten(inputs: Any, name: str | None = None, data_format: str = 'channels_last') -> Tensor:
    """Flattens `inputs` to [batch, number of elements]: the functional form of `tf.layers.Flatten`."""

def max_pooling1d(
    inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
    name: str | None = None,
) -> Tensor:
    """A 1-D max pooling layer: the maximum of the elements in each window."""

def max_pooling2d(
    inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
    name: str | None = None,
) -> Tensor:
    """A 2-D max pooling layer: the maximum of the elements in each window."""

def max_pooling3d(
    inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: str = 'channels_last',
    name: str | None = None,
) -> Tensor:
    """A 3-D max pooling layer: the maximum of the elements in each window."""

def separable_conv1d(
    inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
    data_format: str = 'channels_last', dilation_rate: Any = 1, depth_multiplier: Any = 1,
    activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = None,
    pointwise_initializer: Any = None, bias_initializer: Any = ..., depthwise_regularizer: Any = None,
    pointwise_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
    depthwise_constraint: Any = None, pointwise_constraint: Any = None, bias_constraint: Any = None,
    trainable: Any = True, name: str | None = None, reuse: Any = None,
) -> Tensor:
    """A depthwise separable 1-D convolution layer: one convolution for each channel, then a pointwise
    one."""

def separable_conv2d(
    inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
    data_format: str = 'channels_last', dilation_rate: Any = 1, depth_multiplier: Any = 1,
    activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = None,
    pointwise_initializer: Any = None, bias_initializer: Any = ..., depthwise_regularizer: Any = None,
    pointwise_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
    depthwise_constraint: Any = None, pointwise_constraint: Any = None, bias_constraint: Any = None,
    trainable: Any = True, name: str | None = None, reuse: Any = None,
) -> Tensor:
    """A depthwise separable 2-D convolution layer: one convolution for each channel, then a pointwise
    one."""
