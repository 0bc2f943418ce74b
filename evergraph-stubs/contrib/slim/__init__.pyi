# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim."""

from evergraph.contrib.layers import (
    convolution1d as _convolution1d, convolution2d as _convolution2d,
    convolution2d_in_plane as _convolution2d_in_plane, convolution2d_transpose as _convolution2d_transpose,
    convolution3d as _convolution3d, convolution3d_transpose as _convolution3d_transpose,
    separable_convolution2d as _separable_convolution2d, xavier_initializer as _xavier_initializer,
)
from typing import Any
from evergraph.contrib.slim import (
    data_decoder as data_decoder, data_provider as data_provider, dataset as dataset,
    dataset_data_provider as dataset_data_provider, embedding_ops as embedding_ops, encoders as encoders,
    evaluation as evaluation, initializers as initializers, layers as layers, learning as learning,
    losses as losses, metrics as metrics, model_analyzer as model_analyzer, nets as nets,
    normalization as normalization, optimizers as optimizers, parallel_reader as parallel_reader,
    prefetch_queue as prefetch_queue, queues as queues, regularizers as regularizers,
    summaries as summaries, tfexample_decoder as tfexample_decoder, utils as utils,
)

import sys
if sys.platform == "":
    del (
        decoder, early_nets, inception, inception_blocks, inception_v1, inception_v2, loops, loss_functions,
        metric_functions, provider, resnet, tools, training, vgg,
    )

from evergraph.contrib.layers import GDN as GDN
OPTIMIZER_CLS_NAMES: dict[str, Any]
OPTIMIZER_SUMMARIES: list[str]

class ProblemType:
    """The kinds of problems."""
    UNSPECIFIED: int
    CLASSIFICATION: int
    LINEAR_REGRESSION: int
    LOGISTIC_REGRESSION: int

from evergraph.contrib.framework import VariableDeviceChooser as VariableDeviceChooser
from evergraph.contrib.layers import adaptive_clipping_fn as adaptive_clipping_fn
from evergraph.contrib.framework import add_arg_scope as add_arg_scope
from evergraph.contrib.framework import add_model_variable as add_model_variable
from evergraph.contrib.layers import apply_regularization as apply_regularization
from evergraph.contrib.framework import arg_scope as arg_scope
from evergraph.contrib.framework import arg_scope_func_key as arg_scope_func_key
from evergraph.contrib.framework import arg_scoped_arguments as arg_scoped_arguments
from evergraph.train import assert_global_step as assert_global_step
from evergraph.contrib.framework import assert_or_get_global_step as assert_or_get_global_step
from evergraph.contrib.framework import assign_from_checkpoint as assign_from_checkpoint
from evergraph.contrib.framework import assign_from_checkpoint_fn as assign_from_checkpoint_fn
from evergraph.contrib.framework import assign_from_values as assign_from_values
from evergraph.contrib.framework import assign_from_values_fn as assign_from_values_fn
from evergraph.contrib.layers import avg_pool2d as avg_pool2d
from evergraph.contrib.layers import avg_pool3d as avg_pool3d
from evergraph.contrib.layers import batch_norm as batch_norm
from evergraph.contrib.layers import bias_add as bias_add

def binary_svm_target(label_name: str | None = None, weight_column_name: str | None = None) -> Any:
    """A target of two classes, with the hinge loss."""

from evergraph.contrib.layers import bow_encoder as bow_encoder
from evergraph.contrib.layers import bucketized_column as bucketized_column
from evergraph.contrib.layers import check_feature_columns as check_feature_columns
conv1d = _convolution1d
conv2d = _convolution2d
conv2d_in_plane = _convolution2d_in_plane
conv2d_transpose = _convolution2d_transpose
conv3d = _convolution3d
conv3d_transpose = _convolution3d_transpose
from evergraph.contrib.layers import convolution as convolution
from evergraph.contrib.layers import convolution1d as convolution1d
from evergraph.contrib.layers import convolution2d as convolution2d
from evergraph.contrib.layers import convolution2d_in_plane as convolution2d_in_plane
from evergraph.contrib.layers import convolution2d_transpose as convolution2d_transpose
from evergraph.contrib.layers import convolution3d as convolution3d
from evergraph.contrib.layers import convolution3d_transpose as convolution3d_transpose
from evergraph.contrib.layers import create_feature_spec_for_parsing as create_feature_spec_for_parsing
from evergraph.train import create_global_step as create_global_step
from evergraph.contrib.layers import crossed_column as crossed_column
from evergraph.contrib.framework import current_arg_scope as current_arg_scope
from evergraph.contrib.layers import dense_to_sparse as dense_to_sparse
from evergraph.contrib.layers import dropout as dropout
from evergraph.contrib.layers import elu as elu
from evergraph.contrib.layers import embed_sequence as embed_sequence
from evergraph.contrib.layers import embedding_column as embedding_column

from evergraph.contrib.layers import (
    embedding_lookup_sparse_with_distributed_aggregation as embedding_lookup_sparse_with_distributed_aggregation,
)

from evergraph.contrib.layers import embedding_lookup_unique as embedding_lookup_unique
from evergraph.contrib.framework import filter_variables as filter_variables
from evergraph.contrib.layers import flatten as flatten
from evergraph.contrib.layers import fully_connected as fully_connected
from evergraph.contrib.layers import gdn as gdn
from evergraph.train import get_global_step as get_global_step
from evergraph.contrib.framework import get_local_variables as get_local_variables
from evergraph.contrib.framework import get_model_variables as get_model_variables
from evergraph.train import get_or_create_global_step as get_or_create_global_step
from evergraph.contrib.framework import get_trainable_variables as get_trainable_variables
from evergraph.contrib.framework import get_unique_variable as get_unique_variable
from evergraph.contrib.framework import get_variable_full_name as get_variable_full_name
from evergraph.contrib.framework import get_variables as get_variables
from evergraph.contrib.framework import get_variables_by_name as get_variables_by_name
from evergraph.contrib.framework import get_variables_by_suffix as get_variables_by_suffix
from evergraph.contrib.framework import get_variables_to_restore as get_variables_to_restore
from evergraph.contrib.framework import global_variable as global_variable
from evergraph.contrib.layers import group_norm as group_norm
from evergraph.contrib.framework import has_arg_scope as has_arg_scope
from evergraph.contrib.layers import images_to_sequence as images_to_sequence
from evergraph.contrib.layers import infer_real_valued_columns as infer_real_valued_columns
from evergraph.contrib.layers import input_from_feature_columns as input_from_feature_columns
from evergraph.contrib.layers import instance_norm as instance_norm
from evergraph.contrib.layers import joint_weighted_sum_from_feature_columns as joint_weighted_sum_from_feature_columns
from evergraph.contrib.layers import l1_l2_regularizer as l1_l2_regularizer
from evergraph.contrib.layers import l1_regularizer as l1_regularizer
from evergraph.contrib.layers import l2_regularizer as l2_regularizer
from evergraph.contrib.layers import layer_norm as layer_norm
from evergraph.contrib.layers import legacy_fully_connected as legacy_fully_connected
from evergraph.contrib.layers import legacy_linear as legacy_linear
from evergraph.contrib.layers import legacy_relu as legacy_relu
from evergraph.contrib.layers import linear as linear
from evergraph.contrib.framework import local_variable as local_variable

from evergraph.contrib.layers import (
    make_place_holder_tensors_for_base_features as make_place_holder_tensors_for_base_features,
)

from evergraph.contrib.layers import max_pool2d as max_pool2d
from evergraph.contrib.layers import max_pool3d as max_pool3d
from evergraph.contrib.layers import maxout as maxout
from evergraph.contrib.framework import model_variable as model_variable
from evergraph.contrib.layers import multi_class_target as multi_class_target
from evergraph.contrib.layers import one_hot_column as one_hot_column
from evergraph.contrib.layers import one_hot_encoding as one_hot_encoding
from evergraph.contrib.layers import optimize_loss as optimize_loss
from evergraph.contrib.layers import parse_feature_columns_from_examples as parse_feature_columns_from_examples

from evergraph.contrib.layers import (
    parse_feature_columns_from_sequence_examples as parse_feature_columns_from_sequence_examples,
)

from evergraph.contrib.layers import poincare_normalize as poincare_normalize
from evergraph.contrib.layers import pool as pool
from evergraph.contrib.layers import real_valued_column as real_valued_column
from evergraph.contrib.layers import recompute_grad as recompute_grad
from evergraph.contrib.layers import regression_target as regression_target
from evergraph.contrib.layers import relu as relu
from evergraph.contrib.layers import relu6 as relu6
from evergraph.contrib.layers import repeat as repeat
from evergraph.contrib.layers import rev_block as rev_block
from evergraph.contrib.layers import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from evergraph.contrib.layers import scale_gradient as scale_gradient
from evergraph.contrib.layers import scattered_embedding_column as scattered_embedding_column
from evergraph.contrib.layers import scattered_embedding_lookup as scattered_embedding_lookup
from evergraph.contrib.layers import scattered_embedding_lookup_sparse as scattered_embedding_lookup_sparse
separable_conv2d = _separable_convolution2d
from evergraph.contrib.layers import separable_convolution2d as separable_convolution2d
from evergraph.contrib.layers import sequence_input_from_feature_columns as sequence_input_from_feature_columns
from evergraph.contrib.layers import sequence_to_images as sequence_to_images
from evergraph.contrib.layers import shared_embedding_columns as shared_embedding_columns
from evergraph.contrib.layers import softmax as softmax
from evergraph.contrib.layers import sparse_column_with_hash_bucket as sparse_column_with_hash_bucket
from evergraph.contrib.layers import sparse_column_with_integerized_feature as sparse_column_with_integerized_feature
from evergraph.contrib.layers import sparse_column_with_keys as sparse_column_with_keys
from evergraph.contrib.layers import sparse_column_with_vocabulary_file as sparse_column_with_vocabulary_file
from evergraph.contrib.layers import spatial_softmax as spatial_softmax
from evergraph.contrib.layers import stack as stack
from evergraph.contrib.layers import sum_regularizer as sum_regularizer
from evergraph.contrib.layers import summarize_activation as summarize_activation
from evergraph.contrib.layers import summarize_activations as summarize_activations
from evergraph.contrib.layers import summarize_collection as summarize_collection
from evergraph.contrib.layers import summarize_tensor as summarize_tensor
from evergraph.contrib.layers import summarize_tensors as summarize_tensors
from evergraph.contrib.layers import transform_features as transform_features
from evergraph.contrib.layers import unit_norm as unit_norm
from evergraph.contrib.framework import variable as variable
from evergraph.contrib.layers import variance_scaling_initializer as variance_scaling_initializer
from evergraph.contrib.layers import weighted_sparse_column as weighted_sparse_column
from evergraph.contrib.layers import weighted_sum_from_feature_columns as weighted_sum_from_feature_columns
from evergraph.contrib.layers import xavier_initializer as xavier_initializer
xavier_initializer_conv2d = _xavier_initializer
from evergraph.contrib.framework import zero_initializer as zero_initializer
