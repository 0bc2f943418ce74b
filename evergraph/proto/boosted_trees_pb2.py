"""Ensembles of decision trees as BoostedTrees ops serialize them, and the explanation of one prediction."""

from evergraph.proto.schema import define

define(globals(), {
    "SplitTypeWithDefault": {"INEQUALITY_DEFAULT_LEFT": 0, "INEQUALITY_DEFAULT_RIGHT": 1, "EQUALITY_DEFAULT_RIGHT": 3},
    "DefaultDirection": ["DEFAULT_LEFT", "DEFAULT_RIGHT"],
    "Vector": "value: float* = 1",
    "SparseVector": "index: int32* = 1, value: float* = 2",
    "Leaf": """
        leaf.vector: Vector = 1,
        leaf.sparse_vector: SparseVector = 2,
        scalar: float = 3""",
    "NodeMetadata": "gain: float = 1, original_leaf: Leaf = 2",
    "BucketizedSplit": """
        feature_id: int32 = 1,
        threshold: int32 = 2,
        left_id: int32 = 3,
        right_id: int32 = 4,
        dimension_id: int32 = 5,
        default_direction: DefaultDirection = 6""",
    "CategoricalSplit": """
        feature_id: int32 = 1,
        value: int32 = 2,
        left_id: int32 = 3,
        right_id: int32 = 4,
        dimension_id: int32 = 5""",
    "DenseSplit": "feature_id: int32 = 1, threshold: float = 2, left_id: int32 = 3, right_id: int32 = 4",
    "Node": """
        node.leaf: Leaf = 1,
        node.bucketized_split: BucketizedSplit = 2,
        node.categorical_split: CategoricalSplit = 3,
        node.dense_split: DenseSplit = 4,
        metadata: NodeMetadata = 777""",
    "Tree": "nodes: Node* = 1",
    "TreeMetadata": """
        num_layers_grown: int32 = 2,
        is_finalized: bool = 3,
        post_pruned_nodes_meta: TreeMetadata.PostPruneNodeUpdate* = 4""",
    "TreeMetadata.PostPruneNodeUpdate": "new_node_id: int32 = 1, logit_change: float* = 2",
    "GrowingMetadata": """
        num_trees_attempted: int64 = 1,
        num_layers_attempted: int64 = 2,
        last_layer_node_start: int32 = 3,
        last_layer_node_end: int32 = 4""",
    "TreeEnsemble": """
        trees: Tree* = 1,
        tree_weights: float* = 2,
        tree_metadata: TreeMetadata* = 3,
        growing_metadata: GrowingMetadata = 4""",
    "DebugOutput": "feature_ids: int32* = 1, logits_path: float* = 2",
}, package="evergraph.boosted_trees")  # fmt: skip
