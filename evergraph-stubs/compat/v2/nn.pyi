# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.nn."""

from evergraph import Tensor
from evergraph.nn import (
    depthwise_conv2d_native_backprop_filter, depthwise_conv2d_native_backprop_input,
    local_response_normalization as _local_response_normalization,
)
from typing import Any

from evergraph.nn import all_candidate_sampler as all_candidate_sampler
from evergraph.nn import atrous_conv2d as atrous_conv2d
from evergraph.nn import atrous_conv2d_transpose as atrous_conv2d_transpose

def avg_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None,
    name: str | None = None,
) -> Any:
    """Average-pools sequences, images or volumes, by the rank of the input."""

from evergraph.nn import avg_pool1d as avg_pool1d

def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = 'NHWC', name: str | None = None,
) -> Any:
    """Average-pools images: takes the mean over a sliding window, channel by channel."""

from evergraph.nn import avg_pool3d as avg_pool3d

def batch_norm_with_global_normalization(
    input: Any, mean: Any, variance: Any, beta: Any, gamma: Any, variance_epsilon: Any,
    scale_after_normalization: Any, name: str | None = None,
) -> Any:
    """The older form of `tf.nn.batch_normalization`, for images."""

from evergraph.nn import batch_normalization as batch_normalization
from evergraph.nn import bias_add as bias_add
from evergraph.nn import collapse_repeated as collapse_repeated
from evergraph.nn import compute_accidental_hits as compute_accidental_hits
from evergraph.nn import compute_average_loss as compute_average_loss

def conv1d(
    input: Any, filters: Any, stride: Any, padding: Any, data_format: str = 'NWC', dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Convolves a batch of sequences with a bank of filters."""

from evergraph.nn import conv1d_transpose as conv1d_transpose

def conv2d(
    input: Any, filters: Any, strides: Any, padding: Any, data_format: str = 'NHWC', dilations: Any = ...,
    name: str | None = None,
) -> Any:
    """Convolves a batch of images with a bank of filters (cross-correlation: the filters are not
    flipped)."""

def conv2d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = 'SAME',
    data_format: str = 'NHWC', dilations: Any = None, name: str | None = None,
) -> Any:
    """Computes the transposed convolution, the gradient of `tf.nn.conv2d` by its input, which upsamples
    images."""

def conv3d(
    input: Any, filters: Any, strides: Any, padding: Any, data_format: str = 'NDHWC', dilations: Any = ...,
    name: str | None = None,
) -> Any:
    """Convolves a batch of volumes with a bank of filters."""

def conv3d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = 'SAME',
    data_format: str = 'NDHWC', dilations: Any = None, name: str | None = None,
) -> Any:
    """The transpose (the gradient by its input) of `tf.nn.conv3d`; see `tf.nn.conv2d_transpose` for the
    arguments."""

from evergraph.nn import conv_transpose as conv_transpose

def convolution(
    input: Any, filters: Any, strides: Any = None, padding: Any = 'VALID', data_format: str | None = None,
    dilations: Any = None, name: str | None = None,
) -> Any:
    """Convolves over one, two or three spatial axes, as many as the filter has, with strides or
    dilation."""

def crelu(features: Any, axis: Any = -1, name: str | None = None) -> Any:
    """Computes the concatenated rectifier (Shang et al., 2016): relu(x) and relu(-x) concatenated along
    `axis`."""

from evergraph.nn import ctc_greedy_decoder as ctc_greedy_decoder

def ctc_loss(
    labels: Any, logits: Any, label_length: Any, logit_length: Any, logits_time_major: Any = True,
    unique: Any = None, blank_index: Any = None, name: str | None = None,
) -> Any:
    """Minus the log likelihood of label sequences, given densely or sparsely, with any class as the
    blank."""

from evergraph.nn import ctc_unique_labels as ctc_unique_labels

def depth_to_space(
    input: Any, block_size: Any, data_format: str = 'NHWC', name: str | None = None,
) -> Any:
    """Moves channels of images into square blocks: the inverse of `tf.space_to_depth`."""

def depthwise_conv2d(
    input: Any, filter: Any, strides: Any, padding: Any, data_format: str | None = None,
    dilations: Any = None, name: str | None = None,
) -> Any:
    """Convolves each channel of images with filters of its own; channels are not mixed."""

depthwise_conv2d_backprop_filter = depthwise_conv2d_native_backprop_filter
depthwise_conv2d_backprop_input = depthwise_conv2d_native_backprop_input

def dropout(
    x: Any, rate: Any, noise_shape: Any = None, seed: Any = None, name: str | None = None,
) -> Any:
    """Applies dropout (Srivastava et al., 2014): zeroes elements with probability `rate`, divides the rest
    by 1 - rate."""

from evergraph.nn import elu as elu

def embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Any:
    """Looks up the rows of an embedding table by their ids; the table may be split into parts."""

def embedding_lookup_sparse(
    params: Any, sp_ids: Any, sp_weights: Any, combiner: Any = None, max_norm: Any = None,
    name: str | None = None,
) -> Any:
    """Looks up the embeddings of each row of sparse ids and combines them into one vector by sum or
    mean."""

from evergraph.nn import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler

def fractional_avg_pool(
    value: Any, pooling_ratio: Any, pseudo_random: Any = False, overlapping: Any = False, seed: Any = 0,
    name: str | None = None,
) -> Any:
    """Applies fractional average-pooling as TensorFlow 2 spells it; see its max-pooling for the
    arguments."""

def fractional_max_pool(
    value: Any, pooling_ratio: Any, pseudo_random: Any = False, overlapping: Any = False, seed: Any = 0,
    name: str | None = None,
) -> Any:
    """Applies fractional max-pooling (Graham, 2014) as TensorFlow 2 spells it; see
    `tf.nn.fractional_max_pool`."""

from evergraph.compat.v2.math import in_top_k as in_top_k
from evergraph.nn import l2_loss as l2_loss
from evergraph.linalg import l2_normalize as l2_normalize
from evergraph.nn import leaky_relu as leaky_relu
from evergraph.nn import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from evergraph.nn import local_response_normalization as local_response_normalization
from evergraph.nn import log_poisson_loss as log_poisson_loss
from evergraph.math import log_softmax as log_softmax
lrn = _local_response_normalization

def max_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None,
    name: str | None = None,
) -> Any:
    """Max-pools sequences, images or volumes, by the rank of the input."""

from evergraph.nn import max_pool1d as max_pool1d
from evergraph.nn import max_pool2d as max_pool2d
from evergraph.nn import max_pool3d as max_pool3d

def max_pool_with_argmax(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = 'NHWC', output_dtype: Any = None,
    include_batch_in_index: Any = False, name: str | None = None,
) -> Any:
    """Max-pools images and also returns the index of each maximum in its flattened image."""

def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool | None = None, name: str | None = None,
) -> Any:
    """Computes the mean and the (biased) variance of a tensor along axes."""

def nce_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: Any, num_classes: Any,
    num_true: Any = 1, sampled_values: Any = None, remove_accidental_hits: Any = False,
    name: str = 'nce_loss',
) -> Any:
    """Noise-contrastive estimation: telling true classes from drawn ones."""

from evergraph.nn import normalize_moments as normalize_moments

def pool(
    input: Any, window_shape: Any, pooling_type: Any, strides: Any = None, padding: Any = 'VALID',
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> Any:
    """Pooling over as many axes as the window has."""

from evergraph.nn import relu as relu
from evergraph.nn import relu6 as relu6

def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: Any = 'mean',
    default_id: Any = None, max_norm: Any = None, name: str | None = None,
) -> Tensor:
    """`tf.nn.safe_embedding_lookup_sparse` as TensorFlow 2 spells it: rows are dealt out to parts in
    stretches."""

def sampled_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: Any, num_classes: Any,
    num_true: Any = 1, sampled_values: Any = None, remove_accidental_hits: Any = True, seed: Any = None,
    name: str = 'sampled_softmax_loss',
) -> Any:
    """Softmax cross entropy over the true classes and some that are drawn."""

from evergraph.nn import scale_regularization_loss as scale_regularization_loss
from evergraph.nn import selu as selu

def separable_conv2d(
    input: Any, depthwise_filter: Any, pointwise_filter: Any, strides: Any, padding: Any,
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> Any:
    """Computes a depthwise convolution of each channel, then a 1x1 convolution that mixes the channels."""

from evergraph import sigmoid as sigmoid
from evergraph.nn import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from evergraph.math import softmax as softmax

def softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, axis: Any = None, name: str | None = None,
) -> Any:
    """Computes the cross entropy -sum(labels * log_softmax(logits)); gradients flow into logits and
    labels."""

from evergraph.math import softplus as softplus
from evergraph.math import softsign as softsign
from evergraph.compat.v2 import space_to_batch as space_to_batch

def space_to_depth(
    input: Any, block_size: Any, data_format: str = 'NHWC', name: str | None = None,
) -> Any:
    """Moves square blocks of images into their channels."""

from evergraph.nn import sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits

def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keepdims: bool | None = None, name: str | None = None,
) -> Any:
    """What the mean and variance along axes can be worked out from: see `tf.nn.normalize_moments`."""

from evergraph.nn import swish as swish
from evergraph import tanh as tanh
from evergraph.math import top_k as top_k
from evergraph.nn import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits

def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool | None = None, name: str | None = None,
) -> Any:
    """The mean and the variance along axes of elements that count as often as their weights say."""

from evergraph.nn import with_space_to_batch as with_space_to_batch
from evergraph.math import zero_fraction as zero_fraction
