"""The values of a checkpoint in TensorFlow's first format: one table of contents, then one part of a tensor each."""

from tensorboard.compat.proto import tensor_pb2, tensor_shape_pb2, types_pb2, versions_pb2

from evergraph.proto import tensor_slice_pb2
from evergraph.proto.schema import define

define(globals(), {
    "SavedSliceMeta": """
        name: string = 1,
        shape: tensorboard.TensorShapeProto = 2,
        type: tensorboard.DataType = 3,
        slice: TensorSliceProto* = 4""",
    "SavedTensorSliceMeta": "tensor: SavedSliceMeta* = 1, versions: tensorboard.VersionDef = 2",
    "SavedSlice": "name: string = 1, slice: TensorSliceProto = 2, data: tensorboard.TensorProto = 3",
    "SavedTensorSlices": "meta: SavedTensorSliceMeta = 1, data: SavedSlice = 2",
}, uses=[tensor_pb2, tensor_shape_pb2, types_pb2, versions_pb2, tensor_slice_pb2])  # fmt: skip
