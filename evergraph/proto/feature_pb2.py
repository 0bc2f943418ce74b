"""The values of one example: lists of bytes, floats or integers by feature name."""

from evergraph.proto.schema import define

define(globals(), {
    "BytesList": "value: bytes* = 1",
    "FloatList": "value: float* = 1",
    "Int64List": "value: int64* = 1",
    "Feature": "kind.bytes_list: BytesList = 1, kind.float_list: FloatList = 2, kind.int64_list: Int64List = 3",
    "Features": "feature: {string: Feature} = 1",
    "FeatureList": "feature: Feature* = 1",
    "FeatureLists": "feature_list: {string: FeatureList} = 1",
})  # fmt: skip
