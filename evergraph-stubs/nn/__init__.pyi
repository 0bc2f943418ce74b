# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.nn."""

from evergraph import Tensor
from evergraph.raw_ops import (
    _AllCandidateSampler, _ComputeAccidentalHits, _FixedUnigramCandidateSampler, _MaxPoolWithArgmax,
    _QuantizedAvgPool, _QuantizedConv2D, _QuantizedMaxPool, _QuantizedReluX,
)
from typing import Any
from evergraph.nn import rnn_cell as rnn_cell

def all_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, seed: Any = None,
    name: str | None = None,
) -> _AllCandidateSampler:
    """Gives all classes, in order: for comparing with samplers."""

def atrous_conv2d(value: Any, filters: Any, rate: Any, padding: Any, name: str | None = None) -> Any:
    """Convolves images with a dilated (atrous) filter, which skips rate - 1 pixels between its elements."""

def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: Any, padding: Any, name: str | None = None,
) -> Any:
    """The transpose (the gradient by its input) of `tf.nn.atrous_conv2d`."""

def avg_pool(
    value: Any, ksize: Any, strides: Any, padding: Any, data_format: str = 'NHWC', name: str | None = None,
    input: Any = None,
) -> Any:
    """Average-pools images: takes the mean over a sliding window, channel by channel."""

def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = 'NWC', name: str | None = None,
) -> Tensor:
    """Average-pools sequences: takes the mean over a sliding window, channel by channel."""

avg_pool2d = avg_pool

def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = 'NDHWC', name: str | None = None,
) -> Any:
    """Average-pools volumes: takes the mean over a sliding window, channel by channel."""

def avg_pool_v2(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None,
    name: str | None = None,
) -> Any:
    """Average-pools sequences, images or volumes, by the rank of the input."""

def batch_norm_with_global_normalization(
    t: Any = None, m: Any = None, v: Any = None, beta: Any = None, gamma: Any = None,
    variance_epsilon: Any = None, scale_after_normalization: Any = None, name: str | None = None,
    input: Any = None, mean: Any = None, variance: Any = None,
) -> Tensor:
    """The older form of `tf.nn.batch_normalization`, for images."""

def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any,
    name: str | None = None,
) -> Tensor:
    """Applies batch normalization (Ioffe and Szegedy, 2015) with given moments."""

def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """Adds a bias vector, one number per channel, to a tensor."""

def bidirectional_dynamic_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, sequence_length: Any = None, initial_state_fw: Any = None,
    initial_state_bw: Any = None, dtype: Any = None, parallel_iterations: Any = None,
    swap_memory: bool = False, time_major: Any = False, scope: Any = None,
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """A bidirectional RNN (Schuster and Paliwal, 1997): runs one cell forward in time and another
    backward."""

def collapse_repeated(labels: Any, seq_length: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Label sequences with equal labels in a row given once."""

def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: Any, seed: Any = None, name: str | None = None,
) -> _ComputeAccidentalHits:
    """Where a true class was sampled, too."""

def compute_average_loss(
    per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None,
) -> Tensor:
    """The sum of the losses of examples, divided by the size of the batch over all replicas."""

def conv1d(
    value: Any = None, filters: Any = None, stride: Any = None, padding: Any = None,
    use_cudnn_on_gpu: Any = None, data_format: str | None = None, name: str | None = None,
    input: Any = None, dilations: Any = None,
) -> Tensor:
    """Convolves a batch of sequences with a bank of filters."""

def conv1d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = 'SAME',
    data_format: str = 'NWC', dilations: Any = None, name: str | None = None,
) -> Tensor:
    """The transpose (the gradient by its input) of `tf.nn.conv1d`."""

def conv2d(
    input: Any, filter: Any = None, strides: Any = None, padding: Any = None, use_cudnn_on_gpu: Any = True,
    data_format: str = 'NHWC', dilations: Any = ..., name: str | None = None, filters: Any = None,
) -> Tensor:
    """Convolves a batch of images with a bank of filters (cross-correlation: the filters are not
    flipped)."""

def conv2d_backprop_filter(
    input: Any, filter_sizes: Any, out_backprop: Any, strides: Any, padding: Any,
    use_cudnn_on_gpu: Any = True, data_format: str = 'NHWC', dilations: Any = ..., name: str | None = None,
) -> Tensor:
    """The gradient of `tf.nn.conv2d`, see there, by its filter, which has the shape `filter_sizes`."""

def conv2d_backprop_input(
    input_sizes: Any, filter: Any = None, out_backprop: Any = None, strides: Any = None,
    padding: Any = None, use_cudnn_on_gpu: Any = True, data_format: str = 'NHWC', dilations: Any = ...,
    name: str | None = None, filters: Any = None,
) -> Tensor:
    """The gradient of `tf.nn.conv2d`, see there, by its input, which has the shape `input_sizes`."""

def conv2d_transpose(
    value: Any = None, filter: Any = None, output_shape: Any = None, strides: Any = None,
    padding: Any = 'SAME', data_format: str = 'NHWC', name: str | None = None, input: Any = None,
    filters: Any = None, dilations: Any = None,
) -> Any:
    """Computes the transposed convolution, the gradient of `tf.nn.conv2d` by its input, which upsamples
    images."""

def conv3d(
    input: Any, filter: Any = None, strides: Any = None, padding: Any = None, data_format: str = 'NDHWC',
    dilations: Any = ..., name: str | None = None, filters: Any = None,
) -> Tensor:
    """Convolves a batch of volumes with a bank of filters."""

conv3d_backprop_filter = conv3d_backprop_filter_v2

def conv3d_backprop_filter_v2(
    input: Any, filter_sizes: Any, out_backprop: Any, strides: Any, padding: str,
    data_format: str = 'NDHWC', dilations: Any = ..., name: str | None = None,
) -> Tensor:
    """The gradient of a 3-D convolution by its filter, of shape `filter_sizes`; see `tf.nn.conv3d`."""

def conv3d_transpose(
    value: Any, filter: Any = None, output_shape: Any = None, strides: Any = None, padding: Any = 'SAME',
    data_format: str = 'NDHWC', name: str | None = None, input: Any = None, filters: Any = None,
    dilations: Any = None,
) -> Any:
    """The transpose (the gradient by its input) of `tf.nn.conv3d`; see `tf.nn.conv2d_transpose` for the
    arguments."""

def conv_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = 'SAME',
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> Any:
    """The transpose of a convolution over one, two or three axes, as many as `output_shape` says."""

def convolution(
    input: Any, filter: Any, padding: Any, strides: Any = None, dilation_rate: Any = None,
    name: str | None = None, data_format: str | None = None, filters: Any = None, dilations: Any = None,
) -> Any:
    """Convolves over one, two or three spatial axes, as many as the filter has, with strides or
    dilation."""

def crelu(features: Any, name: str | None = None, axis: Any = -1) -> Tensor:
    """Computes the concatenated rectifier (Shang et al., 2016): relu(x) and relu(-x) concatenated along
    `axis`."""

def ctc_beam_search_decoder(
    inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1,
    merge_repeated: bool = True,
) -> tuple[list[Any], Tensor]:
    """The most likely sequences of labels, found by a beam search over their prefixes."""

def ctc_beam_search_decoder_v2(
    inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1,
) -> tuple[list[Any], Tensor]:
    """Decodes as `tf.nn.ctc_beam_search_decoder` does, and leaves equal labels in a row as they were
    found."""

def ctc_greedy_decoder(
    inputs: Any, sequence_length: Any, merge_repeated: bool = True,
) -> tuple[list[Any], Tensor]:
    """The labels of the most likely class of each frame."""

def ctc_loss(
    labels: Any, inputs: Any = None, sequence_length: Any = None,
    preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False, time_major: bool = True, logits: Any = None,
) -> Tensor:
    """Minus the log likelihood of label sequences given the logits of frames, whatever the alignment."""

def ctc_loss_v2(
    labels: Any, logits: Any, label_length: Any, logit_length: Any, logits_time_major: bool = True,
    unique: Any = None, blank_index: int | None = None, name: str | None = None,
) -> Tensor:
    """Minus the log likelihood of label sequences, given densely or sparsely, with any class as the
    blank."""

def ctc_unique_labels(labels: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The different labels of each row, in the order they occur, and where each label of the row is among
    them."""

from evergraph import depth_to_space as depth_to_space

def depthwise_conv2d(
    input: Any, filter: Any, strides: Any, padding: Any, rate: Any = None, name: str | None = None,
    data_format: str | None = None, dilations: Any = None,
) -> Any:
    """Convolves each channel of images with filters of its own; channels are not mixed."""

depthwise_conv2d_backprop_filter = depthwise_conv2d_native_backprop_filter
depthwise_conv2d_backprop_input = depthwise_conv2d_native_backprop_input

def depthwise_conv2d_native(
    input: Any, filter: Any, strides: Any, padding: str, data_format: str = 'NHWC', dilations: Any = ...,
    name: str | None = None,
) -> Tensor:
    """Depthwise convolution: each channel with filters of its own, [height, width, channels,
    multiplier]."""

def depthwise_conv2d_native_backprop_filter(
    input: Any, filter_sizes: Any, out_backprop: Any, strides: Any, padding: str, data_format: str = 'NHWC',
    dilations: Any = ..., name: str | None = None,
) -> Tensor:
    """The gradient of a depthwise convolution by its filter, of shape `filter_sizes`; see
    `tf.nn.depthwise_conv2d`."""

def depthwise_conv2d_native_backprop_input(
    input_sizes: Any, filter: Any, out_backprop: Any, strides: Any, padding: str, data_format: str = 'NHWC',
    dilations: Any = ..., name: str | None = None,
) -> Tensor:
    """The gradient of a depthwise convolution by its input, of shape `input_sizes`; see
    `tf.nn.depthwise_conv2d`."""

def dilation2d(
    input: Any, filter: Any = None, strides: Any = None, rates: Any = None, padding: Any = None,
    name: str | None = None, filters: Any = None, dilations: Any = None,
) -> Tensor:
    """The largest sum of image and filter that a window sees, channel by channel."""

def dropout(
    x: Any, keep_prob: Any = None, noise_shape: Any = None, seed: Any = None, name: str | None = None,
    rate: Any = None,
) -> Any:
    """Applies dropout (Srivastava et al., 2014): zeroes elements with probability `rate`, divides the rest
    by 1 - rate."""

def dynamic_rnn(
    cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None, dtype: Any = None,
    parallel_iterations: Any = None, swap_memory: bool = False, time_major: Any = False, scope: Any = None,
) -> tuple[Any, Any]:
    """Runs a recurrent cell over the time steps of `inputs` in a `tf.while_loop`."""

def elu(features: Any, name: str | None = None) -> Tensor:
    """The exponential linear unit (Clevert et al., 2015): exp(features) - 1 where negative, else
    features."""

def embedding_lookup(
    params: Any, ids: Any, partition_strategy: Any = 'mod', name: str | None = None,
    validate_indices: Any = True, max_norm: Any = None,
) -> Any:
    """Looks up the rows of an embedding table by their ids; the table may be split into parts."""

def embedding_lookup_sparse(
    params: Any, sp_ids: Any, sp_weights: Any, partition_strategy: Any = 'mod', name: str | None = None,
    combiner: Any = None, max_norm: Any = None,
) -> Any:
    """Looks up the embeddings of each row of sparse ids and combines them into one vector by sum or
    mean."""

def erosion2d(
    value: Any, kernel: Any, strides: Any, rates: Any, padding: Any, name: str | None = None,
) -> Tensor:
    """The smallest difference of image and kernel that a window sees: the dilation of the negative
    image."""

def fixed_unigram_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, range_max: Any, vocab_file: Any = '',
    distortion: Any = 1.0, num_reserved_ids: Any = 0, num_shards: Any = 1, shard: Any = 0,
    unigrams: Any = ..., seed: Any = None, name: str | None = None,
) -> _FixedUnigramCandidateSampler:
    """Draws classes as often as given weights say."""

def fractional_avg_pool(
    value: Any, pooling_ratio: Any, pseudo_random: Any = False, overlapping: Any = False,
    deterministic: Any = False, seed: Any = 0, seed2: Any = 0, name: str | None = None,
) -> Any:
    """Applies fractional average-pooling; see `tf.nn.fractional_max_pool` for the regions and the
    arguments."""

def fractional_max_pool(
    value: Any, pooling_ratio: Any, pseudo_random: Any = False, overlapping: Any = False,
    deterministic: Any = False, seed: Any = 0, seed2: Any = 0, name: str | None = None,
) -> Any:
    """Applies fractional max-pooling (Graham, 2014): the maximum over regions of randomly varying sizes."""

def fused_batch_norm(
    x: Any, scale: Any, offset: Any, mean: Any = None, variance: Any = None, epsilon: Any = 0.001,
    data_format: str = 'NHWC', is_training: Any = True, name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Applies batch normalization (Ioffe and Szegedy, 2015) to images in one operation."""

from evergraph.math import in_top_k as in_top_k

def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """Half the squared L2 norm: sum(t ** 2) / 2."""

from evergraph.linalg import l2_normalize as l2_normalize

def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Tensor:
    """Computes the leaky rectifier max(x, alpha * x) (Maas et al., 2013); integers become float32."""

def learned_unigram_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, range_max: Any, seed: Any = None,
    name: str | None = None,
) -> Any:
    """Draws classes as often as they were among the true classes of the steps before."""

def local_response_normalization(
    input: Any, depth_radius: Any = 5, bias: Any = 1, alpha: Any = 1, beta: Any = 0.5,
    name: str | None = None,
) -> Tensor:
    """Applies local response normalization (Krizhevsky et al., 2012) across channels."""

def log_poisson_loss(
    targets: Any, log_input: Any, compute_full_loss: Any = False, name: str | None = None,
) -> Tensor:
    """Computes the negative log likelihood of counts under Poisson distributions: exp(log_input) -
    log_input * targets."""

from evergraph.math import log_softmax as log_softmax

def log_uniform_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, range_max: Any, seed: Any = None,
    name: str | None = None,
) -> Any:
    """Draws classes that stand in order of how often they occur, as in a vocabulary sorted by frequency."""

lrn = local_response_normalization

def max_pool(
    value: Any, ksize: Any, strides: Any, padding: Any, data_format: str = 'NHWC', name: str | None = None,
    input: Any = None,
) -> Any:
    """Max-pools images: takes the maximum over a sliding window, channel by channel."""

def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = 'NWC', name: str | None = None,
) -> Tensor:
    """Max-pools sequences: takes the maximum over a sliding window, channel by channel."""

def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = 'NHWC', name: str | None = None,
) -> Any:
    """Max-pools images: takes the maximum over a sliding window, channel by channel."""

def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = 'NDHWC', name: str | None = None,
) -> Any:
    """Max-pools volumes: takes the maximum over a sliding window, channel by channel."""

def max_pool_v2(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None,
    name: str | None = None,
) -> Any:
    """Max-pools sequences, images or volumes, by the rank of the input."""

def max_pool_with_argmax(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = 'NHWC', Targmax: Any = None,
    name: str | None = None, output_dtype: Any = None, include_batch_in_index: Any = False,
) -> _MaxPoolWithArgmax:
    """Max-pools images and also returns the index of each maximum in its flattened image."""

def moments(
    x: Any, axes: Any, shift: Any = None, name: str | None = None, keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Any, Any]:
    """Computes the mean and the (biased) variance of a tensor along axes."""

def nce_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: Any, num_classes: Any,
    num_true: Any = 1, sampled_values: Any = None, remove_accidental_hits: Any = False,
    partition_strategy: Any = 'mod', name: str = 'nce_loss',
) -> Tensor:
    """Noise-contrastive estimation: telling true classes from drawn ones."""

def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean and variance that follow from `tf.nn.sufficient_statistics`."""

def pool(
    input: Any, window_shape: Any, pooling_type: Any, padding: Any, dilation_rate: Any = None,
    strides: Any = None, name: str | None = None, data_format: str | None = None, dilations: Any = None,
) -> Any:
    """Pooling over as many axes as the window has."""

def quantized_avg_pool(
    input: Any, min_input: Any, max_input: Any, ksize: Any, strides: Any, padding: str,
    name: str | None = None,
) -> _QuantizedAvgPool:
    """Quantized average pooling; means are rounded towards zero."""

def quantized_conv2d(
    input: Any, filter: Any, min_input: Any, max_input: Any, min_filter: Any, max_filter: Any, strides: Any,
    padding: str, out_type: Any = ..., dilations: Any = ..., name: str | None = None,
) -> _QuantizedConv2D:
    """Convolves quantized images, to integers of 32 bits and their range."""

def quantized_max_pool(
    input: Any, min_input: Any, max_input: Any, ksize: Any, strides: Any, padding: str,
    name: str | None = None,
) -> _QuantizedMaxPool:
    """Max-pools quantized images, whose range stays as it is."""

def quantized_relu_x(
    features: Any, max_value: Any, min_features: Any, max_features: Any, out_type: Any = ...,
    name: str | None = None,
) -> _QuantizedReluX:
    """Quantized ReLU clipped to [0, max_value]."""

def raw_rnn(
    cell: Any, loop_fn: Any, parallel_iterations: Any = None, swap_memory: bool = False, scope: Any = None,
) -> Any:
    """Runs a cell in a loop in which a function decides about inputs, states, outputs and the end."""

def relu(features: Any, name: str | None = None) -> Tensor:
    """The rectified linear unit: max(features, 0)."""

def relu6(features: Any, name: str | None = None) -> Tensor:
    """The rectified linear unit capped at 6: min(max(features, 0), 6)."""

def relu_layer(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """relu(matmul(x, weights) + biases); see `tf.nn.xw_plus_b` for the arguments."""

def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: Any = 'mean',
    default_id: Any = None, name: str | None = None, partition_strategy: Any = 'div', max_norm: Any = None,
) -> Tensor:
    """`tf.nn.embedding_lookup_sparse` for ids as data brings them: some negative, some rows empty."""

def sampled_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: Any, num_classes: Any,
    num_true: Any = 1, sampled_values: Any = None, remove_accidental_hits: Any = True,
    partition_strategy: Any = 'mod', name: str = 'sampled_softmax_loss', seed: Any = None,
) -> Any:
    """Softmax cross entropy over the true classes and some that are drawn."""

def scale_regularization_loss(regularization_loss: Any) -> Tensor:
    """The sum of regularization losses, for one replica."""

def selu(features: Any, name: str | None = None) -> Tensor:
    """The scaled exponential linear unit (Klambauer et al., 2017)."""

def separable_conv2d(
    input: Any, depthwise_filter: Any, pointwise_filter: Any, strides: Any, padding: Any, rate: Any = None,
    name: str | None = None, data_format: str | None = None, dilations: Any = None,
) -> Tensor:
    """Computes a depthwise convolution of each channel, then a 1x1 convolution that mixes the channels."""

from evergraph import sigmoid as sigmoid

def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None,
) -> Tensor:
    """Computes the binary cross entropy of independent labels z and logits x: max(x, 0) - x * z + log(1 +
    exp(-|x|))."""

from evergraph.math import softmax as softmax

def softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, dim: Any = -1, name: str | None = None,
    axis: Any = None,
) -> Any:
    """Computes the cross entropy -sum(labels * log_softmax(logits)); no gradient flows into the labels."""

def softmax_cross_entropy_with_logits_v2(
    labels: Any, logits: Any, axis: Any = None, name: str | None = None, dim: Any = None,
) -> Any:
    """Computes the cross entropy -sum(labels * log_softmax(logits)); gradients flow into logits and
    labels."""

from evergraph.math import softplus as softplus
from evergraph.math import softsign as softsign
from evergraph import space_to_batch as space_to_batch
from evergraph import space_to_depth as space_to_depth

def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None,
) -> Any:
    """Computes the cross entropy -log_softmax(logits)[label] for class indices as labels."""

def static_bidirectional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None, initial_state_bw: Any = None,
    dtype: Any = None, sequence_length: Any = None, scope: Any = None,
) -> tuple[Any, Any, Any]:
    """Calls one cell for the inputs from first to last and another from last to first."""

def static_rnn(
    cell: Any, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Calls a cell for each of a list of inputs, handing the state on."""

def static_state_saving_rnn(
    cell: Any, inputs: Any, state_saver: Any, state_name: Any, sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, Any]:
    """`tf.nn.static_rnn` that begins with a saved state and saves the last one."""

def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keep_dims: bool | None = None, name: str | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor, Tensor, Any]:
    """What the mean and variance along axes can be worked out from: see `tf.nn.normalize_moments`."""

def swish(features: Any) -> Tensor:
    """Computes swish(x) = x * sigmoid(x) (Ramachandran et al., 2017), also called SiLU."""

from evergraph import tanh as tanh
from evergraph.math import top_k as top_k

def uniform_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, range_max: Any, seed: Any = None,
    name: str | None = None,
) -> Any:
    """Draws classes that are all equally likely."""

def weighted_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, pos_weight: Any = None, name: str | None = None,
    targets: Any = None,
) -> Tensor:
    """Computes the binary cross entropy in which the positive labels weigh `pos_weight` times as much."""

def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, name: str | None = None, keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Any, Any]:
    """The mean and the variance along axes of elements that count as often as their weights say."""

def with_space_to_batch(
    input: Any, dilation_rate: Any, padding: Any, op: Any, filter_shape: Any = None,
    spatial_dims: Any = None, data_format: str | None = None,
) -> Any:
    """What `op` makes of windows that see only every n-th element."""

def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """Computes the affine map matmul(x, weights) + biases of a dense layer."""

from evergraph.math import zero_fraction as zero_fraction
