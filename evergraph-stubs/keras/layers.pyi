# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.layers."""

from collections.abc import Mapping
from evergraph import Tensor, TensorShape
from evergraph.layers import (
    AveragePooling1D as _AveragePooling1D, AveragePooling2D as _AveragePooling2D,
    AveragePooling3D as _AveragePooling3D, BatchNormalization as _BatchNormalization, Conv1D as _Conv1D,
    Conv2D as _Conv2D, Conv2DTranspose as _Conv2DTranspose, Conv3D as _Conv3D,
    Conv3DTranspose as _Conv3DTranspose, Dense as _Dense, Flatten as _Flatten, Layer as _Layer,
    MaxPooling1D as _MaxPooling1D, MaxPooling2D as _MaxPooling2D, MaxPooling3D as _MaxPooling3D,
    SeparableConv1D as _SeparableConv1D, SeparableConv2D as _SeparableConv2D,
)
from typing import Any

class AbstractRNNCell(Layer):
    """The base of cells: a subclass defines `call(inputs, states)`, `state_size` and `output_size`."""
    def call(self, inputs: Any, states: Any) -> Any:
        """One step: (output, new states)."""
    @property
    def state_size(self) -> Any:
        """The size of the state, or a list of sizes."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Zeros, in the structure of `state_size`."""

class Activation(Layer):
    """Applies an activation function."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, activation: Any, **kwargs: Any) -> None: ...
    activation: Any
    supports_masking: Any

class ActivityRegularization(Layer):
    """Forwards its inputs and adds an L1 and L2 penalty on them to the losses."""
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, l1: Any = 0.0, l2: Any = 0.0, **kwargs: Any) -> None: ...
    l1: Any
    l2: Any
    supports_masking: Any

class Add(Layer):
    """The sum of a list of tensors, elementwise."""
    least: int
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def __init__(self, **kwargs: Any) -> None: ...
    supports_masking: Any
    built: Any

class AdditiveAttention(Layer):
    """Additive attention (Bahdanau et al., 2014): scores are the sum of tanh(query + key)."""
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, mask: Any = None) -> Any:
        """For each query, the mean of the values weighted by the softmax of its scores."""
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(self, use_scale: Any = True, **kwargs: Any) -> None: ...
    use_scale: Any
    scale: Any
    built: Any
    causal: Any
    supports_masking: Any

class AlphaDropout(Layer):
    """Alpha dropout (Klambauer et al., 2017), which keeps mean and variance of SELU activations."""
    fields: tuple[str, ...]
    def call(self, inputs: Any, training: Any = None) -> Any:
        """The inputs, with noise in training."""
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, rate: Any, noise_shape: Any = None, seed: Any = None, **kwargs: Any) -> None: ...
    rate: Any
    noise_shape: Any
    seed: Any
    supports_masking: Any

class Attention(Layer):
    """Dot-product attention (Luong et al., 2015): scores are query * key."""
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, mask: Any = None) -> Any:
        """For each query, the mean of the values weighted by the softmax of its scores."""
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(self, use_scale: Any = False, **kwargs: Any) -> None: ...
    use_scale: Any
    scale: Any
    built: Any
    causal: Any
    supports_masking: Any

class Average(Layer):
    """The mean of a list of tensors, elementwise."""
    least: int
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def __init__(self, **kwargs: Any) -> None: ...
    supports_masking: Any
    built: Any

class AveragePooling1D(Layer, _AveragePooling1D):
    """A 1-D average pooling layer: the mean of the elements in each window."""
    def __init__(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = 'valid',
        data_format: str = 'channels_last', **kwargs: Any,
    ) -> None: ...

class AveragePooling2D(Layer, _AveragePooling2D):
    """A 2-D average pooling layer: the mean of the elements in each window."""
    def __init__(
        self, pool_size: Any = ..., strides: Any = None, padding: Any = 'valid', data_format: str | None = None,
        **kwargs: Any,
    ) -> None: ...

class AveragePooling3D(Layer, _AveragePooling3D):
    """A 3-D average pooling layer: the mean of the elements in each window."""
    def __init__(
        self, pool_size: Any = ..., strides: Any = None, padding: Any = 'valid', data_format: str | None = None,
        **kwargs: Any,
    ) -> None: ...

AvgPool1D = AveragePooling1D
AvgPool2D = AveragePooling2D
AvgPool3D = AveragePooling3D

class BatchNormalization(Layer, _BatchNormalization):
    """Batch normalization (Ioffe and Szegedy, 2015): normalizes with batch statistics, then scales and
    shifts."""
    def call(self, inputs: Any, training: Any = None) -> Any:
        """The normalized inputs."""
    def __init__(
        self, axis: Any = -1, momentum: Any = 0.99, epsilon: Any = 0.001, center: Any = True, scale: Any = True,
        beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones',
        moving_mean_initializer: Any = 'zeros', moving_variance_initializer: Any = 'ones',
        beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None,
        gamma_constraint: Any = None, renorm: Any = False, renorm_clipping: Any = None,
        renorm_momentum: Any = 0.99, fused: Any = None, trainable: Any = True, virtual_batch_size: Any = None,
        adjustment: Any = None, name: str | None = None, **kwargs: Any,
    ) -> None: ...

class Bidirectional(Wrapper):
    """A bidirectional recurrent layer (Schuster and Paliwal, 1997)."""
    def build(self, input_shape: Any) -> None: ...
    def call(
        self, inputs: Any, training: Any = None, mask: Any = None, initial_state: Any = None,
        constants: Any = None,
    ) -> Any:
        """The combined outputs of both layers."""
    def reset_states(self) -> None:
        """Resets the states of both layers to zero."""
    def compute_mask(self, inputs: Any, mask: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """A layer with these arguments."""
    def __call__(self, inputs: Any, initial_state: Any = None, constants: Any = None, **kwargs: Any) -> Any: ...
    def __init__(
        self, layer: Any, merge_mode: Any = 'concat', weights: Any = None, backward_layer: Any = None,
        **kwargs: Any,
    ) -> None: ...
    forward_layer: Any
    backward_layer: Any
    merge_mode: Any
    stateful: Any
    return_sequences: Any
    return_state: Any
    supports_masking: Any
    built: Any

class Concatenate(Layer):
    """Concatenates a list of tensors along an axis."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    least: int
    def build(self, input_shape: Any) -> None: ...
    def __init__(self, axis: Any = -1, **kwargs: Any) -> None: ...
    axis: Any
    supports_masking: Any
    built: Any

class Conv1D(Layer, _Conv1D):
    """A 1-D convolution layer, such as a temporal convolution: activation(conv1d(inputs, kernel) +
    bias)."""
    paddings: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: str = 'channels_last', dilation_rate: Any = 1, activation: Any = None,
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
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

class Conv2D(Layer, _Conv2D):
    """A 2-D convolution layer, for images: activation(conv2d(inputs, kernel) + bias)."""
    paddings: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        data_format: str | None = None, dilation_rate: Any = ..., activation: Any = None, use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
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

class Conv2DTranspose(Layer, _Conv2DTranspose):
    """Transposed 2-D convolution (deconvolution)."""
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        output_padding: Any = None, data_format: str | None = None, dilation_rate: Any = ...,
        activation: Any = None, use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None: ...
    output_padding: Any
    dilation_rate: Any

class Conv3D(Layer, _Conv3D):
    """A 3-D convolution layer, for volumes and videos: activation(conv3d(inputs, kernel) + bias)."""
    paddings: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        data_format: str | None = None, dilation_rate: Any = ..., activation: Any = None, use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
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

class Conv3DTranspose(Layer, _Conv3DTranspose):
    """Transposed 3-D convolution (deconvolution)."""
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        output_padding: Any = None, data_format: str | None = None, activation: Any = None,
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    output_padding: Any
    dilation_rate: Any

class ConvLSTM2D(RNN):
    """A convolutional LSTM (Shi et al., 2015) over image sequences [batch, time, height, width,
    channels]."""
    kind: type
    step_rank: int
    def get_initial_state(self, inputs: Any) -> Any:
        """Zeros, of the size of the convolved inputs."""
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    @property
    def filters(self) -> Any:
        """The cell's filters."""
    @property
    def kernel_size(self) -> Any:
        """The cell's kernel_size."""
    @property
    def strides(self) -> Any:
        """The cell's strides."""
    @property
    def padding(self) -> Any:
        """The cell's padding."""
    @property
    def data_format(self) -> Any:
        """The cell's data_format."""
    @property
    def dilation_rate(self) -> Any:
        """The cell's dilation_rate."""
    @property
    def activation(self) -> Any:
        """The cell's activation."""
    @property
    def use_bias(self) -> Any:
        """The cell's use_bias."""
    @property
    def kernel_initializer(self) -> Any:
        """The cell's kernel_initializer."""
    @property
    def recurrent_initializer(self) -> Any:
        """The cell's recurrent_initializer."""
    @property
    def bias_initializer(self) -> Any:
        """The cell's bias_initializer."""
    @property
    def kernel_regularizer(self) -> Any:
        """The cell's kernel_regularizer."""
    @property
    def recurrent_regularizer(self) -> Any:
        """The cell's recurrent_regularizer."""
    @property
    def bias_regularizer(self) -> Any:
        """The cell's bias_regularizer."""
    @property
    def kernel_constraint(self) -> Any:
        """The cell's kernel_constraint."""
    @property
    def recurrent_constraint(self) -> Any:
        """The cell's recurrent_constraint."""
    @property
    def bias_constraint(self) -> Any:
        """The cell's bias_constraint."""
    @property
    def dropout(self) -> Any:
        """The cell's dropout."""
    @property
    def recurrent_dropout(self) -> Any:
        """The cell's recurrent_dropout."""
    @property
    def recurrent_activation(self) -> Any:
        """The cell's recurrent_activation."""
    @property
    def unit_forget_bias(self) -> Any:
        """The cell's unit_forget_bias."""
    def call(self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None) -> Any:
        """The last output or all outputs, in a list with the states if `return_state`; see
        `tf.keras.layers.RNN`."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A layer with these arguments."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        data_format: str | None = None, dilation_rate: Any = ..., activation: Any = 'tanh',
        recurrent_activation: Any = 'hard_sigmoid', use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', recurrent_initializer: Any = 'orthogonal',
        bias_initializer: Any = 'zeros', unit_forget_bias: Any = True, kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None, bias_constraint: Any = None,
        return_sequences: Any = False, go_backwards: Any = False, stateful: Any = False, dropout: Any = 0.0,
        recurrent_dropout: Any = 0.0, **kwargs: Any,
    ) -> None: ...

Convolution1D = Conv1D
Convolution2D = Conv2D
Convolution2DTranspose = Conv2DTranspose
Convolution3D = Conv3D
Convolution3DTranspose = Conv3DTranspose

class Cropping1D(Layer):
    """Crops both ends of sequences [batch, length, features]."""
    rank: int
    fields: tuple[str, ...]
    @property
    def cropping(self) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(self, cropping: Any = ..., **kwargs: Any) -> None: ...
    data_format: Any

class Cropping2D(Layer):
    """Crops the sides of images."""
    rank: int
    fields: tuple[str, ...]
    @property
    def cropping(self) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(self, cropping: Any = ..., data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

class Cropping3D(Layer):
    """Crops the sides of volumes."""
    rank: int
    fields: tuple[str, ...]
    @property
    def cropping(self) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(self, cropping: Any = ..., data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

class CuDNNGRU(RNN):
    """A GRU with cuDNN's variables: sigmoid gates, two biases."""
    kind: type
    fixed: dict[str, Any]
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A layer with these arguments."""
    def call(self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None) -> Any:
        """The last output or all outputs, in a list with the states if `return_state`; see
        `tf.keras.layers.RNN`."""
    def __init__(
        self, units: Any, kernel_initializer: Any = 'glorot_uniform', recurrent_initializer: Any = 'orthogonal',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, return_sequences: Any = False,
        return_state: Any = False, go_backwards: Any = False, stateful: Any = False, **kwargs: Any,
    ) -> None: ...

class CuDNNLSTM(RNN):
    """An LSTM with cuDNN's variables: sigmoid gates, two biases."""
    kind: type
    fixed: dict[str, str]
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A layer with these arguments."""
    def call(self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None) -> Any:
        """The last output or all outputs, in a list with the states if `return_state`; see
        `tf.keras.layers.RNN`."""
    def __init__(
        self, units: Any, kernel_initializer: Any = 'glorot_uniform', recurrent_initializer: Any = 'orthogonal',
        bias_initializer: Any = 'zeros', unit_forget_bias: Any = True, kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None, bias_constraint: Any = None,
        return_sequences: Any = False, return_state: Any = False, go_backwards: Any = False,
        stateful: Any = False, **kwargs: Any,
    ) -> None: ...

class Dense(Layer, _Dense):
    """A fully connected layer: activation(inputs @ kernel + bias), along the last axis of the inputs."""
    def __init__(
        self, units: Any, activation: Any = None, use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...

class DenseFeatures(Layer):
    """A layer that makes one matrix of features: what dense columns give, side by side, sorted by their
    names."""
    kind: type
    word: str
    def call(
        self, features: Mapping[str, Any], cols_to_output_tensors: dict[Any, Any] | None = None,
    ) -> Tensor:
        """A tensor [batch, width]; fills `cols_to_output_tensors`, where given, with the tensor of each
        column."""
    def compute_output_shape(self, input_shape: Any) -> tuple[Any, int]:
        """The shape of the matrix, for a shape whose first size is that of the batch."""
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

class DepthwiseConv2D(Layer, _Conv2D):
    """Depthwise 2-D convolution: filters each channel separately."""
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, kernel_size: Any, strides: Any = ..., padding: Any = 'valid', depth_multiplier: Any = 1,
        data_format: str | None = None, activation: Any = None, use_bias: Any = True,
        depthwise_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        depthwise_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    depthwise_kernel: Any
    filters: Any
    built: Any

class Dot(Layer):
    """The batched dot product of two tensors along an axis of each."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> None: ...
    least: int
    def build(self, input_shape: Any) -> None: ...
    def __init__(self, axes: Any, normalize: Any = False, **kwargs: Any) -> None: ...
    axes: Any
    normalize: Any
    supports_masking: Any
    built: Any

class Dropout(Layer):
    """Dropout (Srivastava et al., 2014) in training; forwards its inputs otherwise."""
    fields: tuple[str, ...]
    def call(self, inputs: Any, training: Any = None) -> Any:
        """The inputs, with noise in training."""
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, rate: Any, noise_shape: Any = None, seed: Any = None, **kwargs: Any) -> None: ...
    rate: Any
    noise_shape: Any
    seed: Any
    supports_masking: Any

class ELU(Layer):
    """The exponential linear unit (Clevert et al., 2015): x if positive, else alpha * (exp(x) - 1)."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, alpha: Any = 1.0, **kwargs: Any) -> None: ...
    alpha: Any
    supports_masking: Any

class Embedding(Layer):
    """An embedding table: maps integers to the rows of `embeddings`."""
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, input_dim: Any, output_dim: Any, embeddings_initializer: Any = 'uniform',
        embeddings_regularizer: Any = None, activity_regularizer: Any = None, embeddings_constraint: Any = None,
        mask_zero: Any = False, input_length: Any = None, **kwargs: Any,
    ) -> None: ...
    supports_masking: Any
    embeddings: Any
    built: Any

class Flatten(Layer, _Flatten):
    """Flattens the inputs: [batch, ...] to [batch, number of elements]."""
    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None: ...

class GRU(RNN):
    """A GRU layer (Cho et al., 2014) over sequences [batch, time, features]."""
    kind: type
    @property
    def units(self) -> Any:
        """The cell's units."""
    @property
    def activation(self) -> Any:
        """The cell's activation."""
    @property
    def use_bias(self) -> Any:
        """The cell's use_bias."""
    @property
    def kernel_initializer(self) -> Any:
        """The cell's kernel_initializer."""
    @property
    def recurrent_initializer(self) -> Any:
        """The cell's recurrent_initializer."""
    @property
    def bias_initializer(self) -> Any:
        """The cell's bias_initializer."""
    @property
    def kernel_regularizer(self) -> Any:
        """The cell's kernel_regularizer."""
    @property
    def recurrent_regularizer(self) -> Any:
        """The cell's recurrent_regularizer."""
    @property
    def bias_regularizer(self) -> Any:
        """The cell's bias_regularizer."""
    @property
    def kernel_constraint(self) -> Any:
        """The cell's kernel_constraint."""
    @property
    def recurrent_constraint(self) -> Any:
        """The cell's recurrent_constraint."""
    @property
    def bias_constraint(self) -> Any:
        """The cell's bias_constraint."""
    @property
    def dropout(self) -> Any:
        """The cell's dropout."""
    @property
    def recurrent_dropout(self) -> Any:
        """The cell's recurrent_dropout."""
    @property
    def recurrent_activation(self) -> Any:
        """The cell's recurrent_activation."""
    @property
    def implementation(self) -> Any:
        """The cell's implementation."""
    @property
    def reset_after(self) -> Any:
        """The cell's reset_after."""
    def call(self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None) -> Any:
        """The last output or all outputs, in a list with the states if `return_state`; see
        `tf.keras.layers.RNN`."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A layer with these arguments."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', recurrent_activation: Any = 'hard_sigmoid',
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        recurrent_initializer: Any = 'orthogonal', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: Any = 0.0, recurrent_dropout: Any = 0.0, implementation: Any = 1,
        return_sequences: Any = False, return_state: Any = False, go_backwards: Any = False,
        stateful: Any = False, unroll: Any = False, reset_after: Any = False, **kwargs: Any,
    ) -> None: ...

class GRUCell(Layer):
    """A gated recurrent unit (GRU; Cho et al., 2014): gates reset and update the state."""
    parts: int
    fields: tuple[str, ...]
    def call(self, inputs: Any, states: Any, training: Any = None) -> tuple[Any, Any]:
        """One step: (output, [output])."""
    @property
    def state_size(self) -> Any:
        """The size of the state, or a list of sizes."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    def build(self, input_shape: Any) -> None: ...
    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Zeros, in the structure of `state_size`."""
    def reset_dropout_mask(self) -> None:
        """Clears the cached dropout masks of the inputs."""
    def reset_recurrent_dropout_mask(self) -> None:
        """Clears the cached dropout masks of the state."""
    def get_dropout_mask_for_cell(self, inputs: Any, training: Any, count: Any = 1) -> Any:
        """`count` dropout masks of the inputs: cached by the layer's call, or new ones, or None."""
    def get_recurrent_dropout_mask_for_cell(self, inputs: Any, training: Any, count: Any = 1) -> Any:
        """`count` dropout masks of the state: cached by the layer's call, or new ones, or None."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', recurrent_activation: Any = 'hard_sigmoid',
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        recurrent_initializer: Any = 'orthogonal', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None, bias_constraint: Any = None,
        dropout: Any = 0.0, recurrent_dropout: Any = 0.0, implementation: Any = 1, reset_after: Any = False,
        **kwargs: Any,
    ) -> None: ...
    dropout: Any
    recurrent_dropout: Any
    kernel: Any
    recurrent_kernel: Any
    bias: Any
    built: Any

class GaussianDropout(Layer):
    """Multiplicative Gaussian noise with mean 1 in training."""
    fields: tuple[str, ...]
    def call(self, inputs: Any, training: Any = None) -> Any:
        """The inputs, with noise in training."""
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, rate: Any, **kwargs: Any) -> None: ...
    rate: Any
    supports_masking: Any

class GaussianNoise(Layer):
    """Adds Gaussian noise in training."""
    fields: tuple[str, ...]
    def call(self, inputs: Any, training: Any = None) -> Any:
        """The inputs, with noise in training."""
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, stddev: Any, **kwargs: Any) -> None: ...
    stddev: Any
    supports_masking: Any

class GlobalAveragePooling1D(Layer):
    """Global average pooling of sequences, without masked steps."""
    rank: int
    def call(self, inputs: Any, mask: Any = None) -> Tensor: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> None: ...
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, data_format: str = 'channels_last', **kwargs: Any) -> None: ...
    supports_masking: Any
    data_format: Any

class GlobalAveragePooling2D(Layer):
    """Global average pooling of images."""
    rank: int
    def call(self, inputs: Any) -> Any:
        """Pools the inputs."""
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

class GlobalAveragePooling3D(Layer):
    """Global average pooling of volumes."""
    rank: int
    def call(self, inputs: Any) -> Any:
        """Pools the inputs."""
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

GlobalAvgPool1D = GlobalAveragePooling1D
GlobalAvgPool2D = GlobalAveragePooling2D
GlobalAvgPool3D = GlobalAveragePooling3D
GlobalMaxPool1D = GlobalMaxPooling1D
GlobalMaxPool2D = GlobalMaxPooling2D
GlobalMaxPool3D = GlobalMaxPooling3D

class GlobalMaxPooling1D(Layer):
    """Global max pooling of sequences."""
    rank: int
    def call(self, inputs: Any) -> Any:
        """Pools the inputs."""
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, data_format: str = 'channels_last', **kwargs: Any) -> None: ...
    data_format: Any

class GlobalMaxPooling2D(Layer):
    """Global max pooling of images."""
    rank: int
    def call(self, inputs: Any) -> Any:
        """Pools the inputs."""
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

class GlobalMaxPooling3D(Layer):
    """Global max pooling of volumes."""
    rank: int
    def call(self, inputs: Any) -> Any:
        """Pools the inputs."""
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

from evergraph.keras import Input as Input

class InputLayer(Layer):
    """An input of a model: a placeholder, or a tensor."""
    def get_config(self) -> Any:
        """The constructor's arguments, for `from_config`."""
    def __init__(
        self, input_shape: Any = None, batch_size: Any = None, dtype: Any = None, input_tensor: Any = None,
        sparse: Any = False, name: str | None = None, ragged: Any = False, **kwargs: Any,
    ) -> None: ...
    built: Any
    sparse: Any
    is_placeholder: Any

from evergraph.layers import InputSpec as InputSpec

class LSTM(RNN):
    """An LSTM layer (Hochreiter and Schmidhuber, 1997) over sequences [batch, time, features]."""
    kind: type
    @property
    def units(self) -> Any:
        """The cell's units."""
    @property
    def activation(self) -> Any:
        """The cell's activation."""
    @property
    def use_bias(self) -> Any:
        """The cell's use_bias."""
    @property
    def kernel_initializer(self) -> Any:
        """The cell's kernel_initializer."""
    @property
    def recurrent_initializer(self) -> Any:
        """The cell's recurrent_initializer."""
    @property
    def bias_initializer(self) -> Any:
        """The cell's bias_initializer."""
    @property
    def kernel_regularizer(self) -> Any:
        """The cell's kernel_regularizer."""
    @property
    def recurrent_regularizer(self) -> Any:
        """The cell's recurrent_regularizer."""
    @property
    def bias_regularizer(self) -> Any:
        """The cell's bias_regularizer."""
    @property
    def kernel_constraint(self) -> Any:
        """The cell's kernel_constraint."""
    @property
    def recurrent_constraint(self) -> Any:
        """The cell's recurrent_constraint."""
    @property
    def bias_constraint(self) -> Any:
        """The cell's bias_constraint."""
    @property
    def dropout(self) -> Any:
        """The cell's dropout."""
    @property
    def recurrent_dropout(self) -> Any:
        """The cell's recurrent_dropout."""
    @property
    def recurrent_activation(self) -> Any:
        """The cell's recurrent_activation."""
    @property
    def unit_forget_bias(self) -> Any:
        """The cell's unit_forget_bias."""
    @property
    def implementation(self) -> Any:
        """The cell's implementation."""
    def call(self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None) -> Any:
        """The last output or all outputs, in a list with the states if `return_state`; see
        `tf.keras.layers.RNN`."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A layer with these arguments."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', recurrent_activation: Any = 'hard_sigmoid',
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        recurrent_initializer: Any = 'orthogonal', bias_initializer: Any = 'zeros',
        unit_forget_bias: Any = True, kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: Any = 0.0,
        recurrent_dropout: Any = 0.0, implementation: Any = 1, return_sequences: Any = False,
        return_state: Any = False, go_backwards: Any = False, stateful: Any = False, unroll: Any = False,
        **kwargs: Any,
    ) -> None: ...

class LSTMCell(Layer):
    """A long short-term memory (LSTM) cell (Hochreiter and Schmidhuber, 1997): gates control its cell
    state."""
    parts: int
    fields: tuple[str, ...]
    @property
    def state_size(self) -> Any:
        """The sizes of the output and the memory."""
    def call(self, inputs: Any, states: Any, training: Any = None) -> tuple[Any, Any]:
        """One step: (output, [output, cell state])."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    def build(self, input_shape: Any) -> None: ...
    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Zeros, in the structure of `state_size`."""
    def reset_dropout_mask(self) -> None:
        """Clears the cached dropout masks of the inputs."""
    def reset_recurrent_dropout_mask(self) -> None:
        """Clears the cached dropout masks of the state."""
    def get_dropout_mask_for_cell(self, inputs: Any, training: Any, count: Any = 1) -> Any:
        """`count` dropout masks of the inputs: cached by the layer's call, or new ones, or None."""
    def get_recurrent_dropout_mask_for_cell(self, inputs: Any, training: Any, count: Any = 1) -> Any:
        """`count` dropout masks of the state: cached by the layer's call, or new ones, or None."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', recurrent_activation: Any = 'hard_sigmoid',
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        recurrent_initializer: Any = 'orthogonal', bias_initializer: Any = 'zeros',
        unit_forget_bias: Any = True, kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: Any = 0.0, recurrent_dropout: Any = 0.0, implementation: Any = 1,
        **kwargs: Any,
    ) -> None: ...
    dropout: Any
    recurrent_dropout: Any
    kernel: Any
    recurrent_kernel: Any
    bias: Any
    built: Any

class Lambda(Layer):
    """Wraps a function as a layer."""
    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any:
        """The constructor's arguments; a function is described by its name, one without a name by its
        bytecode."""
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """A layer with these arguments."""
    def __init__(
        self, function: Any, output_shape: Any = None, mask: Any = None, arguments: Any = None, **kwargs: Any,
    ) -> None: ...
    supports_masking: Any
    function: Any
    arguments: Any
    mask: Any

class Layer(_Layer):
    """The base of Keras layers: a subclass creates its variables in `build` and computes in `call`."""
    to_themselves: bool
    collects_losses: bool
    @property
    def dynamic(self) -> bool:
        """Whether the layer, or one inside, can only run eagerly."""
    computes_masks_itself: bool
    def add_weight(
        self, name: str | None = None, shape: Any = None, dtype: Any = None, initializer: Any = None,
        regularizer: Any = None, trainable: bool | None = None, constraint: Any = None, partitioner: Any = None,
        use_resource: bool | None = None, synchronization: Any = ..., aggregation: Any = ..., **kwargs: Any,
    ) -> Any:
        """Creates a variable of the layer."""
    def get_weights(self) -> list[Any]:
        """The values of the variables, in the session of `tf.keras.backend.get_session`."""
    def set_weights(self, weights: list[Any]) -> None:
        """Sets the variables, in the session of `tf.keras.backend.get_session`."""
    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Adds a metric, whose value `fit` and `evaluate` report."""
    is_metric: bool
    @property
    def metrics(self) -> list[Any]:
        """The metrics of the layer and of those inside."""
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape; with eager execution, that of a call is found."""
    @property
    def inbound_nodes(self) -> list[Any]:
        """The calls of this layer."""
    @property
    def outbound_nodes(self) -> list[Any]:
        """The calls of other layers on its outputs."""
    @property
    def input_shape(self) -> Any:
        """The shape of the input; AttributeError unless it was the same in all calls."""
    @property
    def output_shape(self) -> Any:
        """The shape of the output; AttributeError unless it was the same in all calls."""
    def get_input_shape_at(self, node_index: int) -> Any:
        """The shape of the inputs of a call; raises as `get_input_at` does."""
    def get_output_shape_at(self, node_index: int) -> Any:
        """The shape of the outputs of a call; raises as `get_input_at` does."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = None, dynamic: bool = False,
        **kwargs: Any,
    ) -> None: ...
    keras_nodes: list[Any]
    keras_outbound: list[Any]

class LayerNormalization(Layer):
    """Layer normalization (Ba et al., 2016): normalizes each example, then scales and shifts."""
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, axis: Any = -1, epsilon: Any = 0.001, center: Any = True, scale: Any = True,
        beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones', beta_regularizer: Any = None,
        gamma_regularizer: Any = None, beta_constraint: Any = None, gamma_constraint: Any = None,
        trainable: Any = True, name: str | None = None, **kwargs: Any,
    ) -> None: ...
    axis: Any
    gamma: Any
    beta: Any
    built: Any
    supports_masking: Any

class LeakyReLU(Layer):
    """The leaky rectified linear unit: x if positive, else alpha * x."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, alpha: Any = 0.3, **kwargs: Any) -> None: ...
    alpha: Any
    supports_masking: Any

class LocallyConnected1D(Layer):
    """1-D locally connected layer: a convolution without weight sharing."""
    rank: int
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: str | None = None, activation: Any = None, use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, implementation: Any = 1, **kwargs: Any,
    ) -> None: ...
    kernel_size: Any
    strides: Any
    data_format: Any
    places: Any
    kernel: Any
    bias: Any
    built: Any

class LocallyConnected2D(Layer):
    """2-D locally connected layer: a convolution without weight sharing."""
    rank: int
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        data_format: str | None = None, activation: Any = None, use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, implementation: Any = 1, **kwargs: Any,
    ) -> None: ...
    kernel_size: Any
    strides: Any
    data_format: Any
    places: Any
    kernel: Any
    bias: Any
    built: Any

class Masking(Layer):
    """Masks the steps of a sequence whose features all equal `mask_value`; downstream layers skip them."""
    fields: tuple[str, ...]
    computes_masks_itself: bool
    def compute_mask(self, inputs: Any, mask: Any = None) -> Tensor: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, mask_value: Any = 0.0, **kwargs: Any) -> None: ...
    mask_value: Any
    supports_masking: Any

MaxPool1D = MaxPooling1D
MaxPool2D = MaxPooling2D
MaxPool3D = MaxPooling3D

class MaxPooling1D(Layer, _MaxPooling1D):
    """A 1-D max pooling layer: the maximum of the elements in each window."""
    def __init__(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = 'valid',
        data_format: str = 'channels_last', **kwargs: Any,
    ) -> None: ...

class MaxPooling2D(Layer, _MaxPooling2D):
    """A 2-D max pooling layer: the maximum of the elements in each window."""
    def __init__(
        self, pool_size: Any = ..., strides: Any = None, padding: Any = 'valid', data_format: str | None = None,
        **kwargs: Any,
    ) -> None: ...

class MaxPooling3D(Layer, _MaxPooling3D):
    """A 3-D max pooling layer: the maximum of the elements in each window."""
    def __init__(
        self, pool_size: Any = ..., strides: Any = None, padding: Any = 'valid', data_format: str | None = None,
        **kwargs: Any,
    ) -> None: ...

class Maximum(Layer):
    """The maximum of a list of tensors, elementwise."""
    least: int
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def __init__(self, **kwargs: Any) -> None: ...
    supports_masking: Any
    built: Any

class Minimum(Layer):
    """The minimum of a list of tensors, elementwise."""
    least: int
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def __init__(self, **kwargs: Any) -> None: ...
    supports_masking: Any
    built: Any

class Multiply(Layer):
    """The product of a list of tensors, elementwise."""
    least: int
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def __init__(self, **kwargs: Any) -> None: ...
    supports_masking: Any
    built: Any

class PReLU(Layer):
    """The parametric rectified linear unit (He et al., 2015): x if positive, else alpha * x with a learned
    `alpha`."""
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, alpha_initializer: Any = 'zeros', alpha_regularizer: Any = None, alpha_constraint: Any = None,
        shared_axes: Any = None, **kwargs: Any,
    ) -> None: ...
    shared_axes: Any
    alpha: Any
    built: Any
    supports_masking: Any

class Permute(Layer):
    """Permutes the axes, except the batch."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, dims: Any, **kwargs: Any) -> None: ...
    dims: Any

class RNN(Layer):
    """A recurrent layer: runs a cell over sequences [batch, time, ...]."""
    step_rank: int
    def build(self, input_shape: Any) -> None: ...
    def call(
        self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None,
        constants: Any = None,
    ) -> Any:
        """The last output or all outputs, in a list with the states if `return_state`."""
    def get_initial_state(self, inputs: Any) -> Any:
        """The default initial states: the cell's, as a list."""
    @property
    def states(self) -> Any:
        """The states of a stateful layer; None for each before they are created."""
    def reset_states(self, states: Any = None) -> None:
        """Assigns the layer's states, in Keras' session."""
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any) -> Any: ...
    def get_config(self) -> Any:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """A layer with these arguments."""
    def __call__(self, inputs: Any, initial_state: Any = None, constants: Any = None, **kwargs: Any) -> Any: ...
    def __init__(
        self, cell: Any, return_sequences: Any = False, return_state: Any = False, go_backwards: Any = False,
        stateful: Any = False, unroll: Any = False, time_major: Any = False, **kwargs: Any,
    ) -> None: ...
    zero_output_for_mask: Any
    supports_masking: Any
    cell: Any
    return_sequences: Any
    return_state: Any
    go_backwards: Any
    stateful: Any
    unroll: Any
    time_major: Any
    built: Any

class ReLU(Layer):
    """The rectified linear unit: max_value above it, x down to the threshold, negative_slope * (x -
    threshold) below."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, max_value: Any = None, negative_slope: Any = 0, threshold: Any = 0, **kwargs: Any,
    ) -> None: ...
    max_value: Any
    negative_slope: Any
    threshold: Any
    supports_masking: Any

class RepeatVector(Layer):
    """Repeats the input n times: [batch, features] to [batch, n, features]."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, n: Any, **kwargs: Any) -> None: ...
    n: Any

class Reshape(Layer):
    """Reshapes each example."""
    fields: tuple[str, ...]
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def call(self, inputs: Any) -> Tensor: ...
    def __init__(self, target_shape: Any, **kwargs: Any) -> None: ...
    target_shape: Any

class SeparableConv1D(Layer, _SeparableConv1D):
    """A depthwise separable 1-D convolution layer: one convolution for each channel, then a pointwise
    one."""
    def call(self, inputs: Any) -> Any:
        """Convolves the inputs."""
    paddings: tuple[str, ...]
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: str | None = None, dilation_rate: Any = 1, depth_multiplier: Any = 1,
        activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = 'glorot_uniform',
        pointwise_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, depthwise_constraint: Any = None, pointwise_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...

class SeparableConv2D(Layer, _SeparableConv2D):
    """A depthwise separable 2-D convolution layer: one convolution for each channel, then a pointwise
    one."""
    def call(self, inputs: Any) -> Any:
        """Convolves the inputs."""
    paddings: tuple[str, ...]
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        data_format: str | None = None, dilation_rate: Any = ..., depth_multiplier: Any = 1,
        activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = 'glorot_uniform',
        pointwise_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, depthwise_constraint: Any = None, pointwise_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...

SeparableConvolution1D = SeparableConv1D
SeparableConvolution2D = SeparableConv2D

class SimpleRNN(RNN):
    """A fully connected recurrent layer over sequences [batch, time, features]."""
    kind: type
    @property
    def units(self) -> Any:
        """The cell's units."""
    @property
    def activation(self) -> Any:
        """The cell's activation."""
    @property
    def use_bias(self) -> Any:
        """The cell's use_bias."""
    @property
    def kernel_initializer(self) -> Any:
        """The cell's kernel_initializer."""
    @property
    def recurrent_initializer(self) -> Any:
        """The cell's recurrent_initializer."""
    @property
    def bias_initializer(self) -> Any:
        """The cell's bias_initializer."""
    @property
    def kernel_regularizer(self) -> Any:
        """The cell's kernel_regularizer."""
    @property
    def recurrent_regularizer(self) -> Any:
        """The cell's recurrent_regularizer."""
    @property
    def bias_regularizer(self) -> Any:
        """The cell's bias_regularizer."""
    @property
    def kernel_constraint(self) -> Any:
        """The cell's kernel_constraint."""
    @property
    def recurrent_constraint(self) -> Any:
        """The cell's recurrent_constraint."""
    @property
    def bias_constraint(self) -> Any:
        """The cell's bias_constraint."""
    @property
    def dropout(self) -> Any:
        """The cell's dropout."""
    @property
    def recurrent_dropout(self) -> Any:
        """The cell's recurrent_dropout."""
    def call(self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None) -> Any:
        """The last output or all outputs, in a list with the states if `return_state`; see
        `tf.keras.layers.RNN`."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """A layer with these arguments."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', recurrent_initializer: Any = 'orthogonal',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: Any = 0.0,
        recurrent_dropout: Any = 0.0, return_sequences: Any = False, return_state: Any = False,
        go_backwards: Any = False, stateful: Any = False, unroll: Any = False, **kwargs: Any,
    ) -> None: ...

class SimpleRNNCell(Layer):
    """A fully connected recurrent cell: activation(inputs @ kernel + state @ recurrent_kernel + bias)."""
    def call(self, inputs: Any, states: Any, training: Any = None) -> tuple[Any, Any]:
        """One step: (output, [output])."""
    parts: int
    fields: tuple[str, ...]
    @property
    def state_size(self) -> Any:
        """The size of the state, or a list of sizes."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    def build(self, input_shape: Any) -> None: ...
    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Zeros, in the structure of `state_size`."""
    def reset_dropout_mask(self) -> None:
        """Clears the cached dropout masks of the inputs."""
    def reset_recurrent_dropout_mask(self) -> None:
        """Clears the cached dropout masks of the state."""
    def get_dropout_mask_for_cell(self, inputs: Any, training: Any, count: Any = 1) -> Any:
        """`count` dropout masks of the inputs: cached by the layer's call, or new ones, or None."""
    def get_recurrent_dropout_mask_for_cell(self, inputs: Any, training: Any, count: Any = 1) -> Any:
        """`count` dropout masks of the state: cached by the layer's call, or new ones, or None."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', recurrent_initializer: Any = 'orthogonal',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: Any = 0.0, recurrent_dropout: Any = 0.0, **kwargs: Any,
    ) -> None: ...
    dropout: Any
    recurrent_dropout: Any
    kernel: Any
    recurrent_kernel: Any
    bias: Any
    built: Any

class Softmax(Layer):
    """Softmax along an axis."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, axis: Any = -1, **kwargs: Any) -> None: ...
    axis: Any
    supports_masking: Any

class SpatialDropout1D(Dropout):
    """Spatial dropout of sequences [batch, length, features]: drops whole features (Tompson et al.,
    2015)."""
    rank: int
    fields: tuple[str, ...]
    def __init__(self, rate: Any, **kwargs: Any) -> None: ...
    data_format: Any

class SpatialDropout2D(Dropout):
    """Spatial dropout of images: drops whole channels (Tompson et al., 2015)."""
    rank: int
    fields: tuple[str, ...]
    def __init__(self, rate: Any, data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

class SpatialDropout3D(Dropout):
    """Spatial dropout of volumes: drops whole channels (Tompson et al., 2015)."""
    rank: int
    fields: tuple[str, ...]
    def __init__(self, rate: Any, data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

class StackedRNNCells(Layer):
    """Stacked cells as one cell: the output of each is the input of the next."""
    @property
    def state_size(self) -> Any:
        """The sizes of the cells' states, a tuple."""
    @property
    def output_size(self) -> Any:
        """The size of the last cell's output."""
    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """The cells' initial states, a tuple."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, states: Any, constants: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        """One step: (output of the last cell, new states of all)."""
    def get_config(self) -> Any:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """A layer with these arguments."""
    def __init__(self, cells: Any, **kwargs: Any) -> None: ...
    reverse_state_order: Any
    cells: Any
    built: Any

class Subtract(Layer):
    """The difference of a list of tensors, elementwise."""
    least: int
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def __init__(self, **kwargs: Any) -> None: ...
    supports_masking: Any
    built: Any

class ThresholdedReLU(Layer):
    """The thresholded rectified linear unit: x above theta, else 0."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, theta: Any = 1.0, **kwargs: Any) -> None: ...
    theta: Any
    supports_masking: Any

class TimeDistributed(Wrapper):
    """Applies a layer to each time step of sequences [batch, time, ...]."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The layer's outputs [batch, time, ...]."""
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(self, layer: Any, **kwargs: Any) -> None: ...
    supports_masking: Any

class UpSampling1D(Layer):
    """Upsamples sequences [batch, length, features] by repeating each step."""
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    rank: int
    def __init__(self, size: Any = 2, **kwargs: Any) -> None: ...
    size: Any
    data_format: Any

class UpSampling2D(Layer):
    """Upsamples images by nearest-neighbour or bilinear interpolation."""
    rank: int
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(
        self, size: Any = ..., data_format: str | None = None, interpolation: Any = 'nearest', **kwargs: Any,
    ) -> None: ...
    size: Any
    interpolation: Any
    data_format: Any

class UpSampling3D(Layer):
    """Upsamples volumes by repeating elements."""
    rank: int
    fields: tuple[str, ...]
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(self, size: Any = ..., data_format: str | None = None, **kwargs: Any) -> None: ...
    size: Any
    data_format: Any

class Wrapper(Layer):
    """A layer that wraps another one."""
    def build(self, input_shape: Any = None) -> None: ...
    @property
    def activity_regularizer(self) -> Any:
        """The wrapped layer's activity regularizer."""
    def get_config(self) -> Any:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """A layer with these arguments."""
    def __init__(self, layer: Any, **kwargs: Any) -> None: ...
    layer: Any
    built: Any

class ZeroPadding1D(Layer):
    """Zero-pads both ends of sequences [batch, length, features]."""
    rank: int
    fields: tuple[str, ...]
    @property
    def padding(self) -> Any: ...
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(self, padding: Any = 1, **kwargs: Any) -> None: ...
    data_format: Any

class ZeroPadding2D(Layer):
    """Zero-pads the sides of images."""
    rank: int
    fields: tuple[str, ...]
    @property
    def padding(self) -> Any: ...
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(self, padding: Any = ..., data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

class ZeroPadding3D(Layer):
    """Zero-pads the sides of volumes."""
    rank: int
    fields: tuple[str, ...]
    @property
    def padding(self) -> Any: ...
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def __init__(self, padding: Any = ..., data_format: str | None = None, **kwargs: Any) -> None: ...
    data_format: Any

def add(inputs: Any, **kwargs: Any) -> Any:
    """`tf.keras.layers.Add` of the inputs."""

def average(inputs: Any, **kwargs: Any) -> Any:
    """`tf.keras.layers.Average` of the inputs."""

def concatenate(inputs: Any, axis: Any = -1, **kwargs: Any) -> Any:
    """`tf.keras.layers.Concatenate` of the inputs."""

def deserialize(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
    """The layer, or the sequential model, of a serialized configuration."""

def dot(inputs: Any, axes: Any, normalize: Any = False, **kwargs: Any) -> Any:
    """`tf.keras.layers.Dot` of the inputs."""

def maximum(inputs: Any, **kwargs: Any) -> Any:
    """`tf.keras.layers.Maximum` of the inputs."""

def minimum(inputs: Any, **kwargs: Any) -> Any:
    """`tf.keras.layers.Minimum` of the inputs."""

def multiply(inputs: Any, **kwargs: Any) -> Any:
    """`tf.keras.layers.Multiply` of the inputs."""

def serialize(layer: Any) -> dict[str, Any]:
    """The name of a layer's class and its configuration."""

def subtract(inputs: Any, **kwargs: Any) -> Any:
    """`tf.keras.layers.Subtract` of the inputs."""
