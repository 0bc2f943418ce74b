# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.backend."""

from contextlib import AbstractContextManager
from evergraph import SparseTensor, Tensor
from typing import Any

def abs(x: Any) -> Any:
    """|x|."""

def all(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether all elements along axes are not zero."""

def any(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether any element along axes is not zero."""

def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = 'int32') -> Any:
    """start, start + step, ... up to stop; from zero when only one number is given."""

def argmax(x: Any, axis: Any = -1) -> Any:
    """The place of the largest element along an axis."""

def argmin(x: Any, axis: Any = -1) -> Any:
    """The place of the smallest element along an axis."""

def backend() -> str:
    """What computes: "tensorflow", as programs that ask expect."""

def batch_dot(x: Any, y: Any, axes: Any = None) -> Tensor:
    """The products of two tensors, example by example, summed up along an axis of each."""

def batch_flatten(x: Any) -> Tensor:
    """[batch, ...] to [batch, number of elements]."""

def batch_get_value(tensors: list[Any]) -> list[Any]:
    """The values of tensors and variables in Keras' session."""

def batch_normalization(
    x: Any, mean: Any, var: Any, beta: Any, gamma: Any, axis: Any = -1, epsilon: Any = 0.001,
) -> Tensor:
    """(x - mean) / sqrt(var + epsilon) * gamma + beta."""

def batch_set_value(tuples: list[tuple[Any, Any]]) -> None:
    """Sets variables in Keras' session: pairs of variable and value."""

def bias_add(x: Any, bias: Any, data_format: str | None = None) -> Tensor:
    """Adds a bias: a vector of channels, or a tensor of the shape of an example."""

def binary_crossentropy(target: Any, output: Any, from_logits: Any = False) -> Tensor:
    """The cross entropy of probabilities with bools, element by element."""

def cast(x: Any, dtype: Any) -> Any:
    """The tensor in another dtype."""

def cast_to_floatx(x: Any) -> Any:
    """An array or tensor in the default dtype."""

def categorical_crossentropy(target: Any, output: Any, from_logits: Any = False, axis: Any = -1) -> Any:
    """The cross entropy of probabilities of classes with a distribution over them."""

def clear_session() -> None:
    """Forgets the default graph, Keras' session and the names of layers: starts anew."""

def clip(x: Any, min_value: Any, max_value: Any) -> Any:
    """x within limits; the lower one wins where they contradict each other."""

def concatenate(tensors: Any, axis: Any = -1) -> Tensor:
    """Tensors one after the other along an axis."""

def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Tensor:
    """A constant; its dtype is by default `tf.keras.backend.floatx()`."""

def conv1d(
    x: Any, kernel: Any, strides: Any = 1, padding: Any = 'valid', data_format: str | None = None,
    dilation_rate: Any = 1,
) -> Any:
    """The convolution of sequences; see `tf.keras.layers.Conv1D`."""

def conv2d(
    x: Any, kernel: Any, strides: Any = ..., padding: Any = 'valid', data_format: str | None = None,
    dilation_rate: Any = ...,
) -> Any:
    """The convolution of images; see `tf.keras.layers.Conv2D`."""

def conv2d_transpose(
    x: Any, kernel: Any, output_shape: Any, strides: Any = ..., padding: Any = 'valid',
    data_format: str | None = None, dilation_rate: Any = ...,
) -> Any:
    """The transpose of a convolution of images, to this shape."""

def conv3d(
    x: Any, kernel: Any, strides: Any = ..., padding: Any = 'valid', data_format: str | None = None,
    dilation_rate: Any = ...,
) -> Any:
    """The convolution of volumes; see `tf.keras.layers.Conv3D`."""

def cos(x: Any) -> Any:
    """The cosine."""

def count_params(x: Any) -> Any:
    """How many elements a tensor or variable has."""

def ctc_batch_cost(y_true: Any, y_pred: Any, input_length: Any, label_length: Any) -> Tensor:
    """The CTC loss of each sequence, [batch, 1]."""

def ctc_decode(
    y_pred: Any, input_length: Any, greedy: Any = True, beam_width: Any = 100, top_paths: Any = 1,
) -> tuple[Any, Any]:
    """(the decoded labels, a list of tensors in which -1 fills up; minus the log probabilities)."""

def ctc_label_dense_to_sparse(labels: Any, label_lengths: Any) -> SparseTensor:
    """The labels of sequences of different lengths as a sparse tensor."""

def cumprod(x: Any, axis: Any = 0) -> Any:
    """The products up to each element along an axis."""

def cumsum(x: Any, axis: Any = 0) -> Any:
    """The sums up to each element along an axis."""

def dot(x: Any, y: Any) -> Tensor:
    """The product along the last axis of `x` and the last but one of `y`, of any ranks."""

def dropout(x: Any, level: Any, noise_shape: Any = None, seed: Any = None) -> Any:
    """`tf.nn.dropout` with the probability `level` that an element is dropped."""

def dtype(x: Any) -> Any:
    """The name of the dtype."""

from evergraph.keras.activations import elu as elu

def epsilon() -> float:
    """The small number that keeps quotients and logarithms finite."""

def equal(x: Any, y: Any) -> Any:
    """Whether x and y are equal."""

eval = get_value

def exp(x: Any) -> Any:
    """e to the power of x."""

def expand_dims(x: Any, axis: Any = -1) -> Tensor:
    """With an axis of size 1 more."""

def eye(size: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable that starts with the identity matrix."""

def flatten(x: Any) -> Tensor:
    """All elements as a vector."""

def floatx() -> str:
    """The name of the default dtype."""

def foldl(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """The elements along the first axis put together by a function, from the first on."""

def foldr(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """The elements along the first axis put together by a function, from the last on."""

def function(
    inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, **kwargs: Any,
) -> Any:
    """A function of arrays that runs a part of the graph."""

def gather(reference: Any, indices: Any) -> Tensor:
    """The rows with these indices."""

def get_session(op_input_list: Any = ...) -> Any:
    """The session that Keras uses: the default one, or one of its own; variables without a value get
    one."""

def get_uid(prefix: str = '') -> int:
    """The next number of a layer with this prefix in the default graph."""

def get_value(x: Any) -> Any:
    """The value of a tensor or variable in Keras' session."""

def gradients(loss: Any, variables: Any) -> Any:
    """The gradients of a loss by variables."""

def greater(x: Any, y: Any) -> Any:
    """Whether x is greater than y."""

def greater_equal(x: Any, y: Any) -> Any:
    """Whether x is at least y."""

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
    """The static shape, a tuple with None for sizes that are not known; None where not even the rank is."""

def is_sparse(tensor: Any) -> Any:
    """Whether a tensor is sparse."""

def l2_normalize(x: Any, axis: Any = None) -> Tensor:
    """The vectors along an axis, scaled to length 1."""

def learning_phase() -> Any:
    """Whether the graph trains, 1 or 0, as it was set; or else a bool tensor to feed, which is False unless
    fed."""

def learning_phase_scope(value: int) -> AbstractContextManager[None]:
    """A block in which the learning phase of the default graph is fixed."""

def less(x: Any, y: Any) -> Any:
    """Whether x is less than y."""

def less_equal(x: Any, y: Any) -> Any:
    """Whether x is at most y."""

def local_conv1d(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, data_format: str | None = None,
) -> Tensor:
    """Sequences with filters that differ from place to place."""

def local_conv2d(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, output_shape: Any,
    data_format: str | None = None,
) -> Tensor:
    """Images with filters that differ from place to place; `output_shape` is (rows, columns)."""

def log(x: Any) -> Any:
    """The natural logarithm."""

def manual_variable_initialization(value: bool) -> None:
    """True leaves the initialization of variables to the program."""

def map_fn(fn: Any, elems: Any, name: str | None = None, dtype: Any = None) -> Any:
    """A function of each element along the first axis."""

def max(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest element along axes."""

def maximum(x: Any, y: Any) -> Any:
    """The larger of two."""

def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean along axes."""

def min(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The smallest element along axes."""

def minimum(x: Any, y: Any) -> Any:
    """The smaller of two."""

def moving_average_update(x: Any, value: Any, momentum: Any) -> Any:
    """Moves a variable towards a value, by 1 - momentum of the way; makes up for a start with zero."""

from evergraph import name_scope as name_scope

def ndim(x: Any) -> Any:
    """The rank; None where it is not known."""

def normalize_batch_in_training(
    x: Any, gamma: Any, beta: Any, reduction_axes: Any, epsilon: Any = 0.001,
) -> tuple[Tensor, Any, Any]:
    """(the normalized batch, its mean, its variance)."""

def not_equal(x: Any, y: Any) -> Any:
    """Whether x and y differ."""

def one_hot(indices: Any, num_classes: Any) -> Tensor:
    """A vector of zeros for each index, with a one at its place."""

def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of ones; a tensor where a size is not known."""

def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones in the shape of `x`."""

def permute_dimensions(x: Any, pattern: Any) -> Tensor:
    """The axes in another order."""

def placeholder(
    shape: Any = None, ndim: Any = None, dtype: Any = None, sparse: Any = False, name: str | None = None,
    ragged: Any = False,
) -> Any:
    """A placeholder."""

def pool2d(
    x: Any, pool_size: Any, strides: Any = ..., padding: Any = 'valid', data_format: str | None = None,
    pool_mode: Any = 'max',
) -> Any:
    """The largest ("max") or the mean ("avg") of the elements in windows of images."""

def pool3d(
    x: Any, pool_size: Any, strides: Any = ..., padding: Any = 'valid', data_format: str | None = None,
    pool_mode: Any = 'max',
) -> Any:
    """The largest ("max") or the mean ("avg") of the elements in windows of volumes."""

def pow(x: Any, a: Any) -> Tensor:
    """x to the power of a."""

def print_tensor(x: Any, message: str = '') -> Any:
    """The tensor; each time it is computed, it is printed after the message."""

def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The product along axes."""

def random_binomial(shape: Any, p: Any = 0.0, dtype: Any = None, seed: Any = None) -> Tensor:
    """Ones with probability `p`, else zeros."""

def random_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None,
) -> Tensor:
    """Normal random numbers."""

def random_normal_variable(
    shape: Any, mean: Any, scale: Any, dtype: Any = None, name: str | None = None, seed: Any = None,
) -> Any:
    """A variable that starts with normal random numbers."""

def random_uniform(
    shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None,
) -> Tensor:
    """Uniform random numbers."""

def random_uniform_variable(
    shape: Any, low: Any, high: Any, dtype: Any = None, name: str | None = None, seed: Any = None,
) -> Any:
    """A variable that starts with uniform random numbers."""

from evergraph.keras.activations import relu as relu

def repeat(x: Any, n: Any) -> Tensor:
    """[batch, features] to [batch, n, features]."""

def repeat_elements(x: Any, rep: Any, axis: Any) -> Tensor:
    """Each element `rep` times in a row, along an axis."""

def reset_uids() -> None:
    """Begins to count layers anew."""

def reshape(x: Any, shape: Any) -> Tensor:
    """The elements in another shape."""

def resize_images(
    x: Any, height_factor: Any, width_factor: Any, data_format: str, interpolation: Any = 'nearest',
) -> Any:
    """Images so many times as high and as wide."""

def resize_volumes(
    x: Any, depth_factor: Any, height_factor: Any, width_factor: Any, data_format: str,
) -> Any:
    """Volumes so many times as deep, high and wide."""

def reverse(x: Any, axes: Any) -> Tensor:
    """The tensor backward along axes."""

def rnn(
    step_function: Any, inputs: Any, initial_states: Any, go_backwards: bool = False, mask: Any = None,
    constants: Any = None, unroll: bool = False, input_length: Any = None, time_major: bool = False,
    zero_output_for_mask: bool = False,
) -> tuple[Any, Any, Any]:
    """Repeats a step along the time of the inputs."""

def round(x: Any) -> Any:
    """The nearest integer, the even one of two."""

def separable_conv2d(
    x: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = ..., padding: Any = 'valid',
    data_format: str | None = None, dilation_rate: Any = ...,
) -> Tensor:
    """Filters for each channel, then a mixing of channels; see `tf.keras.layers.SeparableConv2D`."""

def set_epsilon(value: float) -> None:
    """Sets what `epsilon` gives."""

def set_floatx(value: str) -> None:
    """Sets the default dtype."""

def set_image_data_format(data_format: str) -> None:
    """Sets the default layout of images."""

def set_learning_phase(value: int) -> None:
    """Fixes the learning phase of the default graph."""

def set_session(session: Any) -> None:
    """Makes this the session that Keras uses where there is no default one."""

def set_value(x: Any, value: Any) -> None:
    """Sets a variable in Keras' session."""

def shape(x: Any) -> Tensor:
    """The shape, as a tensor."""

from evergraph.keras.activations import sigmoid as sigmoid

def sign(x: Any) -> Any:
    """-1, 0 or 1."""

def sin(x: Any) -> Any:
    """The sine."""

def softmax(x: Any, axis: Any = -1) -> Any:
    """Softmax along an axis."""

from evergraph.keras.activations import softplus as softplus
from evergraph.keras.activations import softsign as softsign

def sparse_categorical_crossentropy(
    target: Any, output: Any, from_logits: Any = False, axis: Any = -1,
) -> Any:
    """The cross entropy of probabilities of classes with the class that is right."""

def spatial_2d_padding(x: Any, padding: Any = ..., data_format: str | None = None) -> Tensor:
    """Images with zeros around them."""

def spatial_3d_padding(x: Any, padding: Any = ..., data_format: str | None = None) -> Tensor:
    """Volumes with zeros around them."""

def sqrt(x: Any) -> Tensor:
    """The square root, of zero for negative numbers."""

def square(x: Any) -> Any:
    """x times x."""

def squeeze(x: Any, axis: Any) -> Tensor:
    """Without an axis of size 1."""

def stack(x: Any, axis: Any = 0) -> Tensor:
    """A list of tensors along a new axis."""

def std(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The standard deviation along axes."""

def stop_gradient(variables: Any) -> Any:
    """The tensor, or the list of them, as constants for gradients."""

def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum along axes."""

def switch(condition: Any, then_expression: Any, else_expression: Any) -> Any:
    """One expression or the other: as a whole for a scalar condition, else row by row or element by
    element."""

from evergraph.keras.activations import tanh as tanh

def temporal_padding(x: Any, padding: Any = ...) -> Tensor:
    """Sequences with zeros before and after them."""

def tile(x: Any, n: Any) -> Tensor:
    """The tensor repeated, `n` times or so often along each axis."""

def to_dense(tensor: Any) -> Any:
    """The tensor, a sparse one made dense."""

def transpose(x: Any) -> Tensor:
    """The axes in reverse order."""

def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None,
) -> Tensor:
    """Normal random numbers within two standard deviations."""

def update(x: Any, new_x: Any) -> Any:
    """Sets a variable."""

def update_add(x: Any, increment: Any) -> Any:
    """Adds to a variable."""

def update_sub(x: Any, decrement: Any) -> Any:
    """Subtracts from a variable."""

def var(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The variance along axes."""

def variable(value: Any, dtype: Any = None, name: str | None = None, constraint: Any = None) -> Any:
    """A variable."""

def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of zeros; a tensor where a size is not known."""

def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros in the shape of `x`."""
