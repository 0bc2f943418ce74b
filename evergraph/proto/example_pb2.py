"""One training example, plain or with sequences."""

from evergraph.proto import feature_pb2
from evergraph.proto.schema import define

define(globals(), {
    "Example": "features: Features = 1",
    "SequenceExample": "context: Features = 1, feature_lists: FeatureLists = 2",
}, uses=[feature_pb2])  # fmt: skip
