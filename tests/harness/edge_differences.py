"""Where an answer at an edge value differs from TensorFlow's, and why; docs/edge_values.md tells users the same."""

import re

TOO_LARGE = "takes more memory than there is"  # and is not tried
_SAMPLED = ".*Sampler|Kmeans.*|.*Initialization|.*[Cc]andidate.*"
_UNWRITTEN = "TensorFlow returns memory that nothing was written to"
_CHOOSES = "TensorFlow 1 multiplies by the mask, as this does; TensorFlow 2 chooses"
_LENIENT = "TensorFlow takes an argument of the wrong form"
_STRICT = "TensorFlow refuses an argument that has a meaning here"
_OUTSIDE = "entries outside of the dense shape, or entries out of order, are refused, dropped or joined"
_UNQUANTIZED = "NaN and infinite ends have no level; TensorFlow's depends on the instruction that rounds"
_UNFED = "the gradient that the test feeds does not fit the shape that the edge value gives"
_SUBNORMAL = "TensorFlow takes a subnormal quotient for zero"
_DOMAIN = "limits at the ends of the domain: a number here and NaN there, or the other way round"
_SINGULAR = "TensorFlow goes on with a singular or infinite matrix, or refuses it, by the kernel it chooses"
_ORDER = "infinities meet in another order of additions and products: NaN or infinity"
_PADDED = "TensorFlow skips elements that no window or step uses; here 0 times infinity is NaN"
_OPERATORS = ("full_matrix(_by_cholesky)?|lower_triangular|scaled_identity|adjoint|inversion|composition|block_diag|"
              "kronecker|low_rank_update(_with_v)?|toeplitz|circulant.*|permutation|identity|tridiagonal.*")
_CELLS = "LSTM(BlockCell(Grad)?)|BlockLSTM(V2|Grad|GradV2)?|GRUBlockCell(Grad)?|LSTMBlockCell(Grad)?"

DIFFERENCES = [  # op, edge, reason
    (_SAMPLED, ".", "samples are drawn by chances that are no numbers, or by ids outside the range"),
    ("SdcaOptimizer(V2)?", "inf|nan", "a dual or norm that is no number: TensorFlow clips it, or goes on with NaN"),
    ("SdcaOptimizer(V2)?", "min|max", "TensorFlow reads no features behind one of an example outside of the batch"),
    ("boxes_in_images", ".", "it draws another box in every run"),
    ("dropout.*", "inf|nan", _CHOOSES),
    ("Conv.*|conv.*|sequences|.*transposed.*|atrous.*|separable.*|Depthwise.*Filter", "inf|nan",
     "0 of padding times infinity is NaN"),
    ("ctc.*|CTC.*|dense_loss.*", ".", "TensorFlow's loss of impossible labels, lengths and -inf is not defined"),
    ("loss_gradient|batch_major_loss|sparse_loss_with_blank", "inf|nan", "the gradient of an impossible path"),
    ("decoded", "inf|nan|0", "there are fewer paths than asked for"),
    ("collapsed|unique_labels", "empty", _STRICT),
    ("CumulativeLogsumexp|running_totals", "nan|inf", "TensorFlow turns NaN into minus infinity and infinity into NaN"),
    ("(Sparse)?Segment(Max|Min)|UnsortedSegment(Max|Min)", "nan", "TensorFlow forgets a NaN when a number follows it"),
    ("SparseReduceMax(Sparse)?", "nan", "TensorFlow forgets a NaN when a number follows it"),
    ("(Unsorted)?SegmentProd", "inf|max|min|nan", "the gradient divides the product by the number"),
    ("TopK(V2)?|NthElement|.*sort.*|InTopK(V2)?", "nan", "TensorFlow's order of NaN depends on how it sorts"),
    ("(Lower|Upper)Bound", "nan|max|inf", "a search among numbers that are not in order, or for NaN"),
    ("Truncate(Div|Mod)", "0|min", "TensorFlow's division by zero is an InternalError"),
    ("SparseDenseCwiseDiv|ResourceScatterDiv", "0", "TensorFlow refuses to divide by zero"),
    ("ScatterDiv", "max|min", "the product of the divisors of one row overflows"),
    ("MaxPool3D.*|MaxPoolGrad.*", "nan|inf", "TensorFlow keeps NaN or not by its place in the window"),
    ("MaxPool|volumes|second_derivatives(_of_volumes)?|fractional_maxima|fractions_that_are_whole", "nan|inf",
     "TensorFlow keeps NaN or not by its place in the window"),
    ("MaxPool3D|volumes", "0", "of equal elements of a window TensorFlow's gradient goes to the last"),
    ("fractional_(maxima|means)|fractions_that_are_whole", "empty", _STRICT),
    ("AvgPoolGrad", "inf|nan", _PADDED),
    ("AvgPool(3D)?Grad", "0|empty|single", "sizes of an input that the gradient does not fit"),
    ("MaxPoolV2", "0", "TensorFlow's refusal is an UnimplementedError"),
    ("MaxPoolV2|DepthwiseConv2dNativeBackpropInput", "max", TOO_LARGE),
    (".*Determinant|slogdet|determinant_by_logarithm", "nan|inf", "TensorFlow's determinant of NaN is 0"),
    ("Cholesky|CholeskyGrad|MatrixTriangularSolve|MatrixInverse", "inf|nan|0|min", _SINGULAR),
    ("MatrixSolve(Ls)?|least_squares|equations|functions_of_matrices", "nan|inf|0|max|min", _SINGULAR),
    ("MatrixSquareRoot|TridiagonalSolve|Lu|eigenvectors", "nan|inf|0|max|min", _SINGULAR),
    ("singular_vectors|functions", "inf|max|min", _SINGULAR),
    (_OPERATORS, "inf|nan|0|max|min|single", "an operator over a singular or infinite matrix: see its decomposition"),
    ("householder", "0", "TensorFlow 2 takes a quotient by a norm of 0 for 0"),
    ("Qr|BatchQr", "inf|nan", "whole columns of NaN or single ones"),
    ("Qr", "0", "TensorFlow 1 refuses a singular triangle in the gradient, as this does; TensorFlow 2 goes on"),
    ("einsum|poisson", "inf|max", _ORDER),
    ("FusedBatchNorm(V2)?|training.*|inference.*|half_precision", "inf", _ORDER),
    ("FusedBatchNorm(V2)?|second_derivative", "empty|single|0|nan", "moments of no element, and unused outputs"),
    ("LRNGrad", "inf|nan", _ORDER),
    ("AudioSpectrogram|Mfcc|cosine_transforms_of_other_lengths", "inf|nan", _ORDER),
    ("NearestNeighbors", "inf|nan|max|min|empty", "distances that are no numbers have no order"),
    ("Digamma|Lgamma|composites|IgammaGradA|Polygamma|Betainc", "inf|0", _DOMAIN),
    ("Range|FloorMod", "max|min", _SUBNORMAL),
    ("Mean", "empty", "TensorFlow's mean of no complex number is 0"),
    ("weighted_moments|embedding_of_bags", "0|empty", "TensorFlow 2 takes a quotient by a sum of 0 for 0"),
    ("saturated|QuantizeV2|QuantizeAndDequantizeV2|rounded_in_half_precision|a_quantized_layer", "nan", _UNQUANTIZED),
    ("QuantizedConcat", "nan|empty", _UNQUANTIZED),
    ("FakeQuantWithMinMaxVars(PerChannel)?(Gradient)?", "inf", _UNQUANTIZED),
    ("RequantizationRange|QuantizeDownAndShrinkRange|Quantized(Add|Mul|Conv2D|InstanceNorm|ResizeBilinear)",
     "empty|single", "nothing to find a range in, or channels that do not fit"),
    ("SparseApply(Ftrl|FtrlV2)", "inf|nan", "rows with a NaN become 0, as TensorFlow's dense update makes them"),
    ("SparseApplyAdagradDA", "0", "a step number of 0 divides by zero"),
    ("Sparse.*|SerializeManySparse|as_variants|through_a_map|SetSize|EditDistance", "max|min", _OUTSIDE),
    ("Sparse(TensorDenseMatMul|Add|AddGrad|SparseMaximum|SparseMinimum|ReduceSum|ReduceMax|Softmax|Concat|Split)", "0",
     _OUTSIDE),
    ("SparseReshape|SparseSliceGrad|SparseBincount|SerializeSparse", "0|empty|single", _OUTSIDE),
    ("RaggedTensorToTensor|RaggedGather|RaggedBincount", "0|min|max|empty|single",
     "splits that do not divide the values"),
    ("RaggedRange", "inf|max|min", "a range without end"),
    ("SparseSegment.*Grad", "empty", _UNWRITTEN),
    (".*[Dd]epthwise.*|MatrixSolveLs", "empty", _UNWRITTEN),
    ("RFFT3D|IRFFT[23]D|DynamicStitch", "empty", _UNWRITTEN),
    ("ParallelDynamicStitch|BlockLSTM(V2)?", "0", _UNWRITTEN),
    ("no_step|one_step_with_peepholes", "inf|nan", _PADDED),
    (_CELLS, "empty|single", "weights and biases whose lengths contradict each other"),
    ("Slice|MatrixDiagPartV2", "0", _UNFED),
    ("StridedSlice", "0|min", "a compiled slice does not look at the stride of a single index"),
    ("(Resource)?StridedSliceAssign|TensorStridedSliceUpdate", "single",
     "TensorFlow 2 broadcasts, TensorFlow 1 refuses"),
    ("AccumulateNV2|ResourceGather|StringNGrams|StatelessRandom.*V2|StatelessTruncatedNormalV2", "empty|single",
     _LENIENT),
    ("Inplace(Update|Add|Sub)|EncodeWav", "empty", _LENIENT),
    ("UnravelIndex|MatrixBandPart|DenseBincount|StringNGrams", "min", _LENIENT),
    ("DataFormatDimMap", "max|min", _LENIENT),
    ("Conv[23]D|images", "empty", "TensorFlow refuses a filter, or an input of Conv3D, without elements"),
    ("Conv[23]DBackpropInput(V2)?|Conv2DBackpropFilter|DepthwiseConv2dNativeBackpropInput|holes_transposed",
     "empty|single|0|max", "sizes of an input that the gradient does not fit"),
    ("DepthwiseConv2dNative(BackpropInput)?|by_channel|images|holes", "inf|nan", _PADDED),
    ("Dilation2D(Backprop(Input|Filter))?|morphology", "inf|nan|empty",
     "TensorFlow starts a maximum at the lowest finite number and forgets NaN"),
    ("FusedPadConv2D|FusedResizeAndPadConv2D", "empty", _UNWRITTEN),
    ("BlockLSTMGrad(V2)?", "inf|nan", _PADDED),
    ("ScaleAndTranslate|ResizeBilinear(Grad)?|ResizeNearestNeighborGrad|ResizeBicubicGrad|ResizeArea|resize_images",
     "inf|nan", "TensorFlow leaves out the elements whose weight is 0; here 0 times infinity is NaN"),
    ("sizes_of_tensorflow_2", "inf|nan|max|min",
     "TensorFlow leaves out the elements whose weight is 0; here 0 times infinity is NaN"),
    ("RGBToHSV|AdjustHue|AdjustSaturation|hues", "inf|nan|0",
     "the hue of no color, and its gradient where channels tie"),
    ("CropAndResize|DrawBoundingBoxes", "inf|nan", "boxes without a place"),
    ("CropAndResize(GradBoxes)?", "0", "the slope where a position is a pixel's own: rounding chooses a side"),
    ("turns", "single", "with the tier set to xla, the branches of a conditional must agree in their shapes"),
    ("NonMaxSuppression.*|CombinedNonMaxSuppression", "inf|nan|max|min", "boxes and scores that have no order"),
    ("png_round_trip", "empty", "TensorFlow's refusal is an InternalError"),
    ("StringFormat", "empty", "TensorFlow shows a tensor of no element as nothing"),
    ("Roll", "max|min", "TensorFlow's sum of huge shifts overflows"),
    ("Reverse|stft|cosine_transforms.*|mfccs", "empty", _STRICT),
    ("Substr", "min", _STRICT),
]


def reason(case, edge):
    """Why the case may differ at this edge, or None."""
    for op, how, why in DIFFERENCES:
        if re.fullmatch(op, case.op) and re.search(how, edge.how):
            return why
    return None
