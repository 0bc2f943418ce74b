# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.layers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from evergraph import Tensor, TensorShape
from evergraph.layers import Layer
from typing import Any
from evergraph.contrib.layers import utils as utils

import sys
if sys.platform == "":
    del (
        batch_normalization, convolutions, dense, divisive, embedding, feature_columns,
        feature_columns_layers, feature_crosses, initializers, names, norms, optimize, pooling, scope,
        shape, summary,
    )

class GDN(Layer):
    """Divides each channel by the root of a weighted sum of the squares of all: x / sqrt(beta + gamma
    x²)."""
    fields: tuple[str, ...]
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: Any) -> TensorShape: ...
    def __init__(
        self, inverse: Any = False, beta_min: Any = 1e-06, gamma_init: Any = 0.1,
        reparam_offset: Any = 3.814697265625e-06, data_format: str = 'channels_last',
        activity_regularizer: Any = None, trainable: Any = True, name: str | None = None, **kwargs: Any,
    ) -> None: ...
    inverse: Any
    beta_min: Any
    gamma_init: Any
    reparam_offset: Any
    data_format: Any
    beta: Any
    gamma: Any
    built: Any

OPTIMIZER_CLS_NAMES: dict[str, Any]
OPTIMIZER_SUMMARIES: list[str]
SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY: int

def adaptive_clipping_fn(
    std_factor: float = 2.0, decay: float = 0.95, static_max_norm: float | None = None,
    global_step: Any = None, report_summary: bool = False, epsilon: float = 1e-08, name: str | None = None,
) -> Callable[[Any], Any]:
    """A function for `clip_gradients` that clips norms which are far beyond those seen so far."""

def apply_regularization(
    regularizer: Callable[[Any], Any], weights_list: list[Any] | None = None,
) -> Any:
    """Sums a regularizer's penalties over weights and adds the sum to the REGULARIZATION_LOSSES."""

def avg_pool2d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = 'VALID', data_format: str = 'NHWC',
    outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """The mean of the elements in windows."""

def avg_pool3d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = 'VALID', data_format: str = 'NDHWC',
    outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """The mean of the elements in windows."""

def batch_norm(
    inputs: Any, decay: float = 0.999, center: bool = True, scale: bool = False, epsilon: float = 0.001,
    activation_fn: Any = None, param_initializers: Any = None, param_regularizers: Any = None,
    updates_collections: Any = 'update_ops', is_training: Any = True, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    batch_weights: Any = None, fused: bool | None = None, data_format: str = 'NHWC',
    zero_debias_moving_mean: bool = False, scope: Any = None, renorm: bool = False,
    renorm_clipping: Any = None, renorm_decay: float = 0.99, adjustment: Any = None,
) -> Any:
    """Shifts and scales the inputs to mean 0 and variance 1, then by `beta` and `gamma`, which are
    learned."""

def bias_add(
    inputs: Any, activation_fn: Any = None, initializer: Any = ..., regularizer: Any = None,
    reuse: Any = None, variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, data_format: str = 'NHWC', scope: Any = None,
) -> Any:
    """Adds biases, one for each channel, in `scope`/biases."""

def bow_encoder(
    ids: Any, vocab_size: int, embed_dim: int, sparse_lookup: bool = True, initializer: Any = None,
    regularizer: Any = None, trainable: bool = True, scope: Any = None, reuse: Any = None,
) -> Tensor:
    """The mean of the rows of a table, `scope`/embeddings, over each bag of ids: [batch, length] to [batch,
    embed_dim]."""

def bucketized_column(source_column: tuple, boundaries: Sequence[float]) -> tuple:
    """A column that says between which boundaries a number lies; one-hot in networks, ids in linear
    models."""

def check_feature_columns(feature_columns: Iterable[Any]) -> None:
    """Raises ValueError where columns are a dictionary or two have the same name."""

conv1d = convolution1d
conv2d = convolution2d
conv2d_in_plane = convolution2d_in_plane
conv2d_transpose = convolution2d_transpose
conv3d = convolution3d
conv3d_transpose = convolution3d_transpose

def convolution(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = 'SAME',
    data_format: Any = None, rate: Any = 1, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None, conv_dims: int | None = None,
) -> Any:
    """Filters that slide over one, two or three axes, as many as the inputs have besides batch and
    channels."""

def convolution1d(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = 'SAME',
    data_format: Any = None, rate: Any = 1, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """`tf.contrib.layers.convolution` for inputs of rank 3; see there."""

def convolution2d(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = 'SAME',
    data_format: Any = None, rate: Any = 1, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """`tf.contrib.layers.convolution` for inputs of rank 4; see there."""

def convolution2d_in_plane(
    inputs: Any, kernel_size: Any, stride: Any = 1, padding: str = 'SAME', activation_fn: Any = ...,
    normalizer_fn: Any = None, normalizer_params: Any = None, weights_initializer: Any = ...,
    weights_regularizer: Any = None, biases_initializer: Any = ..., biases_regularizer: Any = None,
    reuse: Any = None, variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> Any:
    """One filter that slides over each channel alike, such as a blur or a difference of neighbours."""

def convolution2d_transpose(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = 'SAME',
    data_format: str = 'NHWC', activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """The transpose of a convolution of images: spreads each element over a window of the output."""

def convolution3d(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = 'SAME',
    data_format: Any = None, rate: Any = 1, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """`tf.contrib.layers.convolution` for inputs of rank 5; see there."""

def convolution3d_transpose(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = 'SAME',
    data_format: str = 'NDHWC', activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """The transpose of a convolution of volumes: spreads each element over a window of the output."""

def create_feature_spec_for_parsing(feature_columns: Any) -> dict[str, Any]:
    """The features that columns read, to be given to `tf.parse_example`."""

def crossed_column(
    columns: Any, hash_bucket_size: int, combiner: str = 'sum', ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None, hash_key: int | None = None,
) -> tuple:
    """A categorical column of all combinations of values of several columns, as hashes."""

def dense_to_sparse(
    tensor: Any, eos_token: int = 0, outputs_collections: Any = None, scope: str | None = None,
) -> Any:
    """The elements that are not the token for the end of a sentence, as a sparse tensor."""

def dropout(
    inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None, is_training: Any = True,
    outputs_collections: Any = None, scope: Any = None, seed: int | None = None,
) -> Any:
    """In training, sets elements to zero at random and scales the others up by 1 / keep_prob."""

def elu(
    inputs: Any, num_outputs: int, *, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """activation_fn(inputs @ weights + biases), along the last axis of the inputs."""

def embed_sequence(
    ids: Any, vocab_size: int | None = None, embed_dim: int | None = None, unique: bool = False,
    initializer: Any = None, regularizer: Any = None, trainable: bool = True, scope: Any = None,
    reuse: Any = None,
) -> Any:
    """The rows of a table, `scope`/embeddings, for sequences of ids: [batch, length] to [batch, length,
    embed_dim]."""

def embedding_column(
    sparse_id_column: Any, dimension: int, combiner: str = 'mean', initializer: Any = None,
    ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None, trainable: bool = True,
) -> tuple:
    """A dense column of vectors, which are learned: one for each id, combined where an example has
    several."""

def embedding_lookup_unique(
    params: Any, ids: Any, partition_strategy: str = 'mod', name: str | None = None,
) -> Tensor:
    """`tf.nn.embedding_lookup` that looks up each id once, however often it occurs."""

def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> Any:
    """[batch, ...] to [batch, number of elements]."""

def fully_connected(
    inputs: Any, num_outputs: int, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """activation_fn(inputs @ weights + biases), along the last axis of the inputs."""

def gdn(
    inputs: Any, inverse: bool = False, beta_min: float = 1e-06, gamma_init: float = 0.1,
    reparam_offset: float = 3.814697265625e-06, data_format: str = 'channels_last',
    activity_regularizer: Any = None, trainable: bool = True, name: str | None = None, reuse: Any = None,
) -> Any:
    """Makes a `GDN` with these arguments and calls it on `inputs`."""

def group_norm(
    inputs: Any, groups: int = 32, channels_axis: int = -1, reduction_axes: Any = ..., center: bool = True,
    scale: bool = True, epsilon: float = 1e-06, activation_fn: Any = None, param_initializers: Any = None,
    reuse: Any = None, variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, scope: Any = None, mean_close_to_zero: bool = False,
) -> Any:
    """Shifts and scales groups of channels of each example to mean 0 and variance 1, then by `scope`/beta
    and gamma."""

def images_to_sequence(
    inputs: Any, data_format: str = 'NHWC', outputs_collections: Any = None, scope: str | None = None,
) -> Any:
    """Images as sequences of columns: [batch, height, width, channels] to [width, batch * height,
    channels]."""

def infer_real_valued_columns(features: Any) -> list[tuple]:
    """Columns of numbers for features: one for each tensor of a dictionary, by its name; "" for a single
    tensor."""

def input_from_feature_columns(
    columns_to_tensors: Mapping[Any, Any], feature_columns: Iterable[Any], weight_collections: Any = None,
    trainable: bool = True, scope: Any = None, cols_to_outs: dict[Any, Any] | None = None,
) -> Tensor:
    """The input of a network: what dense columns make of the features, side by side."""

def instance_norm(
    inputs: Any, center: bool = True, scale: bool = True, epsilon: float = 1e-06, activation_fn: Any = None,
    param_initializers: Any = None, reuse: Any = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, data_format: str = 'NHWC', scope: Any = None,
) -> Any:
    """Shifts and scales each channel of each example to mean 0 and variance 1, then by `scope`/beta and
    gamma."""

def l1_l2_regularizer(
    scale_l1: float = 1.0, scale_l2: float = 1.0, scope: str | None = None,
) -> Callable[..., Any]:
    """Returns the sum of an L1 and an L2 regularizer (elastic net)."""

def l1_regularizer(scale: float, scope: str | None = None) -> Callable[..., Any]:
    """Returns an L1 regularizer (lasso): a function of weights that computes scale * sum(|w|)."""

def l2_regularizer(scale: float, scope: str | None = None) -> Callable[..., Any]:
    """Returns an L2 regularizer (weight decay): a function of weights that computes scale * sum(w**2) /
    2."""

def layer_norm(
    inputs: Any, center: bool = True, scale: bool = True, activation_fn: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    begin_norm_axis: int = 1, begin_params_axis: int = -1, scope: Any = None,
) -> Any:
    """Shifts and scales each example to mean 0 and variance 1, then by `scope`/beta and `scope`/gamma."""

def legacy_fully_connected(
    x: Any, num_output_units: int, activation_fn: Any = None, weight_init: Any = ..., bias_init: Any = ...,
    name: str | None = None, weight_collections: Any = ..., bias_collections: Any = ...,
    output_collections: Any = ..., trainable: bool = True, weight_regularizer: Any = None,
    bias_regularizer: Any = None,
) -> Any:
    """activation_fn(x @ weights + bias), as tf.contrib.layers had it first: variables are weights and
    bias."""

def legacy_linear(
    x: Any, num_output_units: int, *, activation_fn: Any = None, weight_init: Any = ...,
    bias_init: Any = ..., name: str | None = None, weight_collections: Any = ...,
    bias_collections: Any = ..., output_collections: Any = ..., trainable: bool = True,
    weight_regularizer: Any = None, bias_regularizer: Any = None,
) -> Any:
    """activation_fn(x @ weights + bias), as tf.contrib.layers had it first: variables are weights and
    bias."""

def legacy_relu(
    x: Any, num_output_units: int, *, activation_fn: Any = ..., weight_init: Any = ...,
    bias_init: Any = ..., name: str | None = None, weight_collections: Any = ...,
    bias_collections: Any = ..., output_collections: Any = ..., trainable: bool = True,
    weight_regularizer: Any = None, bias_regularizer: Any = None,
) -> Any:
    """activation_fn(x @ weights + bias), as tf.contrib.layers had it first: variables are weights and
    bias."""

def linear(
    inputs: Any, num_outputs: int, *, activation_fn: Any = None, normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """activation_fn(inputs @ weights + biases), along the last axis of the inputs."""

def max_pool2d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = 'VALID', data_format: str = 'NHWC',
    outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """The largest of the elements in windows."""

def max_pool3d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = 'VALID', data_format: str = 'NDHWC',
    outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """The largest of the elements in windows."""

def maxout(inputs: Any, num_units: int, axis: int = -1, scope: str | None = None) -> Tensor:
    """The largest element of each of `num_units` groups along an axis."""

def one_hot_column(sparse_id_column: Any) -> tuple:
    """A dense column that says how often each id of a categorical column occurs."""

def one_hot_encoding(
    labels: Any, num_classes: int, on_value: float = 1.0, off_value: float = 0.0,
    outputs_collections: Any = None, scope: str | None = None,
) -> Any:
    """A vector of zeros for each label, with a one at its place."""

def optimize_loss(
    loss: Any, global_step: Any, learning_rate: Any, optimizer: Any, gradient_noise_scale: Any = None,
    gradient_multipliers: Any = None, clip_gradients: Any = None, learning_rate_decay_fn: Any = None,
    update_ops: Any = None, variables: Any = None, name: str | None = None,
    summaries: Sequence[str] | None = None, colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Any:
    """A tensor of the loss that, when it is computed, makes one step of training."""

def parse_feature_columns_from_examples(
    serialized: Any, feature_columns: Iterable[Any], name: str | None = None, example_names: Any = None,
) -> dict[Any, Any]:
    """Parses Examples and transforms their features."""

def parse_feature_columns_from_sequence_examples(
    serialized: Any, context_feature_columns: Any, sequence_feature_columns: Any, name: str | None = None,
    example_name: Any = None,
) -> tuple[Any, Any]:
    """Parses a SequenceExample: (features of the whole, features of the steps), both by name."""

def poincare_normalize(
    x: Any, axis: Any = 1, epsilon: float = 1e-05, name: str | None = None,
) -> Tensor:
    """Moves vectors on or outside of the unit ball to just inside of it."""

def pool(
    inputs: Any, kernel_size: Any, pooling_type: str, padding: str = 'VALID', data_format: Any = None,
    dilation_rate: Any = 1, stride: Any = 1, outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """The largest or the mean of the elements in windows, over as many axes as the inputs have."""

def real_valued_column(
    column_name: str, dimension: int = 1, default_value: Any = None, dtype: Any = ...,
    normalizer: Callable[[Any], Any] | None = None,
) -> tuple:
    """A column of numbers."""

def relu(
    inputs: Any, num_outputs: int, *, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """activation_fn(inputs @ weights + biases), along the last axis of the inputs."""

def relu6(
    inputs: Any, num_outputs: int, *, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """activation_fn(inputs @ weights + biases), along the last axis of the inputs."""

def repeat(inputs: Any, repetitions: int, layer: Any, *args: Any, **kwargs: Any) -> Any:
    """The same layer so many times, each with variables of its own: `scope`/`scope`_1, `scope`/`scope`_2,
    ..."""

def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: str | None = None,
    default_id: int | None = None, name: str | None = None, partition_strategy: str = 'div',
    max_norm: float | None = None,
) -> Tensor:
    """`tf.nn.safe_embedding_lookup_sparse`; the combiner is "mean" when none is given."""

def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """The inputs as they are, whose gradient is multiplied."""

separable_conv2d = separable_convolution2d

def separable_convolution2d(
    inputs: Any, num_outputs: int | None, kernel_size: Any, depth_multiplier: int = 1, stride: Any = 1,
    padding: str = 'SAME', data_format: str = 'NHWC', rate: Any = 1, activation_fn: Any = ...,
    normalizer_fn: Any = None, normalizer_params: Any = None, weights_initializer: Any = ...,
    pointwise_initializer: Any = None, weights_regularizer: Any = None, biases_initializer: Any = ...,
    biases_regularizer: Any = None, reuse: Any = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> Any:
    """Filters for each channel, then a mixing of channels: `scope`/depthwise_weights and
    `scope`/pointwise_weights."""

def sequence_to_images(
    inputs: Any, height: int, output_data_format: str = 'channels_last', outputs_collections: Any = None,
    scope: str | None = None,
) -> Any:
    """What `images_to_sequence` made, as images again: [width, batch * height, channels] to images."""

def shared_embedding_columns(
    sparse_id_columns: Sequence[Any], dimension: int, combiner: str = 'mean', initializer: Any = None,
    shared_embedding_name: str | None = None, ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None, max_norm: float | None = None, trainable: bool = True,
) -> list[tuple]:
    """Embedding columns with one table."""

def softmax(logits: Any, scope: str | None = None) -> Tensor:
    """Softmax along the last axis."""

def sparse_column_with_hash_bucket(
    column_name: str, hash_bucket_size: int, combiner: str = 'sum', dtype: Any = ..., hash_keys: Any = None,
) -> tuple:
    """A categorical column of text or integers whose ids are hashes."""

def sparse_column_with_integerized_feature(
    column_name: str, bucket_size: int, combiner: str = 'sum', dtype: Any = ...,
) -> tuple:
    """A categorical column of integers that are ids already; larger ones are taken modulo `bucket_size`."""

def sparse_column_with_keys(
    column_name: str, keys: Sequence[Any], default_value: int = -1, combiner: str = 'sum', dtype: Any = ...,
) -> tuple:
    """A categorical column of text or integers whose ids are their places among `keys`."""

def sparse_column_with_vocabulary_file(
    column_name: str, vocabulary_file: str, num_oov_buckets: int = 0, vocab_size: int | None = None,
    default_value: int = -1, combiner: str = 'sum', dtype: Any = ...,
) -> tuple:
    """A categorical column of text or integers whose ids are line numbers of a file."""

def spatial_softmax(
    features: Any, temperature: Any = None, name: str | None = None, variables_collections: Any = None,
    trainable: bool = True, data_format: str = 'NHWC',
) -> Tensor:
    """The expected position, (x, y) in [-1, 1], of each channel's softmax over the image."""

def stack(inputs: Any, layer: Any, stack_args: Sequence[Any], **kwargs: Any) -> Any:
    """A layer repeatedly, each time with other arguments: `scope`/`scope`_1, `scope`/`scope`_2, ..."""

def sum_regularizer(regularizer_list: list[Any], scope: str | None = None) -> Callable[..., Any] | None:
    """A function of weights: the sum of what the regularizers say; None when there are none."""

def summarize_activation(op: Any) -> Any:
    """A histogram of an activation, and how many zeros there are in a ReLU, how many sixes in a ReLU6."""

def summarize_activations(
    name_filter: str | None = None, summarizer: Callable[[Any], Any] = ...,
) -> list[Any]:
    """The summaries of the ACTIVATIONS collection; see `summarize_collection`."""

def summarize_collection(
    collection: str, name_filter: str | None = None, summarizer: Callable[[Any], Any] = ...,
) -> list[Any]:
    """The summaries of the tensors of a collection."""

def summarize_tensor(tensor: Any, tag: str | None = None) -> Any:
    """A scalar summary of a scalar, a histogram of other tensors."""

def summarize_tensors(tensors: Sequence[Any], summarizer: Callable[[Any], Any] = ...) -> list[Any]:
    """The summaries of all tensors."""

def transform_features(features: Mapping[Any, Any], feature_columns: Iterable[Any]) -> dict[Any, Any]:
    """What each column makes of the features: tensors by column."""

def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-07, scope: str | None = None) -> Tensor:
    """Scales the vectors along an axis to length 1."""

def variance_scaling_initializer(
    factor: float = 2.0, mode: str = 'FAN_IN', uniform: bool = False, seed: int | None = None,
    dtype: Any = ...,
) -> Callable[..., Any]:
    """Random numbers whose variance is `factor` over the number of a layer's inputs, outputs, or their
    mean."""

def weighted_sparse_column(sparse_id_column: tuple, weight_column_name: str, dtype: Any = ...) -> tuple:
    """A categorical column whose values have weights."""

def weighted_sum_from_feature_columns(
    columns_to_tensors: Mapping[Any, Any], feature_columns: Iterable[Any], num_outputs: int,
    weight_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> tuple[Any, dict[Any, list[Any]], Any]:
    """The predictions of a linear model: the sum of each column's values times their weights, plus a
    bias."""

def xavier_initializer(
    uniform: bool = True, seed: int | None = None, dtype: Any = ...,
) -> Callable[..., Any]:
    """Glorot and Bengio's (2010) initializer, which keeps variances alike forward and backward."""

xavier_initializer_conv2d = xavier_initializer
