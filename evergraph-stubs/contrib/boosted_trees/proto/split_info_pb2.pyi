# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.proto.split_info_pb2."""

from evergraph.contrib.boosted_trees.proto.tree_config_pb2 import Leaf, TreeNode
from google.protobuf.internal.containers import RepeatedCompositeFieldContainer, RepeatedScalarFieldContainer
from google.protobuf.message import Message
from typing import Any

class ObliviousSplitInfo(Message):
    split_node: TreeNode
    children: RepeatedCompositeFieldContainer[Leaf]
    children_parent_id: RepeatedScalarFieldContainer[int]
    def __init__(
        self, *, split_node: Any = ..., children: Any = ..., children_parent_id: Any = ...,
    ) -> None: ...

class SplitInfo(Message):
    split_node: TreeNode
    left_child: Leaf
    right_child: Leaf
    def __init__(self, *, split_node: Any = ..., left_child: Any = ..., right_child: Any = ...) -> None: ...
