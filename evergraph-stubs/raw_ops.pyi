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
from typing import Any as _Any, NamedTuple, overload

class _AllCandidateSampler(NamedTuple):
    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor

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

class _BroadcastGradientArgs(NamedTuple):
    r0: Tensor
    r1: Tensor

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

class _SelfAdjointEigV2(NamedTuple):
    e: Tensor
    v: Tensor

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

def Abort(error_msg: str = '', exit_without_error: bool = False, name: str | None = None) -> Operation:
    """Ends the program: quietly, or by an error with that message."""

def Abs(x: _Any, name: str | None = None) -> Tensor:
    """The absolute value."""

def AccumulateNV2(inputs: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """The sum of tensors of one shape, which is given."""

def AccumulatorApplyGradient(
    handle: _Any, local_step: _Any, gradient: _Any, name: str | None = None,
) -> Operation:
    """Adds a gradient, unless it is of an older step than the accumulator."""

def AccumulatorNumAccumulated(handle: _Any, name: str | None = None) -> Tensor:
    """How many gradients have added up."""

def AccumulatorSetGlobalStep(handle: _Any, new_global_step: _Any, name: str | None = None) -> Operation:
    """Moves an accumulator to a step."""

def AccumulatorTakeGradient(
    handle: _Any, num_required: _Any, dtype: _Any, name: str | None = None,
) -> Tensor:
    """The mean or sum of the gradients, once there are as many as required."""

Acos = acos
Acosh = acosh
Add = add

def AddManySparseToTensorsMap(
    sparse_indices: _Any, sparse_values: _Any, sparse_shape: _Any, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Puts the slices of a sparse tensor along its first axis into a map and gives their numbers there."""

def AddN(inputs: _Any, name: str | None = None) -> Tensor:
    """The sum of tensors of one shape."""

def AddSparseToTensorsMap(
    sparse_indices: _Any, sparse_values: _Any, sparse_shape: _Any, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Puts a sparse tensor into a map and gives its number there."""

@overload
def AddV2(x: RaggedTensor | RaggedTensorValue, y: _Any, name: str | None = None) -> _Any:
    """The sum."""
@overload
def AddV2(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """The sum."""

def AdjustContrast(
    images: _Any, contrast_factor: _Any, min_value: _Any, max_value: _Any, name: str | None = None,
) -> Tensor:
    """AdjustContrastv2 of any numbers, the result kept between two bounds."""

def AdjustContrastv2(images: _Any, contrast_factor: _Any, name: str | None = None) -> Tensor:
    """Moves each pixel away from the mean of its image and channel by a factor."""

def AdjustHue(images: _Any, delta: _Any, name: str | None = None) -> Tensor:
    """RGB images with their hue moved around the circle, whose length is 1."""

def AdjustSaturation(images: _Any, scale: _Any, name: str | None = None) -> Tensor:
    """RGB images with their saturation multiplied, at most to 1."""

def All(
    input: _Any, reduction_indices: _Any, keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """Whether all are true along axes."""

def AllCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, seed: int = 0, seed2: int = 0,
    name: str | None = None,
) -> _AllCandidateSampler:
    """All classes, in order."""

def Angle(input: _Any, Tout: _Any = ..., name: str | None = None) -> Tensor:
    """The angle of the number in the complex plane."""

def Any(
    input: _Any, reduction_indices: _Any, keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """Whether at least one is true along axes."""

def ApplyAdaMax(
    var: _Any, m: _Any, v: _Any, beta1_power: _Any, lr: _Any, beta1: _Any, beta2: _Any, epsilon: _Any,
    grad: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Adam with the running maximum of gradients in place of their second moment."""

def ApplyAdadelta(
    var: _Any, accum: _Any, accum_update: _Any, lr: _Any, rho: _Any, epsilon: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """The step is scaled by the running size of earlier steps over that of the gradients."""

def ApplyAdagrad(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, use_locking: bool = False, update_slots: bool = True,
    name: str | None = None,
) -> Tensor:
    """accum += grad ** 2; var -= lr * grad / sqrt(accum)."""

def ApplyAdagradDA(
    var: _Any, gradient_accumulator: _Any, gradient_squared_accumulator: _Any, grad: _Any, lr: _Any,
    l1: _Any, l2: _Any, global_step: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Dual averaging: the variable follows from the sums of all gradients and their squares."""

def ApplyAdagradV2(
    var: _Any, accum: _Any, lr: _Any, epsilon: _Any, grad: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Tensor:
    """accum += grad ** 2; var -= lr * grad / (sqrt(accum) + epsilon)."""

def ApplyAdam(
    var: _Any, m: _Any, v: _Any, beta1_power: _Any, beta2_power: _Any, lr: _Any, beta1: _Any, beta2: _Any,
    epsilon: _Any, grad: _Any, use_locking: bool = False, use_nesterov: bool = False,
    name: str | None = None,
) -> Tensor:
    """A step along the running mean of gradients over the root of the running mean of their squares."""

def ApplyAddSign(
    var: _Any, m: _Any, lr: _Any, alpha: _Any, sign_decay: _Any, beta: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """var -= lr * (alpha + sign_decay * agreement) * grad."""

def ApplyCenteredRMSProp(
    var: _Any, mg: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any,
    grad: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """RMSProp over the running variance of the gradient instead of the mean of its square."""

def ApplyFtrl(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, lr: _Any, l1: _Any, l2: _Any, lr_power: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Follow the regularized leader."""

def ApplyFtrlV2(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, lr: _Any, l1: _Any, l2: _Any, l2_shrinkage: _Any,
    lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Follow the regularized leader, with a penalty on the size of the variable that the gradient sees."""

def ApplyGradientDescent(
    var: _Any, alpha: _Any, delta: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """var -= alpha * delta."""

def ApplyMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Tensor:
    """accum = momentum * accum + grad; var -= lr * accum, or with Nesterov a step further along."""

def ApplyPowerSign(
    var: _Any, m: _Any, lr: _Any, logbase: _Any, sign_decay: _Any, beta: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """var -= lr * exp(logbase * sign_decay * agreement) * grad."""

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
    """A step along the gradient over the root of the running mean of its square, with momentum."""

def ApproximateEqual(
    x: _Any, y: _Any, tolerance: float = 9.999999747378752e-06, name: str | None = None,
) -> Tensor:
    """Whether the elements differ by less than `tolerance`."""

ArgMax = arg_max
ArgMin = arg_min

def AsString(
    input: _Any, precision: int = -1, scientific: bool = False, shortest: bool = False, width: int = -1,
    fill: str = '', name: str | None = None,
) -> Tensor:
    """Each number as text."""

Asin = asin
Asinh = asinh

def Assert(condition: _Any, data: _Any, summarize: int = 3, name: str | None = None) -> Operation:
    """Fails the step, with `data` in the message, unless `condition` is true."""

def Assign(
    ref: _Any, value: _Any, validate_shape: bool = True, use_locking: bool = True, name: str | None = None,
) -> Tensor:
    """Makes `value` the variable's value."""

def AssignAdd(ref: _Any, value: _Any, use_locking: bool = False, name: str | None = None) -> Tensor:
    """Adds `value` to the variable."""

def AssignAddVariableOp(resource: _Any, value: _Any, name: str | None = None) -> Operation:
    """Adds `value` to the variable."""

def AssignSub(ref: _Any, value: _Any, use_locking: bool = False, name: str | None = None) -> Tensor:
    """Subtracts `value` from the variable."""

def AssignSubVariableOp(resource: _Any, value: _Any, name: str | None = None) -> Operation:
    """Subtracts `value` from the variable."""

def AssignVariableOp(resource: _Any, value: _Any, name: str | None = None) -> Operation:
    """Makes `value` the variable's value."""

Atan = atan
Atan2 = atan2
Atanh = atanh

def AudioSpectrogram(
    input: _Any, window_size: int, stride: int, magnitude_squared: bool = False, name: str | None = None,
) -> Tensor:
    """How strong each frequency is over time: the absolute values of Fourier transforms of windows of a
    signal."""

def AudioSummary(
    tag: _Any, tensor: _Any, sample_rate: float, max_outputs: int = 3, name: str | None = None,
) -> Tensor:
    """A message with the first clips of a batch, as graphs of older programs ask for it."""

def AudioSummaryV2(
    tag: _Any, tensor: _Any, sample_rate: _Any, max_outputs: int = 3, name: str | None = None,
) -> Tensor:
    """A message with the first clips of a batch, as WAV files."""

def AvgPool(
    value: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """The mean of the elements that a window sees at each place; padding does not count."""

def AvgPool3D(
    input: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NDHWC',
    name: str | None = None,
) -> Tensor:
    """AvgPool of volumes."""

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

def Batch(
    in_tensors: _Any, num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int,
    grad_timeout_micros: int, max_enqueued_batches: int = 10, allowed_batch_sizes: _Any = ...,
    container: str = '', shared_name: str = '', batching_queue: str = '', name: str | None = None,
) -> _Batch:
    """The tensors of several steps in one of them, and nothing in the others."""

def BatchCholesky(input: _Any, name: str | None = None) -> Tensor:
    """The lower triangular matrices whose products with their adjoints are the input, which must be
    positive."""

def BatchCholeskyGrad(l: _Any, grad: _Any, name: str | None = None) -> Tensor:
    """The gradient of Cholesky, from the factor."""

def BatchFFT(input: _Any, name: str | None = None) -> Tensor:
    """The Fourier transform over the last 1 axes."""

def BatchFFT2D(input: _Any, name: str | None = None) -> Tensor:
    """The Fourier transform over the last 2 axes."""

def BatchFFT3D(input: _Any, name: str | None = None) -> Tensor:
    """The Fourier transform over the last 3 axes."""

def BatchFunction(
    in_tensors: _Any, captured_tensors: _Any, f: _Any, num_batch_threads: int, max_batch_size: int,
    batch_timeout_micros: int, Tout: _Any, max_enqueued_batches: int = 10, allowed_batch_sizes: _Any = ...,
    container: str = '', shared_name: str = '', batching_queue: str = '', name: str | None = None,
) -> list[Tensor]:
    """The outputs of a function of the tensors of several steps, computed once; each step gets its own
    rows."""

def BatchIFFT(input: _Any, name: str | None = None) -> Tensor:
    """The inverse Fourier transform over the last 1 axes."""

def BatchIFFT2D(input: _Any, name: str | None = None) -> Tensor:
    """The inverse Fourier transform over the last 2 axes."""

def BatchIFFT3D(input: _Any, name: str | None = None) -> Tensor:
    """The inverse Fourier transform over the last 3 axes."""

def BatchMatMul(
    x: _Any, y: _Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None,
) -> Tensor:
    """The products of the matrices in the last two axes, either one conjugated and transposed first."""

def BatchMatMulV2(
    x: _Any, y: _Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None,
) -> Tensor:
    """The products of the matrices in the last two axes, either one conjugated and transposed first."""

def BatchMatMulV3(
    x: _Any, y: _Any, Tout: _Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None,
) -> Tensor:
    """The products of the matrices in the last two axes, computed in the dtype of the output."""

def BatchMatrixBandPart(
    input: _Any, num_lower: _Any, num_upper: _Any, name: str | None = None,
) -> Tensor:
    """The older name of MatrixBandPart."""

def BatchMatrixDeterminant(input: _Any, name: str | None = None) -> Tensor:
    """The determinants of square matrices."""

def BatchMatrixDiag(diagonal: _Any, name: str | None = None) -> Tensor:
    """The older name of MatrixDiag."""

def BatchMatrixDiagPart(input: _Any, name: str | None = None) -> Tensor:
    """The older name of MatrixDiagPart."""

def BatchMatrixInverse(input: _Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of square matrices, or its adjoint."""

def BatchMatrixSetDiag(input: _Any, diagonal: _Any, name: str | None = None) -> Tensor:
    """The older name of MatrixSetDiag."""

def BatchMatrixSolve(matrix: _Any, rhs: _Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The x for which matrix * x = rhs, or adjoint(matrix) * x = rhs."""

def BatchMatrixSolveLs(
    matrix: _Any, rhs: _Any, l2_regularizer: _Any, fast: bool = True, name: str | None = None,
) -> Tensor:
    """The x that makes |matrix * x - rhs|^2 + l2_regularizer * |x|^2 smallest, and among equals the
    shortest."""

def BatchMatrixTriangularSolve(
    matrix: _Any, rhs: _Any, lower: bool = True, adjoint: bool = False, name: str | None = None,
) -> Tensor:
    """The solution of equations whose matrix is triangular; the other triangle is not looked at."""

def BatchNormWithGlobalNormalization(
    t: _Any, m: _Any, v: _Any, beta: _Any, gamma: _Any, variance_epsilon: float,
    scale_after_normalization: bool, name: str | None = None,
) -> Tensor:
    """(t - m) / sqrt(v + variance_epsilon) * gamma + beta, along the last axis; `gamma` only where it is
    asked for."""

def BatchNormWithGlobalNormalizationGrad(
    t: _Any, m: _Any, v: _Any, gamma: _Any, backprop: _Any, variance_epsilon: float,
    scale_after_normalization: bool, name: str | None = None,
) -> _BatchNormWithGlobalNormalizationGrad:
    """The gradients of BatchNormWithGlobalNormalization."""

def BatchSelfAdjointEig(input: _Any, name: str | None = None) -> Tensor:
    """Eigenvalues in the first row, vectors below them."""

def BatchSelfAdjointEigV2(
    input: _Any, compute_v: bool = True, name: str | None = None,
) -> _BatchSelfAdjointEigV2:
    """The eigenvalues of self-adjoint matrices, in rising order, and their vectors, as columns."""

def BatchSvd(
    input: _Any, compute_uv: bool = True, full_matrices: bool = False, name: str | None = None,
) -> _BatchSvd:
    """The singular values, largest first, and the vectors on the left and right, as columns."""

def BatchToSpace(input: _Any, crops: _Any, block_size: int, name: str | None = None) -> Tensor:
    """BatchToSpaceND with square blocks of images."""

BatchToSpaceND = batch_to_space_nd
BesselI0e = bessel_i0e
BesselI1e = bessel_i1e
Betainc = betainc

def BiasAdd(value: _Any, bias: _Any, data_format: str = 'NHWC', name: str | None = None) -> Tensor:
    """value + bias, where bias has one element per channel."""

def BiasAddGrad(out_backprop: _Any, data_format: str = 'NHWC', name: str | None = None) -> Tensor:
    """The gradient of BiasAdd by the bias: the sum over everything but the channel."""

def BiasAddV1(value: _Any, bias: _Any, name: str | None = None) -> Tensor:
    """value + bias along the last axis."""

def Bincount(arr: _Any, size: _Any, weights: _Any, name: str | None = None) -> Tensor:
    """How often each of 0 ... size - 1 occurs in `arr`, or the sum of the weights where it does."""

Bitcast = bitcast
BitwiseAnd = bitwise_and
BitwiseOr = bitwise_or
BitwiseXor = bitwise_xor

def BlockLSTM(
    seq_len_max: _Any, x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any,
    b: _Any, forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = False,
    name: str | None = None,
) -> _BlockLSTM:
    """An LSTM over inputs of shape [time, batch, size]: gates, states and outputs of every step."""

def BlockLSTMGrad(
    seq_len_max: _Any, x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any,
    b: _Any, i: _Any, cs: _Any, f: _Any, o: _Any, ci: _Any, co: _Any, h: _Any, cs_grad: _Any, h_grad: _Any,
    use_peephole: bool, name: str | None = None,
) -> _BlockLSTMGrad:
    """The gradients of a block with respect to what goes into it."""

def BlockLSTMGradV2(
    seq_len_max: _Any, x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any,
    b: _Any, i: _Any, cs: _Any, f: _Any, o: _Any, ci: _Any, co: _Any, h: _Any, cs_grad: _Any, h_grad: _Any,
    use_peephole: bool, name: str | None = None,
) -> _BlockLSTMGradV2:
    """The gradients of a block with respect to what goes into it."""

def BlockLSTMV2(
    seq_len_max: _Any, x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any,
    b: _Any, cell_clip: float = 0.0, use_peephole: bool = False, name: str | None = None,
) -> _BlockLSTMV2:
    """The same with gates in another order and no bias of the forget gate but the one in `b`."""

def BroadcastArgs(s0: _Any, s1: _Any, name: str | None = None) -> Tensor:
    """The shape that tensors of shapes `s0` and `s1` broadcast to."""

def BroadcastGradientArgs(s0: _Any, s1: _Any, name: str | None = None) -> _BroadcastGradientArgs:
    """For two shapes that broadcast: the axes over which the gradient of each must be summed."""

BroadcastTo = broadcast_to

def Bucketize(input: _Any, boundaries: _Any, name: str | None = None) -> Tensor:
    """The number of boundaries that are not above each number."""

def CTCBeamSearchDecoder(
    inputs: _Any, sequence_length: _Any, beam_width: int, top_paths: int, merge_repeated: bool = True,
    name: str | None = None,
) -> _CTCBeamSearchDecoder:
    """The most likely sequences of labels that a beam search finds, best first, and their log
    probabilities."""

def CTCGreedyDecoder(
    inputs: _Any, sequence_length: _Any, merge_repeated: bool = False, name: str | None = None,
) -> _CTCGreedyDecoder:
    """The labels on the path of the most likely class of each frame, and minus the sum of that path's
    logits."""

def CTCLoss(
    inputs: _Any, labels_indices: _Any, labels_values: _Any, sequence_length: _Any,
    preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False, name: str | None = None,
) -> _CTCLoss:
    """Minus the log likelihood of each sequence of labels, and its gradient by the logits of every
    frame."""

def Case(
    branch_index: _Any, input: _Any, Tout: _Any, branches: _Any, output_shapes: _Any = ...,
    name: str | None = None,
) -> list[Tensor]:
    """The outputs of the branch with that number, or of the last one when there is none."""

def Cast(x: _Any, DstT: _Any, Truncate: bool = False, name: str | None = None) -> Tensor:
    """`x` in another dtype."""

Ceil = ceil
CheckNumerics = check_numerics
Cholesky = cholesky

def CholeskyGrad(l: _Any, grad: _Any, name: str | None = None) -> Tensor:
    """The gradient of Cholesky, from the factor."""

def ClipByValue(t: _Any, clip_value_min: _Any, clip_value_max: _Any, name: str | None = None) -> Tensor:
    """Numbers below the minimum are raised to it, numbers above the maximum lowered to it."""

def CloseSummaryWriter(writer: _Any, name: str | None = None) -> Operation:
    """Closes the file; the writer may be created anew."""

def CombinedNonMaxSuppression(
    boxes: _Any, scores: _Any, max_output_size_per_class: _Any, max_total_size: _Any, iou_threshold: _Any,
    score_threshold: _Any, pad_per_class: bool = False, clip_boxes: bool = True, name: str | None = None,
) -> _CombinedNonMaxSuppression:
    """NonMaxSuppressionV3 of each class in each image of a batch, then the best over all classes."""

def CompareAndBitpack(input: _Any, threshold: _Any, name: str | None = None) -> Tensor:
    """Whether each number is above the threshold, eight answers a byte, the first one highest."""

def Complex(real: _Any, imag: _Any, Tout: _Any = ..., name: str | None = None) -> Tensor:
    """The complex numbers with these parts."""

def ComplexAbs(x: _Any, Tout: _Any = ..., name: str | None = None) -> Tensor:
    """The distance from zero."""

def ComputeAccidentalHits(
    true_classes: _Any, sampled_candidates: _Any, num_true: int, seed: int = 0, seed2: int = 0,
    name: str | None = None,
) -> _ComputeAccidentalHits:
    """Where a true class was sampled: its row, its place among the sampled, and a weight that takes it
    out."""

def Concat(concat_dim: _Any, values: _Any, name: str | None = None) -> Tensor:
    """Tensors joined along an existing axis; the older order of arguments."""

def ConcatOffset(concat_dim: _Any, shape: _Any, name: str | None = None) -> list[Tensor]:
    """Where in their concatenation each of the tensors of these shapes begins."""

def ConcatV2(values: _Any, axis: _Any, name: str | None = None) -> Tensor:
    """Tensors joined along an existing axis."""

def ConditionalAccumulator(
    dtype: _Any, shape: _Any, container: str = '', shared_name: str = '', reduction_type: str = 'MEAN',
    name: str | None = None,
) -> Tensor:
    """Holds gradients that add up."""

def Conj(input: _Any, name: str | None = None) -> Tensor:
    """The number with the other imaginary part."""

def ConjugateTranspose(x: _Any, perm: _Any, name: str | None = None) -> Tensor:
    """The complex conjugate of `x` with its axes in the order of `perm`."""

def Const(value: _Any, dtype: _Any, name: str | None = None) -> Tensor:
    """A tensor that is part of the graph."""

def ConsumeMutexLock(mutex_lock: _Any, name: str | None = None) -> Operation:
    """Ends the hold on a mutex."""

def ControlTrigger(name: str | None = None) -> Operation:
    """Does nothing; control dependencies on it hold even for branches not taken."""

def Conv2D(
    input: _Any, filter: _Any, strides: _Any, padding: str, use_cudnn_on_gpu: bool = True,
    explicit_paddings: _Any = ..., data_format: str = 'NHWC', dilations: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """Images convolved with a filter of [height, width, channels in, channels out]."""

def Conv2DBackpropFilter(
    input: _Any, filter_sizes: _Any, out_backprop: _Any, strides: _Any, padding: str,
    use_cudnn_on_gpu: bool = True, explicit_paddings: _Any = ..., data_format: str = 'NHWC',
    dilations: _Any = ..., name: str | None = None,
) -> Tensor:
    """The gradient of Conv2D by its filter."""

def Conv2DBackpropInput(
    input_sizes: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: str,
    use_cudnn_on_gpu: bool = True, explicit_paddings: _Any = ..., data_format: str = 'NHWC',
    dilations: _Any = ..., name: str | None = None,
) -> Tensor:
    """The gradient of Conv2D by its input; also what is called a transposed convolution."""

def Conv3D(
    input: _Any, filter: _Any, strides: _Any, padding: str, data_format: str = 'NDHWC',
    dilations: _Any = ..., name: str | None = None,
) -> Tensor:
    """Volumes convolved with a filter of [depth, height, width, channels in, channels out]."""

def Conv3DBackpropFilter(
    input: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: str, dilations: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """Conv3DBackpropFilterV2 that takes the filter itself, for its shape."""

Conv3DBackpropFilterV2 = conv3d_backprop_filter_v2

def Conv3DBackpropInput(
    input: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: str, dilations: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """Conv3DBackpropInputV2 that takes the input itself, for its shape."""

def Conv3DBackpropInputV2(
    input_sizes: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: str,
    data_format: str = 'NDHWC', dilations: _Any = ..., name: str | None = None,
) -> Tensor:
    """The gradient of Conv3D by its input; also what is called a transposed convolution."""

def Copy(
    input: _Any, tensor_name: str = '', debug_ops_spec: _Any = ..., name: str | None = None,
) -> Tensor:
    """A copy of `input` for the debugger to watch."""

def CopyHost(
    input: _Any, tensor_name: str = '', debug_ops_spec: _Any = ..., name: str | None = None,
) -> Tensor:
    """A copy of `input` in the host's memory, for the debugger to watch."""

Cos = cos
Cosh = cosh

def CountUpTo(ref: _Any, limit: int, name: str | None = None) -> Tensor:
    """The scalar variable's value before it is increased by one."""

def CreateSummaryFileWriter(
    writer: _Any, logdir: _Any, max_queue: _Any, flush_millis: _Any, filename_suffix: _Any,
    name: str | None = None,
) -> Operation:
    """Has the writer write to a new file in a directory; one that is open stays as it is."""

def CropAndResize(
    image: _Any, boxes: _Any, box_ind: _Any, crop_size: _Any, method: str = 'bilinear',
    extrapolation_value: float = 0.0, name: str | None = None,
) -> Tensor:
    """The contents of boxes, all resized to one size; beyond the image there is `extrapolation_value`."""

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

def Cumprod(
    x: _Any, axis: _Any, exclusive: bool = False, reverse: bool = False, name: str | None = None,
) -> Tensor:
    """The running product along an axis."""

def Cumsum(
    x: _Any, axis: _Any, exclusive: bool = False, reverse: bool = False, name: str | None = None,
) -> Tensor:
    """The running sum along an axis."""

def CumulativeLogsumexp(
    x: _Any, axis: _Any, exclusive: bool = False, reverse: bool = False, name: str | None = None,
) -> Tensor:
    """The logarithm of the running sum of exponentials along an axis."""

def DataFormatDimMap(
    x: _Any, src_format: str = 'NHWC', dst_format: str = 'NCHW', name: str | None = None,
) -> Tensor:
    """The numbers that axes of the first layout have in the second; negative ones count from the end."""

def DataFormatVecPermute(
    x: _Any, src_format: str = 'NHWC', dst_format: str = 'NCHW', name: str | None = None,
) -> Tensor:
    """A number, or a pair of them, for each axis of the first layout, in the order of the second."""

def DebugGradientIdentity(input: _Any, name: str | None = None) -> Tensor:
    """Marks a gradient for the debugger."""

def DebugGradientRefIdentity(input: _Any, name: str | None = None) -> Tensor:
    """Marks the gradient of a reference for the debugger."""

def DecodeAndCropJpeg(
    contents: _Any, crop_window: _Any, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1.0, dct_method: str = '',
    name: str | None = None,
) -> Tensor:
    """A part of the pixels of a JPEG file: `crop_window` is its upper row, left column, height and
    width."""

def DecodeBase64(input: _Any, name: str | None = None) -> Tensor:
    """What each string of web-safe base64 stands for; padding may be there or not."""

def DecodeBmp(contents: _Any, channels: int = 0, name: str | None = None) -> Tensor:
    """The pixels of a BMP file that is not compressed: gray, RGB or RGBA."""

def DecodeCSV(
    records: _Any, record_defaults: _Any, field_delim: str = ',', use_quote_delim: bool = True,
    na_value: str = '', select_cols: _Any = ..., name: str | None = None,
) -> list[Tensor]:
    """One tensor for each column of the records, which are lines of comma-separated values."""

def DecodeCompressed(bytes: _Any, compression_type: str = '', name: str | None = None) -> Tensor:
    """Each string decompressed; `compression_type` is "ZLIB", "GZIP" or "" for none."""

def DecodeGif(contents: _Any, name: str | None = None) -> Tensor:
    """The frames of a GIF file, [frames, height, width, 3]."""

def DecodeImage(
    contents: _Any, channels: int = 0, dtype: _Any = ..., expand_animations: bool = True,
    name: str | None = None,
) -> Tensor:
    """The pixels of a JPEG, PNG, GIF or BMP file; as floats they lie between 0 and 1."""

DecodeJSONExample = decode_json_example

def DecodeJpeg(
    contents: _Any, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1.0, dct_method: str = '',
    name: str | None = None,
) -> Tensor:
    """The pixels of a JPEG file."""

def DecodePaddedRaw(
    input_bytes: _Any, fixed_length: _Any, out_type: _Any, little_endian: bool = True,
    name: str | None = None,
) -> Tensor:
    """The numbers that the first bytes of each string are; strings that are too short end in zeros."""

def DecodePng(contents: _Any, channels: int = 0, dtype: _Any = ..., name: str | None = None) -> Tensor:
    """The pixels of a PNG file."""

DecodeProtoV2 = decode_proto

def DecodeRaw(
    bytes: _Any, out_type: _Any, little_endian: bool = True, name: str | None = None,
) -> Tensor:
    """The numbers that the bytes of each string are, along a new last axis."""

DecodeWav = decode_wav

def DeepCopy(x: _Any, name: str | None = None) -> Tensor:
    """A copy that later in-place updates of `x` do not reach."""

def DeleteSessionTensor(handle: _Any, name: str | None = None) -> Operation:
    """Lets a session forget the tensor with this handle."""

def DenseBincount(
    input: _Any, size: _Any, weights: _Any, binary_output: bool = False, name: str | None = None,
) -> Tensor:
    """How often each of 0 ... size - 1 occurs in a vector, or in each row of a matrix."""

def DenseToDenseSetOperation(
    set1: _Any, set2: _Any, set_operation: str, validate_indices: bool = True, name: str | None = None,
) -> _DenseToDenseSetOperation:
    """What the operation makes of the sets in the rows of two dense tensors."""

def DenseToSparseSetOperation(
    set1: _Any, set2_indices: _Any, set2_values: _Any, set2_shape: _Any, set_operation: str,
    validate_indices: bool = True, name: str | None = None,
) -> _DenseToSparseSetOperation:
    """What the operation makes of the sets of a dense tensor and those of a sparse one."""

def DepthToSpace(
    input: _Any, block_size: int, data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """Moves groups of channels into square blocks of each image."""

DepthwiseConv2dNative = depthwise_conv2d_native
DepthwiseConv2dNativeBackpropFilter = depthwise_conv2d_native_backprop_filter
DepthwiseConv2dNativeBackpropInput = depthwise_conv2d_native_backprop_input
Dequantize = dequantize

def DeserializeManySparse(
    serialized_sparse: _Any, dtype: _Any, name: str | None = None,
) -> _DeserializeManySparse:
    """The sparse tensors that the rows hold, stacked along a new first axis."""

def DeserializeSparse(
    serialized_sparse: _Any, dtype: _Any, name: str | None = None,
) -> _DeserializeSparse:
    """The sparse tensor that three elements hold; of many, stacked along new axes in front."""

def DestroyResourceOp(
    resource: _Any, ignore_lookup_error: bool = True, name: str | None = None,
) -> Operation:
    """Gives up the variable's value."""

def DestroyTemporaryVariable(ref: _Any, var_name: str, name: str | None = None) -> Tensor:
    """The last value of a TemporaryVariable, which is called by its var_name, or else its own name."""

Diag = diag
DiagPart = diag_part
Digamma = digamma

def Dilation2D(
    input: _Any, filter: _Any, strides: _Any, rates: _Any, padding: str, name: str | None = None,
) -> Tensor:
    """The largest sum of input and filter that a window sees, for each channel."""

def Dilation2DBackpropFilter(
    input: _Any, filter: _Any, out_backprop: _Any, strides: _Any, rates: _Any, padding: str,
    name: str | None = None,
) -> Tensor:
    """The gradient of Dilation2D by its filter: the sum over the windows that each element won."""

def Dilation2DBackpropInput(
    input: _Any, filter: _Any, out_backprop: _Any, strides: _Any, rates: _Any, padding: str,
    name: str | None = None,
) -> Tensor:
    """The gradient of Dilation2D by its input: it goes to the element that won."""

def DisableCopyOnRead(resource: _Any, name: str | None = None) -> Operation:
    """Does nothing: a variable here is never copied when it is read."""

def Div(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """The quotient; that of integers is rounded towards zero."""

def DivNoNan(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """The quotient, 0 where `y` is 0."""

def DrawBoundingBoxes(images: _Any, boxes: _Any, name: str | None = None) -> Tensor:
    """Images with the outlines of boxes, in ten colours in turn."""

def DrawBoundingBoxesV2(images: _Any, boxes: _Any, colors: _Any, name: str | None = None) -> Tensor:
    """Images with the outlines of boxes, in these colours in turn; the ten of V1 when there are none."""

DynamicPartition = dynamic_partition
DynamicStitch = dynamic_stitch

def EagerPyFunc(
    input: _Any, token: str, Tout: _Any, is_async: bool = False, name: str | None = None,
) -> list[Tensor]:
    """The result of a Python function of tensors that have values."""

def EditDistance(
    hypothesis_indices: _Any, hypothesis_values: _Any, hypothesis_shape: _Any, truth_indices: _Any,
    truth_values: _Any, truth_shape: _Any, normalize: bool = True, name: str | None = None,
) -> Tensor:
    """How many insertions, deletions and replacements turn each sequence of the hypothesis into that of the
    truth."""

def Einsum(inputs: _Any, equation: str, name: str | None = None) -> Tensor:
    """The sums of products that Einstein's notation spells, such as `ij,jk->ik`."""

Elu = elu

def EluGrad(gradients: _Any, outputs: _Any, name: str | None = None) -> Tensor:
    """The gradient of Elu."""

def Empty(shape: _Any, dtype: _Any, init: bool = False, name: str | None = None) -> Tensor:
    """A tensor of that shape; always zeros, which are as good as anything when `init` is false."""

def EmptyTensorList(
    element_shape: _Any, max_num_elements: _Any, element_dtype: _Any, name: str | None = None,
) -> Tensor:
    """A list without elements."""

def EncodeBase64(input: _Any, pad: bool = False, name: str | None = None) -> Tensor:
    """Each string in web-safe base64, filled up with "=" to a multiple of four when `pad` says so."""

def EncodeJpeg(
    image: _Any, format: str = '', quality: int = 95, progressive: bool = False,
    optimize_size: bool = False, chroma_downsampling: bool = True, density_unit: str = 'in',
    x_density: int = 300, y_density: int = 300, xmp_metadata: str = '', name: str | None = None,
) -> Tensor:
    """A JPEG file of the image."""

def EncodeJpegVariableQuality(images: _Any, quality: _Any, name: str | None = None) -> Tensor:
    """A JPEG file of the image, whose quality is a tensor."""

def EncodePng(image: _Any, compression: int = -1, name: str | None = None) -> Tensor:
    """A PNG file of the image, compressed by zlib's level (-1 is its default)."""

EncodeProto = encode_proto
EncodeWav = encode_wav

def EnsureShape(input: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """The same value, whose shape must fit `shape`."""

def Enter(
    data: _Any, frame_name: str, is_constant: bool = False, parallel_iterations: int = 10,
    name: str | None = None,
) -> Tensor:
    """Brings a value into the loop of that name: for the first iteration, or a constant one for all."""

Equal = equal

@overload
def Erf(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> _Any:
    """The error function."""
@overload
def Erf(x: _Any, name: str | None = None) -> Tensor:
    """The error function."""

Erfc = erfc

def Erfinv(x: _Any, name: str | None = None) -> Tensor:
    """The number whose error function is `x`."""

def EuclideanNorm(
    input: _Any, reduction_indices: _Any, keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """The root of the sum of squares along axes."""

def EvergraphChosenQueue(index: _Any, handles: _Any, name: str | None = None) -> Tensor:
    """One of several queues, by number; TensorFlow has this for references only."""

def Exit(data: _Any, name: str | None = None) -> Tensor:
    """Brings a value out of a loop."""

Exp = exp

def ExpandDims(input: _Any, dim: _Any, name: str | None = None) -> Tensor:
    """`input` with an axis of size 1 at `dim`."""

Expm1 = expm1

def ExtractGlimpse(
    input: _Any, size: _Any, offsets: _Any, centered: bool = True, normalized: bool = True,
    uniform_noise: bool = True, noise: str = 'uniform', name: str | None = None,
) -> Tensor:
    """A window of each image, around a place of its own; noise where the window is outside of the image."""

def ExtractImagePatches(
    images: _Any, ksizes: _Any, strides: _Any, rates: _Any, padding: str, name: str | None = None,
) -> Tensor:
    """Windows of images, each laid out along the last axis."""

def ExtractJpegShape(contents: _Any, output_type: _Any = ..., name: str | None = None) -> Tensor:
    """Height, width and channels of a JPEG file, from its header."""

ExtractVolumePatches = extract_volume_patches
FFT = fft
FFT2D = fft2d
FFT3D = fft3d

def FIFOQueueV2(
    component_types: _Any, shapes: _Any = ..., capacity: int = -1, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A queue: first in, first out."""

def FakeParam(dtype: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """Stands in a branch for an output that only another branch produces."""

FakeQuantWithMinMaxArgs = fake_quant_with_min_max_args
FakeQuantWithMinMaxArgsGradient = fake_quant_with_min_max_args_gradient
FakeQuantWithMinMaxVars = fake_quant_with_min_max_vars
FakeQuantWithMinMaxVarsGradient = fake_quant_with_min_max_vars_gradient
FakeQuantWithMinMaxVarsPerChannel = fake_quant_with_min_max_vars_per_channel
FakeQuantWithMinMaxVarsPerChannelGradient = fake_quant_with_min_max_vars_per_channel_gradient
Fill = fill

def Fingerprint(data: _Any, method: _Any, name: str | None = None) -> Tensor:
    """Eight bytes for each row of `data`, which tell it from other rows."""

def FixedLengthRecordReaderV2(
    record_bytes: int, header_bytes: int = 0, footer_bytes: int = 0, hop_bytes: int = 0,
    container: str = '', shared_name: str = '', encoding: str = '', name: str | None = None,
) -> Tensor:
    """Reads records of one length; keys are 'file:number'."""

def FixedUnigramCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, range_max: int, vocab_file: str = '',
    distortion: float = 1.0, num_reserved_ids: int = 0, num_shards: int = 1, shard: int = 0,
    unigrams: _Any = ..., seed: int = 0, seed2: int = 0, name: str | None = None,
) -> _FixedUnigramCandidateSampler:
    """Classes as likely as given weights say."""

Floor = floor
FloorDiv = floor_div
FloorMod = floormod

def FlushSummaryWriter(writer: _Any, name: str | None = None) -> Operation:
    """Hands what waits to the file."""

def For(
    start: _Any, limit: _Any, delta: _Any, input: _Any, body: _Any, name: str | None = None,
) -> list[Tensor]:
    """Applies `body` to the counter and the loop variables, for each count from `start` to below
    `limit`."""

def FractionalAvgPool(
    value: _Any, pooling_ratio: _Any, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> _FractionalAvgPool:
    """The mean of each region, and where regions begin along both axes."""

def FractionalAvgPoolGrad(
    orig_input_tensor_shape: _Any, out_backprop: _Any, row_pooling_sequence: _Any,
    col_pooling_sequence: _Any, overlapping: bool = False, name: str | None = None,
) -> Tensor:
    """The gradient of FractionalAvgPool: the elements of a region share it."""

def FractionalMaxPool(
    value: _Any, pooling_ratio: _Any, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> _FractionalMaxPool:
    """The largest element of each region, and where regions begin along both axes."""

def FractionalMaxPoolGrad(
    orig_input: _Any, orig_output: _Any, out_backprop: _Any, row_pooling_sequence: _Any,
    col_pooling_sequence: _Any, overlapping: bool = False, name: str | None = None,
) -> Tensor:
    """The gradient of FractionalMaxPool: the first largest element of a region gets it."""

def FusedBatchNorm(
    x: _Any, scale: _Any, offset: _Any, mean: _Any, variance: _Any, epsilon: float = 9.999999747378752e-05,
    data_format: str = 'NHWC', is_training: bool = True, name: str | None = None,
) -> _FusedBatchNorm:
    """Images with their channels scaled to mean `offset` and deviation `scale`, and the statistics of this
    batch."""

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
    """Images with their channels scaled to mean `offset` and deviation `scale`, and the statistics of this
    batch."""

def FusedBatchNormV3(
    x: _Any, scale: _Any, offset: _Any, mean: _Any, variance: _Any, epsilon: float = 9.999999747378752e-05,
    data_format: str = 'NHWC', is_training: bool = True, name: str | None = None,
) -> _FusedBatchNormV3:
    """FusedBatchNormV2 with an output that only GPUs of TensorFlow fill: here it is 0."""

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
    """A step of a GRU: its gates r and u, its candidate c and its new state h."""

def GRUBlockCellGrad(
    x: _Any, h_prev: _Any, w_ru: _Any, w_c: _Any, b_ru: _Any, b_c: _Any, r: _Any, u: _Any, c: _Any,
    d_h: _Any, name: str | None = None,
) -> _GRUBlockCellGrad:
    """The gradients of a step with respect to x and h_prev, and to its gates before their activations."""

def Gather(
    params: _Any, indices: _Any, validate_indices: bool = True, name: str | None = None,
) -> Tensor:
    """The rows of `params` at `indices`."""

def GatherNd(params: _Any, indices: _Any, name: str | None = None) -> Tensor:
    """The slices of `params` that the vectors in the last axis of `indices` point at."""

def GatherTree(
    step_ids: _Any, parent_ids: _Any, max_sequence_lengths: _Any, end_token: _Any, name: str | None = None,
) -> Tensor:
    """The symbols of each beam, followed from the last step back to the first through the beams it came
    from."""

def GatherV2(
    params: _Any, indices: _Any, axis: _Any, batch_dims: int = 0, name: str | None = None,
) -> Tensor:
    """The slices of `params` along `axis` at `indices`; the first `batch_dims` axes of both go together."""

def GenerateVocabRemapping(
    new_vocab_file: _Any, old_vocab_file: _Any, new_vocab_offset: int, num_new_vocab: int,
    old_vocab_size: int = -1, name: str | None = None,
) -> _GenerateVocabRemapping:
    """Where each word of a new vocabulary was in the old one (-1: nowhere), and how many were in it."""

def GetSessionHandle(value: _Any, name: str | None = None) -> Tensor:
    """Keeps a tensor in the session, and gives a handle for it."""

def GetSessionHandleV2(value: _Any, name: str | None = None) -> Tensor:
    """Keeps a tensor in the session, and gives a handle for it."""

def GetSessionTensor(handle: _Any, dtype: _Any, name: str | None = None) -> Tensor:
    """The tensor that a session keeps under a handle."""

Greater = greater
GreaterEqual = greater_equal
GuaranteeConst = guarantee_const
HSVToRGB = hsv_to_rgb

def HashTable(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, name: str | None = None,
) -> Tensor:
    """A table that is filled once."""

def HashTableV2(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, name: str | None = None,
) -> Tensor:
    """A table that is filled once."""

def HistogramFixedWidth(
    values: _Any, value_range: _Any, nbins: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """How many values fall into each of `nbins` equal parts of a range; what lies outside counts at the
    ends."""

def HistogramSummary(tag: _Any, values: _Any, name: str | None = None) -> Tensor:
    """A message with the distribution of the values."""

def HostConst(value: _Any, dtype: _Any, name: str | None = None) -> Tensor:
    """A constant that stays in the host's memory."""

IFFT = ifft
IFFT2D = ifft2d
IFFT3D = ifft3d

def IRFFT(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The real numbers whose transform over the last 1 axes RFFT gives."""

def IRFFT2D(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The real numbers whose transform over the last 2 axes RFFT gives."""

def IRFFT3D(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The real numbers whose transform over the last 3 axes RFFT gives."""

def Identity(input: _Any, name: str | None = None) -> Tensor:
    """The same value under a new name."""

IdentityN = identity_n

def IdentityReaderV2(container: str = '', shared_name: str = '', name: str | None = None) -> Tensor:
    """Reads nothing: the names are both keys and values."""

def If(
    cond: _Any, input: _Any, Tout: _Any, then_branch: _Any, else_branch: _Any, output_shapes: _Any = ...,
    name: str | None = None,
) -> list[Tensor]:
    """The outputs of `then_branch` when the condition holds, else those of `else_branch`."""

Igamma = igamma

def IgammaGradA(a: _Any, x: _Any, name: str | None = None) -> Tensor:
    """The derivative of igamma by `a`."""

Igammac = igammac

def Imag(input: _Any, Tout: _Any = ..., name: str | None = None) -> Tensor:
    """The imaginary part."""

def ImageSummary(
    tag: _Any, tensor: _Any, max_images: int = 3, bad_color: _Any = ..., name: str | None = None,
) -> Tensor:
    """A message with the first images of a batch, as PNG files."""

def ImportEvent(writer: _Any, event: _Any, name: str | None = None) -> Operation:
    """Writes a serialized Event."""

def InTopK(predictions: _Any, targets: _Any, k: int, name: str | None = None) -> Tensor:
    """Whether each target class is among the `k` best predictions of its row; ties count as in."""

def InTopKV2(predictions: _Any, targets: _Any, k: _Any, name: str | None = None) -> Tensor:
    """Whether each target class is among the `k` best predictions of its row; ties count as in."""

def InitializeTable(table_handle: _Any, keys: _Any, values: _Any, name: str | None = None) -> Operation:
    """Makes these the entries of the table."""

def InitializeTableFromTextFile(
    table_handle: _Any, filename: _Any, key_index: int, value_index: int, vocab_size: int = -1,
    delimiter: str = '\t', name: str | None = None,
) -> Operation:
    """Makes the lines of a text file the entries of the table."""

def InitializeTableFromTextFileV2(
    table_handle: _Any, filename: _Any, key_index: int, value_index: int, vocab_size: int = -1,
    delimiter: str = '\t', name: str | None = None,
) -> Operation:
    """Makes the lines of a text file the entries of the table."""

def InitializeTableV2(
    table_handle: _Any, keys: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Makes these the entries of the table."""

def InplaceAdd(x: _Any, i: _Any, v: _Any, name: str | None = None) -> Tensor:
    """`x` with `v` added to its rows `i`."""

def InplaceSub(x: _Any, i: _Any, v: _Any, name: str | None = None) -> Tensor:
    """`x` with `v` subtracted from its rows `i`."""

def InplaceUpdate(x: _Any, i: _Any, v: _Any, name: str | None = None) -> Tensor:
    """`x` with `v` in place of its rows `i`."""

def Inv(x: _Any, name: str | None = None) -> Tensor:
    """One over the number."""

def InvGrad(y: _Any, dy: _Any, name: str | None = None) -> Tensor:
    """The gradient of Inv from its result."""

Invert = invert
InvertPermutation = invert_permutation
IsFinite = is_finite
IsInf = is_inf
IsNan = is_nan

def IsVariableInitialized(ref: _Any, name: str | None = None) -> Tensor:
    """Whether the variable has a value."""

def KMC2ChainInitialization(distances: _Any, seed: _Any, name: str | None = None) -> Tensor:
    """The index at which a Markov chain over the distances ends: one that is large more likely."""

def KmeansPlusPlusInitialization(
    points: _Any, num_to_sample: _Any, seed: _Any, num_retries_per_sample: _Any, name: str | None = None,
) -> Tensor:
    """Points to begin with, drawn one after another, those far from the ones before more likely."""

L2Loss = l2_loss

def LRN(
    input: _Any, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """Each element divided by (bias + alpha * sum of squares of neighbouring channels) ** beta."""

def LRNGrad(
    input_grads: _Any, input_image: _Any, output_image: _Any, depth_radius: int = 5, bias: float = 1.0,
    alpha: float = 1.0, beta: float = 0.5, name: str | None = None,
) -> Tensor:
    """The gradient of LRN."""

def LSTMBlockCell(
    x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any, b: _Any,
    forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = False, name: str | None = None,
) -> _LSTMBlockCell:
    """A step of an LSTM: its gates, its new state `cs`, and its output `h`."""

def LSTMBlockCellGrad(
    x: _Any, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any, b: _Any, i: _Any,
    cs: _Any, f: _Any, o: _Any, ci: _Any, co: _Any, cs_grad: _Any, h_grad: _Any, use_peephole: bool,
    name: str | None = None,
) -> _LSTMBlockCellGrad:
    """The gradients of a step with respect to its state and its gates, and to the peepholes' weights."""

def LeakyRelu(features: _Any, alpha: float = 0.20000000298023224, name: str | None = None) -> Tensor:
    """features where positive, else alpha * features."""

def LeakyReluGrad(
    gradients: _Any, features: _Any, alpha: float = 0.20000000298023224, name: str | None = None,
) -> Tensor:
    """The gradient of LeakyRelu."""

def LearnedUnigramCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0,
    seed2: int = 0, name: str | None = None,
) -> _LearnedUnigramCandidateSampler:
    """Classes as likely as they were frequent among the true classes so far."""

LeftShift = left_shift
Less = less
LessEqual = less_equal
Lgamma = lgamma
LinSpace = lin_space

def ListDiff(x: _Any, y: _Any, out_idx: _Any = ..., name: str | None = None) -> _ListDiff:
    """The elements of `x` that are not in `y`, in order, and where they stand in `x`."""

def LoadAndRemapMatrix(
    ckpt_path: _Any, old_tensor_name: _Any, row_remapping: _Any, col_remapping: _Any,
    initializing_values: _Any, num_rows: int, num_cols: int, max_rows_in_memory: int = -1,
    name: str | None = None,
) -> Tensor:
    """Rows and columns of a matrix in a checkpoint in another order; -1 stands for values that are
    given."""

Log = log
Log1p = log1p
LogMatrixDeterminant = slogdet

def LogSoftmax(logits: _Any, name: str | None = None) -> Tensor:
    """The logarithm of softmax."""

def LogUniformCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0,
    seed2: int = 0, name: str | None = None,
) -> _LogUniformCandidateSampler:
    """Classes in order of how often they occur, as words of a language do."""

LogicalAnd = logical_and
LogicalNot = logical_not
LogicalOr = logical_or

def LookupTableExport(
    table_handle: _Any, Tkeys: _Any, Tvalues: _Any, name: str | None = None,
) -> _LookupTableExport:
    """All keys and values."""

def LookupTableExportV2(
    table_handle: _Any, Tkeys: _Any, Tvalues: _Any, name: str | None = None,
) -> _LookupTableExportV2:
    """All keys and values."""

def LookupTableFind(
    table_handle: _Any, keys: _Any, default_value: _Any, name: str | None = None,
) -> Tensor:
    """The value of each key, or the default."""

def LookupTableFindV2(
    table_handle: _Any, keys: _Any, default_value: _Any, name: str | None = None,
) -> Tensor:
    """The value of each key, or the default."""

def LookupTableImport(
    table_handle: _Any, keys: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Makes these the entries of the table."""

def LookupTableImportV2(
    table_handle: _Any, keys: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Makes these the entries of the table."""

def LookupTableInsert(
    table_handle: _Any, keys: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Adds entries; a key that is there gets the new value."""

def LookupTableInsertV2(
    table_handle: _Any, keys: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Adds entries; a key that is there gets the new value."""

def LookupTableRemoveV2(table_handle: _Any, keys: _Any, name: str | None = None) -> Operation:
    """Forgets entries; keys that are not there are passed over."""

def LookupTableSize(table_handle: _Any, name: str | None = None) -> Tensor:
    """How many entries there are."""

def LookupTableSizeV2(table_handle: _Any, name: str | None = None) -> Tensor:
    """How many entries there are."""

def LoopCond(input: _Any, name: str | None = None) -> Tensor:
    """Says whether a loop goes on."""

def LowerBound(
    sorted_inputs: _Any, values: _Any, out_type: _Any = ..., name: str | None = None,
) -> Tensor:
    """The first place in its sorted row where each value could be put."""

Lu = lu

def MatMul(
    a: _Any, b: _Any, transpose_a: bool = False, transpose_b: bool = False, name: str | None = None,
) -> Tensor:
    """The product of two matrices, either one transposed first."""

MatchingFiles = matching_files
MatrixBandPart = matrix_band_part
MatrixDeterminant = matrix_determinant

def MatrixDiag(diagonal: _Any, name: str | None = None) -> Tensor:
    """Matrices with the last axis of `diagonal` on their main diagonals."""

def MatrixDiagPart(input: _Any, name: str | None = None) -> Tensor:
    """The main diagonals of matrices."""

def MatrixDiagPartV2(input: _Any, k: _Any, padding_value: _Any, name: str | None = None) -> Tensor:
    """The diagonals `k` of matrices as rows, filled up with `padding_value`."""

def MatrixDiagPartV3(
    input: _Any, k: _Any, padding_value: _Any, align: str = 'RIGHT_LEFT', name: str | None = None,
) -> Tensor:
    """The diagonals `k` of matrices as rows, filled up with `padding_value`."""

def MatrixDiagV2(
    diagonal: _Any, k: _Any, num_rows: _Any, num_cols: _Any, padding_value: _Any, name: str | None = None,
) -> Tensor:
    """Matrices of `padding_value` with the rows of `diagonal` on the diagonals `k`."""

def MatrixDiagV3(
    diagonal: _Any, k: _Any, num_rows: _Any, num_cols: _Any, padding_value: _Any, align: str = 'RIGHT_LEFT',
    name: str | None = None,
) -> Tensor:
    """Matrices of `padding_value` with the rows of `diagonal` on the diagonals `k`."""

def MatrixExponential(input: _Any, name: str | None = None) -> Tensor:
    """1 + A + A^2 / 2! + A^3 / 3! + ... of square matrices."""

MatrixInverse = matrix_inverse
MatrixLogarithm = logm

def MatrixSetDiag(input: _Any, diagonal: _Any, name: str | None = None) -> Tensor:
    """Matrices with their main diagonals replaced."""

def MatrixSetDiagV2(input: _Any, diagonal: _Any, k: _Any, name: str | None = None) -> Tensor:
    """Matrices with their diagonals `k` replaced."""

def MatrixSetDiagV3(
    input: _Any, diagonal: _Any, k: _Any, align: str = 'RIGHT_LEFT', name: str | None = None,
) -> Tensor:
    """Matrices with their diagonals `k` replaced."""

MatrixSolve = matrix_solve

def MatrixSolveLs(
    matrix: _Any, rhs: _Any, l2_regularizer: _Any, fast: bool = True, name: str | None = None,
) -> Tensor:
    """The x that makes |matrix * x - rhs|^2 + l2_regularizer * |x|^2 smallest, and among equals the
    shortest."""

MatrixSquareRoot = matrix_square_root
MatrixTriangularSolve = matrix_triangular_solve

def Max(
    input: _Any, reduction_indices: _Any, keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """The largest number along axes."""

def MaxPool(
    input: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """The largest element that a window sees at each place."""

def MaxPool3D(
    input: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NDHWC',
    name: str | None = None,
) -> Tensor:
    """MaxPool of volumes."""

def MaxPool3DGrad(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NDHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPool3D."""

def MaxPool3DGradGrad(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NDHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPool3DGrad by its gradient."""

def MaxPoolGrad(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPool; of several largest elements the first gets it."""

def MaxPoolGradGrad(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPoolGrad by its gradient."""

def MaxPoolGradGradV2(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPoolGradV2 by its gradient."""

def MaxPoolGradGradWithArgmax(
    input: _Any, grad: _Any, argmax: _Any, ksize: _Any, strides: _Any, padding: str,
    include_batch_in_index: bool = False, name: str | None = None,
) -> Tensor:
    """The gradient of MaxPoolGradWithArgmax by its gradient: the elements at the places."""

def MaxPoolGradV2(
    orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: str,
    data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """The gradient of MaxPoolV2."""

def MaxPoolGradWithArgmax(
    input: _Any, grad: _Any, argmax: _Any, ksize: _Any, strides: _Any, padding: str,
    include_batch_in_index: bool = False, name: str | None = None,
) -> Tensor:
    """The gradient of MaxPoolWithArgmax, by the places it found."""

def MaxPoolV2(
    input: _Any, ksize: _Any, strides: _Any, padding: str, data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """MaxPool whose window is an input."""

def MaxPoolWithArgmax(
    input: _Any, ksize: _Any, strides: _Any, padding: str, Targmax: _Any = ...,
    include_batch_in_index: bool = False, name: str | None = None,
) -> _MaxPoolWithArgmax:
    """The largest elements, and where they stand in the flattened image (or in the flattened batch)."""

Maximum = maximum

def Mean(
    input: _Any, reduction_indices: _Any, keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """The mean along axes; that of integers is rounded towards zero."""

def Merge(inputs: _Any, name: str | None = None) -> _Merge:
    """The one of its inputs that exists, and which one that is."""

def MergeSummary(inputs: _Any, name: str | None = None) -> Tensor:
    """All the messages in one."""

def MergeV2Checkpoints(
    checkpoint_prefixes: _Any, destination_prefix: _Any, delete_old_dirs: bool = True,
    name: str | None = None,
) -> Operation:
    """Makes one checkpoint of several, and removes the directories they were in when these are empty
    then."""

def Mfcc(
    spectrogram: _Any, sample_rate: _Any, upper_frequency_limit: float = 4000.0,
    lower_frequency_limit: float = 20.0, filterbank_channel_count: int = 40,
    dct_coefficient_count: int = 13, name: str | None = None,
) -> Tensor:
    """The mel-frequency cepstral coefficients of a squared spectrogram, [channels, windows,
    frequencies]."""

def Min(
    input: _Any, reduction_indices: _Any, keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """The smallest number along axes."""

Minimum = minimum

def MirrorPad(input: _Any, paddings: _Any, mode: str, name: str | None = None) -> Tensor:
    """`input` inside a frame of its own mirror images."""

def MirrorPadGrad(input: _Any, paddings: _Any, mode: str, name: str | None = None) -> Tensor:
    """Folds the frame that MirrorPad added back onto the middle, adding up."""

def Mod(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """The remainder, with the sign of `x`."""

Mul = multiply

def MulNoNan(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """The product, 0 where `y` is 0 whatever `x` is."""

def Multinomial(
    logits: _Any, num_samples: _Any, seed: int = 0, seed2: int = 0, output_dtype: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """Class numbers drawn from rows of unnormalised log-probabilities."""

def MutableDenseHashTable(
    empty_key: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, value_shape: _Any = ..., initial_num_buckets: int = 131072,
    max_load_factor: float = 0.800000011920929, name: str | None = None,
) -> Tensor:
    """A table that steps fill, laid out in buckets."""

def MutableDenseHashTableV2(
    empty_key: _Any, deleted_key: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, value_shape: _Any = ..., initial_num_buckets: int = 131072,
    max_load_factor: float = 0.800000011920929, name: str | None = None,
) -> Tensor:
    """A table that steps fill and empty, laid out in buckets."""

def MutableHashTable(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, name: str | None = None,
) -> Tensor:
    """A table that steps fill and empty."""

def MutableHashTableOfTensors(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, value_shape: _Any = ..., name: str | None = None,
) -> Tensor:
    """A table of vectors that steps fill and empty."""

def MutableHashTableOfTensorsV2(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, value_shape: _Any = ..., name: str | None = None,
) -> Tensor:
    """A table of vectors that steps fill and empty."""

def MutableHashTableV2(
    key_dtype: _Any, value_dtype: _Any, container: str = '', shared_name: str = '',
    use_node_name_sharing: bool = False, name: str | None = None,
) -> Tensor:
    """A table that steps fill and empty."""

def MutexLock(mutex: _Any, name: str | None = None) -> Tensor:
    """Waits for a mutex and holds it."""

def MutexV2(container: str = '', shared_name: str = '', name: str | None = None) -> Tensor:
    """A mutex."""

def Ndtri(x: _Any, name: str | None = None) -> Tensor:
    """The number below which a standard normal variable lies with probability `x`."""

def NearestNeighbors(
    points: _Any, centers: _Any, k: _Any, name: str | None = None,
) -> _NearestNeighbors:
    """The numbers of the k centers nearest to each point, nearest first, and the squares of their
    distances."""

@overload
def Neg(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> _Any:
    """The number with the other sign."""
@overload
def Neg(x: _Any, name: str | None = None) -> Tensor:
    """The number with the other sign."""

NextAfter = nextafter

def NextIteration(data: _Any, name: str | None = None) -> Tensor:
    """Hands a value to the next iteration."""

NoOp = no_op

def NonMaxSuppression(
    boxes: _Any, scores: _Any, max_output_size: _Any, iou_threshold: float = 0.5, name: str | None = None,
) -> Tensor:
    """The best boxes that do not overlap much."""

def NonMaxSuppressionV2(
    boxes: _Any, scores: _Any, max_output_size: _Any, iou_threshold: _Any, name: str | None = None,
) -> Tensor:
    """NonMaxSuppression whose threshold is a tensor."""

def NonMaxSuppressionV3(
    boxes: _Any, scores: _Any, max_output_size: _Any, iou_threshold: _Any, score_threshold: _Any,
    name: str | None = None,
) -> Tensor:
    """NonMaxSuppressionV2 of the boxes whose score is above `score_threshold`."""

def NonMaxSuppressionV4(
    boxes: _Any, scores: _Any, max_output_size: _Any, iou_threshold: _Any, score_threshold: _Any,
    pad_to_max_output_size: bool = False, name: str | None = None,
) -> _NonMaxSuppressionV4:
    """NonMaxSuppressionV3 and how many boxes there are; zeros may fill the indices up."""

def NonMaxSuppressionV5(
    boxes: _Any, scores: _Any, max_output_size: _Any, iou_threshold: _Any, score_threshold: _Any,
    soft_nms_sigma: _Any, pad_to_max_output_size: bool = False, name: str | None = None,
) -> _NonMaxSuppressionV5:
    """NonMaxSuppressionV4 and the scores; with a positive sigma, boxes that overlap only count less."""

def NonMaxSuppressionWithOverlaps(
    overlaps: _Any, scores: _Any, max_output_size: _Any, overlap_threshold: _Any, score_threshold: _Any,
    name: str | None = None,
) -> Tensor:
    """NonMaxSuppressionV3 of anything, given how much each overlaps each."""

NotEqual = not_equal

def NthElement(input: _Any, n: _Any, reverse: bool = False, name: str | None = None) -> Tensor:
    """The element at place `n` of each row once it is sorted; `reverse` sorts it downward."""

def OneHot(
    indices: _Any, depth: _Any, on_value: _Any, off_value: _Any, axis: int = -1, name: str | None = None,
) -> Tensor:
    """`on_value` at the place that each index names along a new axis of size `depth`, `off_value`
    elsewhere."""

def OnesLike(x: _Any, name: str | None = None) -> Tensor:
    """Ones in the shape of `x`."""

def OptionalFromValue(components: _Any, name: str | None = None) -> Tensor:
    """An optional that holds tensors."""

def OptionalGetValue(
    optional: _Any, output_types: _Any, output_shapes: _Any, name: str | None = None,
) -> list[Tensor]:
    """The tensors that an optional holds."""

def OptionalHasValue(optional: _Any, name: str | None = None) -> Tensor:
    """Whether an optional holds something."""

def OptionalNone(name: str | None = None) -> Tensor:
    """An optional that holds nothing."""

def Pack(values: _Any, axis: int = 0, name: str | None = None) -> Tensor:
    """Tensors of one shape side by side along a new axis."""

def Pad(input: _Any, paddings: _Any, name: str | None = None) -> Tensor:
    """`input` inside a frame of zeros: paddings[i] is (before, after) for axis i."""

def PadV2(input: _Any, paddings: _Any, constant_values: _Any, name: str | None = None) -> Tensor:
    """`input` inside a frame of `constant_values`."""

def PaddingFIFOQueueV2(
    component_types: _Any, shapes: _Any = ..., capacity: int = -1, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A queue that pads what it hands out in batches."""

def ParallelConcat(values: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """Tensors whose first size is 1, joined along the first axis."""

def ParallelDynamicStitch(indices: _Any, data: _Any, name: str | None = None) -> Tensor:
    """DynamicStitch for indices that name no place twice."""

def ParameterizedTruncatedNormal(
    shape: _Any, means: _Any, stdevs: _Any, minvals: _Any, maxvals: _Any, seed: int = 0, seed2: int = 0,
    name: str | None = None,
) -> Tensor:
    """Normal numbers between bounds, each row with its own parameters."""

def ParseExample(
    serialized: _Any, names: _Any, sparse_keys: _Any, dense_keys: _Any, dense_defaults: _Any,
    sparse_types: _Any, dense_shapes: _Any, name: str | None = None,
) -> _ParseExample:
    """The features of a batch of serialized Examples."""

def ParseExampleV2(
    serialized: _Any, names: _Any, sparse_keys: _Any, dense_keys: _Any, ragged_keys: _Any,
    dense_defaults: _Any, num_sparse: int, sparse_types: _Any, ragged_value_types: _Any,
    ragged_split_types: _Any, dense_shapes: _Any, name: str | None = None,
) -> _ParseExampleV2:
    """The features of a batch of serialized Examples, or of one."""

def ParseSequenceExample(
    serialized: _Any, debug_name: _Any, context_dense_defaults: _Any,
    feature_list_dense_missing_assumed_empty: _Any, context_sparse_keys: _Any, context_dense_keys: _Any,
    feature_list_sparse_keys: _Any, feature_list_dense_keys: _Any, Ncontext_sparse: int = 0,
    Ncontext_dense: int = 0, Nfeature_list_sparse: int = 0, Nfeature_list_dense: int = 0,
    context_sparse_types: _Any = ..., feature_list_dense_types: _Any = ...,
    context_dense_shapes: _Any = ..., feature_list_sparse_types: _Any = ...,
    feature_list_dense_shapes: _Any = ..., name: str | None = None,
) -> _ParseSequenceExample:
    """The contexts and feature lists of a batch of serialized SequenceExamples."""

def ParseSingleExample(
    serialized: _Any, dense_defaults: _Any, num_sparse: int, sparse_keys: _Any, dense_keys: _Any,
    sparse_types: _Any, dense_shapes: _Any, name: str | None = None,
) -> _ParseSingleExample:
    """The features of one serialized Example."""

def ParseSingleSequenceExample(
    serialized: _Any, feature_list_dense_missing_assumed_empty: _Any, context_sparse_keys: _Any,
    context_dense_keys: _Any, feature_list_sparse_keys: _Any, feature_list_dense_keys: _Any,
    context_dense_defaults: _Any, debug_name: _Any, context_sparse_types: _Any = ...,
    feature_list_dense_types: _Any = ..., context_dense_shapes: _Any = ...,
    feature_list_sparse_types: _Any = ..., feature_list_dense_shapes: _Any = ..., name: str | None = None,
) -> _ParseSingleSequenceExample:
    """The context and the feature lists of one serialized SequenceExample."""

ParseTensor = parse_tensor

def PartitionedCall(
    args: _Any, Tout: _Any, f: _Any, config: str = '', config_proto: str = '', executor_type: str = '',
    name: str | None = None,
) -> list[Tensor]:
    """The outputs of a function that changes nothing else."""

def Placeholder(dtype: _Any, shape: _Any = None, name: str | None = None) -> Tensor:
    """A tensor whose value is fed with every run."""

def PlaceholderV2(dtype: _Any, shape: _Any, name: str | None = None) -> Tensor:
    """A tensor whose value is fed with every run."""

PlaceholderWithDefault = placeholder_with_default
Polygamma = polygamma

def PopulationCount(x: _Any, name: str | None = None) -> Tensor:
    """The number of bits that are set."""

Pow = pow

def PreventGradient(input: _Any, message: str = '', name: str | None = None) -> Tensor:
    """The same value; asking for a gradient through it is an error."""

def Print(
    input: _Any, data: _Any, message: str = '', first_n: int = -1, summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """The same value; prints `message` and `data` to stderr, the first `first_n` times."""

def PrintV2(
    input: _Any, output_stream: str = 'stderr', end: str = '\n', name: str | None = None,
) -> Operation:
    """Prints a string to stdout, stderr, a log or, as `file://path`, to the end of a file."""

def PriorityQueueV2(
    shapes: _Any, component_types: _Any = ..., capacity: int = -1, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A queue that hands out the smallest of its first components first."""

def Prod(
    input: _Any, reduction_indices: _Any, keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """The product along axes."""

def PyFunc(input: _Any, token: str, Tout: _Any, name: str | None = None) -> list[Tensor]:
    """The result of a Python function of NumPy arrays."""

def PyFuncStateless(input: _Any, token: str, Tout: _Any, name: str | None = None) -> list[Tensor]:
    """The result of a Python function of NumPy arrays that depends on nothing else."""

Qr = qr

def QuantizeAndDequantize(
    input: _Any, signed_input: bool = True, num_bits: int = 8, range_given: bool = False,
    input_min: float = 0.0, input_max: float = 0.0, name: str | None = None,
) -> Tensor:
    """The same, where the range is fixed."""

def QuantizeAndDequantizeV2(
    input: _Any, input_min: _Any, input_max: _Any, signed_input: bool = True, num_bits: int = 8,
    range_given: bool = False, round_mode: str = 'HALF_TO_EVEN', narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Numbers rounded to levels of so many bits, symmetric about zero when signed."""

def QuantizeAndDequantizeV3(
    input: _Any, input_min: _Any, input_max: _Any, num_bits: _Any, signed_input: bool = True,
    range_given: bool = True, narrow_range: bool = False, name: str | None = None,
) -> Tensor:
    """The same, where the number of bits is an input."""

def QuantizeDownAndShrinkRange(
    input: _Any, input_min: _Any, input_max: _Any, out_type: _Any, name: str | None = None,
) -> _QuantizeDownAndShrinkRange:
    """The same numbers with fewer bits, as levels of that part of the range that is used."""

def QuantizeV2(
    input: _Any, min_range: _Any, max_range: _Any, T: _Any, mode: str = 'MIN_COMBINED',
    round_mode: str = 'HALF_AWAY_FROM_ZERO', name: str | None = None,
) -> _QuantizeV2:
    """Numbers as integers of few bits, with the numbers that the lowest and the highest integer stand
    for."""

def QuantizedAdd(
    x: _Any, y: _Any, min_x: _Any, max_x: _Any, min_y: _Any, max_y: _Any, Toutput: _Any = ...,
    name: str | None = None,
) -> _QuantizedAdd:
    """The sums of quantized numbers."""

QuantizedAvgPool = quantized_avg_pool

def QuantizedBatchNormWithGlobalNormalization(
    t: _Any, t_min: _Any, t_max: _Any, m: _Any, m_min: _Any, m_max: _Any, v: _Any, v_min: _Any, v_max: _Any,
    beta: _Any, beta_min: _Any, beta_max: _Any, gamma: _Any, gamma_min: _Any, gamma_max: _Any,
    out_type: _Any, variance_epsilon: float, scale_after_normalization: bool, name: str | None = None,
) -> _QuantizedBatchNormWithGlobalNormalization:
    """Quantized images minus the mean of each channel, over its deviation, times gamma, plus beta."""

def QuantizedBiasAdd(
    input: _Any, bias: _Any, min_input: _Any, max_input: _Any, min_bias: _Any, max_bias: _Any,
    out_type: _Any, name: str | None = None,
) -> _QuantizedBiasAdd:
    """Quantized numbers plus one for each channel."""

QuantizedConcat = quantized_concat
QuantizedConv2D = quantized_conv2d

def QuantizedInstanceNorm(
    x: _Any, x_min: _Any, x_max: _Any, output_range_given: bool = False, given_y_min: float = 0.0,
    given_y_max: float = 0.0, variance_epsilon: float = 9.999999747378752e-06,
    min_separation: float = 0.0010000000474974513, name: str | None = None,
) -> _QuantizedInstanceNorm:
    """Each channel of each quantized image minus its mean, over its deviation."""

def QuantizedMatMul(
    a: _Any, b: _Any, min_a: _Any, max_a: _Any, min_b: _Any, max_b: _Any, Toutput: _Any = ...,
    transpose_a: bool = False, transpose_b: bool = False, Tactivation: _Any = ..., name: str | None = None,
) -> _QuantizedMatMul:
    """The product of matrices of quantized numbers."""

QuantizedMaxPool = quantized_max_pool

def QuantizedMul(
    x: _Any, y: _Any, min_x: _Any, max_x: _Any, min_y: _Any, max_y: _Any, Toutput: _Any = ...,
    name: str | None = None,
) -> _QuantizedMul:
    """The products of quantized numbers."""

def QuantizedRelu(
    features: _Any, min_features: _Any, max_features: _Any, out_type: _Any = ..., name: str | None = None,
) -> _QuantizedRelu:
    """Quantized numbers that are not below zero."""

def QuantizedRelu6(
    features: _Any, min_features: _Any, max_features: _Any, out_type: _Any = ..., name: str | None = None,
) -> _QuantizedRelu6:
    """Quantized numbers between zero and six."""

QuantizedReluX = quantized_relu_x

def QuantizedReshape(
    tensor: _Any, shape: _Any, input_min: _Any, input_max: _Any, name: str | None = None,
) -> _QuantizedReshape:
    """Quantized numbers in another shape."""

def QuantizedResizeBilinear(
    images: _Any, size: _Any, min: _Any, max: _Any, align_corners: bool = False,
    half_pixel_centers: bool = False, name: str | None = None,
) -> _QuantizedResizeBilinear:
    """ResizeBilinear of numbers that stand for a range; the range stays."""

def QueueCloseV2(
    handle: _Any, cancel_pending_enqueues: bool = False, name: str | None = None,
) -> Operation:
    """Lets no more elements in."""

def QueueDequeueManyV2(
    handle: _Any, n: _Any, component_types: _Any, timeout_ms: int = -1, name: str | None = None,
) -> list[Tensor]:
    """Takes n elements, waiting for all of them, and stacks them."""

def QueueDequeueUpToV2(
    handle: _Any, n: _Any, component_types: _Any, timeout_ms: int = -1, name: str | None = None,
) -> list[Tensor]:
    """Takes n elements, or those that are left in a closed queue, and stacks them."""

def QueueDequeueV2(
    handle: _Any, component_types: _Any, timeout_ms: int = -1, name: str | None = None,
) -> list[Tensor]:
    """Takes an element, waiting for it."""

def QueueEnqueueManyV2(
    handle: _Any, components: _Any, timeout_ms: int = -1, name: str | None = None,
) -> Operation:
    """Adds the rows of the components as elements, waiting for room."""

def QueueEnqueueV2(
    handle: _Any, components: _Any, timeout_ms: int = -1, name: str | None = None,
) -> Operation:
    """Adds an element, waiting for room."""

def QueueIsClosedV2(handle: _Any, name: str | None = None) -> Tensor:
    """Whether the queue lets no more elements in."""

def QueueSizeV2(handle: _Any, name: str | None = None) -> Tensor:
    """How many elements wait in the queue."""

def RFFT(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers over the last 1 axes, without what symmetry repeats."""

def RFFT2D(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers over the last 2 axes, without what symmetry repeats."""

def RFFT3D(input: _Any, fft_length: _Any, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers over the last 3 axes, without what symmetry repeats."""

RGBToHSV = rgb_to_hsv

def RaggedBincount(
    splits: _Any, values: _Any, size: _Any, weights: _Any, binary_output: bool = False,
    name: str | None = None,
) -> Tensor:
    """How often each of 0 ... size - 1 occurs in each row of a ragged matrix."""

def RaggedGather(
    params_nested_splits: _Any, params_dense_values: _Any, indices: _Any, OUTPUT_RAGGED_RANK: int,
    name: str | None = None,
) -> _RaggedGather:
    """The rows with these numbers, as a ragged tensor of the indices' shape with the rows inside."""

def RaggedRange(
    starts: _Any, limits: _Any, deltas: _Any, Tsplits: _Any = ..., name: str | None = None,
) -> _RaggedRange:
    """A row of evenly spaced numbers for each start, limit and step; scalars serve all rows."""

def RaggedTensorFromVariant(
    encoded_ragged: _Any, input_ragged_rank: int, output_ragged_rank: int, Tvalues: _Any, Tsplits: _Any,
    name: str | None = None,
) -> _RaggedTensorFromVariant:
    """The ragged tensor whose rows are such values, which may have any shape."""

def RaggedTensorToSparse(
    rt_nested_splits: _Any, rt_dense_values: _Any, name: str | None = None,
) -> _RaggedTensorToSparse:
    """The values of a ragged tensor with the coordinates of each, and the smallest shape that holds
    them."""

def RaggedTensorToTensor(
    shape: _Any, values: _Any, default_value: _Any, row_partition_tensors: _Any, row_partition_types: _Any,
    name: str | None = None,
) -> Tensor:
    """A ragged tensor as a dense one: rows that are too short end in the default, those too long are
    cut."""

def RaggedTensorToVariant(
    rt_nested_splits: _Any, rt_dense_values: _Any, batched_input: bool, name: str | None = None,
) -> Tensor:
    """A ragged tensor as one value, or with `batched_input` each of its rows as one."""

def RandomGamma(
    shape: _Any, alpha: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Gamma variables of shape `alpha` and scale 1."""

def RandomGammaGrad(alpha: _Any, sample: _Any, name: str | None = None) -> Tensor:
    """How a gamma variable changes with its shape, at a given quantile."""

def RandomPoisson(
    shape: _Any, rate: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Poisson variables, in the dtype of their rate; RandomPoissonV2 replaced it."""

def RandomPoissonV2(
    shape: _Any, rate: _Any, seed: int = 0, seed2: int = 0, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Poisson variables of the given rates."""

def RandomShuffle(value: _Any, seed: int = 0, seed2: int = 0, name: str | None = None) -> Tensor:
    """The slices along the first axis in another order."""

def RandomShuffleQueueV2(
    component_types: _Any, shapes: _Any = ..., capacity: int = -1, min_after_dequeue: int = 0,
    seed: int = 0, seed2: int = 0, container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """A queue that hands out its elements in random order."""

def RandomStandardNormal(
    shape: _Any, dtype: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Normal numbers of mean 0 and deviation 1."""

def RandomUniform(
    shape: _Any, dtype: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Uniform numbers in [0, 1)."""

def RandomUniformInt(
    shape: _Any, minval: _Any, maxval: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Uniform integers in [minval, maxval)."""

def Range(start: _Any, limit: _Any, delta: _Any, name: str | None = None) -> Tensor:
    """start, start + delta, ... up to and without `limit`."""

def Rank(input: _Any, name: str | None = None) -> Tensor:
    """The number of dimensions."""

ReadFile = read_file

def ReadVariableOp(resource: _Any, dtype: _Any, name: str | None = None) -> Tensor:
    """The variable's value."""

def ReaderNumRecordsProducedV2(reader_handle: _Any, name: str | None = None) -> Tensor:
    """How many records were given."""

def ReaderNumWorkUnitsCompletedV2(reader_handle: _Any, name: str | None = None) -> Tensor:
    """How many files were read to the end."""

def ReaderReadUpToV2(
    reader_handle: _Any, queue_handle: _Any, num_records: _Any, name: str | None = None,
) -> _ReaderReadUpToV2:
    """The next records, at most so many; fewer where a file ends."""

def ReaderReadV2(reader_handle: _Any, queue_handle: _Any, name: str | None = None) -> _ReaderReadV2:
    """The next record, of a file whose name is taken from the queue."""

def ReaderResetV2(reader_handle: _Any, name: str | None = None) -> Operation:
    """Forgets everything: the next file is the next one of the queue."""

def ReaderRestoreStateV2(reader_handle: _Any, state: _Any, name: str | None = None) -> Operation:
    """Goes back to an earlier state."""

def ReaderSerializeStateV2(reader_handle: _Any, name: str | None = None) -> Tensor:
    """What ReaderRestoreStateV2 takes."""

def Real(input: _Any, Tout: _Any = ..., name: str | None = None) -> Tensor:
    """The real part."""

RealDiv = realdiv
Reciprocal = reciprocal

def ReciprocalGrad(y: _Any, dy: _Any, name: str | None = None) -> Tensor:
    """The gradient of Reciprocal from its result."""

def ReduceJoin(
    inputs: _Any, reduction_indices: _Any, keep_dims: bool = False, separator: str = '',
    name: str | None = None,
) -> Tensor:
    """The strings along some axes joined, as if along one after the other."""

def RefEnter(
    data: _Any, frame_name: str, is_constant: bool = False, parallel_iterations: int = 10,
    name: str | None = None,
) -> Tensor:
    """An Enter of a reference."""

def RefExit(data: _Any, name: str | None = None) -> Tensor:
    """An Exit of a reference."""

def RefIdentity(input: _Any, name: str | None = None) -> Tensor:
    """The same reference."""

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
    """Each string with what the pattern matches rewritten, everywhere or only the first time."""

Relu = relu
Relu6 = relu6

def Relu6Grad(gradients: _Any, features: _Any, name: str | None = None) -> Tensor:
    """The gradient of Relu6."""

def ReluGrad(gradients: _Any, features: _Any, name: str | None = None) -> Tensor:
    """The gradient of Relu."""

def RemoteCall(target: _Any, args: _Any, Tout: _Any, f: _Any, name: str | None = None) -> list[Tensor]:
    """The outputs of a function that runs on another device, which must be one of this process."""

def RequantizationRange(
    input: _Any, input_min: _Any, input_max: _Any, name: str | None = None,
) -> _RequantizationRange:
    """The part of a range that is used."""

def Requantize(
    input: _Any, input_min: _Any, input_max: _Any, requested_output_min: _Any, requested_output_max: _Any,
    out_type: _Any, name: str | None = None,
) -> _Requantize:
    """The same numbers as levels of another range and dtype."""

def Resampler(data: _Any, warp: _Any, name: str | None = None) -> Tensor:
    """The pixels of images at the places that `warp` says, mixed from the four around each; zero
    outside."""

def ResamplerGrad(data: _Any, warp: _Any, grad_output: _Any, name: str | None = None) -> _ResamplerGrad:
    """The gradients of Resampler by the images and by the places."""

Reshape = reshape
ResizeArea = resize_area

def ResizeBicubic(
    images: _Any, size: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """Images whose pixels are mixed from the sixteen nearest ones by cubic polynomials."""

def ResizeBicubicGrad(
    grads: _Any, original_image: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of ResizeBicubic."""

def ResizeBilinear(
    images: _Any, size: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """Images whose pixels are mixed from the four nearest ones."""

def ResizeBilinearGrad(
    grads: _Any, original_image: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of ResizeBilinear."""

def ResizeNearestNeighbor(
    images: _Any, size: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """Images whose pixels are copies of the nearest ones."""

def ResizeNearestNeighborGrad(
    grads: _Any, size: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of ResizeNearestNeighbor: each pixel gets the sum over its copies."""

def ResourceAccumulatorApplyGradient(
    handle: _Any, local_step: _Any, gradient: _Any, name: str | None = None,
) -> Operation:
    """Adds a gradient, unless it is of an older step than the accumulator."""

def ResourceAccumulatorNumAccumulated(handle: _Any, name: str | None = None) -> Tensor:
    """How many gradients have added up."""

def ResourceAccumulatorSetGlobalStep(
    handle: _Any, new_global_step: _Any, name: str | None = None,
) -> Operation:
    """Moves an accumulator to a step."""

def ResourceAccumulatorTakeGradient(
    handle: _Any, num_required: _Any, dtype: _Any, name: str | None = None,
) -> Tensor:
    """The mean or sum of the gradients, once there are as many as required."""

def ResourceApplyAdaMax(
    var: _Any, m: _Any, v: _Any, beta1_power: _Any, lr: _Any, beta1: _Any, beta2: _Any, epsilon: _Any,
    grad: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Adam with the running maximum of gradients in place of their second moment."""

def ResourceApplyAdadelta(
    var: _Any, accum: _Any, accum_update: _Any, lr: _Any, rho: _Any, epsilon: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Operation:
    """The step is scaled by the running size of earlier steps over that of the gradients."""

def ResourceApplyAdagrad(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, use_locking: bool = False, update_slots: bool = True,
    name: str | None = None,
) -> Operation:
    """accum += grad ** 2; var -= lr * grad / sqrt(accum)."""

def ResourceApplyAdagradDA(
    var: _Any, gradient_accumulator: _Any, gradient_squared_accumulator: _Any, grad: _Any, lr: _Any,
    l1: _Any, l2: _Any, global_step: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Dual averaging: the variable follows from the sums of all gradients and their squares."""

def ResourceApplyAdagradV2(
    var: _Any, accum: _Any, lr: _Any, epsilon: _Any, grad: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Operation:
    """accum += grad ** 2; var -= lr * grad / (sqrt(accum) + epsilon)."""

def ResourceApplyAdam(
    var: _Any, m: _Any, v: _Any, beta1_power: _Any, beta2_power: _Any, lr: _Any, beta1: _Any, beta2: _Any,
    epsilon: _Any, grad: _Any, use_locking: bool = False, use_nesterov: bool = False,
    name: str | None = None,
) -> Operation:
    """A step along the running mean of gradients over the root of the running mean of their squares."""

def ResourceApplyAdamWithAmsgrad(
    var: _Any, m: _Any, v: _Any, vhat: _Any, beta1_power: _Any, beta2_power: _Any, lr: _Any, beta1: _Any,
    beta2: _Any, epsilon: _Any, grad: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Adam whose second moment never shrinks."""

def ResourceApplyAddSign(
    var: _Any, m: _Any, lr: _Any, alpha: _Any, sign_decay: _Any, beta: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Operation:
    """var -= lr * (alpha + sign_decay * agreement) * grad."""

def ResourceApplyCenteredRMSProp(
    var: _Any, mg: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any,
    grad: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """RMSProp over the running variance of the gradient instead of the mean of its square."""

def ResourceApplyFtrl(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, lr: _Any, l1: _Any, l2: _Any, lr_power: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Follow the regularized leader."""

def ResourceApplyFtrlV2(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, lr: _Any, l1: _Any, l2: _Any, l2_shrinkage: _Any,
    lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Follow the regularized leader, with a penalty on the size of the variable that the gradient sees."""

def ResourceApplyGradientDescent(
    var: _Any, alpha: _Any, delta: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """var -= alpha * delta."""

def ResourceApplyKerasMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Operation:
    """accum = momentum * accum - lr * grad; var += accum, or with Nesterov a step further along."""

def ResourceApplyMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Operation:
    """accum = momentum * accum + grad; var -= lr * accum, or with Nesterov a step further along."""

def ResourceApplyPowerSign(
    var: _Any, m: _Any, lr: _Any, logbase: _Any, sign_decay: _Any, beta: _Any, grad: _Any,
    use_locking: bool = False, name: str | None = None,
) -> Operation:
    """var -= lr * exp(logbase * sign_decay * agreement) * grad."""

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
    """A step along the gradient over the root of the running mean of its square, with momentum."""

def ResourceConditionalAccumulator(
    dtype: _Any, shape: _Any, container: str = '', shared_name: str = '', reduction_type: str = 'MEAN',
    name: str | None = None,
) -> Tensor:
    """Holds gradients that add up."""

def ResourceCountUpTo(resource: _Any, limit: int, T: _Any, name: str | None = None) -> Tensor:
    """The scalar variable's value before it is increased by one."""

def ResourceGather(
    resource: _Any, indices: _Any, dtype: _Any, batch_dims: int = 0, validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """The rows of the variable that `indices` names; with `batch_dims`, of each batch entry its own."""

def ResourceGatherNd(resource: _Any, indices: _Any, dtype: _Any, name: str | None = None) -> Tensor:
    """The slices of the variable at the places that the last dimension of `indices` names."""

def ResourceScatterAdd(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatters into rows of a variable: add."""

def ResourceScatterDiv(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatters into rows of a variable: div."""

def ResourceScatterMax(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatters into rows of a variable: max."""

def ResourceScatterMin(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatters into rows of a variable: min."""

def ResourceScatterMul(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatters into rows of a variable: mul."""

def ResourceScatterNdAdd(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = True, name: str | None = None,
) -> Operation:
    """Scatters into places of a variable: add."""

def ResourceScatterNdSub(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = True, name: str | None = None,
) -> Operation:
    """Scatters into places of a variable: sub."""

def ResourceScatterNdUpdate(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = True, name: str | None = None,
) -> Operation:
    """Scatters into places of a variable: update."""

def ResourceScatterSub(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatters into rows of a variable: sub."""

def ResourceScatterUpdate(
    resource: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Operation:
    """Scatters into rows of a variable: update."""

def ResourceSparseApplyAdadelta(
    var: _Any, accum: _Any, accum_update: _Any, lr: _Any, rho: _Any, epsilon: _Any, grad: _Any,
    indices: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """The step is scaled by the running size of earlier steps over that of the gradients."""

def ResourceSparseApplyAdagrad(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Operation:
    """accum += grad ** 2; var -= lr * grad / sqrt(accum)."""

def ResourceSparseApplyAdagradDA(
    var: _Any, gradient_accumulator: _Any, gradient_squared_accumulator: _Any, grad: _Any, indices: _Any,
    lr: _Any, l1: _Any, l2: _Any, global_step: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Dual averaging: the variable follows from the sums of all gradients and their squares."""

def ResourceSparseApplyAdagradV2(
    var: _Any, accum: _Any, lr: _Any, epsilon: _Any, grad: _Any, indices: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Operation:
    """accum += grad ** 2; var -= lr * grad / (sqrt(accum) + epsilon)."""

def ResourceSparseApplyCenteredRMSProp(
    var: _Any, mg: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any,
    grad: _Any, indices: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """RMSProp over the running variance of the gradient instead of the mean of its square."""

def ResourceSparseApplyFtrl(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, indices: _Any, lr: _Any, l1: _Any, l2: _Any,
    lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Follow the regularized leader."""

def ResourceSparseApplyFtrlV2(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, indices: _Any, lr: _Any, l1: _Any, l2: _Any,
    l2_shrinkage: _Any, lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Operation:
    """Follow the regularized leader, with a penalty on the size of the variable that the gradient sees."""

def ResourceSparseApplyKerasMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Operation:
    """accum = momentum * accum - lr * grad; var += accum, or with Nesterov a step further along."""

def ResourceSparseApplyMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Operation:
    """accum = momentum * accum + grad; var -= lr * accum, or with Nesterov a step further along."""

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
    """A step along the gradient over the root of the running mean of its square, with momentum."""

def ResourceStridedSliceAssign(
    ref: _Any, begin: _Any, end: _Any, strides: _Any, value: _Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Operation:
    """Assigns `value` to a slice of a variable."""

def Restore(
    file_pattern: _Any, tensor_name: _Any, dt: _Any, preferred_shard: int = -1, name: str | None = None,
) -> Tensor:
    """Reads a tensor; in which file it is needs no preferred shard to be found."""

def RestoreSlice(
    file_pattern: _Any, tensor_name: _Any, shape_and_slice: _Any, dt: _Any, preferred_shard: int = -1,
    name: str | None = None,
) -> Tensor:
    """Reads a part of a tensor."""

def RestoreV2(
    prefix: _Any, tensor_names: _Any, shape_and_slices: _Any, dtypes: _Any, name: str | None = None,
) -> list[Tensor]:
    """Reads tensors, or parts of them, from a checkpoint."""

def Reverse(tensor: _Any, dims: _Any, name: str | None = None) -> Tensor:
    """`tensor` with the order reversed along the axes where `dims` is true."""

def ReverseSequence(
    input: _Any, seq_lengths: _Any, seq_dim: int, batch_dim: int = 0, name: str | None = None,
) -> Tensor:
    """For each slice along `batch_dim`, the first `seq_lengths[i]` elements along `seq_dim` reversed."""

ReverseV2 = reverse_v2
RightShift = right_shift
Rint = rint
Roll = roll

def Round(x: _Any, name: str | None = None) -> Tensor:
    """The nearest whole number, the even one of two."""

Rsqrt = rsqrt

def RsqrtGrad(y: _Any, dy: _Any, name: str | None = None) -> Tensor:
    """The gradient of Rsqrt from its result."""

def SampleDistortedBoundingBox(
    image_size: _Any, bounding_boxes: _Any, seed: int = 0, seed2: int = 0,
    min_object_covered: float = 0.10000000149011612, aspect_ratio_range: _Any = ..., area_range: _Any = ...,
    max_attempts: int = 100, use_image_if_no_bounding_boxes: bool = False, name: str | None = None,
) -> _SampleDistortedBoundingBox:
    """A random crop of an image that shows enough of one of its objects; the whole image if none is
    found."""

def SampleDistortedBoundingBoxV2(
    image_size: _Any, bounding_boxes: _Any, min_object_covered: _Any, seed: int = 0, seed2: int = 0,
    aspect_ratio_range: _Any = ..., area_range: _Any = ..., max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False, name: str | None = None,
) -> _SampleDistortedBoundingBoxV2:
    """SampleDistortedBoundingBox with the covered fraction as a tensor."""

def Save(filename: _Any, tensor_names: _Any, data: _Any, name: str | None = None) -> Operation:
    """Writes tensors to a file in TensorFlow's first format."""

def SaveSlices(
    filename: _Any, tensor_names: _Any, shapes_and_slices: _Any, data: _Any, name: str | None = None,
) -> Operation:
    """Writes tensors, or parts of them, to a file in TensorFlow's first format."""

def SaveV2(
    prefix: _Any, tensor_names: _Any, shape_and_slices: _Any, tensors: _Any, name: str | None = None,
) -> Operation:
    """Writes tensors, or parts of them, as a checkpoint, one after the other."""

def ScalarSummary(tags: _Any, values: _Any, name: str | None = None) -> Tensor:
    """A message with one number for each tag."""

def ScaleAndTranslate(
    images: _Any, size: _Any, scale: _Any, translation: _Any, kernel_type: str = 'lanczos3',
    antialias: bool = True, name: str | None = None,
) -> Tensor:
    """Images scaled, moved and cut, each pixel mixed by a kernel from those around its place."""

def ScaleAndTranslateGrad(
    grads: _Any, original_image: _Any, scale: _Any, translation: _Any, kernel_type: str = 'lanczos3',
    antialias: bool = True, name: str | None = None,
) -> Tensor:
    """What comes back to the images through ScaleAndTranslate."""

def ScatterAdd(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatters into a variable: add."""

def ScatterDiv(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatters into a variable: div."""

def ScatterMax(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatters into a variable: max."""

def ScatterMin(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatters into a variable: min."""

def ScatterMul(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatters into a variable: mul."""

ScatterNd = scatter_nd

def ScatterNdAdd(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatters into a variable: add."""

def ScatterNdNonAliasingAdd(
    input: _Any, indices: _Any, updates: _Any, name: str | None = None,
) -> Tensor:
    """`input` with `updates` added at the points `indices`."""

def ScatterNdSub(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatters into a variable: sub."""

def ScatterNdUpdate(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = True, name: str | None = None,
) -> Tensor:
    """Scatters into a variable: update."""

def ScatterSub(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Scatters into a variable: sub."""

def ScatterUpdate(
    ref: _Any, indices: _Any, updates: _Any, use_locking: bool = True, name: str | None = None,
) -> Tensor:
    """Scatters into a variable: update."""

SegmentMax = segment_max
SegmentMean = segment_mean
SegmentMin = segment_min
SegmentProd = segment_prod
SegmentSum = segment_sum

def Select(condition: _Any, t: _Any, e: _Any, name: str | None = None) -> Tensor:
    """`t` where the condition holds and `e` elsewhere; a vector of conditions chooses whole rows."""

def SelectV2(condition: _Any, t: _Any, e: _Any, name: str | None = None) -> Tensor:
    """`t` where the condition holds and `e` elsewhere; all three broadcast."""

def SelfAdjointEig(input: _Any, name: str | None = None) -> Tensor:
    """Eigenvalues in the first row, vectors below them."""

def SelfAdjointEigV2(input: _Any, compute_v: bool = True, name: str | None = None) -> _SelfAdjointEigV2:
    """The eigenvalues of self-adjoint matrices, in rising order, and their vectors, as columns."""

Selu = selu

def SeluGrad(gradients: _Any, outputs: _Any, name: str | None = None) -> Tensor:
    """The gradient of Selu."""

def SerializeManySparse(
    sparse_indices: _Any, sparse_values: _Any, sparse_shape: _Any, out_type: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """The parts of each slice of a sparse tensor along its first axis, a row each."""

def SerializeSparse(
    sparse_indices: _Any, sparse_values: _Any, sparse_shape: _Any, out_type: _Any = ...,
    name: str | None = None,
) -> Tensor:
    """The three parts of a sparse tensor, each one element."""

SerializeTensor = serialize_tensor

def SetSize(
    set_indices: _Any, set_values: _Any, set_shape: _Any, validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """How many different values each row of a sparse tensor has."""

def Shape(input: _Any, out_type: _Any = ..., name: str | None = None) -> Tensor:
    """The sizes of `input`, as a vector."""

ShapeN = shape_n

def ShardedFilename(basename: _Any, shard: _Any, num_shards: _Any, name: str | None = None) -> Tensor:
    """The name of one of several files: a-00001-of-00003."""

def ShardedFilespec(basename: _Any, num_shards: _Any, name: str | None = None) -> Tensor:
    """The pattern that all of several files match: a-?????-of-00003."""

Sigmoid = sigmoid

def SigmoidGrad(y: _Any, dy: _Any, name: str | None = None) -> Tensor:
    """The gradient of Sigmoid from its result."""

@overload
def Sign(x: RaggedTensor | RaggedTensorValue, name: str | None = None) -> _Any:
    """-1, 0 or 1; for complex numbers the number divided by its absolute value."""
@overload
def Sign(x: _Any, name: str | None = None) -> Tensor:
    """-1, 0 or 1; for complex numbers the number divided by its absolute value."""

Sin = sin
Sinh = sinh

def Size(input: _Any, out_type: _Any = ..., name: str | None = None) -> Tensor:
    """The number of elements."""

def Slice(input: _Any, begin: _Any, size: _Any, name: str | None = None) -> Tensor:
    """The part of `input` that starts at `begin` and has the shape `size`; a size of -1 reaches to the
    end."""

def Snapshot(input: _Any, name: str | None = None) -> Tensor:
    """The same value, apart from later changes of it."""

def Softmax(logits: _Any, name: str | None = None) -> Tensor:
    """exp(logits), scaled along the last axis to sum to one."""

def SoftmaxCrossEntropyWithLogits(
    features: _Any, labels: _Any, name: str | None = None,
) -> _SoftmaxCrossEntropyWithLogits:
    """The cross entropy of each row of labels with softmax(features), and its gradient by the features."""

Softplus = softplus

def SoftplusGrad(gradients: _Any, features: _Any, name: str | None = None) -> Tensor:
    """The gradient of Softplus."""

Softsign = softsign

def SoftsignGrad(gradients: _Any, features: _Any, name: str | None = None) -> Tensor:
    """The gradient of Softsign."""

def SpaceToBatch(input: _Any, paddings: _Any, block_size: int, name: str | None = None) -> Tensor:
    """SpaceToBatchND with square blocks of images."""

SpaceToBatchND = space_to_batch_nd

def SpaceToDepth(
    input: _Any, block_size: int, data_format: str = 'NHWC', name: str | None = None,
) -> Tensor:
    """Moves square blocks of each image into its channels."""

def SparseAccumulatorApplyGradient(
    handle: _Any, local_step: _Any, gradient_indices: _Any, gradient_values: _Any, gradient_shape: _Any,
    has_known_shape: bool, name: str | None = None,
) -> Operation:
    """Adds a gradient of rows, unless it is of an older step than the accumulator."""

def SparseAccumulatorTakeGradient(
    handle: _Any, num_required: _Any, dtype: _Any, name: str | None = None,
) -> _SparseAccumulatorTakeGradient:
    """The rows that have added up, each over its own number, once there are as many gradients as
    required."""

def SparseAdd(
    a_indices: _Any, a_values: _Any, a_shape: _Any, b_indices: _Any, b_values: _Any, b_shape: _Any,
    thresh: _Any, name: str | None = None,
) -> _SparseAdd:
    """The sum of two sparse tensors; of entries that both have, those smaller than `thresh` are left
    out."""

def SparseAddGrad(
    backprop_val_grad: _Any, a_indices: _Any, b_indices: _Any, sum_indices: _Any, name: str | None = None,
) -> _SparseAddGrad:
    """The gradients of a sum's entries, at the places of those entries in both summands; zeros
    elsewhere."""

def SparseApplyAdadelta(
    var: _Any, accum: _Any, accum_update: _Any, lr: _Any, rho: _Any, epsilon: _Any, grad: _Any,
    indices: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """The step is scaled by the running size of earlier steps over that of the gradients."""

def SparseApplyAdagrad(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Tensor:
    """accum += grad ** 2; var -= lr * grad / sqrt(accum)."""

def SparseApplyAdagradDA(
    var: _Any, gradient_accumulator: _Any, gradient_squared_accumulator: _Any, grad: _Any, indices: _Any,
    lr: _Any, l1: _Any, l2: _Any, global_step: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Dual averaging: the variable follows from the sums of all gradients and their squares."""

def SparseApplyAdagradV2(
    var: _Any, accum: _Any, lr: _Any, epsilon: _Any, grad: _Any, indices: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> Tensor:
    """accum += grad ** 2; var -= lr * grad / (sqrt(accum) + epsilon)."""

def SparseApplyCenteredRMSProp(
    var: _Any, mg: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any,
    grad: _Any, indices: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """RMSProp over the running variance of the gradient instead of the mean of its square."""

def SparseApplyFtrl(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, indices: _Any, lr: _Any, l1: _Any, l2: _Any,
    lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Follow the regularized leader."""

def SparseApplyFtrlV2(
    var: _Any, accum: _Any, linear: _Any, grad: _Any, indices: _Any, lr: _Any, l1: _Any, l2: _Any,
    l2_shrinkage: _Any, lr_power: _Any, use_locking: bool = False, name: str | None = None,
) -> Tensor:
    """Follow the regularized leader, with a penalty on the size of the variable that the gradient sees."""

def SparseApplyMomentum(
    var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> Tensor:
    """accum = momentum * accum + grad; var -= lr * accum, or with Nesterov a step further along."""

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
    """A step along the gradient over the root of the running mean of its square, with momentum."""

def SparseBincount(
    indices: _Any, values: _Any, dense_shape: _Any, size: _Any, weights: _Any, binary_output: bool = False,
    name: str | None = None,
) -> Tensor:
    """How often each of 0 ... size - 1 occurs in a sparse vector, or in each row of a sparse matrix."""

def SparseConcat(
    indices: _Any, values: _Any, shapes: _Any, concat_dim: int, name: str | None = None,
) -> _SparseConcat:
    """Sparse tensors one after the other along an axis, the entries in order again."""

def SparseConditionalAccumulator(
    dtype: _Any, shape: _Any, container: str = '', shared_name: str = '', reduction_type: str = 'MEAN',
    name: str | None = None,
) -> Tensor:
    """Holds gradients of rows that add up."""

def SparseCross(
    indices: _Any, values: _Any, shapes: _Any, dense_inputs: _Any, hashed_output: bool, num_buckets: int,
    hash_key: int, out_type: _Any, internal_type: _Any, name: str | None = None,
) -> _SparseCross:
    """Crosses sparse and dense columns: text joined by "_X_", or the number of a bucket."""

def SparseDenseCwiseAdd(
    sp_indices: _Any, sp_values: _Any, sp_shape: _Any, dense: _Any, name: str | None = None,
) -> Tensor:
    """The entries of a sparse tensor plus the elements of a dense one at their places."""

def SparseDenseCwiseDiv(
    sp_indices: _Any, sp_values: _Any, sp_shape: _Any, dense: _Any, name: str | None = None,
) -> Tensor:
    """The entries of a sparse tensor over the elements of a dense one at their places."""

def SparseDenseCwiseMul(
    sp_indices: _Any, sp_values: _Any, sp_shape: _Any, dense: _Any, name: str | None = None,
) -> Tensor:
    """The entries of a sparse tensor times the elements of a dense one at their places."""

def SparseFillEmptyRows(
    indices: _Any, values: _Any, dense_shape: _Any, default_value: _Any, name: str | None = None,
) -> _SparseFillEmptyRows:
    """The same sparse tensor with an entry of `default_value` at the start of each row that has none."""

def SparseFillEmptyRowsGrad(
    reverse_index_map: _Any, grad_values: _Any, name: str | None = None,
) -> _SparseFillEmptyRowsGrad:
    """Hands the gradients of the entries that were there back to them, and the sum of the others to the
    default."""

SparseMatMul = sparse_matmul

def SparseReduceMax(
    input_indices: _Any, input_values: _Any, input_shape: _Any, reduction_axes: _Any,
    keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """The largest entry of a sparse tensor along axes, as a dense tensor."""

def SparseReduceMaxSparse(
    input_indices: _Any, input_values: _Any, input_shape: _Any, reduction_axes: _Any,
    keep_dims: bool = False, name: str | None = None,
) -> _SparseReduceMaxSparse:
    """The largest entry of a sparse tensor along axes, as a sparse tensor."""

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
    """The same sparse tensor with its entries in the order in which a dense tensor has them."""

def SparseReshape(
    input_indices: _Any, input_shape: _Any, new_shape: _Any, name: str | None = None,
) -> _SparseReshape:
    """The entries of a sparse tensor in another shape; one size may be -1 and follows from the others."""

def SparseSegmentMean(data: _Any, indices: _Any, segment_ids: _Any, name: str | None = None) -> Tensor:
    """The mean over each segment of the rows at `indices`."""

def SparseSegmentMeanGrad(
    grad: _Any, indices: _Any, segment_ids: _Any, output_dim0: _Any, name: str | None = None,
) -> Tensor:
    """The gradient of SparseSegmentMean by its data."""

def SparseSegmentMeanWithNumSegments(
    data: _Any, indices: _Any, segment_ids: _Any, num_segments: _Any, name: str | None = None,
) -> Tensor:
    """SparseSegmentMean with that many segments."""

def SparseSegmentSqrtN(data: _Any, indices: _Any, segment_ids: _Any, name: str | None = None) -> Tensor:
    """The sum over each segment of the rows at `indices`, over the root of their number."""

def SparseSegmentSqrtNGrad(
    grad: _Any, indices: _Any, segment_ids: _Any, output_dim0: _Any, name: str | None = None,
) -> Tensor:
    """The gradient of SparseSegmentSqrtN by its data."""

def SparseSegmentSqrtNWithNumSegments(
    data: _Any, indices: _Any, segment_ids: _Any, num_segments: _Any, name: str | None = None,
) -> Tensor:
    """SparseSegmentSqrtN with that many segments."""

def SparseSegmentSum(data: _Any, indices: _Any, segment_ids: _Any, name: str | None = None) -> Tensor:
    """The sum over each segment of the rows at `indices`."""

def SparseSegmentSumWithNumSegments(
    data: _Any, indices: _Any, segment_ids: _Any, num_segments: _Any, name: str | None = None,
) -> Tensor:
    """SparseSegmentSum with that many segments."""

def SparseSlice(
    indices: _Any, values: _Any, shape: _Any, start: _Any, size: _Any, name: str | None = None,
) -> _SparseSlice:
    """The part of a sparse tensor that begins at `start` and has at most `size`."""

def SparseSliceGrad(
    backprop_val_grad: _Any, input_indices: _Any, input_start: _Any, output_indices: _Any,
    name: str | None = None,
) -> Tensor:
    """The gradients of the entries of a slice, at the places of those entries in the whole; zeros
    elsewhere."""

def SparseSoftmax(sp_indices: _Any, sp_values: _Any, sp_shape: _Any, name: str | None = None) -> Tensor:
    """Softmax along the last axis over the entries that are there, in order."""

def SparseSoftmaxCrossEntropyWithLogits(
    features: _Any, labels: _Any, name: str | None = None,
) -> _SparseSoftmaxCrossEntropyWithLogits:
    """The cross entropy with softmax(features) of rows that are of the class in labels, and its
    gradient."""

def SparseSparseMaximum(
    a_indices: _Any, a_values: _Any, a_shape: _Any, b_indices: _Any, b_values: _Any, b_shape: _Any,
    name: str | None = None,
) -> _SparseSparseMaximum:
    """The larger of the entries of two sparse tensors; what is missing counts as 0."""

def SparseSparseMinimum(
    a_indices: _Any, a_values: _Any, a_shape: _Any, b_indices: _Any, b_values: _Any, b_shape: _Any,
    name: str | None = None,
) -> _SparseSparseMinimum:
    """The smaller of the entries of two sparse tensors; what is missing counts as 0."""

def SparseSplit(
    split_dim: _Any, indices: _Any, values: _Any, shape: _Any, num_split: int, name: str | None = None,
) -> _SparseSplit:
    """The parts of a sparse tensor along an axis; where sizes cannot be equal, the first ones have one
    more."""

def SparseTensorDenseAdd(
    a_indices: _Any, a_values: _Any, a_shape: _Any, b: _Any, name: str | None = None,
) -> Tensor:
    """The sum of a sparse and a dense tensor of the same shape."""

def SparseTensorDenseMatMul(
    a_indices: _Any, a_values: _Any, a_shape: _Any, b: _Any, adjoint_a: bool = False,
    adjoint_b: bool = False, name: str | None = None,
) -> Tensor:
    """The product of a sparse and a dense matrix; an adjoint is transposed and conjugate."""

def SparseToDense(
    sparse_indices: _Any, output_shape: _Any, sparse_values: _Any, default_value: _Any,
    validate_indices: bool = True, name: str | None = None,
) -> Tensor:
    """A tensor of `default_value` with `sparse_values` at `sparse_indices`."""

def SparseToSparseSetOperation(
    set1_indices: _Any, set1_values: _Any, set1_shape: _Any, set2_indices: _Any, set2_values: _Any,
    set2_shape: _Any, set_operation: str, validate_indices: bool = True, name: str | None = None,
) -> _SparseToSparseSetOperation:
    """What the operation makes of the sets of two sparse tensors."""

def Split(split_dim: _Any, value: _Any, num_split: int, name: str | None = None) -> list[Tensor]:
    """`value` cut into `num_split` equal parts along `split_dim`."""

def SplitV(
    value: _Any, size_splits: _Any, split_dim: _Any, num_split: int, name: str | None = None,
) -> list[Tensor]:
    """`value` cut along `split_dim` into parts of the sizes `size_splits`; one of them may be -1."""

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
    """The number times itself."""
@overload
def Square(x: _Any, name: str | None = None) -> Tensor:
    """The number times itself."""

SquaredDifference = squared_difference

def Squeeze(input: _Any, squeeze_dims: _Any = ..., name: str | None = None) -> Tensor:
    """`input` without its axes of size 1, or without those of `squeeze_dims`."""

def Stack(elem_type: _Any, stack_name: str = '', name: str | None = None) -> Tensor:
    """A new stack."""

def StackClose(handle: _Any, name: str | None = None) -> Operation:
    """Lets go of what is on a stack."""

def StackCloseV2(handle: _Any, name: str | None = None) -> Operation:
    """Lets go of what is on a stack."""

def StackPop(handle: _Any, elem_type: _Any, name: str | None = None) -> Tensor:
    """Takes the last value off a stack."""

def StackPopV2(handle: _Any, elem_type: _Any, name: str | None = None) -> Tensor:
    """Takes the last value off a stack."""

def StackPush(handle: _Any, elem: _Any, swap_memory: bool = False, name: str | None = None) -> Tensor:
    """Puts a value on a stack, and hands it on."""

def StackPushV2(handle: _Any, elem: _Any, swap_memory: bool = False, name: str | None = None) -> Tensor:
    """Puts a value on a stack, and hands it on."""

def StackV2(max_size: _Any, elem_type: _Any, stack_name: str = '', name: str | None = None) -> Tensor:
    """A new stack, of at most `max_size` values unless that is negative."""

def StatefulPartitionedCall(
    args: _Any, Tout: _Any, f: _Any, config: str = '', config_proto: str = '', executor_type: str = '',
    name: str | None = None,
) -> list[Tensor]:
    """The outputs of a function."""

def StatelessCase(
    branch_index: _Any, input: _Any, Tout: _Any, branches: _Any, output_shapes: _Any = ...,
    name: str | None = None,
) -> list[Tensor]:
    """A Case whose branches change nothing but their outputs."""

def StatelessIf(
    cond: _Any, input: _Any, Tout: _Any, then_branch: _Any, else_branch: _Any, output_shapes: _Any = ...,
    name: str | None = None,
) -> list[Tensor]:
    """An If whose branches change nothing but their outputs."""

def StatelessMultinomial(
    logits: _Any, num_samples: _Any, seed: _Any, output_dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Class numbers drawn from rows of unnormalised log-probabilities."""

def StatelessRandomGetAlg(name: str | None = None) -> Tensor:
    """The kind of random numbers of this device: Philox."""

def StatelessRandomGetKeyCounter(seed: _Any, name: str | None = None) -> _StatelessRandomGetKeyCounter:
    """The key and the counter that a two-element seed stands for."""

def StatelessRandomGetKeyCounterAlg(
    seed: _Any, name: str | None = None,
) -> _StatelessRandomGetKeyCounterAlg:
    """The key and the counter that a two-element seed stands for, and the kind of numbers of this
    device."""

def StatelessRandomNormal(
    shape: _Any, seed: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Normal numbers of mean 0 and deviation 1."""

def StatelessRandomNormalV2(
    shape: _Any, key: _Any, counter: _Any, alg: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Standard normal numbers."""

def StatelessRandomUniform(
    shape: _Any, seed: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Uniform numbers in [0, 1)."""

def StatelessRandomUniformInt(
    shape: _Any, seed: _Any, minval: _Any, maxval: _Any, name: str | None = None,
) -> Tensor:
    """Uniform integers in [minval, maxval)."""

def StatelessRandomUniformIntV2(
    shape: _Any, key: _Any, counter: _Any, alg: _Any, minval: _Any, maxval: _Any, name: str | None = None,
) -> Tensor:
    """Uniform integers in [minval, maxval)."""

def StatelessRandomUniformV2(
    shape: _Any, key: _Any, counter: _Any, alg: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Uniform numbers in [0, 1)."""

def StatelessTruncatedNormal(
    shape: _Any, seed: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Standard normal numbers between -2 and 2."""

def StatelessTruncatedNormalV2(
    shape: _Any, key: _Any, counter: _Any, alg: _Any, dtype: _Any = ..., name: str | None = None,
) -> Tensor:
    """Standard normal numbers between -2 and 2."""

def StatelessWhile(
    input: _Any, cond: _Any, body: _Any, output_shapes: _Any = ..., parallel_iterations: int = 10,
    name: str | None = None,
) -> list[Tensor]:
    """A While whose functions change nothing but their outputs."""

def StaticRegexFullMatch(input: _Any, pattern: str, name: str | None = None) -> Tensor:
    """RegexFullMatch with a pattern that is known when the graph is built."""

def StaticRegexReplace(
    input: _Any, pattern: str, rewrite: str, replace_global: bool = True, name: str | None = None,
) -> Tensor:
    """RegexReplace with a pattern and a rewrite that are known when the graph is built."""

StopGradient = stop_gradient

def StridedSlice(
    input: _Any, begin: _Any, end: _Any, strides: _Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Tensor:
    """What Python's `input[begin:end:strides, ...]` gives; the masks say which items are special."""

def StridedSliceAssign(
    ref: _Any, begin: _Any, end: _Any, strides: _Any, value: _Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Tensor:
    """Assigns `value` to a slice of a variable."""

def StridedSliceGrad(
    shape: _Any, begin: _Any, end: _Any, strides: _Any, dy: _Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Tensor:
    """Zeros of shape `shape` with `dy` where StridedSlice would have cut."""

def StringFormat(
    inputs: _Any, template: str = '%s', placeholder: str = '%s', summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """The template with its placeholders replaced by the inputs, of each axis the first and last few
    elements."""

def StringJoin(inputs: _Any, separator: str = '', name: str | None = None) -> Tensor:
    """The strings at the same place of every input, one after the other."""

def StringLength(input: _Any, unit: str = 'BYTE', name: str | None = None) -> Tensor:
    """How many bytes or UTF-8 characters each string has."""

def StringLower(input: _Any, encoding: str = '', name: str | None = None) -> Tensor:
    """Each string in small letters: those of ASCII, or with encoding 'utf-8' all."""

def StringNGrams(
    data: _Any, data_splits: _Any, separator: str, ngram_widths: _Any, left_pad: str, right_pad: str,
    pad_width: int, preserve_short_sequences: bool, name: str | None = None,
) -> _StringNGrams:
    """Runs of neighbours within each row, joined."""

def StringSplit(
    input: _Any, delimiter: _Any, skip_empty: bool = True, name: str | None = None,
) -> _StringSplit:
    """The pieces between any of the delimiter's bytes; with no delimiter every byte is a piece."""

def StringSplitV2(
    input: _Any, sep: _Any, maxsplit: int = -1, name: str | None = None,
) -> _StringSplitV2:
    """The pieces between separators, at most `maxsplit` + 1 of them; with no separator the words between
    spaces."""

def StringStrip(input: _Any, name: str | None = None) -> Tensor:
    """Each string without white space at its ends."""

def StringToHashBucket(string_tensor: _Any, num_buckets: int, name: str | None = None) -> Tensor:
    """A bucket for each string, by TensorFlow's oldest hash."""

def StringToHashBucketFast(input: _Any, num_buckets: int, name: str | None = None) -> Tensor:
    """A bucket for each string, by FarmHash."""

def StringToHashBucketStrong(
    input: _Any, num_buckets: int, key: _Any, name: str | None = None,
) -> Tensor:
    """A bucket for each string, by SipHash with a key of two numbers; who does not know it cannot make
    collisions."""

def StringToNumber(string_tensor: _Any, out_type: _Any = ..., name: str | None = None) -> Tensor:
    """The number that each string spells, white space around it aside."""

def StringUpper(input: _Any, encoding: str = '', name: str | None = None) -> Tensor:
    """Each string in capital letters: those of ASCII, or with encoding 'utf-8' all."""

Sub = subtract

def Substr(input: _Any, pos: _Any, len: _Any, unit: str = 'BYTE', name: str | None = None) -> Tensor:
    """`len` units of each string from `pos` on, which counts from the end when negative."""

def Sum(
    input: _Any, reduction_indices: _Any, keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """The sum along axes."""

def SummaryWriter(shared_name: str = '', container: str = '', name: str | None = None) -> Tensor:
    """A writer, by name."""

def Svd(
    input: _Any, compute_uv: bool = True, full_matrices: bool = False, name: str | None = None,
) -> _Svd:
    """The singular values, largest first, and the vectors on the left and right, as columns."""

def Switch(data: _Any, pred: _Any, name: str | None = None) -> _Switch:
    """Hands `data` on to the output that `pred` chooses; the other does not exist."""

def SymbolicGradient(input: _Any, Tout: _Any, f: _Any, name: str | None = None) -> list[Tensor]:
    """The gradients of a function: `input` holds its arguments, then the gradients of its outputs."""

def TFRecordReaderV2(
    container: str = '', shared_name: str = '', compression_type: str = '', name: str | None = None,
) -> Tensor:
    """Reads TFRecords; keys are 'file:offset'."""

def TakeManySparseFromTensorsMap(
    sparse_handles: _Any, dtype: _Any, container: str = '', shared_name: str = '', name: str | None = None,
) -> _TakeManySparseFromTensorsMap:
    """Takes sparse tensors out of a map, stacked along a new first axis."""

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
    """Storage that a step fills, adds to and gives up again; zeros to begin with, in every step."""

def TensorArrayCloseV3(handle: _Any, name: str | None = None) -> Operation:
    """Lets go of the elements."""

def TensorArrayConcatV3(
    handle: _Any, flow_in: _Any, dtype: _Any, element_shape_except0: _Any = None, name: str | None = None,
) -> _TensorArrayConcatV3:
    """The elements one after another along their first dimension, and how long each is."""

def TensorArrayGatherV3(
    handle: _Any, indices: _Any, flow_in: _Any, dtype: _Any, element_shape: _Any = None,
    name: str | None = None,
) -> Tensor:
    """Elements stacked along a new first dimension."""

def TensorArrayGradV3(
    handle: _Any, flow_in: _Any, source: str, name: str | None = None,
) -> _TensorArrayGradV3:
    """The array for the gradients of another one, which all calls with that source share."""

def TensorArrayGradWithShape(
    handle: _Any, flow_in: _Any, shape_to_prepend: _Any, source: str, name: str | None = None,
) -> _TensorArrayGradWithShape:
    """The array for gradients whose elements have further dimensions in front."""

def TensorArrayReadV3(
    handle: _Any, index: _Any, flow_in: _Any, dtype: _Any, name: str | None = None,
) -> Tensor:
    """Reads one element."""

def TensorArrayScatterV3(
    handle: _Any, indices: _Any, value: _Any, flow_in: _Any, name: str | None = None,
) -> Tensor:
    """Writes the rows of a tensor as elements."""

def TensorArraySizeV3(handle: _Any, flow_in: _Any, name: str | None = None) -> Tensor:
    """The number of elements."""

def TensorArraySplitV3(
    handle: _Any, value: _Any, lengths: _Any, flow_in: _Any, name: str | None = None,
) -> Tensor:
    """Writes parts of a tensor, of the given lengths along its first dimension, as elements."""

def TensorArrayV3(
    size: _Any, dtype: _Any, element_shape: _Any = None, dynamic_size: bool = False,
    clear_after_read: bool = True, identical_element_shapes: bool = False, tensor_array_name: str = '',
    name: str | None = None,
) -> _TensorArrayV3:
    """A new array of `size` elements."""

def TensorArrayWriteV3(
    handle: _Any, index: _Any, value: _Any, flow_in: _Any, name: str | None = None,
) -> Tensor:
    """Writes one element."""

def TensorListConcat(
    input_handle: _Any, element_dtype: _Any, element_shape: _Any = None, name: str | None = None,
) -> _TensorListConcat:
    """The elements one after another, and the number of rows of each."""

def TensorListConcatLists(
    input_a: _Any, input_b: _Any, element_dtype: _Any, name: str | None = None,
) -> Tensor:
    """The elements of one list, then those of the other."""

def TensorListConcatV2(
    input_handle: _Any, element_shape: _Any, leading_dims: _Any, element_dtype: _Any,
    name: str | None = None,
) -> _TensorListConcatV2:
    """The elements one after another, and the rows of each; those not set have `leading_dims` rows of
    zeros."""

def TensorListElementShape(input_handle: _Any, shape_type: _Any, name: str | None = None) -> Tensor:
    """What is known of the elements' shape: -1 for what is not."""

def TensorListFromTensor(tensor: _Any, element_shape: _Any, name: str | None = None) -> Tensor:
    """The rows of a tensor as a list."""

def TensorListGather(
    input_handle: _Any, indices: _Any, element_shape: _Any, element_dtype: _Any, name: str | None = None,
) -> Tensor:
    """The elements at `indices` as one tensor."""

def TensorListGetItem(
    input_handle: _Any, index: _Any, element_shape: _Any, element_dtype: _Any, name: str | None = None,
) -> Tensor:
    """One element; zeros when it was not set and its shape is known."""

def TensorListLength(input_handle: _Any, name: str | None = None) -> Tensor:
    """The number of elements."""

def TensorListPopBack(
    input_handle: _Any, element_shape: _Any, element_dtype: _Any, name: str | None = None,
) -> _TensorListPopBack:
    """The list without its last element, and that element."""

def TensorListPushBack(input_handle: _Any, tensor: _Any, name: str | None = None) -> Tensor:
    """The list with one more element at its end."""

def TensorListPushBackBatch(input_handles: _Any, tensor: _Any, name: str | None = None) -> Tensor:
    """Each list of a vector with one more element: a row of `tensor`."""

def TensorListReserve(
    element_shape: _Any, num_elements: _Any, element_dtype: _Any, name: str | None = None,
) -> Tensor:
    """A list of so many elements that are yet to be set."""

def TensorListResize(input_handle: _Any, size: _Any, name: str | None = None) -> Tensor:
    """The list cut off after `size` elements, or with more that are yet to be set."""

def TensorListScatter(
    tensor: _Any, indices: _Any, element_shape: _Any, name: str | None = None,
) -> Tensor:
    """A list with the rows of `tensor` at `indices`, of as many elements as needed."""

def TensorListScatterIntoExistingList(
    input_handle: _Any, tensor: _Any, indices: _Any, name: str | None = None,
) -> Tensor:
    """The list with the rows of `tensor` at `indices`; it grows when it has to."""

def TensorListScatterV2(
    tensor: _Any, indices: _Any, element_shape: _Any, num_elements: _Any, name: str | None = None,
) -> Tensor:
    """A list with the rows of `tensor` at `indices`: of `num_elements` elements, or as many as needed for
    -1."""

def TensorListSetItem(input_handle: _Any, index: _Any, item: _Any, name: str | None = None) -> Tensor:
    """The list with another element in one place."""

def TensorListSplit(
    tensor: _Any, element_shape: _Any, lengths: _Any, name: str | None = None,
) -> Tensor:
    """A list of consecutive pieces of a tensor, which have `lengths` rows."""

def TensorListStack(
    input_handle: _Any, element_shape: _Any, element_dtype: _Any, num_elements: int = -1,
    name: str | None = None,
) -> Tensor:
    """The elements as one tensor."""

TensorScatterAdd = tensor_scatter_add

def TensorScatterMax(tensor: _Any, indices: _Any, updates: _Any, name: str | None = None) -> Tensor:
    """`tensor` with the larger of its elements and of `updates` at the points `indices`."""

def TensorScatterMin(tensor: _Any, indices: _Any, updates: _Any, name: str | None = None) -> Tensor:
    """`tensor` with the smaller of its elements and of `updates` at the points `indices`."""

TensorScatterSub = tensor_scatter_sub
TensorScatterUpdate = tensor_scatter_update

def TensorStridedSliceUpdate(
    input: _Any, begin: _Any, end: _Any, strides: _Any, value: _Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, name: str | None = None,
) -> Tensor:
    """`input` with `value` in place of what StridedSlice would cut."""

def TensorSummary(
    tensor: _Any, description: str = '', labels: _Any = ..., display_name: str = '',
    name: str | None = None,
) -> Tensor:
    """A message with the whole tensor, under the name of the node; its description and labels show
    nowhere."""

def TensorSummaryV2(
    tag: _Any, tensor: _Any, serialized_summary_metadata: _Any, name: str | None = None,
) -> Tensor:
    """A message with the whole tensor."""

def TextLineReaderV2(
    skip_header_lines: int = 0, container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Reads lines; keys are 'file:line'."""

def ThreadUnsafeUnigramCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0,
    seed2: int = 0, name: str | None = None,
) -> _ThreadUnsafeUnigramCandidateSampler:
    """Classes as likely as they were frequent among the true classes so far."""

Tile = tile

def TileGrad(input: _Any, multiples: _Any, name: str | None = None) -> Tensor:
    """The sum of the copies that Tile made."""

Timestamp = timestamp

def TopK(input: _Any, k: int, sorted: bool = True, name: str | None = None) -> _TopK:
    """The `k` largest elements of each row, and where they are."""

def TopKV2(input: _Any, k: _Any, sorted: bool = True, name: str | None = None) -> _TopKV2:
    """The `k` largest elements of each row, and where they are."""

def Transpose(x: _Any, perm: _Any, name: str | None = None) -> Tensor:
    """`x` with its axes in the order of `perm`."""

def TridiagonalMatMul(
    superdiag: _Any, maindiag: _Any, subdiag: _Any, rhs: _Any, name: str | None = None,
) -> Tensor:
    """The product of matrices given by their three diagonals, as rows, with other matrices."""

def TridiagonalSolve(
    diagonals: _Any, rhs: _Any, partial_pivoting: bool = True, name: str | None = None,
) -> Tensor:
    """Solves equations whose matrices are given by their three diagonals: above, main and below, as
    rows."""

TruncateDiv = truncatediv
TruncateMod = truncatemod

def TruncatedNormal(
    shape: _Any, dtype: _Any, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Tensor:
    """Standard normal numbers between -2 and 2."""

def Unbatch(
    batched_tensor: _Any, batch_index: _Any, id: _Any, timeout_micros: int, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """This step's rows of what one of the steps has computed for all."""

def UnbatchGrad(
    original_input: _Any, batch_index: _Any, grad: _Any, id: _Any, container: str = '',
    shared_name: str = '', name: str | None = None,
) -> Tensor:
    """The gradients of all steps, in the one that computed the batch; nothing in the others."""

def UnicodeDecode(
    input: _Any, input_encoding: str, errors: str = 'replace', replacement_char: int = 65533,
    replace_control_characters: bool = False, Tsplits: _Any = ..., name: str | None = None,
) -> _UnicodeDecode:
    """The code points of all strings in a row, and where each string begins and the last ends."""

def UnicodeDecodeWithOffsets(
    input: _Any, input_encoding: str, errors: str = 'replace', replacement_char: int = 65533,
    replace_control_characters: bool = False, Tsplits: _Any = ..., name: str | None = None,
) -> _UnicodeDecodeWithOffsets:
    """UnicodeDecode, and at which byte of its string each character begins."""

def UnicodeEncode(
    input_values: _Any, input_splits: _Any, output_encoding: str, errors: str = 'replace',
    replacement_char: int = 65533, name: str | None = None,
) -> Tensor:
    """A string for each row of code points."""

def UnicodeScript(input: _Any, name: str | None = None) -> Tensor:
    """ICU's number of the script that each code point belongs to; -1 for what is no code point."""

def UnicodeTranscode(
    input: _Any, input_encoding: str, output_encoding: str, errors: str = 'replace',
    replacement_char: int = 65533, replace_control_characters: bool = False, name: str | None = None,
) -> Tensor:
    """Each string in another encoding."""

def UniformCandidateSampler(
    true_classes: _Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0,
    seed2: int = 0, name: str | None = None,
) -> _UniformCandidateSampler:
    """Classes that are all equally likely."""

Unique = unique

def UniqueV2(x: _Any, axis: _Any, out_idx: _Any = ..., name: str | None = None) -> _UniqueV2:
    """The distinct slices of `x` along `axis` in order of appearance, and which of them each slice is."""

UniqueWithCounts = unique_with_counts

def UniqueWithCountsV2(
    x: _Any, axis: _Any, out_idx: _Any = ..., name: str | None = None,
) -> _UniqueWithCountsV2:
    """UniqueV2, and how often each distinct slice occurs."""

def Unpack(value: _Any, num: int, axis: int = 0, name: str | None = None) -> list[Tensor]:
    """The slices of `value` along `axis`, without that axis."""

UnravelIndex = unravel_index
UnsortedSegmentJoin = unsorted_segment_join
UnsortedSegmentMax = unsorted_segment_max
UnsortedSegmentMin = unsorted_segment_min
UnsortedSegmentProd = unsorted_segment_prod
UnsortedSegmentSum = unsorted_segment_sum

def UpperBound(
    sorted_inputs: _Any, values: _Any, out_type: _Any = ..., name: str | None = None,
) -> Tensor:
    """The last place in its sorted row where each value could be put."""

def VarHandleOp(
    dtype: _Any, shape: _Any, container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Storage for one tensor, as a resource handle."""

def VarIsInitializedOp(resource: _Any, name: str | None = None) -> Tensor:
    """Whether the variable has a value."""

def Variable(
    shape: _Any, dtype: _Any, container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """The oldest form of VariableV2, in which the shape [] means "unknown"."""

def VariableShape(input: _Any, out_type: _Any = ..., name: str | None = None) -> Tensor:
    """The shape of the variable's value."""

def VariableV2(
    shape: _Any, dtype: _Any, container: str = '', shared_name: str = '', name: str | None = None,
) -> Tensor:
    """Storage for one tensor, as a reference."""

def Where(input: _Any, name: str | None = None) -> Tensor:
    """The coordinates of the elements that are true or not zero, a row each."""

def While(
    input: _Any, cond: _Any, body: _Any, output_shapes: _Any = ..., parallel_iterations: int = 10,
    name: str | None = None,
) -> list[Tensor]:
    """Applies `body` to the loop variables as long as `cond` of them holds."""

def WholeFileReaderV2(container: str = '', shared_name: str = '', name: str | None = None) -> Tensor:
    """Reads whole files: the name is the key, the content the value."""

def WriteAudioSummary(
    writer: _Any, step: _Any, tag: _Any, tensor: _Any, sample_rate: _Any, max_outputs: int = 3,
    name: str | None = None,
) -> Operation:
    """Writes the first clips of a batch."""

WriteFile = write_file

def WriteGraphSummary(writer: _Any, step: _Any, tensor: _Any, name: str | None = None) -> Operation:
    """Writes a serialized GraphDef."""

def WriteHistogramSummary(
    writer: _Any, step: _Any, tag: _Any, values: _Any, name: str | None = None,
) -> Operation:
    """Writes the distribution of the values."""

def WriteImageSummary(
    writer: _Any, step: _Any, tag: _Any, tensor: _Any, bad_color: _Any, max_images: int = 3,
    name: str | None = None,
) -> Operation:
    """Writes the first images of a batch."""

def WriteRawProtoSummary(writer: _Any, step: _Any, tensor: _Any, name: str | None = None) -> Operation:
    """Writes Summary messages, all in one event."""

def WriteScalarSummary(
    writer: _Any, step: _Any, tag: _Any, value: _Any, name: str | None = None,
) -> Operation:
    """Writes a number."""

def WriteSummary(
    writer: _Any, step: _Any, tensor: _Any, tag: _Any, summary_metadata: _Any, name: str | None = None,
) -> Operation:
    """Writes a whole tensor."""

Xdivy = xdivy

def Xlog1py(x: _Any, y: _Any, name: str | None = None) -> Tensor:
    """x * log(1 + y), 0 where `x` is 0 whatever `y` is."""

Xlogy = xlogy

def ZerosLike(x: _Any, name: str | None = None) -> Tensor:
    """Zeros (or empty strings) in the shape of `x`."""

Zeta = zeta
