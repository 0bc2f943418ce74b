"""Messages of tf.contrib.decision_trees: models of trees that other programs read, and paths through trees."""

from google.protobuf import any_pb2, wrappers_pb2

from evergraph.proto.schema import define

_ANY = "additional_data: google.protobuf.Any*"

define(globals(), {
    "Value": """
        value.float_value: float = 1,
        value.double_value: double = 2,
        value.int32_value: int32 = 3,
        value.int64_value: int64 = 4,
        value.custom_value: google.protobuf.Any = 5""",
    "Vector": "value: Value* = 1",
    "SparseVector": "sparse_value: {int64: Value} = 1",
    "Leaf": f"leaf.vector: Vector = 1, leaf.sparse_vector: SparseVector = 2, {_ANY} = 3",
    "FeatureId": f"id: google.protobuf.StringValue = 1, {_ANY} = 2",
    "ObliqueFeatures": "features: FeatureId* = 1, weights: float* = 2",
    "InequalityTest": """
        FeatureSum.feature_id: FeatureId = 1,
        FeatureSum.oblique: ObliqueFeatures = 4,
        type: InequalityTest.Type = 2,
        threshold: Value = 3""",
    "InequalityTest.Type": ["LESS_OR_EQUAL", "LESS_THAN", "GREATER_OR_EQUAL", "GREATER_THAN"],
    "MatchingValuesTest": "feature_id: FeatureId = 1, value: Value* = 2, inverse: bool = 3",
    "BinaryNode": """
        left_child_id: google.protobuf.Int32Value = 1,
        right_child_id: google.protobuf.Int32Value = 2,
        default_direction: BinaryNode.Direction = 3,
        left_child_test.inequality_left_child_test: InequalityTest = 4,
        left_child_test.custom_left_child_test: google.protobuf.Any = 5""",
    "BinaryNode.Direction": ["LEFT", "RIGHT"],
    "TreeNode": f"""
        node_id: google.protobuf.Int32Value = 1,
        depth: google.protobuf.Int32Value = 2,
        subtree_size: google.protobuf.Int32Value = 3,
        node_type.binary_node: BinaryNode = 4,
        node_type.leaf: Leaf = 5,
        node_type.custom_node_type: google.protobuf.Any = 6,
        {_ANY} = 7""",
    "TreePath": "nodes_visited: TreeNode* = 1",
    "DecisionTree": f"nodes: TreeNode* = 1, {_ANY} = 2",
    "Summation": f"{_ANY} = 1",
    "Averaging": f"{_ANY} = 1",
    "Model": f"""
        model.decision_tree: DecisionTree = 1,
        model.ensemble: Ensemble = 2,
        model.custom_model: google.protobuf.Any = 3,
        {_ANY} = 4""",
    "Ensemble": f"""
        members: Ensemble.Member* = 100,
        combination_technique.summation_combination_technique: Summation = 1,
        combination_technique.averaging_combination_technique: Averaging = 2,
        combination_technique.custom_combination_technique: google.protobuf.Any = 3,
        {_ANY} = 4""",
    "Ensemble.Member": f"submodel: Model = 1, submodel_id: google.protobuf.Int32Value = 2, {_ANY} = 3",
    "ModelAndFeatures": f"""
        features: {{string: ModelAndFeatures.Feature}} = 1,
        model: Model = 2,
        {_ANY} = 3""",
    "ModelAndFeatures.Feature": f"feature_id: FeatureId = 1, {_ANY} = 2",
}, uses=[any_pb2, wrappers_pb2], package="evergraph.decision_trees")  # fmt: skip
