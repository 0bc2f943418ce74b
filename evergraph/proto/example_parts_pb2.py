"""Examples whose lists of values stay serialized: telling the features apart costs little, and whoever needs a list
reads it with NumPy. The wire form is that of example_pb2: a message inside a message and bytes look the same there.
"""

from evergraph.proto.schema import define

define(globals(), {
    "FeatureParts": "kind.bytes_list: bytes = 1, kind.float_list: bytes = 2, kind.int64_list: bytes = 3",
    "FeaturesParts": "feature: {string: FeatureParts} = 1",
    "FeatureListParts": "feature: FeatureParts* = 1",
    "FeatureListsParts": "feature_list: {string: FeatureListParts} = 1",
    "ExampleParts": "features: FeaturesParts = 1",
    "SequenceExampleParts": "context: FeaturesParts = 1, feature_lists: FeatureListsParts = 2",
})  # fmt: skip
