# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.decision_trees.proto.generic_tree_model_pb2."""

from google.protobuf.internal.containers import (
    MessageMap, RepeatedCompositeFieldContainer, RepeatedScalarFieldContainer,
)
from google.protobuf.message import Message
from typing import Any

class Averaging(Message):
    additional_data: RepeatedCompositeFieldContainer[Any]
    def __init__(self, *, additional_data: Any = ...) -> None: ...

class BinaryNode(Message):
    Direction: Any
    LEFT: int
    RIGHT: int
    left_child_id: Any
    right_child_id: Any
    default_direction: int
    inequality_left_child_test: InequalityTest
    custom_left_child_test: Any
    def __init__(
        self, *, left_child_id: Any = ..., right_child_id: Any = ..., default_direction: Any = ...,
        inequality_left_child_test: Any = ..., custom_left_child_test: Any = ...,
    ) -> None: ...

class DecisionTree(Message):
    nodes: RepeatedCompositeFieldContainer[TreeNode]
    additional_data: RepeatedCompositeFieldContainer[Any]
    def __init__(self, *, nodes: Any = ..., additional_data: Any = ...) -> None: ...

class Ensemble(Message):
    class Member(Message):
        submodel: Model
        submodel_id: Any
        additional_data: RepeatedCompositeFieldContainer[Any]
        def __init__(self, *, submodel: Any = ..., submodel_id: Any = ..., additional_data: Any = ...) -> None: ...
    members: RepeatedCompositeFieldContainer[Any]
    summation_combination_technique: Summation
    averaging_combination_technique: Averaging
    custom_combination_technique: Any
    additional_data: RepeatedCompositeFieldContainer[Any]
    def __init__(
        self, *, members: Any = ..., summation_combination_technique: Any = ...,
        averaging_combination_technique: Any = ..., custom_combination_technique: Any = ...,
        additional_data: Any = ...,
    ) -> None: ...

class FeatureId(Message):
    id: Any
    additional_data: RepeatedCompositeFieldContainer[Any]
    def __init__(self, *, id: Any = ..., additional_data: Any = ...) -> None: ...

class InequalityTest(Message):
    Type: Any
    LESS_OR_EQUAL: int
    LESS_THAN: int
    GREATER_OR_EQUAL: int
    GREATER_THAN: int
    feature_id: FeatureId
    oblique: ObliqueFeatures
    type: int
    threshold: Value
    def __init__(
        self, *, feature_id: Any = ..., oblique: Any = ..., type: Any = ..., threshold: Any = ...,
    ) -> None: ...

class Leaf(Message):
    vector: Vector
    sparse_vector: SparseVector
    additional_data: RepeatedCompositeFieldContainer[Any]
    def __init__(self, *, vector: Any = ..., sparse_vector: Any = ..., additional_data: Any = ...) -> None: ...

class Model(Message):
    decision_tree: DecisionTree
    ensemble: Ensemble
    custom_model: Any
    additional_data: RepeatedCompositeFieldContainer[Any]
    def __init__(
        self, *, decision_tree: Any = ..., ensemble: Any = ..., custom_model: Any = ...,
        additional_data: Any = ...,
    ) -> None: ...

class ModelAndFeatures(Message):
    class Feature(Message):
        feature_id: FeatureId
        additional_data: RepeatedCompositeFieldContainer[Any]
        def __init__(self, *, feature_id: Any = ..., additional_data: Any = ...) -> None: ...
    features: MessageMap[str, Any]
    model: Model
    additional_data: RepeatedCompositeFieldContainer[Any]
    def __init__(self, *, features: Any = ..., model: Any = ..., additional_data: Any = ...) -> None: ...

class ObliqueFeatures(Message):
    features: RepeatedCompositeFieldContainer[FeatureId]
    weights: RepeatedScalarFieldContainer[float]
    def __init__(self, *, features: Any = ..., weights: Any = ...) -> None: ...

class SparseVector(Message):
    sparse_value: MessageMap[int, Value]
    def __init__(self, *, sparse_value: Any = ...) -> None: ...

class Summation(Message):
    additional_data: RepeatedCompositeFieldContainer[Any]
    def __init__(self, *, additional_data: Any = ...) -> None: ...

class TreeNode(Message):
    node_id: Any
    depth: Any
    subtree_size: Any
    binary_node: BinaryNode
    leaf: Leaf
    custom_node_type: Any
    additional_data: RepeatedCompositeFieldContainer[Any]
    def __init__(
        self, *, node_id: Any = ..., depth: Any = ..., subtree_size: Any = ..., binary_node: Any = ...,
        leaf: Any = ..., custom_node_type: Any = ..., additional_data: Any = ...,
    ) -> None: ...

class Value(Message):
    float_value: float
    double_value: float
    int32_value: int
    int64_value: int
    custom_value: Any
    def __init__(
        self, *, float_value: Any = ..., double_value: Any = ..., int32_value: Any = ...,
        int64_value: Any = ..., custom_value: Any = ...,
    ) -> None: ...

class Vector(Message):
    value: RepeatedCompositeFieldContainer[Value]
    def __init__(self, *, value: Any = ...) -> None: ...
