# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.layers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from evergraph import SparseTensor, Tensor, TensorShape
from evergraph.layers import Layer
from typing import Any
from evergraph.contrib.layers import (
    embedding_ops as embedding_ops, encoders as encoders, initializers as initializers,
    normalization as normalization, optimizers as optimizers, summaries as summaries, utils as utils,
)

import sys
if sys.platform == "":
    del (
        batch_normalization, convolutions, dense, divisive, embedding, feature_columns,
        feature_columns_layers, feature_crosses, names, norms, optimize, pooling, reversible, scattered,
        scope, shape, sparse, summary, targets, variable_length,
    )

class GDN(Layer):
    """Generalized divisive normalization (GDN; Balle et al., 2016): x / sqrt(beta + gamma x²), gamma over
    all channels."""
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

class RevBlock:
    """A stack of reversible layers y1 = x1 + f(x2), y2 = x2 + g(y1), whose inputs follow from its
    outputs."""
    def forward(self, x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
        """The outputs for inputs."""
    def backward(self, y1: Any, y2: Any) -> tuple[Tensor, Tensor]:
        """The inputs for outputs."""
    def __call__(self, x1: Any, x2: Any) -> tuple[Tensor, Tensor]: ...
    def __init__(
        self, f: Any, g: Any, num_layers: int = 1, f_side_input: Sequence[Any] | None = None,
        g_side_input: Sequence[Any] | None = None, use_efficient_backprop: bool = True,
    ) -> None: ...

SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY: int

def adaptive_clipping_fn(
    std_factor: float = 2.0, decay: float = 0.95, static_max_norm: float | None = None,
    global_step: Any = None, report_summary: bool = False, epsilon: float = 1e-08, name: str | None = None,
) -> Callable[[Any], Any]:
    """An adaptive function for `clip_gradients`: clips norms that exceed their moving average by too
    much."""

def apply_regularization(
    regularizer: Callable[[Any], Any], weights_list: list[Any] | None = None,
) -> Any:
    """Sums a regularizer's penalties over weights and adds the sum to the REGULARIZATION_LOSSES."""

def avg_pool2d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = 'VALID', data_format: str = 'NHWC',
    outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """Average pooling over windows."""

def avg_pool3d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = 'VALID', data_format: str = 'NDHWC',
    outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """Average pooling over windows."""

def batch_norm(
    inputs: Any, decay: float = 0.999, center: bool = True, scale: bool = False, epsilon: float = 0.001,
    activation_fn: Any = None, param_initializers: Any = None, param_regularizers: Any = None,
    updates_collections: Any = 'update_ops', is_training: Any = True, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    batch_weights: Any = None, fused: bool | None = None, data_format: str = 'NHWC',
    zero_debias_moving_mean: bool = False, scope: Any = None, renorm: bool = False,
    renorm_clipping: Any = None, renorm_decay: float = 0.99, adjustment: Any = None,
) -> Any:
    """Batch normalization (Ioffe and Szegedy, 2015): normalizes, then scales by `gamma` and shifts by
    `beta`."""

def bias_add(
    inputs: Any, activation_fn: Any = None, initializer: Any = ..., regularizer: Any = None,
    reuse: Any = None, variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, data_format: str = 'NHWC', scope: Any = None,
) -> Any:
    """Adds a bias per channel, `scope`/biases."""

def bow_encoder(
    ids: Any, vocab_size: int, embed_dim: int, sparse_lookup: bool = True, initializer: Any = None,
    regularizer: Any = None, trainable: bool = True, scope: Any = None, reuse: Any = None,
) -> Tensor:
    """Bag-of-words encoding: the mean of `scope`/embeddings over each bag: [batch, length] to [batch,
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
    """1-D, 2-D or 3-D convolution, by the rank of the inputs."""

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
    """Convolves every channel with the same 2-D filter, such as a blur or a finite difference."""

def convolution2d_transpose(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = 'SAME',
    data_format: str = 'NHWC', activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Transposed convolution (deconvolution) of images."""

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
    """Transposed convolution (deconvolution) of volumes."""

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
    """Converts a dense tensor to a sparse one, without the end-of-sentence token."""

def dropout(
    inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None, is_training: Any = True,
    outputs_collections: Any = None, scope: Any = None, seed: int | None = None,
) -> Any:
    """Dropout (Srivastava et al., 2014): in training, zeroes random elements and scales the others by 1 /
    keep_prob."""

def elu(
    inputs: Any, num_outputs: int, *, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """A fully connected layer: activation_fn(inputs @ weights + biases), along the last axis of the
    inputs."""

def embed_sequence(
    ids: Any, vocab_size: int | None = None, embed_dim: int | None = None, unique: bool = False,
    initializer: Any = None, regularizer: Any = None, trainable: bool = True, scope: Any = None,
    reuse: Any = None,
) -> Any:
    """Embeds sequences of ids with the table `scope`/embeddings: [batch, length] to [batch, length,
    embed_dim]."""

def embedding_column(
    sparse_id_column: Any, dimension: int, combiner: str = 'mean', initializer: Any = None,
    ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None, trainable: bool = True,
) -> tuple:
    """A dense column of vectors, which are learned: one for each id, combined where an example has
    several."""

def embedding_lookup_sparse_with_distributed_aggregation(
    params: Any, sp_ids: SparseTensor, sp_weights: SparseTensor | None, partition_strategy: str = 'mod',
    name: str | None = None, combiner: str | None = None, max_norm: float | None = None,
) -> Any:
    """The same as `tf.nn.embedding_lookup_sparse`: which device adds the rows up makes no difference to the
    numbers."""

def embedding_lookup_unique(
    params: Any, ids: Any, partition_strategy: str = 'mod', name: str | None = None,
) -> Tensor:
    """`tf.nn.embedding_lookup` that looks up each unique id once."""

def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> Any:
    """Flattens each example: [batch, ...] to [batch, number of elements]."""

def fully_connected(
    inputs: Any, num_outputs: int, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """A fully connected layer: activation_fn(inputs @ weights + biases), along the last axis of the
    inputs."""

def gdn(
    inputs: Any, inverse: bool = False, beta_min: float = 1e-06, gamma_init: float = 0.1,
    reparam_offset: float = 3.814697265625e-06, data_format: str = 'channels_last',
    activity_regularizer: Any = None, trainable: bool = True, name: str | None = None, reuse: Any = None,
) -> Any:
    """Creates a `GDN` layer with these arguments and applies it to `inputs`."""

def group_norm(
    inputs: Any, groups: int = 32, channels_axis: int = -1, reduction_axes: Any = ..., center: bool = True,
    scale: bool = True, epsilon: float = 1e-06, activation_fn: Any = None, param_initializers: Any = None,
    reuse: Any = None, variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, scope: Any = None, mean_close_to_zero: bool = False,
) -> Any:
    """Group normalization (Wu and He, 2018): normalizes groups of channels of each example, then scales and
    shifts."""

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
    """Instance normalization (Ulyanov et al., 2016): normalizes each channel of each example, then scales
    and shifts."""

def joint_weighted_sum_from_feature_columns(
    columns_to_tensors: Mapping[Any, Any], feature_columns: Iterable[Any], num_outputs: int,
    weight_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> tuple[Any, dict[Any, list[Any]], Any]:
    """The predictions of a linear model of categorical columns, whose weights are one variable."""

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
    """Layer normalization (Ba et al., 2016): normalizes each example, then scales by gamma and shifts by
    beta."""

def legacy_fully_connected(
    x: Any, num_output_units: int, activation_fn: Any = None, weight_init: Any = ..., bias_init: Any = ...,
    name: str | None = None, weight_collections: Any = ..., bias_collections: Any = ...,
    output_collections: Any = ..., trainable: bool = True, weight_regularizer: Any = None,
    bias_regularizer: Any = None,
) -> Any:
    """A fully connected layer in tf.contrib.layers' original form: activation_fn(x @ weights + bias)."""

def legacy_linear(
    x: Any, num_output_units: int, *, activation_fn: Any = None, weight_init: Any = ...,
    bias_init: Any = ..., name: str | None = None, weight_collections: Any = ...,
    bias_collections: Any = ..., output_collections: Any = ..., trainable: bool = True,
    weight_regularizer: Any = None, bias_regularizer: Any = None,
) -> Any:
    """A fully connected layer in tf.contrib.layers' original form: activation_fn(x @ weights + bias)."""

def legacy_relu(
    x: Any, num_output_units: int, *, activation_fn: Any = ..., weight_init: Any = ...,
    bias_init: Any = ..., name: str | None = None, weight_collections: Any = ...,
    bias_collections: Any = ..., output_collections: Any = ..., trainable: bool = True,
    weight_regularizer: Any = None, bias_regularizer: Any = None,
) -> Any:
    """A fully connected layer in tf.contrib.layers' original form: activation_fn(x @ weights + bias)."""

def linear(
    inputs: Any, num_outputs: int, *, activation_fn: Any = None, normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """A fully connected layer: activation_fn(inputs @ weights + biases), along the last axis of the
    inputs."""

def make_place_holder_tensors_for_base_features(feature_columns: Any) -> dict[str, Any]:
    """Placeholders for the features that columns read, sparse ones where their lengths vary; by name."""

def max_pool2d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = 'VALID', data_format: str = 'NHWC',
    outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """Max pooling over windows."""

def max_pool3d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = 'VALID', data_format: str = 'NDHWC',
    outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """Max pooling over windows."""

def maxout(inputs: Any, num_units: int, axis: int = -1, scope: str | None = None) -> Tensor:
    """Maxout (Goodfellow et al., 2013): the maximum of each of `num_units` groups along an axis."""

def multi_class_target(
    n_classes: int, label_name: str | None = None, weight_column_name: str | None = None,
) -> Any:
    """A target of classes, with the cross entropy as its loss."""

def one_hot_column(sparse_id_column: Any) -> tuple:
    """A dense column that says how often each id of a categorical column occurs."""

def one_hot_encoding(
    labels: Any, num_classes: int, on_value: float = 1.0, off_value: float = 0.0,
    outputs_collections: Any = None, scope: str | None = None,
) -> Any:
    """One-hot encodes labels."""

def optimize_loss(
    loss: Any, global_step: Any, learning_rate: Any, optimizer: Any, gradient_noise_scale: Any = None,
    gradient_multipliers: Any = None, clip_gradients: Any = None, learning_rate_decay_fn: Any = None,
    update_ops: Any = None, variables: Any = None, name: str | None = None,
    summaries: Sequence[str] | None = None, colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Any:
    """A tensor with the loss whose evaluation runs one training step."""

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
    """Projects vectors into the open unit ball (Poincare ball)."""

def pool(
    inputs: Any, kernel_size: Any, pooling_type: str, padding: str = 'VALID', data_format: Any = None,
    dilation_rate: Any = 1, stride: Any = 1, outputs_collections: Any = None, scope: Any = None,
) -> Any:
    """Max or average pooling over windows, by the rank of the inputs."""

def real_valued_column(
    column_name: str, dimension: int = 1, default_value: Any = None, dtype: Any = ...,
    normalizer: Callable[[Any], Any] | None = None,
) -> tuple:
    """A column of numbers."""

def recompute_grad(
    fn: Callable[..., Any] | None = None, use_data_dep: Any = None, tupleize_grads: bool = False,
) -> Any:
    """Decorator for gradient checkpointing: gradients call the function again, and no activations are
    kept."""

def regression_target(
    label_name: str | None = None, weight_column_name: str | None = None, label_dimension: int = 1,
) -> Any:
    """A target of numbers, with the squared error as its loss."""

def relu(
    inputs: Any, num_outputs: int, *, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """A fully connected layer: activation_fn(inputs @ weights + biases), along the last axis of the
    inputs."""

def relu6(
    inputs: Any, num_outputs: int, *, activation_fn: Any = ..., normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = ..., weights_regularizer: Any = None,
    biases_initializer: Any = ..., biases_regularizer: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Any:
    """A fully connected layer: activation_fn(inputs @ weights + biases), along the last axis of the
    inputs."""

def repeat(inputs: Any, repetitions: int, layer: Any, *args: Any, **kwargs: Any) -> Any:
    """Applies a layer repeatedly, each time with new variables: `scope`/`scope`_1, `scope`/`scope`_2,
    ..."""

def rev_block(
    x1: Any, x2: Any, f: Any, g: Any, num_layers: int = 1, f_side_input: Sequence[Any] | None = None,
    g_side_input: Sequence[Any] | None = None, is_training: bool = True,
) -> tuple[Tensor, Tensor]:
    """A stack of reversible layers y1 = x1 + f(x2), y2 = x2 + g(y1) (Gomez et al., 2017)."""

def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: str | None = None,
    default_id: int | None = None, name: str | None = None, partition_strategy: str = 'div',
    max_norm: float | None = None,
) -> Tensor:
    """Combines embeddings as `tf.nn.safe_embedding_lookup_sparse` does, by default with the combiner
    "mean"."""

def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """Forwards its inputs and scales the gradient."""

def scattered_embedding_column(
    column_name: str, size: int, dimension: int, hash_key: int, combiner: str = 'mean',
    initializer: Any = None,
) -> tuple:
    """A dense column of scattered embeddings of text."""

def scattered_embedding_lookup(
    params: Any, values: Any, dimension: int, name: str | None = None, hash_key: int | None = None,
) -> Tensor:
    """Embeddings of `dimension` weights each, which hashes choose from one vector (Weinberger et al.,
    2009)."""

def scattered_embedding_lookup_sparse(
    params: Any, sparse_values: SparseTensor, dimension: int, combiner: str | None = None,
    default_value: Any = None, name: str | None = None, hash_key: int | None = None,
) -> Any:
    """Scattered embeddings of the values of each row, combined."""

separable_conv2d = separable_convolution2d

def separable_convolution2d(
    inputs: Any, num_outputs: int | None, kernel_size: Any, depth_multiplier: int = 1, stride: Any = 1,
    padding: str = 'SAME', data_format: str = 'NHWC', rate: Any = 1, activation_fn: Any = ...,
    normalizer_fn: Any = None, normalizer_params: Any = None, weights_initializer: Any = ...,
    pointwise_initializer: Any = None, weights_regularizer: Any = None, biases_initializer: Any = ...,
    biases_regularizer: Any = None, reuse: Any = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> Any:
    """Depthwise separable convolution: `scope`/depthwise_weights, then `scope`/pointwise_weights."""

def sequence_input_from_feature_columns(
    columns_to_tensors: Mapping[Any, Any], feature_columns: Iterable[Any], weight_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> Tensor:
    """The input of a recurrent network, [batch, steps, width]: what dense columns make of each step, side
    by side."""

def sequence_to_images(
    inputs: Any, height: int, output_data_format: str = 'channels_last', outputs_collections: Any = None,
    scope: str | None = None,
) -> Any:
    """The inverse of `images_to_sequence`: [width, batch * height, channels] to images."""

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
    """Spatial softmax (Levine et al., 2016): the expected position (x, y) in [-1, 1] of each channel's
    softmax."""

def stack(inputs: Any, layer: Any, stack_args: Sequence[Any], **kwargs: Any) -> Any:
    """Stacks a layer with different arguments: `scope`/`scope`_1, `scope`/`scope`_2, ..."""

def sum_regularizer(regularizer_list: list[Any], scope: str | None = None) -> Callable[..., Any] | None:
    """A function of weights: the sum of what the regularizers say; None when there are none."""

def summarize_activation(op: Any) -> Any:
    """A histogram of an activation, and for a ReLU or ReLU6 the fraction of zeros and sixes."""

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
    """Normalizes the vectors along an axis to L2 norm 1."""

def variance_scaling_initializer(
    factor: float = 2.0, mode: str = 'FAN_IN', uniform: bool = False, seed: int | None = None,
    dtype: Any = ...,
) -> Callable[..., Any]:
    """Variance scaling: random numbers of variance `factor` / n, with n the number of inputs, outputs, or
    their mean."""

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
    """The Xavier initializer (Glorot and Bengio, 2010), which keeps the variance of activations and
    gradients."""

xavier_initializer_conv2d = xavier_initializer
