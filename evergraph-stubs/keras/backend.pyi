# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.backend."""

from contextlib import AbstractContextManager
from evergraph import SparseTensor, Tensor
from typing import Any

def abs(x: Any) -> Tensor:
    """The absolute value of each element."""

def all(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether all elements along axes are not zero."""

def any(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether any element along axes is not zero."""

def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = 'int32') -> Any:
    """The range start, start + step, ..., excluding stop; from zero if only one number is given."""

def argmax(x: Any, axis: Any = -1) -> Tensor:
    """The index of the maximum along an axis."""

def argmin(x: Any, axis: Any = -1) -> Tensor:
    """The index of the minimum along an axis."""

def backend() -> str:
    """The name of the backend: "tensorflow"."""

def batch_dot(x: Any, y: Any, axes: Any = None) -> Tensor:
    """The batched dot product of two tensors along an axis of each."""

def batch_flatten(x: Any) -> Tensor:
    """Flattens each example: [batch, ...] to [batch, number of elements]."""

def batch_get_value(tensors: list[Any]) -> list[Any]:
    """The values of tensors and variables in Keras' session, or with eager execution."""

def batch_normalization(
    x: Any, mean: Any, var: Any, beta: Any, gamma: Any, axis: Any = -1, epsilon: Any = 0.001,
) -> Tensor:
    """Batch normalization: (x - mean) / sqrt(var + epsilon) * gamma + beta."""

def batch_set_value(tuples: list[tuple[Any, Any]]) -> None:
    """Assigns values to variables in Keras' session, given as (variable, value) pairs."""

def bias_add(x: Any, bias: Any, data_format: str | None = None) -> Tensor:
    """Adds a bias: one element per channel, or a tensor of the shape of an example."""

def binary_crossentropy(target: Any, output: Any, from_logits: Any = False) -> Tensor:
    """The elementwise binary cross entropy of predicted probabilities with labels."""

def cast(x: Any, dtype: Any) -> Tensor:
    """Casts a tensor to another dtype."""

def cast_to_floatx(x: Any) -> Any:
    """Casts an array or tensor to the default dtype."""

def categorical_crossentropy(target: Any, output: Any, from_logits: Any = False, axis: Any = -1) -> Any:
    """The categorical cross entropy of predicted class probabilities with a label distribution."""

def clear_session() -> None:
    """Resets the default graph, Keras' session and the names of layers."""

def clip(x: Any, min_value: Any, max_value: Any) -> Any:
    """Clips x to [min_value, max_value]; the lower bound wins if they contradict each other."""

def concatenate(tensors: Any, axis: Any = -1) -> Tensor:
    """Concatenates tensors along an axis."""

def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Tensor:
    """A constant; its dtype is by default `tf.keras.backend.floatx()`."""

def conv1d(
    x: Any, kernel: Any, strides: Any = 1, padding: Any = 'valid', data_format: str | None = None,
    dilation_rate: Any = 1,
) -> Any:
    """1-D convolution; see `tf.keras.layers.Conv1D`."""

def conv2d(
    x: Any, kernel: Any, strides: Any = ..., padding: Any = 'valid', data_format: str | None = None,
    dilation_rate: Any = ...,
) -> Any:
    """2-D convolution; see `tf.keras.layers.Conv2D`."""

def conv2d_transpose(
    x: Any, kernel: Any, output_shape: Any, strides: Any = ..., padding: Any = 'valid',
    data_format: str | None = None, dilation_rate: Any = ...,
) -> Any:
    """2-D transposed convolution, to the given output shape; see `tf.keras.layers.Conv2DTranspose`."""

def conv3d(
    x: Any, kernel: Any, strides: Any = ..., padding: Any = 'valid', data_format: str | None = None,
    dilation_rate: Any = ...,
) -> Any:
    """3-D convolution; see `tf.keras.layers.Conv3D`."""

def cos(x: Any) -> Tensor:
    """The cosine of each angle in radians."""

def count_params(x: Any) -> Any:
    """The number of elements of a tensor or variable."""

def ctc_batch_cost(y_true: Any, y_pred: Any, input_length: Any, label_length: Any) -> Tensor:
    """The connectionist temporal classification (CTC) loss of each sequence, [batch, 1]."""

def ctc_decode(
    y_pred: Any, input_length: Any, greedy: Any = True, beam_width: Any = 100, top_paths: Any = 1,
) -> tuple[Any, Any]:
    """CTC decoding: (list of decoded label tensors padded with -1, minus the log probabilities)."""

def ctc_label_dense_to_sparse(labels: Any, label_lengths: Any) -> SparseTensor:
    """Converts padded labels to a sparse tensor."""

def cumprod(x: Any, axis: Any = 0) -> Tensor:
    """The cumulative product along an axis."""

def cumsum(x: Any, axis: Any = 0) -> Tensor:
    """The cumulative sum along an axis."""

def dot(x: Any, y: Any) -> Tensor:
    """The dot product of tensors of any ranks: the last axis of `x` with the one before the last of `y`."""

def dropout(x: Any, level: Any, noise_shape: Any = None, seed: Any = None) -> Any:
    """Dropout with the probability `level` that an element is dropped."""

def dtype(x: Any) -> str:
    """The name of the dtype."""

from evergraph.keras.activations import elu as elu

def epsilon() -> float:
    """The fuzz factor that keeps quotients and logarithms finite."""

def equal(x: Any, y: Any) -> Tensor:
    """Whether x == y, element by element."""

eval = get_value

def exp(x: Any) -> Tensor:
    """The exponential e ** x of each element."""

def expand_dims(x: Any, axis: Any = -1) -> Tensor:
    """Inserts an axis of size 1."""

def eye(size: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable initialized with the identity matrix."""

def flatten(x: Any) -> Tensor:
    """Flattens a tensor to a vector."""

def floatx() -> str:
    """The name of the default dtype."""

def foldl(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """Left fold: reduces the elements along the first axis by a function, from the first on; see
    `tf.foldl`."""

def foldr(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """Right fold: reduces the elements along the first axis by a function, from the last on; see
    `tf.foldr`."""

def function(
    inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, **kwargs: Any,
) -> Any:
    """A function that feeds arrays and runs a part of the graph."""

def gather(reference: Any, indices: Any) -> Tensor:
    """Gathers the rows at these indices."""

def get_session(op_input_list: Any = ...) -> Any:
    """Keras' session: the default session, or a global one; initializes uninitialized variables."""

def get_uid(prefix: str = '') -> int:
    """The next number of a layer with this prefix in the default graph."""

def get_value(x: Any) -> Any:
    """The value of a tensor or variable in Keras' session, or with eager execution."""

def gradients(loss: Any, variables: Any) -> list[Any]:
    """The gradients of a loss with respect to variables."""

def greater(x: Any, y: Any) -> Tensor:
    """Whether x > y, element by element."""

def greater_equal(x: Any, y: Any) -> Tensor:
    """Whether x >= y, element by element."""

from evergraph.keras.activations import hard_sigmoid as hard_sigmoid

def image_data_format() -> str:
    """The default layout of images: "channels_last" or "channels_first"."""

def in_test_phase(x: Any, alt: Any, training: Any = None) -> Any:
    """`alt` in training, else `x`; see `in_train_phase`."""

def in_top_k(predictions: Any, targets: Any, k: Any) -> Tensor:
    """Whether each target is among the k largest predictions."""

def in_train_phase(x: Any, alt: Any, training: Any = None) -> Any:
    """`x` in training, else `alt`."""

def int_shape(x: Any) -> Any:
    """The static shape as a tuple with None for unknown sizes; None for an unknown rank."""

def is_sparse(tensor: Any) -> bool:
    """Whether a tensor is sparse."""

def l2_normalize(x: Any, axis: Any = None) -> Tensor:
    """Normalizes the vectors along an axis to L2 norm 1."""

def learning_phase() -> Any:
    """The learning phase: 1 (training) or 0 if set; else in a graph, or where a model is described with
    eager execution, a bool placeholder that defaults to False, and 0 where operations run at once."""

def learning_phase_scope(value: int) -> AbstractContextManager[None]:
    """Context manager that fixes the learning phase of the default graph."""

def less(x: Any, y: Any) -> Tensor:
    """Whether x < y, element by element."""

def less_equal(x: Any, y: Any) -> Tensor:
    """Whether x <= y, element by element."""

def local_conv1d(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, data_format: str | None = None,
) -> Tensor:
    """1-D convolution without weight sharing; see `tf.keras.layers.LocallyConnected1D`."""

def local_conv2d(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, output_shape: Any,
    data_format: str | None = None,
) -> Tensor:
    """2-D convolution without weight sharing, to (rows, columns); see
    `tf.keras.layers.LocallyConnected2D`."""

def log(x: Any) -> Tensor:
    """The natural logarithm of each element."""

def manual_variable_initialization(value: bool) -> None:
    """True leaves the initialization of variables to the program."""

def map_fn(fn: Any, elems: Any, name: str | None = None, dtype: Any = None) -> Any:
    """Maps a function over the elements along the first axis."""

def max(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The largest element along axes."""

def maximum(x: Any, y: Any) -> Tensor:
    """The larger one of x and y, element by element."""

def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The mean along axes."""

def min(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The smallest element along axes."""

def minimum(x: Any, y: Any) -> Tensor:
    """The smaller one of x and y, element by element."""

def moving_average_update(x: Any, value: Any, momentum: Any) -> Any:
    """Updates an exponential moving average, with zero debiasing: x += (1 - momentum) * (value - x)."""

from evergraph import name_scope as name_scope

def ndim(x: Any) -> int | None:
    """The rank; None if unknown."""

def normalize_batch_in_training(
    x: Any, gamma: Any, beta: Any, reduction_axes: Any, epsilon: Any = 0.001,
) -> tuple[Tensor, Any, Any]:
    """Normalizes a batch by its own statistics: (normalized batch, mean, variance)."""

def not_equal(x: Any, y: Any) -> Tensor:
    """Whether x != y, element by element."""

def one_hot(indices: Any, num_classes: Any) -> Tensor:
    """One-hot encodes indices."""

def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of ones; a tensor if a size is unknown."""

def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones of the shape of `x`."""

def permute_dimensions(x: Any, pattern: Any) -> Tensor:
    """Permutes the axes of a tensor."""

def placeholder(
    shape: Any = None, ndim: Any = None, dtype: Any = None, sparse: Any = False, name: str | None = None,
    ragged: Any = False,
) -> Any:
    """Creates a placeholder."""

def pool2d(
    x: Any, pool_size: Any, strides: Any = ..., padding: Any = 'valid', data_format: str | None = None,
    pool_mode: Any = 'max',
) -> Any:
    """2-D pooling; see `tf.keras.layers.MaxPool2D` and, for pool_mode="avg",
    `tf.keras.layers.AvgPool2D`."""

def pool3d(
    x: Any, pool_size: Any, strides: Any = ..., padding: Any = 'valid', data_format: str | None = None,
    pool_mode: Any = 'max',
) -> Any:
    """3-D pooling; see `tf.keras.layers.MaxPool3D` and, for pool_mode="avg",
    `tf.keras.layers.AvgPool3D`."""

def pow(x: Any, a: Any) -> Tensor:
    """The power x ** a, element by element."""

def print_tensor(x: Any, message: str = '') -> Tensor:
    """Forwards the tensor, and prints it after the message whenever it is computed."""

def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The product along axes."""

def random_binomial(shape: Any, p: Any = 0.0, dtype: Any = None, seed: Any = None) -> Tensor:
    """Bernoulli random numbers: 1 with probability `p`, else 0."""

def random_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None,
) -> Tensor:
    """Normal random numbers of a mean and a standard deviation."""

def random_normal_variable(
    shape: Any, mean: Any, scale: Any, dtype: Any = None, name: str | None = None, seed: Any = None,
) -> Any:
    """A variable initialized with normal random numbers."""

def random_uniform(
    shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None,
) -> Tensor:
    """Uniform random numbers between two bounds."""

def random_uniform_variable(
    shape: Any, low: Any, high: Any, dtype: Any = None, name: str | None = None, seed: Any = None,
) -> Any:
    """A variable initialized with uniform random numbers."""

from evergraph.keras.activations import relu as relu

def repeat(x: Any, n: Any) -> Tensor:
    """Repeats each example n times: [batch, features] to [batch, n, features]."""

def repeat_elements(x: Any, rep: Any, axis: Any) -> Tensor:
    """Repeats each element `rep` times along an axis."""

def reset_uids() -> None:
    """Resets the counters of layer names."""

def reshape(x: Any, shape: Any) -> Tensor:
    """Gives a tensor another shape."""

def resize_images(
    x: Any, height_factor: Any, width_factor: Any, data_format: str, interpolation: Any = 'nearest',
) -> Any:
    """Makes images larger by whole factors; see `tf.keras.layers.UpSampling2D`."""

def resize_volumes(
    x: Any, depth_factor: Any, height_factor: Any, width_factor: Any, data_format: str,
) -> Any:
    """Makes volumes larger by whole factors; see `tf.keras.layers.UpSampling3D`."""

def reverse(x: Any, axes: Any) -> Tensor:
    """Reverses a tensor along axes."""

def rnn(
    step_function: Any, inputs: Any, initial_states: Any, go_backwards: bool = False, mask: Any = None,
    constants: Any = None, unroll: bool = False, input_length: Any = None, time_major: bool = False,
    zero_output_for_mask: bool = False,
) -> tuple[Any, Any, Any]:
    """Iterates a step function over the time axis of the inputs."""

def round(x: Any) -> Tensor:
    """Rounds half to even."""

def separable_conv2d(
    x: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = ..., padding: Any = 'valid',
    data_format: str | None = None, dilation_rate: Any = ...,
) -> Tensor:
    """Depthwise separable 2-D convolution; see `tf.keras.layers.SeparableConv2D`."""

def set_epsilon(value: float) -> None:
    """Sets the fuzz factor."""

def set_floatx(value: str) -> None:
    """Sets the default dtype."""

def set_image_data_format(data_format: str) -> None:
    """Sets the default layout of images."""

def set_learning_phase(value: int) -> None:
    """Fixes the learning phase of the default graph."""

def set_session(session: Any) -> None:
    """Sets the session that Keras uses if there is no default session."""

def set_value(x: Any, value: Any) -> None:
    """Assigns a value to a variable in Keras' session."""

def shape(x: Any) -> Tensor:
    """The shape as a tensor."""

from evergraph.keras.activations import sigmoid as sigmoid

def sign(x: Any) -> Tensor:
    """The sign: -1, 0 or 1."""

def sin(x: Any) -> Tensor:
    """The sine of each angle in radians."""

def softmax(x: Any, axis: Any = -1) -> Tensor:
    """Softmax along an axis."""

from evergraph.keras.activations import softplus as softplus
from evergraph.keras.activations import softsign as softsign

def sparse_categorical_crossentropy(
    target: Any, output: Any, from_logits: Any = False, axis: Any = -1,
) -> Any:
    """The categorical cross entropy of predicted class probabilities with integer labels."""

def spatial_2d_padding(x: Any, padding: Any = ..., data_format: str | None = None) -> Tensor:
    """Pads images with zeros; see `tf.keras.layers.ZeroPadding2D`."""

def spatial_3d_padding(x: Any, padding: Any = ..., data_format: str | None = None) -> Tensor:
    """Pads volumes with zeros; see `tf.keras.layers.ZeroPadding3D`."""

def sqrt(x: Any) -> Tensor:
    """The square root; 0 for negative numbers."""

def square(x: Any) -> Tensor:
    """The square of each element."""

def squeeze(x: Any, axis: Any) -> Tensor:
    """Removes an axis of size 1."""

def stack(x: Any, axis: Any = 0) -> Tensor:
    """Stacks a list of tensors along a new axis."""

def std(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The standard deviation along axes."""

def stop_gradient(variables: Any) -> Any:
    """Stops gradients through a tensor or a list of tensors."""

def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The sum along axes."""

def switch(condition: Any, then_expression: Any, else_expression: Any) -> Any:
    """Selects one expression or the other: as a whole for a scalar condition, else by row or element."""

from evergraph.keras.activations import tanh as tanh

def temporal_padding(x: Any, padding: Any = ...) -> Tensor:
    """Pads sequences with zeros before and after."""

def tile(x: Any, n: Any) -> Tensor:
    """Tiles a tensor, `n` times or by a number for each axis."""

def to_dense(tensor: Any) -> Any:
    """Converts a sparse tensor to a dense one; other tensors unchanged."""

def transpose(x: Any) -> Tensor:
    """Reverses the order of the axes."""

def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None,
) -> Tensor:
    """Normal random numbers within two standard deviations."""

def update(x: Any, new_x: Any) -> Any:
    """Assigns to a variable."""

def update_add(x: Any, increment: Any) -> Any:
    """Adds to a variable."""

def update_sub(x: Any, decrement: Any) -> Any:
    """Subtracts from a variable."""

def var(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The variance along axes."""

def variable(value: Any, dtype: Any = None, name: str | None = None, constraint: Any = None) -> Any:
    """Creates a variable."""

def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of zeros; a tensor if a size is unknown."""

def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros of the shape of `x`."""
