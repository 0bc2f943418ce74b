# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.raw_ops."""

from evergraph import (
    Operation, RaggedTensor, Tensor, acos, acosh, add, arg_max, arg_min, asin, asinh, atan, atan2, atanh,
    batch_to_space_nd, betainc, bitcast, broadcast_to, ceil, check_numerics, cholesky, cos, cosh, cross,
    decode_json_example, dequantize, diag, diag_part, digamma, dynamic_partition, dynamic_stitch, equal,
    erfc, exp, expm1, extract_volume_patches, fake_quant_with_min_max_args,
    fake_quant_with_min_max_args_gradient, fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_gradient, fake_quant_with_min_max_vars_per_channel,
    fake_quant_with_min_max_vars_per_channel_gradient, fft, fft2d, fft3d, fill, floor, floor_div, floormod,
    greater, greater_equal, guarantee_const, identity_n, ifft, ifft2d, ifft3d, igamma, igammac,
    invert_permutation, is_finite, is_inf, is_nan, less, less_equal, lgamma, lin_space, log, log1p,
    logical_and, logical_not, logical_or, matching_files, matrix_band_part, matrix_determinant,
    matrix_inverse, matrix_solve, matrix_square_root, matrix_triangular_solve, maximum, minimum, multiply,
    no_op, not_equal, parse_tensor, placeholder_with_default, polygamma, pow, qr, quantized_concat,
    read_file, realdiv, reciprocal, reshape, reverse_v2, rint, roll, rsqrt, scatter_nd, segment_max,
    segment_mean, segment_min, segment_prod, segment_sum, serialize_tensor, shape_n, sigmoid, sin, sinh,
    space_to_batch_nd, sparse_matmul, squared_difference, stop_gradient, subtract, tan, tensor_scatter_add,
    tensor_scatter_sub, tensor_scatter_update, tile, timestamp, truncatediv, truncatemod, unique,
    unique_with_counts, unravel_index, unsorted_segment_max, unsorted_segment_min, unsorted_segment_prod,
    unsorted_segment_sum, write_file, zeta,
)
from evergraph.audio import decode_wav, encode_wav
from evergraph.bitwise import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift
from evergraph.image import hsv_to_rgb, resize_area, rgb_to_hsv
from evergraph.io import decode_proto, encode_proto
from evergraph.linalg import logm, lu, slogdet
from evergraph.math import bessel_i0e, bessel_i1e, nextafter, softplus, softsign, xdivy, xlogy
from evergraph.nn import (
    conv3d_backprop_filter_v2, depthwise_conv2d_native, depthwise_conv2d_native_backprop_filter,
    depthwise_conv2d_native_backprop_input, elu, l2_loss, quantized_avg_pool, quantized_conv2d,
    quantized_max_pool, quantized_relu_x, relu, relu6, selu,
)
from evergraph.ragged import RaggedTensorValue
from evergraph.strings import unsorted_segment_join
from evergraph.train import sdca_fprint, sdca_optimizer, sdca_shrink_l1
from typing import Any as _Any, NamedTuple, overload

class _AllCandidateSampler(NamedTuple):
    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor

class _AnonymousIteratorV2(NamedTuple):
    handle: Tensor
    deleter: Tensor

class _BarrierTakeMany(NamedTuple):
    indices: Tensor
    keys: Tensor
    values: list[Tensor]

class _Batch(NamedTuple):
    batched_tensors: list[Tensor]
    batch_index: Tensor
    id: Tensor

class _BatchNormWithGlobalNormalizationGrad(NamedTuple):
    dx: Tensor
    dm: Tensor
    dv: Tensor
    db: Tensor
    dg: Tensor

class _BatchSelfAdjointEigV2(NamedTuple):
    e: Tensor
    v: Tensor

class _BatchSvd(NamedTuple):
    s: Tensor
    u: Tensor
    v: Tensor

class _BipartiteMatch(NamedTuple):
    row_to_col_match_indices: Tensor
    col_to_row_match_indices: Tensor

class _BlockLSTM(NamedTuple):
    i: Tensor
    cs: Tensor
    f: Tensor
    o: Tensor
    ci: Tensor
    co: Tensor
    h: Tensor

class _BlockLSTMGrad(NamedTuple):
    x_grad: Tensor
    cs_prev_grad: Tensor
    h_prev_grad: Tensor
    w_grad: Tensor
    wci_grad: Tensor
    wcf_grad: Tensor
    wco_grad: Tensor
    b_grad: Tensor

class _BlockLSTMGradV2(NamedTuple):
    x_grad: Tensor
    cs_prev_grad: Tensor
    h_prev_grad: Tensor
    w_grad: Tensor
    wci_grad: Tensor
    wcf_grad: Tensor
    wco_grad: Tensor
    b_grad: Tensor

class _BlockLSTMV2(NamedTuple):
    i: Tensor
    cs: Tensor
    f: Tensor
    o: Tensor
    ci: Tensor
    co: Tensor
    h: Tensor

class _BoostedTreesCalculateBestFeatureSplit(NamedTuple):
    node_ids: Tensor
    gains: Tensor
    feature_dimensions: Tensor
    thresholds: Tensor
    left_node_contribs: Tensor
    right_node_contribs: Tensor
    split_with_default_directions: Tensor

class _BoostedTreesCalculateBestGainsPerFeature(NamedTuple):
    node_ids_list: list[Tensor]
    gains_list: list[Tensor]
    thresholds_list: list[Tensor]
    left_node_contribs_list: list[Tensor]
    right_node_contribs_list: list[Tensor]

class _BoostedTreesGetEnsembleStates(NamedTuple):
    stamp_token: Tensor
    num_trees: Tensor
    num_finalized_trees: Tensor
    num_attempted_layers: Tensor
    last_layer_nodes_range: Tensor

class _BoostedTreesSerializeEnsemble(NamedTuple):
    stamp_token: Tensor
    tree_ensemble_serialized: Tensor

class _BoostedTreesSparseAggregateStats(NamedTuple):
    stats_summary_indices: Tensor
    stats_summary_values: Tensor
    stats_summary_shape: Tensor

class _BoostedTreesSparseCalculateBestFeatureSplit(NamedTuple):
    node_ids: Tensor
    gains: Tensor
    feature_dimensions: Tensor
    thresholds: Tensor
    left_node_contribs: Tensor
    right_node_contribs: Tensor
    split_with_default_directions: Tensor

class _BoostedTreesTrainingPredict(NamedTuple):
    partial_logits: Tensor
    tree_ids: Tensor
    node_ids: Tensor

class _BroadcastGradientArgs(NamedTuple):
    r0: Tensor
    r1: Tensor

class _BuildCategoricalEqualitySplits(NamedTuple):
    output_partition_ids: Tensor
    gains: Tensor
    split_infos: Tensor

class _BuildDenseInequalitySplits(NamedTuple):
    output_partition_ids: Tensor
    gains: Tensor
    split_infos: Tensor

class _BuildSparseInequalitySplits(NamedTuple):
    output_partition_ids: Tensor
    gains: Tensor
    split_infos: Tensor

class _CTCBeamSearchDecoder(NamedTuple):
    decoded_indices: list[Tensor]
    decoded_values: list[Tensor]
    decoded_shape: list[Tensor]
    log_probability: Tensor

class _CTCGreedyDecoder(NamedTuple):
    decoded_indices: Tensor
    decoded_values: Tensor
    decoded_shape: Tensor
    log_probability: Tensor

class _CTCLoss(NamedTuple):
    loss: Tensor
    gradient: Tensor

class _CombinedNonMaxSuppression(NamedTuple):
    nmsed_boxes: Tensor
    nmsed_scores: Tensor
    nmsed_classes: Tensor
    valid_detections: Tensor

class _ComputeAccidentalHits(NamedTuple):
    indices: Tensor
    ids: Tensor
    weights: Tensor

class _DecodeLibsvm(NamedTuple):
    label: Tensor
    feature_indices: Tensor
    feature_values: Tensor
    feature_shape: Tensor

class _DecodeProtoV2(NamedTuple):
    sizes: Tensor
    values: list[Tensor]

class _DecodeWav(NamedTuple):
    audio: Tensor
    sample_rate: Tensor

class _DenseToDenseSetOperation(NamedTuple):
    result_indices: Tensor
    result_values: Tensor
    result_shape: Tensor

class _DenseToSparseSetOperation(NamedTuple):
    result_indices: Tensor
    result_values: Tensor
    result_shape: Tensor

class _DeserializeManySparse(NamedTuple):
    sparse_indices: Tensor
    sparse_values: Tensor
    sparse_shape: Tensor

class _DeserializeSparse(NamedTuple):
    sparse_indices: Tensor
    sparse_values: Tensor
    sparse_shape: Tensor

class _EvergraphLeastSquaresSums(NamedTuple):
    matrices: Tensor
    vectors: Tensor

class _FakeQuantWithMinMaxVarsGradient(NamedTuple):
    backprops_wrt_input: Tensor
    backprop_wrt_min: Tensor
    backprop_wrt_max: Tensor

class _FakeQuantWithMinMaxVarsPerChannelGradient(NamedTuple):
    backprops_wrt_input: Tensor
    backprop_wrt_min: Tensor
    backprop_wrt_max: Tensor

class _FixedUnigramCandidateSampler(NamedTuple):
    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor

class _FractionalAvgPool(NamedTuple):
    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor

class _FractionalMaxPool(NamedTuple):
    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor

class _FusedBatchNorm(NamedTuple):
    y: Tensor
    batch_mean: Tensor
    batch_variance: Tensor
    reserve_space_1: Tensor
    reserve_space_2: Tensor

class _FusedBatchNormGrad(NamedTuple):
    x_backprop: Tensor
    scale_backprop: Tensor
    offset_backprop: Tensor
    reserve_space_3: Tensor
    reserve_space_4: Tensor

class _FusedBatchNormGradV2(NamedTuple):
    x_backprop: Tensor
    scale_backprop: Tensor
    offset_backprop: Tensor
    reserve_space_3: Tensor
    reserve_space_4: Tensor

class _FusedBatchNormGradV3(NamedTuple):
    x_backprop: Tensor
    scale_backprop: Tensor
    offset_backprop: Tensor
    reserve_space_4: Tensor
    reserve_space_5: Tensor

class _FusedBatchNormV2(NamedTuple):
    y: Tensor
    batch_mean: Tensor
    batch_variance: Tensor
    reserve_space_1: Tensor
    reserve_space_2: Tensor

class _FusedBatchNormV3(NamedTuple):
    y: Tensor
    batch_mean: Tensor
    batch_variance: Tensor
    reserve_space_1: Tensor
    reserve_space_2: Tensor
    reserve_space_3: Tensor

class _GRUBlockCell(NamedTuple):
    r: Tensor
    u: Tensor
    c: Tensor
    h: Tensor

class _GRUBlockCellGrad(NamedTuple):
    d_x: Tensor
    d_h_prev: Tensor
    d_c_bar: Tensor
    d_r_bar_u_bar: Tensor

class _GenerateVocabRemapping(NamedTuple):
    remapping: Tensor
    num_present: Tensor

class _GradientTreesPrediction(NamedTuple):
    predictions: Tensor
    drop_out_tree_indices_weights: Tensor

class _GradientTreesPredictionVerbose(NamedTuple):
    predictions: Tensor
    drop_out_tree_indices_weights: Tensor
    leaf_index: Tensor

class _LSTMBlockCell(NamedTuple):
    i: Tensor
    cs: Tensor
    f: Tensor
    o: Tensor
    ci: Tensor
    co: Tensor
    h: Tensor

class _LSTMBlockCellGrad(NamedTuple):
    cs_prev_grad: Tensor
    dicfo: Tensor
    wci_grad: Tensor
    wcf_grad: Tensor
    wco_grad: Tensor

class _LearnedUnigramCandidateSampler(NamedTuple):
    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor

class _ListDiff(NamedTuple):
    out: Tensor
    idx: Tensor

class _LogMatrixDeterminant(NamedTuple):
    sign: Tensor
    log_abs_determinant: Tensor

class _LogUniformCandidateSampler(NamedTuple):
    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor

class _LookupTableExport(NamedTuple):
    keys: Tensor
    values: Tensor

class _LookupTableExportV2(NamedTuple):
    keys: Tensor
    values: Tensor

class _Lu(NamedTuple):
    lu: Tensor
    p: Tensor

class _MakeQuantileSummaries(NamedTuple):
    dense_summaries: list[Tensor]
    sparse_summaries: list[Tensor]

class _MapUnstageNoKey(NamedTuple):
    key: Tensor
    values: list[Tensor]

class _MaxPoolWithArgmax(NamedTuple):
    output: Tensor
    argmax: Tensor

class _Merge(NamedTuple):
    output: Tensor
    value_index: Tensor

class _NearestNeighbors(NamedTuple):
    nearest_center_indices: Tensor
    nearest_center_distances: Tensor

class _NonMaxSuppressionV4(NamedTuple):
    selected_indices: Tensor
    valid_outputs: Tensor

class _NonMaxSuppressionV5(NamedTuple):
    selected_indices: Tensor
    selected_scores: Tensor
    valid_outputs: Tensor

class _OrderedMapUnstageNoKey(NamedTuple):
    key: Tensor
    values: list[Tensor]

class _ParseExample(NamedTuple):
    sparse_indices: list[Tensor]
    sparse_values: list[Tensor]
    sparse_shapes: list[Tensor]
    dense_values: list[Tensor]

class _ParseExampleV2(NamedTuple):
    sparse_indices: list[Tensor]
    sparse_values: list[Tensor]
    sparse_shapes: list[Tensor]
    dense_values: list[Tensor]
    ragged_values: list[Tensor]
    ragged_row_splits: list[Tensor]

class _ParseSequenceExample(NamedTuple):
    context_sparse_indices: list[Tensor]
    context_sparse_values: list[Tensor]
    context_sparse_shapes: list[Tensor]
    context_dense_values: list[Tensor]
    feature_list_sparse_indices: list[Tensor]
    feature_list_sparse_values: list[Tensor]
    feature_list_sparse_shapes: list[Tensor]
    feature_list_dense_values: list[Tensor]
    feature_list_dense_lengths: list[Tensor]

class _ParseSingleExample(NamedTuple):
    sparse_indices: list[Tensor]
    sparse_values: list[Tensor]
    sparse_shapes: list[Tensor]
    dense_values: list[Tensor]

class _ParseSingleSequenceExample(NamedTuple):
    context_sparse_indices: list[Tensor]
    context_sparse_values: list[Tensor]
    context_sparse_shapes: list[Tensor]
    context_dense_values: list[Tensor]
    feature_list_sparse_indices: list[Tensor]
    feature_list_sparse_values: list[Tensor]
    feature_list_sparse_shapes: list[Tensor]
    feature_list_dense_values: list[Tensor]

class _Qr(NamedTuple):
    q: Tensor
    r: Tensor

class _QuantileAccumulatorGetBuckets(NamedTuple):
    are_buckets_ready: list[Tensor]
    buckets: list[Tensor]

class _QuantileAccumulatorSerialize(NamedTuple):
    stamp_token: Tensor
    stream_state: Tensor
    are_buckets_ready: Tensor
    buckets: Tensor

class _QuantileBuckets(NamedTuple):
    dense_buckets: list[Tensor]
    sparse_buckets: list[Tensor]

class _Quantiles(NamedTuple):
    dense_quantiles: list[Tensor]
    sparse_quantiles: list[Tensor]

class _QuantizeDownAndShrinkRange(NamedTuple):
    output: Tensor
    output_min: Tensor
    output_max: Tensor

class _QuantizeV2(NamedTuple):
    output: Tensor
    output_min: Tensor
    output_max: Tensor

class _QuantizedAdd(NamedTuple):
    z: Tensor
    min_z: Tensor
    max_z: Tensor

class _QuantizedAvgPool(NamedTuple):
    output: Tensor
    min_output: Tensor
    max_output: Tensor

class _QuantizedBatchNormWithGlobalNormalization(NamedTuple):
    result: Tensor
    result_min: Tensor
    result_max: Tensor

class _QuantizedBiasAdd(NamedTuple):
    output: Tensor
    min_out: Tensor
    max_out: Tensor

class _QuantizedConcat(NamedTuple):
    output: Tensor
    output_min: Tensor
    output_max: Tensor

class _QuantizedConv2D(NamedTuple):
    output: Tensor
    min_output: Tensor
    max_output: Tensor

class _QuantizedInstanceNorm(NamedTuple):
    y: Tensor
    y_min: Tensor
    y_max: Tensor

class _QuantizedMatMul(NamedTuple):
    out: Tensor
    min_out: Tensor
    max_out: Tensor

class _QuantizedMaxPool(NamedTuple):
    output: Tensor
    min_output: Tensor
    max_output: Tensor

class _QuantizedMul(NamedTuple):
    z: Tensor
    min_z: Tensor
    max_z: Tensor

class _QuantizedRelu(NamedTuple):
    activations: Tensor
    min_activations: Tensor
    max_activations: Tensor

class _QuantizedRelu6(NamedTuple):
    activations: Tensor
    min_activations: Tensor
    max_activations: Tensor

class _QuantizedReluX(NamedTuple):
    activations: Tensor
    min_activations: Tensor
    max_activations: Tensor

class _QuantizedReshape(NamedTuple):
    output: Tensor
    output_min: Tensor
    output_max: Tensor

class _QuantizedResizeBilinear(NamedTuple):
    resized_images: Tensor
    out_min: Tensor
    out_max: Tensor

class _RaggedGather(NamedTuple):
    output_nested_splits: list[Tensor]
    output_dense_values: Tensor

class _RaggedRange(NamedTuple):
    rt_nested_splits: Tensor
    rt_dense_values: Tensor

class _RaggedTensorFromVariant(NamedTuple):
    output_nested_splits: list[Tensor]
    output_dense_values: Tensor

class _RaggedTensorToSparse(NamedTuple):
    sparse_indices: Tensor
    sparse_values: Tensor
    sparse_dense_shape: Tensor

class _ReaderReadUpToV2(NamedTuple):
    keys: Tensor
    values: Tensor

class _ReaderReadV2(NamedTuple):
    key: Tensor
    value: Tensor

class _RefMerge(NamedTuple):
    output: Tensor
    value_index: Tensor

class _RefSwitch(NamedTuple):
    output_false: Tensor
    output_true: Tensor

class _RequantizationRange(NamedTuple):
    output_min: Tensor
    output_max: Tensor

class _Requantize(NamedTuple):
    output: Tensor
    output_min: Tensor
    output_max: Tensor

class _ResamplerGrad(NamedTuple):
    grad_data: Tensor
    grad_warp: Tensor

class _SampleDistortedBoundingBox(NamedTuple):
    begin: Tensor
    size: Tensor
    bboxes: Tensor

class _SampleDistortedBoundingBoxV2(NamedTuple):
    begin: Tensor
    size: Tensor
    bboxes: Tensor

class _SdcaOptimizer(NamedTuple):
    out_example_state_data: Tensor
    out_delta_sparse_weights: list[Tensor]
    out_delta_dense_weights: list[Tensor]

class _SdcaOptimizerV2(NamedTuple):
    out_example_state_data: Tensor
    out_delta_sparse_weights: list[Tensor]
    out_delta_dense_weights: list[Tensor]

class _SelfAdjointEigV2(NamedTuple):
    e: Tensor
    v: Tensor

class _SkipGramGenerateCandidates(NamedTuple):
    tokens: Tensor
    labels: Tensor

class _SoftmaxCrossEntropyWithLogits(NamedTuple):
    loss: Tensor
    backprop: Tensor

class _SparseAccumulatorTakeGradient(NamedTuple):
    indices: Tensor
    values: Tensor
    shape: Tensor

class _SparseAdd(NamedTuple):
    sum_indices: Tensor
    sum_values: Tensor
    sum_shape: Tensor

class _SparseAddGrad(NamedTuple):
    a_val_grad: Tensor
    b_val_grad: Tensor

class _SparseConcat(NamedTuple):
    output_indices: Tensor
    output_values: Tensor
    output_shape: Tensor

class _SparseCross(NamedTuple):
    output_indices: Tensor
    output_values: Tensor
    output_shape: Tensor

class _SparseFillEmptyRows(NamedTuple):
    output_indices: Tensor
    output_values: Tensor
    empty_row_indicator: Tensor
    reverse_index_map: Tensor

class _SparseFillEmptyRowsGrad(NamedTuple):
    d_values: Tensor
    d_default_value: Tensor

class _SparseReduceMaxSparse(NamedTuple):
    output_indices: Tensor
    output_values: Tensor
    output_shape: Tensor

class _SparseReduceSumSparse(NamedTuple):
    output_indices: Tensor
    output_values: Tensor
    output_shape: Tensor

class _SparseReorder(NamedTuple):
    output_indices: Tensor
    output_values: Tensor

class _SparseReshape(NamedTuple):
    output_indices: Tensor
    output_shape: Tensor

class _SparseSlice(NamedTuple):
    output_indices: Tensor
    output_values: Tensor
    output_shape: Tensor

class _SparseSoftmaxCrossEntropyWithLogits(NamedTuple):
    loss: Tensor
    backprop: Tensor

class _SparseSparseMaximum(NamedTuple):
    output_indices: Tensor
    output_values: Tensor

class _SparseSparseMinimum(NamedTuple):
    output_indices: Tensor
    output_values: Tensor

class _SparseSplit(NamedTuple):
    output_indices: list[Tensor]
    output_values: list[Tensor]
    output_shape: list[Tensor]

class _SparseToSparseSetOperation(NamedTuple):
    result_indices: Tensor
    result_values: Tensor
    result_shape: Tensor

class _StatelessRandomGetKeyCounter(NamedTuple):
    key: Tensor
    counter: Tensor

class _StatelessRandomGetKeyCounterAlg(NamedTuple):
    key: Tensor
    counter: Tensor
    alg: Tensor

class _StatsAccumulatorScalarFlush(NamedTuple):
    num_updates: Tensor
    output_partition_ids: Tensor
    output_feature_ids: Tensor
    output_gradients: Tensor
    output_hessians: Tensor

class _StatsAccumulatorScalarMakeSummary(NamedTuple):
    output_partition_ids: Tensor
    output_feature_ids: Tensor
    output_gradients: Tensor
    output_hessians: Tensor

class _StatsAccumulatorScalarSerialize(NamedTuple):
    stamp_token: Tensor
    num_updates: Tensor
    output_partition_ids: Tensor
    output_feature_ids: Tensor
    output_gradients: Tensor
    output_hessians: Tensor

class _StatsAccumulatorTensorFlush(NamedTuple):
    num_updates: Tensor
    output_partition_ids: Tensor
    output_feature_ids: Tensor
    output_gradients: Tensor
    output_hessians: Tensor

class _StatsAccumulatorTensorMakeSummary(NamedTuple):
    output_partition_ids: Tensor
    output_feature_ids: Tensor
    output_gradients: Tensor
    output_hessians: Tensor

class _StatsAccumulatorTensorSerialize(NamedTuple):
    stamp_token: Tensor
    num_updates: Tensor
    output_partition_ids: Tensor
    output_feature_ids: Tensor
    output_gradients: Tensor
    output_hessians: Tensor

class _StringNGrams(NamedTuple):
    ngrams: Tensor
    ngrams_splits: Tensor

class _StringSplit(NamedTuple):
    indices: Tensor
    values: Tensor
    shape: Tensor

class _StringSplitV2(NamedTuple):
    indices: Tensor
    values: Tensor
    shape: Tensor

class _Svd(NamedTuple):
    s: Tensor
    u: Tensor
    v: Tensor

class _Switch(NamedTuple):
    output_false: Tensor
    output_true: Tensor

class _TakeManySparseFromTensorsMap(NamedTuple):
    sparse_indices: Tensor
    sparse_values: Tensor
    sparse_shape: Tensor

class _TensorArrayConcatV3(NamedTuple):
    value: Tensor
    lengths: Tensor

class _TensorArrayGradV3(NamedTuple):
    grad_handle: Tensor
    flow_out: Tensor

class _TensorArrayGradWithShape(NamedTuple):
    grad_handle: Tensor
    flow_out: Tensor

class _TensorArrayV3(NamedTuple):
    handle: Tensor
    flow: Tensor

class _TensorListConcat(NamedTuple):
    tensor: Tensor
    lengths: Tensor

class _TensorListConcatV2(NamedTuple):
    tensor: Tensor
    lengths: Tensor

class _TensorListPopBack(NamedTuple):
    output_handle: Tensor
    tensor: Tensor

class _ThreadUnsafeUnigramCandidateSampler(NamedTuple):
    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor

class _TopK(NamedTuple):
    values: Tensor
    indices: Tensor

class _TopKV2(NamedTuple):
    values: Tensor
    indices: Tensor

class _TreeEnsembleSerialize(NamedTuple):
    stamp_token: Tensor
    tree_ensemble_config: Tensor

class _TreeEnsembleStats(NamedTuple):
    num_trees: Tensor
    num_layers: Tensor
    active_tree: Tensor
    active_layer: Tensor
    attempted_trees: Tensor
    attempted_layers: Tensor

class _TreeEnsembleUsedHandlers(NamedTuple):
    num_used_handlers: Tensor
    used_handlers_mask: Tensor

class _UnicodeDecode(NamedTuple):
    row_splits: Tensor
    char_values: Tensor

class _UnicodeDecodeWithOffsets(NamedTuple):
    row_splits: Tensor
    char_values: Tensor
    char_to_byte_starts: Tensor

class _UniformCandidateSampler(NamedTuple):
    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor

class _Unique(NamedTuple):
    y: Tensor
    idx: Tensor

class _UniqueV2(NamedTuple):
    y: Tensor
    idx: Tensor

class _UniqueWithCounts(NamedTuple):
    y: Tensor
    idx: Tensor
    count: Tensor

class _UniqueWithCountsV2(NamedTuple):
    y: Tensor
    idx: Tensor
    count: Tensor

class _WALSComputePartialLhsAndRhs(NamedTuple):
    partial_lhs: Tensor
    partial_rhs: Tensor

def Abort(error_msg: str = '', exit_without_error: bool = False, name: str | None = None) -> Operation:
    """Ends the process: quietly, or with an error of that message."""

def Abs(x: _Any, name: str | None = None) -> Tensor:
    """The absolute value."""

def AccumulateNV2(inputs: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one given shape."""

def AccumulatorApplyGradient(
    handle: _Any, local_step: _Any, gradient: _Any, name: str | None = None,
) -> Operation:
    """Adds a gradient, unless its step is older than the accumulator's."""

def AccumulatorNumAccumulated(handle: _Any, name: str | None = None) -> Tensor:
    """The number of gradients aggregated so far."""

def AccumulatorSetGlobalStep(handle: _Any, new_global_step: _Any, name: str | None = None) -> Operation:
    """Sets the accumulator's step."""

def AccumulatorTakeGradient(
    handle: _Any, num_required: _Any, dtype: _Any, name: str | None = None,
) -> Tensor:
    """The mean or sum of the gradients, once the required number has arrived."""

Acos = acos
Acosh = acosh
Add = add

def AddManySparseToTensorsMap(
    sparse_indices: _Any, sparse_values: _Any, sparse_shape: _Any, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Adds the slices of a sparse tensor along its first axis to a map and returns their handles."""

def AddN(inputs: _Any, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one shape."""

def AddSparseToTensorsMap(
    sparse_indices: _Any, sparse_values: _Any, sparse_shape: _Any, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Adds a sparse tensor to a map and returns its handle."""

@overload
def AddV2(x: RaggedTensor | RaggedTensorValue, y: _Any, name: str | None = None) -> _Any:
    """x + y, elementwise."""
@overload
def AddV2(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """x + y, elementwise."""

def AdjustContrast(
    images: _Any, contrast_factor: _Any, min_value: _Any, max_value: _Any, name: str | None = None,
) -> Tensor:
    """AdjustContrastv2 for any dtype, with the result clipped to two bounds."""

def AdjustContrastv2(images: _Any, contrast_factor: _Any, name: str | None = None) -> Tensor:
    """Adjusts contrast: multiplies the distance of each pixel from the mean of its image and channel."""

def AdjustHsvInYiq(
    images: _Any, delta_h: _Any, scale_s: _Any, scale_v: _Any, name: str | None = None,
) -> Tensor:
    """Turns the hue of colours by an angle, and scales their saturation and value, in YIQ."""

def AdjustHue(images: _Any, delta: _Any, name: str | None = None) -> Tensor:
    """Adjusts the hue of RGB images: shifts it around the colour circle, whose length is 1."""

def AdjustSaturation(images: _Any, scale: _Any, name: str | None = None) -> Tensor:
    """Adjusts the saturation of RGB images: multiplies it, clipped to 1."""

def All(input: _Any, axis: _Any, keep_dims: bool = False, name: str | None = None) -> Tensor:
    """Logical AND along axes."""

def AllCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, seed: int = 0, seed2: int = 0,
    name: str | None = None,
) -> _AllCandidateSampler:
    """Returns all classes, in order."""

def Angle(input: _Any, Tout: _Any = ..., name: str | None = None) -> Tensor:
    """The argument (phase angle) of complex numbers."""

def AnonymousIterator(output_types: _Any, output_shapes: _Any, name: str | None = None) -> Tensor:
    """A new iterator in each run."""

def AnonymousIteratorV2(
    output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> _AnonymousIteratorV2:
    """A new iterator in each run, and what `DeleteIterator` takes."""

def AnonymousIteratorV3(output_types: _Any, output_shapes: _Any, name: str | None = None) -> Tensor:
    """A new iterator in each run."""

def Any(input: _Any, axis: _Any, keep_dims: bool = False, name: str | None = None) -> Tensor:
    """Logical OR along axes."""

def ApplyAdaMax(
    var: _Any, m: _Any, v: _Any, beta1_power: _Any, lr: _Any, beta1: _Any, beta2: _Any, epsilon: _Any,
    grad: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """AdaMax (Kingma and Ba, 2014): Adam with the running infinity norm of gradients in place of
    sqrt(v)."""

def ApplyAdadelta(
    var: _Any, accum: _Any, accum_update: _Any, lr: _Any, rho: _Any, epsilon: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Adadelta (Zeiler, 2012): scales the step by the RMS of earlier updates over the RMS of gradients."""

def ApplyAdagrad(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, use_locking: bool = False, update_slots: bool = True,
    name: str | None = None,
) -> Tensor:
    """Adagrad (Duchi et al., 2011): accum += grad ** 2; var -= lr * grad / sqrt(accum)."""

def ApplyAdagradDA(
    var: _Any, gradient_accumulator: _Any, gradient_squared_accumulator: _Any, grad: _Any, lr: _Any,
    l1: _Any, l2: _Any, global_step: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Adagrad dual averaging: the variable is a function of the sums of all gradients and their squares."""

def ApplyAdagradV2(
    var: _Any, accum: _Any, lr: _Any, epsilon: _Any, grad: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Tensor:
    """Adagrad (Duchi et al., 2011): accum += grad ** 2; var -= lr * grad / (sqrt(accum) + epsilon)."""

def ApplyAdam(
    var: _Any, m: _Any, v: _Any, beta1_power: _Any, beta2_power: _Any, lr: _Any, beta1: _Any, beta2: _Any,
    epsilon: _Any, grad: _Any, use_locking: bool = False, use_nesterov: bool = False,
    name: str | None = None,
) -> Tensor:
    """Adam (Kingma and Ba, 2014): var -= lr_t * m / (sqrt(v) + epsilon); m, v: moving averages of grad,
    grad ** 2."""

def ApplyAddSign(
    var: _Any, m: _Any, lr: _Any, alpha: _Any, sign_decay: _Any, beta: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """AddSign (Bello et al., 2017): var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad."""

def ApplyCenteredRMSProp(
    var: _Any, mg: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any,
    grad: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Centered RMSProp: RMSProp with the moving variance of the gradient in place of its mean square."""

def ApplyFtrl(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, lr: _Any, l1: _Any, l2: _Any, lr_power: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """FTRL-Proximal (McMahan et al., 2013): follow the regularized leader."""

def ApplyFtrlV2(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, lr: _Any, l1: _Any, l2: _Any, l2_shrinkage: _Any,
    lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """FTRL-Proximal (McMahan et al., 2013) with an L2 shrinkage penalty in the gradient."""

def ApplyGradientDescent(
    var: _Any, alpha: _Any, delta: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """var -= alpha * delta."""

def ApplyMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Tensor:
    """accum = momentum * accum + grad; var -= lr * accum, or with Nesterov momentum lr * (grad + momentum *
    accum)."""

def ApplyPowerSign(
    var: _Any, m: _Any, lr: _Any, logbase: _Any, sign_decay: _Any, beta: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """PowerSign (Bello et al., 2017): var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) *
    grad."""

def ApplyProximalAdagrad(
    var: _Any, accum: _Any, lr: _Any, l1: _Any, l2: _Any, grad: _Any, use_locking: bool = False,
    name: str | None = None,
) -> Tensor:
    """An Adagrad step, then the proximal operator of l1 and l2."""

def ApplyProximalGradientDescent(
    var: _Any, alpha: _Any, l1: _Any, l2: _Any, delta: _Any, use_locking: bool = False,
    name: str | None = None,
) -> Tensor:
    """A gradient step, then the proximal operator of l1 and l2."""

def ApplyRMSProp(
    var: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """RMSProp: var -= mom, with mom = momentum * mom + lr * grad / sqrt(ms + epsilon) and ms the moving
    mean square."""

def ApproximateEqual(
    x: _Any, y: _Any, tolerance: float = 9.999999747378752e-06, name: str | None = None,
) -> Tensor:
    """Whether |x - y| < tolerance, elementwise."""

ArgMax = arg_max
ArgMin = arg_min

def AsString(
    input: _Any, precision: int = -1, scientific: bool = False, shortest: bool = False, width: int = -1,
    fill: str = '', name: str | None = None,
) -> Tensor:
    """Formats numbers as strings."""

Asin = asin
Asinh = asinh

def Assert(condition: _Any, data: _Any, summarize: int = 3, name: str | None = None) -> Operation:
    """Asserts that `condition` is true; fails the step with `data` in the message otherwise."""

def AssertCardinalityDataset(
    input_dataset: _Any, cardinality: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the same elements, which must be so many."""

def Assign(
    ref: _Any, value: _Any, validate_shape: bool = True, use_locking: bool = True, name: str | None = None,
) -> Tensor:
    """Assigns `value` to the variable."""

def AssignAdd(ref: _Any, value: _Any, use_locking: bool = False, name: str | None = None) -> Tensor:
    """Adds `value` to the variable."""

def AssignAddVariableOp(resource: _Any, value: _Any, name: str | None = None) -> Operation:
    """Adds `value` to the variable."""

def AssignSub(ref: _Any, value: _Any, use_locking: bool = False, name: str | None = None) -> Tensor:
    """Subtracts `value` from the variable."""

def AssignSubVariableOp(resource: _Any, value: _Any, name: str | None = None) -> Operation:
    """Subtracts `value` from the variable."""

def AssignVariableOp(resource: _Any, value: _Any, name: str | None = None) -> Operation:
    """Assigns `value` to the variable."""

Atan = atan
Atan2 = atan2
Atanh = atanh

def AudioSpectrogram(
    input: _Any, window_size: int, stride: int, magnitude_squared: bool = False, name: str | None = None,
) -> Tensor:
    """The spectrogram of audio: the magnitude of the short-time Fourier transform."""

def AudioSummary(
    tag: _Any, tensor: _Any, sample_rate: float, max_outputs: int = 3, name: str | None = None,
) -> Tensor:
    """A Summary with the first audio clips of a batch, in the form of older graphs."""

def AudioSummaryV2(
    tag: _Any, tensor: _Any, sample_rate: _Any, max_outputs: int = 3, name: str | None = None,
) -> Tensor:
    """A Summary with the first audio clips of a batch, as WAV files."""

def AutoShardDataset(
    input_dataset: _Any, num_workers: _Any, index: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the part of one of several workers: its files, or each element whose number is the
    worker's."""

def AvgPool(
    value: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """Average pooling: the mean over each window, without padding."""

def AvgPool3D(
    input: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NDHWC',
    name: str | None = None,
) -> Tensor:
    """3-D average pooling: AvgPool of volumes."""

def AvgPool3DGrad(
    orig_input_shape: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NDHWC', name: str | None = None,
) -> Tensor:
    """The gradient of AvgPool3D."""

def AvgPoolGrad(
    orig_input_shape: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """The gradient of AvgPool."""

def Barrier(
    component_types: _Any, shapes: _Any = ..., capacity: int = -1, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Creates a barrier, which holds elements until all their components are there."""

def BarrierClose(
    handle: _Any, cancel_pending_enqueues: bool = False, name: str | None = None,
) -> Operation:
    """Closes a barrier for new keys."""

def BarrierIncompleteSize(handle: _Any, name: str | None = None) -> Tensor:
    """The number of incomplete elements."""

def BarrierInsertMany(
    handle: _Any, keys: _Any, values: _Any, component_index: int, name: str | None = None,
) -> Operation:
    """Adds a component of several elements."""

def BarrierReadySize(handle: _Any, name: str | None = None) -> Tensor:
    """The number of complete elements."""

def BarrierTakeMany(
    handle: _Any, num_elements: _Any, component_types: _Any, allow_small_batch: bool = False,
    wait_for_incomplete: bool = False, timeout_ms: int = -1, name: str | None = None,
) -> _BarrierTakeMany:
    """Takes complete elements, waiting for them."""

def Batch(
    in_tensors: _Any, num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int,
    grad_timeout_micros: int, max_enqueued_batches: int = 10, allowed_batch_sizes: _Any = ...,
    container: str = '', shared_name: str = '', batching_queue: str = '', name: str | None = None,
) -> _Batch:
    """Concatenates the tensors of concurrent steps in one of the steps; the others get empty tensors."""

def BatchCholesky(input: _Any, name: str | None = None) -> Tensor:
    """The Cholesky decomposition: the lower triangular L with input = L L^H, for positive definite
    input."""

def BatchCholeskyGrad(l: _Any, grad: _Any, name: str | None = None) -> Tensor:
    """The gradient of Cholesky, given the factor."""

def BatchDataset(
    input_dataset: _Any, batch_size: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of consecutive elements, stacked."""

def BatchDatasetV2(
    input_dataset: _Any, batch_size: _Any, drop_remainder: _Any, output_types: _Any, output_shapes: _Any,
    parallel_copy: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of consecutive elements, stacked."""

def BatchFFT(input: _Any, name: str | None = None) -> Tensor:
    """The discrete Fourier transform in 1 dimensions, over the last axes."""

def BatchFFT2D(input: _Any, name: str | None = None) -> Tensor:
    """The discrete Fourier transform in 2 dimensions, over the last axes."""

def BatchFFT3D(input: _Any, name: str | None = None) -> Tensor:
    """The discrete Fourier transform in 3 dimensions, over the last axes."""

def BatchFunction(
    in_tensors: _Any, captured_tensors: _Any, f: _Any, num_batch_threads: int, max_batch_size: int,
    batch_timeout_micros: int, Tout: _Any, max_enqueued_batches: int = 10, allowed_batch_sizes: _Any = ...,
    container: str = '', shared_name: str = '', batching_queue: str = '', name: str | None = None,
) -> list[Tensor]:
    """Calls a function once on the concatenated tensors of concurrent steps; each step gets its own
    rows."""

def BatchIFFT(input: _Any, name: str | None = None) -> Tensor:
    """The inverse discrete Fourier transform in 1 dimensions, over the last axes."""

def BatchIFFT2D(input: _Any, name: str | None = None) -> Tensor:
    """The inverse discrete Fourier transform in 2 dimensions, over the last axes."""

def BatchIFFT3D(input: _Any, name: str | None = None) -> Tensor:
    """The inverse discrete Fourier transform in 3 dimensions, over the last axes."""

def BatchMatMul(
    x: _Any, y: _Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None,
) -> Tensor:
    """Batched matrix multiplication over the last two axes, either factor optionally adjoint."""

def BatchMatMulV2(
    x: _Any, y: _Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None,
) -> Tensor:
    """Batched matrix multiplication over the last two axes, either factor optionally adjoint."""

def BatchMatMulV3(
    x: _Any, y: _Any, Tout: _Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None,
) -> Tensor:
    """Batched matrix multiplication, computed in the dtype of the output."""

def BatchMatrixBandPart(
    input: _Any, num_lower: _Any, num_upper: _Any, name: str | None = None,
) -> Tensor:
    """The deprecated name of MatrixBandPart."""

def BatchMatrixDeterminant(input: _Any, name: str | None = None) -> Tensor:
    """The determinants of square matrices."""

def BatchMatrixDiag(diagonal: _Any, name: str | None = None) -> Tensor:
    """The deprecated name of MatrixDiag."""

def BatchMatrixDiagPart(input: _Any, name: str | None = None) -> Tensor:
    """The deprecated name of MatrixDiagPart."""

def BatchMatrixInverse(input: _Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of square matrices, or with `adjoint` the inverse of their adjoints."""

def BatchMatrixSetDiag(input: _Any, diagonal: _Any, name: str | None = None) -> Tensor:
    """The deprecated name of MatrixSetDiag."""

def BatchMatrixSolve(matrix: _Any, rhs: _Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """Solves the linear systems matrix * x = rhs, or with `adjoint` matrix^H * x = rhs."""

def BatchMatrixSolveLs(
    matrix: _Any, rhs: _Any, l2_regularizer: _Any, fast: bool = True, name: str | None = None,
) -> Tensor:
    """Least squares: the x that minimizes |matrix * x - rhs|^2 + l2_regularizer * |x|^2, of minimal
    norm."""

def BatchMatrixTriangularSolve(
    matrix: _Any, rhs: _Any, lower: bool = True, adjoint: bool = False, name: str | None = None,
) -> Tensor:
    """Solves linear systems with a triangular matrix; the other triangle is not read."""

def BatchNormWithGlobalNormalization(
    t: _Any, m: _Any, v: _Any, beta: _Any, gamma: _Any, variance_epsilon: float,
    scale_after_normalization: bool, name: str | None = None,
) -> Tensor:
    """(t - m) / sqrt(v + variance_epsilon) * gamma + beta, along the last axis; `gamma` only if
    requested."""

def BatchNormWithGlobalNormalizationGrad(
    t: _Any, m: _Any, v: _Any, gamma: _Any, backprop: _Any, variance_epsilon: float,
    scale_after_normalization: bool, name: str | None = None,
) -> _BatchNormWithGlobalNormalizationGrad:
    """The gradients of BatchNormWithGlobalNormalization."""

def BatchSelfAdjointEig(input: _Any, name: str | None = None) -> Tensor:
    """Eigenvalues in the first row, eigenvectors in the columns below."""

def BatchSelfAdjointEigV2(
    input: _Any, compute_v: bool = True, name: str | None = None,
) -> _BatchSelfAdjointEigV2:
    """The eigenvalues of self-adjoint matrices in ascending order, and the eigenvectors as columns."""

def BatchSvd(
    input: _Any, compute_uv: bool = True, full_matrices: bool = False, name: str | None = None,
) -> _BatchSvd:
    """The singular value decomposition: singular values in descending order, left and right vectors as
    columns."""

def BatchToSpace(input: _Any, crops: _Any, block_size: int, name: str | None = None) -> Tensor:
    """BatchToSpaceND with square blocks of the height and width of images."""

BatchToSpaceND = batch_to_space_nd
BesselI0e = bessel_i0e
BesselI1e = bessel_i1e
Betainc = betainc

def BiasAdd(value: _Any, bias: _Any, data_format: str = 'NHWC', name: str | None = None) -> Tensor:
    """value + bias, with one bias per channel."""

def BiasAddGrad(out_backprop: _Any, data_format: str = 'NHWC', name: str | None = None) -> Tensor:
    """The gradient of BiasAdd with respect to the bias: the sum over all axes but the channels."""

def BiasAddV1(value: _Any, bias: _Any, name: str | None = None) -> Tensor:
    """value + bias along the last axis."""

def Bincount(arr: _Any, size: _Any, weights: _Any, name: str | None = None) -> Tensor:
    """Counts the occurrences of each of 0 ... size - 1 in `arr`, or sums their weights."""

def BipartiteMatch(
    distance_mat: _Any, num_valid_rows: _Any, top_k: int = -1, name: str | None = None,
) -> _BipartiteMatch:
    """Matches rows and columns greedily, the nearest pair first; -1 stands for no match."""

Bitcast = bitcast
BitwiseAnd = bitwise_and
BitwiseOr = bitwise_or
BitwiseXor = bitwise_xor

def BlockLSTM(
    seq_len_max: _Any, x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any,
    b: _Any, forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = False,
    name: str | None = None,
) -> _BlockLSTM:
    """An LSTM over a sequence [time, batch, size]: gates, states and outputs of every step."""

def BlockLSTMGrad(
    seq_len_max: _Any, x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any,
    b: _Any, i: _Any, cs: _Any, f: _Any, o: _Any, ci: _Any, co: _Any, h: _Any, cs_grad: _Any, h_grad: _Any,
    use_peephole: bool, name: str | None = None,
) -> _BlockLSTMGrad:
    """The gradients of an LSTM block with respect to its inputs."""

def BlockLSTMGradV2(
    seq_len_max: _Any, x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any,
    b: _Any, i: _Any, cs: _Any, f: _Any, o: _Any, ci: _Any, co: _Any, h: _Any, cs_grad: _Any, h_grad: _Any,
    use_peephole: bool, name: str | None = None,
) -> _BlockLSTMGradV2:
    """The gradients of an LSTM block with respect to its inputs."""

def BlockLSTMV2(
    seq_len_max: _Any, x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any,
    b: _Any, cell_clip: float = 0.0, use_peephole: bool = False, name: str | None = None,
) -> _BlockLSTMV2:
    """BlockLSTM with the gate order i, f, ci, o, and without an additional forget bias."""

def BoostedTreesAggregateStats(
    node_ids: _Any, gradients: _Any, hessians: _Any, feature: _Any, max_splits: int, num_buckets: int,
    name: str | None = None,
) -> Tensor:
    """Sums of gradients and hessians: [node, dimension, bucket, stats]; one bucket more holds missing
    values."""

def BoostedTreesBucketize(
    float_values: _Any, bucket_boundaries: _Any, name: str | None = None,
) -> list[Tensor]:
    """Sorts each feature's values into buckets; the last bucket also holds what lies above the last
    boundary."""

def BoostedTreesCalculateBestFeatureSplit(
    node_id_range: _Any, stats_summary: _Any, l1: _Any, l2: _Any, tree_complexity: _Any,
    min_node_weight: _Any, logits_dimension: int, split_type: str = 'inequality', name: str | None = None,
) -> _BoostedTreesCalculateBestFeatureSplit:
    """The best split of each node in a feature: gain, dimension, bucket, logits of both children, kind of
    split."""

def BoostedTreesCalculateBestGainsPerFeature(
    node_id_range: _Any, stats_summary_list: _Any, l1: _Any, l2: _Any, tree_complexity: _Any,
    min_node_weight: _Any, max_splits: int, name: str | None = None,
) -> _BoostedTreesCalculateBestGainsPerFeature:
    """The best split of each node in each feature: gain, bucket, and the logits of both children."""

def BoostedTreesCenterBias(
    tree_ensemble_handle: _Any, mean_gradients: _Any, mean_hessians: _Any, l1: _Any, l2: _Any,
    name: str | None = None,
) -> Tensor:
    """Moves the logit of the first leaf to where the mean loss is least; whether it changed it by much."""

def BoostedTreesCreateEnsemble(
    tree_ensemble_handle: _Any, stamp_token: _Any, tree_ensemble_serialized: _Any, name: str | None = None,
) -> Operation:
    """Initializes an ensemble from its serialized form, unless it is initialized already."""

def BoostedTreesCreateQuantileStreamResource(
    quantile_stream_resource_handle: _Any, epsilon: _Any, num_streams: _Any,
    max_elements: int = 1099511627776, name: str | None = None,
) -> Operation:
    """Creates quantile streams, unless they exist already."""

def BoostedTreesDeserializeEnsemble(
    tree_ensemble_handle: _Any, stamp_token: _Any, tree_ensemble_serialized: _Any, name: str | None = None,
) -> Operation:
    """Replaces an ensemble by a serialized one."""

def BoostedTreesEnsembleResourceHandleOp(
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Creates a handle of an ensemble of trees."""

def BoostedTreesExampleDebugOutputs(
    tree_ensemble_handle: _Any, bucketized_features: _Any, logits_dimension: int, name: str | None = None,
) -> Tensor:
    """How each prediction came about: the features on its paths, and the logit after each split, as
    DebugOutputs."""

def BoostedTreesFlushQuantileSummaries(
    quantile_stream_resource_handle: _Any, num_features: int, name: str | None = None,
) -> list[Tensor]:
    """The summaries of the streams, which start anew."""

def BoostedTreesGetEnsembleStates(
    tree_ensemble_handle: _Any, name: str | None = None,
) -> _BoostedTreesGetEnsembleStates:
    """The stamp, the numbers of trees, of finalized trees and of layers, and the nodes that can be split
    next."""

def BoostedTreesMakeQuantileSummaries(
    float_values: _Any, example_weights: _Any, epsilon: _Any, name: str | None = None,
) -> list[Tensor]:
    """Summaries of the features of a batch: rows of a value, its weight, and its lowest and highest
    rank."""

def BoostedTreesMakeStatsSummary(
    node_ids: _Any, gradients: _Any, hessians: _Any, bucketized_features_list: _Any, max_splits: int,
    num_buckets: int, name: str | None = None,
) -> Tensor:
    """Sums of gradients and hessians: [feature, node, bucket, 2]."""

def BoostedTreesPredict(
    tree_ensemble_handle: _Any, bucketized_features: _Any, logits_dimension: int, name: str | None = None,
) -> Tensor:
    """The logits of examples: the sum of the leaves that they reach, times the weights of their trees."""

def BoostedTreesQuantileStreamResourceAddSummaries(
    quantile_stream_resource_handle: _Any, summaries: _Any, name: str | None = None,
) -> Operation:
    """Adds the summaries of a batch to the streams."""

def BoostedTreesQuantileStreamResourceDeserialize(
    quantile_stream_resource_handle: _Any, bucket_boundaries: _Any, name: str | None = None,
) -> Operation:
    """Sets the boundaries."""

def BoostedTreesQuantileStreamResourceFlush(
    quantile_stream_resource_handle: _Any, num_buckets: _Any, generate_quantiles: bool = False,
    name: str | None = None,
) -> Operation:
    """Sets the boundaries by the values that arrived; the streams start anew."""

def BoostedTreesQuantileStreamResourceGetBucketBoundaries(
    quantile_stream_resource_handle: _Any, num_features: int, name: str | None = None,
) -> list[Tensor]:
    """The boundaries of the buckets of each feature; none before the streams were flushed."""

def BoostedTreesQuantileStreamResourceHandleOp(
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Creates a handle of quantile streams."""

def BoostedTreesSerializeEnsemble(
    tree_ensemble_handle: _Any, name: str | None = None,
) -> _BoostedTreesSerializeEnsemble:
    """The stamp of an ensemble and its serialized form."""

def BoostedTreesSparseAggregateStats(
    node_ids: _Any, gradients: _Any, hessians: _Any, feature_indices: _Any, feature_values: _Any,
    feature_shape: _Any, max_splits: int, num_buckets: int, name: str | None = None,
) -> _BoostedTreesSparseAggregateStats:
    """As AggregateStats for a sparse matrix of buckets: the indices, values and shape of a sparse tensor of
    sums."""

def BoostedTreesSparseCalculateBestFeatureSplit(
    node_id_range: _Any, stats_summary_indices: _Any, stats_summary_values: _Any, stats_summary_shape: _Any,
    l1: _Any, l2: _Any, tree_complexity: _Any, min_node_weight: _Any, logits_dimension: int,
    split_type: str = 'inequality', name: str | None = None,
) -> _BoostedTreesSparseCalculateBestFeatureSplit:
    """As CalculateBestFeatureSplit for sparse statistics: splits nodes that have some, at buckets that have
    some."""

def BoostedTreesTrainingPredict(
    tree_ensemble_handle: _Any, cached_tree_ids: _Any, cached_node_ids: _Any, bucketized_features: _Any,
    logits_dimension: int, name: str | None = None,
) -> _BoostedTreesTrainingPredict:
    """What the logits of examples gained since they were at the cached nodes, and the nodes where they are
    now."""

def BoostedTreesUpdateEnsemble(
    tree_ensemble_handle: _Any, feature_ids: _Any, node_ids: _Any, gains: _Any, thresholds: _Any,
    left_node_contribs: _Any, right_node_contribs: _Any, max_depth: _Any, learning_rate: _Any,
    pruning_mode: int, name: str | None = None,
) -> Operation:
    """Splits the last layer of the last tree by the best candidates of all features."""

def BoostedTreesUpdateEnsembleV2(
    tree_ensemble_handle: _Any, feature_ids: _Any, dimension_ids: _Any, node_ids: _Any, gains: _Any,
    thresholds: _Any, left_node_contribs: _Any, right_node_contribs: _Any, split_types: _Any,
    max_depth: _Any, learning_rate: _Any, pruning_mode: _Any, name: str | None = None,
) -> Operation:
    """As UpdateEnsemble, with candidates in several dimensions of a feature and of several kinds."""

def BroadcastArgs(s0: _Any, s1: _Any, name: str | None = None) -> Tensor:
    """The broadcast shape of two shapes."""

def BroadcastGradientArgs(s0: _Any, s1: _Any, name: str | None = None) -> _BroadcastGradientArgs:
    """The axes over which the gradients of two broadcast inputs of these shapes must be summed."""

BroadcastTo = broadcast_to

def Bucketize(input: _Any, boundaries: _Any, name: str | None = None) -> Tensor:
    """The bucket of each number: the number of boundaries that are at most the number."""

def BucketizeWithInputBoundaries(input: _Any, boundaries: _Any, name: str | None = None) -> Tensor:
    """For every element, how many boundaries are not above it."""

def BuildCategoricalEqualitySplits(
    num_minibatches: _Any, partition_ids: _Any, feature_ids: _Any, gradients: _Any, hessians: _Any,
    class_id: _Any, feature_column_group_id: _Any, bias_feature_id: _Any, l1_regularization: _Any,
    l2_regularization: _Any, tree_complexity_regularization: _Any, min_node_weight: _Any,
    multiclass_strategy: _Any, weak_learner_type: _Any, name: str | None = None,
) -> _BuildCategoricalEqualitySplits:
    """The category of every node that tells examples apart best, by a categorical column."""

def BuildDenseInequalitySplits(
    num_minibatches: _Any, partition_ids: _Any, bucket_ids: _Any, gradients: _Any, hessians: _Any,
    bucket_boundaries: _Any, class_id: _Any, feature_column_group_id: _Any, l1_regularization: _Any,
    l2_regularization: _Any, tree_complexity_regularization: _Any, min_node_weight: _Any,
    multiclass_strategy: _Any, weak_learner_type: _Any, name: str | None = None,
) -> _BuildDenseInequalitySplits:
    """The best threshold of every node by a dense column."""

def BuildSparseInequalitySplits(
    num_minibatches: _Any, partition_ids: _Any, bucket_ids: _Any, gradients: _Any, hessians: _Any,
    bucket_boundaries: _Any, class_id: _Any, feature_column_group_id: _Any, bias_feature_id: _Any,
    l1_regularization: _Any, l2_regularization: _Any, tree_complexity_regularization: _Any,
    min_node_weight: _Any, multiclass_strategy: _Any, name: str | None = None,
) -> _BuildSparseInequalitySplits:
    """The best threshold of every node by a sparse column, and where examples go that have no value."""

def BytesProducedStatsDataset(
    input_dataset: _Any, tag: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """The same dataset; measures how large its elements are."""

def CSVDataset(
    filenames: _Any, compression_type: _Any, buffer_size: _Any, header: _Any, field_delim: _Any,
    use_quote_delim: _Any, na_value: _Any, select_cols: _Any, record_defaults: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the rows of CSV files."""

def CSVDatasetV2(
    filenames: _Any, compression_type: _Any, buffer_size: _Any, header: _Any, field_delim: _Any,
    use_quote_delim: _Any, na_value: _Any, select_cols: _Any, record_defaults: _Any, exclude_cols: _Any,
    output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the rows of CSV files."""

def CTCBeamSearchDecoder(
    inputs: _Any, sequence_length: _Any, beam_width: int, top_paths: int, merge_repeated: bool = True,
    name: str | None = None,
) -> _CTCBeamSearchDecoder:
    """CTC beam search decoding: the most likely label sequences, best first, and their log
    probabilities."""

def CTCGreedyDecoder(
    inputs: _Any, sequence_length: _Any, merge_repeated: bool = False, name: str | None = None,
) -> _CTCGreedyDecoder:
    """CTC decoding along the most likely class of each frame, and minus the sum of that path's logits."""

def CTCLoss(
    inputs: _Any, labels_indices: _Any, labels_values: _Any, sequence_length: _Any,
    preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False, name: str | None = None,
) -> _CTCLoss:
    """The CTC loss (Graves et al., 2006): minus the log likelihood of each label sequence, and its
    gradient."""

def CacheDataset(
    input_dataset: _Any, filename: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the same elements, which are computed once: kept in memory, or in a file that has a
    name."""

def CacheDatasetV2(
    input_dataset: _Any, filename: _Any, cache: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the same elements, which are computed once: kept in memory, or in a file that has a
    name."""

def Case(
    branch_index: _Any, input: _Any, Tout: _Any, branches: _Any, output_shapes: _Any = ...,
    name: str | None = None,
) -> list[Tensor]:
    """A switch: the outputs of the branch with this index, or of the last branch if the index is out of
    range."""

def Cast(x: _Any, DstT: _Any, Truncate: bool = False, name: str | None = None) -> Tensor:
    """Casts `x` to another dtype."""

Ceil = ceil

def CenterTreeEnsembleBias(
    tree_ensemble_handle: _Any, stamp_token: _Any, next_stamp_token: _Any, delta_updates: _Any,
    learner_config: str, centering_epsilon: float = 0.009999999776482582, name: str | None = None,
) -> Tensor:
    """Adds to the bias, the first tree, which is final when it changes by less than epsilon."""

CheckNumerics = check_numerics
Cholesky = cholesky

def CholeskyGrad(l: _Any, grad: _Any, name: str | None = None) -> Tensor:
    """The gradient of Cholesky, given the factor."""

def ChooseFastestDataset(
    input_datasets: _Any, num_experiments: int, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """One of several datasets that have the same elements: the first."""

def ClipByValue(t: _Any, clip_value_min: _Any, clip_value_max: _Any, name: str | None = None) -> Tensor:
    """Clips numbers to the range [clip_value_min, clip_value_max]; a bound of NaN is ignored."""

def CloseSummaryWriter(writer: _Any, name: str | None = None) -> Operation:
    """Closes the file; the writer can be created again."""

def CombinedNonMaxSuppression(
    boxes: _Any, scores: _Any, max_output_size_per_class: _Any, max_total_size: _Any, iou_threshold: _Any,
    score_threshold: _Any, pad_per_class: bool = False, clip_boxes: bool = True, name: str | None = None,
) -> _CombinedNonMaxSuppression:
    """Non-maximum suppression per class and image of a batch, then the best boxes over all classes."""

def CompareAndBitpack(input: _Any, threshold: _Any, name: str | None = None) -> Tensor:
    """Packs the comparisons input > threshold into bits: eight per byte, the first in the highest bit."""

def Complex(real: _Any, imag: _Any, Tout: _Any = ..., name: str | None = None) -> Tensor:
    """Complex numbers from real and imaginary parts."""

def ComplexAbs(x: _Any, Tout: _Any = ..., name: str | None = None) -> Tensor:
    """The absolute value of complex numbers."""

def ComputeAccidentalHits(
    true_classes: _Any, sampled_candidates: _Any, num_true: int, seed: int = 0, seed2: int = 0,
    name: str | None = None,
) -> _ComputeAccidentalHits:
    """The sampled classes that are true classes: row, index among the samples, and a weight that masks the
    logit."""

def Concat(concat_dim: _Any, values: _Any, name: str | None = None) -> Tensor:
    """Concatenates tensors along an axis; the older order of arguments."""

def ConcatOffset(concat_dim: _Any, shape: _Any, name: str | None = None) -> list[Tensor]:
    """The start offset of each tensor in the concatenation of tensors of these shapes."""

def ConcatV2(values: _Any, axis: _Any, name: str | None = None) -> Tensor:
    """Concatenates tensors along an axis."""

def ConcatenateDataset(
    input_dataset: _Any, another_dataset: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the elements of one dataset, then those of another."""

def ConditionalAccumulator(
    dtype: _Any, shape: _Any, container: str = '', shared_name: str = '', reduction_type: str = 'MEAN',
    name: str | None = None,
) -> Tensor:
    """Creates an accumulator of gradients."""

def Conj(input: _Any, name: str | None = None) -> Tensor:
    """The complex conjugate."""

def ConjugateTranspose(x: _Any, perm: _Any, name: str | None = None) -> Tensor:
    """The conjugate transpose: permutes the axes of `x` to the order `perm` and conjugates."""

def Const(value: _Any, dtype: _Any, name: str | None = None) -> Tensor:
    """A constant tensor, stored in the graph."""

def ConsumeMutexLock(mutex_lock: _Any, name: str | None = None) -> Operation:
    """Releases a mutex."""

def ControlTrigger(name: str | None = None) -> Operation:
    """Does nothing; control dependencies on it are satisfied even in branches not taken."""

def Conv2D(
    input: _Any, filter: _Any, strides: _Any, padding: str, use_cudnn_on_gpu: bool = True,
    explicit_paddings: _Any = ..., data_format: str = 'NHWC', dilations: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """2-D convolution of images with a filter [height, width, in channels, out channels]."""

def Conv2DBackpropFilter(
    input: _Any, filter_sizes: _Any, out_backprop: _Any, strides: _Any, padding: str,
    use_cudnn_on_gpu: bool = True, explicit_paddings: _Any = ..., data_format: str = 'NHWC',
    dilations: _Any = ..., name: str | None = None,
) -> Tensor:
    """The gradient of Conv2D with respect to its filter."""

def Conv2DBackpropInput(
    input_sizes: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: str,
    use_cudnn_on_gpu: bool = True, explicit_paddings: _Any = ..., data_format: str = 'NHWC',
    dilations: _Any = ..., name: str | None = None,
) -> Tensor:
    """The gradient of Conv2D with respect to its input; also known as the transposed convolution."""

def Conv3D(
    input: _Any, filter: _Any, strides: _Any, padding: str, data_format: str = 'NDHWC',
    dilations: _Any = ..., name: str | None = None,
) -> Tensor:
    """3-D convolution of volumes with a filter [depth, height, width, in channels, out channels]."""

def Conv3DBackpropFilter(
    input: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: str, dilations: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """Conv3DBackpropFilterV2 that takes the filter's shape from the filter itself."""

Conv3DBackpropFilterV2 = conv3d_backprop_filter_v2

def Conv3DBackpropInput(
    input: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: str, dilations: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """Conv3DBackpropInputV2 that takes the input's shape from the input itself."""

def Conv3DBackpropInputV2(
    input_sizes: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: str,
    data_format: str = 'NDHWC', dilations: _Any = ..., name: str | None = None,
) -> Tensor:
    """The gradient of Conv3D with respect to its input; also known as the transposed convolution."""

def Copy(
    input: _Any, tensor_name: str = '', debug_ops_spec: _Any = ..., name: str | None = None,
) -> Tensor:
    """A copy of `input` for the debugger."""

def CopyHost(
    input: _Any, tensor_name: str = '', debug_ops_spec: _Any = ..., name: str | None = None,
) -> Tensor:
    """A copy of `input` in host memory, for the debugger."""

Cos = cos
Cosh = cosh

def CountUpTo(ref: _Any, limit: int, name: str | None = None) -> Tensor:
    """Increments a scalar variable and returns its previous value; raises OutOfRangeError at the limit."""

def CreateQuantileAccumulator(
    quantile_accumulator_handle: _Any, stamp_token: _Any, epsilon: float, num_quantiles: int,
    container: str = '', shared_name: str = '', max_elements: int = 1099511627776,
    generate_quantiles: bool = False, name: str | None = None,
) -> Operation:
    """Creates a quantile accumulator, unless it exists."""

def CreateStatsAccumulatorScalar(
    stats_accumulator_handle: _Any, stamp_token: _Any, name: str | None = None,
) -> Operation:
    """Creates an accumulator, unless it exists."""

def CreateStatsAccumulatorTensor(
    stats_accumulator_handle: _Any, stamp_token: _Any, per_slot_gradient_shape: _Any,
    per_slot_hessian_shape: _Any, name: str | None = None,
) -> Operation:
    """Creates an accumulator of gradients and hessians of some shapes, unless it exists."""

def CreateSummaryFileWriter(
    writer: _Any, logdir: _Any, max_queue: _Any, flush_millis: _Any, filename_suffix: _Any,
    name: str | None = None,
) -> Operation:
    """Opens a new event file in a directory; has no effect on an open writer."""

def CreateTreeEnsembleVariable(
    tree_ensemble_handle: _Any, stamp_token: _Any, tree_ensemble_config: _Any, name: str | None = None,
) -> Operation:
    """Creates an ensemble from its serialized form, unless it exists."""

def CropAndResize(
    image: _Any, boxes: _Any, box_ind: _Any, crop_size: _Any, method: str = 'bilinear',
    extrapolation_value: float = 0.0, name: str | None = None,
) -> Tensor:
    """Crops boxes from images and resizes the crops to one size; outside the image is
    `extrapolation_value`."""

def CropAndResizeGradBoxes(
    grads: _Any, image: _Any, boxes: _Any, box_ind: _Any, method: str = 'bilinear', name: str | None = None,
) -> Tensor:
    """The gradient of CropAndResize with respect to the boxes."""

def CropAndResizeGradImage(
    grads: _Any, boxes: _Any, box_ind: _Any, image_size: _Any, T: _Any, method: str = 'bilinear',
    name: str | None = None,
) -> Tensor:
    """The gradient of CropAndResize with respect to the images."""

Cross = cross

def CrossReplicaSum(input: _Any, group_assignment: _Any, name: str | None = None) -> Tensor:
    """The sum over the replicas of a group: of the one that there is."""

def Cumprod(
    x: _Any, axis: _Any, exclusive: bool = False, reverse: bool = False, name: str | None = None,
) -> Tensor:
    """The cumulative product along an axis."""

def Cumsum(
    x: _Any, axis: _Any, exclusive: bool = False, reverse: bool = False, name: str | None = None,
) -> Tensor:
    """The cumulative sum along an axis."""

def CumulativeLogsumexp(
    x: _Any, axis: _Any, exclusive: bool = False, reverse: bool = False, name: str | None = None,
) -> Tensor:
    """The cumulative log-sum-exp along an axis."""

def DataFormatDimMap(
    x: _Any, src_format: str = 'NHWC', dst_format: str = 'NCHW', name: str | None = None,
) -> Tensor:
    """Maps axis numbers of the source layout to the destination layout; negative numbers count from the
    end."""

def DataFormatVecPermute(
    x: _Any, src_format: str = 'NHWC', dst_format: str = 'NCHW', name: str | None = None,
) -> Tensor:
    """Permutes per-axis values (one number or a pair per axis) from the source layout to the destination
    layout."""

def DatasetCardinality(input_dataset: _Any, name: str | None = None) -> Tensor:
    """How many elements a dataset has: -1 if they never end, -2 if it is not known."""

def DatasetToSingleElement(
    dataset: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> list[Tensor]:
    """The components of the only element of a dataset."""

def DatasetToTFRecord(
    input_dataset: _Any, filename: _Any, compression_type: _Any, name: str | None = None,
) -> Operation:
    """Writes the elements of a dataset of strings to a TFRecord file."""

def DebugGradientIdentity(input: _Any, name: str | None = None) -> Tensor:
    """Marks a gradient for the debugger."""

def DebugGradientRefIdentity(input: _Any, name: str | None = None) -> Tensor:
    """Marks the gradient of a reference for the debugger."""

def DecisionTreeEnsembleResourceHandleOp(
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Creates a handle of an ensemble."""

def DecodeAndCropJpeg(
    contents: _Any, crop_window: _Any, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1.0, dct_method: str = '',
    name: str | None = None,
) -> Tensor:
    """Decodes a part of a JPEG file: `crop_window` is (top row, left column, height, width)."""

def DecodeBase64(input: _Any, name: str | None = None) -> Tensor:
    """Decodes strings of web-safe base64, with or without padding."""

def DecodeBmp(contents: _Any, channels: int = 0, name: str | None = None) -> Tensor:
    """Decodes an uncompressed BMP file: grey, RGB or RGBA."""

def DecodeCSV(
    records: _Any, record_defaults: _Any, field_delim: str = ',', use_quote_delim: bool = True,
    na_value: str = '', select_cols: _Any = ..., name: str | None = None,
) -> list[Tensor]:
    """Parses lines of comma-separated values to one tensor per column."""

def DecodeCompressed(bytes: _Any, compression_type: str = '', name: str | None = None) -> Tensor:
    """Decompresses strings; `compression_type` is "ZLIB", "GZIP" or "" for none."""

def DecodeGif(contents: _Any, name: str | None = None) -> Tensor:
    """Decodes the frames of a GIF file, [frames, height, width, 3]."""

def DecodeImage(
    contents: _Any, channels: int = 0, dtype: _Any = ..., expand_animations: bool = True,
    name: str | None = None,
) -> Tensor:
    """Decodes a JPEG, PNG, GIF or BMP file; float pixels are between 0 and 1."""

DecodeJSONExample = decode_json_example

def DecodeJpeg(
    contents: _Any, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1.0, dct_method: str = '',
    name: str | None = None,
) -> Tensor:
    """Decodes a JPEG file to a uint8 tensor [height, width, channels]."""

def DecodeLibsvm(
    input: _Any, num_features: int, dtype: _Any = ..., label_dtype: _Any = ..., name: str | None = None,
) -> _DecodeLibsvm:
    """The labels of lines in the format of LIBSVM, and their features as parts of a sparse tensor."""

def DecodePaddedRaw(
    input_bytes: _Any, fixed_length: _Any, out_type: _Any, little_endian: bool = True,
    name: str | None = None,
) -> Tensor:
    """Reinterprets the first bytes of each string as numbers; short strings are padded with zeros."""

def DecodePng(contents: _Any, channels: int = 0, dtype: _Any = ..., name: str | None = None) -> Tensor:
    """Decodes a PNG file to a uint8 or uint16 tensor [height, width, channels]."""

DecodeProtoV2 = decode_proto

def DecodeRaw(
    bytes: _Any, out_type: _Any, little_endian: bool = True, name: str | None = None,
) -> Tensor:
    """Reinterprets the bytes of each string as numbers, along a new last axis."""

DecodeWav = decode_wav

def DeepCopy(x: _Any, name: str | None = None) -> Tensor:
    """A deep copy of `x`, which in-place updates of `x` do not affect."""

def DeleteIterator(handle: _Any, deleter: _Any, name: str | None = None) -> Operation:
    """Ends an iterator."""

def DeleteSessionTensor(handle: _Any, name: str | None = None) -> Operation:
    """Deletes the tensor with this handle from the session."""

def DenseBincount(
    input: _Any, size: _Any, weights: _Any, binary_output: bool = False, name: str | None = None,
) -> Tensor:
    """Counts the occurrences of each of 0 ... size - 1 in a vector, or in each row of a matrix."""

def DenseToDenseSetOperation(
    set1: _Any, set2: _Any, set_operation: str, validate_indices: bool = True, name: str | None = None,
) -> _DenseToDenseSetOperation:
    """The set operation on the rows of two dense tensors, as a sparse tensor."""

def DenseToSparseBatchDataset(
    input_dataset: _Any, batch_size: _Any, row_shape: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of sparse tensors whose rows are consecutive elements."""

def DenseToSparseSetOperation(
    set1: _Any, set2_indices: _Any, set2_values: _Any, set2_shape: _Any, set_operation: str,
    validate_indices: bool = True, name: str | None = None,
) -> _DenseToSparseSetOperation:
    """The set operation on the rows of a dense and a sparse tensor, as a sparse tensor."""

def DepthToSpace(
    input: _Any, block_size: int, data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """Rearranges channels into square spatial blocks (pixel shuffle), the inverse of SpaceToDepth."""

DepthwiseConv2dNative = depthwise_conv2d_native
DepthwiseConv2dNativeBackpropFilter = depthwise_conv2d_native_backprop_filter
DepthwiseConv2dNativeBackpropInput = depthwise_conv2d_native_backprop_input
Dequantize = dequantize

def DeserializeIterator(resource_handle: _Any, serialized: _Any, name: str | None = None) -> Operation:
    """Lets an iterator go on where another one stood."""

def DeserializeManySparse(
    serialized_sparse: _Any, dtype: _Any, name: str | None = None,
) -> _DeserializeManySparse:
    """Deserializes the sparse tensors in the rows and stacks them along a new first axis."""

def DeserializeSparse(
    serialized_sparse: _Any, dtype: _Any, name: str | None = None,
) -> _DeserializeSparse:
    """Deserializes sparse tensors and stacks them along new leading axes."""

def DestroyResourceOp(
    resource: _Any, ignore_lookup_error: bool = True, name: str | None = None,
) -> Operation:
    """Deletes the variable's value."""

def DestroyTemporaryVariable(ref: _Any, var_name: str, name: str | None = None) -> Tensor:
    """The final value of a TemporaryVariable, found by `var_name` or else by its own name."""

Diag = diag
DiagPart = diag_part
Digamma = digamma

def Dilation2D(
    input: _Any, filter: _Any, strides: _Any, rates: _Any, padding: str, name: str | None = None,
) -> Tensor:
    """Grey-scale morphological dilation: the maximum of input + filter over each window, per channel."""

def Dilation2DBackpropFilter(
    input: _Any, filter: _Any, out_backprop: _Any, strides: _Any, rates: _Any, padding: str,
    name: str | None = None,
) -> Tensor:
    """The gradient of Dilation2D with respect to its filter: the sum over the windows in which it is
    maximal."""

def Dilation2DBackpropInput(
    input: _Any, filter: _Any, out_backprop: _Any, strides: _Any, rates: _Any, padding: str,
    name: str | None = None,
) -> Tensor:
    """The gradient of Dilation2D with respect to its input: it goes to the maximal element."""

def DirectedInterleaveDataset(
    selector_input_dataset: _Any, data_input_datasets: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset that draws each element from the dataset whose number another dataset gives."""

def DisableCopyOnRead(resource: _Any, name: str | None = None) -> Operation:
    """Does nothing: evergraph never copies a variable on read."""

def Div(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """x / y; integers are rounded towards zero."""

def DivNoNan(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """x / y, or 0 where `y` is 0."""

def DrawBoundingBoxes(images: _Any, boxes: _Any, name: str | None = None) -> Tensor:
    """Draws bounding boxes on images, cycling through ten colours."""

def DrawBoundingBoxesV2(images: _Any, boxes: _Any, colors: _Any, name: str | None = None) -> Tensor:
    """Draws bounding boxes on images, cycling through the given colours, or through ten default ones."""

def DummyMemoryCache(name: str | None = None) -> Tensor:
    """Nothing: seeds and caches belong to iterators."""

def DummySeedGenerator(name: str | None = None) -> Tensor:
    """Nothing: seeds and caches belong to iterators."""

DynamicPartition = dynamic_partition
DynamicStitch = dynamic_stitch

def EagerPyFunc(
    input: _Any, token: str, Tout: _Any, is_async: bool = False, name: str | None = None,
) -> list[Tensor]:
    """Calls a Python function with eager tensors."""

def EditDistance(
    hypothesis_indices: _Any, hypothesis_values: _Any, hypothesis_shape: _Any, truth_indices: _Any,
    truth_values: _Any, truth_shape: _Any, normalize: bool = True, name: str | None = None,
) -> Tensor:
    """The Levenshtein distance from each hypothesis to its truth, divided by the truth's length if
    `normalize`."""

def Einsum(inputs: _Any, equation: str, name: str | None = None) -> Tensor:
    """Einstein summation: sums of products in the notation `ij,jk->ik`."""

Elu = elu

def EluGrad(gradients: _Any, outputs: _Any, name: str | None = None) -> Tensor:
    """The gradient of Elu."""

def Empty(shape: _Any, dtype: _Any, init: bool = False, name: str | None = None) -> Tensor:
    """A tensor of the given shape."""

def EmptyTensorList(
    element_shape: _Any, max_num_elements: _Any, element_dtype: _Any, name: str | None = None,
) -> Tensor:
    """An empty tensor list."""

def EncodeBase64(input: _Any, pad: bool = False, name: str | None = None) -> Tensor:
    """Encodes strings in web-safe base64, padded with "=" to a multiple of four if `pad` is true."""

def EncodeJpeg(
    image: _Any, format: str = '', quality: int = 95, progressive: bool = False,
    optimize_size: bool = False, chroma_downsampling: bool = True, density_unit: str = 'in',
    x_density: int = 300, y_density: int = 300, xmp_metadata: str = '', name: str | None = None,
) -> Tensor:
    """Encodes an image as a JPEG file."""

def EncodeJpegVariableQuality(images: _Any, quality: _Any, name: str | None = None) -> Tensor:
    """Encodes an image as a JPEG file, with the quality as a tensor."""

def EncodePng(image: _Any, compression: int = -1, name: str | None = None) -> Tensor:
    """Encodes an image as a PNG file with a zlib compression level (-1 is zlib's default)."""

EncodeProto = encode_proto
EncodeWav = encode_wav

def EnsureShape(input: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """Forwards its input; fails unless its shape is compatible with `shape`."""

def Enter(
    data: _Any, frame_name: str, is_constant: bool = False, parallel_iterations: int = 10,
    name: str | None = None,
) -> Tensor:
    """Enters a value into the loop frame of that name, for the first iteration or as a loop constant."""

Equal = equal

@overload
def Erf(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> _Any:
    """The error function."""
@overload
def Erf(x: _Any, name: str | None = None) -> Tensor:
    """The error function."""

Erfc = erfc

def Erfinv(x: _Any, name: str | None = None) -> Tensor:
    """The inverse error function."""

def EuclideanNorm(input: _Any, axis: _Any, keep_dims: bool = False, name: str | None = None) -> Tensor:
    """The Euclidean norm along axes."""

def EvergraphChosenQueue(index: _Any, handles: _Any, name: str | None = None) -> Tensor:
    """Selects one of several queues by index; TensorFlow has this for references only."""

def EvergraphLMDBReader(container: str = '', shared_name: str = '', name: str | None = None) -> Tensor:
    """A reader of LMDB files; TensorFlow has this for references only."""

def EvergraphLeastSquaresSums(
    factors: _Any, columns: _Any, rows: _Any, weights: _Any, values: _Any, count: _Any,
    name: str | None = None,
) -> _EvergraphLeastSquaresSums:
    """For each row, the sums of weight * v v^T and of value * v over its entries; v is the factor of the
    column."""

def EvergraphRandomTree(
    outputs: int, is_regression: bool, max_nodes: int, candidates: int, split_after: int, seed: int,
    at_threshold: bool, least: int, shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Creates a handle of a tree."""

def EvergraphRandomTreeCreate(tree: _Any, serialized: _Any, name: str | None = None) -> Operation:
    """Makes a tree a root, or the serialized tree."""

def EvergraphRandomTreeIsInitialized(tree: _Any, name: str | None = None) -> Tensor:
    """Whether a tree has been created."""

def EvergraphRandomTreePaths(tree: _Any, data: _Any, name: str | None = None) -> Tensor:
    """The way of every example through a tree, a serialized TreePath."""

def EvergraphRandomTreePredict(tree: _Any, data: _Any, outputs: int, name: str | None = None) -> Tensor:
    """The probabilities of classes, or the mean values, by a tree."""

def EvergraphRandomTreeSerialize(tree: _Any, name: str | None = None) -> Tensor:
    """The nodes of a tree."""

def EvergraphRandomTreeSize(tree: _Any, name: str | None = None) -> Tensor:
    """The number of nodes of a tree."""

def EvergraphRandomTreeTrain(
    tree: _Any, data: _Any, labels: _Any, weights: _Any, name: str | None = None,
) -> Operation:
    """Counts a batch of examples in a tree, which may grow."""

def EvergraphRandomTreeUsage(tree: _Any, features: int, name: str | None = None) -> Tensor:
    """How many nodes of a tree test each feature."""

def Exit(data: _Any, name: str | None = None) -> Tensor:
    """Exits a value from its loop frame."""

Exp = exp

def ExpandDims(input: _Any, axis: _Any, name: str | None = None) -> Tensor:
    """Inserts an axis of size 1 at `dim`."""

def ExperimentalBytesProducedStatsDataset(
    input_dataset: _Any, tag: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """The same dataset; measures how large its elements are."""

def ExperimentalCSVDataset(
    filenames: _Any, compression_type: _Any, buffer_size: _Any, header: _Any, field_delim: _Any,
    use_quote_delim: _Any, na_value: _Any, select_cols: _Any, record_defaults: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the rows of CSV files."""

def ExperimentalChooseFastestDataset(
    input_datasets: _Any, num_experiments: int, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """One of several datasets that have the same elements: the first."""

def ExperimentalDatasetCardinality(input_dataset: _Any, name: str | None = None) -> Tensor:
    """How many elements a dataset has: -1 if they never end, -2 if it is not known."""

def ExperimentalDatasetToTFRecord(
    input_dataset: _Any, filename: _Any, compression_type: _Any, name: str | None = None,
) -> Operation:
    """Writes the elements of a dataset of strings to a TFRecord file."""

def ExperimentalDenseToSparseBatchDataset(
    input_dataset: _Any, batch_size: _Any, row_shape: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of sparse tensors whose rows are consecutive elements."""

def ExperimentalDirectedInterleaveDataset(
    selector_input_dataset: _Any, data_input_datasets: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset that draws each element from the dataset whose number another dataset gives."""

def ExperimentalGroupByReducerDataset(
    input_dataset: _Any, key_func_other_arguments: _Any, init_func_other_arguments: _Any,
    reduce_func_other_arguments: _Any, finalize_func_other_arguments: _Any, key_func: _Any, init_func: _Any,
    reduce_func: _Any, finalize_func: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of what is left of all elements with one key when they are reduced."""

def ExperimentalGroupByWindowDataset(
    input_dataset: _Any, key_func_other_arguments: _Any, reduce_func_other_arguments: _Any,
    window_size_func_other_arguments: _Any, key_func: _Any, reduce_func: _Any, window_size_func: _Any,
    output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the elements of datasets that a function makes of elements with one key."""

def ExperimentalIgnoreErrorsDataset(
    input_dataset: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset without the elements that cannot be computed."""

def ExperimentalLMDBDataset(
    filenames: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the keys and values in LMDB files."""

def ExperimentalLatencyStatsDataset(
    input_dataset: _Any, tag: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """The same dataset; measures how long its elements take."""

def ExperimentalMapAndBatchDataset(
    input_dataset: _Any, other_arguments: _Any, batch_size: _Any, num_parallel_calls: _Any,
    drop_remainder: _Any, f: _Any, output_types: _Any, output_shapes: _Any,
    preserve_cardinality: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of batches of what a function gives, computed ahead by a thread."""

def ExperimentalMatchingFilesDataset(patterns: _Any, name: str | None = None) -> Tensor:
    """A dataset of the names of files that match patterns, in their order."""

def ExperimentalMaxIntraOpParallelismDataset(
    input_dataset: _Any, max_intra_op_parallelism: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """The same dataset: kernels on the host use the threads of NumPy."""

def ExperimentalNonSerializableDataset(
    input_dataset: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """The same dataset."""

def ExperimentalParallelInterleaveDataset(
    input_dataset: _Any, other_arguments: _Any, cycle_length: _Any, block_length: _Any, sloppy: _Any,
    buffer_output_elements: _Any, prefetch_input_elements: _Any, f: _Any, output_types: _Any,
    output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """Elements of datasets that a function makes, some datasets at a time, in the same order even if
    `sloppy`."""

def ExperimentalParseExampleDataset(
    input_dataset: _Any, num_parallel_calls: _Any, dense_defaults: _Any, sparse_keys: _Any,
    dense_keys: _Any, sparse_types: _Any, dense_shapes: _Any, output_types: _Any, output_shapes: _Any,
    sloppy: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of the features of serialized Examples, in the order of the dataset even if `sloppy`."""

def ExperimentalPrivateThreadPoolDataset(
    input_dataset: _Any, num_threads: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """The same dataset: each transformation has its own thread."""

def ExperimentalRandomDataset(
    seed: _Any, seed2: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of random numbers."""

def ExperimentalScanDataset(
    input_dataset: _Any, initial_state: _Any, other_arguments: _Any, f: _Any, output_types: _Any,
    output_shapes: _Any, preserve_cardinality: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of what a function gives of a state and each element."""

def ExperimentalSetStatsAggregatorDataset(
    input_dataset: _Any, stats_aggregator: _Any, tag: _Any, counter_prefix: _Any, output_types: _Any,
    output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """The same dataset; an aggregator collects what it measures."""

def ExperimentalSleepDataset(
    input_dataset: _Any, sleep_microseconds: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset whose elements come some time after they were asked for."""

def ExperimentalSlidingWindowDataset(
    input_dataset: _Any, window_size: _Any, window_shift: _Any, window_stride: _Any, output_types: _Any,
    output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of windows of elements, stacked."""

def ExperimentalSqlDataset(
    driver_name: _Any, data_source_name: _Any, query: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the rows that a database gives for a query."""

def ExperimentalStatsAggregatorHandle(
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """An aggregator."""

def ExperimentalStatsAggregatorSummary(iterator: _Any, name: str | None = None) -> Tensor:
    """A Summary of what an aggregator has collected."""

def ExperimentalTakeWhileDataset(
    input_dataset: _Any, other_arguments: _Any, predicate: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the elements before the first for which a predicate does not hold."""

def ExperimentalThreadPoolDataset(
    input_dataset: _Any, thread_pool: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """The same dataset: each transformation has its own thread."""

def ExperimentalThreadPoolHandle(
    num_threads: int, display_name: str, max_intra_op_parallelism: int = 1, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """What ThreadPoolDataset takes: the number of threads."""

def ExperimentalUniqueDataset(
    input_dataset: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset with each element once."""

Expm1 = expm1

def ExtractGlimpse(
    input: _Any, size: _Any, offsets: _Any, centered: bool = True, normalized: bool = True,
    uniform_noise: bool = True, noise: str = 'uniform', name: str | None = None,
) -> Tensor:
    """Extracts a window around a given position from each image; noise where the window is outside the
    image."""

def ExtractImagePatches(
    images: _Any, ksizes: _Any, strides: _Any, rates: _Any, padding: str, name: str | None = None,
) -> Tensor:
    """Extracts patches of images (im2col): each window, flattened into the last axis."""

def ExtractJpegShape(contents: _Any, output_type: _Any = ..., name: str | None = None) -> Tensor:
    """The height, width and channels of a JPEG file, from its header."""

ExtractVolumePatches = extract_volume_patches
FFT = fft
FFT2D = fft2d
FFT3D = fft3d

def FIFOQueueV2(
    component_types: _Any, shapes: _Any = ..., capacity: int = -1, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A first-in, first-out queue."""

def FakeParam(dtype: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """A placeholder in a branch for an output that only another branch produces."""

FakeQuantWithMinMaxArgs = fake_quant_with_min_max_args
FakeQuantWithMinMaxArgsGradient = fake_quant_with_min_max_args_gradient
FakeQuantWithMinMaxVars = fake_quant_with_min_max_vars
FakeQuantWithMinMaxVarsGradient = fake_quant_with_min_max_vars_gradient
FakeQuantWithMinMaxVarsPerChannel = fake_quant_with_min_max_vars_per_channel
FakeQuantWithMinMaxVarsPerChannelGradient = fake_quant_with_min_max_vars_per_channel_gradient
Fill = fill

def FilterByLastComponentDataset(
    input_dataset: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the elements whose last component is True, without that component."""

def FilterDataset(
    input_dataset: _Any, other_arguments: _Any, predicate: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the elements for which a predicate holds."""

def FinalizeDataset(
    input_dataset: _Any, output_types: _Any, output_shapes: _Any, has_captured_ref: bool = False,
    name: str | None = None,
) -> Tensor:
    """The same dataset."""

def Fingerprint(data: _Any, method: _Any, name: str | None = None) -> Tensor:
    """An 8-byte FarmHash fingerprint of each row of `data`."""

def FixedLengthRecordDataset(
    filenames: _Any, header_bytes: _Any, record_bytes: _Any, footer_bytes: _Any, buffer_size: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the records of files, which have one length."""

def FixedLengthRecordDatasetV2(
    filenames: _Any, header_bytes: _Any, record_bytes: _Any, footer_bytes: _Any, buffer_size: _Any,
    compression_type: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the records of files, which have one length and may be compressed."""

def FixedLengthRecordReaderV2(
    record_bytes: int, header_bytes: int = 0, footer_bytes: int = 0, hop_bytes: int = 0,
    container: str = '', shared_name: str = '', encoding: str = '', name: str | None = None,
) -> Tensor:
    """A reader of fixed-length records; keys are 'file:number'."""

def FixedUnigramCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, range_max: int, vocab_file: str = '',
    distortion: float = 1.0, num_reserved_ids: int = 0, num_shards: int = 1, shard: int = 0,
    unigrams: _Any = ..., seed: int = 0, seed2: int = 0, name: str | None = None,
) -> _FixedUnigramCandidateSampler:
    """Samples classes from a distribution given by weights (unigram)."""

def FlatMapDataset(
    input_dataset: _Any, other_arguments: _Any, f: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the elements of datasets that a function makes, one dataset after another."""

Floor = floor
FloorDiv = floor_div
FloorMod = floormod

def FlushSummaryWriter(writer: _Any, name: str | None = None) -> Operation:
    """Flushes the writer's buffer to the file."""

def For(
    start: _Any, limit: _Any, delta: _Any, input: _Any, body: _Any, name: str | None = None,
) -> list[Tensor]:
    """A for loop: applies `body` to the counter and the loop variables, for each count from `start` below
    `limit`."""

def FractionalAvgPool(
    value: _Any, pooling_ratio: _Any, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> _FractionalAvgPool:
    """Fractional average pooling (Graham, 2014): the mean of each region, and the region boundaries along
    both axes."""

def FractionalAvgPoolGrad(
    orig_input_tensor_shape: _Any, out_backprop: _Any, row_pooling_sequence: _Any,
    col_pooling_sequence: _Any, overlapping: bool = False, name: str | None = None,
) -> Tensor:
    """The gradient of FractionalAvgPool: divided evenly among the elements of a region."""

def FractionalMaxPool(
    value: _Any, pooling_ratio: _Any, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> _FractionalMaxPool:
    """Fractional max pooling (Graham, 2014): the maximum of each region, and the region boundaries along
    both axes."""

def FractionalMaxPoolGrad(
    orig_input: _Any, orig_output: _Any, out_backprop: _Any, row_pooling_sequence: _Any,
    col_pooling_sequence: _Any, overlapping: bool = False, name: str | None = None,
) -> Tensor:
    """The gradient of FractionalMaxPool: goes to the first maximal element of a region."""

def FusedBatchNorm(
    x: _Any, scale: _Any, offset: _Any, mean: _Any, variance: _Any, epsilon: float = 9.999999747378752e-05,
    data_format: str = 'NHWC', is_training: bool = True, name: str | None = None,
) -> _FusedBatchNorm:
    """Batch normalization (Ioffe and Szegedy, 2015): scale * (x - mean) / sqrt(variance + epsilon) +
    offset."""

def FusedBatchNormGrad(
    y_backprop: _Any, x: _Any, scale: _Any, reserve_space_1: _Any, reserve_space_2: _Any,
    epsilon: float = 9.999999747378752e-05, data_format: str = 'NHWC', is_training: bool = True,
    name: str | None = None,
) -> _FusedBatchNormGrad:
    """The gradients of FusedBatchNorm."""

def FusedBatchNormGradV2(
    y_backprop: _Any, x: _Any, scale: _Any, reserve_space_1: _Any, reserve_space_2: _Any,
    epsilon: float = 9.999999747378752e-05, data_format: str = 'NHWC', is_training: bool = True,
    name: str | None = None,
) -> _FusedBatchNormGradV2:
    """The gradients of FusedBatchNorm."""

def FusedBatchNormGradV3(
    y_backprop: _Any, x: _Any, scale: _Any, reserve_space_1: _Any, reserve_space_2: _Any,
    reserve_space_3: _Any, epsilon: float = 9.999999747378752e-05, data_format: str = 'NHWC',
    is_training: bool = True, name: str | None = None,
) -> _FusedBatchNormGradV3:
    """The gradients of FusedBatchNorm."""

def FusedBatchNormV2(
    x: _Any, scale: _Any, offset: _Any, mean: _Any, variance: _Any, epsilon: float = 9.999999747378752e-05,
    data_format: str = 'NHWC', is_training: bool = True, name: str | None = None,
) -> _FusedBatchNormV2:
    """Batch normalization (Ioffe and Szegedy, 2015): scale * (x - mean) / sqrt(variance + epsilon) +
    offset."""

def FusedBatchNormV3(
    x: _Any, scale: _Any, offset: _Any, mean: _Any, variance: _Any, epsilon: float = 9.999999747378752e-05,
    data_format: str = 'NHWC', is_training: bool = True, name: str | None = None,
) -> _FusedBatchNormV3:
    """FusedBatchNormV2 with an output that only TensorFlow's GPU kernels use: it is 0."""

def FusedConv2DBiasActivation(
    conv_input: _Any, filter: _Any, bias: _Any, side_input: _Any, conv_input_scale: _Any,
    side_input_scale: _Any, strides: _Any, padding: str, data_format: str = 'NHWC',
    filter_format: str = 'HWIO', activation_mode: str = 'Relu', dilations: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """The activation of a scaled convolution, plus a scaled side input, plus a bias; int8 results
    saturate."""

def FusedPadConv2D(
    input: _Any, paddings: _Any, filter: _Any, mode: str, strides: _Any, padding: str,
    name: str | None = None,
) -> Tensor:
    """MirrorPad, then Conv2D."""

def FusedResizeAndPadConv2D(
    input: _Any, size: _Any, paddings: _Any, filter: _Any, mode: str, strides: _Any, padding: str,
    resize_align_corners: bool = False, name: str | None = None,
) -> Tensor:
    """ResizeBilinear, then MirrorPad, then Conv2D."""

def GRUBlockCell(
    x: _Any, h_prev: _Any, w_ru: _Any, w_c: _Any, b_ru: _Any, b_c: _Any, name: str | None = None,
) -> _GRUBlockCell:
    """One GRU step: gates r and u, candidate c and new state h."""

def GRUBlockCellGrad(
    x: _Any, h_prev: _Any, w_ru: _Any, w_c: _Any, b_ru: _Any, b_c: _Any, r: _Any, u: _Any, c: _Any,
    d_h: _Any, name: str | None = None,
) -> _GRUBlockCellGrad:
    """The gradients of a GRU step with respect to x, h_prev and its gates before their activations."""

def Gather(
    params: _Any, indices: _Any, validate_indices: bool = True, name: str | None = None,
) -> Tensor:
    """Gathers the slices of `params` along its first axis at `indices`."""

def GatherNd(params: _Any, indices: _Any, name: str | None = None) -> Tensor:
    """Gathers the slices of `params` at the index vectors in the last axis of `indices`."""

def GatherTree(
    step_ids: _Any, parent_ids: _Any, max_sequence_lengths: _Any, end_token: _Any, name: str | None = None,
) -> Tensor:
    """Backtracks beam search: follows each beam's parents from the last step to the first and returns its
    tokens."""

def GatherV2(
    params: _Any, indices: _Any, axis: _Any, batch_dims: int = 0, name: str | None = None,
) -> Tensor:
    """Gathers the slices of `params` along `axis` at `indices`, with `batch_dims` leading batch dimensions
    in both."""

def GenerateVocabRemapping(
    new_vocab_file: _Any, old_vocab_file: _Any, new_vocab_offset: int, num_new_vocab: int,
    old_vocab_size: int = -1, name: str | None = None,
) -> _GenerateVocabRemapping:
    """The index of each word of a new vocabulary in the old one (-1: missing), and the number of words
    found."""

def GeneratorDataset(
    init_func_other_args: _Any, next_func_other_args: _Any, finalize_func_other_args: _Any, init_func: _Any,
    next_func: _Any, finalize_func: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of what `next_func` gives of the outputs of `init_func`, until it raises
    OutOfRangeError."""

def GetSessionHandle(value: _Any, name: str | None = None) -> Tensor:
    """Stores a tensor in the session and returns its handle."""

def GetSessionHandleV2(value: _Any, name: str | None = None) -> Tensor:
    """Stores a tensor in the session and returns its handle."""

def GetSessionTensor(handle: _Any, dtype: _Any, name: str | None = None) -> Tensor:
    """The tensor that a session keeps under a handle."""

def GradientTreesPartitionExamples(
    tree_ensemble_handle: _Any, dense_float_features: _Any, sparse_float_feature_indices: _Any,
    sparse_float_feature_values: _Any, sparse_float_feature_shapes: _Any, sparse_int_feature_indices: _Any,
    sparse_int_feature_values: _Any, sparse_int_feature_shapes: _Any, use_locking: bool = False,
    name: str | None = None,
) -> Tensor:
    """The leaf of every example in the tree that grows; 0 if none does."""

def GradientTreesPrediction(
    tree_ensemble_handle: _Any, seed: _Any, dense_float_features: _Any, sparse_float_feature_indices: _Any,
    sparse_float_feature_values: _Any, sparse_float_feature_shapes: _Any, sparse_int_feature_indices: _Any,
    sparse_int_feature_values: _Any, sparse_int_feature_shapes: _Any, learner_config: str,
    apply_dropout: bool, apply_averaging: bool, center_bias: bool, reduce_dim: bool,
    use_locking: bool = False, name: str | None = None,
) -> _GradientTreesPrediction:
    """The sum of the weighted trees for every example, and the trees that were dropped with their
    weights."""

def GradientTreesPredictionVerbose(
    tree_ensemble_handle: _Any, seed: _Any, dense_float_features: _Any, sparse_float_feature_indices: _Any,
    sparse_float_feature_values: _Any, sparse_float_feature_shapes: _Any, sparse_int_feature_indices: _Any,
    sparse_int_feature_values: _Any, sparse_int_feature_shapes: _Any, learner_config: str,
    apply_dropout: bool, apply_averaging: bool, center_bias: bool, reduce_dim: bool,
    use_locking: bool = False, name: str | None = None,
) -> _GradientTreesPredictionVerbose:
    """The sum of the weighted trees for every example, and the trees that were dropped with their
    weights."""

Greater = greater
GreaterEqual = greater_equal

def GroupByReducerDataset(
    input_dataset: _Any, key_func_other_arguments: _Any, init_func_other_arguments: _Any,
    reduce_func_other_arguments: _Any, finalize_func_other_arguments: _Any, key_func: _Any, init_func: _Any,
    reduce_func: _Any, finalize_func: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of what is left of all elements with one key when they are reduced."""

def GroupByWindowDataset(
    input_dataset: _Any, key_func_other_arguments: _Any, reduce_func_other_arguments: _Any,
    window_size_func_other_arguments: _Any, key_func: _Any, reduce_func: _Any, window_size_func: _Any,
    output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the elements of datasets that a function makes of elements with one key."""

def GrowTreeEnsemble(
    tree_ensemble_handle: _Any, stamp_token: _Any, next_stamp_token: _Any, learning_rate: _Any,
    dropout_seed: _Any, max_tree_depth: _Any, weak_learner_type: _Any, partition_ids: _Any, gains: _Any,
    splits: _Any, learner_config: str, center_bias: bool, name: str | None = None,
) -> Operation:
    """Splits the leaves of the tree that grows, or of a new one, by the best of what all handlers offer."""

GuaranteeConst = guarantee_const
HSVToRGB = hsv_to_rgb

def HashTable(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, name: str | None = None,
) -> Tensor:
    """Creates a hash table that is initialized once."""

def HashTableV2(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, name: str | None = None,
) -> Tensor:
    """Creates a hash table that is initialized once."""

def HistogramFixedWidth(
    values: _Any, value_range: _Any, nbins: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """The histogram of values in `nbins` equal-width bins of a range; values outside count in the first or
    last bin."""

def HistogramSummary(tag: _Any, values: _Any, name: str | None = None) -> Tensor:
    """A Summary with the histogram of the values."""

def HostConst(value: _Any, dtype: _Any, name: str | None = None) -> Tensor:
    """A constant that stays in host memory."""

IFFT = ifft
IFFT2D = ifft2d
IFFT3D = ifft3d

def IRFFT(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The inverse of the real discrete Fourier transform in 1 dimensions."""

def IRFFT2D(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The inverse of the real discrete Fourier transform in 2 dimensions."""

def IRFFT3D(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The inverse of the real discrete Fourier transform in 3 dimensions."""

def Identity(input: _Any, name: str | None = None) -> Tensor:
    """Forwards its input unchanged."""

IdentityN = identity_n

def IdentityReaderV2(container: str = '', shared_name: str = '', name: str | None = None) -> Tensor:
    """A reader that returns the queued strings as keys and values."""

def If(
    cond: _Any, input: _Any, Tout: _Any, then_branch: _Any, else_branch: _Any, output_shapes: _Any = ...,
    name: str | None = None,
) -> list[Tensor]:
    """A conditional: the outputs of `then_branch` if the condition is true, else those of `else_branch`."""

Igamma = igamma

def IgammaGradA(a: _Any, x: _Any, name: str | None = None) -> Tensor:
    """The derivative of igamma with respect to `a`."""

Igammac = igammac

def IgnoreErrorsDataset(
    input_dataset: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset without the elements that cannot be computed."""

def Imag(input: _Any, Tout: _Any = ..., name: str | None = None) -> Tensor:
    """The imaginary part, elementwise."""

def ImageConnectedComponents(image: _Any, name: str | None = None) -> Tensor:
    """Numbers for parts of images: 1 and the place of the first pixel of the part, or 0 for pixels that are
    zero."""

def ImageSummary(
    tag: _Any, tensor: _Any, max_images: int = 3, bad_color: _Any = ..., name: str | None = None,
) -> Tensor:
    """A Summary with the first images of a batch, as PNG files."""

def ImportEvent(writer: _Any, event: _Any, name: str | None = None) -> Operation:
    """Writes a serialized Event."""

def InTopK(predictions: _Any, targets: _Any, k: int, name: str | None = None) -> Tensor:
    """Whether the target class is among the `k` largest predictions of its row; ties count as in the top
    k."""

def InTopKV2(predictions: _Any, targets: _Any, k: _Any, name: str | None = None) -> Tensor:
    """Whether the target class is among the `k` largest predictions of its row; ties count as in the top
    k."""

def InfeedDequeue(dtype: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """Takes a tensor from the queue into a device, waiting for one."""

def InfeedDequeueTuple(dtypes: _Any, shapes: _Any, name: str | None = None) -> list[Tensor]:
    """Takes tensors that were put together from the queue into a device, waiting for them."""

def InfeedEnqueue(
    input: _Any, shape: _Any = ..., layout: _Any = ..., device_ordinal: int = -1, name: str | None = None,
) -> Operation:
    """Puts a tensor into the queue into a device."""

def InfeedEnqueueTuple(
    inputs: _Any, shapes: _Any, layouts: _Any = ..., device_ordinal: int = -1, name: str | None = None,
) -> Operation:
    """Puts several tensors together into the queue into a device."""

def InitializeTable(table_handle: _Any, keys: _Any, values: _Any, name: str | None = None) -> Operation:
    """Replaces all entries of a table."""

def InitializeTableFromTextFile(
    table_handle: _Any, filename: _Any, key_index: int, value_index: int, vocab_size: int = -1,
    delimiter: str = '\t', name: str | None = None,
) -> Operation:
    """Initializes a table from the lines of a text file."""

def InitializeTableFromTextFileV2(
    table_handle: _Any, filename: _Any, key_index: int, value_index: int, vocab_size: int = -1,
    delimiter: str = '\t', name: str | None = None,
) -> Operation:
    """Initializes a table from the lines of a text file."""

def InitializeTableV2(
    table_handle: _Any, keys: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Replaces all entries of a table."""

def InplaceAdd(x: _Any, i: _Any, v: _Any, name: str | None = None) -> Tensor:
    """`x` with `v` added to its rows `i`."""

def InplaceSub(x: _Any, i: _Any, v: _Any, name: str | None = None) -> Tensor:
    """`x` with `v` subtracted from its rows `i`."""

def InplaceUpdate(x: _Any, i: _Any, v: _Any, name: str | None = None) -> Tensor:
    """`x` with its rows `i` replaced by `v`."""

def InterleaveDataset(
    input_dataset: _Any, other_arguments: _Any, cycle_length: _Any, block_length: _Any, f: _Any,
    output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the elements of datasets that a function makes, some datasets at a time."""

def Inv(x: _Any, name: str | None = None) -> Tensor:
    """The reciprocal 1 / x."""

def InvGrad(y: _Any, dy: _Any, name: str | None = None) -> Tensor:
    """The gradient of Inv from its result."""

Invert = invert
InvertPermutation = invert_permutation

def IsBoostedTreesEnsembleInitialized(tree_ensemble_handle: _Any, name: str | None = None) -> Tensor:
    """Whether an ensemble has been created."""

def IsBoostedTreesQuantileStreamResourceInitialized(
    quantile_stream_resource_handle: _Any, name: str | None = None,
) -> Tensor:
    """Whether quantile streams have been created."""

IsFinite = is_finite
IsInf = is_inf
IsNan = is_nan

def IsVariableInitialized(ref: _Any, name: str | None = None) -> Tensor:
    """Whether the variable is initialized."""

def Iterator(
    shared_name: str, container: str, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """An iterator that `MakeIterator` gives a dataset."""

def IteratorFromStringHandle(
    string_handle: _Any, output_types: _Any = ..., output_shapes: _Any = ..., name: str | None = None,
) -> Tensor:
    """The iterator that a string stands for."""

def IteratorFromStringHandleV2(
    string_handle: _Any, output_types: _Any = ..., output_shapes: _Any = ..., name: str | None = None,
) -> Tensor:
    """The iterator that a string stands for."""

def IteratorGetNext(
    iterator: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> list[Tensor]:
    """The next element of an iterator."""

def IteratorGetNextAsOptional(
    iterator: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """The next element of an iterator as an optional, which holds nothing at the end."""

def IteratorGetNextSync(
    iterator: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> list[Tensor]:
    """The next element of an iterator."""

def IteratorToStringHandle(resource_handle: _Any, name: str | None = None) -> Tensor:
    """A string for an iterator, valid in this process."""

def IteratorV2(
    shared_name: str, container: str, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """An iterator that `MakeIterator` gives a dataset."""

def KMC2ChainInitialization(distances: _Any, seed: _Any, name: str | None = None) -> Tensor:
    """The index that a Markov chain over distances ends at, for k-MC2 initialization (Bachem et al.,
    2016)."""

def KmeansPlusPlusInitialization(
    points: _Any, num_to_sample: _Any, seed: _Any, num_retries_per_sample: _Any, name: str | None = None,
) -> Tensor:
    """Initial centers by k-means++ (Arthur and Vassilvitskii, 2007): draws points with probability ~
    squared distance."""

L2Loss = l2_loss

def LMDBDataset(
    filenames: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the keys and values in LMDB files."""

def LRN(
    input: _Any, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """Local response normalization: input / (bias + alpha * sum of squares over neighbouring channels) **
    beta."""

def LRNGrad(
    input_grads: _Any, input_image: _Any, output_image: _Any, depth_radius: int = 5, bias: float = 1.0,
    alpha: float = 1.0, beta: float = 0.5, name: str | None = None,
) -> Tensor:
    """The gradient of LRN."""

def LSTMBlockCell(
    x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any, b: _Any,
    forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = False, name: str | None = None,
) -> _LSTMBlockCell:
    """One LSTM step: gates, new cell state `cs`, and output `h`."""

def LSTMBlockCellGrad(
    x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any, b: _Any, i: _Any,
    cs: _Any, f: _Any, o: _Any, ci: _Any, co: _Any, cs_grad: _Any, h_grad: _Any, use_peephole: bool,
    name: str | None = None,
) -> _LSTMBlockCellGrad:
    """The gradients of an LSTM step with respect to its state, gates and peephole weights."""

def LatencyStatsDataset(
    input_dataset: _Any, tag: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """The same dataset; measures how long its elements take."""

def LeakyRelu(features: _Any, alpha: float = 0.20000000298023224, name: str | None = None) -> Tensor:
    """The leaky rectified linear unit: features where positive, else alpha * features."""

def LeakyReluGrad(
    gradients: _Any, features: _Any, alpha: float = 0.20000000298023224, name: str | None = None,
) -> Tensor:
    """The gradient of LeakyRelu."""

def LearnedUnigramCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0,
    seed2: int = 0, name: str | None = None,
) -> _LearnedUnigramCandidateSampler:
    """Samples classes from the empirical distribution of the true classes so far."""

LeftShift = left_shift

def LegacyParallelInterleaveDatasetV2(
    input_dataset: _Any, other_arguments: _Any, cycle_length: _Any, block_length: _Any,
    buffer_output_elements: _Any, prefetch_input_elements: _Any, f: _Any, output_types: _Any,
    output_shapes: _Any, deterministic: str = 'default', metadata: str = '', name: str | None = None,
) -> Tensor:
    """The same, as TensorFlow 2 writes it."""

Less = less
LessEqual = less_equal
Lgamma = lgamma
LinSpace = lin_space

def ListDiff(x: _Any, y: _Any, out_idx: _Any = ..., name: str | None = None) -> _ListDiff:
    """The difference of two lists: the elements of `x` that are not in `y`, in order, and their indices in
    `x`."""

def LoadAndRemapMatrix(
    ckpt_path: _Any, old_tensor_name: _Any, row_remapping: _Any, col_remapping: _Any,
    initializing_values: _Any, num_rows: int, num_cols: int, max_rows_in_memory: int = -1,
    name: str | None = None,
) -> Tensor:
    """Loads a matrix from a checkpoint with rows and columns permuted; -1 means an initializing value."""

Log = log
Log1p = log1p
LogMatrixDeterminant = slogdet

def LogSoftmax(logits: _Any, name: str | None = None) -> Tensor:
    """Log-softmax along the last axis: logits - log(sum(exp(logits)))."""

def LogUniformCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0,
    seed2: int = 0, name: str | None = None,
) -> _LogUniformCandidateSampler:
    """Samples classes from a log-uniform (Zipfian) distribution."""

LogicalAnd = logical_and
LogicalNot = logical_not
LogicalOr = logical_or

def LookupTableExport(
    table_handle: _Any, Tkeys: _Any, Tvalues: _Any, name: str | None = None,
) -> _LookupTableExport:
    """All keys and values of a table."""

def LookupTableExportV2(
    table_handle: _Any, Tkeys: _Any, Tvalues: _Any, name: str | None = None,
) -> _LookupTableExportV2:
    """All keys and values of a table."""

def LookupTableFind(
    table_handle: _Any, keys: _Any, default_value: _Any, name: str | None = None,
) -> Tensor:
    """Looks up keys: the value of each, or the default."""

def LookupTableFindV2(
    table_handle: _Any, keys: _Any, default_value: _Any, name: str | None = None,
) -> Tensor:
    """Looks up keys: the value of each, or the default."""

def LookupTableImport(
    table_handle: _Any, keys: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Replaces all entries of a table."""

def LookupTableImportV2(
    table_handle: _Any, keys: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Replaces all entries of a table."""

def LookupTableInsert(
    table_handle: _Any, keys: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Inserts entries; overwrites existing keys."""

def LookupTableInsertV2(
    table_handle: _Any, keys: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Inserts entries; overwrites existing keys."""

def LookupTableRemoveV2(table_handle: _Any, keys: _Any, name: str | None = None) -> Operation:
    """Removes entries; missing keys are ignored."""

def LookupTableSize(table_handle: _Any, name: str | None = None) -> Tensor:
    """The number of entries in a table."""

def LookupTableSizeV2(table_handle: _Any, name: str | None = None) -> Tensor:
    """The number of entries in a table."""

def LoopCond(input: _Any, name: str | None = None) -> Tensor:
    """The loop condition of a frame."""

def LowerBound(
    sorted_inputs: _Any, values: _Any, out_type: _Any = ..., name: str | None = None,
) -> Tensor:
    """The first insertion index of each value that keeps its row sorted (searchsorted, left)."""

Lu = lu

def MakeIterator(dataset: _Any, iterator: _Any, name: str | None = None) -> Operation:
    """Lets an iterator begin to go through a dataset."""

def MakeQuantileSummaries(
    dense_float_features: _Any, sparse_float_feature_indices: _Any, sparse_float_feature_values: _Any,
    sparse_float_feature_shapes: _Any, example_weights: _Any, epsilon: float, name: str | None = None,
) -> _MakeQuantileSummaries:
    """The summary of every feature of a batch, serialized."""

def MapAndBatchDataset(
    input_dataset: _Any, other_arguments: _Any, batch_size: _Any, num_parallel_calls: _Any,
    drop_remainder: _Any, f: _Any, output_types: _Any, output_shapes: _Any,
    preserve_cardinality: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of batches of what a function gives, computed ahead by a thread."""

def MapClear(
    dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '', shared_name: str = '',
    name: str | None = None,
) -> Operation:
    """Removes all elements, complete or not."""

def MapDataset(
    input_dataset: _Any, other_arguments: _Any, f: _Any, output_types: _Any, output_shapes: _Any,
    use_inter_op_parallelism: bool = True, preserve_cardinality: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of the results of a function."""

def MapIncompleteSize(
    dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '', shared_name: str = '',
    name: str | None = None,
) -> Tensor:
    """The number of elements of which components are missing."""

def MapPeek(
    key: _Any, indices: _Any, dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> list[Tensor]:
    """Components of the element of a key, waiting until it is complete."""

def MapSize(
    dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '', shared_name: str = '',
    name: str | None = None,
) -> Tensor:
    """The number of complete elements."""

def MapStage(
    key: _Any, indices: _Any, values: _Any, dtypes: _Any, capacity: int = 0, memory_limit: int = 0,
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Operation:
    """Adds components to the element of a key, waiting for room."""

def MapUnstage(
    key: _Any, indices: _Any, dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> list[Tensor]:
    """Removes components of the element of a key, waiting until it is complete."""

def MapUnstageNoKey(
    indices: _Any, dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> _MapUnstageNoKey:
    """Removes components of an element, waiting for a complete one; returns its key too."""

def MaskedMatmul(
    a: _Any, b: _Any, mask_indices: _Any, transpose_a: _Any, transpose_b: _Any, name: str | None = None,
) -> Tensor:
    """Those elements of a matrix product that are at the given places."""

def MatMul(
    a: _Any, b: _Any, transpose_a: bool = False, transpose_b: bool = False, name: str | None = None,
) -> Tensor:
    """Matrix multiplication, with either factor optionally transposed."""

MatchingFiles = matching_files

def MatchingFilesDataset(patterns: _Any, name: str | None = None) -> Tensor:
    """A dataset of the names of files that match patterns, in their order."""

MatrixBandPart = matrix_band_part
MatrixDeterminant = matrix_determinant

def MatrixDiag(diagonal: _Any, name: str | None = None) -> Tensor:
    """Diagonal matrices with the last axis of `diagonal` as their main diagonals."""

def MatrixDiagPart(input: _Any, name: str | None = None) -> Tensor:
    """The main diagonals of a batch of matrices."""

def MatrixDiagPartV2(input: _Any, k: _Any, padding_value: _Any, name: str | None = None) -> Tensor:
    """The diagonals `k` of matrices as rows, padded with `padding_value`."""

def MatrixDiagPartV3(
    input: _Any, k: _Any, padding_value: _Any, align: str = 'RIGHT_LEFT', name: str | None = None,
) -> Tensor:
    """The diagonals `k` of matrices as rows, padded with `padding_value`."""

def MatrixDiagV2(
    diagonal: _Any, k: _Any, num_rows: _Any, num_cols: _Any, padding_value: _Any, name: str | None = None,
) -> Tensor:
    """Matrices filled with `padding_value`, with the rows of `diagonal` on their diagonals `k`."""

def MatrixDiagV3(
    diagonal: _Any, k: _Any, num_rows: _Any, num_cols: _Any, padding_value: _Any, align: str = 'RIGHT_LEFT',
    name: str | None = None,
) -> Tensor:
    """Matrices filled with `padding_value`, with the rows of `diagonal` on their diagonals `k`."""

def MatrixExponential(input: _Any, name: str | None = None) -> Tensor:
    """The matrix exponential 1 + A + A^2 / 2! + A^3 / 3! + ..."""

MatrixInverse = matrix_inverse
MatrixLogarithm = logm

def MatrixSetDiag(input: _Any, diagonal: _Any, name: str | None = None) -> Tensor:
    """A batch of matrices with their main diagonals replaced."""

def MatrixSetDiagV2(input: _Any, diagonal: _Any, k: _Any, name: str | None = None) -> Tensor:
    """A batch of matrices with their diagonals `k` replaced."""

def MatrixSetDiagV3(
    input: _Any, diagonal: _Any, k: _Any, align: str = 'RIGHT_LEFT', name: str | None = None,
) -> Tensor:
    """A batch of matrices with their diagonals `k` replaced."""

MatrixSolve = matrix_solve

def MatrixSolveLs(
    matrix: _Any, rhs: _Any, l2_regularizer: _Any, fast: bool = True, name: str | None = None,
) -> Tensor:
    """Least squares: the x that minimizes |matrix * x - rhs|^2 + l2_regularizer * |x|^2, of minimal
    norm."""

MatrixSquareRoot = matrix_square_root
MatrixTriangularSolve = matrix_triangular_solve

def Max(input: _Any, axis: _Any, keep_dims: bool = False, name: str | None = None) -> Tensor:
    """The maximum along axes."""

def MaxIntraOpParallelismDataset(
    input_dataset: _Any, max_intra_op_parallelism: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """The same dataset: kernels on the host use the threads of NumPy."""

def MaxPool(
    input: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """Max pooling: the maximum over each window, ignoring NaN; minus infinity becomes the lowest finite
    number."""

def MaxPool3D(
    input: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NDHWC',
    name: str | None = None,
) -> Tensor:
    """3-D max pooling: MaxPool of volumes."""

def MaxPool3DGrad(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NDHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPool3D."""

def MaxPool3DGradGrad(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NDHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPool3DGrad with respect to its gradient input."""

def MaxPoolGrad(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPool: goes to the first maximal element of each window."""

def MaxPoolGradGrad(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPoolGrad with respect to its gradient input."""

def MaxPoolGradGradV2(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPoolGradV2 with respect to its gradient input."""

def MaxPoolGradGradWithArgmax(
    input: _Any, grad: _Any, argmax: _Any, ksize: _Any, strides: _Any, padding: str,
    include_batch_in_index: bool = False, name: str | None = None,
) -> Tensor:
    """The gradient of MaxPoolGradWithArgmax with respect to its gradient: the elements at the indices."""

def MaxPoolGradV2(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPoolV2."""

def MaxPoolGradWithArgmax(
    input: _Any, grad: _Any, argmax: _Any, ksize: _Any, strides: _Any, padding: str,
    include_batch_in_index: bool = False, name: str | None = None,
) -> Tensor:
    """The gradient of MaxPoolWithArgmax, given its indices."""

def MaxPoolV2(
    input: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """MaxPool with the window as an input."""

def MaxPoolWithArgmax(
    input: _Any, ksize: _Any, strides: _Any, padding: str, Targmax: _Any = ...,
    include_batch_in_index: bool = False, name: str | None = None,
) -> _MaxPoolWithArgmax:
    """Max pooling with the flat index of each maximum in its image (or in the batch)."""

Maximum = maximum

def Mean(input: _Any, axis: _Any, keep_dims: bool = False, name: str | None = None) -> Tensor:
    """The mean along axes; of integers, rounded towards zero."""

def Merge(inputs: _Any, name: str | None = None) -> _Merge:
    """Forwards the one input that has a value, and its index."""

def MergeSummary(inputs: _Any, name: str | None = None) -> Tensor:
    """Merges Summary messages into one."""

def MergeV2Checkpoints(
    checkpoint_prefixes: _Any, destination_prefix: _Any, delete_old_dirs: bool = True,
    name: str | None = None,
) -> Operation:
    """Merges several checkpoints into one, and removes their directories if these are empty then."""

def Mfcc(
    spectrogram: _Any, sample_rate: _Any, upper_frequency_limit: float = 4000.0,
    lower_frequency_limit: float = 20.0, filterbank_channel_count: int = 40,
    dct_coefficient_count: int = 13, name: str | None = None,
) -> Tensor:
    """The mel-frequency cepstral coefficients (MFCCs) of a squared spectrogram, [channels, windows,
    frequencies]."""

def Min(input: _Any, axis: _Any, keep_dims: bool = False, name: str | None = None) -> Tensor:
    """The minimum along axes."""

Minimum = minimum

def MirrorPad(input: _Any, paddings: _Any, mode: str, name: str | None = None) -> Tensor:
    """Pads `input` with its mirror image, without (REFLECT) or with (SYMMETRIC) the edge elements."""

def MirrorPadGrad(input: _Any, paddings: _Any, mode: str, name: str | None = None) -> Tensor:
    """The gradient of MirrorPad: folds the padding back onto the middle and adds."""

def Mod(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """The remainder, with the sign of `x`."""

def ModelDataset(
    input_dataset: _Any, output_types: _Any, output_shapes: _Any, algorithm: int = 0, cpu_budget: int = 0,
    name: str | None = None,
) -> Tensor:
    """The same dataset."""

Mul = multiply

def MulNoNan(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """x * y, or 0 where `y` is 0."""

def Multinomial(
    logits: _Any, num_samples: _Any, seed: int = 0, seed2: int = 0, output_dtype: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """Samples class numbers from categorical distributions, given by rows of unnormalized
    log-probabilities."""

def MutableDenseHashTable(
    empty_key: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, value_shape: _Any = ..., initial_num_buckets: int = 131072,
    max_load_factor: float = 0.800000011920929, name: str | None = None,
) -> Tensor:
    """Creates a mutable hash table with open addressing."""

def MutableDenseHashTableV2(
    empty_key: _Any, deleted_key: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, value_shape: _Any = ..., initial_num_buckets: int = 131072,
    max_load_factor: float = 0.800000011920929, name: str | None = None,
) -> Tensor:
    """Creates a mutable hash table with open addressing, from which entries can be removed."""

def MutableHashTable(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, name: str | None = None,
) -> Tensor:
    """Creates a mutable hash table."""

def MutableHashTableOfTensors(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, value_shape: _Any = ..., name: str | None = None,
) -> Tensor:
    """Creates a mutable hash table of vectors."""

def MutableHashTableOfTensorsV2(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, value_shape: _Any = ..., name: str | None = None,
) -> Tensor:
    """Creates a mutable hash table of vectors."""

def MutableHashTableV2(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, name: str | None = None,
) -> Tensor:
    """Creates a mutable hash table."""

def MutexLock(mutex: _Any, name: str | None = None) -> Tensor:
    """Acquires a mutex, waiting for it."""

def MutexV2(container: str = '', shared_name: str = '', name: str | None = None) -> Tensor:
    """Creates a mutex."""

def Ndtri(x: _Any, name: str | None = None) -> Tensor:
    """The inverse cumulative distribution function (quantile function) of the standard normal
    distribution."""

def NearestNeighbors(
    points: _Any, centers: _Any, k: _Any, name: str | None = None,
) -> _NearestNeighbors:
    """The `k` nearest centers of each point, nearest first, and their squared distances."""

@overload
def Neg(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> _Any:
    """The negative -x."""
@overload
def Neg(x: _Any, name: str | None = None) -> Tensor:
    """The negative -x."""

NextAfter = nextafter

def NextIteration(data: _Any, name: str | None = None) -> Tensor:
    """Passes a value to the next iteration."""

NoOp = no_op

def NonDeterministicInts(shape: _Any, dtype: _Any = ..., name: str | None = None) -> Tensor:
    """Integers that differ from run to run."""

def NonMaxSuppression(
    boxes: _Any, scores: _Any, max_output_size: _Any, iou_threshold: float = 0.5, name: str | None = None,
) -> Tensor:
    """Greedy non-maximum suppression: selects boxes by score, skipping those that overlap a selected box
    too much."""

def NonMaxSuppressionV2(
    boxes: _Any, scores: _Any, max_output_size: _Any, iou_threshold: _Any, name: str | None = None,
) -> Tensor:
    """NonMaxSuppression with the threshold as a tensor."""

def NonMaxSuppressionV3(
    boxes: _Any, scores: _Any, max_output_size: _Any, iou_threshold: _Any, score_threshold: _Any,
    name: str | None = None,
) -> Tensor:
    """NonMaxSuppressionV2 of the boxes with a score above `score_threshold`."""

def NonMaxSuppressionV4(
    boxes: _Any, scores: _Any, max_output_size: _Any, iou_threshold: _Any, score_threshold: _Any,
    pad_to_max_output_size: bool = False, name: str | None = None,
) -> _NonMaxSuppressionV4:
    """NonMaxSuppressionV3 with the number of selected boxes; the indices may be padded with zeros."""

def NonMaxSuppressionV5(
    boxes: _Any, scores: _Any, max_output_size: _Any, iou_threshold: _Any, score_threshold: _Any,
    soft_nms_sigma: _Any, pad_to_max_output_size: bool = False, name: str | None = None,
) -> _NonMaxSuppressionV5:
    """NonMaxSuppressionV4 with the scores; a positive sigma selects Soft-NMS (Bodla et al., 2017)."""

def NonMaxSuppressionWithOverlaps(
    overlaps: _Any, scores: _Any, max_output_size: _Any, overlap_threshold: _Any, score_threshold: _Any,
    name: str | None = None,
) -> Tensor:
    """NonMaxSuppressionV3 with a given matrix of pairwise overlaps."""

def NonSerializableDataset(
    input_dataset: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """The same dataset."""

NotEqual = not_equal

def NthElement(input: _Any, n: _Any, reverse: bool = False, name: str | None = None) -> Tensor:
    """The order statistic along the last axis: the element at index `n` of the sorted row, descending if
    `reverse`."""

def ObtainNext(list: _Any, counter: _Any, name: str | None = None) -> Tensor:
    """Advances the counter and returns the element that it then points at; the first follows the last."""

def OneHot(
    indices: _Any, depth: _Any, on_value: _Any, off_value: _Any, axis: int = -1, name: str | None = None,
) -> Tensor:
    """One-hot encoding: `on_value` at each index along a new axis of size `depth`, `off_value`
    elsewhere."""

def OneShotIterator(
    dataset_factory: _Any, output_types: _Any, output_shapes: _Any, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """An iterator over the dataset that a function gives, once."""

def OnesLike(x: _Any, name: str | None = None) -> Tensor:
    """Ones of the shape of `x`."""

def OptimizeDataset(
    input_dataset: _Any, optimizations: _Any, output_types: _Any, output_shapes: _Any,
    optimization_configs: _Any = ..., name: str | None = None,
) -> Tensor:
    """The same dataset, rewritten in these ways alone when it runs; names that are not known here have no
    meaning."""

def OptimizeDatasetV2(
    input_dataset: _Any, optimizations_enabled: _Any, optimizations_disabled: _Any,
    optimizations_default: _Any, output_types: _Any, output_shapes: _Any, optimization_configs: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """The same dataset."""

def OptionalFromValue(components: _Any, name: str | None = None) -> Tensor:
    """An optional that holds tensors."""

def OptionalGetValue(
    optional: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> list[Tensor]:
    """The tensors in an optional."""

def OptionalHasValue(optional: _Any, name: str | None = None) -> Tensor:
    """Whether an optional has a value."""

def OptionalNone(name: str | None = None) -> Tensor:
    """An absent optional."""

def OptionsDataset(
    input_dataset: _Any, serialized_options: str, output_types: _Any, output_shapes: _Any,
    metadata: str = '', name: str | None = None,
) -> Tensor:
    """The same dataset, as written if the options turn the usual rewrites off."""

def OrderedMapClear(
    dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '', shared_name: str = '',
    name: str | None = None,
) -> Operation:
    """Removes all elements, complete or not."""

def OrderedMapIncompleteSize(
    dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '', shared_name: str = '',
    name: str | None = None,
) -> Tensor:
    """The number of elements of which components are missing."""

def OrderedMapPeek(
    key: _Any, indices: _Any, dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> list[Tensor]:
    """Components of the element of a key, waiting until it is complete."""

def OrderedMapSize(
    dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '', shared_name: str = '',
    name: str | None = None,
) -> Tensor:
    """The number of complete elements."""

def OrderedMapStage(
    key: _Any, indices: _Any, values: _Any, dtypes: _Any, capacity: int = 0, memory_limit: int = 0,
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Operation:
    """Adds components to the element of a key, waiting for room."""

def OrderedMapUnstage(
    key: _Any, indices: _Any, dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> list[Tensor]:
    """Removes components of the element of a key, waiting until it is complete."""

def OrderedMapUnstageNoKey(
    indices: _Any, dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> _OrderedMapUnstageNoKey:
    """Removes components of an element, waiting for a complete one; returns its key too."""

def OutfeedDequeue(
    dtype: _Any, shape: _Any, device_ordinal: int = -1, name: str | None = None,
) -> Tensor:
    """Takes a tensor from the queue out of a device, waiting for one."""

def OutfeedDequeueTuple(
    dtypes: _Any, shapes: _Any, device_ordinal: int = -1, name: str | None = None,
) -> list[Tensor]:
    """Takes tensors that were put together from the queue out of a device, waiting for them."""

def OutfeedEnqueue(input: _Any, name: str | None = None) -> Operation:
    """Puts a tensor into the queue out of a device."""

def OutfeedEnqueueTuple(inputs: _Any, name: str | None = None) -> Operation:
    """Puts several tensors together into the queue out of a device."""

def Pack(values: _Any, axis: int = 0, name: str | None = None) -> Tensor:
    """Stacks tensors of one shape along a new axis."""

def Pad(input: _Any, paddings: _Any, name: str | None = None) -> Tensor:
    """Pads `input` with zeros: paddings[i] is (before, after) for axis i."""

def PadV2(input: _Any, paddings: _Any, constant_values: _Any, name: str | None = None) -> Tensor:
    """Pads `input` with `constant_values`."""

def PaddedBatchDataset(
    input_dataset: _Any, batch_size: _Any, padded_shapes: _Any, padding_values: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of consecutive elements, padded and stacked."""

def PaddedBatchDatasetV2(
    input_dataset: _Any, batch_size: _Any, padded_shapes: _Any, padding_values: _Any, drop_remainder: _Any,
    output_shapes: _Any, parallel_copy: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of consecutive elements, padded and stacked."""

def PaddingFIFOQueueV2(
    component_types: _Any, shapes: _Any = ..., capacity: int = -1, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A FIFO queue that pads elements to the largest of a batch."""

def ParallelBatchDataset(
    input_dataset: _Any, batch_size: _Any, num_parallel_calls: _Any, drop_remainder: _Any,
    output_types: _Any, output_shapes: _Any, parallel_copy: bool = False, deterministic: str = 'default',
    metadata: str = '', name: str | None = None,
) -> Tensor:
    """A dataset of consecutive elements, stacked."""

def ParallelConcat(values: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """Concatenates tensors of first size 1 along the first axis."""

def ParallelDynamicStitch(indices: _Any, data: _Any, name: str | None = None) -> Tensor:
    """DynamicStitch for indices without duplicates."""

def ParallelFilterDataset(
    input_dataset: _Any, other_arguments: _Any, num_parallel_calls: _Any, predicate: _Any,
    output_types: _Any, output_shapes: _Any, deterministic: str = 'default', metadata: str = '',
    name: str | None = None,
) -> Tensor:
    """A dataset of the elements for which a predicate holds."""

def ParallelInterleaveDataset(
    input_dataset: _Any, other_arguments: _Any, cycle_length: _Any, block_length: _Any, sloppy: _Any,
    buffer_output_elements: _Any, prefetch_input_elements: _Any, f: _Any, output_types: _Any,
    output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """Elements of datasets that a function makes, some datasets at a time, in the same order even if
    `sloppy`."""

def ParallelInterleaveDatasetV2(
    input_dataset: _Any, other_arguments: _Any, cycle_length: _Any, block_length: _Any,
    num_parallel_calls: _Any, f: _Any, output_types: _Any, output_shapes: _Any, sloppy: bool = False,
    name: str | None = None,
) -> Tensor:
    """The same, computed ahead by a thread, in the same order even if `sloppy` allows others."""

def ParallelInterleaveDatasetV3(
    input_dataset: _Any, other_arguments: _Any, cycle_length: _Any, block_length: _Any,
    num_parallel_calls: _Any, f: _Any, output_types: _Any, output_shapes: _Any,
    deterministic: str = 'default', metadata: str = '', name: str | None = None,
) -> Tensor:
    """The same, computed ahead by a thread, in the same order even if `sloppy` allows others."""

def ParallelInterleaveDatasetV4(
    input_dataset: _Any, other_arguments: _Any, cycle_length: _Any, block_length: _Any,
    buffer_output_elements: _Any, prefetch_input_elements: _Any, num_parallel_calls: _Any, f: _Any,
    output_types: _Any, output_shapes: _Any, deterministic: str = 'default', metadata: str = '',
    name: str | None = None,
) -> Tensor:
    """The same, computed ahead by a thread, in the same order even if `sloppy` allows others."""

def ParallelMapDataset(
    input_dataset: _Any, other_arguments: _Any, num_parallel_calls: _Any, f: _Any, output_types: _Any,
    output_shapes: _Any, use_inter_op_parallelism: bool = True, sloppy: bool = False,
    preserve_cardinality: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of the results of a function, computed ahead by threads, in order unless `sloppy`."""

def ParallelMapDatasetV2(
    input_dataset: _Any, other_arguments: _Any, num_parallel_calls: _Any, f: _Any, output_types: _Any,
    output_shapes: _Any, use_inter_op_parallelism: bool = True, deterministic: str = 'default',
    preserve_cardinality: bool = False, metadata: str = '', name: str | None = None,
) -> Tensor:
    """A dataset of the results of a function, computed ahead by threads, in order unless `sloppy`."""

def ParameterizedTruncatedNormal(
    shape: _Any, means: _Any, stdevs: _Any, minvals: _Any, maxvals: _Any, seed: int = 0, seed2: int = 0,
    name: str | None = None,
) -> Tensor:
    """Samples of truncated normal distributions, with mean, deviation and bounds per row."""

def ParseExample(
    serialized: _Any, names: _Any, sparse_keys: _Any, dense_keys: _Any, dense_defaults: _Any,
    sparse_types: _Any, dense_shapes: _Any, name: str | None = None,
) -> _ParseExample:
    """Parses the features of a batch of serialized Examples."""

def ParseExampleDataset(
    input_dataset: _Any, num_parallel_calls: _Any, dense_defaults: _Any, sparse_keys: _Any,
    dense_keys: _Any, sparse_types: _Any, dense_shapes: _Any, output_types: _Any, output_shapes: _Any,
    sloppy: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of the features of serialized Examples, in the order of the dataset even if `sloppy`."""

def ParseExampleDatasetV2(
    input_dataset: _Any, num_parallel_calls: _Any, dense_defaults: _Any, sparse_keys: _Any,
    dense_keys: _Any, sparse_types: _Any, dense_shapes: _Any, output_types: _Any, output_shapes: _Any,
    deterministic: str = 'default', ragged_keys: _Any = ..., ragged_value_types: _Any = ...,
    ragged_split_types: _Any = ..., name: str | None = None,
) -> Tensor:
    """A dataset of the features of serialized Examples, in the order of the dataset even if `sloppy`."""

def ParseExampleV2(
    serialized: _Any, names: _Any, sparse_keys: _Any, dense_keys: _Any, ragged_keys: _Any,
    dense_defaults: _Any, num_sparse: int, sparse_types: _Any, ragged_value_types: _Any,
    ragged_split_types: _Any, dense_shapes: _Any, name: str | None = None,
) -> _ParseExampleV2:
    """Parses the features of a batch of serialized Examples, or of one."""

def ParseSequenceExample(
    serialized: _Any, debug_name: _Any, context_dense_defaults: _Any,
    feature_list_dense_missing_assumed_empty: _Any, context_sparse_keys: _Any, context_dense_keys: _Any,
    feature_list_sparse_keys: _Any, feature_list_dense_keys: _Any, Ncontext_sparse: int = 0,
    Ncontext_dense: int = 0, Nfeature_list_sparse: int = 0, Nfeature_list_dense: int = 0,
    context_sparse_types: _Any = ..., feature_list_dense_types: _Any = ...,
    context_dense_shapes: _Any = ..., feature_list_sparse_types: _Any = ...,
    feature_list_dense_shapes: _Any = ..., name: str | None = None,
) -> _ParseSequenceExample:
    """Parses the contexts and feature lists of a batch of serialized SequenceExamples."""

def ParseSingleExample(
    serialized: _Any, dense_defaults: _Any, num_sparse: int, sparse_keys: _Any, dense_keys: _Any,
    sparse_types: _Any, dense_shapes: _Any, name: str | None = None,
) -> _ParseSingleExample:
    """Parses the features of one serialized Example."""

def ParseSingleSequenceExample(
    serialized: _Any, feature_list_dense_missing_assumed_empty: _Any, context_sparse_keys: _Any,
    context_dense_keys: _Any, feature_list_sparse_keys: _Any, feature_list_dense_keys: _Any,
    context_dense_defaults: _Any, debug_name: _Any, context_sparse_types: _Any = ...,
    feature_list_dense_types: _Any = ..., context_dense_shapes: _Any = ...,
    feature_list_sparse_types: _Any = ..., feature_list_dense_shapes: _Any = ..., name: str | None = None,
) -> _ParseSingleSequenceExample:
    """Parses the context and the feature lists of one serialized SequenceExample."""

ParseTensor = parse_tensor

def PartitionedCall(
    args: _Any, Tout: _Any, f: _Any, config: str = '', config_proto: str = '', executor_type: str = '',
    name: str | None = None,
) -> list[Tensor]:
    """Calls a function without side effects."""

def PeriodicResample(values: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """Spreads one axis over the others, so that these have the sizes in `shape`."""

def PeriodicResampleOpGrad(
    grad: _Any, original_shape: _Any, desired_shape: _Any, name: str | None = None,
) -> Tensor:
    """The gradient of PeriodicResample: every element goes back to where it came from."""

def Placeholder(dtype: _Any, shape: _Any = None, name: str | None = None) -> Tensor:
    """A placeholder: a tensor whose value must be fed in every step."""

def PlaceholderV2(dtype: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """A placeholder: a tensor whose value must be fed in every step."""

PlaceholderWithDefault = placeholder_with_default
Polygamma = polygamma

def PopulationCount(x: _Any, name: str | None = None) -> Tensor:
    """The number of set bits."""

Pow = pow

def PrefetchDataset(
    input_dataset: _Any, buffer_size: _Any, output_types: _Any, output_shapes: _Any, slack_period: int = 0,
    legacy_autotune: bool = True, name: str | None = None,
) -> Tensor:
    """A dataset whose elements are computed ahead."""

def PreventGradient(input: _Any, message: str = '', name: str | None = None) -> Tensor:
    """Forwards its input unchanged; differentiating through it raises an error."""

def Print(
    input: _Any, data: _Any, message: str = '', first_n: int = -1, summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """Forwards `input`; prints `message` and `data` to stderr, at most `first_n` times."""

def PrintV2(
    input: _Any, output_stream: str = 'stderr', end: str = '\n', name: str | None = None,
) -> Operation:
    """Prints a string to stdout, stderr or a log, or appends it to the file `file://path`."""

def PriorityQueueV2(
    shapes: _Any, component_types: _Any = ..., capacity: int = -1, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A queue that dequeues the element with the smallest first component."""

def PrivateThreadPoolDataset(
    input_dataset: _Any, num_threads: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """The same dataset: each transformation has its own thread."""

def Prod(input: _Any, axis: _Any, keep_dims: bool = False, name: str | None = None) -> Tensor:
    """The product along axes."""

def PyFunc(input: _Any, token: str, Tout: _Any, name: str | None = None) -> list[Tensor]:
    """Calls a Python function with NumPy arrays and returns its results as tensors."""

def PyFuncStateless(input: _Any, token: str, Tout: _Any, name: str | None = None) -> list[Tensor]:
    """As PyFunc, for a function without side effects or state; one without arguments is called once."""

Qr = qr

def QuantileAccumulatorAddSummaries(
    quantile_accumulator_handles: _Any, stamp_token: _Any, summaries: _Any, name: str | None = None,
) -> Operation:
    """Adds a summary to each accumulator whose stamp is this one."""

def QuantileAccumulatorDeserialize(
    quantile_accumulator_handle: _Any, stamp_token: _Any, stream_state: _Any, are_buckets_ready: _Any,
    buckets: _Any, name: str | None = None,
) -> Operation:
    """Replaces the state of an accumulator."""

def QuantileAccumulatorFlush(
    quantile_accumulator_handle: _Any, stamp_token: _Any, next_stamp_token: _Any, name: str | None = None,
) -> Operation:
    """Makes boundaries of what came in, and goes on to the next stamp."""

def QuantileAccumulatorFlushSummary(
    quantile_accumulator_handle: _Any, stamp_token: _Any, next_stamp_token: _Any, name: str | None = None,
) -> Tensor:
    """The summary of what came in; goes on to the next stamp."""

def QuantileAccumulatorGetBuckets(
    quantile_accumulator_handles: _Any, stamp_token: _Any, name: str | None = None,
) -> _QuantileAccumulatorGetBuckets:
    """The boundaries of the last flush, if they are of this stamp."""

def QuantileAccumulatorIsInitialized(
    quantile_accumulator_handle: _Any, name: str | None = None,
) -> Tensor:
    """Whether a quantile accumulator has been created."""

def QuantileAccumulatorSerialize(
    quantile_accumulator_handle: _Any, name: str | None = None,
) -> _QuantileAccumulatorSerialize:
    """The stamp, the stream, and the boundaries."""

def QuantileBuckets(
    dense_float_features: _Any, sparse_float_feature_indices: _Any, sparse_float_feature_values: _Any,
    sparse_float_feature_shapes: _Any, example_weights: _Any, dense_config: _Any, sparse_config: _Any,
    name: str | None = None,
) -> _QuantileBuckets:
    """The boundaries of every feature of a batch."""

def QuantileStreamResourceHandleOp(
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Creates a handle of a quantile accumulator."""

def Quantiles(
    dense_values: _Any, sparse_values: _Any, dense_buckets: _Any, sparse_buckets: _Any,
    sparse_indices: _Any, name: str | None = None,
) -> _Quantiles:
    """(bucket, dimension) of every value; the last bucket takes in what is above it."""

def QuantizeAndDequantize(
    input: _Any, signed_input: bool = True, num_bits: int = 8, range_given: bool = False,
    input_min: float = 0.0, input_max: float = 0.0, name: str | None = None,
) -> Tensor:
    """QuantizeAndDequantizeV2 with a fixed range."""

def QuantizeAndDequantizeV2(
    input: _Any, input_min: _Any, input_max: _Any, signed_input: bool = True, num_bits: int = 8,
    range_given: bool = False, round_mode: str = 'HALF_TO_EVEN', narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Rounds numbers to the levels of a `num_bits` quantization, symmetric about zero if signed."""

def QuantizeAndDequantizeV3(
    input: _Any, input_min: _Any, input_max: _Any, num_bits: _Any, signed_input: bool = True,
    range_given: bool = True, narrow_range: bool = False, name: str | None = None,
) -> Tensor:
    """QuantizeAndDequantizeV2 with the number of bits as an input."""

def QuantizeDownAndShrinkRange(
    input: _Any, input_min: _Any, input_max: _Any, out_type: _Any, name: str | None = None,
) -> _QuantizeDownAndShrinkRange:
    """Requantizes to fewer bits, with the range of the values that occur."""

def QuantizeV2(
    input: _Any, min_range: _Any, max_range: _Any, T: _Any, mode: str = 'MIN_COMBINED',
    round_mode: str = 'HALF_AWAY_FROM_ZERO', name: str | None = None,
) -> _QuantizeV2:
    """Quantizes numbers to integers of few bits; returns the range that the integers represent too."""

def QuantizedAdd(
    x: _Any, y: _Any, min_x: _Any, max_x: _Any, min_y: _Any, max_y: _Any, Toutput: _Any = ...,
    name: str | None = None,
) -> _QuantizedAdd:
    """Quantized elementwise addition."""

QuantizedAvgPool = quantized_avg_pool

def QuantizedBatchNormWithGlobalNormalization(
    t: _Any, t_min: _Any, t_max: _Any, m: _Any, m_min: _Any, m_max: _Any, v: _Any, v_min: _Any, v_max: _Any,
    beta: _Any, beta_min: _Any, beta_max: _Any, gamma: _Any, gamma_min: _Any, gamma_max: _Any,
    out_type: _Any, variance_epsilon: float, scale_after_normalization: bool, name: str | None = None,
) -> _QuantizedBatchNormWithGlobalNormalization:
    """Quantized batch normalization: (t - m) / sqrt(v + epsilon) * gamma + beta per channel."""

def QuantizedBiasAdd(
    input: _Any, bias: _Any, min_input: _Any, max_input: _Any, min_bias: _Any, max_bias: _Any,
    out_type: _Any, name: str | None = None,
) -> _QuantizedBiasAdd:
    """Adds a quantized bias per channel to a quantized tensor."""

QuantizedConcat = quantized_concat
QuantizedConv2D = quantized_conv2d

def QuantizedInstanceNorm(
    x: _Any, x_min: _Any, x_max: _Any, output_range_given: bool = False, given_y_min: float = 0.0,
    given_y_max: float = 0.0, variance_epsilon: float = 9.999999747378752e-06,
    min_separation: float = 0.0010000000474974513, name: str | None = None,
) -> _QuantizedInstanceNorm:
    """Quantized instance normalization: each channel of each image minus its mean, over its deviation."""

def QuantizedMatMul(
    a: _Any, b: _Any, min_a: _Any, max_a: _Any, min_b: _Any, max_b: _Any, Toutput: _Any = ...,
    transpose_a: bool = False, transpose_b: bool = False, Tactivation: _Any = ..., name: str | None = None,
) -> _QuantizedMatMul:
    """Quantized matrix multiplication."""

QuantizedMaxPool = quantized_max_pool

def QuantizedMul(
    x: _Any, y: _Any, min_x: _Any, max_x: _Any, min_y: _Any, max_y: _Any, Toutput: _Any = ...,
    name: str | None = None,
) -> _QuantizedMul:
    """Quantized elementwise multiplication."""

def QuantizedRelu(
    features: _Any, min_features: _Any, max_features: _Any, out_type: _Any = ..., name: str | None = None,
) -> _QuantizedRelu:
    """Quantized rectified linear unit: max(features, 0)."""

def QuantizedRelu6(
    features: _Any, min_features: _Any, max_features: _Any, out_type: _Any = ..., name: str | None = None,
) -> _QuantizedRelu6:
    """Quantized ReLU6: features clipped to [0, 6]."""

QuantizedReluX = quantized_relu_x

def QuantizedReshape(
    tensor: _Any, shape: _Any, input_min: _Any, input_max: _Any, name: str | None = None,
) -> _QuantizedReshape:
    """Reshapes a quantized tensor."""

def QuantizedResizeBilinear(
    images: _Any, size: _Any, min: _Any, max: _Any, align_corners: bool = False,
    half_pixel_centers: bool = False, name: str | None = None,
) -> _QuantizedResizeBilinear:
    """ResizeBilinear of quantized images; the range is unchanged."""

def QueueCloseV2(
    handle: _Any, cancel_pending_enqueues: bool = False, name: str | None = None,
) -> Operation:
    """Closes a queue for enqueues."""

def QueueDequeueManyV2(
    handle: _Any, n: _Any, component_types: _Any, timeout_ms: int = -1, name: str | None = None,
) -> list[Tensor]:
    """Dequeues n elements, waiting for all of them, and stacks them."""

def QueueDequeueUpToV2(
    handle: _Any, n: _Any, component_types: _Any, timeout_ms: int = -1, name: str | None = None,
) -> list[Tensor]:
    """Dequeues n elements, or the rest of a closed queue, and stacks them."""

def QueueDequeueV2(
    handle: _Any, component_types: _Any, timeout_ms: int = -1, name: str | None = None,
) -> list[Tensor]:
    """Dequeues an element, waiting for it."""

def QueueEnqueueManyV2(
    handle: _Any, components: _Any, timeout_ms: int = -1, name: str | None = None,
) -> Operation:
    """Enqueues the rows of the components as elements, waiting for capacity."""

def QueueEnqueueV2(
    handle: _Any, components: _Any, timeout_ms: int = -1, name: str | None = None,
) -> Operation:
    """Enqueues an element, waiting for capacity."""

def QueueIsClosedV2(handle: _Any, name: str | None = None) -> Tensor:
    """Whether a queue is closed."""

def QueueSizeV2(handle: _Any, name: str | None = None) -> Tensor:
    """The number of elements in a queue."""

def RFFT(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The discrete Fourier transform of real numbers in 1 dimensions, without its redundant half."""

def RFFT2D(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The discrete Fourier transform of real numbers in 2 dimensions, without its redundant half."""

def RFFT3D(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The discrete Fourier transform of real numbers in 3 dimensions, without its redundant half."""

RGBToHSV = rgb_to_hsv

def RaggedBincount(
    splits: _Any, values: _Any, size: _Any, weights: _Any, binary_output: bool = False,
    name: str | None = None,
) -> Tensor:
    """Counts the occurrences of each of 0 ... size - 1 in each row of a ragged matrix."""

def RaggedGather(
    params_nested_splits: _Any, params_dense_values: _Any, indices: _Any, OUTPUT_RAGGED_RANK: int,
    name: str | None = None,
) -> _RaggedGather:
    """Gathers rows of a ragged tensor; the result has the shape of the indices, then the rows."""

def RaggedRange(
    starts: _Any, limits: _Any, deltas: _Any, Tsplits: _Any = ..., name: str | None = None,
) -> _RaggedRange:
    """A ragged tensor of ranges, one row for each start, limit and delta; scalars apply to all rows."""

def RaggedTensorFromVariant(
    encoded_ragged: _Any, input_ragged_rank: int, output_ragged_rank: int, Tvalues: _Any, Tsplits: _Any,
    name: str | None = None,
) -> _RaggedTensorFromVariant:
    """Decodes variants of ragged tensors and stacks them as the rows of one."""

def RaggedTensorToSparse(
    rt_nested_splits: _Any, rt_dense_values: _Any, name: str | None = None,
) -> _RaggedTensorToSparse:
    """Converts a ragged tensor to a sparse one: the values with their coordinates, and the bounding
    shape."""

def RaggedTensorToTensor(
    shape: _Any, values: _Any, default_value: _Any, row_partition_tensors: _Any, row_partition_types: _Any,
    name: str | None = None,
) -> Tensor:
    """Converts a ragged tensor to a dense one: pads short rows with the default value and truncates long
    ones."""

def RaggedTensorToVariant(
    rt_nested_splits: _Any, rt_dense_values: _Any, batched_input: bool, name: str | None = None,
) -> Tensor:
    """Encodes a ragged tensor as one variant, or with `batched_input` each of its rows as one."""

def RandomDataset(
    seed: _Any, seed2: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of random numbers."""

def RandomDatasetV2(
    seed: _Any, seed2: _Any, seed_generator: _Any, output_types: _Any, output_shapes: _Any,
    rerandomize_each_iteration: bool = False, metadata: str = '', name: str | None = None,
) -> Tensor:
    """A dataset of random numbers, the same in each epoch."""

def RandomGamma(
    shape: _Any, alpha: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Samples of gamma distributions with shape `alpha` and rate 1."""

def RandomGammaGrad(alpha: _Any, sample: _Any, name: str | None = None) -> Tensor:
    """The derivative of a gamma sample with respect to its shape parameter (implicit
    reparameterization)."""

def RandomPoisson(
    shape: _Any, rate: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Samples of Poisson distributions, in the dtype of the rate; superseded by RandomPoissonV2."""

def RandomPoissonV2(
    shape: _Any, rate: _Any, seed: int = 0, seed2: int = 0, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Samples of Poisson distributions with the given rates."""

def RandomShuffle(value: _Any, seed: int = 0, seed2: int = 0, name: str | None = None) -> Tensor:
    """Randomly permutes the slices along the first axis."""

def RandomShuffleQueueV2(
    component_types: _Any, shapes: _Any = ..., capacity: int = -1, min_after_dequeue: int = 0,
    seed: int = 0, seed2: int = 0, container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A queue that dequeues its elements in random order."""

def RandomStandardNormal(
    shape: _Any, dtype: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Standard normal random numbers."""

def RandomUniform(
    shape: _Any, dtype: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Uniform floats in [0, 1)."""

def RandomUniformInt(
    shape: _Any, minval: _Any, maxval: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Uniform random integers in [minval, maxval)."""

def Range(start: _Any, limit: _Any, delta: _Any, name: str | None = None) -> Tensor:
    """The sequence start, start + delta, ..., excluding `limit`."""

def RangeDataset(
    start: _Any, stop: _Any, step: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of numbers at equal distances."""

def Rank(input: _Any, name: str | None = None) -> Tensor:
    """The rank of `input`: its number of dimensions."""

ReadFile = read_file

def ReadVariableOp(resource: _Any, dtype: _Any, name: str | None = None) -> Tensor:
    """Reads a resource variable."""

def ReaderNumRecordsProducedV2(reader_handle: _Any, name: str | None = None) -> Tensor:
    """The number of records produced so far."""

def ReaderNumWorkUnitsCompletedV2(reader_handle: _Any, name: str | None = None) -> Tensor:
    """The number of files read to the end."""

def ReaderReadUpToV2(
    reader_handle: _Any, queue_handle: _Any, num_records: _Any, name: str | None = None,
) -> _ReaderReadUpToV2:
    """Reads at most `num_records` records; fewer at the end of a file."""

def ReaderReadV2(reader_handle: _Any, queue_handle: _Any, name: str | None = None) -> _ReaderReadV2:
    """Reads the next record; dequeues a file name when needed."""

def ReaderResetV2(reader_handle: _Any, name: str | None = None) -> Operation:
    """Resets a reader to its initial state; it continues with the next file of the queue."""

def ReaderRestoreStateV2(reader_handle: _Any, state: _Any, name: str | None = None) -> Operation:
    """Restores a reader's serialized state."""

def ReaderSerializeStateV2(reader_handle: _Any, name: str | None = None) -> Tensor:
    """The reader's state, for ReaderRestoreStateV2."""

def Real(input: _Any, Tout: _Any = ..., name: str | None = None) -> Tensor:
    """The real part, elementwise."""

RealDiv = realdiv
Reciprocal = reciprocal

def ReciprocalGrad(y: _Any, dy: _Any, name: str | None = None) -> Tensor:
    """The gradient of Reciprocal from its result."""

def RecordInput(
    file_pattern: str, file_random_seed: int = 301, file_shuffle_shift_ratio: float = 0.0,
    file_buffer_size: int = 10000, file_parallelism: int = 16, batch_size: int = 32,
    compression_type: str = '', name: str | None = None,
) -> Tensor:
    """A batch of records."""

def ReduceDataset(
    input_dataset: _Any, initial_state: _Any, other_arguments: _Any, f: _Any, output_types: _Any,
    output_shapes: _Any, use_inter_op_parallelism: bool = True, name: str | None = None,
) -> list[Tensor]:
    """What a function of a state and an element makes of the first state."""

def ReduceJoin(
    inputs: _Any, reduction_indices: _Any, keep_dims: bool = False, separator: str = '',
    name: str | None = None,
) -> Tensor:
    """Joins the strings along some axes, in the given order of axes."""

def ReduceSliceMax(data: _Any, indices: _Any, axis: _Any, name: str | None = None) -> Tensor:
    """The greatest elements of slices; for an empty one the least number of the dtype."""

def ReduceSliceMin(data: _Any, indices: _Any, axis: _Any, name: str | None = None) -> Tensor:
    """The least elements of slices; for an empty one the greatest number of the dtype."""

def ReduceSliceProd(data: _Any, indices: _Any, axis: _Any, name: str | None = None) -> Tensor:
    """The products of slices; 1 for an empty one."""

def ReduceSliceSum(data: _Any, indices: _Any, axis: _Any, name: str | None = None) -> Tensor:
    """The sums of slices; 0 for an empty one."""

def RefEnter(
    data: _Any, frame_name: str, is_constant: bool = False, parallel_iterations: int = 10,
    name: str | None = None,
) -> Tensor:
    """An Enter of a reference."""

def RefExit(data: _Any, name: str | None = None) -> Tensor:
    """An Exit of a reference."""

def RefIdentity(input: _Any, name: str | None = None) -> Tensor:
    """Forwards its reference."""

def RefMerge(inputs: _Any, name: str | None = None) -> _RefMerge:
    """A Merge of references."""

def RefNextIteration(data: _Any, name: str | None = None) -> Tensor:
    """A NextIteration of a reference."""

def RefSwitch(data: _Any, pred: _Any, name: str | None = None) -> _RefSwitch:
    """A Switch of a reference."""

def RegexFullMatch(input: _Any, pattern: _Any, name: str | None = None) -> Tensor:
    """Whether the pattern matches the whole of each string."""

def RegexReplace(
    input: _Any, pattern: _Any, rewrite: _Any, replace_global: bool = True, name: str | None = None,
) -> Tensor:
    """Replaces the first match, or all matches, of a pattern in each string."""

Relu = relu
Relu6 = relu6

def Relu6Grad(gradients: _Any, features: _Any, name: str | None = None) -> Tensor:
    """The gradient of Relu6."""

def ReluGrad(gradients: _Any, features: _Any, name: str | None = None) -> Tensor:
    """The gradient of Relu."""

def RemoteCall(target: _Any, args: _Any, Tout: _Any, f: _Any, name: str | None = None) -> list[Tensor]:
    """Calls a function on another device, which must belong to this process."""

def RepeatDataset(
    input_dataset: _Any, count: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the elements `count` times, for ever if that is -1."""

def RequantizationRange(
    input: _Any, input_min: _Any, input_max: _Any, name: str | None = None,
) -> _RequantizationRange:
    """The range of the values that occur in a quantized tensor."""

def Requantize(
    input: _Any, input_min: _Any, input_max: _Any, requested_output_min: _Any, requested_output_max: _Any,
    out_type: _Any, name: str | None = None,
) -> _Requantize:
    """Requantizes to another range and dtype."""

def Resampler(data: _Any, warp: _Any, name: str | None = None) -> Tensor:
    """Samples images at the positions in `warp` by bilinear interpolation; zero outside the image."""

def ResamplerGrad(data: _Any, warp: _Any, grad_output: _Any, name: str | None = None) -> _ResamplerGrad:
    """The gradients of Resampler with respect to the images and the positions."""

Reshape = reshape
ResizeArea = resize_area

def ResizeBicubic(
    images: _Any, size: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """Resizes images by bicubic interpolation."""

def ResizeBicubicGrad(
    grads: _Any, original_image: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of ResizeBicubic."""

def ResizeBilinear(
    images: _Any, size: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """Resizes images by bilinear interpolation."""

def ResizeBilinearGrad(
    grads: _Any, original_image: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of ResizeBilinear."""

def ResizeNearestNeighbor(
    images: _Any, size: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """Resizes images by nearest-neighbour interpolation."""

def ResizeNearestNeighborGrad(
    grads: _Any, size: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of ResizeNearestNeighbor: each pixel gets the sum over its copies."""

def ResourceAccumulatorApplyGradient(
    handle: _Any, local_step: _Any, gradient: _Any, name: str | None = None,
) -> Operation:
    """Adds a gradient, unless its step is older than the accumulator's."""

def ResourceAccumulatorNumAccumulated(handle: _Any, name: str | None = None) -> Tensor:
    """The number of gradients aggregated so far."""

def ResourceAccumulatorSetGlobalStep(
    handle: _Any, new_global_step: _Any, name: str | None = None,
) -> Operation:
    """Sets the accumulator's step."""

def ResourceAccumulatorTakeGradient(
    handle: _Any, num_required: _Any, dtype: _Any, name: str | None = None,
) -> Tensor:
    """The mean or sum of the gradients, once the required number has arrived."""

def ResourceApplyAdaMax(
    var: _Any, m: _Any, v: _Any, beta1_power: _Any, lr: _Any, beta1: _Any, beta2: _Any, epsilon: _Any,
    grad: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """AdaMax (Kingma and Ba, 2014): Adam with the running infinity norm of gradients in place of
    sqrt(v)."""

def ResourceApplyAdadelta(
    var: _Any, accum: _Any, accum_update: _Any, lr: _Any, rho: _Any, epsilon: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Adadelta (Zeiler, 2012): scales the step by the RMS of earlier updates over the RMS of gradients."""

def ResourceApplyAdagrad(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, use_locking: bool = False, update_slots: bool = True,
    name: str | None = None,
) -> Operation:
    """Adagrad (Duchi et al., 2011): accum += grad ** 2; var -= lr * grad / sqrt(accum)."""

def ResourceApplyAdagradDA(
    var: _Any, gradient_accumulator: _Any, gradient_squared_accumulator: _Any, grad: _Any, lr: _Any,
    l1: _Any, l2: _Any, global_step: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Adagrad dual averaging: the variable is a function of the sums of all gradients and their squares."""

def ResourceApplyAdagradV2(
    var: _Any, accum: _Any, lr: _Any, epsilon: _Any, grad: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Operation:
    """Adagrad (Duchi et al., 2011): accum += grad ** 2; var -= lr * grad / (sqrt(accum) + epsilon)."""

def ResourceApplyAdam(
    var: _Any, m: _Any, v: _Any, beta1_power: _Any, beta2_power: _Any, lr: _Any, beta1: _Any, beta2: _Any,
    epsilon: _Any, grad: _Any, use_locking: bool = False, use_nesterov: bool = False,
    name: str | None = None,
) -> Operation:
    """Adam (Kingma and Ba, 2014): var -= lr_t * m / (sqrt(v) + epsilon); m, v: moving averages of grad,
    grad ** 2."""

def ResourceApplyAdamWithAmsgrad(
    var: _Any, m: _Any, v: _Any, vhat: _Any, beta1_power: _Any, beta2_power: _Any, lr: _Any, beta1: _Any,
    beta2: _Any, epsilon: _Any, grad: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """AMSGrad (Reddi et al., 2018): Adam with the running maximum of v."""

def ResourceApplyAddSign(
    var: _Any, m: _Any, lr: _Any, alpha: _Any, sign_decay: _Any, beta: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Operation:
    """AddSign (Bello et al., 2017): var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad."""

def ResourceApplyCenteredRMSProp(
    var: _Any, mg: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any,
    grad: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Centered RMSProp: RMSProp with the moving variance of the gradient in place of its mean square."""

def ResourceApplyFtrl(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, lr: _Any, l1: _Any, l2: _Any, lr_power: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Operation:
    """FTRL-Proximal (McMahan et al., 2013): follow the regularized leader."""

def ResourceApplyFtrlV2(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, lr: _Any, l1: _Any, l2: _Any, l2_shrinkage: _Any,
    lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """FTRL-Proximal (McMahan et al., 2013) with an L2 shrinkage penalty in the gradient."""

def ResourceApplyGradientDescent(
    var: _Any, alpha: _Any, delta: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """var -= alpha * delta."""

def ResourceApplyKerasMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Operation:
    """accum = momentum * accum - lr * grad; var += accum, or with Nesterov momentum momentum * accum - lr *
    grad."""

def ResourceApplyMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Operation:
    """accum = momentum * accum + grad; var -= lr * accum, or with Nesterov momentum lr * (grad + momentum *
    accum)."""

def ResourceApplyPowerSign(
    var: _Any, m: _Any, lr: _Any, logbase: _Any, sign_decay: _Any, beta: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Operation:
    """PowerSign (Bello et al., 2017): var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) *
    grad."""

def ResourceApplyProximalAdagrad(
    var: _Any, accum: _Any, lr: _Any, l1: _Any, l2: _Any, grad: _Any, use_locking: bool = False,
    name: str | None = None,
) -> Operation:
    """An Adagrad step, then the proximal operator of l1 and l2."""

def ResourceApplyProximalGradientDescent(
    var: _Any, alpha: _Any, l1: _Any, l2: _Any, delta: _Any, use_locking: bool = False,
    name: str | None = None,
) -> Operation:
    """A gradient step, then the proximal operator of l1 and l2."""

def ResourceApplyRMSProp(
    var: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Operation:
    """RMSProp: var -= mom, with mom = momentum * mom + lr * grad / sqrt(ms + epsilon) and ms the moving
    mean square."""

def ResourceConditionalAccumulator(
    dtype: _Any, shape: _Any, container: str = '', shared_name: str = '', reduction_type: str = 'MEAN',
    name: str | None = None,
) -> Tensor:
    """Creates an accumulator of gradients."""

def ResourceCountUpTo(resource: _Any, limit: int, T: _Any, name: str | None = None) -> Tensor:
    """Increments a scalar variable and returns its previous value; raises OutOfRangeError at the limit."""

def ResourceGather(
    resource: _Any, indices: _Any, dtype: _Any, batch_dims: int = 0, validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """Gathers the variable's rows at `indices`; with `batch_dims`, separately for each batch entry."""

def ResourceGatherNd(resource: _Any, indices: _Any, dtype: _Any, name: str | None = None) -> Tensor:
    """Gathers the variable's slices at the index vectors in the last dimension of `indices`."""

def ResourceScatterAdd(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatter-add of `updates` into the rows `indices` of a resource variable."""

def ResourceScatterDiv(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatter-div of `updates` into the rows `indices` of a resource variable."""

def ResourceScatterMax(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatter-max of `updates` into the rows `indices` of a resource variable."""

def ResourceScatterMin(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatter-min of `updates` into the rows `indices` of a resource variable."""

def ResourceScatterMul(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatter-mul of `updates` into the rows `indices` of a resource variable."""

def ResourceScatterNdAdd(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = True, name: str | None = None,
) -> Operation:
    """Scatter-add of `updates` into a resource variable at the index vectors `indices`."""

def ResourceScatterNdSub(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = True, name: str | None = None,
) -> Operation:
    """Scatter-sub of `updates` into a resource variable at the index vectors `indices`."""

def ResourceScatterNdUpdate(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = True, name: str | None = None,
) -> Operation:
    """Scatter-update of `updates` into a resource variable at the index vectors `indices`."""

def ResourceScatterSub(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatter-sub of `updates` into the rows `indices` of a resource variable."""

def ResourceScatterUpdate(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatter-update of `updates` into the rows `indices` of a resource variable."""

def ResourceSparseApplyAdadelta(
    var: _Any, accum: _Any, accum_update: _Any, lr: _Any, rho: _Any, epsilon: _Any, grad: _Any,
    indices: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Adadelta (Zeiler, 2012): scales the step by the RMS of earlier updates over the RMS of gradients."""

def ResourceSparseApplyAdagrad(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Operation:
    """Adagrad (Duchi et al., 2011): accum += grad ** 2; var -= lr * grad / sqrt(accum)."""

def ResourceSparseApplyAdagradDA(
    var: _Any, gradient_accumulator: _Any, gradient_squared_accumulator: _Any, grad: _Any, indices: _Any,
    lr: _Any, l1: _Any, l2: _Any, global_step: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Adagrad dual averaging: the variable is a function of the sums of all gradients and their squares."""

def ResourceSparseApplyAdagradV2(
    var: _Any, accum: _Any, lr: _Any, epsilon: _Any, grad: _Any, indices: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Operation:
    """Adagrad (Duchi et al., 2011): accum += grad ** 2; var -= lr * grad / (sqrt(accum) + epsilon)."""

def ResourceSparseApplyCenteredRMSProp(
    var: _Any, mg: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any,
    grad: _Any, indices: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Centered RMSProp: RMSProp with the moving variance of the gradient in place of its mean square."""

def ResourceSparseApplyFtrl(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, indices: _Any, lr: _Any, l1: _Any, l2: _Any,
    lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """FTRL-Proximal (McMahan et al., 2013): follow the regularized leader."""

def ResourceSparseApplyFtrlV2(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, indices: _Any, lr: _Any, l1: _Any, l2: _Any,
    l2_shrinkage: _Any, lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """FTRL-Proximal (McMahan et al., 2013) with an L2 shrinkage penalty in the gradient."""

def ResourceSparseApplyKerasMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Operation:
    """accum = momentum * accum - lr * grad; var += accum, or with Nesterov momentum momentum * accum - lr *
    grad."""

def ResourceSparseApplyMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Operation:
    """accum = momentum * accum + grad; var -= lr * accum, or with Nesterov momentum lr * (grad + momentum *
    accum)."""

def ResourceSparseApplyProximalAdagrad(
    var: _Any, accum: _Any, lr: _Any, l1: _Any, l2: _Any, grad: _Any, indices: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Operation:
    """An Adagrad step, then the proximal operator of l1 and l2."""

def ResourceSparseApplyProximalGradientDescent(
    var: _Any, alpha: _Any, l1: _Any, l2: _Any, grad: _Any, indices: _Any, use_locking: bool = False,
    name: str | None = None,
) -> Operation:
    """A gradient step, then the proximal operator of l1 and l2."""

def ResourceSparseApplyRMSProp(
    var: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any, grad: _Any,
    indices: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """RMSProp: var -= mom, with mom = momentum * mom + lr * grad / sqrt(ms + epsilon) and ms the moving
    mean square."""

def ResourceStridedSliceAssign(
    ref: _Any, begin: _Any, end: _Any, strides: _Any, value: _Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Operation:
    """Assigns `value` to a slice of a variable."""

def Restore(
    file_pattern: _Any, tensor_name: _Any, dt: _Any, preferred_shard: int = -1, name: str | None = None,
) -> Tensor:
    """Reads a tensor; `preferred_shard` is not needed to find its file."""

def RestoreSlice(
    file_pattern: _Any, tensor_name: _Any, shape_and_slice: _Any, dt: _Any, preferred_shard: int = -1,
    name: str | None = None,
) -> Tensor:
    """Reads a slice of a tensor."""

def RestoreV2(
    prefix: _Any, tensor_names: _Any, shape_and_slices: _Any, dtypes: _Any, name: str | None = None,
) -> list[Tensor]:
    """Reads tensors, or slices of them, from a checkpoint."""

def Reverse(tensor: _Any, dims: _Any, name: str | None = None) -> Tensor:
    """Reverses `tensor` along the axes where `dims` is true."""

def ReverseSequence(
    input: _Any, seq_lengths: _Any, seq_dim: int, batch_dim: int = 0, name: str | None = None,
) -> Tensor:
    """Reverses the first `seq_lengths[i]` elements along `seq_dim` in each slice i along `batch_dim`."""

ReverseV2 = reverse_v2

def RewriteDataset(
    input_dataset: _Any, rewrite_name: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """The same dataset."""

RightShift = right_shift
Rint = rint

def RngSkip(resource: _Any, algorithm: _Any, delta: _Any, name: str | None = None) -> Operation:
    """Lets a generator go on behind `delta` blocks."""

Roll = roll

def Round(x: _Any, name: str | None = None) -> Tensor:
    """Rounds half to even."""

Rsqrt = rsqrt

def RsqrtGrad(y: _Any, dy: _Any, name: str | None = None) -> Tensor:
    """The gradient of Rsqrt from its result."""

def SampleDistortedBoundingBox(
    image_size: _Any, bounding_boxes: _Any, seed: int = 0, seed2: int = 0,
    min_object_covered: float = 0.10000000149011612, aspect_ratio_range: _Any = ..., area_range: _Any = ...,
    max_attempts: int = 100, use_image_if_no_bounding_boxes: bool = False, name: str | None = None,
) -> _SampleDistortedBoundingBox:
    """A random crop that contains enough of one of the image's objects; the whole image if none is
    found."""

def SampleDistortedBoundingBoxV2(
    image_size: _Any, bounding_boxes: _Any, min_object_covered: _Any, seed: int = 0, seed2: int = 0,
    aspect_ratio_range: _Any = ..., area_range: _Any = ..., max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False, name: str | None = None,
) -> _SampleDistortedBoundingBoxV2:
    """SampleDistortedBoundingBox with the minimal covered fraction as a tensor."""

def Save(filename: _Any, tensor_names: _Any, data: _Any, name: str | None = None) -> Operation:
    """Writes tensors to a file in the V1 checkpoint format."""

def SaveSlices(
    filename: _Any, tensor_names: _Any, shapes_and_slices: _Any, data: _Any, name: str | None = None,
) -> Operation:
    """Writes tensors, or slices of them, to a file in the V1 checkpoint format."""

def SaveV2(
    prefix: _Any, tensor_names: _Any, shape_and_slices: _Any, tensors: _Any, name: str | None = None,
) -> Operation:
    """Writes tensors, or slices of them, to a checkpoint."""

def ScalarSummary(tags: _Any, values: _Any, name: str | None = None) -> Tensor:
    """A Summary with one scalar for each tag."""

def ScaleAndTranslate(
    images: _Any, size: _Any, scale: _Any, translation: _Any, kernel_type: str = 'lanczos3',
    antialias: bool = True, name: str | None = None,
) -> Tensor:
    """Scales, translates and crops images, resampling with a kernel."""

def ScaleAndTranslateGrad(
    grads: _Any, original_image: _Any, scale: _Any, translation: _Any, kernel_type: str = 'lanczos3',
    antialias: bool = True, name: str | None = None,
) -> Tensor:
    """The gradient of ScaleAndTranslate."""

def ScanDataset(
    input_dataset: _Any, initial_state: _Any, other_arguments: _Any, f: _Any, output_types: _Any,
    output_shapes: _Any, preserve_cardinality: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of what a function gives of a state and each element."""

def ScatterAdd(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatter-add of `updates` into a reference variable at `indices`."""

def ScatterAddNdim(input: _Any, indices: _Any, deltas: _Any, name: str | None = None) -> Operation:
    """Adds to each place, the indices of the first axes, an element or the slice behind it."""

def ScatterDiv(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatter-div of `updates` into a reference variable at `indices`."""

def ScatterMax(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatter-max of `updates` into a reference variable at `indices`."""

def ScatterMin(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatter-min of `updates` into a reference variable at `indices`."""

def ScatterMul(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatter-mul of `updates` into a reference variable at `indices`."""

ScatterNd = scatter_nd

def ScatterNdAdd(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatter-add of `updates` into a reference variable at `indices`."""

def ScatterNdNonAliasingAdd(
    input: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Tensor:
    """`input` with `updates` added at the index vectors `indices`."""

def ScatterNdSub(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatter-sub of `updates` into a reference variable at `indices`."""

def ScatterNdUpdate(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = True, name: str | None = None,
) -> Tensor:
    """Scatter-update of `updates` into a reference variable at `indices`."""

def ScatterSub(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatter-sub of `updates` into a reference variable at `indices`."""

def ScatterUpdate(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = True, name: str | None = None,
) -> Tensor:
    """Scatter-update of `updates` into a reference variable at `indices`."""

SdcaFprint = sdca_fprint
SdcaOptimizer = sdca_optimizer

def SdcaOptimizerV2(
    sparse_example_indices: _Any, sparse_feature_indices: _Any, sparse_feature_values: _Any,
    dense_features: _Any, example_weights: _Any, example_labels: _Any, sparse_indices: _Any,
    sparse_weights: _Any, dense_weights: _Any, example_state_data: _Any, loss_type: str, l1: float,
    l2: float, num_loss_partitions: int, num_inner_iterations: int, adaptive: bool = False,
    name: str | None = None,
) -> _SdcaOptimizerV2:
    """As SdcaOptimizer, with the attr `adaptive` under its right name."""

SdcaShrinkL1 = sdca_shrink_l1
SegmentMax = segment_max
SegmentMean = segment_mean
SegmentMin = segment_min
SegmentProd = segment_prod
SegmentSum = segment_sum

def Select(condition: _Any, x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """`t` where the condition is true, else `e`; a vector condition selects whole rows."""

def SelectV2(condition: _Any, t: _Any, e: _Any, name: str | None = None) -> Tensor:
    """`t` where the condition is true, else `e`; all three broadcast."""

def SelfAdjointEig(input: _Any, name: str | None = None) -> Tensor:
    """Eigenvalues in the first row, eigenvectors in the columns below."""

def SelfAdjointEigV2(input: _Any, compute_v: bool = True, name: str | None = None) -> _SelfAdjointEigV2:
    """The eigenvalues of self-adjoint matrices in ascending order, and the eigenvectors as columns."""

Selu = selu

def SeluGrad(gradients: _Any, outputs: _Any, name: str | None = None) -> Tensor:
    """The gradient of Selu."""

def SerializeIterator(resource_handle: _Any, name: str | None = None) -> Tensor:
    """Where an iterator stands."""

def SerializeManySparse(
    sparse_indices: _Any, sparse_values: _Any, sparse_shape: _Any, out_type: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """Serializes each slice of a sparse tensor along its first axis to a row of three elements."""

def SerializeSparse(
    sparse_indices: _Any, sparse_values: _Any, sparse_shape: _Any, out_type: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """Serializes a sparse tensor to three elements: indices, values and shape."""

SerializeTensor = serialize_tensor

def SetSize(
    set_indices: _Any, set_values: _Any, set_shape: _Any, validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """The number of unique values in each row of a sparse tensor."""

def SetStatsAggregatorDataset(
    input_dataset: _Any, stats_aggregator: _Any, tag: _Any, counter_prefix: _Any, output_types: _Any,
    output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """The same dataset; an aggregator collects what it measures."""

def Shape(input: _Any, out_type: _Any = ..., name: str | None = None) -> Tensor:
    """The shape of `input`, as a 1-D tensor."""

ShapeN = shape_n

def ShardDataset(
    input_dataset: _Any, num_shards: _Any, index: _Any, output_types: _Any, output_shapes: _Any,
    require_non_empty: bool = False, name: str | None = None,
) -> Tensor:
    """A dataset of each element whose number, modulo `num_shards`, is `index`."""

def ShardedFilename(basename: _Any, shard: _Any, num_shards: _Any, name: str | None = None) -> Tensor:
    """The name of a shard: a-00001-of-00003."""

def ShardedFilespec(basename: _Any, num_shards: _Any, name: str | None = None) -> Tensor:
    """The glob pattern of all shards: a-?????-of-00003."""

def ShuffleAndRepeatDataset(
    input_dataset: _Any, buffer_size: _Any, seed: _Any, seed2: _Any, count: _Any, output_types: _Any,
    output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the same elements several times, each time in another random order."""

def ShuffleAndRepeatDatasetV2(
    input_dataset: _Any, buffer_size: _Any, seed: _Any, seed2: _Any, count: _Any, seed_generator: _Any,
    output_types: _Any, output_shapes: _Any, reshuffle_each_iteration: bool = True, metadata: str = '',
    name: str | None = None,
) -> Tensor:
    """A dataset of the same elements several times, each time in another random order."""

def ShuffleDataset(
    input_dataset: _Any, buffer_size: _Any, seed: _Any, seed2: _Any, output_types: _Any,
    output_shapes: _Any, reshuffle_each_iteration: bool = True, name: str | None = None,
) -> Tensor:
    """A dataset of the same elements in random order."""

def ShuffleDatasetV3(
    input_dataset: _Any, buffer_size: _Any, seed: _Any, seed2: _Any, seed_generator: _Any,
    output_types: _Any, output_shapes: _Any, reshuffle_each_iteration: bool = True, metadata: str = '',
    name: str | None = None,
) -> Tensor:
    """A dataset of the same elements in random order."""

Sigmoid = sigmoid

def SigmoidGrad(y: _Any, dy: _Any, name: str | None = None) -> Tensor:
    """The gradient of Sigmoid from its result."""

@overload
def Sign(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> _Any:
    """The sign: -1, 0 or 1; for complex numbers x / |x|."""
@overload
def Sign(x: _Any, name: str | None = None) -> Tensor:
    """The sign: -1, 0 or 1; for complex numbers x / |x|."""

Sin = sin
Sinh = sinh

def Size(input: _Any, out_type: _Any = ..., name: str | None = None) -> Tensor:
    """The number of elements of `input`."""

def SkipDataset(
    input_dataset: _Any, count: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of all but the first `count` elements, of none if that is -1."""

def SkipGramGenerateCandidates(
    input_tensor: _Any, min_skips: _Any, max_skips: _Any, start: _Any, limit: _Any,
    emit_self_as_target: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> _SkipGramGenerateCandidates:
    """Every token with those before and after it, up to a random distance."""

def SleepDataset(
    input_dataset: _Any, sleep_microseconds: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset whose elements come some time after they were asked for."""

def Slice(input: _Any, begin: _Any, size: _Any, name: str | None = None) -> Tensor:
    """The slice of `input` that starts at `begin` and has the shape `size`; a size of -1 extends to the
    end."""

def SlidingWindowDataset(
    input_dataset: _Any, window_size: _Any, window_shift: _Any, window_stride: _Any, output_types: _Any,
    output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of windows of elements, stacked."""

def Snapshot(input: _Any, name: str | None = None) -> Tensor:
    """A copy that later updates do not affect."""

def Softmax(logits: _Any, name: str | None = None) -> Tensor:
    """Softmax along the last axis: exp(logits) / sum(exp(logits))."""

def SoftmaxCrossEntropyWithLogits(
    features: _Any, labels: _Any, name: str | None = None,
) -> _SoftmaxCrossEntropyWithLogits:
    """The softmax cross entropy of each row of logits with the label distribution, and its gradient by the
    logits."""

Softplus = softplus

def SoftplusGrad(gradients: _Any, features: _Any, name: str | None = None) -> Tensor:
    """The gradient of Softplus."""

Softsign = softsign

def SoftsignGrad(gradients: _Any, features: _Any, name: str | None = None) -> Tensor:
    """The gradient of Softsign."""

def SpaceToBatch(input: _Any, paddings: _Any, block_size: int, name: str | None = None) -> Tensor:
    """SpaceToBatchND with square blocks of the height and width of images."""

SpaceToBatchND = space_to_batch_nd

def SpaceToDepth(
    input: _Any, block_size: int, data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """Rearranges square spatial blocks into the channel dimension (pixel unshuffle)."""

def SparseAccumulatorApplyGradient(
    handle: _Any, local_step: _Any, gradient_indices: _Any, gradient_values: _Any, gradient_shape: _Any,
    has_known_shape: bool, name: str | None = None,
) -> Operation:
    """Adds a sparse gradient, unless its step is older than the accumulator's."""

def SparseAccumulatorTakeGradient(
    handle: _Any, num_required: _Any, dtype: _Any, name: str | None = None,
) -> _SparseAccumulatorTakeGradient:
    """The aggregated rows, each divided by its own count, once the required number of gradients has
    arrived."""

def SparseAdd(
    a_indices: _Any, a_values: _Any, a_shape: _Any, b_indices: _Any, b_values: _Any, b_shape: _Any,
    thresh: _Any, name: str | None = None,
) -> _SparseAdd:
    """The sum of two sparse tensors; sums of entries in both with an absolute value below `thresh` are
    dropped."""

def SparseAddGrad(
    backprop_val_grad: _Any, a_indices: _Any, b_indices: _Any, sum_indices: _Any, name: str | None = None,
) -> _SparseAddGrad:
    """The gradients of SparseAdd's operands: those of the sum's entries at their indices, zeros
    elsewhere."""

def SparseApplyAdadelta(
    var: _Any, accum: _Any, accum_update: _Any, lr: _Any, rho: _Any, epsilon: _Any, grad: _Any,
    indices: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Adadelta (Zeiler, 2012): scales the step by the RMS of earlier updates over the RMS of gradients."""

def SparseApplyAdagrad(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Tensor:
    """Adagrad (Duchi et al., 2011): accum += grad ** 2; var -= lr * grad / sqrt(accum)."""

def SparseApplyAdagradDA(
    var: _Any, gradient_accumulator: _Any, gradient_squared_accumulator: _Any, grad: _Any, indices: _Any,
    lr: _Any, l1: _Any, l2: _Any, global_step: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Adagrad dual averaging: the variable is a function of the sums of all gradients and their squares."""

def SparseApplyAdagradV2(
    var: _Any, accum: _Any, lr: _Any, epsilon: _Any, grad: _Any, indices: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Tensor:
    """Adagrad (Duchi et al., 2011): accum += grad ** 2; var -= lr * grad / (sqrt(accum) + epsilon)."""

def SparseApplyCenteredRMSProp(
    var: _Any, mg: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any,
    grad: _Any, indices: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Centered RMSProp: RMSProp with the moving variance of the gradient in place of its mean square."""

def SparseApplyFtrl(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, indices: _Any, lr: _Any, l1: _Any, l2: _Any,
    lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """FTRL-Proximal (McMahan et al., 2013): follow the regularized leader."""

def SparseApplyFtrlV2(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, indices: _Any, lr: _Any, l1: _Any, l2: _Any,
    l2_shrinkage: _Any, lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """FTRL-Proximal (McMahan et al., 2013) with an L2 shrinkage penalty in the gradient."""

def SparseApplyMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Tensor:
    """accum = momentum * accum + grad; var -= lr * accum, or with Nesterov momentum lr * (grad + momentum *
    accum)."""

def SparseApplyProximalAdagrad(
    var: _Any, accum: _Any, lr: _Any, l1: _Any, l2: _Any, grad: _Any, indices: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """An Adagrad step, then the proximal operator of l1 and l2."""

def SparseApplyProximalGradientDescent(
    var: _Any, alpha: _Any, l1: _Any, l2: _Any, grad: _Any, indices: _Any, use_locking: bool = False,
    name: str | None = None,
) -> Tensor:
    """A gradient step, then the proximal operator of l1 and l2."""

def SparseApplyRMSProp(
    var: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any, grad: _Any,
    indices: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """RMSProp: var -= mom, with mom = momentum * mom + lr * grad / sqrt(ms + epsilon) and ms the moving
    mean square."""

def SparseBincount(
    indices: _Any, values: _Any, dense_shape: _Any, size: _Any, weights: _Any, binary_output: bool = False,
    name: str | None = None,
) -> Tensor:
    """Counts the occurrences of each of 0 ... size - 1 in a sparse vector, or in each row of a sparse
    matrix."""

def SparseConcat(
    indices: _Any, values: _Any, shapes: _Any, concat_dim: int, name: str | None = None,
) -> _SparseConcat:
    """Concatenates sparse tensors along an axis and sorts the entries."""

def SparseConditionalAccumulator(
    dtype: _Any, shape: _Any, container: str = '', shared_name: str = '', reduction_type: str = 'MEAN',
    name: str | None = None,
) -> Tensor:
    """Creates an accumulator of sparse gradients."""

def SparseCross(
    indices: _Any, values: _Any, shapes: _Any, dense_inputs: _Any, hashed_output: bool, num_buckets: int,
    hash_key: int, out_type: _Any, internal_type: _Any, name: str | None = None,
) -> _SparseCross:
    """Crosses sparse and dense feature columns: strings joined by "_X_", or the hash bucket of each
    cross."""

def SparseDenseCwiseAdd(
    sp_indices: _Any, sp_values: _Any, sp_shape: _Any, dense: _Any, name: str | None = None,
) -> Tensor:
    """The entries of a sparse tensor plus the dense elements at their indices."""

def SparseDenseCwiseDiv(
    sp_indices: _Any, sp_values: _Any, sp_shape: _Any, dense: _Any, name: str | None = None,
) -> Tensor:
    """The entries of a sparse tensor divided by the dense elements at their indices."""

def SparseDenseCwiseMul(
    sp_indices: _Any, sp_values: _Any, sp_shape: _Any, dense: _Any, name: str | None = None,
) -> Tensor:
    """The entries of a sparse tensor times the dense elements at their indices."""

def SparseFillEmptyRows(
    indices: _Any, values: _Any, dense_shape: _Any, default_value: _Any, name: str | None = None,
) -> _SparseFillEmptyRows:
    """Adds an entry of `default_value` at the start of each empty row of a sparse tensor."""

def SparseFillEmptyRowsGrad(
    reverse_index_map: _Any, grad_values: _Any, name: str | None = None,
) -> _SparseFillEmptyRowsGrad:
    """The gradients of SparseFillEmptyRows: those of the original entries; their rest summed for the
    default."""

SparseMatMul = sparse_matmul

def SparseReduceMax(
    input_indices: _Any, input_values: _Any, input_shape: _Any, reduction_axes: _Any,
    keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """The maximum of a sparse tensor along axes, as a dense tensor."""

def SparseReduceMaxSparse(
    input_indices: _Any, input_values: _Any, input_shape: _Any, reduction_axes: _Any,
    keep_dims: bool = False, name: str | None = None,
) -> _SparseReduceMaxSparse:
    """The maximum of a sparse tensor along axes, as a sparse tensor."""

def SparseReduceSum(
    input_indices: _Any, input_values: _Any, input_shape: _Any, reduction_axes: _Any,
    keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """The sum of a sparse tensor along axes, as a dense tensor."""

def SparseReduceSumSparse(
    input_indices: _Any, input_values: _Any, input_shape: _Any, reduction_axes: _Any,
    keep_dims: bool = False, name: str | None = None,
) -> _SparseReduceSumSparse:
    """The sum of a sparse tensor along axes, as a sparse tensor."""

def SparseReorder(
    input_indices: _Any, input_values: _Any, input_shape: _Any, name: str | None = None,
) -> _SparseReorder:
    """Sorts the entries of a sparse tensor in row-major order."""

def SparseReshape(
    input_indices: _Any, input_shape: _Any, new_shape: _Any, name: str | None = None,
) -> _SparseReshape:
    """Reshapes a sparse tensor; one size may be -1 and is inferred."""

def SparseSegmentMean(data: _Any, indices: _Any, segment_ids: _Any, name: str | None = None) -> Tensor:
    """Segment mean of the rows at `indices`."""

def SparseSegmentMeanGrad(
    grad: _Any, indices: _Any, segment_ids: _Any, output_dim0: _Any, name: str | None = None,
) -> Tensor:
    """The gradient of SparseSegmentMean by its data."""

def SparseSegmentMeanWithNumSegments(
    data: _Any, indices: _Any, segment_ids: _Any, num_segments: _Any, name: str | None = None,
) -> Tensor:
    """SparseSegmentMean for a number of segments."""

def SparseSegmentSqrtN(data: _Any, indices: _Any, segment_ids: _Any, name: str | None = None) -> Tensor:
    """Segment sum of the rows at `indices`, divided by the square root of their number."""

def SparseSegmentSqrtNGrad(
    grad: _Any, indices: _Any, segment_ids: _Any, output_dim0: _Any, name: str | None = None,
) -> Tensor:
    """The gradient of SparseSegmentSqrtN by its data."""

def SparseSegmentSqrtNWithNumSegments(
    data: _Any, indices: _Any, segment_ids: _Any, num_segments: _Any, name: str | None = None,
) -> Tensor:
    """SparseSegmentSqrtN for a number of segments."""

def SparseSegmentSum(data: _Any, indices: _Any, segment_ids: _Any, name: str | None = None) -> Tensor:
    """Segment sum of the rows at `indices`."""

def SparseSegmentSumWithNumSegments(
    data: _Any, indices: _Any, segment_ids: _Any, num_segments: _Any, name: str | None = None,
) -> Tensor:
    """SparseSegmentSum for a number of segments."""

def SparseSlice(
    indices: _Any, values: _Any, shape: _Any, start: _Any, size: _Any, name: str | None = None,
) -> _SparseSlice:
    """The slice of a sparse tensor that starts at `start` and has at most the shape `size`."""

def SparseSliceGrad(
    backprop_val_grad: _Any, input_indices: _Any, input_start: _Any, output_indices: _Any,
    name: str | None = None,
) -> Tensor:
    """The gradient of SparseSlice: the gradients of the slice's entries at their indices, zeros
    elsewhere."""

def SparseSoftmax(sp_indices: _Any, sp_values: _Any, sp_shape: _Any, name: str | None = None) -> Tensor:
    """Softmax along the last axis over the stored entries, in order."""

def SparseSoftmaxCrossEntropyWithLogits(
    features: _Any, labels: _Any, name: str | None = None,
) -> _SparseSoftmaxCrossEntropyWithLogits:
    """The softmax cross entropy of each row of logits with a class index, and its gradient by the
    logits."""

def SparseSparseMaximum(
    a_indices: _Any, a_values: _Any, a_shape: _Any, b_indices: _Any, b_values: _Any, b_shape: _Any,
    name: str | None = None,
) -> _SparseSparseMaximum:
    """The elementwise maximum of two sparse tensors; missing entries are 0."""

def SparseSparseMinimum(
    a_indices: _Any, a_values: _Any, a_shape: _Any, b_indices: _Any, b_values: _Any, b_shape: _Any,
    name: str | None = None,
) -> _SparseSparseMinimum:
    """The elementwise minimum of two sparse tensors; missing entries are 0."""

def SparseSplit(
    split_dim: _Any, indices: _Any, values: _Any, shape: _Any, num_split: int, name: str | None = None,
) -> _SparseSplit:
    """Splits a sparse tensor along an axis; if the sizes cannot be equal, the first parts are larger by
    one."""

def SparseTensorDenseAdd(
    a_indices: _Any, a_values: _Any, a_shape: _Any, b: _Any, name: str | None = None,
) -> Tensor:
    """The sum of a sparse and a dense tensor of the same shape."""

def SparseTensorDenseMatMul(
    a_indices: _Any, a_values: _Any, a_shape: _Any, b: _Any, adjoint_a: bool = False,
    adjoint_b: bool = False, name: str | None = None,
) -> Tensor:
    """Multiplies a sparse matrix by a dense one; adjoint means conjugate transpose."""

def SparseTensorSliceDataset(
    indices: _Any, values: _Any, dense_shape: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the slices of a sparse tensor along its first axis, each as indices, values and
    shape."""

def SparseToDense(
    sparse_indices: _Any, output_shape: _Any, sparse_values: _Any, default_value: _Any,
    validate_indices: bool = True, name: str | None = None,
) -> Tensor:
    """Converts to a dense tensor: `sparse_values` at `sparse_indices`, `default_value` elsewhere."""

def SparseToSparseSetOperation(
    set1_indices: _Any, set1_values: _Any, set1_shape: _Any, set2_indices: _Any, set2_values: _Any,
    set2_shape: _Any, set_operation: str, validate_indices: bool = True, name: str | None = None,
) -> _SparseToSparseSetOperation:
    """The set operation on the rows of two sparse tensors, as a sparse tensor."""

def Split(axis: _Any, value: _Any, num_split: int, name: str | None = None) -> list[Tensor]:
    """Splits `value` into `num_split` equal parts along `split_dim`."""

def SplitV(
    value: _Any, size_splits: _Any, axis: _Any, num_split: int, name: str | None = None,
) -> list[Tensor]:
    """Splits `value` along `split_dim` into parts of the sizes `size_splits`; one size may be -1."""

def SqlDataset(
    driver_name: _Any, data_source_name: _Any, query: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the rows that a database gives for a query."""

@overload
def Sqrt(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> _Any:
    """The square root."""
@overload
def Sqrt(x: _Any, name: str | None = None) -> Tensor:
    """The square root."""

def SqrtGrad(y: _Any, dy: _Any, name: str | None = None) -> Tensor:
    """The gradient of Sqrt from its result."""

@overload
def Square(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> _Any:
    """The square x ** 2."""
@overload
def Square(x: _Any, name: str | None = None) -> Tensor:
    """The square x ** 2."""

SquaredDifference = squared_difference

def Squeeze(input: _Any, axis: _Any = ..., name: str | None = None) -> Tensor:
    """Removes all axes of size 1, or those in `squeeze_dims`."""

def Stack(elem_type: _Any, stack_name: str = '', name: str | None = None) -> Tensor:
    """Creates a stack."""

def StackClose(handle: _Any, name: str | None = None) -> Operation:
    """Clears a stack."""

def StackCloseV2(handle: _Any, name: str | None = None) -> Operation:
    """Clears a stack."""

def StackPop(handle: _Any, elem_type: _Any, name: str | None = None) -> Tensor:
    """Pops the last value."""

def StackPopV2(handle: _Any, elem_type: _Any, name: str | None = None) -> Tensor:
    """Pops the last value."""

def StackPush(handle: _Any, elem: _Any, swap_memory: bool = False, name: str | None = None) -> Tensor:
    """Pushes a value and forwards it."""

def StackPushV2(handle: _Any, elem: _Any, swap_memory: bool = False, name: str | None = None) -> Tensor:
    """Pushes a value and forwards it."""

def StackV2(max_size: _Any, elem_type: _Any, stack_name: str = '', name: str | None = None) -> Tensor:
    """Creates a stack of at most `max_size` values, or unlimited if negative."""

def Stage(
    values: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '', shared_name: str = '',
    name: str | None = None,
) -> Operation:
    """Appends an element to a staging area, waiting for room."""

def StageClear(
    dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '', shared_name: str = '',
    name: str | None = None,
) -> Operation:
    """Removes all elements of a staging area."""

def StagePeek(
    index: _Any, dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> list[Tensor]:
    """The element at a position of a staging area, waiting until there are as many."""

def StageSize(
    dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '', shared_name: str = '',
    name: str | None = None,
) -> Tensor:
    """The number of elements in a staging area."""

def StatefulPartitionedCall(
    args: _Any, Tout: _Any, f: _Any, config: str = '', config_proto: str = '', executor_type: str = '',
    name: str | None = None,
) -> list[Tensor]:
    """Calls a function."""

def StatefulStandardNormalV2(
    resource: _Any, algorithm: _Any, shape: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Standard normal random numbers."""

def StatefulTruncatedNormal(
    resource: _Any, algorithm: _Any, shape: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Standard normal numbers truncated to [-2, 2]."""

def StatefulUniform(
    resource: _Any, algorithm: _Any, shape: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Uniform floats in [0, 1)."""

def StatefulUniformFullInt(
    resource: _Any, algorithm: _Any, shape: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Uniform integers of all values there are."""

def StatefulUniformInt(
    resource: _Any, algorithm: _Any, shape: _Any, minval: _Any, maxval: _Any, name: str | None = None,
) -> Tensor:
    """Uniform integers in [minval, maxval)."""

def StatelessCase(
    branch_index: _Any, input: _Any, Tout: _Any, branches: _Any, output_shapes: _Any = ...,
    name: str | None = None,
) -> list[Tensor]:
    """A Case whose branches have no side effects."""

def StatelessIf(
    cond: _Any, input: _Any, Tout: _Any, then_branch: _Any, else_branch: _Any, output_shapes: _Any = ...,
    name: str | None = None,
) -> list[Tensor]:
    """An If whose branches have no side effects."""

def StatelessMultinomial(
    logits: _Any, num_samples: _Any, seed: _Any, output_dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Samples class numbers from categorical distributions, given by unnormalized log-probabilities and a
    seed."""

def StatelessRandomGetAlg(name: str | None = None) -> Tensor:
    """The number of this device's random algorithm: Philox."""

def StatelessRandomGetKeyCounter(seed: _Any, name: str | None = None) -> _StatelessRandomGetKeyCounter:
    """The Philox key and counter for a seed of two integers."""

def StatelessRandomGetKeyCounterAlg(
    seed: _Any, name: str | None = None,
) -> _StatelessRandomGetKeyCounterAlg:
    """The Philox key and counter for a seed of two integers, and the number of this device's algorithm."""

def StatelessRandomNormal(
    shape: _Any, seed: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Standard normal random numbers."""

def StatelessRandomNormalV2(
    shape: _Any, key: _Any, counter: _Any, alg: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Standard normal random numbers."""

def StatelessRandomUniform(
    shape: _Any, seed: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Uniform floats in [0, 1)."""

def StatelessRandomUniformInt(
    shape: _Any, seed: _Any, minval: _Any, maxval: _Any, name: str | None = None,
) -> Tensor:
    """Uniform random integers in [minval, maxval), from a seed."""

def StatelessRandomUniformIntV2(
    shape: _Any, key: _Any, counter: _Any, alg: _Any, minval: _Any, maxval: _Any, name: str | None = None,
) -> Tensor:
    """Uniform random integers in [minval, maxval), from a key and a counter."""

def StatelessRandomUniformV2(
    shape: _Any, key: _Any, counter: _Any, alg: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Uniform random numbers in [0, 1)."""

def StatelessTruncatedNormal(
    shape: _Any, seed: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Standard normal numbers truncated to [-2, 2]."""

def StatelessTruncatedNormalV2(
    shape: _Any, key: _Any, counter: _Any, alg: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Standard normal numbers truncated to [-2, 2]."""

def StatelessWhile(
    input: _Any, cond: _Any, body: _Any, output_shapes: _Any = ..., parallel_iterations: int = 10,
    name: str | None = None,
) -> list[Tensor]:
    """A While whose functions have no side effects."""

def StaticRegexFullMatch(input: _Any, pattern: str, name: str | None = None) -> Tensor:
    """RegexFullMatch with a pattern that is an attr."""

def StaticRegexReplace(
    input: _Any, pattern: str, rewrite: str, replace_global: bool = True, name: str | None = None,
) -> Tensor:
    """RegexReplace with a pattern and a rewrite that are attrs."""

def StatsAccumulatorScalarAdd(
    stats_accumulator_handles: _Any, stamp_token: _Any, partition_ids: _Any, feature_ids: _Any,
    gradients: _Any, hessians: _Any, name: str | None = None,
) -> Operation:
    """Adds statistics to each accumulator whose stamp is this one."""

def StatsAccumulatorScalarDeserialize(
    stats_accumulator_handle: _Any, stamp_token: _Any, num_updates: _Any, partition_ids: _Any,
    feature_ids: _Any, gradients: _Any, hessians: _Any, name: str | None = None,
) -> Operation:
    """Replaces what an accumulator has."""

def StatsAccumulatorScalarFlush(
    stats_accumulator_handle: _Any, stamp_token: _Any, next_stamp_token: _Any, name: str | None = None,
) -> _StatsAccumulatorScalarFlush:
    """What an accumulator has; it starts anew with the next stamp."""

def StatsAccumulatorScalarIsInitialized(
    stats_accumulator_handle: _Any, name: str | None = None,
) -> Tensor:
    """Whether an accumulator has been created."""

def StatsAccumulatorScalarMakeSummary(
    partition_ids: _Any, feature_ids: _Any, gradients: _Any, hessians: _Any, name: str | None = None,
) -> _StatsAccumulatorScalarMakeSummary:
    """The sums of a batch."""

def StatsAccumulatorScalarResourceHandleOp(
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Creates a handle of an accumulator of numbers."""

def StatsAccumulatorScalarSerialize(
    stats_accumulator_handle: _Any, name: str | None = None,
) -> _StatsAccumulatorScalarSerialize:
    """The stamp of an accumulator and what it has."""

def StatsAccumulatorTensorAdd(
    stats_accumulator_handles: _Any, stamp_token: _Any, partition_ids: _Any, feature_ids: _Any,
    gradients: _Any, hessians: _Any, name: str | None = None,
) -> Operation:
    """Adds statistics to each accumulator whose stamp is this one."""

def StatsAccumulatorTensorDeserialize(
    stats_accumulator_handle: _Any, stamp_token: _Any, num_updates: _Any, partition_ids: _Any,
    feature_ids: _Any, gradients: _Any, hessians: _Any, name: str | None = None,
) -> Operation:
    """Replaces what an accumulator has."""

def StatsAccumulatorTensorFlush(
    stats_accumulator_handle: _Any, stamp_token: _Any, next_stamp_token: _Any, name: str | None = None,
) -> _StatsAccumulatorTensorFlush:
    """What an accumulator has; it starts anew with the next stamp."""

def StatsAccumulatorTensorIsInitialized(
    stats_accumulator_handle: _Any, name: str | None = None,
) -> Tensor:
    """Whether an accumulator has been created."""

def StatsAccumulatorTensorMakeSummary(
    partition_ids: _Any, feature_ids: _Any, gradients: _Any, hessians: _Any, name: str | None = None,
) -> _StatsAccumulatorTensorMakeSummary:
    """The sums of a batch."""

def StatsAccumulatorTensorResourceHandleOp(
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Creates a handle of an accumulator of vectors and matrices."""

def StatsAccumulatorTensorSerialize(
    stats_accumulator_handle: _Any, name: str | None = None,
) -> _StatsAccumulatorTensorSerialize:
    """The stamp of an accumulator and what it has."""

def StatsAggregatorHandle(
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """An aggregator."""

def StatsAggregatorHandleV2(
    container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """An aggregator."""

def StatsAggregatorSummary(iterator: _Any, name: str | None = None) -> Tensor:
    """A Summary of what an aggregator has collected."""

StopGradient = stop_gradient

def StridedSlice(
    input: _Any, begin: _Any, end: _Any, strides: _Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Tensor:
    """Python's `input[begin:end:strides, ...]`; the masks mark ellipses, new axes, dropped axes and omitted
    bounds."""

def StridedSliceAssign(
    ref: _Any, begin: _Any, end: _Any, strides: _Any, value: _Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Tensor:
    """Assigns `value` to a slice of a variable."""

def StridedSliceGrad(
    shape: _Any, begin: _Any, end: _Any, strides: _Any, dy: _Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Tensor:
    """The gradient of StridedSlice: zeros of shape `shape` with `dy` at the sliced positions."""

def StringFormat(
    inputs: _Any, template: str = '%s', placeholder: str = '%s', summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """Formats tensors into a template's placeholders, with the first and last few elements of each axis."""

def StringJoin(inputs: _Any, separator: str = '', name: str | None = None) -> Tensor:
    """Joins the strings at the same position of all inputs, elementwise."""

def StringLength(input: _Any, unit: str = 'BYTE', name: str | None = None) -> Tensor:
    """The length of each string in bytes or UTF-8 characters."""

def StringLower(input: _Any, encoding: str = '', name: str | None = None) -> Tensor:
    """Converts strings to lower case: ASCII letters, or with encoding 'utf-8' all letters."""

def StringNGrams(
    data: _Any, data_splits: _Any, separator: str, ngram_widths: _Any, left_pad: str, right_pad: str,
    pad_width: int, preserve_short_sequences: bool, name: str | None = None,
) -> _StringNGrams:
    """N-grams: runs of consecutive words within each row, joined."""

def StringSplit(
    input: _Any, delimiter: _Any, skip_empty: bool = True, name: str | None = None,
) -> _StringSplit:
    """Splits strings at any of the delimiter's bytes; with an empty delimiter, into single bytes."""

def StringSplitV2(
    input: _Any, sep: _Any, maxsplit: int = -1, name: str | None = None,
) -> _StringSplitV2:
    """Splits strings at a separator, at most `maxsplit` times; with an empty separator, at white space."""

def StringStrip(input: _Any, name: str | None = None) -> Tensor:
    """Strips white space from both ends of each string."""

def StringToHashBucket(string_tensor: _Any, num_buckets: int, name: str | None = None) -> Tensor:
    """The hash bucket of each string, by MurmurHash64A."""

def StringToHashBucketFast(input: _Any, num_buckets: int, name: str | None = None) -> Tensor:
    """The hash bucket of each string, by FarmHash; not resistant to deliberate collisions."""

def StringToHashBucketStrong(
    input: _Any, num_buckets: int, key: _Any, name: str | None = None,
) -> Tensor:
    """The hash bucket of each string, by SipHash with a secret key of two integers; resists deliberate
    collisions."""

def StringToNumber(string_tensor: _Any, out_type: _Any = ..., name: str | None = None) -> Tensor:
    """Parses strings as numbers, ignoring surrounding white space."""

def StringUpper(input: _Any, encoding: str = '', name: str | None = None) -> Tensor:
    """Converts strings to upper case: ASCII letters, or with encoding 'utf-8' all letters."""

Sub = subtract

def Substr(input: _Any, pos: _Any, len: _Any, unit: str = 'BYTE', name: str | None = None) -> Tensor:
    """Substrings of `len` units from `pos` on; a negative `pos` counts from the end."""

def Sum(input: _Any, axis: _Any, keep_dims: bool = False, name: str | None = None) -> Tensor:
    """The sum along axes."""

def SummaryWriter(shared_name: str = '', container: str = '', name: str | None = None) -> Tensor:
    """A handle to a summary writer, by name."""

def Svd(
    input: _Any, compute_uv: bool = True, full_matrices: bool = False, name: str | None = None,
) -> _Svd:
    """The singular value decomposition: singular values in descending order, left and right vectors as
    columns."""

def Switch(data: _Any, pred: _Any, name: str | None = None) -> _Switch:
    """Forwards `data` to the output that `pred` selects; the other output has no value."""

def SymbolicGradient(input: _Any, Tout: _Any, f: _Any, name: str | None = None) -> list[Tensor]:
    """The gradients of a function: `input` holds its arguments, then the gradients of its outputs."""

def TFRecordDataset(
    filenames: _Any, compression_type: _Any, buffer_size: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the records of TFRecord files."""

def TFRecordDatasetV2(
    filenames: _Any, compression_type: _Any, buffer_size: _Any, byte_offsets: _Any, metadata: str = '',
    name: str | None = None,
) -> Tensor:
    """A dataset of the records of TFRecord files, from their start."""

def TFRecordReaderV2(
    container: str = '', shared_name: str = '', compression_type: str = '', name: str | None = None,
) -> Tensor:
    """A reader of TFRecords; keys are 'file:offset'."""

def TakeDataset(
    input_dataset: _Any, count: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the first `count` elements, of all of them if that is -1."""

def TakeManySparseFromTensorsMap(
    sparse_handles: _Any, dtype: _Any, container: str = '', shared_name: str = '', name: str | None = None,
) -> _TakeManySparseFromTensorsMap:
    """Removes sparse tensors from a map and stacks them along a new first axis."""

def TakeWhileDataset(
    input_dataset: _Any, other_arguments: _Any, predicate: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """A dataset of the elements before the first for which a predicate does not hold."""

Tan = tan

@overload
def Tanh(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> _Any:
    """The hyperbolic tangent."""
@overload
def Tanh(x: _Any, name: str | None = None) -> Tensor:
    """The hyperbolic tangent."""

def TanhGrad(y: _Any, dy: _Any, name: str | None = None) -> Tensor:
    """The gradient of Tanh from its result."""

def TemporaryVariable(shape: _Any, dtype: _Any, var_name: str = '', name: str | None = None) -> Tensor:
    """A variable that lives for one step, initialized to zeros."""

def TensorArrayCloseV3(handle: _Any, name: str | None = None) -> Operation:
    """Deletes the elements of a tensor array."""

def TensorArrayConcatV3(
    handle: _Any, flow_in: _Any, dtype: _Any, element_shape_except0: _Any = None, name: str | None = None,
) -> _TensorArrayConcatV3:
    """Concatenates the elements along their first dimension, and returns the length of each."""

def TensorArrayGatherV3(
    handle: _Any, indices: _Any, flow_in: _Any, dtype: _Any, element_shape: _Any = None,
    name: str | None = None,
) -> Tensor:
    """Stacks the elements at `indices` along a new first dimension."""

def TensorArrayGradV3(
    handle: _Any, flow_in: _Any, source: str, name: str | None = None,
) -> _TensorArrayGradV3:
    """The gradient array of a tensor array, shared by all calls with the same source."""

def TensorArrayGradWithShape(
    handle: _Any, flow_in: _Any, shape_to_prepend: _Any, source: str, name: str | None = None,
) -> _TensorArrayGradWithShape:
    """The gradient array of a tensor array, with dimensions prepended to the elements' shape."""

def TensorArrayReadV3(
    handle: _Any, index: _Any, flow_in: _Any, dtype: _Any, name: str | None = None,
) -> Tensor:
    """Reads one element."""

def TensorArrayScatterV3(
    handle: _Any, indices: _Any, value: _Any, flow_in: _Any, name: str | None = None,
) -> Tensor:
    """Writes the rows of a tensor to the elements at `indices`."""

def TensorArraySizeV3(handle: _Any, flow_in: _Any, name: str | None = None) -> Tensor:
    """The number of elements."""

def TensorArraySplitV3(
    handle: _Any, value: _Any, lengths: _Any, flow_in: _Any, name: str | None = None,
) -> Tensor:
    """Splits a tensor along its first dimension into parts of the given lengths, and writes them as
    elements."""

def TensorArrayV3(
    size: _Any, dtype: _Any, element_shape: _Any = None, dynamic_size: bool = False,
    clear_after_read: bool = True, identical_element_shapes: bool = False, tensor_array_name: str = '',
    name: str | None = None,
) -> _TensorArrayV3:
    """Creates a tensor array of `size` elements."""

def TensorArrayWriteV3(
    handle: _Any, index: _Any, value: _Any, flow_in: _Any, name: str | None = None,
) -> Tensor:
    """Writes one element."""

def TensorDataset(components: _Any, output_shapes: _Any, name: str | None = None) -> Tensor:
    """A dataset with one element."""

def TensorListConcat(
    input_handle: _Any, element_dtype: _Any, element_shape: _Any = None, name: str | None = None,
) -> _TensorListConcat:
    """Concatenates the elements, and returns the number of rows of each."""

def TensorListConcatLists(
    input_a: _Any, input_b: _Any, element_dtype: _Any, name: str | None = None,
) -> Tensor:
    """Concatenates two tensor lists."""

def TensorListConcatV2(
    input_handle: _Any, element_shape: _Any, leading_dims: _Any, element_dtype: _Any,
    name: str | None = None,
) -> _TensorListConcatV2:
    """Concatenates the elements, and returns the rows of each; uninitialized ones have `leading_dims` rows
    of zeros."""

def TensorListElementShape(input_handle: _Any, shape_type: _Any, name: str | None = None) -> Tensor:
    """The known shape of the elements: -1 for unknown sizes."""

def TensorListFromTensor(tensor: _Any, element_shape: _Any, name: str | None = None) -> Tensor:
    """A tensor list of the rows of a tensor."""

def TensorListGather(
    input_handle: _Any, indices: _Any, element_shape: _Any, element_dtype: _Any, name: str | None = None,
) -> Tensor:
    """Stacks the elements at `indices` to one tensor."""

def TensorListGetItem(
    input_handle: _Any, index: _Any, element_shape: _Any, element_dtype: _Any, name: str | None = None,
) -> Tensor:
    """One element; zeros if it is uninitialized and its shape is known."""

def TensorListLength(input_handle: _Any, name: str | None = None) -> Tensor:
    """The number of elements of a tensor list."""

def TensorListPopBack(
    input_handle: _Any, element_shape: _Any, element_dtype: _Any, name: str | None = None,
) -> _TensorListPopBack:
    """The tensor list without its last element, and that element."""

def TensorListPushBack(input_handle: _Any, tensor: _Any, name: str | None = None) -> Tensor:
    """The tensor list with one element appended."""

def TensorListPushBackBatch(input_handles: _Any, tensor: _Any, name: str | None = None) -> Tensor:
    """Appends to each tensor list of a vector the corresponding row of `tensor`."""

def TensorListReserve(
    element_shape: _Any, num_elements: _Any, element_dtype: _Any, name: str | None = None,
) -> Tensor:
    """A tensor list of `num_elements` uninitialized elements."""

def TensorListResize(input_handle: _Any, size: _Any, name: str | None = None) -> Tensor:
    """The tensor list truncated to `size` elements, or extended with uninitialized ones."""

def TensorListScatter(
    tensor: _Any, indices: _Any, element_shape: _Any, name: str | None = None,
) -> Tensor:
    """A tensor list with the rows of `tensor` at `indices`, just long enough."""

def TensorListScatterIntoExistingList(
    input_handle: _Any, tensor: _Any, indices: _Any, name: str | None = None,
) -> Tensor:
    """A tensor list with the rows of `tensor` set at `indices`; grows as needed."""

def TensorListScatterV2(
    tensor: _Any, indices: _Any, element_shape: _Any, num_elements: _Any, name: str | None = None,
) -> Tensor:
    """A tensor list with the rows of `tensor` at `indices`, of `num_elements` elements, or just enough for
    -1."""

def TensorListSetItem(input_handle: _Any, index: _Any, item: _Any, name: str | None = None) -> Tensor:
    """The tensor list with one element replaced."""

def TensorListSplit(
    tensor: _Any, element_shape: _Any, lengths: _Any, name: str | None = None,
) -> Tensor:
    """Splits a tensor into a tensor list of consecutive pieces with `lengths` rows."""

def TensorListStack(
    input_handle: _Any, element_shape: _Any, element_dtype: _Any, num_elements: int = -1,
    name: str | None = None,
) -> Tensor:
    """Stacks the elements of a tensor list to one tensor."""

TensorScatterAdd = tensor_scatter_add

def TensorScatterMax(tensor: _Any, indices: _Any, updates: _Any, name: str | None = None) -> Tensor:
    """`tensor` with the elementwise maximum of its slices and `updates` at the index vectors `indices`."""

def TensorScatterMin(tensor: _Any, indices: _Any, updates: _Any, name: str | None = None) -> Tensor:
    """`tensor` with the elementwise minimum of its slices and `updates` at the index vectors `indices`."""

TensorScatterSub = tensor_scatter_sub
TensorScatterUpdate = tensor_scatter_update

def TensorSliceDataset(components: _Any, output_shapes: _Any, name: str | None = None) -> Tensor:
    """A dataset of the slices of tensors along their first axis."""

def TensorStridedSliceUpdate(
    input: _Any, begin: _Any, end: _Any, strides: _Any, value: _Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Tensor:
    """`input` with `value` assigned to the slice that StridedSlice would return."""

def TensorSummary(
    tensor: _Any, description: str = '', labels: _Any = ..., display_name: str = '',
    name: str | None = None,
) -> Tensor:
    """A Summary with a whole tensor, tagged with the node's name; the description and labels are not
    used."""

def TensorSummaryV2(
    tag: _Any, tensor: _Any, serialized_summary_metadata: _Any, name: str | None = None,
) -> Tensor:
    """A Summary with a whole tensor."""

def TextLineDataset(
    filenames: _Any, compression_type: _Any, buffer_size: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the lines of files."""

def TextLineReaderV2(
    skip_header_lines: int = 0, container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A reader of text lines; keys are 'file:line'."""

def ThreadPoolDataset(
    input_dataset: _Any, thread_pool: _Any, output_types: _Any, output_shapes: _Any,
    name: str | None = None,
) -> Tensor:
    """The same dataset: each transformation has its own thread."""

def ThreadPoolHandle(
    num_threads: int, display_name: str, max_intra_op_parallelism: int = 1, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """What ThreadPoolDataset takes: the number of threads."""

def ThreadUnsafeUnigramCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0,
    seed2: int = 0, name: str | None = None,
) -> _ThreadUnsafeUnigramCandidateSampler:
    """Samples classes from the empirical distribution of the true classes so far."""

Tile = tile

def TileGrad(input: _Any, multiples: _Any, name: str | None = None) -> Tensor:
    """The gradient of Tile: the sum of the copies."""

Timestamp = timestamp

def TopK(input: _Any, k: int, sorted: bool = True, name: str | None = None) -> _TopK:
    """The `k` largest elements along the last axis and their indices, always sorted in descending order."""

def TopKV2(input: _Any, k: _Any, sorted: bool = True, name: str | None = None) -> _TopKV2:
    """The `k` largest elements along the last axis and their indices, always sorted in descending order."""

def Transpose(x: _Any, perm: _Any, name: str | None = None) -> Tensor:
    """Transposes `x`: permutes its axes to the order `perm`."""

def TreeEnsembleDeserialize(
    tree_ensemble_handle: _Any, stamp_token: _Any, tree_ensemble_config: _Any, name: str | None = None,
) -> Operation:
    """Replaces an ensemble by a serialized one."""

def TreeEnsembleIsInitializedOp(tree_ensemble_handle: _Any, name: str | None = None) -> Tensor:
    """Whether an ensemble has been created."""

def TreeEnsembleSerialize(
    tree_ensemble_handle: _Any, name: str | None = None,
) -> _TreeEnsembleSerialize:
    """The stamp of an ensemble and its serialized form."""

def TreeEnsembleStampToken(tree_ensemble_handle: _Any, name: str | None = None) -> Tensor:
    """The stamp of an ensemble."""

def TreeEnsembleStats(
    tree_ensemble_handle: _Any, stamp_token: _Any, name: str | None = None,
) -> _TreeEnsembleStats:
    """How many trees are final and how many layers there are; the number of the last tree and of its
    layers; and how many trees and layers were begun."""

def TreeEnsembleUsedHandlers(
    tree_ensemble_handle: _Any, stamp_token: _Any, num_all_handlers: int, name: str | None = None,
) -> _TreeEnsembleUsedHandlers:
    """How many handlers have made splits, and which; none of them for an older stamp."""

def TridiagonalMatMul(
    superdiag: _Any, maindiag: _Any, subdiag: _Any, rhs: _Any, name: str | None = None,
) -> Tensor:
    """Multiplies tridiagonal matrices, given by their three diagonals, by other matrices."""

def TridiagonalSolve(
    diagonals: _Any, rhs: _Any, partial_pivoting: bool = True, name: str | None = None,
) -> Tensor:
    """Solves tridiagonal systems, given by their super-, main and subdiagonals as rows."""

TruncateDiv = truncatediv
TruncateMod = truncatemod

def TruncatedNormal(
    shape: _Any, dtype: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Standard normal numbers truncated to [-2, 2]."""

def Unbatch(
    batched_tensor: _Any, batch_index: _Any, id: _Any, timeout_micros: int, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """This step's rows of the result that one step computed for the whole batch."""

def UnbatchDataset(
    input_dataset: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the rows of each element."""

def UnbatchGrad(
    original_input: _Any, batch_index: _Any, grad: _Any, id: _Any, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """The gradient of Unbatch: the gradients of all steps, in the one that computed the batch; empty in the
    others."""

def UnicodeDecode(
    input: _Any, input_encoding: str, errors: str = 'replace', replacement_char: int = 65533,
    replace_control_characters: bool = False, Tsplits: _Any = ..., name: str | None = None,
) -> _UnicodeDecode:
    """Decodes strings to concatenated code points and row splits."""

def UnicodeDecodeWithOffsets(
    input: _Any, input_encoding: str, errors: str = 'replace', replacement_char: int = 65533,
    replace_control_characters: bool = False, Tsplits: _Any = ..., name: str | None = None,
) -> _UnicodeDecodeWithOffsets:
    """UnicodeDecode, with the byte offset of each character in its string."""

def UnicodeEncode(
    input_values: _Any, input_splits: _Any, output_encoding: str, errors: str = 'replace',
    replacement_char: int = 65533, name: str | None = None,
) -> Tensor:
    """Encodes each row of code points as a string."""

def UnicodeScript(input: _Any, name: str | None = None) -> Tensor:
    """ICU's number of the script of each code point; -1 for invalid code points."""

def UnicodeTranscode(
    input: _Any, input_encoding: str, output_encoding: str, errors: str = 'replace',
    replacement_char: int = 65533, replace_control_characters: bool = False, name: str | None = None,
) -> Tensor:
    """Transcodes strings from one Unicode encoding to another."""

def UniformCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0,
    seed2: int = 0, name: str | None = None,
) -> _UniformCandidateSampler:
    """Samples classes from a uniform distribution."""

Unique = unique

def UniqueDataset(
    input_dataset: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset with each element once."""

def UniqueV2(x: _Any, axis: _Any, out_idx: _Any = ..., name: str | None = None) -> _UniqueV2:
    """The unique slices of `x` along `axis` in order of appearance, and the index of each slice among
    them."""

UniqueWithCounts = unique_with_counts

def UniqueWithCountsV2(
    x: _Any, axis: _Any, out_idx: _Any = ..., name: str | None = None,
) -> _UniqueWithCountsV2:
    """UniqueV2, with the number of occurrences of each unique slice."""

def Unpack(value: _Any, num: int, axis: int = 0, name: str | None = None) -> list[Tensor]:
    """Unstacks `value` along `axis`, the inverse of Pack."""

UnravelIndex = unravel_index
UnsortedSegmentJoin = unsorted_segment_join
UnsortedSegmentMax = unsorted_segment_max
UnsortedSegmentMin = unsorted_segment_min
UnsortedSegmentProd = unsorted_segment_prod
UnsortedSegmentSum = unsorted_segment_sum

def Unstage(
    dtypes: _Any, capacity: int = 0, memory_limit: int = 0, container: str = '', shared_name: str = '',
    name: str | None = None,
) -> list[Tensor]:
    """Removes the oldest element of a staging area, waiting for one."""

def UnwrapDatasetVariant(input_handle: _Any, name: str | None = None) -> Tensor:
    """The tensor, which needs no wrapping here."""

def UpperBound(
    sorted_inputs: _Any, values: _Any, out_type: _Any = ..., name: str | None = None,
) -> Tensor:
    """The last insertion index of each value that keeps its row sorted (searchsorted, right)."""

def VarHandleOp(
    dtype: _Any, shape: _Any, container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A resource variable: a handle to storage for one tensor."""

def VarIsInitializedOp(resource: _Any, name: str | None = None) -> Tensor:
    """Whether the variable is initialized."""

def Variable(
    shape: _Any, dtype: _Any, container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """The oldest form of VariableV2, in which the shape [] means an unknown shape."""

def VariableShape(input: _Any, out_type: _Any = ..., name: str | None = None) -> Tensor:
    """The shape of a resource variable."""

def VariableV2(
    shape: _Any, dtype: _Any, container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A reference variable: storage for one tensor."""

def WALSComputePartialLhsAndRhs(
    factors: _Any, factor_weights: _Any, unobserved_weights: _Any, input_weights: _Any, input_indices: _Any,
    input_values: _Any, entry_weights: _Any, input_block_size: _Any, input_is_transpose: _Any,
    name: str | None = None,
) -> _WALSComputePartialLhsAndRhs:
    """What the observed entries of each row add to its normal equations (Hu, Koren and Volinsky, 2008)."""

def Where(condition: _Any, name: str | None = None) -> Tensor:
    """The coordinates of the elements that are true or nonzero, one row for each."""

def While(
    input: _Any, cond: _Any, body: _Any, output_shapes: _Any = ..., parallel_iterations: int = 10,
    name: str | None = None,
) -> list[Tensor]:
    """A while loop: applies `body` to the loop variables while `cond` is true."""

def WholeFileReaderV2(container: str = '', shared_name: str = '', name: str | None = None) -> Tensor:
    """A reader of whole files; keys are file names, values contents."""

def WindowDataset(
    input_dataset: _Any, size: _Any, shift: _Any, stride: _Any, drop_remainder: _Any, output_types: _Any,
    output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of windows, each of which is a dataset for each component."""

def WrapDatasetVariant(input_handle: _Any, name: str | None = None) -> Tensor:
    """The tensor, which needs no wrapping here."""

def WriteAudioSummary(
    writer: _Any, step: _Any, tag: _Any, tensor: _Any, sample_rate: _Any, max_outputs: int = 3,
    name: str | None = None,
) -> Operation:
    """Writes an audio summary of the first clips of a batch."""

WriteFile = write_file

def WriteGraphSummary(writer: _Any, step: _Any, tensor: _Any, name: str | None = None) -> Operation:
    """Writes a serialized GraphDef."""

def WriteHistogramSummary(
    writer: _Any, step: _Any, tag: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Writes a histogram summary of the values."""

def WriteImageSummary(
    writer: _Any, step: _Any, tag: _Any, tensor: _Any, bad_color: _Any, max_images: int = 3,
    name: str | None = None,
) -> Operation:
    """Writes an image summary of the first images of a batch."""

def WriteRawProtoSummary(writer: _Any, step: _Any, tensor: _Any, name: str | None = None) -> Operation:
    """Writes Summary messages in one event."""

def WriteScalarSummary(
    writer: _Any, step: _Any, tag: _Any, value: _Any, name: str | None = None,
) -> Operation:
    """Writes a scalar summary."""

def WriteSummary(
    writer: _Any, step: _Any, tensor: _Any, tag: _Any, summary_metadata: _Any, name: str | None = None,
) -> Operation:
    """Writes a summary with a whole tensor."""

Xdivy = xdivy

def Xlog1py(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """x * log1p(y), or 0 where `x` is 0."""

Xlogy = xlogy

def ZeroInitializer(ref: _Any, name: str | None = None) -> Tensor:
    """Sets the variable to zeros."""

def ZeroVarInitializer(var: _Any, dtype: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """Sets the variable to zeros."""

def ZerosLike(x: _Any, name: str | None = None) -> Tensor:
    """Zeros (or empty strings) of the shape of `x`."""

Zeta = zeta

def ZipDataset(
    input_datasets: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> Tensor:
    """A dataset of the elements of several datasets, side by side."""
