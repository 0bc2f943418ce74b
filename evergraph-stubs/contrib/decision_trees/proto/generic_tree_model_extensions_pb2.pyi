# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.decision_trees.proto.generic_tree_model_extensions_pb2."""

from evergraph.contrib.decision_trees.proto.generic_tree_model_pb2 import FeatureId, Value
from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from google.protobuf.message import Message
from typing import Any

class MatchingValuesTest(Message):
    feature_id: FeatureId
    value: RepeatedCompositeFieldContainer[Value]
    inverse: bool
    def __init__(self, *, feature_id: Any = ..., value: Any = ..., inverse: Any = ...) -> None: ...
