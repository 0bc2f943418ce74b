"""A rectangular part of a tensor: one extent a dimension, the whole of it when no length is set."""

from evergraph.proto.schema import define

define(globals(), {
    "TensorSliceProto": "extent: TensorSliceProto.Extent* = 1",
    "TensorSliceProto.Extent": "start: int64 = 1, has_length.length: int64 = 2",
})  # fmt: skip
