# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.proto.tree_config_pb2."""

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer, RepeatedScalarFieldContainer
from google.protobuf.message import Message
from typing import Any

class CategoricalIdBinarySplit(Message):
    feature_column: int
    feature_id: int
    left_id: int
    right_id: int
    def __init__(
        self, *, feature_column: Any = ..., feature_id: Any = ..., left_id: Any = ..., right_id: Any = ...,
    ) -> None: ...

class CategoricalIdSetMembershipBinarySplit(Message):
    feature_column: int
    feature_ids: RepeatedScalarFieldContainer[int]
    left_id: int
    right_id: int
    def __init__(
        self, *, feature_column: Any = ..., feature_ids: Any = ..., left_id: Any = ..., right_id: Any = ...,
    ) -> None: ...

class DecisionTreeConfig(Message):
    nodes: RepeatedCompositeFieldContainer[TreeNode]
    def __init__(self, *, nodes: Any = ...) -> None: ...

class DecisionTreeEnsembleConfig(Message):
    trees: RepeatedCompositeFieldContainer[DecisionTreeConfig]
    tree_weights: RepeatedScalarFieldContainer[float]
    tree_metadata: RepeatedCompositeFieldContainer[DecisionTreeMetadata]
    growing_metadata: GrowingMetadata
    def __init__(
        self, *, trees: Any = ..., tree_weights: Any = ..., tree_metadata: Any = ...,
        growing_metadata: Any = ...,
    ) -> None: ...

class DecisionTreeMetadata(Message):
    num_tree_weight_updates: int
    num_layers_grown: int
    is_finalized: bool
    def __init__(
        self, *, num_tree_weight_updates: Any = ..., num_layers_grown: Any = ..., is_finalized: Any = ...,
    ) -> None: ...

class DenseFloatBinarySplit(Message):
    feature_column: int
    dimension_id: int
    threshold: float
    left_id: int
    right_id: int
    def __init__(
        self, *, feature_column: Any = ..., dimension_id: Any = ..., threshold: Any = ..., left_id: Any = ...,
        right_id: Any = ...,
    ) -> None: ...

class GrowingMetadata(Message):
    num_trees_attempted: int
    num_layers_attempted: int
    used_handler_ids: RepeatedScalarFieldContainer[int]
    def __init__(
        self, *, num_trees_attempted: Any = ..., num_layers_attempted: Any = ..., used_handler_ids: Any = ...,
    ) -> None: ...

class Leaf(Message):
    vector: Vector
    sparse_vector: SparseVector
    def __init__(self, *, vector: Any = ..., sparse_vector: Any = ...) -> None: ...

class ObliviousCategoricalIdBinarySplit(Message):
    feature_column: int
    feature_id: int
    def __init__(self, *, feature_column: Any = ..., feature_id: Any = ...) -> None: ...

class ObliviousDenseFloatBinarySplit(Message):
    feature_column: int
    threshold: float
    def __init__(self, *, feature_column: Any = ..., threshold: Any = ...) -> None: ...

class SparseFloatBinarySplitDefaultLeft(Message):
    split: DenseFloatBinarySplit
    def __init__(self, *, split: Any = ...) -> None: ...

class SparseFloatBinarySplitDefaultRight(Message):
    split: DenseFloatBinarySplit
    def __init__(self, *, split: Any = ...) -> None: ...

class SparseVector(Message):
    index: RepeatedScalarFieldContainer[int]
    value: RepeatedScalarFieldContainer[float]
    def __init__(self, *, index: Any = ..., value: Any = ...) -> None: ...

class TreeNode(Message):
    leaf: Leaf
    dense_float_binary_split: DenseFloatBinarySplit
    sparse_float_binary_split_default_left: SparseFloatBinarySplitDefaultLeft
    sparse_float_binary_split_default_right: SparseFloatBinarySplitDefaultRight
    categorical_id_binary_split: CategoricalIdBinarySplit
    categorical_id_set_membership_binary_split: CategoricalIdSetMembershipBinarySplit
    oblivious_dense_float_binary_split: ObliviousDenseFloatBinarySplit
    oblivious_categorical_id_binary_split: ObliviousCategoricalIdBinarySplit
    node_metadata: TreeNodeMetadata
    def __init__(
        self, *, leaf: Any = ..., dense_float_binary_split: Any = ...,
        sparse_float_binary_split_default_left: Any = ..., sparse_float_binary_split_default_right: Any = ...,
        categorical_id_binary_split: Any = ..., categorical_id_set_membership_binary_split: Any = ...,
        oblivious_dense_float_binary_split: Any = ..., oblivious_categorical_id_binary_split: Any = ...,
        node_metadata: Any = ...,
    ) -> None: ...

class TreeNodeMetadata(Message):
    gain: float
    original_leaf: Leaf
    original_oblivious_leaves: RepeatedCompositeFieldContainer[Leaf]
    def __init__(
        self, *, gain: Any = ..., original_leaf: Any = ..., original_oblivious_leaves: Any = ...,
    ) -> None: ...

class Vector(Message):
    value: RepeatedScalarFieldContainer[float]
    def __init__(self, *, value: Any = ...) -> None: ...
