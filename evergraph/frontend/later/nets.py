"""tf.compat.v2.nn: the functions whose parameters differ from TensorFlow 1's."""

from __future__ import annotations

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.later.reordered import functions
from evergraph.frontend.nn import activations, convolution, cross_entropy, ctc, embedding, normalize, pool, sampled

_TABLE = """
nn.avg_pool: input ksize strides padding data_format name
nn.max_pool: input ksize strides padding data_format name
nn.avg_pool2d: input! ksize! strides! padding! data_format name
nn.max_pool_with_argmax: input ksize strides padding data_format output_dtype include_batch_in_index name
nn.batch_norm_with_global_normalization: input! mean! variance! beta! gamma! variance_epsilon! scale_after_normalization! name
nn.conv1d: input! filters! stride! padding! data_format~NWC dilations name
nn.conv2d: input filters! strides! padding! data_format dilations name
nn.conv2d_transpose: input! filters! output_shape! strides! padding data_format dilations name
nn.conv3d: input filters! strides! padding! data_format dilations name
nn.conv3d_transpose: input=value filters! output_shape! strides! padding data_format dilations name
nn.convolution: input filters! strides padding~VALID data_format dilations name
nn.crelu: features axis name
nn.ctc_loss: labels logits label_length logit_length logits_time_major unique blank_index name
nn.depth_to_space: input block_size data_format name
nn.space_to_depth: input block_size data_format name
nn.depthwise_conv2d: input filter strides padding data_format dilations name
nn.dropout: x rate! noise_shape seed name
nn.embedding_lookup: params ids max_norm partition_strategy:div name
nn.embedding_lookup_sparse: params sp_ids sp_weights combiner max_norm partition_strategy:div name
nn.moments: x axes shift keepdims name
nn.nce_loss: weights biases labels inputs num_sampled num_classes num_true sampled_values remove_accidental_hits partition_strategy:div name
nn.pool: input window_shape pooling_type strides padding~VALID data_format dilations name
nn.sampled_softmax_loss: weights biases labels inputs num_sampled num_classes num_true sampled_values remove_accidental_hits partition_strategy:div seed name
nn.separable_conv2d: input depthwise_filter pointwise_filter strides padding data_format dilations name
nn.softmax_cross_entropy_with_logits: labels logits axis name
nn.sufficient_statistics: x axes shift keepdims name
nn.weighted_moments: x axes frequency_weights keepdims name
"""  # noqa: E501

_TARGETS = {
    "nn.avg_pool": pool.avg_pool_v2, "nn.max_pool": pool.max_pool_v2, "nn.avg_pool2d": pool.avg_pool,
    "nn.max_pool_with_argmax": pool.max_pool_with_argmax,
    "nn.batch_norm_with_global_normalization": normalize.batch_norm_with_global_normalization,
    "nn.conv1d": convolution.conv1d, "nn.conv2d": convolution.conv2d,
    "nn.conv2d_transpose": convolution.conv2d_transpose, "nn.conv3d": convolution.conv3d,
    "nn.conv3d_transpose": convolution.conv3d_transpose, "nn.convolution": convolution.convolution,
    "nn.crelu": activations.crelu, "nn.ctc_loss": ctc.ctc_loss_v2, "nn.depth_to_space": array.depth_to_space,
    "nn.space_to_depth": array.space_to_depth, "nn.depthwise_conv2d": convolution.depthwise_conv2d,
    "nn.dropout": activations.dropout, "nn.embedding_lookup": embedding.embedding_lookup,
    "nn.embedding_lookup_sparse": embedding.embedding_lookup_sparse, "nn.moments": normalize.moments,
    "nn.nce_loss": sampled.nce_loss, "nn.pool": pool.pool, "nn.sampled_softmax_loss": sampled.sampled_softmax_loss,
    "nn.separable_conv2d": convolution.separable_conv2d,
    "nn.softmax_cross_entropy_with_logits": cross_entropy.softmax_cross_entropy_with_logits_v2,
    "nn.sufficient_statistics": normalize.sufficient_statistics, "nn.weighted_moments": normalize.weighted_moments,
}

for _names, _function in functions(_TABLE, _TARGETS):
    _function.__module__ = __name__
    globals()[_names[0].replace(".", "_")] = export(*_names)(_function)
