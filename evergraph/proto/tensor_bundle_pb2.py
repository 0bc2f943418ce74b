"""The values of a checkpoint's index: one header, then one entry a tensor."""

from tensorboard.compat.proto import tensor_shape_pb2, types_pb2, versions_pb2

from evergraph.proto import tensor_slice_pb2
from evergraph.proto.schema import define

define(globals(), {
    "BundleHeaderProto": """
        num_shards: int32 = 1,
        endianness: BundleHeaderProto.Endianness = 2,
        version: tensorboard.VersionDef = 3""",
    "BundleHeaderProto.Endianness": ["LITTLE", "BIG"],
    "BundleEntryProto": """
        dtype: tensorboard.DataType = 1,
        shape: tensorboard.TensorShapeProto = 2,
        shard_id: int32 = 3,
        offset: int64 = 4,
        size: int64 = 5,
        crc32c: fixed32 = 6,
        slices: TensorSliceProto* = 7""",
}, uses=[tensor_shape_pb2, types_pb2, versions_pb2, tensor_slice_pb2])  # fmt: skip
