"""Which ops automatic mixed precision computes in half precision: the lists that TensorFlow and NVIDIA document."""

from __future__ import annotations

from evergraph.graph.traits import Half

_ALLOWED = """
    BatchMatMul BatchMatMulV2 BlockLSTM BlockLSTMGrad BlockLSTMGradV2 BlockLSTMV2 Conv2D Conv2DBackpropFilter
    Conv2DBackpropInput Conv3D Conv3DBackpropFilter Conv3DBackpropFilterV2 Conv3DBackpropInput Conv3DBackpropInputV2
    DepthwiseConv2dNative DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput Einsum GRUBlockCell
    GRUBlockCellGrad LSTMBlockCell LSTMBlockCellGrad MatMul
"""
_INFERRED = """
    Add AddN AddV2 AvgPool AvgPool3D AvgPool3DGrad AvgPoolGrad BiasAdd BiasAddGrad BiasAddV1 Elu EluGrad Erf Erfc
    FloorDiv FusedBatchNormGradV2 FusedBatchNormGradV3 FusedBatchNormV2 FusedBatchNormV3 Inv LeakyRelu LeakyReluGrad
    Log Log1p LogSoftmax Mul Prod RealDiv Reciprocal Selu SeluGrad Sigmoid SigmoidGrad Softplus SoftplusGrad
    Softsign SoftsignGrad Sqrt Sub Tanh TanhGrad
"""
_DENIED = """
    Exp Expm1 L2Loss Mean Pow SaveV2 Softmax SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits Sum
"""
_CLEAR = """
    Abs ArgMax ArgMin BatchToSpace BatchToSpaceND BroadcastTo Ceil CheckNumerics ClipByValue Concat ConcatV2
    DepthToSpace DynamicPartition DynamicStitch EnsureShape Equal ExpandDims Fill Floor Gather GatherNd GatherV2
    Greater GreaterEqual Identity IsFinite IsInf IsNan Less LessEqual Max MaxPool MaxPool3D MaxPoolGrad
    MaxPoolGradGrad MaxPoolGradGradV2 MaxPoolGradV2 MaxPoolV2 Maximum Min Minimum MirrorPad MirrorPadGrad Neg
    NotEqual OneHot OnesLike Pack Pad PadV2 PreventGradient Rank Relu Relu6 Relu6Grad ReluGrad Reshape
    ResizeNearestNeighbor ResizeNearestNeighborGrad Reverse ReverseSequence ReverseV2 Round Select SelectV2 Shape
    ShapeN Sign Size Slice Snapshot SpaceToBatch SpaceToBatchND SpaceToDepth Split SplitV Squeeze StopGradient
    StridedSlice StridedSliceGrad Tile TopK TopKV2 Transpose Where ZerosLike
"""

LISTS: dict[str, Half] = {
    name: half
    for half, names in ((Half.ALLOW, _ALLOWED), (Half.INFER, _INFERRED), (Half.DENY, _DENIED), (Half.CLEAR, _CLEAR))
    for name in names.split()
}
"""The list of each op; an op that is in none computes in float32, and ends what its neighbours tell each other."""
